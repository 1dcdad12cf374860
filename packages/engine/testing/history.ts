import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { addFiles, git, makeTree } from "./tree.ts";
import type { Files } from "./tree.ts";

/** A repository on the branch `main` with one commit that holds the files. */
export function makeHistory(files: Files = { "start.txt": "start\n" }, ...options: readonly string[]): string {
  const root = makeTree({});
  git(root, "init", "--quiet", "--initial-branch=main", ...options);
  commitFiles(root, files);
  return root;
}

/** Commits the files on top of what is there; gives the id of the commit. */
export function commitFiles(root: string, files: Files, message = "change"): string {
  addFiles(root, files);
  git(root, "add", "--all", "--force");
  git(root, "commit", "--quiet", "--allow-empty", "--message", message);
  return idOf(root, "HEAD");
}

/** Puts commits that only change `grown.txt` on top of a branch that is not checked out, a hundred of them in a moment. */
export function growBranch(root: string, branch: string, count: number): void {
  const start = Number(git(root, "show", "--no-patch", "--format=%ct", branch));
  const commits = Array.from({ length: count }, (_, index) => [
    `commit refs/heads/${branch}`, `committer Test <test@example.com> ${start + index + 1} +0000`, "data 4", "grow",
    ...index === 0 ? [`from refs/heads/${branch}^0`] : [], "M 100644 inline grown.txt", `data ${String(index).length}`, String(index), "",
  ].join("\n"));
  execFileSync("git", ["fast-import", "--quiet"], { cwd: root, input: commits.join("\n") });
}

export function idOf(root: string, revision: string): string {
  return git(root, "rev-parse", "--verify", revision).trim();
}

/** A clone through a protocol that honours `--depth` and `--filter`, which a plain path does not. */
export function cloneOf(root: string, ...options: readonly string[]): string {
  git(root, "config", "uploadpack.allowFilter", "true");
  git(root, "config", "uploadpack.allowAnySHA1InWant", "true");
  const clone = makeTree({});
  git(clone, "clone", "--quiet", ...options, pathToFileURL(root).href, ".");
  return clone;
}
