import { symlinkSync, unlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { commitFiles, idOf, makeHistory } from "../testing/history.ts";
import { addFiles, git, makeTree } from "../testing/tree.ts";
import { filesHolding } from "./grep.ts";
import { openRepository } from "./repository.ts";
import { worktreeSnapshot } from "./snapshots.ts";

async function holding(root: string, where: string, words: readonly string[]): Promise<readonly string[]> {
  const repository = await openRepository(root);
  try {
    return await filesHolding(repository, where, words);
  } finally {
    repository.close();
  }
}

test("the three states of a tree, each on its own", async () => {
  const root = makeHistory({ "a.py": "import helper\n", "sub/b.py": "nothing\n", "c.py": "import helper\n", "d.py": "import helper\n" });
  addFiles(root, { "sub/b.py": "import helper\n" });
  git(root, "add", "sub/b.py");
  addFiles(root, { "a.py": "nothing\n", "untracked.py": "import helper\n", "ignored.py": "import helper\n", ".git/info/exclude": "ignored.py\n" });
  unlinkSync(path.join(root, "c.py"));
  expect(await holding(root, idOf(root, "HEAD"), ["helper"])).toEqual(["a.py", "c.py", "d.py"]);
  expect(await holding(root, "index", ["helper"])).toEqual(["a.py", "c.py", "d.py", "sub/b.py"]);
  expect(await holding(root, "worktree", ["helper"])).toEqual(["d.py", "sub/b.py", "untracked.py"]);
});

test("words are taken letter by letter", async () => {
  const files = { "dot.py": "axb", "exact.py": "a.b", "dash.py": "-e --help -f", "star.py": "a*b", "upper.py": "A.B", "bytes.py": Buffer.from([0, 0x61, 0x2e, 0x62, 0xff]), "ü.py": "ünïcode" };
  const root = makeHistory(files);
  for (const where of [idOf(root, "HEAD"), "index", "worktree"]) {
    expect(await holding(root, where, ["a.b"])).toEqual(["bytes.py", "exact.py"]);
    expect(await holding(root, where, ["--help"])).toEqual(["dash.py"]);
    expect(await holding(root, where, ["-f", "a*b"])).toEqual(["dash.py", "star.py"]);
    expect(await holding(root, where, ["ünïcode"])).toEqual(["ü.py"]);
    expect(await holding(root, where, ["absent"])).toEqual([]);
    expect(await holding(root, where, [])).toEqual([]);
    expect(await holding(root, where, [""])).toEqual([]);
    expect(await holding(root, where, ["\0", "absent\n"])).toEqual([]);
    expect(await holding(root, where, ["absent\nünïcode"])).toEqual(["ü.py"]);
  }
});

test("attributes do not hide a file", async () => {
  const root = makeHistory({ "a.py": "import helper\n", ".gitattributes": "*.py binary -diff export-ignore\n" });
  expect(await holding(root, "HEAD", ["helper"])).toEqual(["a.py"]);
  expect(await holding(root, "index", ["helper"])).toEqual(["a.py"]);
});

test("nor does what git was told to ignore", async () => {
  const root = makeHistory({ "forced.py": "import helper\n", "assumed.py": "nothing\n", "skipped.py": "nothing\n", ".gitignore": "forced.py\n" });
  git(root, "update-index", "--assume-unchanged", "assumed.py");
  git(root, "update-index", "--skip-worktree", "skipped.py");
  addFiles(root, { "assumed.py": "import helper\n", "skipped.py": "import helper\n" });
  expect(await holding(root, "worktree", ["helper"])).toEqual(["assumed.py", "forced.py", "skipped.py"]);
});

test("links are not followed", async () => {
  const root = makeHistory({ "a.py": "nothing\n" });
  symlinkSync(path.join(makeTree({ "b.py": "import helper\n" }), "b.py"), path.join(root, "link.py"));
  commitFiles(root, {});
  symlinkSync(path.join(makeTree({ "b.py": "import helper\n" }), "b.py"), path.join(root, "untracked.py"));
  expect(await holding(root, "worktree", ["helper"])).toEqual([]);
});

test("more words than a command line can hold, and odd names", async () => {
  const word = (index: number): string => `${index}-${"long".repeat(2000)}.`;
  const root = makeHistory({ "line\nfeed.py": `${word(299)} here`, "co:lon.py": `${word(3)} here`, "a.py": "nothing\n" });
  const words = Array.from({ length: 300 }, (_, index) => word(index));
  for (const where of ["HEAD", "index", "worktree"]) expect(await holding(root, where, words)).toEqual(["co:lon.py", "line\nfeed.py"]);
});

test("a snapshot that is at hand is not taken again", async () => {
  const root = makeHistory({ "a.py": "import helper\n" });
  addFiles(root, { "b.py": "import helper\n" });
  const repository = await openRepository(root);
  const snapshot = await worktreeSnapshot(repository);
  addFiles(root, { "late.py": "import helper\n" });
  expect(await filesHolding(repository, "worktree", ["helper"], snapshot)).toEqual(["a.py", "b.py"]);
  repository.close();
});
