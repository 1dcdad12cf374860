import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { GateError } from "../errors.ts";
import { cloneOf, commitFiles, growBranch, idOf, makeHistory } from "../testing/history.ts";
import { addFiles, git, makeTree } from "../testing/tree.ts";
import { openRepository } from "./repository.ts";
import type { Repository } from "./repository.ts";
import { resolveChange } from "./revisions.ts";
import type { ChangeRequest } from "./revisions.ts";

const open: Repository[] = [];

afterEach(() => {
  for (const repository of open.splice(0)) repository.close();
});

async function resolve(root: string, request: ChangeRequest): ReturnType<typeof resolveChange> {
  const repository = await openRepository(root);
  open.push(repository);
  return resolveChange(repository, request);
}

async function problem(root: string, request: ChangeRequest): Promise<{ message: string; hint: string }> {
  const error: unknown = await resolve(root, request).then(() => null, (reason: unknown) => reason);
  expect(error).toBeInstanceOf(GateError);
  const report = (error as GateError).toReport();
  expect(`${report.message}${report.hint}`).not.toMatch(/[\n\r]/);
  return report;
}

/** Runs the command that a hint prints, letter by letter, as a person would. */
function repair(root: string, hint: string): void {
  const command = /(?:Run: )(git .*?)(?: and give .*)?$/.exec(hint)?.[1];
  expect(command, hint).toBeDefined();
  const env = { PATH: process.env["PATH"], GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  execFileSync("sh", ["-c", command!], { cwd: root, env, stdio: "pipe" });
}

/** `main` with `length` commits more than the branch point, and `feature` with one. */
function forked(length = 1, name = "feature"): string {
  const root = makeHistory();
  git(root, "checkout", "--quiet", "-b", name);
  growBranch(root, "main", length);
  commitFiles(root, { "feature.txt": "new\n" });
  return root;
}

describe("what a base can be", () => {
  test("a branch, a remote's branch, a tag, an annotated tag, a full id and HEAD", async () => {
    const clone = cloneOf(forked(), "--branch", "feature");
    const main = idOf(clone, "origin/main");
    git(clone, "branch", "local", "origin/main");
    git(clone, "tag", "light", "origin/main");
    git(clone, "tag", "--annotate", "--message", "release", "heavy", "origin/main");
    git(clone, "-c", "advice.nestedTag=false", "tag", "--annotate", "--message", "release of a release", "heavier", "heavy");
    for (const base of ["origin/main", "local", "light", "heavy", "heavier", main, main.toUpperCase()]) {
      expect(await resolve(clone, { base })).toEqual({ ref: base, tip: main, mergeBases: [idOf(clone, "origin/main~1")], head: { kind: "worktree" }, headCommit: idOf(clone, "HEAD") });
    }
    expect((await resolve(clone, { base: "HEAD" })).tip).toBe(idOf(clone, "HEAD"));
    expect((await resolve(clone, { base: "origin/HEAD" })).tip).toBe(idOf(clone, "origin/HEAD"));
  });

  test("head can be a revision, the index or the working tree, also when HEAD is detached", async () => {
    const root = forked();
    git(root, "checkout", "--quiet", "--detach");
    const feature = idOf(root, "feature");
    expect(await resolve(root, { base: "main", head: "feature" })).toMatchObject({ head: { kind: "commit", id: feature }, headCommit: feature });
    expect(await resolve(root, { base: "main", staged: true })).toMatchObject({ head: { kind: "index" }, headCommit: feature });
    expect(await resolve(root, { base: "main" })).toMatchObject({ head: { kind: "worktree" }, headCommit: feature });
    expect((await problem(root, { base: "main", staged: true, head: "feature" })).hint).toContain("--head or --staged");
  });

  test("a repository that names objects by SHA-256", async () => {
    const root = makeHistory(undefined, "--object-format=sha256");
    git(root, "branch", "base");
    commitFiles(root, { "a.txt": "a\n" });
    expect((await resolve(root, { base: "base" })).tip).toMatch(/^[0-9a-f]{64}$/);
    expect((await resolve(root, { base: idOf(root, "base") })).tip).toBe(idOf(root, "base"));
  });

  test.each([
    "HEAD~1", "HEAD^", "main^{tree}", "main..feature", "main...feature", "@", "@{u}", "main@{1}", ":/start", ":start.txt", "-x", "--all", "",
    "--output=marker", "main ", "ma*n", "main:start.txt", "a\nb", "../main", "/main", "main/", "x.lock", "a\\b", "^main", "a\u001b[2Jb",
  ])("%j is refused", async (base) => {
    const { message, hint } = await problem(forked(), { base });
    expect(message).toContain("is no name of a branch or tag");
    expect(message).not.toContain("\u001b");
    expect(hint).not.toBe("");
  });

  test("a revision that git computes gets the command that prints its id", async () => {
    const root = forked();
    const { hint } = await problem(root, { base: "HEAD~1" });
    expect(hint).toMatch(/git rev-parse --verify 'HEAD~1'$/);
    expect((await problem(root, { base: idOf(root, "main").slice(0, 10) })).hint).toContain("git rev-parse --verify");
    expect((await problem(root, { base: "refs/heads/main" })).hint).toBe("Give main.");
    git(root, "update-ref", "refs/pull/1/merge", "main");
    expect((await problem(root, { base: "refs/pull/1/merge" })).hint).toContain("git rev-parse --verify refs/pull/1/merge");
  });

  test("a tag named like the base, also one named like a remote's branch, is no way in", async () => {
    const clone = cloneOf(forked(), "--branch", "feature");
    git(clone, "tag", "origin/main", "HEAD");
    const { message, hint } = await problem(clone, { base: "origin/main" });
    expect(message).toBe("origin/main can mean several things: refs/remotes/origin/main, refs/tags/origin/main.");
    expect(hint).toContain("git rev-parse --verify 'refs/remotes/origin/main^{commit}'");
    git(clone, "branch", "both", "origin/main~1");
    git(clone, "tag", "both", "origin/main~1");
    expect((await problem(clone, { base: "both" })).message).toContain("refs/heads/both, refs/tags/both");
    expect((await problem(clone, { base: "HEAD", head: "both" })).message).toContain("both can mean several things");
  });

  test("a branch named like the full id of a commit is no way in", async () => {
    const root = forked();
    const id = idOf(root, "main");
    git(root, "update-ref", `refs/heads/${id}`, "feature");
    expect((await problem(root, { base: id })).message).toContain("can mean several things");
  });

  test("a tag of a file or a folder is no base", async () => {
    const root = forked();
    git(root, "tag", "tree", "main^{tree}");
    git(root, "tag", "--annotate", "--message", "file", "file", "main:start.txt");
    expect((await problem(root, { base: "tree" })).message).toBe("tree names a tree and no commit.");
    expect((await problem(root, { base: "file" })).message).toBe("file names a blob and no commit.");
    expect((await problem(root, { base: idOf(root, "main:start.txt") })).message).toContain("names a blob");
  });

  test("replaced commits and grafts are not followed", async () => {
    const root = forked(3);
    const before = await resolve(root, { base: "main" });
    git(root, "replace", "main", "feature");
    addFiles(root, { ".git/info/grafts": `${idOf(root, "feature")} ${before.tip}\n` });
    expect(await resolve(root, { base: "main" })).toEqual(before);
  });
});

describe("merge bases", () => {
  test("a base that HEAD has grown from, and one that equals it", async () => {
    const root = makeHistory();
    git(root, "branch", "base");
    expect(await resolve(root, { base: "base" })).toMatchObject({ tip: idOf(root, "HEAD"), headCommit: idOf(root, "HEAD"), mergeBases: [idOf(root, "HEAD")] });
    const next = commitFiles(root, { "a.txt": "a\n" });
    expect(await resolve(root, { base: "base" })).toMatchObject({ tip: idOf(root, "HEAD~1"), headCommit: next, mergeBases: [idOf(root, "HEAD~1")] });
  });

  test("all of a criss-cross merge", async () => {
    const root = forked();
    const [main, feature] = [idOf(root, "main"), idOf(root, "feature")];
    git(root, "merge", "--quiet", "--no-ff", "--message", "one way", "main");
    git(root, "checkout", "--quiet", "main");
    git(root, "merge", "--quiet", "--no-ff", "--message", "the other way", feature);
    git(root, "checkout", "--quiet", "feature");
    expect((await resolve(root, { base: "main" })).mergeBases).toEqual([main, feature].sort());
  });

  test("of an octopus merge", async () => {
    const root = makeHistory();
    for (const name of ["a", "b", "c"]) {
      git(root, "checkout", "--quiet", "-b", name, "main");
      commitFiles(root, { [`${name}.txt`]: "new\n" });
    }
    git(root, "checkout", "--quiet", "main");
    git(root, "merge", "--quiet", "--message", "octopus", "a", "b", "c");
    expect(idOf(root, "HEAD^3")).toBe(idOf(root, "c"));
    expect((await resolve(root, { base: "b" })).mergeBases).toEqual([idOf(root, "b")]);
    commitFiles(root, { "d.txt": "d\n" });
    git(root, "checkout", "--quiet", "-b", "other", "a");
    expect((await resolve(root, { base: "main" })).mergeBases).toEqual([idOf(root, "a")]);
  });

  test("in the middle of a merge, what comes in from the base is not the change's", async () => {
    const root = forked();
    git(root, "merge", "--quiet", "--no-commit", "--no-ff", "main");
    expect((await resolve(root, { base: "main" })).mergeBases).toEqual([idOf(root, "main")]);
    expect((await resolve(root, { base: "main", staged: true })).mergeBases).toEqual([idOf(root, "main")]);
    expect((await resolve(root, { base: "main", head: "feature" })).mergeBases).toEqual([idOf(root, "main~1")]);
  });

  test("in a worktree", async () => {
    const root = forked();
    const folder = path.join(makeTree({}), "tree");
    git(root, "worktree", "add", "--quiet", "--detach", folder, "main");
    expect(await resolve(folder, { base: "feature" })).toMatchObject({ headCommit: idOf(root, "main"), mergeBases: [idOf(root, "main~1")] });
  });
});

describe("a base that cannot be had", () => {
  test("no commit yet", async () => {
    const root = makeTree({});
    git(root, "init", "--quiet");
    expect((await problem(root, { base: "HEAD" })).message).toContain("HEAD has no commit yet");
  });

  test("a name that is not there, with what looks alike", async () => {
    const root = forked();
    expect(await problem(root, { base: "mian" })).toEqual({ message: "No branch, tag or full id is called mian in this clone; it has main.", hint: "Give main, if that is the one meant." });
    expect((await problem(root, { base: "nothing-like-it" })).hint).toContain("git branch --all");
    const clone = cloneOf(root, "--branch", "feature");
    expect(await problem(clone, { base: "main" })).toEqual({ message: "No branch, tag or full id is called main in this clone; it has origin/main.", hint: "Give origin/main, if that is the one meant." });
    expect((await problem(clone, { base: "release/1" })).hint).toBe("Run: git fetch origin +refs/heads/release/1:refs/remotes/origin/release/1 and give origin/release/1.");
    expect((await problem(clone, { base: "FETCH_HEAD" })).hint).toContain("git rev-parse --verify FETCH_HEAD");
  });

  test("a clone of a single branch, with the command that repairs it", async () => {
    const clone = cloneOf(forked(3), "--single-branch", "--branch", "feature");
    const { message, hint } = await problem(clone, { base: "origin/main" });
    expect(message).toBe("No branch, tag or full id is called origin/main in this clone.");
    repair(clone, hint);
    expect((await resolve(clone, { base: "origin/main" })).mergeBases).toHaveLength(1);
  });

  test("names for a shell are quoted", async () => {
    const root = forked(1, "it's;$(touch marker)".replaceAll(" ", "$IFS"));
    const clone = cloneOf(root, "--single-branch", "--branch", "main");
    const { hint } = await problem(clone, { base: "origin/it's;$(touch$IFSmarker)" });
    repair(clone, hint);
    expect((await resolve(clone, { base: "origin/it's;$(touch$IFSmarker)" })).mergeBases).toHaveLength(1);
  });

  test("an id that was not fetched, with the command that fetches it", async () => {
    const root = forked();
    const clone = cloneOf(root, "--single-branch", "--branch", "feature");
    const id = idOf(root, "main");
    const { message, hint } = await problem(clone, { base: id });
    expect(message).toContain("is not in this clone");
    repair(clone, hint);
    expect((await resolve(clone, { base: id })).tip).toBe(id);
  });

  test("a shallow clone without the merge base, with the command that repairs it", async () => {
    const clone = cloneOf(forked(5), "--depth=1", "--branch", "feature");
    repair(clone, (await problem(clone, { base: "origin/main" })).hint);
    git(clone, "fetch", "--quiet", "--update-shallow", "--depth=1", "origin", "+refs/heads/main:refs/remotes/origin/main", "feature");
    const { message, hint } = await problem(clone, { base: "origin/main" });
    expect(message).toBe("origin/main and HEAD share no commit in this clone, which is shallow.");
    expect(hint).toBe("Run: git fetch --deepen=200 origin main");
    repair(clone, hint);
    expect((await resolve(clone, { base: "origin/main" })).mergeBases).toEqual([idOf(clone, "origin/main~5")]);
  });

  test("the remote and the branch are those of the base", async () => {
    const clone = cloneOf(forked(5), "--depth=1", "--no-single-branch", "--branch", "feature");
    git(clone, "remote", "rename", "origin", "up/stream");
    git(clone, "branch", "trunk", "up/stream/main");
    git(clone, "tag", "v1", "up/stream/main");
    expect((await problem(clone, { base: "up/stream/main" })).hint).toBe("Run: git fetch --deepen=200 up/stream main");
    expect((await problem(clone, { base: "trunk" })).hint).toBe("Run: git fetch --deepen=200 up/stream main");
    expect((await problem(clone, { base: "v1" })).hint).toBe("Run: git fetch --deepen=200 up/stream refs/tags/v1");
    const id = idOf(clone, "up/stream/main");
    const { hint } = await problem(clone, { base: id });
    expect(hint).toBe(`Run: git fetch --deepen=200 up/stream ${id}`);
    repair(clone, hint);
    expect((await resolve(clone, { base: id })).mergeBases).toHaveLength(1);
  });

  test("a shallow clone whose merge base may not be the newest", async () => {
    // A side branch from far back was merged into main; the change starts at a newer commit that the clone has cut off.
    const root = makeHistory();
    const old = idOf(root, "HEAD");
    git(root, "checkout", "--quiet", "-b", "side");
    commitFiles(root, { "side.txt": "side\n" });
    growBranch(root, "main", 10);
    git(root, "checkout", "--quiet", "-b", "feature", "main");
    commitFiles(root, { "feature.txt": "new\n" });
    growBranch(root, "main", 10);
    git(root, "checkout", "--quiet", "main");
    git(root, "merge", "--quiet", "--message", "late", "side");
    const clone = cloneOf(root, "--single-branch", "--branch", "feature");
    git(clone, "fetch", "--quiet", "--depth=5", "origin", "+refs/heads/main:refs/remotes/origin/main");
    expect(git(clone, "merge-base", "--all", "origin/main", "HEAD").trim()).toBe(old);
    const { message, hint } = await problem(clone, { base: "origin/main" });
    expect(message).toContain("may be cut off");
    repair(clone, hint);
    expect((await resolve(clone, { base: "origin/main" })).mergeBases).toEqual([idOf(root, "feature~1")]);
  });

  test("a shallow clone that is deep enough", async () => {
    const root = makeHistory();
    git(root, "checkout", "--quiet", "-b", "feature");
    growBranch(root, "main", 20);
    git(root, "reset", "--quiet", "--hard", "main~2");
    commitFiles(root, { "feature.txt": "new\n" });
    const clone = cloneOf(root, "--depth=8", "--no-single-branch", "--branch", "feature");
    expect((await resolve(clone, { base: "origin/main" })).mergeBases).toEqual([idOf(root, "main~2")]);
  });

  test("unrelated histories, which no fetch repairs", async () => {
    const root = makeHistory();
    git(root, "checkout", "--quiet", "--orphan", "other");
    commitFiles(root, { "a.txt": "a\n" });
    const { message, hint } = await problem(root, { base: "main" });
    expect(message).toContain("their histories are unrelated");
    expect(hint).not.toContain("git fetch");
  });

  test("a commit on the way that is missing", async () => {
    const root = forked(3);
    const id = idOf(root, "main~1");
    rmSync(path.join(root, ".git/objects", id.slice(0, 2), id.slice(2)));
    const { message, hint } = await problem(root, { base: "main" });
    expect(message).toContain("objects are missing");
    expect(hint).toContain("git fsck --full");
  });

  test("a ref whose own commit is missing", async () => {
    const root = forked(2);
    const id = idOf(root, "main");
    rmSync(path.join(root, ".git/objects", id.slice(0, 2), id.slice(2)));
    expect((await problem(root, { base: "main" })).message).toContain("main cannot be read: objects are missing");
  });
});
