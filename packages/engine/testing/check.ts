import { beforeAll } from "vitest";
import { checkTree } from "../index.ts";
import type { CheckOptions, Report } from "../index.ts";
import { makeTree } from "./tree.ts";
import type { Files } from "./tree.ts";
import { buildWorker } from "./worker.ts";

/** The clock of the tests. */
export const NOW = new Date("2026-06-15T12:00:00Z");

export interface Checker {
  readonly options: () => Pick<CheckOptions, "version" | "worker" | "now" | "cache">;
  readonly check: (root: string, options?: Partial<CheckOptions>) => Promise<Report>;
  /** The findings of a fresh tree, as `lines` shows them. */
  readonly found: (files: Files, options?: Partial<CheckOptions>) => Promise<string[]>;
}

/** Checks trees with a worker built from the sources, once a suite. */
export function checker(suite: string): Checker {
  let worker: URL;
  beforeAll(async () => {
    worker = await buildWorker(suite);
  });
  const options: Checker["options"] = () => ({ version: "1.2.3", worker, now: NOW, cache: null });
  const check: Checker["check"] = (root, more = {}) => checkTree({ ...options(), cwd: root, ...more });
  return { options, check, found: async (files, more) => lines((await check(makeTree(files), more)).findings) };
}

/** Findings as `path:line:column severity rule (capability)`. */
export function lines(findings: Report["findings"]): string[] {
  return findings.map(({ path, start, severity, rule, capability }) => `${path}:${start.line}:${start.column} ${severity} ${rule}${capability === null ? "" : ` (${capability})`}`);
}
