import { changeTester, git } from "@agentgate/engine/testing";
import { describe, expect, it } from "vitest";
import { commitOn, expectReport, idOf, net, proc, pure, repositoryOf } from "./repositories.ts";
import type { Contents } from "../laundering/attempts.ts";

const { check } = changeTester("change-merges");

const BASE = { "src/a.py": pure("a"), "src/b.py": pure("b") };

/** Two branches that merged each other's commit, so that both commits are merge bases. */
function crissCross(mine: Contents, theirs: Contents): string {
  const root = repositoryOf(BASE);
  const first = commitOn(root, "topic", mine);
  const second = commitOn(root, "main", theirs);
  git(root, "merge", "--quiet", "--no-edit", "--no-ff", first);
  git(root, "checkout", "--quiet", "topic");
  git(root, "merge", "--quiet", "--no-edit", "--no-ff", second);
  expect(git(root, "merge-base", "--all", "main", "topic").trim().split("\n").sort()).toEqual([first, second].sort());
  return root;
}

describe("several merge bases", () => {
  it("count what all of them have, and nothing else", async () => {
    const root = crissCross({ "src/mine.py": net("mine"), "src/both.py": net("both") }, { "src/theirs.py": net("theirs"), "src/both.py": net("both") });
    // Each of the two modules is there at one merge base only.
    const found = ["no-invented-io src/mine.py:1", "no-invented-io src/theirs.py:1"];
    for (const options of [{}, { staged: true }, { head: "topic" }]) expectReport(await check(root, options), { found });
  });

  it("tell what came after them from what is there", async () => {
    const root = crissCross({ "src/b.py": `${pure("b")}x = 1\n` }, { "src/c.py": pure("c") });
    expectReport(await check(root), {});
    commitOn(root, "topic", { "src/a.py": net("a"), "src/c.py": proc("c") });
    expectReport(await check(root), { found: ["no-invented-io src/a.py:1", "no-invented-io src/c.py:1"] });
    expect((await check(root)).base?.mergeBase).toBe([idOf(root, "main^1"), idOf(root, "main^2")].sort()[0]);
  });

  it("see a rename at one of them as one", async () => {
    const root = crissCross({ "src/b.py": null, "src/renamed.py": pure("b") }, { "src/c.py": pure("c") });
    commitOn(root, "topic", { "src/renamed.py": `${pure("b")}x = 1\n` });
    expectReport(await check(root), {});
  });
});

describe("an octopus merge", () => {
  function octopus(contents: Readonly<Record<string, Contents>>): string {
    const root = repositoryOf(BASE);
    for (const [branch, patch] of Object.entries(contents)) {
      git(root, "branch", branch, "main");
      commitOn(root, branch, patch);
    }
    git(root, "checkout", "--quiet", "topic");
    git(root, "merge", "--quiet", "--no-edit", ...Object.keys(contents));
    return root;
  }

  it("as head: what each branch brought is new", async () => {
    const root = octopus({ one: { "src/one.py": net("one") }, two: { "src/two.py": pure("two") }, three: { "src/three.py": proc("three") } });
    expectReport(await check(root), { found: ["no-invented-io src/one.py:1", "no-invented-io src/three.py:1"] });
    expectReport(await check(root, { base: "one" }), { found: ["no-invented-io src/three.py:1"] });
  });

  it("as base: what came in by any parent is there", async () => {
    const root = octopus({ one: { "src/one.py": net("one") }, two: { "src/two.py": pure("two") } });
    git(root, "branch", "--force", "main", "topic");
    commitOn(root, "topic", { "src/one.py": `${net("one")}x = 1\n`, "src/a.py": net("a") });
    expectReport(await check(root), { found: ["no-invented-io src/a.py:1"] });
  });
});

describe("a merge of the base into the change", () => {
  it("brings nothing that counts as the change's", async () => {
    const root = repositoryOf(BASE, { "src/a.py": net("a") });
    commitOn(root, "main", { "src/b.py": proc("b") });
    git(root, "checkout", "--quiet", "topic");
    git(root, "merge", "--quiet", "--no-commit", "--no-ff", "main");
    const found = ["no-invented-io src/a.py:1"];
    expectReport(await check(root), { found });
    expectReport(await check(root, { staged: true }), { found });
    git(root, "commit", "--quiet", "--message", "merge");
    expectReport(await check(root, { head: "topic" }), { found });
    git(root, "checkout", "--quiet", "--detach");
    expectReport(await check(root), { found });
  });
});
