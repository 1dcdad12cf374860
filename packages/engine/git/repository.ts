import { lstatSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import type { GateError } from "../errors.ts";
import { BlobReader } from "./blobs.ts";
import type { ObjectFormat } from "./blob-id.ts";
import { readConfiguration } from "./configuration.ts";
import type { Configuration } from "./configuration.ts";
import { foreignOwner, gitFailed, gitTimedOut, noRepository, noWorkTree, oldGit, startProblem } from "./problems.ts";
import { GitTimeout, runGit } from "./run.ts";
import type { GitOptions, GitOutput } from "./run.ts";

/**
 * Milliseconds that one git command may take. A command of the gate reads lists or ancestry, which takes git seconds in
 * the largest public repositories; ten times that is a hang.
 */
const TIMEOUT = 120_000;

/** A repository whose working tree is `root`, asked through git only. */
export interface Repository {
  /** Absolute, with no symbolic link in it: the top of the working tree. */
  readonly root: string;
  readonly format: ObjectFormat;
  /** Where this working tree's own state lies, and what it shares with other worktrees. Both absolute. */
  readonly gitFolder: string;
  readonly commonFolder: string;
  readonly shallow: boolean;
  /** The remote that a partial clone left objects at; null where the clone is not partial. */
  readonly promisor: string | null;
  readonly configuration: Configuration;
  /** Reads objects; its process is started when it is first asked. */
  readonly blobs: BlobReader;
  /**
   * Runs git here. No content filter runs, and a hook's own index is used. Throws a GateError where git is missing or
   * hangs; its status is the caller's to judge.
   */
  git(args: readonly string[], options?: Pick<GitOptions, "input" | "outputLimit">): Promise<GitOutput>;
  /** Ends what is still running. */
  close(): void;
}

/**
 * Opens the repository whose working tree has its top at `root` (as `findRoot` gives it). Throws a GateError where there
 * is none, where it belongs to somebody else, has no working tree here, or git is missing or hangs.
 * `timeout`: milliseconds for one command; default 120,000.
 */
export async function openRepository(root: string, { timeout = TIMEOUT }: { readonly timeout?: number } = {}): Promise<Repository> {
  const ask = (args: readonly string[], options: GitOptions = {}): Promise<GitOutput> => orGateError(runGit(root, args, { ...options, timeout }), args[0]!, timeout);
  const [facts, folder, configured] = await Promise.all([
    ask(["rev-parse", "--show-object-format", "--is-shallow-repository", "--is-inside-work-tree", "--show-prefix"]),
    ask(["rev-parse", "--absolute-git-dir"]),
    ask(["config", "--list", "-z"]),
  ]);
  if (facts.status !== 0) throw openingProblem(root, facts.stderr);
  const [format, shallow, inside, prefix] = facts.stdout.toString("utf8").split("\n");
  if (format !== "sha1" && format !== "sha256") throw oldGit();
  if (inside !== "true" || prefix !== "") throw noWorkTree(root);
  if (folder.status !== 0) throw openingProblem(root, folder.stderr);
  if (configured.status !== 0) throw gitFailed("config", configured.stderr);
  const gitFolder = lineOf(folder.stdout);
  const configuration = readConfiguration(configured.stdout);
  const own: GitOptions = { config: settingsFor(root, configuration), environment: environmentFor(root, gitFolder, configuration) };
  const promisor = configuration.remotes.find((remote) => remote.promisor)?.name ?? null;
  const blobs = new BlobReader(root, format, own, timeout, promisor);
  return {
    root, format, gitFolder, configuration, blobs, promisor,
    commonFolder: commonFolderOf(gitFolder),
    shallow: shallow === "true",
    git: (args, options) => ask(args, { ...own, ...options }),
    close: () => { blobs.close(); },
  };
}

async function orGateError(output: Promise<GitOutput>, command: string, timeout: number): Promise<GitOutput> {
  try {
    return await output;
  } catch (error) {
    if (error instanceof GitTimeout) throw gitTimedOut(command, timeout);
    throw startProblem(error);
  }
}

function openingProblem(root: string, stderr: string): GateError {
  if (/dubious ownership|unsafe repository/.test(stderr)) return foreignOwner(root);
  return /not a git repository|invalid gitfile/.test(stderr) ? noRepository(root, stderr) : gitFailed("rev-parse", stderr);
}

function lineOf(output: Buffer): string {
  return output.toString("utf8").replace(/\n$/, "");
}

/** A worktree names the shared folder in a file of its own (gitrepository-layout manual page). */
function commonFolderOf(gitFolder: string): string {
  try {
    return path.resolve(gitFolder, readFileSync(path.join(gitFolder, "commondir"), "utf8").trim());
  } catch {
    return gitFolder;
  }
}

/**
 * Filters are emptied by name, as there is no switch for all of them. Whether names differ by case is asked of the file
 * system: where a repository claims that they do not, git would hide an untracked file behind a tracked one.
 */
function settingsFor(root: string, { filters }: Configuration): string[] {
  const settings = [`core.ignoreCase=${foldsCase(root) ? "true" : "false"}`];
  for (const name of filters.filter((filter) => !filter.includes("="))) {
    settings.push(...FILTER_KEYS.map(([key, value]) => `filter.${name}.${key}=${value}`));
  }
  return settings;
}

const FILTER_KEYS = [["clean", ""], ["smudge", ""], ["process", ""], ["required", "false"]] as const;

/** A name with `=` in it cannot be said on the command line, but in variables (git-config manual page, GIT_CONFIG_COUNT). */
function environmentFor(root: string, gitFolder: string, { filters }: Configuration): Record<string, string> {
  const environment: Record<string, string> = {};
  let count = Number.parseInt(process.env["GIT_CONFIG_COUNT"] ?? "0", 10) || 0;
  for (const name of filters.filter((filter) => filter.includes("="))) {
    for (const [key, value] of FILTER_KEYS) {
      environment[`GIT_CONFIG_KEY_${count}`] = `filter.${name}.${key}`;
      environment[`GIT_CONFIG_VALUE_${count}`] = value;
      count++;
    }
  }
  if (count > 0) environment["GIT_CONFIG_COUNT"] = String(count);
  const index = hookIndex(root, gitFolder);
  if (index !== null) environment["GIT_INDEX_FILE"] = index;
  return environment;
}

/**
 * The index that a hook of `git commit -a` or `git commit <path>` is given: what is about to be committed stands there
 * and not yet in the repository's own. Taken only where it lies beside that one.
 */
function hookIndex(root: string, gitFolder: string): string | null {
  const given = process.env["GIT_INDEX_FILE"];
  if (given === undefined || given === "") return null;
  const index = path.resolve(root, given);
  try {
    if (realpathSync(path.dirname(index)) !== realpathSync(gitFolder)) return null;
    return lstatSync(index).isFile() ? index : null;
  } catch {
    return null;
  }
}

/** Whether the file system at a root takes names that differ by case only for one. */
export function foldsCase(root: string): boolean {
  const [plain, other] = [".git", ".GIT"].map((name) => lstatSync(path.join(root, name), { throwIfNoEntry: false }));
  return plain?.ino === other?.ino && plain?.dev === other?.dev;
}
