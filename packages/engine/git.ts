import { spawn } from "node:child_process";
import path from "node:path";

/** Set in hooks and by wrappers; they would point git at another repository than the judged one. */
const FOREIGN = [
  "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_NAMESPACE",
  "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_REPLACE_REF_BASE", "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE",
  "GIT_EXTERNAL_DIFF", "GIT_TRACE", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_CONFIG",
];

/** Nothing that a repository configures may run, and names come as they are. */
const OPTIONS = ["-c", "core.quotePath=off", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat"];

export interface GitOutput {
  readonly status: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/**
 * Runs git in the repository at `root` and nowhere else: a broken `.git` does not send it to a repository further up.
 * Rejects only where git cannot be started.
 */
export function runGit(root: string, args: readonly string[]): Promise<GitOutput> {
  const child = spawn("git", [...OPTIONS, ...args], { cwd: root, env: environment(root), stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => {
      resolve({ status: status ?? 128, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString("utf8") });
    });
  });
}

function environment(root: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !FOREIGN.includes(name));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: "C",
    GIT_CEILING_DIRECTORIES: path.dirname(root),
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
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
