import { changeTester, commit, git } from "@agentgate/engine/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { expectReport, judged, net, pure, repositoryOf } from "./repositories.ts";
import { write } from "../laundering/attempts.ts";

const { check, diff } = changeTester("change-heads");

const NAMES = ["committed", "staged", "working", "undone", "unstaged", "kept", "emptied", "assumed", "skipped", "deleted", "removed"] as const;
const at = (name: string): string => `src/${name}.py`;
const gains = (...names: readonly string[]): string[] => names.map((name) => `no-invented-io ${at(name)}:1`);

let root: string;

/** One repository whose three heads all differ, in the files named for it. */
beforeAll(() => {
  const base = Object.fromEntries(NAMES.map((name) => [at(name), pure(name)]));
  root = repositoryOf({ ...base, ".gitignore": "ignored.py\n" }, Object.fromEntries(["committed", "undone", "emptied", "deleted", "removed"].map((name) => [at(name), net(name)])));
  const staged = ["staged", "unstaged", "new"];
  write(root, Object.fromEntries(staged.map((name) => [at(name), net(name)])));
  git(root, "add", ...staged.map(at));
  git(root, "rm", "--quiet", "--cached", at("removed"));
  git(root, "update-index", "--assume-unchanged", at("assumed"));
  git(root, "update-index", "--skip-worktree", at("skipped"));
  write(root, {
    ...Object.fromEntries(["working", "assumed", "skipped", "announced", "untracked", "ignored"].map((name) => [at(name), net(name)])),
    ...Object.fromEntries(["undone", "unstaged"].map((name) => [at(name), pure(name)])), [at("emptied")]: "", [at("deleted")]: null, [at("kept")]: `# said anew\n${pure("kept")}`,
  });
  git(root, "add", "--intent-to-add", at("announced"));
});

describe("head", () => {
  judged(() => root, check, [
    { name: "is the working tree with what nobody added", found: gains("announced", "assumed", "committed", "new", "removed", "skipped", "staged", "untracked", "working") },
    { name: "is the index", options: { staged: true }, found: gains("committed", "deleted", "emptied", "new", "staged", "undone", "unstaged") },
    { name: "is a revision", options: { head: "HEAD" }, found: gains("committed", "deleted", "emptied", "removed", "undone") },
    { name: "is the working tree, against its own commit", options: { base: "HEAD" }, found: gains("announced", "assumed", "new", "skipped", "staged", "untracked", "working") },
    { name: "is the index, against its own commit", options: { base: "HEAD", staged: true }, found: gains("new", "staged", "unstaged") },
    { name: "is a revision, against itself", options: { base: "HEAD", head: "topic" } },
  ]);

  it("is the same for the document of a diff", async () => {
    const gained = async (options = {}): Promise<string[]> => (await diff(root, options)).modules.filter((module) => module.gained.length > 0).map(({ path }) => path);
    const paths = (report: { readonly findings: readonly { readonly path: string }[] }): string[] => report.findings.map(({ path }) => path);
    for (const options of [{}, { staged: true }, { head: "HEAD" }]) expect(await gained(options)).toEqual(paths(await check(root, options)));
  });

  it("does not touch the index or the working tree", async () => {
    const state = (): string => git(root, "status", "--porcelain=v2", "--ignored") + git(root, "ls-files", "--stage", "-v");
    const before = state();
    for (const options of [{}, { staged: true }, { head: "HEAD" }]) await check(root, options);
    expect(state()).toBe(before);
  });
});

describe("an index in the middle of something", () => {
  it("has several versions of a path: each is said, and the rest is judged", async () => {
    const merging = repositoryOf({ [at("both")]: pure("both"), [at("other")]: pure("other") }, { [at("both")]: `${pure("both")}x = 1\n`, [at("other")]: net("other") });
    git(merging, "checkout", "--quiet", "-b", "side", "main");
    write(merging, { [at("both")]: `${pure("both")}x = 2\n` });
    git(merging, "commit", "--quiet", "--all", "--message", "side");
    git(merging, "checkout", "--quiet", "topic");
    expect(() => git(merging, "merge", "--quiet", "side")).toThrow();
    const found = [`not-judged ${at("both")}:1`, ...gains("other")];
    expectReport(await check(merging, { staged: true }), { found });
    // On the disk the file holds the marks of the conflict, which are no Python.
    const onDisk = await check(merging);
    expect(onDisk.findings.map(({ rule, path }) => `${rule} ${path}`)).toEqual(expect.arrayContaining([`not-judged ${at("both")}`, `parse-error ${at("both")}`, `no-invented-io ${at("other")}`]));
    expectReport(await check(merging, { head: "HEAD" }), { found: gains("other") });
  });

  it("has one side of a conflict only: changed here and deleted there, or the other way", async () => {
    const merging = repositoryOf({ [at("mine")]: pure("mine"), [at("theirs")]: pure("theirs"), [at("ok")]: pure("ok") }, { [at("mine")]: null, [at("theirs")]: net("theirs"), [at("ok")]: net("ok") });
    git(merging, "checkout", "--quiet", "-b", "side", "main");
    write(merging, { [at("mine")]: net("mine"), [at("theirs")]: null });
    commit(merging, "side");
    git(merging, "checkout", "--quiet", "topic");
    expect(() => git(merging, "merge", "--quiet", "side")).toThrow();
    const unmerged = [`not-judged ${at("mine")}:1`, `not-judged ${at("theirs")}:1`];
    for (const options of [{}, { staged: true }]) expectReport(await check(merging, options), { found: [...unmerged, ...gains("mine", "ok", "theirs")] });
    expectReport(await check(merging, { head: "HEAD" }), { found: gains("ok", "theirs") });
  });

  it("was told to leave most files out", async () => {
    const sparse = repositoryOf({ "in/a.py": pure("a"), "out/b.py": pure("b"), "out/c.py": pure("c") }, { "in/a.py": net("a"), "out/b.py": net("b") });
    for (const args of [["set", "--no-cone", "in"], ["set", "--cone", "in"], ["set", "--cone", "--sparse-index", "in"]]) {
      git(sparse, "sparse-checkout", ...args);
      for (const options of [{}, { staged: true }, { head: "topic" }]) expectReport(await check(sparse, options), { found: ["no-invented-io in/a.py:1", "no-invented-io out/b.py:1"] });
    }
  });
});
