import { chmodSync, existsSync, mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { changeTester, commit, git, makeTree } from "@agentgate/engine/testing";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { write } from "../laundering/attempts.ts";
import { expectReport, judged, net, proc, pure, repositoryOf } from "./repositories.ts";
import { agentgate, expectFailure, reportOf } from "../cli/harness.ts";

const { check, diff } = changeTester("change-places");

const BASE = { "src/a.py": pure("a"), "src/deep/b.py": pure("b"), "lib/c.py": pure("c"), "gone/d.py": net("d"), "tests/e.py": pure("e") };
const PATCH = { "src/a.py": net("a"), "src/deep/b.py": proc("b"), "lib/c.py": net("c"), "gone/d.py": null, "fresh/f.py": net("f"), "tests/e.py": proc("e") };
const [A, B, C, F] = ["src/a.py", "src/deep/b.py", "lib/c.py", "fresh/f.py"].map((at) => `no-invented-io ${at}:1`) as [string, string, string, string];
const ALL = [A, B, C, F];
const EXCLUDED = ["tests/e.py excluded"];

let root: string;
beforeAll(() => { root = repositoryOf(BASE, PATCH); });

describe("paths of the command line", () => {
  judged(() => root, (folder, options) => check(folder, options), [
    { name: "none: everything", found: ALL, unscanned: EXCLUDED },
    { name: "the root", options: { paths: ["."] }, found: ALL, unscanned: EXCLUDED },
    { name: "a folder", options: { paths: ["src"] }, found: [A, B] },
    { name: "a folder with a slash", options: { paths: ["src/"] }, found: [A, B] },
    { name: "a file and a folder", options: { paths: ["src/a.py", "lib"] }, found: [A, C] },
    { name: "one that only head has", options: { paths: ["fresh"] }, found: [F] },
    { name: "one that only the base has", options: { paths: ["gone/d.py"] } },
    { name: "a folder that only the base has", options: { paths: ["gone"] } },
    { name: "an excluded one", options: { paths: ["tests/e.py"] }, unscanned: EXCLUDED },
    { name: "one that exists nowhere, besides good ones", options: { paths: ["src", "nowhere.py", "lib"] }, found: [A, B, C], refused: [/^nowhere\.py does not exist, neither at the base nor at head\.$/, /relative to the working directory/] },
    { name: "one outside of the tree, besides a good one", options: { paths: ["../nobody-has-this.py", "lib"] }, found: [C], refused: [/^\.\.\/nobody-has-this\.py lies outside of the tree/, /one tree/] },
    { name: "only one that exists nowhere", options: { paths: ["nowhere.py"] }, refused: [/^nowhere\.py does not exist/, /./] },
    { name: "one that goes up and down", options: { paths: ["lib/../src/./deep"] }, found: [B] },
    { name: "a name that only begins like one", options: { paths: ["src/a"] }, refused: [/^src\/a does not exist/, /./] },
  ]);

  judged(() => path.join(root, "src"), (folder, options) => check(folder, options), [
    { name: "none, in a folder below: everything", found: ALL, unscanned: EXCLUDED },
    { name: "one relative to a folder below", options: { paths: ["deep"] }, found: [B] },
    { name: "the folder itself", options: { paths: ["."] }, found: [A, B] },
    { name: "one beside the folder", options: { paths: ["../lib"] }, found: [C] },
    { name: "an absolute one", options: { get paths() { return [path.join(root, "lib")]; } }, found: [C] },
  ]);

  it("may lie in another tree than the working directory, as without a base", async () => {
    for (const elsewhere of [makeTree({}), repositoryOf({ "x.py": pure("x") }, {})]) {
      expectReport(await check(elsewhere, { paths: [root] }), { found: ALL, unscanned: EXCLUDED });
      expectReport(await check(elsewhere, { paths: [path.join(root, "lib")] }), { found: [C] });
    }
  });

  it("keep the exit code at 2, with the good ones judged, in the command", () => {
    const ran = agentgate(root, ["check", "--base", "main", "--format", "json", "lib", "nowhere.py"]);
    expectFailure(ran, /nowhere\.py does not exist/);
    expectReport(reportOf(ran), { found: [C], refused: [/nowhere/, /./] });
    expect(agentgate(root, ["check", "--base", "main", "gone"]).code).toBe(0);
  });
});

describe("a working tree", () => {
  it("that git made beside the first one", async () => {
    const other = path.join(makeTree({}), "other");
    git(root, "worktree", "add", "--quiet", "--detach", other, "topic");
    for (const options of [{}, { staged: true }, { head: "HEAD" }]) expectReport(await check(other, options), { found: ALL, unscanned: EXCLUDED });
    write(other, { "src/a.py": pure("a") });
    expectReport(await check(other), { found: [B, C, F], unscanned: EXCLUDED });
    expectReport(await check(root), { found: ALL, unscanned: EXCLUDED });
    git(root, "worktree", "remove", "--force", other);
  });

  it("with a detached HEAD", async () => {
    const detached = repositoryOf(BASE, PATCH);
    git(detached, "checkout", "--quiet", "--detach");
    git(detached, "branch", "--quiet", "--delete", "--force", "topic");
    for (const options of [{}, { staged: true }, { head: "HEAD" }]) expectReport(await check(detached, options), { found: ALL, unscanned: EXCLUDED });
  });

  it("reached through a link, and with its repository elsewhere", async () => {
    const link = path.join(makeTree({}), "link");
    symlinkSync(root, link);
    expectReport(await check(link, { paths: ["lib"] }), { found: [C] });
    expectReport(await check(path.join(link, "src")), { found: ALL, unscanned: EXCLUDED });
    const [work, elsewhere] = [makeTree({}), path.join(makeTree({}), "repository")];
    git(work, "clone", "--quiet", "--branch", "topic", "--separate-git-dir", elsewhere, root, ".");
    expectReport(await check(work, { base: "origin/main" }), { found: ALL, unscanned: EXCLUDED });
  });

  it("whose repository is behind a link, and one with another working tree inside of it", async () => {
    const work = repositoryOf(BASE, PATCH);
    const elsewhere = path.join(makeTree({}), "git");
    renameSync(path.join(work, ".git"), elsewhere);
    symlinkSync(elsewhere, path.join(work, ".git"));
    for (const options of [{}, { staged: true }, { head: "topic" }]) expectReport(await check(work, options), { found: ALL, unscanned: EXCLUDED });
    git(work, "worktree", "add", "--quiet", "--detach", "inside", "topic");
    expectReport(await check(work), { found: ALL, unscanned: [...EXCLUDED, "inside unsupported"] });
    expectReport(await check(path.join(work, "inside")), { found: ALL, unscanned: EXCLUDED });
  });

  it("with files that are tracked and ignored, or ignored only", async () => {
    const ignoring = repositoryOf({ "a.py": pure("a"), "b.py": pure("b") }, { ".gitignore": "*.py\n" });
    write(ignoring, { "a.py": net("a"), "new.py": net("new") });
    expectReport(await check(ignoring), { found: ["no-invented-io a.py:1"] });
    git(ignoring, "add", "--force", "new.py");
    expectReport(await check(ignoring), { found: ["no-invented-io a.py:1", "no-invented-io new.py:1"] });
    expectReport(await check(ignoring, { staged: true }), { found: ["no-invented-io new.py:1"] });
  });

  it("that is a submodule of another repository", async () => {
    const outer = repositoryOf({ "o.py": net("o") });
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "--branch", "topic", root, "inner");
    expectReport(await check(path.join(outer, "inner"), { base: "origin/main" }), { found: ALL, unscanned: EXCLUDED });
  });

  it("in a repository that names objects by SHA-256", async () => {
    const sha256 = repositoryOf(BASE, PATCH, "--object-format=sha256");
    for (const options of [{}, { staged: true }, { head: git(sha256, "rev-parse", "topic").trim() }, { base: git(sha256, "rev-parse", "main").trim() }]) expectReport(await check(sha256, options), { found: ALL, unscanned: EXCLUDED });
    expect((await check(sha256)).base?.tip).toMatch(/^[0-9a-f]{64}$/);
    expectReport(await check(sha256, { base: "0".repeat(64) }), { refused: [/is not in this clone/, /./] });
    expectReport(await check(sha256, { base: "0".repeat(40) }), { refused: [/No branch, tag or full id/, /./] });
  });

  it.each(["true", "input", "false"])("whose line ends git converts (core.autocrlf %s)", async (setting) => {
    const converted = repositoryOf({ "a.py": net("a"), "b.py": pure("b") });
    git(converted, "config", "core.autocrlf", setting);
    write(converted, { "a.py": net("a").replaceAll("\n", "\r\n"), "b.py": net("b").replaceAll("\n", "\r\n") });
    const found = ["no-invented-io b.py:1"];
    expectReport(await check(converted), { found });
    git(converted, "-c", "core.safecrlf=false", "add", "--all");
    expectReport(await check(converted, { staged: true }), { found });
  });

  it("with attributes for line ends, checked out with carriage returns", async () => {
    const attributed = repositoryOf({ ".gitattributes": "*.py text eol=crlf\n", "a.py": net("a"), "b.py": pure("b") });
    const clone = makeTree({});
    git(clone, "clone", "--quiet", attributed, ".");
    write(clone, { "b.py": `${net("b")}\n`.replaceAll("\n", "\r\n") });
    expectReport(await check(clone, { base: "origin/main" }), { found: ["no-invented-io b.py:1"] });
  });
});

describe("nothing to compare with", () => {
  it("no commit yet", async () => {
    const unborn = makeTree({ "a.py": net("a") });
    git(unborn, "init", "--quiet", "--initial-branch=main");
    for (const base of ["HEAD", "main"]) expectReport(await check(unborn, { base }), { refused: [/HEAD has no commit yet|No branch, tag or full id is called main/, /./] });
    expectReport(await check(unborn, { base: "HEAD", staged: true }), { refused: [/^HEAD has no commit yet/, /Make the first commit/] });
  });

  it("HEAD on a branch that is not born, beside one that is", async () => {
    const unborn = repositoryOf(BASE);
    git(unborn, "symbolic-ref", "HEAD", "refs/heads/new");
    expectReport(await check(unborn), { refused: [/^HEAD has no commit yet/, /Make the first commit/] });
    expectReport(await check(unborn, { head: "topic" }), {});
  });

  it("a bare repository", async () => {
    const bare = makeTree({});
    git(bare, "clone", "--quiet", "--bare", root, ".git");
    expectReport(await check(bare), { refused: [/has no working tree/, /git worktree add/] });
    const plain = makeTree({});
    git(plain, "clone", "--quiet", "--bare", root, ".");
    expectReport(await check(plain), { refused: [/There is no git repository here|is bare/, /./] });
  });

  it("no repository, or a broken one", async () => {
    expectReport(await check(makeTree({ "a.py": net("a") })), { refused: [/There is no git repository here/, /leave out --base|Leave out --base/] });
    const broken = makeTree({ "a.py": net("a") });
    mkdirSync(path.join(broken, ".git"));
    expectReport(await check(broken), { refused: [/no git repository/, /./] });
    const pointing = makeTree({ "a.py": net("a"), ".git": "gitdir: /nowhere\n" });
    expectReport(await check(pointing), { refused: [/no git repository/, /./] });
  });

  it("an index that is damaged or locked", async () => {
    const damaged = repositoryOf(BASE, PATCH);
    writeFileSync(path.join(damaged, ".git/index.lock"), "");
    expectReport(await check(damaged), { found: ALL, unscanned: EXCLUDED });
    writeFileSync(path.join(damaged, ".git/index"), "DIRCnothing");
    for (const options of [{}, { staged: true }]) expectReport(await check(damaged, options), { refused: [/git ls-files failed|index/, /git status and git fsck/] });
    expectReport(await check(damaged, { head: "topic" }), { found: ALL, unscanned: EXCLUDED });
  });
});

describe("git", () => {
  const kept = process.env["PATH"];
  afterEach(() => { process.env["PATH"] = kept; });

  function stub(script: string): string {
    const folder = makeTree({ git: `#!/bin/sh\n${script}\n` });
    chmodSync(path.join(folder, "git"), 0o755);
    return folder;
  }

  it("is missing", async () => {
    process.env["PATH"] = makeTree({});
    expectReport(await check(root), { refused: [/^git was not found on the PATH/, /^Install git/] });
    expect((await diff(root)).error?.message).toMatch(/^git was not found/);
  });

  it("is missing, for the command", () => {
    const ran = agentgate(root, ["check", "--base", "main", "--format", "json"], { env: { PATH: makeTree({}) } });
    expectFailure(ran, /git was not found/);
    expectReport(reportOf(ran), { refused: [/git was not found/, /./] });
    expect(agentgate(root, ["check", "lib"], { env: { PATH: makeTree({}) } }).code).toBe(1);
  });

  it("lies in the judged tree only", async () => {
    const evil = repositoryOf({ ...BASE, "bin/git": { executable: "#!/bin/sh\ntouch marker\n" } }, PATCH);
    process.env["PATH"] = `${path.join(evil, "bin")}:.:bin`;
    expectReport(await check(evil), { refused: [/^git was not found/, /./] });
    expect(existsSync(path.join(evil, "marker"))).toBe(false);
  });

  it.each([["at once", "exec sleep 600", 300], ["when it is asked for objects", 'case "$*" in *cat-file*) exec sleep 600;; *) PATH="$REAL" exec git "$@";; esac', 1500]])("hangs %s", async (_, script, gitTimeout) => {
    process.env["PATH"] = `${stub(script.replace("$REAL", kept ?? ""))}:${kept ?? ""}`;
    expectReport(await check(root, { gitTimeout }), { refused: [/^git [\w-]+ gave no answer within [\d.]+ seconds\.$/, /run the gate again/] });
  });

  it.each([
    ["fails", "echo 'fatal: \u001b[31mno luck' >&2; exit 128"], ["answers nonsense", "echo nonsense"], ["answers nothing", "exit 0"], ["kills itself", "kill -9 $$"],
    ["fails at objects", 'case "$*" in *cat-file*) echo broken >&2; exit 1;; *) PATH="$REAL" exec git "$@";; esac'], ["answers nonsense of objects", 'case "$*" in *cat-file*) yes nonsense | head -c 100000;; *) PATH="$REAL" exec git "$@";; esac'],
    ["fails at a folder", 'case "$*" in *ls-tree*) exit 1;; *) PATH="$REAL" exec git "$@";; esac'], ["fails at the search", 'case "$*" in *grep*) exit 3;; *) PATH="$REAL" exec git "$@";; esac'],
  ])("%s", async (_, script) => {
    process.env["PATH"] = `${stub(script.replace("$REAL", kept ?? ""))}:${kept ?? ""}`;
    expectReport(await check(root), { refused: [/./, /./] });
  });
});

describe("nothing that a repository configures runs", () => {
  it("filters, hooks, textconv, external diffs, monitors, pagers and aliases", async () => {
    const marked = makeTree({});
    const marker = path.join(marked, "marker");
    const script = path.join(marked, "script");
    writeFileSync(script, `#!/bin/sh\necho "$0 $*" >> '${marker}'\ncat 2>/dev/null\n`);
    chmodSync(script, 0o755);
    const evil = repositoryOf({ ...BASE, ".gitattributes": "* filter=evil diff=evil merge=evil ident\n" }, PATCH);
    const settings = {
      "filter.evil.clean": script, "filter.evil.smudge": script, "filter.evil.process": script, "filter.evil.required": "true", "diff.evil.textconv": script, "diff.evil.command": script, "merge.evil.driver": script,
      "diff.external": script, "core.fsmonitor": script, "core.hooksPath": marked, "core.pager": script, "core.editor": script, "core.sshCommand": script, "core.askPass": script, "core.gitProxy": script,
      "credential.helper": script, "gpg.program": script, "log.showSignature": "true", "pager.grep": script, "grep.fullName": "false", "alias.ls-tree": `!${script}`, "alias.cat-file": `!${script}`, "uploadpack.packObjectsHook": script,
    };
    for (const [key, value] of Object.entries(settings)) git(evil, "config", key, value);
    for (const hook of ["post-index-change", "pre-auto-gc", "post-checkout", "reference-transaction", "fsmonitor-watchman"]) symlinkSync(script, path.join(marked, hook));
    const time = new Date("2020-01-01T00:00:00Z");
    utimesSync(path.join(evil, "src/a.py"), time, time);
    writeFileSync(path.join(evil, "untracked.py"), net("untracked"));
    const found = [...ALL, "no-invented-io untracked.py:1"];
    expectReport(await check(evil), { found, unscanned: EXCLUDED });
    for (const options of [{ staged: true }, { head: "topic" }]) expectReport(await check(evil, options), { found: ALL, unscanned: EXCLUDED });
    await diff(evil);
    expect(agentgate(evil, ["check", "--base", "main"], { env: { GIT_EXTERNAL_DIFF: script, GIT_PAGER: script, GIT_SSH_COMMAND: script, GIT_ASKPASS: script, GIT_EDITOR: script } }).code).toBe(1);
    expect(existsSync(marker)).toBe(false);
  });

  it("and the environment names no other repository", () => {
    const other = repositoryOf({ "x.py": pure("x") });
    commit(other, "other");
    const env = { GIT_DIR: path.join(other, ".git"), GIT_WORK_TREE: other, GIT_INDEX_FILE: path.join(other, ".git/index"), GIT_OBJECT_DIRECTORY: path.join(other, ".git/objects"), GIT_NAMESPACE: "x", GIT_CEILING_DIRECTORIES: path.dirname(root), GIT_LITERAL_PATHSPECS: "1", GIT_NO_REPLACE_OBJECTS: "0", GIT_REPLACE_REF_BASE: "refs/heads" };
    expectReport(reportOf(agentgate(root, ["check", "--base", "main", "--format", "json"], { env })), { found: ALL, unscanned: EXCLUDED });
  });
});
