import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { cloneOf, commitFiles, makeHistory } from "../testing/history.ts";
import { contentsOf, entryAt, pathsOf, repositoryAt, workingContents } from "../testing/snapshots.ts";
import { addFiles, git, makeTree } from "../testing/tree.ts";
import { blobId } from "./blob-id.ts";
import { indexSnapshot, worktreeSnapshot } from "./snapshots.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

const worktree = async (root: string): Promise<Snapshot> => worktreeSnapshot(await repositoryAt(root));

describe("the working tree", () => {
  test("a touched or untracked file is on disk, an untouched one keeps its blob, an ignored one is left out", async () => {
    const root = makeHistory({ "same.py": "same\n", "changed.py": "old\n", "gone.py": "x\n", ".gitignore": "ignored.py\n" });
    addFiles(root, { "changed.py": "newer\n", "untracked.py": "u\n", "ignored.py": "i\n", "folder/deep.py": "d\n" });
    unlinkSync(path.join(root, "gone.py"));
    const snapshot = await worktree(root);
    expect(pathsOf(snapshot)).toEqual([".gitignore", "changed.py", "folder/deep.py", "same.py", "untracked.py"]);
    expect(entryAt(snapshot, "same.py")?.blob).toBe(blobId(Buffer.from("same\n"), "sha1"));
    expect(entryAt(snapshot, "changed.py")).toEqual({ path: "changed.py", type: "file", executable: false, target: { kind: "disk", fs: path.join(root, "changed.py") }, blob: null });
    expect(entryAt(snapshot, "untracked.py")?.blob).toBeNull();
    expect(entryAt(snapshot, "folder/deep.py")?.blob).toBeNull();
  });

  test("a tracked file shows although it is ignored", async () => {
    const root = makeHistory({ "hidden.py": "1", ".gitignore": "hidden.py\n" });
    addFiles(root, { "hidden.py": "22" });
    expect((await workingContents(root))["hidden.py"]).toBe("22");
  });

  test("a change of the same length right after the index was written", async () => {
    const root = makeHistory({ "a.py": "one\n" });
    for (let round = 0; round < 20; round++) {
      addFiles(root, { "a.py": `${round % 2}${round % 2}${round % 2}\n` });
      git(root, "add", "a.py");
      addFiles(root, { "a.py": "evil" });
      expect((await workingContents(root))["a.py"]).toBe("evil");
    }
  });

  test("a change with time and length put back, also where the repository claims not to care", async () => {
    const root = makeHistory({ "a.py": "one\n" });
    const old = new Date("2020-01-01T00:00:00Z");
    utimesSync(path.join(root, "a.py"), old, old);
    git(root, "update-index", "--refresh");
    // The time of the change itself cannot be put back; a git may keep it in whole seconds.
    await setTimeout(1100);
    git(root, "config", "core.trustctime", "false");
    git(root, "config", "core.checkStat", "minimal");
    writeFileSync(path.join(root, "a.py"), "two\n");
    utimesSync(path.join(root, "a.py"), old, old);
    expect(statSync(path.join(root, "a.py")).mtimeMs).toBe(old.getTime());
    expect((await workingContents(root))["a.py"]).toBe("two\n");
  });

  test("files that git was told not to look at", async () => {
    const root = makeHistory({ "assumed.py": "old\n", "skipped.py": "old\n", "both.py": "old\n", "gone.py": "x\n" });
    git(root, "update-index", "--assume-unchanged", "assumed.py", "both.py", "gone.py");
    git(root, "update-index", "--skip-worktree", "skipped.py", "both.py");
    addFiles(root, { "assumed.py": "new\n", "skipped.py": "new\n", "both.py": "new\n" });
    unlinkSync(path.join(root, "gone.py"));
    expect(await workingContents(root)).toEqual({ "assumed.py": "new\n", "skipped.py": "new\n", "both.py": "new\n" });
  });

  test("a sparse checkout reads the absent from their blobs, and what was put there from disk", async () => {
    const root = makeHistory({ "in/a.py": "a\n", "out/b.py": "b\n", "out/c.py": "c\n" });
    git(root, "sparse-checkout", "set", "in");
    expect(await workingContents(root)).toEqual({ "in/a.py": "a\n", "out/b.py": "b\n", "out/c.py": "c\n" });
    addFiles(root, { "out/b.py": "changed\n", "out/new.py": "new\n" });
    expect(await workingContents(root)).toEqual({ "in/a.py": "a\n", "out/b.py": "changed\n", "out/c.py": "c\n", "out/new.py": "new\n" });
    git(root, "config", "index.sparse", "true");
    unlinkSync(path.join(root, "out/b.py"));
    unlinkSync(path.join(root, "out/new.py"));
    git(root, "sparse-checkout", "reapply", "--sparse-index");
    expect(await workingContents(root)).toEqual({ "in/a.py": "a\n", "out/b.py": "b\n", "out/c.py": "c\n" });
  });

  test("an absent file is never looked for behind a link", async () => {
    const elsewhere = makeTree({ "b.py": "somebody else's\n" });
    const sparse = makeHistory({ "in/a.py": "a\n", "out/b.py": "mine\n" });
    git(sparse, "sparse-checkout", "set", "in");
    symlinkSync(elsewhere, path.join(sparse, "out"));
    expect(await workingContents(sparse)).toEqual({ "in/a.py": "a\n", out: elsewhere });
    for (const option of ["--skip-worktree", "--assume-unchanged"]) {
      const root = makeHistory({ "out/b.py": "mine\n" });
      git(root, "update-index", option, "out/b.py");
      rmSync(path.join(root, "out"), { recursive: true });
      symlinkSync(elsewhere, path.join(root, "out"));
      expect(Object.values(await workingContents(root))).not.toContain("somebody else's\n");
    }
  });

  test("a folder replaced by a link to one with the same files", async () => {
    const root = makeHistory({ "lib/a.py": "mine\n" });
    rmSync(path.join(root, "lib"), { recursive: true });
    const elsewhere = makeTree({ "a.py": "mine\n" });
    symlinkSync(elsewhere, path.join(root, "lib"));
    expect(await workingContents(root)).toEqual({ lib: elsewhere });
  });

  test("a file becomes a link, a folder, a nested repository, a pipe", async () => {
    const root = makeHistory({ link: "1", folder: "2", nested: "3", pipe: "4", unborn: "5" });
    for (const name of ["link", "folder", "nested", "pipe", "unborn"]) unlinkSync(path.join(root, name));
    symlinkSync("/etc/passwd", path.join(root, "link"));
    addFiles(root, { "folder/a.py": "a" });
    mkdirSync(path.join(root, "nested"));
    git(path.join(root, "nested"), "init", "--quiet");
    commitFiles(path.join(root, "nested"), { "inner.py": "i" });
    git(root, "init", "--quiet", "unborn");
    execFileSync("mkfifo", [path.join(root, "pipe")]);
    const repository = await repositoryAt(root);
    const snapshot = await worktreeSnapshot(repository);
    expect(snapshot.entries.map((entry) => [entry.path, entry.type])).toEqual([["folder/a.py", "file"], ["link", "link"], ["nested", "folder"], ["pipe", "other"], ["unborn", "folder"]]);
    expect(await contentsOf(repository, snapshot)).toEqual({ link: "/etc/passwd", "folder/a.py": "a" });
    expect(snapshot.unmerged).toEqual([]);
  });

  test("a link becomes a file, a mode changes", async () => {
    const root = makeHistory({ "run.sh": "1" });
    symlinkSync("run.sh", path.join(root, "was-link"));
    commitFiles(root, {});
    unlinkSync(path.join(root, "was-link"));
    addFiles(root, { "was-link": "file" });
    chmodSync(path.join(root, "run.sh"), 0o755);
    const snapshot = await worktree(root);
    expect(entryAt(snapshot, "was-link")).toMatchObject({ type: "file", blob: null });
    expect(entryAt(snapshot, "run.sh")).toMatchObject({ executable: true });
    git(root, "config", "core.fileMode", "false");
    expect(entryAt(await worktree(root), "run.sh")).toMatchObject({ executable: false });
  });

  test("where links are files, the file holds what the link points to", async () => {
    const root = makeHistory({ "a.py": "1" });
    symlinkSync("a.py", path.join(root, "link"));
    commitFiles(root, {});
    git(root, "config", "core.symlinks", "false");
    unlinkSync(path.join(root, "link"));
    addFiles(root, { link: "b.py" });
    expect((await workingContents(root))["link"]).toBe("b.py");
    expect(entryAt(await worktree(root), "link")).toMatchObject({ type: "link", blob: null });
  });

  test("a nested repository and a submodule at another commit are folders", async () => {
    const root = makeHistory();
    git(root, "init", "--quiet", "sub");
    const first = commitFiles(path.join(root, "sub"), { "a.py": "a" });
    git(root, "update-index", "--add", "--cacheinfo", `160000,${first},sub`);
    git(root, "commit", "--quiet", "--message", "submodule");
    git(root, "init", "--quiet", "untracked");
    commitFiles(path.join(root, "untracked"), { "a.py": "a" });
    expect(entryAt(await worktree(root), "sub")).toMatchObject({ type: "folder", blob: first });
    addFiles(root, { ".gitmodules": "[submodule \"sub\"]\n\tpath = sub\n\turl = ./sub\n\tignore = all\n" });
    commitFiles(path.join(root, "sub"), { "a.py": "b" });
    const snapshot = await worktree(root);
    expect(entryAt(snapshot, "sub")).toMatchObject({ type: "folder", blob: null });
    expect(entryAt(snapshot, "untracked")).toMatchObject({ type: "folder", blob: null });
  });

  test("an untracked file whose name differs by case only is not hidden, whatever the repository claims", async () => {
    const root = makeHistory({ "a.py": "1" });
    git(root, "config", "core.ignoreCase", "true");
    addFiles(root, { "A.py": "2" });
    if (readFileSync(path.join(root, "a.py"), "utf8") === "2") return;
    expect(await workingContents(root)).toEqual({ "a.py": "1", "A.py": "2" });
  });

  test("a name made of other bytes that shows the same counts as several versions", async () => {
    const root = makeHistory({ "bad\\xffname.py": "plain" });
    execFileSync("sh", ["-c", "printf x > \"$(printf 'bad\\377name.py')\""], { cwd: root });
    expect((await worktree(root)).unmerged).toEqual(["bad\\xffname.py"]);
  });

  test("a worktree, a split index, an untracked cache and a repository with SHA-256", async () => {
    const root = makeHistory({ "a.py": "1", "b.py": "2" });
    const folder = path.join(makeTree({}), "tree");
    git(root, "worktree", "add", "--quiet", "--detach", folder);
    addFiles(folder, { "a.py": "11", "c.py": "3" });
    expect(await workingContents(folder)).toEqual({ "a.py": "11", "b.py": "2", "c.py": "3" });
    git(root, "update-index", "--split-index", "--untracked-cache");
    git(root, "status", "--short");
    addFiles(root, { "b.py": "22", "d.py": "4" });
    git(root, "add", "b.py");
    expect(await workingContents(root)).toEqual({ "a.py": "1", "b.py": "22", "d.py": "4" });
    const other = makeHistory({ "a.py": "1" }, "--object-format=sha256");
    addFiles(other, { "b.py": "2" });
    expect(await workingContents(other)).toEqual({ "a.py": "1", "b.py": "2" });
    expect(entryAt(await worktree(other), "a.py")?.blob).toBe(blobId(Buffer.from("1"), "sha256"));
  });

  test("a sparse checkout of a partial clone", async () => {
    const source = makeHistory({ "top.py": "t", ".gitignore": "x\n", "out/.gitignore": "y\n", "out/deep/a.py": "a", "in/b.py": "b" });
    const clone = cloneOf(source, "--filter=blob:none", "--sparse");
    git(clone, "sparse-checkout", "set", "--cone", "--sparse-index", "in");
    addFiles(clone, { "in/b.py": "bb", "in/new.py": "n" });
    const snapshot = await worktree(clone);
    expect(pathsOf(snapshot)).toEqual([".gitignore", "in/b.py", "in/new.py", "out/.gitignore", "out/deep/a.py", "top.py"]);
    expect(snapshot.entries.filter((entry) => entry.blob === null).map((entry) => entry.path)).toEqual(["in/b.py", "in/new.py"]);
    expect(entryAt(snapshot, "out/deep/a.py")?.blob).toBe(blobId(Buffer.from("a"), "sha1"));
  });

  test.runIf(process.getuid?.() !== 0)("what may not be entered is said, and not taken for untouched", async () => {
    const root = makeHistory({ "locked/a.py": "a", "open.py": "o" });
    addFiles(root, { "locked/a.py": "changed" });
    chmodSync(path.join(root, "locked"), 0);
    try {
      const snapshot = await worktree(root);
      expect(entryAt(snapshot, "locked/a.py")).toMatchObject({ type: "file", blob: null });
      expect(snapshot.closed).toEqual([{ path: "locked", reason: "permission denied" }]);
    } finally {
      chmodSync(path.join(root, "locked"), 0o755);
    }
  });

  test("before the first commit", async () => {
    const root = makeTree({ "a.py": "1" });
    git(root, "init", "--quiet");
    expect(await workingContents(root)).toEqual({ "a.py": "1" });
    expect(pathsOf(await indexSnapshot(await repositoryAt(root)))).toEqual([]);
  });

  test("a broken index is an error with something to do", async () => {
    const root = makeHistory();
    addFiles(root, { ".git/index": "broken" });
    await expect(worktree(root)).rejects.toMatchObject({ message: expect.stringMatching(/^git (?:ls|diff)-files failed: .*index/) as string });
  });
});
