import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import fs from "node:fs";
import { builtinModules } from "node:module";
import { describe, expect, it, test } from "vitest";
import { catalogueOf } from "./load.ts";
import { matchMember } from "./lookup.ts";
import { classify } from "./classify.ts";

/** Python's own list of its top-level modules, where the machine has one that knows it (3.10 and newer). */
function pythonModules(): readonly string[] | null {
  try {
    const program = "import sys; print(' '.join(sorted(sys.stdlib_module_names)))";
    return execFileSync("python3", ["-I", "-c", program], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim().split(" ");
  } catch {
    return null;
  }
}

function unknownPython(names: readonly string[]): string[] {
  return names.filter((name) => catalogueOf("python").get(name) === null);
}

describe("the Python standard library", () => {
  const versions = JSON.parse(readFileSync(new URL("./versions/python.json", import.meta.url), "utf8")) as {
    readonly source: string;
    readonly modules: Readonly<Record<string, string>>;
  };

  test("lists are committed for every version", () => {
    expect(versions.source).toMatch(/\S/);
    expect(Object.keys(versions.modules)).toEqual(["3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14"]);
  });

  it.each(Object.entries(versions.modules))("%s has no module that the catalogue lacks", (_version, names) => {
    expect(names.length).toBeGreaterThan(1000);
    expect(unknownPython(names.split(" "))).toEqual([]);
  });

  const installed = pythonModules();
  it.skipIf(installed === null)(`the installed one${installed === null ? " (skipped: no Python 3.10 or newer here)" : ""} has none either`, () => {
    expect(unknownPython(installed ?? [])).toEqual([]);
  });

  test("every submodule that its parent does not settle is listed", () => {
    // A parent that is wholly pure or wholly I/O settles its submodules; a mixed one does so for those it names.
    const settled = ["os.path", "urllib.request", "urllib.parse", "concurrent.futures", "logging.handlers", "importlib.util", "xml.etree.ElementTree", "multiprocessing.pool", "http.client"];
    expect(unknownPython(settled)).toEqual(["urllib.parse"]);
    expect(classify("python", { module: "urllib.parse", path: [] })).toMatchObject({ kind: "pure" });
  });
});

describe("Node's built-in modules", () => {
  it("none of the runtime's is missing", () => {
    const modules = [...builtinModules, "node:sqlite", "node:test", "node:test/reporters", "node:sea", "node:ffi"];
    const missing = modules.filter((name) => classify("ecmascript", { module: name, path: [] }).kind === "unclassified");
    expect(missing).toEqual([]);
  });

  it("every member of fs is listed", () => {
    const entry = catalogueOf("ecmascript").get("fs")?.entry;
    if (entry === undefined) throw new Error("fs is not in the catalogue");
    const names = [...Object.keys(fs), ...Object.keys(fs.promises)].filter((name) => !["_toUnixTimestamp", "promises", "default"].includes(name));
    const unlisted = names.filter((name) => !matchMember(entry, { language: "ecmascript", members: [name], instance: false, call: undefined }).exact);
    expect([...new Set(unlisted)]).toEqual([]);
  });
});
