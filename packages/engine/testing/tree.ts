import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";

/** Content by path relative to the root. */
export type Files = Readonly<Record<string, string | Buffer>>;

const made: string[] = [];

afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A fresh folder outside of any repository, removed when the suite ends. */
export function makeTree(files: Files): string {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "agentgate-")));
  made.push(root);
  addFiles(root, files);
  return root;
}

export function addFiles(root: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), content);
  }
}

/** A real repository with the files in its index. */
export function makeRepository(files: Files): string {
  const root = makeTree(files);
  git(root, "init", "--quiet");
  git(root, "add", "--all");
  return root;
}

export function git(root: string, ...args: readonly string[]): string {
  const config = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  const env = { PATH: process.env["PATH"], GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  return execFileSync("git", [...config, ...args], { cwd: root, env, encoding: "utf8" });
}
