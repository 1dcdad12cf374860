import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, unlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { cloneOf, commitFiles, idOf, makeHistory } from "../testing/history.ts";
import { contentsOf, entryAt, pathsOf, repositoryAt } from "../testing/snapshots.ts";
import { addFiles, git, makeTree } from "../testing/tree.ts";
import { blobId } from "./blob-id.ts";
import { commitSnapshot, indexSnapshot, worktreeSnapshot } from "./snapshots.ts";

/** Names and contents that a listing by lines or words would break. */
const ODD = { "with space.py": "1", "quote\"s'.py": "2", "line\nfeed.py": "3", "tab\t.py": "4", "-dash.py": "5", "ünïcode.py": "6", "back\\slash.py": "7", "__proto__": "8", "a:b.py": "9" };

describe("a commit", () => {
  test("lists every file with its blob, from the top of the tree, opening none", async () => {
    const root = makeHistory({ "b.py": "b\n", "a/b.py": "in a\n", "a-b.py": "dash\n", "run.sh": "#!/bin/sh\n" });
    chmodSync(path.join(root, "run.sh"), 0o755);
    symlinkSync("a/b.py", path.join(root, "link"));
    const commit = commitFiles(root, {});
    const repository = await repositoryAt(root);
    const snapshot = await commitSnapshot(repository, commit);
    expect(pathsOf(snapshot)).toEqual(["a-b.py", "a/b.py", "b.py", "link", "run.sh"]);
    expect(entryAt(snapshot, "run.sh")).toMatchObject({ type: "file", executable: true });
    expect(entryAt(snapshot, "link")).toMatchObject({ type: "link", executable: false });
    const blob = blobId(Buffer.from("b\n"), "sha1");
    expect(entryAt(snapshot, "b.py")).toEqual({ path: "b.py", type: "file", executable: false, target: { kind: "blob", id: blob }, blob });
    expect(await contentsOf(repository, snapshot)).toMatchObject({ link: "a/b.py", "b.py": "b\n" });
    expect(snapshot).toMatchObject({ unmerged: [], closed: [] });
  });

  test("odd names, the same on all three sides", async () => {
    const root = makeHistory(ODD);
    execFileSync("sh", ["-c", "printf x > \"$(printf 'bad\\377name.py')\""], { cwd: root });
    const repository = await repositoryAt(root);
    const untracked = await worktreeSnapshot(repository);
    git(root, "add", "--all");
    git(root, "commit", "--quiet", "--message", "odd");
    const expected = { ...ODD, "bad\\xffname.py": "x" };
    expect(await contentsOf(repository, untracked)).toEqual(expected);
    for (const snapshot of [await commitSnapshot(repository, idOf(root, "HEAD")), await indexSnapshot(repository), await worktreeSnapshot(repository)]) {
      expect(pathsOf(snapshot)).toEqual(Object.keys(expected).sort());
      expect(await contentsOf(repository, snapshot)).toEqual(expected);
    }
  });

  test("a submodule is a folder", async () => {
    const root = makeHistory();
    const inner = idOf(root, "HEAD");
    git(root, "update-index", "--add", "--cacheinfo", `160000,${inner},sub`);
    mkdirSync(path.join(root, "sub"));
    git(root, "commit", "--quiet", "--message", "submodule");
    const repository = await repositoryAt(root);
    for (const snapshot of [await commitSnapshot(repository, idOf(root, "HEAD")), await indexSnapshot(repository), await worktreeSnapshot(repository)]) {
      expect(entryAt(snapshot, "sub")).toMatchObject({ type: "folder", blob: inner });
    }
  });

  test("names that git would never check out are said, not listed", async () => {
    const root = makeHistory();
    const blob = idOf(root, "HEAD:start.txt");
    const raw = Buffer.concat(["..", "a"].map((name) => Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, "hex")])));
    const inner = execFileSync("git", ["hash-object", "-t", "tree", "-w", "--literally", "--stdin"], { cwd: root, input: raw, encoding: "utf8" }).trim();
    const commit = git(root, "commit-tree", "-m", "crafted", inner).trim();
    const snapshot = await commitSnapshot(await repositoryAt(root), commit);
    expect(pathsOf(snapshot)).toEqual(["a"]);
    expect(snapshot.closed.map((closed) => closed.path)).toEqual([".."]);
  });

  test("a name that a crafted tree holds twice counts as several versions", async () => {
    const root = makeHistory({ "a.py": "1", "b.py": "2" });
    const line = (name: string): Buffer => Buffer.concat([Buffer.from("100644 a.py\0"), Buffer.from(idOf(root, `HEAD:${name}`), "hex")]);
    const tree = execFileSync("git", ["hash-object", "-t", "tree", "-w", "--literally", "--stdin"], { cwd: root, input: Buffer.concat([line("a.py"), line("b.py")]), encoding: "utf8" }).trim();
    const snapshot = await commitSnapshot(await repositoryAt(root), git(root, "commit-tree", "-m", "crafted", tree).trim());
    expect(pathsOf(snapshot)).toEqual(["a.py"]);
    expect(snapshot.unmerged).toEqual(["a.py"]);
  });

  test("with folders missing it is no snapshot, and the hint repairs it", async () => {
    const clone = cloneOf(makeHistory({ "a/b.py": "1" }), "--filter=tree:0", "--no-checkout");
    await expect(commitSnapshot(await repositoryAt(clone), idOf(clone, "HEAD"))).rejects.toMatchObject({ message: expect.stringContaining("which is partial") as string, hint: "Run: git fetch --refetch --no-filter origin" });
    git(clone, "fetch", "--quiet", "--refetch", "--no-filter", "origin");
    expect(pathsOf(await commitSnapshot(await repositoryAt(clone), idOf(clone, "HEAD")))).toEqual(["a/b.py"]);
  });
});

describe("the index", () => {
  test("holds what is staged, not what is on disk", async () => {
    const root = makeHistory({ "a.py": "old\n", "gone.py": "x\n" });
    addFiles(root, { "a.py": "staged\n", "new.py": "new\n" });
    git(root, "add", "--all");
    git(root, "rm", "--quiet", "--cached", "gone.py");
    addFiles(root, { "a.py": "on disk\n" });
    const repository = await repositoryAt(root);
    expect(await contentsOf(repository, await indexSnapshot(repository))).toEqual({ "a.py": "staged\n", "new.py": "new\n" });
  });

  test("a file that is only announced is no part of it, an empty one is", async () => {
    const root = makeHistory({ "empty.py": "" });
    addFiles(root, { "announced.py": "import os\n", "also-empty.py": "" });
    git(root, "add", "also-empty.py");
    git(root, "add", "--intent-to-add", "announced.py");
    expect(pathsOf(await indexSnapshot(await repositoryAt(root)))).toEqual(["also-empty.py", "empty.py"]);
    const repository = await repositoryAt(root);
    expect(await contentsOf(repository, await worktreeSnapshot(repository))).toMatchObject({ "announced.py": "import os\n" });
  });

  test("unmerged paths are said once, with this branch's version", async () => {
    const root = makeHistory({ "a.py": "start\n", "b.py": "b\n" });
    git(root, "branch", "other");
    commitFiles(root, { "a.py": "ours\n" });
    git(root, "checkout", "--quiet", "other");
    commitFiles(root, { "a.py": "theirs\n" });
    git(root, "checkout", "--quiet", "main");
    expect(() => git(root, "merge", "--quiet", "other")).toThrow();
    const repository = await repositoryAt(root);
    const staged = await indexSnapshot(repository);
    expect(staged.unmerged).toEqual(["a.py"]);
    expect(await contentsOf(repository, staged)).toEqual({ "a.py": "ours\n", "b.py": "b\n" });
    const tree = await worktreeSnapshot(repository);
    expect(tree.unmerged).toEqual(["a.py"]);
    expect((await contentsOf(repository, tree))["a.py"]).toContain("<<<<<<<");
    unlinkSync(path.join(root, "a.py"));
    expect(pathsOf(await worktreeSnapshot(repository))).toEqual(["b.py"]);
  });

  test("in a hook, the index that is about to be committed", async () => {
    const root = makeHistory({ "a.py": "old\n", "b.py": "b\n" });
    addFiles(root, { "a.py": "new\n" });
    const scratch = path.join(root, ".git/next-index.lock");
    execFileSync("git", ["read-tree", "HEAD"], { cwd: root, env: { ...process.env, GIT_INDEX_FILE: scratch } });
    execFileSync("git", ["update-index", "a.py"], { cwd: root, env: { ...process.env, GIT_INDEX_FILE: scratch } });
    const elsewhere = path.join(makeTree({ index: readFileSync(scratch) }), "index");
    const contents = async (file: string): Promise<string | undefined> => {
      process.env["GIT_INDEX_FILE"] = file;
      try {
        const repository = await repositoryAt(root);
        return (await contentsOf(repository, await indexSnapshot(repository)))["a.py"];
      } finally {
        delete process.env["GIT_INDEX_FILE"];
      }
    };
    expect(await contents(scratch)).toBe("new\n");
    expect(await contents(".git/next-index.lock")).toBe("new\n");
    expect(await contents(elsewhere)).toBe("old\n");
  });
});
