import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { exitCodeOf } from "@agentgate/engine";
import type { ChangeOptions, Report } from "@agentgate/engine";
import { commit, git, makeTree } from "@agentgate/engine/testing";
import { expect, it } from "vitest";
import { write } from "../laundering/attempts.ts";
import type { Contents } from "../laundering/attempts.ts";

/** What one check of a change must give. Nothing is expected where a field is left out, errors included. */
export interface Expected {
  /** All findings in any order: `rule path:line`, with `warning ` before those that are no errors. */
  readonly found?: readonly string[];
  /** All `unscanned`: `path reason`. */
  readonly unscanned?: readonly string[];
  /** All `permitted`: `rule path by kind`. */
  readonly permitted?: readonly string[];
  /** The two lines of the error: why, and what to do. */
  readonly refused?: readonly [why: RegExp, whatToDo: RegExp];
}

export interface Case extends Expected {
  readonly name: string;
  readonly options?: Partial<ChangeOptions>;
}

export type Check = (root: string, options?: Partial<ChangeOptions>) => Promise<Report>;

/** One test for each case, all of one repository that nothing is written to. */
export function judged(root: () => string, check: Check, cases: readonly Case[]): void {
  it.each(cases.map((one) => [one.name, one] as const))("%s", async (_, one) => {
    expectReport(await check(root(), one.options), one);
  });
}

export function expectReport(report: Report, expected: Expected): void {
  const { found = [], unscanned = [], permitted = [], refused } = expected;
  if (refused === undefined) expect(report.error).toBeNull();
  else expectRefusal(report, refused);
  expect(foundIn(report)).toEqual([...found].sort());
  expect(report.unscanned.map(({ path: at, reason }) => `${at} ${reason}`).sort()).toEqual([...unscanned].sort());
  expect(report.permitted.map(({ rule, path: at, by }) => `${rule} ${at} by ${by.kind}`).sort()).toEqual([...permitted].sort());
  const errors = found.some((one) => !one.startsWith("warning "));
  expect(exitCodeOf(report, "error")).toBe(refused !== undefined ? 2 : errors ? 1 : 0);
}

function expectRefusal({ error }: Report, [why, whatToDo]: NonNullable<Expected["refused"]>): void {
  expect(error?.message).toMatch(why);
  expect(error?.hint).toMatch(whatToDo);
  for (const line of [error?.message ?? "", error?.hint ?? ""]) expect(line).toMatch(/^[^\p{Cc}]+$/u);
}

/** Findings as `Expected.found` has them, sorted. */
export function foundIn({ findings }: Pick<Report, "findings">): string[] {
  return findings.map(({ severity, rule, path: at, start }) => `${severity === "error" ? "" : "warning "}${rule} ${at}:${start.line}`).sort();
}

/** A repository with `base` committed on `main`, and `patch` committed on `topic`, which is checked out. */
export function repositoryOf(base: Contents, patch: Contents = {}, ...init: readonly string[]): string {
  const root = makeTree({});
  git(root, "init", "--quiet", "--initial-branch=main", ...init);
  write(root, base);
  commit(root, "base");
  git(root, "checkout", "--quiet", "-b", "topic");
  if (Object.keys(patch).length > 0) {
    write(root, patch);
    commit(root, "change");
  }
  return root;
}

/** Checks a branch out, writes to it and commits; gives the id. */
export function commitOn(root: string, branch: string, contents: Contents): string {
  git(root, "checkout", "--quiet", branch);
  write(root, contents);
  return commit(root, `on ${branch}`);
}

export function idOf(root: string, revision: string): string {
  return git(root, "rev-parse", "--verify", revision).trim();
}

/** Runs the command that a hint prints after `Run: `, in a shell, as somebody who pastes it would. */
export function repair(root: string, hint: string | undefined): void {
  const command = /^Run: (git .*)$/.exec(hint ?? "")?.[1];
  if (command === undefined) throw new Error(`no command in: ${hint ?? "nothing"}`);
  execFileSync("sh", ["-c", command], { cwd: root, stdio: "ignore", env: { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" } });
}

/** Deletes an object that is not packed. */
export function objectFile(root: string, id: string): string {
  const file = path.join(root, ".git/objects", id.slice(0, 2), id.slice(2));
  if (!existsSync(file)) throw new Error(`${id} is no loose object`);
  return file;
}

/** A module of Python that can speak to the network, unlike every other one. */
export function net(name: string): string {
  return `import httpx\n\n\ndef send_${name}(order_of_${name}):\n    return httpx.post("https://${name}.example", json=order_of_${name})\n`;
}

/** As `net`, and can do nothing. */
export function pure(name: string): string {
  return `def total_${name}(orders_of_${name}):\n    count_of_${name} = len(orders_of_${name})\n    return count_of_${name} + 1\n`;
}

/** As `net`, for starting processes. */
export function proc(name: string): string {
  return `import subprocess\n\n\ndef start_${name}(words_of_${name}):\n    return subprocess.run(words_of_${name})\n`;
}
