import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import path from "node:path";
import { findGit } from "./executable.ts";

/**
 * Variables of git that are kept: the configuration of whoever runs the gate, and where git itself lies. The others are
 * set in hooks and by wrappers, and would point git at another repository, other objects or other output.
 */
const KEPT = /^GIT_(?:CONFIG_(?:NOSYSTEM|SYSTEM|GLOBAL|COUNT|KEY_\d+|VALUE_\d+|PARAMETERS)|EXEC_PATH|DISCOVERY_ACROSS_FILESYSTEM)$/;

/** Git takes this name on every system. */
const devNull = "/dev/null";

/** Nothing that a repository configures may run or change what git answers; see the git-config manual page for each. */
const CONFIGURATION = [
  "core.quotePath=off", "core.fsmonitor=false", `core.hooksPath=${devNull}`, "core.pager=cat", `core.attributesFile=${devNull}`,
  // Every change of a file must show, whatever a repository says about clocks, and no cache may hide a new one.
  "core.checkStat=default", "core.trustctime=true", "core.untrackedCache=false",
  // Ancestry is read from commits, not from a file about them.
  "core.commitGraph=false",
  "submodule.recurse=false", "protocol.allow=never", "gc.auto=0", "maintenance.auto=false",
];

export interface GitOutput {
  readonly status: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** Git was ended because it wrote more than `outputLimit`. */
  readonly cut?: true;
}

export interface GitOptions {
  /** Milliseconds until git is ended and the promise is rejected with a `GitTimeout`. Default: no limit. */
  readonly timeout?: number;
  /** Bytes of output after which git is ended. Default: no limit. */
  readonly outputLimit?: number;
  /** What git reads from its standard input. Default: nothing. */
  readonly input?: Buffer;
  /** Further configuration as `key=value`; it wins over all other. */
  readonly config?: readonly string[];
  /** Further variables; they win over all other. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Git did not end in time. */
export class GitTimeout extends Error {
  readonly code = "ETIMEDOUT";
}

/**
 * Runs git in the repository at `root` and nowhere else: a broken `.git` does not send it to a repository further up.
 * Rejects only where git cannot be started (`code` is ENOENT where there is none) or takes too long.
 */
export function runGit(root: string, args: readonly string[], options: GitOptions = {}): Promise<GitOutput> {
  return new Promise((resolve, reject) => {
    const child = startGit(root, args, { ...options, isAsked: options.input !== undefined });
    const stdout = collect(child, "stdout");
    const cut = watchLength(child, options.outputLimit);
    const stderr = collect(child, "stderr");
    const timer = options.timeout === undefined ? undefined : setTimeout(() => {
      endGit(child);
      reject(new GitTimeout(`git ${args[0] ?? ""} took longer than ${options.timeout} ms`));
    }, options.timeout);
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on("close", (status) => {
      clearTimeout(timer);
      resolve({ status: status ?? 128, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString("utf8"), ...(cut() ? { cut: true as const } : {}) });
    });
    // Git may end before it has read everything; its status says why.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(options.input);
  });
}

/**
 * Starts git with pipes on its streams. Throws where there is none (`code` is ENOENT). Not asked, it has no standard input:
 * even an empty write to a process that is over may end ours.
 */
export function startGit(root: string, args: readonly string[], { isAsked = true, ...options }: Omit<GitOptions, "input" | "timeout"> & { readonly isAsked?: boolean } = {}): ChildProcess {
  const configuration = [...CONFIGURATION, ...options.config ?? []].flatMap((setting) => ["-c", setting]);
  const env = { ...environmentFor(root), ...options.environment };
  return spawn(findGit(root), [...configuration, ...args], { cwd: root, env, stdio: [isAsked ? "pipe" : "ignore", "pipe", "pipe"], windowsHide: true });
}

/** Ends git and lets go of its pipes, which a process that it started may hold open. */
export function endGit(child: ChildProcess): void {
  child.kill("SIGKILL");
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
}

function collect(child: ChildProcess, stream: "stdout" | "stderr"): Buffer[] {
  const chunks: Buffer[] = [];
  child[stream]?.on("data", (chunk: Buffer) => chunks.push(chunk));
  return chunks;
}

/** Ends git once it has written too much; the answer says whether it has. */
function watchLength(child: ChildProcess, limit: number | undefined): () => boolean {
  let length = 0;
  if (limit === undefined) return () => false;
  child.stdout?.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length > limit) child.kill("SIGKILL");
  });
  return () => length > limit;
}

function environmentFor(root: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.toUpperCase().startsWith("GIT_") || KEPT.test(name));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: "C",
    GIT_CEILING_DIRECTORIES: path.dirname(root),
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_GRAFT_FILE: devNull,
    GIT_NO_LAZY_FETCH: "1",
    // A git that does not know the line above may still not reach any other repository.
    GIT_ALLOW_PROTOCOL: "",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_PAGER: "cat",
  };
}

/** The pieces of `-z` output. */
export function splitAtNul(output: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  let start = 0;
  for (let end = output.indexOf(0); end !== -1; end = output.indexOf(0, start)) {
    pieces.push(output.subarray(start, end));
    start = end + 1;
  }
  return pieces;
}
