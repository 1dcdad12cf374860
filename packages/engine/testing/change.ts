import { rmSync } from "node:fs";
import path from "node:path";
import { beforeAll } from "vitest";
import { checkChange, diffOfChange } from "../index.ts";
import type { ChangeOptions, DiffReport, Report } from "../index.ts";
import { NOW, lines } from "./check.ts";
import { addFiles, git, makeTree } from "./tree.ts";
import type { Files } from "./tree.ts";
import { buildWorker } from "./worker.ts";

/** Content by path; null deletes the file. */
export type Edits = Readonly<Record<string, string | Buffer | null>>;

export interface ChangeTester {
  /** Judges the working tree of a repository against `main`. */
  readonly check: (root: string, options?: Partial<ChangeOptions>) => Promise<Report>;
  readonly diff: (root: string, options?: Partial<ChangeOptions>) => Promise<DiffReport>;
  /** A repository with `base` committed on `main`, and `edits` committed on a branch from there; judged as a change. */
  readonly changed: (base: Files, edits: Edits, options?: Partial<ChangeOptions>) => Promise<Report>;
  /** The findings of such a change, as `lines` shows them. */
  readonly found: (base: Files, edits: Edits, options?: Partial<ChangeOptions>) => Promise<string[]>;
}

/** Checks changes with a worker built from the sources, once a suite. */
export function changeTester(suite: string): ChangeTester {
  let worker: URL;
  beforeAll(async () => {
    worker = await buildWorker(suite);
  });
  const full = (root: string, more: Partial<ChangeOptions> = {}): ChangeOptions => ({ version: "1.2.3", worker, now: NOW, cache: null, cwd: root, base: "main", ...more });
  const check: ChangeTester["check"] = (root, more) => checkChange(full(root, more));
  const changed: ChangeTester["changed"] = (base, edits, more) => check(branched(base, edits), more);
  return { check, changed, diff: (root, more) => diffOfChange(full(root, more)), found: async (base, edits, more) => lines((await changed(base, edits, more)).findings) };
}

/** A repository whose branch `topic` is checked out, with `edits` committed on it; `main` holds `base`. */
export function branched(base: Files, edits: Edits): string {
  const root = makeTree(base);
  git(root, "init", "--quiet", "--initial-branch=main");
  commit(root, "base");
  git(root, "checkout", "--quiet", "-b", "topic");
  edit(root, edits);
  commit(root, "change");
  return root;
}

/** Writes and deletes files of a working tree. */
export function edit(root: string, edits: Edits): void {
  for (const [name, content] of Object.entries(edits)) {
    if (content === null) rmSync(path.join(root, name), { recursive: true });
    else addFiles(root, { [name]: content });
  }
}

export function commit(root: string, message: string): string {
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--allow-empty", "--message", message);
  return git(root, "rev-parse", "HEAD").trim();
}
