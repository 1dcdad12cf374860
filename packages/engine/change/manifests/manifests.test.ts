import { describe, expect, it } from "vitest";
import { jsonEntries } from "./json-entries.ts";
import { isOtherPackage, linkedName } from "./linked-name.ts";
import { toldByPackageJson } from "./package-json.ts";
import { toldByPyproject, toldByRequirements } from "./python.ts";
import { tomlEntries } from "./toml-entries.ts";

function shown(entries: ReturnType<typeof jsonEntries>): string[] {
  return entries.map(({ keys, value, line, column }) => `${keys.join(".")}=${value} ${String(line)}:${String(column)}`);
}

describe("texts of a manifest", () => {
  it("are found in JSON with their keys and places, past comments and escapes", () => {
    expect(shown(jsonEntries('{\n  // "x": "y"\n  "a": { "b\\u0021": "c" }, /* "\n */ "d": ["e", { "f": "g" }], "h": 1\n}'))).toEqual([
      "a.b!=c 3:21", "d=e 4:11", "d.f=g 4:23",
    ]);
  });

  it("are found in TOML with their tables and keys, in lists of several lines, inline tables and long texts too", () => {
    const text = '# "no"\n[a.b]\nc = "d" # "e"\nf = [\n  "g", # h\n  { i = \'j\' },\n]\nk.l = """\nm\n"""\n"n o" = { p = "q", r = ["s"] }\n[[t]]\nu = 1\nv = "w"\n';
    expect(shown(tomlEntries(text))).toEqual(["a.b.c=d 3:5", "a.b.f=g 5:3", "a.b.f.i=j 6:9", "a.b.k.l=\nm\n 8:7", "a.b.n o.p=q 11:15", "a.b.n o.r=s 11:25", "t.v=w 14:5"]);
  });

  it.each([
    ["nesting", "{".repeat(200_000)], ["nested keys", '{"a":"b","c":'.repeat(50_000)], ["brackets", "[".repeat(200_000)], ["quotes", '"'.repeat(200_000)], ["blanks", `a${" ".repeat(500_000)}b`],
    ["bare keys", "a ".repeat(200_000)], ["slashes", `{"dependencies":{"a":"https://${"/".repeat(500_000)}"}}`], ["at signs", `a @ https://x/${"@".repeat(300_000)}`], ["an open comment", `/*${"*".repeat(500_000)}`],
  ])("are looked for without end in sight: %s", (_, text) => {
    const told = [...toldByPackageJson(text), ...toldByPyproject(text), ...toldByRequirements(text)];
    expect(told.length).toBeLessThan(3);
  });
});

describe("the package that a range leads to", () => {
  it.each([
    ["npm:a@1", "a"], ["npm:@s/a@1", "@s/a"], ["github:x/a#main", "a"], ["x/a", "a"], ["git+https://h/x/a.git#v1", "a"], ["git@h:x/a.git", "a"], ["https://h/a-1.0.0.tgz", "a"], ["https://h/x/archive/v1.0.0.zip", null],
    ["^1.0.0", null], ["*", null], ["workspace:*", null], ["latest", null], ["1.x || 2.x", null], ["", null],
  ])("%j: %j", (range, name) => {
    expect(linkedName(range)).toBe(name);
  });

  it("is another one by more than its spelling", () => {
    expect(isOtherPackage("Flask_Login", "flask-login")).toBe(false);
    expect(isOtherPackage("@std/path", "@jsr/std__path")).toBe(false);
    expect(isOtherPackage("left-pad", "@evil/left-pad")).toBe(true);
    expect(isOtherPackage("constructor", "__proto__")).toBe(true);
  });
});
