import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { cloneOf, commitFiles, idOf, makeHistory } from "../testing/history.ts";
import { addFiles, git, makeTree } from "../testing/tree.ts";
import { filesHolding } from "./grep.ts";
import { readerOver } from "./reader.ts";
import { openRepository } from "./repository.ts";
import { resolveChange } from "./revisions.ts";
import { commitSnapshot, indexSnapshot, worktreeSnapshot } from "./snapshots.ts";

const variables = { ...process.env };

afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in variables)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, variables);
});

/** A script that leaves a mark when it is run, and the mark. */
function marker(): { script: string; marked: () => boolean } {
  const folder = makeTree({});
  const script = path.join(folder, "script");
  writeFileSync(script, `#!/bin/sh\ntouch '${folder}/marker'\ncat 2>/dev/null\n`);
  chmodSync(script, 0o755);
  return { script, marked: () => existsSync(path.join(folder, "marker")) };
}

/** Everything that the gate asks of a repository. */
async function everything(root: string): Promise<void> {
  const repository = await openRepository(root);
  try {
    const { tip } = await resolveChange(repository, { base: "HEAD" });
    const snapshots = [await commitSnapshot(repository, tip), await indexSnapshot(repository), await worktreeSnapshot(repository)];
    for (const { entries } of snapshots) {
      const targets = entries.filter((entry) => entry.type === "file").map((entry) => entry.target);
      await readerOver(repository).read(targets, 1000);
      await readerOver(repository).heads(targets);
    }
    for (const where of [tip, "index", "worktree"]) await filesHolding(repository, where, ["import"]);
  } finally {
    repository.close();
  }
}

const ATTRIBUTES = "* filter=evil diff=evil merge=evil text working-tree-encoding=UTF-16 ident\n*.py filter=e=vil\n";

/** An untracked file, and one of the same length and time as the index has, which only its bytes can tell from it. */
function dirty(root: string): void {
  const [file, time] = [path.join(root, "a.py"), new Date("2020-01-01T00:00:00Z")];
  addFiles(root, { "a.py": "import o1\n", "untracked.py": "import sys\n" });
  utimesSync(file, time, time);
  git(root, "-c", "filter.evil.clean=", "-c", "filter.evil.process=", "add", "a.py");
  addFiles(root, { "a.py": "import o2\n" });
  utimesSync(file, time, time);
  utimesSync(path.join(root, ".git/index"), time, time);
}

describe("nothing that the repository configures runs", () => {
  test("filters, diffs, hooks, monitors and pagers", async () => {
    const { script, marked } = marker();
    const root = makeHistory({ "a.py": "import re\n", "start.txt": "import\n" });
    dirty(root);
    writeFileSync(path.join(root, ".gitattributes"), ATTRIBUTES);
    mkdirSync(path.join(root, ".git/info"), { recursive: true });
    writeFileSync(path.join(root, ".git/info/attributes"), ATTRIBUTES);
    const settings = {
      "filter.evil.clean": script, "filter.evil.smudge": script, "filter.evil.process": script, "filter.evil.required": "true",
      "filter.e=vil.clean": script, "filter.e=vil.process": script, "diff.evil.textconv": script, "diff.evil.command": script,
      "diff.external": script, "core.fsmonitor": script, "core.pager": script, "pager.grep": script, "pager.ls-files": script, "core.editor": script,
      "core.sshCommand": script, "core.gitProxy": script, "core.askPass": script, "credential.helper": `!${script}`, "core.alternateRefsCommand": script,
      "alias.ls-files": `!${script}`, "alias.cat-file": `!${script}`, "uploadpack.packObjectsHook": script, "merge.evil.driver": script,
      "core.attributesFile": path.join(root, ".gitattributes"), "gpg.program": script, "log.showSignature": "true", "interactive.diffFilter": script,
      "core.hooksPath": path.join(root, "hooks"), "grep.patternType": "perl", "grep.fullName": "true", "color.ui": "always", "color.grep": "always",
      "submodule.recurse": "true", "status.submoduleSummary": "true", "diff.noprefix": "true", "diff.renames": "copies", "core.quotePath": "true",
      "core.abbrev": "4", "i18n.logOutputEncoding": "UTF-16", "core.logAllRefUpdates": "always", "gc.auto": "1", "core.precomposeUnicode": "true",
    };
    for (const [key, value] of Object.entries(settings)) git(root, "config", key, value);
    for (const hook of ["post-index-change", "reference-transaction", "fsmonitor-watchman", "query-watchman", "post-checkout", "pre-auto-gc"]) {
      addFiles(root, { [`hooks/${hook}`]: `#!/bin/sh\n${script}\n`, [`.git/hooks/${hook}`]: `#!/bin/sh\n${script}\n` });
      chmodSync(path.join(root, "hooks", hook), 0o755);
      chmodSync(path.join(root, ".git/hooks", hook), 0o755);
    }
    expect(marked()).toBe(false);
    await everything(root);
    expect(marked()).toBe(false);
    // The trap is armed: git as it is would run the filter to list what the index cannot tell.
    spawnSync("git", ["-c", "core.fsmonitor=false", "-c", "core.trustctime=false", "diff-files", "--raw"], { cwd: root, stdio: "pipe" });
    expect(marked()).toBe(true);
  });

  test("nor does any setting change what is listed", async () => {
    const root = makeHistory({ "ünï code.py": "import os\n", "b.py": "b\n", "sub/c.py": "import re\n" });
    const listing = async (): Promise<unknown> => {
      const repository = await openRepository(root);
      try {
        const found = await filesHolding(repository, "HEAD", ["import"]);
        return [await commitSnapshot(repository, "HEAD"), await indexSnapshot(repository), await worktreeSnapshot(repository), found];
      } finally {
        repository.close();
      }
    };
    const plain = await listing();
    const settings = {
      "diff.renames": "copies", "diff.relative": "true", "diff.orderFile": "/nonexistent", "diff.ignoreSubmodules": "all", "core.quotePath": "true", "core.abbrev": "5", "grep.lineNumber": "true",
      "grep.column": "true", "grep.patternType": "perl", "grep.extendedRegexp": "true", "grep.fullName": "false", "color.ui": "always", "status.showUntrackedFiles": "no",
      "core.ignoreStat": "true", "log.date": "raw", "i18n.commitEncoding": "latin1", "core.excludesFile": "/nonexistent",
    };
    for (const [key, value] of Object.entries(settings)) git(root, "config", key, value);
    expect(await listing()).toEqual(plain);
  });

  test("filters that the attributes of a commit name, with those of the person's own configuration", async () => {
    const { script, marked } = marker();
    const root = makeHistory({ "a.py": "import re\n" });
    process.env["GIT_CONFIG_GLOBAL"] = path.join(makeTree({ gitconfig: `[filter "evil"]\n\tclean = ${script}\n\tsmudge = ${script}\n\tprocess = ${script}\n` }), "gitconfig");
    addFiles(root, { ".gitattributes": "* filter=evil\n" });
    commitFiles(root, {});
    dirty(root);
    await everything(root);
    expect(marked()).toBe(false);
  });

  test("a nested repository's and a submodule's own configuration", async () => {
    const { script, marked } = marker();
    const root = makeHistory();
    const sub = path.join(root, "sub");
    git(root, "init", "--quiet", "sub");
    const first = commitFiles(sub, { "a.py": "import a\n", ".gitattributes": "* filter=evil\n" });
    git(root, "update-index", "--add", "--cacheinfo", `160000,${first},sub`);
    git(root, "commit", "--quiet", "--message", "submodule");
    for (const key of ["filter.evil.clean", "core.fsmonitor", "diff.external"]) git(sub, "config", key, script);
    addFiles(sub, { "a.py": "import b\n" });
    git(root, "config", "submodule.recurse", "true");
    git(root, "config", "diff.ignoreSubmodules", "none");
    await everything(root);
    expect(marked()).toBe(false);
  });

  test("a git that the tree brings along", async () => {
    const { script, marked } = marker();
    const root = makeHistory({ "node_modules/.bin/git": `#!/bin/sh\n${script}\nexec /usr/bin/git "$@"\n`, git: `#!/bin/sh\n${script}\n` });
    chmodSync(path.join(root, "node_modules/.bin/git"), 0o755);
    chmodSync(path.join(root, "git"), 0o755);
    process.env["PATH"] = [path.join(root, "node_modules/.bin"), ".", "", variables["PATH"]].join(path.delimiter);
    await everything(root);
    expect(marked()).toBe(false);
  });

  test("the variables of a hook or a wrapper lead to no other repository", async () => {
    const { script, marked } = marker();
    const root = makeHistory({ "mine.py": "1" });
    const other = makeHistory({ "other.py": "2" });
    Object.assign(process.env, {
      GIT_DIR: path.join(other, ".git"), GIT_WORK_TREE: other, GIT_INDEX_FILE: path.join(other, ".git/index"), GIT_OBJECT_DIRECTORY: path.join(other, ".git/objects"),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: path.join(other, ".git/objects"), GIT_COMMON_DIR: path.join(other, ".git"), GIT_NAMESPACE: "x", GIT_EXTERNAL_DIFF: script,
      GIT_PAGER: script, GIT_SSH_COMMAND: script, GIT_ASKPASS: script, GIT_LITERAL_PATHSPECS: "1", GIT_REPLACE_REF_BASE: "refs/heads/", GIT_ATTR_SOURCE: "HEAD", GIT_SHALLOW_FILE: "/dev/null",
    });
    const repository = await openRepository(root);
    const snapshot = await worktreeSnapshot(repository);
    repository.close();
    expect(snapshot.entries.map((entry) => entry.path)).toEqual(["mine.py"]);
    await everything(root);
    expect(marked()).toBe(false);
  });
});

describe("a partial clone", () => {
  test("is never completed from its remote, and what is missing is an error that can be repaired", async () => {
    const { script, marked } = marker();
    const source = makeHistory({ "a.py": "import old\n" });
    const base = idOf(source, "HEAD");
    commitFiles(source, { "a.py": "import new\n" });
    const clone = cloneOf(source, "--filter=blob:none");
    const url = git(clone, "config", "remote.origin.url").trim();
    for (const [key, value] of Object.entries({ "remote.origin.uploadpack": script, "remote.origin.vcs": "evil", "protocol.allow": "always", "protocol.ext.allow": "always" })) git(clone, "config", key, value);
    git(clone, "config", "remote.origin.url", `ext::${script}`);
    await everything(clone);
    const repository = await openRepository(clone);
    expect(repository.promisor).toBe("origin");
    const before = await commitSnapshot(repository, base);
    const targets = before.entries.map((entry) => entry.target);
    const expected = { message: expect.stringContaining("objects are missing from this clone, which is partial") as string, hint: "Run: git fetch --refetch --no-filter origin" };
    await expect(readerOver(repository).read(targets, 1000)).rejects.toMatchObject(expected);
    await expect(readerOver(repository).heads(targets)).rejects.toMatchObject(expected);
    await expect(filesHolding(repository, base, ["import"])).rejects.toMatchObject(expected);
    repository.close();
    expect(marked()).toBe(false);
    for (const key of ["remote.origin.uploadpack", "remote.origin.vcs"]) git(clone, "config", "--unset", key);
    git(clone, "config", "remote.origin.url", url);
    execFileSync("sh", ["-c", "git fetch --quiet --refetch --no-filter origin"], { cwd: clone, env: { PATH: variables["PATH"], GIT_CONFIG_GLOBAL: "/dev/null" } });
    const repaired = await openRepository(clone);
    expect(await readerOver(repaired).read(targets, 1000)).toEqual([{ kind: "bytes", bytes: Buffer.from("import old\n") }]);
    expect(await filesHolding(repaired, base, ["old"])).toEqual(["a.py"]);
    repaired.close();
  });
});

test("a file that is removed or becomes a link after it was listed is not read", async () => {
  const root = makeHistory({ "a.py": "1", "b.py": "2" });
  addFiles(root, { "a.py": "11", "b.py": "22" });
  const repository = await openRepository(root);
  const { entries } = await worktreeSnapshot(repository);
  unlinkSync(path.join(root, "a.py"));
  unlinkSync(path.join(root, "b.py"));
  execFileSync("ln", ["-s", "/etc/passwd", path.join(root, "b.py")]);
  const reads = await readerOver(repository).read(entries.map((entry) => entry.target), 100_000);
  expect(reads.map((read) => read.kind)).toEqual(["unreadable", "unreadable"]);
  const heads = await readerOver(repository).heads(entries.map((entry) => entry.target));
  expect(heads.map((head) => head.length)).toEqual([0, 0]);
  repository.close();
});
