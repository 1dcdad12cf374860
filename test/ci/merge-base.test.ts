import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { agentgate, emptyFolder, git } from "../cli/harness.ts";

const SCRIPT = fileURLToPath(new URL("../../ci/merge-base.sh", import.meta.url));

interface Commit {
  readonly branch: string;
  readonly parents: readonly string[];
}

/** A bare repository with these commits, by name; the branches end where they were last committed to. */
function server(commits: Readonly<Record<string, Commit>>): { readonly url: string; readonly ids: ReadonlyMap<string, string> } {
  const folder = emptyFolder();
  git(folder, "init", "--quiet", "--bare", "--initial-branch=main");
  const marks = new Map(Object.keys(commits).map((name, index) => [name, index + 1]));
  const stream = Object.entries(commits).map(([name, { branch, parents }], index) => {
    const [first, ...others] = parents.map((parent) => `:${marks.get(parent)!}`);
    const from = first === undefined ? "" : `from ${first}\n`;
    const message = `commit ${branch}\nmark :${marks.get(name)!}\ncommitter T <t@example.com> ${1_700_000_000 + index} +0000\ndata ${name.length}\n${name}\n`;
    return `${first === undefined ? `reset ${branch}\n` : ""}${message}${from}${others.map((other) => `merge ${other}\n`).join("")}M 100644 inline ${name}.txt\ndata 0\n\n`;
  });
  const marksFile = path.join(folder, "marks");
  const ran = spawnSync("git", ["fast-import", "--quiet", "--force", `--export-marks=${marksFile}`], { cwd: folder, input: stream.join(""), encoding: "utf8" });
  if (ran.status !== 0) throw new Error(ran.stderr);
  const ids = new Map(readFileSync(marksFile, "utf8").trim().split("\n").map((line) => line.slice(1).split(" ") as [string, string]));
  return { url: pathToFileURL(folder).href, ids: new Map([...marks].map(([name, mark]) => [name, ids.get(String(mark))!])) };
}

/** A clone as actions/checkout makes it: one commit, so deep, its head detached. */
function checkout(url: string, id: string, depth: number | null): string {
  const folder = emptyFolder();
  git(folder, "init", "--quiet", "--initial-branch=work");
  git(folder, "remote", "add", "origin", url);
  git(folder, "fetch", "--quiet", "--no-tags", ...(depth === null ? [] : [`--depth=${depth}`]), "origin", `+${id}:refs/remotes/pull/1/merge`);
  git(folder, "checkout", "--quiet", "--detach", "refs/remotes/pull/1/merge");
  return folder;
}

function run(folder: string, env: Readonly<Record<string, string>>) {
  const output = path.join(emptyFolder(), "output");
  const { status, stdout, stderr } = spawnSync("bash", [SCRIPT], {
    cwd: folder, encoding: "utf8", env: { PATH: process.env["PATH"], HOME: folder, GIT_CONFIG_NOSYSTEM: "1", GITHUB_OUTPUT: output, ...env },
  });
  return { status, stdout: stdout.trim(), stderr, output: existsSync(output) ? readFileSync(output, "utf8") : "" };
}

const MAIN = "refs/heads/main";
const PULL = "refs/pull/1/merge";

/** `main` with so many commits, a branch off after `at` of them with `own` commits, and the merge that GitHub makes. */
function history(count: number, at: number, own: number): Record<string, Commit> {
  const commits: Record<string, Commit> = {};
  for (let index = 0; index < count; index++) commits[`m${index}`] = { branch: MAIN, parents: index === 0 ? [] : [`m${index - 1}`] };
  for (let index = 0; index < own; index++) commits[`b${index}`] = { branch: "refs/heads/topic", parents: [index === 0 ? `m${at - 1}` : `b${index - 1}`] };
  commits["merge"] = { branch: PULL, parents: [`m${count - 1}`, `b${own - 1}`] };
  return commits;
}

describe("the merge base in a shallow clone", () => {
  it.each([
    ["the merge commit, one deep", "merge", 1, 395, 4, "m399", true], ["the merge of a long branch", "merge", 1, 3, 300, "m399", false], ["a long branch that began long ago", "b299", 1, 20, 300, "m19", false], ["a branch, some commits deep", "b299", 100, 350, 300, "m349", false],
    ["a full clone", "b299", null, 5, 300, "m4", false],
  ])("is there for %s, with no more history than it takes", (_what, head, depth, at, own, expected, shallow) => {
    const { url, ids } = server(history(400, at, own));
    const folder = checkout(url, ids.get(head)!, depth);
    const ran = run(folder, { GITHUB_EVENT_NAME: "pull_request", GITHUB_BASE_REF: "main" });
    expect(ran).toEqual({ status: 0, stdout: ids.get("m399"), stderr: "", output: `base=${ids.get("m399")!}\n` });
    expect(git(folder, "merge-base", "--all", ran.stdout, "HEAD").trim()).toBe(ids.get(expected));
    // The command agrees that nothing nearer can be hidden.
    expect(agentgate(folder, ["check", "--base", ran.stdout, "--head", "HEAD"])).toMatchObject({ code: 0, stderr: "" });
    expect(git(folder, "rev-parse", "--is-shallow-repository").trim()).toBe(String(shallow));
  });

  it("is not an older one that the cut lets show first", () => {
    // The near ancestor n is merged into both sides behind long ways; the far one, m0, is a parent of both tips.
    const commits: Record<string, Commit> = { m0: { branch: MAIN, parents: [] }, n: { branch: "refs/heads/n", parents: ["m0"] } };
    for (const side of ["x", "y"]) {
      for (let index = 0; index < 90; index++) commits[`${side}${index}`] = { branch: `refs/heads/${side}`, parents: [index === 0 ? "n" : `${side}${index - 1}`] };
    }
    commits["base"] = { branch: MAIN, parents: ["m0", "x89"] };
    commits["head"] = { branch: "refs/heads/topic", parents: ["m0", "y89"] };
    const { url, ids } = server(commits);
    const folder = checkout(url, ids.get("head")!, 1);
    const ran = run(folder, { AGENTGATE_BASE: "main" });
    expect(ran).toMatchObject({ status: 0, stdout: ids.get("base") });
    expect(git(folder, "merge-base", "--all", ran.stdout, "HEAD").trim()).toBe(ids.get("n"));
  });

  it("needs the clone's head on no branch, and takes ids, merge groups and pushes", () => {
    const { url, ids } = server(history(60, 30, 2));
    const id = (name: string): string => ids.get(name)!;
    for (const [env, expected] of [
      [{ AGENTGATE_BASE: id("m40") }, "m40"], [{ AGENTGATE_BASE: "refs/heads/main" }, "m59"], [{ GITHUB_EVENT_NAME: "merge_group", MERGE_GROUP_BASE: id("m50") }, "m50"],
      [{ GITHUB_EVENT_NAME: "push", PUSH_BEFORE: id("b0"), DEFAULT_BRANCH: "main" }, "b0"], [{ GITHUB_EVENT_NAME: "push", PUSH_BEFORE: "0".repeat(40), DEFAULT_BRANCH: "main" }, "m59"],
    ] as const) {
      expect(run(checkout(url, id("b1"), 1), env)).toMatchObject({ status: 0, stdout: id(expected), stderr: "" });
    }
  });
});

describe("a base that cannot be had", () => {
  const clone = (depth: number | null): string => {
    const { url, ids } = server({ ...history(200, 150, 2), other: { branch: "refs/heads/other", parents: [] } });
    return checkout(url, ids.get("b1")!, depth);
  };

  it.each<[string, number | null, Readonly<Record<string, string>>, RegExp]>([
    ["no event", 1, {}, /has no base/], ["an event without one", 1, { GITHUB_EVENT_NAME: "schedule" }, /the event schedule has no base/],
    ["a missing branch", 1, { AGENTGATE_BASE: "gone" }, /refs\/heads\/gone could not be fetched/], ["a missing commit", null, { AGENTGATE_BASE: "1".repeat(40) }, /could not be fetched/],
    ["an option", 1, { AGENTGATE_BASE: "--upload-pack=touch x" }, /neither a branch/], ["a refspec", 1, { AGENTGATE_BASE: "main:refs/heads/evil" }, /neither a branch/],
    ["an unrelated branch in a full clone", null, { AGENTGATE_BASE: "other" }, /share no commit/], ["an unrelated branch", 1, { AGENTGATE_BASE: "other" }, /share no commit/],
    ["a merge base too far off", 1, { AGENTGATE_BASE: "main", AGENTGATE_MAX_DEPTH: "20" }, /within (?:20|50) commits/],
  ])("%s: one line why, one what to do", (_what, depth, env, why) => {
    const ran = run(clone(depth), env);
    // What git and the other side of the connection say may stand before and after.
    const said = ran.stderr.split("\n");
    const lines = said.slice(said.findIndex((line) => line.startsWith("agentgate: ")));
    expect(ran).toMatchObject({ status: 2, stdout: "", output: "" });
    expect(lines[0]).toMatch(/^agentgate: /);
    expect(lines[0]).toMatch(why);
    expect(lines[1]).toMatch(/\.$/);
  });

  it.each(["pull_request_target", "pull_request", "merge_group"])("the base itself, checked out on %s", (event) => {
    const { url, ids } = server(history(60, 30, 2));
    for (const name of ["m59", "m20"]) {
      const ran = run(checkout(url, ids.get(name)!, 1), { GITHUB_EVENT_NAME: event, AGENTGATE_BASE: "main" });
      expect(ran).toMatchObject({ status: 2, stdout: "", stderr: expect.stringMatching(/holds nothing that main does not have\.\n/) as string });
    }
    expect(run(checkout(url, ids.get("m20")!, 1), { GITHUB_EVENT_NAME: "push", AGENTGATE_BASE: "main" })).toMatchObject({ status: 0 });
  });

  it("no clone", () => {
    expect(run(emptyFolder(), { AGENTGATE_BASE: "main" })).toMatchObject({ status: 2, stderr: expect.stringContaining("no clone") as string });
  });
});

describe("what the judged tree holds", () => {
  it("runs nothing while its base is fetched", () => {
    const { url, ids } = server(history(10, 5, 1));
    const folder = checkout(url, ids.get("b0")!, 1);
    const trace = path.join(folder, "ran");
    spawnSync("bash", ["-c", `mkdir hooks && printf '#!/bin/sh\\ntouch ${trace}\\n' > hooks/reference-transaction && chmod +x hooks/* && git config core.hooksPath hooks && git config core.fsmonitor hooks/reference-transaction`], { cwd: folder });
    expect(run(folder, { AGENTGATE_BASE: "main" })).toMatchObject({ status: 0 });
    expect(existsSync(trace)).toBe(false);
  });
});
