import type { Report } from "@agentgate/engine";
import { changeTester, commit, git } from "@agentgate/engine/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { write } from "../laundering/attempts.ts";
import type { Contents } from "../laundering/attempts.ts";
import { expectReport, foundIn, net, proc, pure, repositoryOf } from "./repositories.ts";

const { check } = changeTester("change-importers");

/** An excluded helper that the change lets start processes, and who imports it. */
interface Importer {
  readonly name: string;
  /** Given the name of the helper's module. */
  readonly base: (helper: string) => Contents;
  readonly judged: boolean;
  /** On top of the helper's own edit. */
  readonly patch?: (helper: string) => Contents;
}

const imports = (helper: string): string => `from tests.${helper} import *\n\n\nx = 1\n`;

const IMPORTERS: readonly Importer[] = [
  { name: "nobody", base: () => ({}), judged: false },
  { name: "a module", base: (helper) => ({ [`src/${helper}_user.py`]: imports(helper) }), judged: true },
  { name: "a module with a line break in its name", base: (helper) => ({ [`src/${helper}\nuser.py`]: imports(helper) }), judged: true },
  { name: "a module in a folder with quotes, a tab and a star", base: (helper) => ({ [`src/"quo'ted"\t*/${helper}.py`]: imports(helper) }), judged: true },
  { name: "a module with a leading dash", base: (helper) => ({ [`--${helper}.py`]: imports(helper) }), judged: true },
  { name: "a module with carriage returns", base: (helper) => ({ [`src/${helper}_crlf.py`]: imports(helper).replaceAll("\n", "\r\n") }), judged: true },
  { name: "a script without ending", base: (helper) => ({ [`bin/${helper}`]: { executable: `#!/usr/bin/env python3\n${imports(helper)}` } }), judged: true },
  { name: "another excluded file, which nobody imports", base: (helper) => ({ [`tests/${helper}_on.py`]: imports(helper) }), judged: false },
  { name: "another excluded file, which a module imports", base: (helper) => ({ [`tests/${helper}_on.py`]: imports(helper), [`src/${helper}_user.py`]: imports(`${helper}_on`) }), judged: true },
  { name: "excluded files in a circle, which a module imports", base: (helper) => ({ [`tests/${helper}_on.py`]: imports(helper), [`tests/${helper}.py`]: imports(`${helper}_on`), [`src/${helper}_user.py`]: imports(`${helper}_on`) }), judged: true },
  { name: "a module that only speaks of it", base: (helper) => ({ [`src/${helper}_text.py`]: `x = "from tests.${helper} import *"\n` }), judged: false },
  { name: "text that is no code", base: (helper) => ({ [`docs/${helper}.txt`]: imports(helper) }), judged: false },
  { name: "a module that no longer does", base: (helper) => ({ [`src/${helper}_user.py`]: imports(helper) }), judged: false, patch: (helper) => ({ [`src/${helper}_user.py`]: "x = 1\n" }) },
  { name: "a module that is gone", base: (helper) => ({ [`src/${helper}_user.py`]: imports(helper) }), judged: false, patch: (helper) => ({ [`src/${helper}_user.py`]: null }) },
  { name: "a module that was renamed", base: (helper) => ({ [`src/${helper}_user.py`]: imports(helper) }), judged: true, patch: (helper) => ({ [`src/${helper}_user.py`]: null, [`src/${helper} re\nnamed.py`]: imports(helper) }) },
  { name: "a new module", base: () => ({}), judged: true, patch: (helper) => ({ [`src/${helper}_new.py`]: imports(helper) }) },
];

const helperOf = (index: number): string => `helper_${index}`;

let root: string;
beforeAll(() => {
  const part = (contents: (one: Importer, helper: string) => Contents): Contents => Object.assign({}, ...IMPORTERS.map((one, index) => contents(one, helperOf(index)))) as Contents;
  root = repositoryOf(
    part((one, helper) => ({ [`tests/${helper}.py`]: pure(helper), ...one.base(helper) })),
    part((one, helper) => ({ [`tests/${helper}.py`]: proc(helper), ...one.patch?.(helper) })),
  );
});

describe.each([["the working tree", {}], ["the index", { staged: true }], ["a revision", { head: "topic" }]])("an excluded file that changed, in %s, imported by", (_, options) => {
  let report: Report;
  beforeAll(async () => { report = await check(root, options); });

  it.each(IMPORTERS.map((one, index) => [one.name, `tests/${helperOf(index)}.py`, one.judged] as const))("%s", (__, at, judged) => {
    expect([...report.findings, ...report.unscanned].filter(({ path }) => path === at).map((one) => ("rule" in one ? one.rule : one.reason))).toEqual([judged ? "no-invented-io" : "excluded"]);
  });
});

describe("an importer that git was not told of", () => {
  it.each<[string, (folder: string) => void]>([
    ["is untracked", (folder) => { write(folder, { "src/user.py": imports("helper") }); }],
    ["is meant to be added", (folder) => { write(folder, { "src/user.py": imports("helper") }); git(folder, "add", "--intent-to-add", "src/user.py"); }],
    ["is to be taken for unchanged", (folder) => { git(folder, "update-index", "--assume-unchanged", "src/a.py"); write(folder, { "src/a.py": imports("helper") }); }],
    ["is to be skipped", (folder) => { git(folder, "update-index", "--skip-worktree", "src/a.py"); write(folder, { "src/a.py": imports("helper") }); }],
    ["was left out of the checkout", (folder) => { write(folder, { "src/a.py": imports("helper") }); commit(folder, "import"); git(folder, "sparse-checkout", "set", "--no-cone", "tests"); }],
    ["is to git a binary", (folder) => { write(folder, { ".gitattributes": "*.py binary -diff\n", "src/a.py": imports("helper") }); }],
  ])("%s", async (_, step) => {
    const folder = repositoryOf({ "src/a.py": pure("a"), "tests/helper.py": pure("helper") }, { "tests/helper.py": proc("helper") });
    expectReport(await check(folder), { unscanned: ["tests/helper.py excluded"] });
    step(folder);
    expect(foundIn(await check(folder))).toEqual(["no-invented-io tests/helper.py:1"]);
  });
});

describe("a package that nobody knows", () => {
  const unknown = "import nobody_knows_this\n\nx = 1\n";

  it("warns once for the tree, whatever files are renamed", async () => {
    const folder = repositoryOf({ "a.py": unknown, "tests/b.py": "import other_unknown\n" }, { "a.py": null, "renamed.py": unknown, "c.py": unknown });
    for (const options of [{}, { staged: true }, { head: "topic" }]) expectReport(await check(folder, options), {});
    write(folder, { "d.py": "import third_unknown\n", "e.py": "import third_unknown\n", "f.py": net("f") });
    expect(foundIn(await check(folder))).toEqual(expect.arrayContaining(["no-invented-io f.py:1", "warning no-invented-io d.py:1"]));
    expect((await check(folder)).error).toBeNull();
  });
});
