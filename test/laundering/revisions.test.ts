import { appendFileSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe } from "vitest";
import { commit, git } from "@agentgate/engine/testing";
import { allReported, write } from "./attempts.ts";
import type { Attempt, Contents } from "./attempts.ts";

const NET = "import httpx\n\n\ndef send(order):\n    return httpx.post('x', json=order)\n";
const BASE = { "src/a.py": "x = 1\n", "src/b.py": "y = 1\n" };
const A = "no-invented-io src/a.py";

function on(root: string, branch: string, contents: Contents): string {
  git(root, "checkout", "--quiet", branch);
  write(root, contents);
  return commit(root, `on ${branch}`);
}

function merge(root: string, branch: string, ...others: readonly string[]): void {
  git(root, "checkout", "--quiet", branch);
  git(root, "merge", "--quiet", "--no-edit", "--no-ff", ...others);
}

function id(root: string, revision: string): string {
  return git(root, "rev-parse", "--verify", revision).trim();
}

describe("what the base is", () => {
  allReported("laundering-base", [
    { name: "a tag named like the base", base: BASE, patch: [{ "src/a.py": NET }, (root) => { git(root, "tag", "main"); }], refused: /main/ },
    { name: "a branch of a remote named like the base", base: BASE, patch: [{ "src/a.py": NET }, (root) => { git(root, "update-ref", "refs/remotes/main", "HEAD"); }], refused: /main/ },
    { name: "a tag named like the branch of a remote", base: BASE, patch: [{ "src/a.py": NET }, (root) => { git(root, "update-ref", "refs/remotes/origin/main", "main"); git(root, "tag", "origin/main"); }], options: { base: "origin/main" }, refused: /origin\/main/ },
    { name: "a name that git would compute", base: BASE, patch: [{ "src/a.py": NET }, {}], options: { base: "HEAD~0" }, refused: /HEAD~0/ },
    { name: "a base that is an option", base: BASE, patch: { "src/a.py": NET }, options: { base: "--all" }, refused: /--all/ },
    { name: "the reading head of another place", base: BASE, patch: [{ "src/a.py": NET }, (root) => { git(root, "update-ref", "refs/elsewhere/main", "HEAD"); }], options: { base: "elsewhere/main" }, refused: /elsewhere\/main/ },
    { name: "a replacement of the base", base: BASE, patch: [{ "src/a.py": NET }, (root) => { git(root, "replace", id(root, "main"), id(root, "topic")); }], reported: [A] },
    { name: "a replacement of the base's tree", base: BASE, patch: [{ "src/a.py": NET }, (root) => { git(root, "replace", id(root, "main^{tree}"), id(root, "topic^{tree}")); }], reported: [A] },
    { name: "a replacement of the base's file", base: BASE, patch: [{ "src/a.py": NET }, (root) => { git(root, "replace", id(root, "main:src/a.py"), id(root, "topic:src/a.py")); }], reported: [A] },
    { name: "a graft that makes the change an ancestor", base: BASE, patch: [{ "src/a.py": NET }, (root) => { mkdirSync(path.join(root, ".git/info"), { recursive: true }); appendFileSync(path.join(root, ".git/info/grafts"), `${id(root, "main")} ${id(root, "topic")}\n`); }], reported: [A] },
    { name: "histories that share nothing", base: BASE, patch: [{ "src/a.py": NET }, (root) => { git(root, "checkout", "--quiet", "--orphan", "other"); commit(root, "other"); }], refused: /main/ },
    { name: "a cut history", base: BASE, patch: [{ "src/a.py": NET }, (root) => { writeFileSync(path.join(root, ".git/shallow"), `${id(root, "topic")}\n`); }], refused: /shallow|cut/ },
    { name: "an empty commit on top", base: BASE, patch: [{ "src/a.py": NET }, {}], reported: [A] },
    { name: "a revert that is taken back", base: BASE, patch: [{ "src/a.py": NET }, { "src/a.py": "x = 1\n" }, { "src/a.py": `${NET}\nx = 1\n` }], reported: [A] },
    { name: "what the base has reverted, brought again", base: { ...BASE, "src/a.py": NET }, patch: (root) => { git(root, "checkout", "--quiet", "main"); on(root, "main", { "src/a.py": "x = 1\n" }); git(root, "branch", "--force", "topic", "main"); on(root, "topic", { "src/a.py": NET }); }, reported: [A] },
    { name: "a branch point that was amended", base: BASE, patch: [(root) => { git(root, "checkout", "--quiet", "main"); write(root, { "src/c.py": "z = 1\n" }); commit(root, "more"); git(root, "branch", "--force", "topic", "main"); git(root, "reset", "--quiet", "--hard", "HEAD~1"); on(root, "topic", { "src/a.py": NET }); }], reported: [A] },
  ] satisfies Attempt[]);
});

describe("merges", () => {
  allReported("laundering-merges", [
    { name: "a change in a merge commit itself", base: BASE, patch: [{ "src/b.py": "y = 2\n" }, (root) => { git(root, "branch", "side", "main"); on(root, "side", { "src/c.py": "z = 1\n" }); git(root, "checkout", "--quiet", "topic"); git(root, "merge", "--quiet", "--no-commit", "--no-ff", "side"); write(root, { "src/a.py": NET }); commit(root, "merge"); }], reported: [A] },
    { name: "a change that comes in by a merge's second parent", base: BASE, patch: (root) => { git(root, "branch", "side", "main"); on(root, "side", { "src/a.py": NET }); on(root, "topic", { "src/b.py": "y = 2\n" }); merge(root, "topic", "side"); }, reported: [A] },
    { name: "a merge of many", base: BASE, patch: (root) => { for (const name of ["one", "two", "three"]) { git(root, "branch", name, "main"); on(root, name, { [`src/${name}.py`]: name === "two" ? NET : "x = 1\n" }); } merge(root, "topic", "one", "two", "three"); }, reported: ["no-invented-io src/two.py"] },
    { name: "a capability that one of two merge bases has", base: BASE, patch: (root) => { crissCross(root, { "src/b.py": "y = 2\n" }, { "src/a.py": NET }, { "src/a.py": "x = 1\n" }); }, reported: [A] },
    { name: "a merge of the base that keeps the branch's own policy", base: BASE, patch: [{ "src/a.py": NET }, (root) => { on(root, "main", { "agentgate.yml": "version: 1\nstrict: true\n" }); git(root, "checkout", "--quiet", "topic"); git(root, "merge", "--quiet", "--strategy=ours", "--no-edit", "main"); }], reported: [A, "gate-weakened agentgate.yml"] },
    { name: "a merge that is not finished", base: BASE, patch: (root) => { git(root, "branch", "side", "main"); on(root, "side", { "src/a.py": NET }); on(root, "topic", { "src/b.py": "y = 2\n" }); git(root, "merge", "--quiet", "--no-commit", "--no-ff", "side"); }, reported: [A] },
    { name: "a merge that is not finished, staged", base: BASE, patch: (root) => { git(root, "branch", "side", "main"); on(root, "side", { "src/a.py": NET }); on(root, "topic", { "src/b.py": "y = 2\n" }); git(root, "merge", "--quiet", "--no-commit", "--no-ff", "side"); }, options: { staged: true }, reported: [A] },
    { name: "a merge head that nobody merges", base: BASE, patch: [{ "src/a.py": NET }, (root) => { writeFileSync(path.join(root, ".git/MERGE_HEAD"), `${id(root, "HEAD")}\n`); }], reported: [A] },
    { name: "a path in several versions", base: BASE, patch: (root) => { git(root, "branch", "side", "main"); on(root, "side", { "src/a.py": NET }); on(root, "topic", { "src/a.py": "x = 2\n" }); failing(root, "merge", "--quiet", "side"); }, options: { staged: true }, reported: ["not-judged src/a.py"] },
    { name: "a path in several versions, in the working tree", base: BASE, patch: (root) => { git(root, "branch", "side", "main"); on(root, "side", { "src/a.py": NET }); on(root, "topic", { "src/a.py": "x = 2\n" }); failing(root, "merge", "--quiet", "side"); write(root, { "src/a.py": NET }); }, reported: [A] },
  ] satisfies Attempt[]);
});

/** Two branches that merge each other's first commit, so that both commits are merge bases; `last` is put on topic. */
function crissCross(root: string, mine: Contents, theirs: Contents, after: Contents): void {
  const first = on(root, "topic", mine);
  const second = on(root, "main", theirs);
  git(root, "merge", "--quiet", "--no-edit", "--no-ff", first);
  write(root, after);
  commit(root, "taken back");
  git(root, "checkout", "--quiet", "topic");
  git(root, "merge", "--quiet", "--no-edit", "--no-ff", second);
  const bases = git(root, "merge-base", "--all", "main", "topic").trim().split("\n");
  if (bases.length !== 2) throw new Error(`${bases.length} merge bases`);
}

function failing(root: string, ...args: readonly string[]): void {
  try {
    git(root, "-c", "advice.mergeConflict=false", ...args);
  } catch {
    return;
  }
  throw new Error(`git ${args.join(" ")} was to fail`);
}

describe("what git says of the working tree", () => {
  allReported("laundering-worktree", [
    { name: "a file that git is to take for unchanged", base: BASE, patch: (root) => { git(root, "update-index", "--assume-unchanged", "src/a.py"); write(root, { "src/a.py": NET }); }, reported: [A] },
    { name: "a file that git is to skip", base: BASE, patch: (root) => { git(root, "update-index", "--skip-worktree", "src/a.py"); write(root, { "src/a.py": NET }); }, reported: [A] },
    { name: "a file of the same size and time", base: { ...BASE, "src/a.py": "#".repeat(NET.length) }, patch: (root) => { sameTime(root, "src/a.py", NET); }, reported: [A] },
    { name: "a file that is only meant to be added", base: BASE, patch: (root) => { write(root, { "src/c.py": NET }); git(root, "add", "--intent-to-add", "src/c.py"); }, reported: ["no-invented-io src/c.py"] },
    { name: "a file that nobody added", base: BASE, patch: (root) => { git(root, "config", "status.showUntrackedFiles", "no"); write(root, { "src/c.py": NET }); }, reported: ["no-invented-io src/c.py"] },
    { name: "a file that is staged and hidden by another one on the disk", base: BASE, patch: (root) => { write(root, { "src/a.py": NET }); git(root, "add", "src/a.py"); write(root, { "src/a.py": "x = 1\n" }); }, options: { staged: true }, reported: [A] },
    { name: "a mode that git is to pass over", base: BASE, patch: (root) => { git(root, "config", "core.fileMode", "false"); write(root, { "bin/run": { executable: `#!/usr/bin/env python3\n${NET}` } }); }, reported: ["no-invented-io bin/run"] },
    { name: "links that git is to take for files", base: { ...BASE, "tests/evil.py": NET }, patch: (root) => { git(root, "config", "core.symlinks", "false"); write(root, { "src/a.py": { to: "../tests/evil.py" } }); }, reported: [A] },
    { name: "letter case that git is to pass over", base: BASE, patch: (root) => { git(root, "config", "core.ignoreCase", "true"); write(root, { "src/A.py": NET }); }, reported: ["no-invented-io src/A.py"] },
    { name: "line ends that git is to convert", base: BASE, patch: (root) => { git(root, "config", "core.autocrlf", "true"); write(root, { "src/a.py": NET.replaceAll("\n", "\r\n") }); }, reported: [A] },
    { name: "a cache of untracked files", base: BASE, patch: (root) => { git(root, "update-index", "--untracked-cache"); git(root, "status", "--short"); write(root, { "src/c.py": NET }); }, reported: ["no-invented-io src/c.py"] },
    { name: "a split index", base: BASE, patch: (root) => { git(root, "update-index", "--split-index"); write(root, { "src/a.py": NET }); }, reported: [A] },
    { name: "a sparse checkout", base: BASE, patch: [{ "src/a.py": NET }, (root) => { git(root, "sparse-checkout", "set", "--no-cone", "docs"); }], options: { head: "HEAD" }, reported: [A] },
    { name: "a sparse checkout, in the working tree", base: BASE, patch: [{ "src/a.py": NET }, (root) => { git(root, "sparse-checkout", "set", "--no-cone", "docs"); }], reported: [A] },
    { name: "a detached head", base: BASE, patch: [{ "src/a.py": NET }, (root) => { git(root, "checkout", "--quiet", "--detach"); git(root, "branch", "--quiet", "--delete", "--force", "topic"); }], reported: [A] },
    { name: "a head that is a tag", base: BASE, patch: [{ "src/a.py": NET }, (root) => { git(root, "tag", "--annotate", "--message", "x", "v1"); git(root, "reset", "--quiet", "--hard", "main"); }], options: { head: "v1" }, reported: [A] },
    { name: "a head with two meanings", base: BASE, patch: [{ "src/a.py": NET }, (root) => { git(root, "tag", "topic", "main"); }], options: { head: "topic" }, refused: /topic/ },
    { name: "paths of the command line that leave the change out", base: BASE, patch: { "agentgate.yml": "version: 1\nexclude: ['**']\n", "src/a.py": NET }, options: { paths: ["src/b.py"] }, reported: ["gate-weakened agentgate.yml"] },
    { name: "a repository inside the repository", base: BASE, patch: (root) => { mkdirSync(path.join(root, "lib")); git(path.join(root, "lib"), "init", "--quiet"); write(root, { "lib/evil.py": NET }); commit(path.join(root, "lib"), "inside"); }, unscanned: ["lib"] },
    { name: "a repository made around files that nobody added", base: BASE, patch: (root) => { git(path.join(root, "src"), "init", "--quiet"); write(root, { "src/c.py": NET, "src/a.py": "import src.c\n" }); }, reported: ["no-invented-io src/c.py"] },
    { name: "compiled code beside its user", base: BASE, patch: { "src/evil.pyc": "x", "src/a.py": "import evil\n" }, unscanned: ["src/evil.pyc"], reported: ["warning no-invented-io src/a.py"] },
    { name: "a damaged index", base: BASE, patch: [{ "src/a.py": NET }, (root) => { writeFileSync(path.join(root, ".git/index"), "DIRC"); }], refused: /index|git/ },
    { name: "a missing object", base: BASE, patch: [{ "src/a.py": NET }, (root) => { const blob = id(root, "HEAD:src/a.py"); rmSync(path.join(root, ".git/objects", blob.slice(0, 2), blob.slice(2)), { force: true }); }], options: { head: "HEAD" }, refused: /object|missing/ },
  ] satisfies Attempt[]);
});

/** Other bytes of the same length, written so that only reading tells. */
function sameTime(root: string, name: string, text: string): void {
  const file = path.join(root, name);
  const { atime, mtime } = statSync(file);
  git(root, "status", "--short");
  writeFileSync(file, text);
  utimesSync(file, atime, mtime);
}
