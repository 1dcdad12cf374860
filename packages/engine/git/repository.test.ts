import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { GateError } from "../errors.ts";
import { cloneOf, commitFiles, makeHistory } from "../testing/history.ts";
import { git, makeTree } from "../testing/tree.ts";
import { openRepository } from "./repository.ts";
import { resolveChange } from "./revisions.ts";
import { worktreeSnapshot } from "./snapshots.ts";

const PATH = process.env["PATH"];

afterEach(() => {
  process.env["PATH"] = PATH;
});

/** The error of opening, and of everything after it where it could be opened. */
async function problem(root: string, timeout?: number): Promise<{ message: string; hint: string }> {
  const error: unknown = await (async () => {
    const repository = await openRepository(root, timeout === undefined ? {} : { timeout });
    await resolveChange(repository, { base: "HEAD" });
    await worktreeSnapshot(repository);
    return null;
  })().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(GateError);
  const report = (error as GateError).toReport();
  expect(`${report.message}${report.hint}`).not.toMatch(/[\p{Cc}]/u);
  return report;
}

/** A folder with a `git` of its own, in front of all others on the PATH. */
function stubGit(script: string): void {
  const folder = makeTree({ git: `#!/bin/sh\n${script}\n` });
  chmodSync(path.join(folder, "git"), 0o755);
  process.env["PATH"] = `${folder}${path.delimiter}${PATH}`;
}

describe("what is known of a repository", () => {
  test("format, folders, remotes", async () => {
    const root = makeHistory();
    expect(await openRepository(root)).toMatchObject({ root, format: "sha1", gitFolder: path.join(root, ".git"), commonFolder: path.join(root, ".git"), shallow: false, promisor: null });
    expect(await openRepository(makeHistory(undefined, "--object-format=sha256"))).toMatchObject({ format: "sha256" });
    expect(await openRepository(cloneOf(root, "--filter=blob:none"))).toMatchObject({ promisor: "origin", shallow: false });
    commitFiles(root, { "a.txt": "a" });
    const shallow = await openRepository(cloneOf(root, "--depth=1"));
    expect(shallow).toMatchObject({ promisor: null, shallow: true });
    expect(shallow.configuration.remotes).toEqual([{ name: "origin", fetch: [{ source: "refs/heads/main", target: "refs/remotes/origin/main" }], promisor: false }]);
    expect(shallow.configuration.upstreams.get("main")).toEqual({ remote: "origin", ref: "refs/heads/main" });
  });

  test("a worktree shares the folder of its repository", async () => {
    const root = makeHistory();
    const folder = path.join(makeTree({}), "tree");
    git(root, "worktree", "add", "--quiet", "--detach", folder);
    expect(await openRepository(folder)).toMatchObject({ root: folder, gitFolder: path.join(root, ".git/worktrees/tree"), commonFolder: path.join(root, ".git") });
  });
});

describe("why there may be none", () => {
  test("git is missing", async () => {
    const root = makeHistory();
    process.env["PATH"] = makeTree({});
    expect((await problem(root)).message).toContain("git was not found");
    process.env["PATH"] = "";
    expect((await problem(root)).message).toContain("git was not found");
  });

  test("git hangs", async () => {
    const root = makeHistory();
    stubGit("exec sleep 600");
    expect((await problem(root, 300)).message).toBe("git rev-parse gave no answer within 0.3 seconds.");
  });

  test("git hangs while a process of its own holds the pipes", async () => {
    const root = makeHistory();
    stubGit("sleep 5 & wait");
    expect((await problem(root, 300)).message).toContain("gave no answer");
  });

  test("git cannot be run", async () => {
    const root = makeHistory();
    stubGit("echo 'fatal: \u001b[31mbroken' >&2; exit 128");
    // A git that fails says nothing of the repository.
    expect((await problem(root)).message).toMatch(/^git rev-parse failed: .*broken/);
  });

  test("no repository, or a broken one, also where one lies further up", async () => {
    expect((await problem(makeTree({}))).message).toContain("is no git repository");
    const outer = makeHistory();
    const inner = path.join(outer, "inner");
    mkdirSync(path.join(inner, ".git"), { recursive: true });
    expect((await problem(inner)).message).toContain("is no git repository");
    writeFileSync(path.join(outer, ".git/HEAD"), "");
    expect((await problem(outer)).message).toContain("is no git repository");
    expect((await problem(makeTree({ ".git": "gitdir: /nowhere\n" }))).message).toContain("is no git repository");
  });

  test("a bare repository, and one whose working tree is elsewhere", async () => {
    const root = makeTree({});
    git(root, "init", "--quiet", "--bare", ".git");
    expect((await problem(root)).message).toContain("no working tree there");
    const moved = makeHistory();
    git(moved, "config", "core.worktree", makeTree({}));
    expect((await problem(moved)).message).toContain("no working tree there");
    git(moved, "config", "core.worktree", path.dirname(moved));
    expect((await problem(moved)).message).toContain("no working tree there");
  });

  test.runIf(process.getuid?.() === 0)("it belongs to somebody else", async () => {
    const root = makeHistory();
    for (const name of ["", ".git"]) chownSync(path.join(root, name), 12345, 12345);
    expect(await problem(root)).toEqual({ message: `${root} belongs to another user, so git does not read its repository.`, hint: `If you trust it, run: git config --global --add safe.directory ${root}` });
  });

  test("a filter that could not be kept from running", async () => {
    const root = makeHistory();
    const config = path.join(root, ".git/config");
    writeFileSync(config, Buffer.concat([readFileSync(config), Buffer.from("[filter \"\xff\"]\n\tclean = cat\n", "latin1")]));
    expect((await problem(root)).message).toContain("no UTF-8");
  });

  test("filters with odd names are no hindrance", async () => {
    const root = makeHistory();
    const config = path.join(root, ".git/config");
    writeFileSync(config, `${readFileSync(config, "utf8")}[filter ""]\n\tclean = cat\n[filter "a.b"]\n\tclean = cat\n[filter "A \\"b\\" = c"]\n\tclean = cat\n`);
    const repository = await openRepository(root);
    expect([...repository.configuration.filters].sort()).toEqual(["", "A \"b\" = c", "a.b"]);
    expect((await worktreeSnapshot(repository)).entries).toHaveLength(1);
    const { stdout } = await repository.git(["config", "--get-all", "filter.A \"b\" = c.clean"]);
    expect(stdout.toString("utf8").split("\n").at(-2)).toBe("");
  });

  test("its configuration cannot be read", async () => {
    const root = makeHistory();
    writeFileSync(path.join(root, ".git/config"), "[broken\n");
    expect((await problem(root)).message).toContain("bad config line 1");
  });
});
