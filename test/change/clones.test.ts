import { chmodSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { changeTester, cloneOf, git, growBranch, makeTree } from "@agentgate/engine/testing";
import { describe, expect, it } from "vitest";
import { write } from "../laundering/attempts.ts";
import { commitOn, expectReport, idOf, net, objectFile, proc, pure, repair, repositoryOf } from "./repositories.ts";
import type { Check, Expected } from "./repositories.ts";
import { agentgate, expectFailure } from "../cli/harness.ts";

const tester = changeTester("change-clones");
const check: Check = (root, options) => tester.check(root, { base: "origin/main", ...options });

const FOUND = { found: ["no-invented-io src/a.py:1"] } as const;
const FSCK = /^Run: git fsck --full, and clone again if it reports objects$/;

/** A branch with one gain, and `count` further commits on both sides. */
function forked(count = 0): string {
  const root = repositoryOf({ "src/a.py": pure("a"), "src/b.py": net("b"), "docs/c.txt": "c\n" }, { "src/a.py": net("a") });
  commitOn(root, "main", { "src/b.py": `${net("b")}x = 1\n` });
  git(root, "checkout", "--quiet", "--detach");
  if (count > 0) for (const branch of ["main", "topic"]) growBranch(root, branch, count);
  git(root, "checkout", "--quiet", "topic");
  return root;
}

/** Refused, then repaired by the command that is printed, then judged. */
async function repaired(clone: string, refused: NonNullable<Expected["refused"]>, options = {}, expected: Expected = FOUND): Promise<void> {
  const report = await check(clone, options);
  expectReport(report, { refused });
  repair(clone, report.error?.hint);
  expectReport(await check(clone, options), expected);
}

/** Repaired by as many commands as it takes, each printed by the check before. */
async function repairedStepwise(clone: string): Promise<void> {
  let report = await check(clone);
  expect(report.error).not.toBeNull();
  for (let times = 0; report.error !== null && times < 4; times++) {
    repair(clone, report.error.hint);
    report = await check(clone);
  }
  expectReport(report, FOUND);
}

describe("a shallow clone", () => {
  it("of one branch lacks the base, then the merge base: both commands repair it", async () => {
    const clone = cloneOf(forked(4), "--depth=1", "--single-branch", "--branch", "topic");
    const missing = await check(clone);
    expectReport(missing, { refused: [/^No branch, tag or full id is called origin\/main in this clone, which is shallow\.$/, /^Run: git fetch origin \+refs\/heads\/main:refs\/remotes\/origin\/main$/] });
    repair(clone, missing.error?.hint);
    if ((await check(clone)).error !== null) await repaired(clone, [/this clone,? (?:which )?is shallow/, /^Run: git fetch --(?:deepen=200|unshallow) origin main$/]);
    expectReport(await check(clone), FOUND);
  });

  it.each([["as the working tree", {}], ["staged", { staged: true }], ["as a revision", { head: "topic" }]])("of both branches lacks the merge base: %s", async (_, options) => {
    await repaired(cloneOf(forked(3), "--depth=1", "--no-single-branch", "--branch", "topic"), [/^origin\/main and \w+ share no commit in this clone, which is shallow\.$/, /^Run: git fetch --deepen=200 origin main$/], options);
  });

  it("of a base given by its id", async () => {
    const root = forked(3);
    const clone = cloneOf(root, "--depth=1", "--no-single-branch", "--branch", "topic");
    await repaired(clone, [/share no commit in this clone, which is shallow/, /^Run: git fetch --deepen=200 origin [0-9a-f]{40}$/], { base: idOf(root, "main") });
  });

  it("whose remote is gone says so", async () => {
    const clone = cloneOf(forked(3), "--depth=1", "--no-single-branch", "--branch", "topic");
    git(clone, "branch", "--no-track", "kept", "origin/main");
    git(clone, "remote", "remove", "origin");
    expectReport(await check(clone, { base: "kept" }), { refused: [/which is shallow/, /^Add the remote that this clone was made from, and run: git fetch --unshallow <remote>$/] });
  });

  it("that reaches the merge base is judged", async () => {
    expectReport(await check(cloneOf(forked(3), "--depth=8", "--no-single-branch", "--branch", "topic")), FOUND);
  });

  it("needs more than one deepening: each command gets nearer", async () => {
    await repairedStepwise(cloneOf(forked(450), "--depth=1", "--no-single-branch", "--branch", "topic"));
  });

  it("that is partial too, and has one branch", async () => {
    await repairedStepwise(cloneOf(forked(3), "--depth=1", "--filter=blob:none", "--single-branch", "--branch", "topic"));
  });

  it("of a merge that the host made of a request, as CI checks it out", async () => {
    const root = forked(3);
    git(root, "checkout", "--quiet", "--detach", "main");
    git(root, "merge", "--quiet", "--no-edit", "--no-ff", "topic");
    git(root, "update-ref", "refs/pull/7/merge", "HEAD");
    const clone = cloneOf(root, "--no-checkout", "--depth=1", "--branch", "main");
    git(clone, "update-ref", "-d", "refs/remotes/origin/main");
    git(clone, "fetch", "--quiet", "--depth=1", "origin", "+refs/pull/7/merge:refs/remotes/pull/7/merge");
    git(clone, "checkout", "--quiet", "--force", "refs/remotes/pull/7/merge");
    await repairedStepwise(clone);
  });

  it("says it in two lines and exit code 2, and is judged after the command", () => {
    const clone = cloneOf(forked(3), "--depth=1", "--no-single-branch", "--branch", "topic");
    const ran = agentgate(clone, ["check", "--base", "origin/main"]);
    expectFailure(ran, /^agentgate: origin\/main and HEAD share no commit in this clone, which is shallow\.\nRun: git fetch --deepen=200 origin main\n$/);
    repair(clone, ran.stderr.trim().split("\n")[1]);
    expect(agentgate(clone, ["check", "--base", "origin/main"])).toMatchObject({ code: 1, stderr: "" });
  });
});

describe("a partial clone", () => {
  const REFETCH = [/objects are missing from this clone, which is partial\.$/, /^Run: git fetch --refetch --no-filter origin$/] as const;

  it.each([["as the working tree", {}], ["staged", { staged: true }], ["as a revision", { head: "topic" }]])("without contents is refused, and repaired by the command: %s", async (_, options) => {
    await repaired(cloneOf(forked(), "--filter=blob:none", "--branch", "topic"), REFETCH, options);
  });

  it("without folders is refused, and repaired by the command", async () => {
    await repaired(cloneOf(forked(), "--filter=tree:0", "--no-checkout", "--branch", "topic"), REFETCH, { head: "topic" });
  });

  it("fetches nothing by itself", async () => {
    const clone = cloneOf(forked(), "--filter=blob:none", "--branch", "topic");
    const missing = (): string => git(clone, "rev-list", "--objects", "--all", "--missing=print", "--quiet").split("\n").filter((line) => line.startsWith("?")).sort().join();
    const before = missing();
    expect(before).not.toBe("");
    await check(clone);
    expect(missing()).toBe(before);
  });

  it("whose missing contents nobody asks for is judged", async () => {
    const root = forked();
    commitOn(root, "main", { "docs/c.txt": "d\n" });
    git(root, "checkout", "--quiet", "topic");
    // Only a text file that is no code differs in what the clone lacks.
    const clone = cloneOf(root, "--filter=blob:none", "--branch", "topic");
    git(clone, "cat-file", "-p", "origin/main~1:src/b.py");
    git(clone, "cat-file", "-p", "topic~1:src/a.py");
    git(clone, "cat-file", "-p", "topic~1:src/b.py");
    expectReport(await check(clone), FOUND);
  });

  it("from a promised remote that is gone says the same", async () => {
    const clone = cloneOf(forked(), "--filter=blob:none", "--branch", "topic");
    git(clone, "config", "remote.origin.url", pathToFileURL(path.join(makeTree({}), "gone")).href);
    expectReport(await check(clone), { refused: REFETCH });
  });
});

describe("objects", () => {
  const lost = (root: string, expression: string, how: "missing" | "damaged" | "emptied"): void => {
    const file = objectFile(root, idOf(root, expression));
    chmodSync(file, 0o644);
    if (how === "missing") rmSync(file);
    else writeFileSync(file, how === "emptied" ? "" : "not zlib");
  };
  const here: Check = (root, options) => tester.check(root, options);

  it.each([
    ["the base's commit", "main", "missing"], ["the base's commit", "main", "damaged"], ["the base's folder", "main^{tree}", "missing"], ["the base's folder", "main^{tree}", "damaged"], ["the base's folder", "main:src", "missing"],
    ["the merge base's commit", "main~1", "missing"], ["the merge base's file", "main~1:src/a.py", "missing"], ["the merge base's file", "main~1:src/a.py", "damaged"], ["the merge base's file", "main~1:src/a.py", "emptied"],
    ["head's commit", "topic", "missing"], ["head's folder", "topic^{tree}", "missing"], ["head's file", "topic:src/a.py", "missing"], ["head's file", "topic:src/a.py", "damaged"],
  ] as const)("%s (%s) that are %s: no base, never a clean report", async (_, expression, how) => {
    const root = forked();
    lost(root, expression, how);
    expectReport(await here(root, { head: "topic" }), { refused: [/./, FSCK] });
  });

  it("of a base that has a policy are needed too", async () => {
    const root = repositoryOf({ "agentgate.yml": "version: 1\n", "src/a.py": pure("a") }, { "src/a.py": net("a") });
    lost(root, "main:agentgate.yml", "missing");
    expectReport(await here(root, { head: "topic" }), { refused: [/./, /./] });
  });

  it("may be packed, borrowed from another clone or behind a graph of commits", async () => {
    const root = forked(2);
    git(root, "gc", "--quiet");
    git(root, "commit-graph", "write", "--reachable");
    expectReport(await here(root), FOUND);
    const borrowing = makeTree({});
    git(borrowing, "clone", "--quiet", "--shared", "--branch", "topic", root, ".");
    expectReport(await check(borrowing), FOUND);
    for (const pack of readdirSync(path.join(root, ".git/objects/pack"))) rmSync(path.join(root, ".git/objects/pack", pack));
    expectReport(await check(borrowing), { refused: [/./, /./] });
  });
});

describe("histories", () => {
  it("that share nothing: no fetch is named", async () => {
    const root = forked();
    git(root, "checkout", "--quiet", "--orphan", "other");
    git(root, "commit", "--quiet", "--message", "other");
    const refused = [/^main and HEAD share no commit: their histories are unrelated, and no fetch can change that\.$/, /^Give a base that the change was made from\.$/] as const;
    expectReport(await tester.check(root), { refused });
    const shown = await tester.diff(root);
    expect(shown).toMatchObject({ modules: [], base: null });
    expect(shown.error?.message).toMatch(refused[0]);
  });

  it("that are joined later have a merge base", async () => {
    const root = forked();
    git(root, "checkout", "--quiet", "--orphan", "other");
    git(root, "rm", "-r", "--quiet", "--cached", ".");
    write(root, { "src/a.py": pure("a"), "src/d.py": proc("d") });
    git(root, "add", "src");
    git(root, "commit", "--quiet", "--message", "other");
    git(root, "clean", "-d", "--force", "--quiet");
    git(root, "merge", "--quiet", "--no-edit", "--allow-unrelated-histories", "--strategy=ours", "main");
    expectReport(await tester.check(root), { found: ["no-invented-io src/d.py:1"] });
  });
});
