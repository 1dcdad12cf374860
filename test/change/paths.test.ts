import { Buffer } from "node:buffer";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { changeTester, commit, git, makeTree } from "@agentgate/engine/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { foundIn, net, pure } from "./repositories.ts";
import { agentgate, reportOf } from "../cli/harness.ts";

const { check, diff } = changeTester("change-paths");

/** Names as bytes, as a report shows them. */
const NAMES: readonly (readonly [bytes: string | Buffer, shown: string])[] = [
  ..."with space.py|  .py|quote\".py|quote'.py|back\\slash.py|tab\there.py|line\nbreak.py|return\rhere.py|-rf.py|--base.py|a:b.py|C:.py|star*.py|what?.py|[set].py|{a,b}.py|!not.py|(paren).py|#hash.py|$(touch marker).py|`touch marker`.py|%00.py|~.py|^caret.py|@at.py|semi;colon.py|amp&.py".split("|"),
  ":(top)magic.py", ":!magic.py", "escape\u001b[31m.py", "bell\u0007.py", "right\u202eleft.py", "ünïcode.py", "u\u0308.py", "\u00fc.py", "emoji😀.py", "\ufeffmark.py", "__proto__.py", "constructor.py", "toString.py",
  "deep/".repeat(40) + "a.py", `${"l".repeat(250)}.py`, "dots.../...a.py", "-dash/-dash.py", "a\\x80.py", "a => b.py", "{old => new}.py", "tab\t/x.py", "\n/x.py", "\"quoted\"/x.py", ".hidden/.py.py", "git/HEAD.py",
].map((name) => [name, name] as const);
const BYTES: readonly (readonly [bytes: Buffer, shown: string])[] = [
  [Buffer.from("latin-\xe9.py", "latin1"), "latin-\\xe9.py"], [Buffer.from("half-\xc3.py", "latin1"), "half-\\xc3.py"], [Buffer.from("dir-\xff/x.py", "latin1"), "dir-\\xff/x.py"],
];

let root: string;

function put(name: string | Buffer, text: string): void {
  const bytes = Buffer.from(name as string);
  const slash = bytes.lastIndexOf("/");
  const at = Buffer.concat([Buffer.from(`${root}/`), bytes]);
  if (slash !== -1) mkdirSync(at.subarray(0, root.length + 1 + slash), { recursive: true });
  writeFileSync(at, text);
}

beforeAll(() => {
  root = makeTree({});
  git(root, "init", "--quiet", "--initial-branch=main");
  git(root, "config", "core.quotePath", "true");
  const all = [...NAMES, ...BYTES];
  all.forEach(([name], index) => { put(name, pure(`f${index}`)); });
  put("plain.py", pure("plain"));
  commit(root, "base");
  git(root, "checkout", "--quiet", "-b", "topic");
  all.forEach(([name], index) => { put(name, net(`f${index}`)); });
  put("plain.py", `${pure("plain")}x = 1\n`);
  commit(root, "change");
});

const SHOWN = [...NAMES, ...BYTES].map(([, shown]) => shown);
const FOUND = SHOWN.map((shown) => `no-invented-io ${shown}:1`).sort();

describe("names of files", () => {
  it.each([["the working tree", {}], ["the index", { staged: true }], ["a revision", { head: "topic" }]])("are all judged in %s, under their own name", async (_, options) => {
    expect(foundIn(await check(root, options))).toEqual(FOUND);
  });

  it("are compared with the file of the same name at the base", async () => {
    expect(foundIn(await check(root, { base: "topic" }))).toEqual([]);
    expect((await diff(root)).modules.map(({ path: at }) => at).sort()).toEqual([...SHOWN].sort());
  });

  it("are paths of the command line, and no patterns", async () => {
    const named = ["star*.py", "what?.py", "[set].py", "{a,b}.py", "!not.py", ":(top)magic.py", ":!magic.py", "-rf.py", "--base.py", "line\nbreak.py", "tab\there.py", "back\\slash.py", "__proto__.py", "u\u0308.py"];
    expect(foundIn(await check(root, { paths: named }))).toEqual(named.map((name) => `no-invented-io ${name}:1`).sort());
    expect(foundIn(await check(root, { paths: ["deep", "tab\t", "\n"] }))).toHaveLength(3);
  });

  it("reach no terminal raw, and the document as they are", () => {
    const cwd = root;
    const ran = agentgate(cwd, ["check", "--base", "main"]);
    expect(ran.code).toBe(1);
    expect(ran.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
    expect(foundIn(reportOf(agentgate(cwd, ["check", "--base", "main", "--format", "json"])))).toEqual(FOUND);
    expect(agentgate(cwd, ["diff", "main"]).stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
  });

  it("keep their licence through a rename", async () => {
    const moved = makeTree({});
    git(moved, "clone", "--quiet", root, ".");
    git(moved, "checkout", "--quiet", "-b", "moved");
    for (const [index, [name, shown]] of NAMES.entries()) if (!shown.includes("/")) git(moved, "mv", "--", `./${name as string}`, path.join(".", `moved ${index}\n".py`));
    commit(moved, "moved");
    expect(foundIn(await check(moved, { base: "topic" }))).toEqual([]);
  });
});
