import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const workspace = fileURLToPath(new URL("../..", import.meta.url));

/** The versions of ESLint that the plugin is tested with: the newest, and the oldest that it works with. */
export const VERSIONS = { "ESLint 10": "node_modules/eslint", "ESLint 9.39": "test/eslint-9/node_modules/eslint" } as const;
export type Version = keyof typeof VERSIONS;

/** Packages of a project beside ESLint and the plugin. */
export interface ProjectOptions {
  readonly version?: Version;
  /** Names of installed packages. Default: the TypeScript parser. */
  readonly packages?: readonly string[];
}

const made: string[] = [];

/** Removes every project; for `afterAll`. */
export function removeProjects(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A project of its own with the built plugin in it, as an installation would put it there. */
export function makeProject(files: Readonly<Record<string, string>>, options: ProjectOptions = {}): string {
  const folder = mkdtempSync(path.join(tmpdir(), "agentgate-eslint-"));
  made.push(folder);
  const link = (name: string, target: string): void => {
    const place = path.join(folder, "node_modules", name);
    mkdirSync(path.dirname(place), { recursive: true });
    symlinkSync(path.join(workspace, target), place, "dir");
  };
  link("eslint", VERSIONS[options.version ?? "ESLint 10"]);
  link("eslint-plugin-agentgate", "packages/eslint-plugin");
  for (const name of options.packages ?? ["@typescript-eslint/parser"]) link(name, `node_modules/${name}`);
  writeFileSync(path.join(folder, "package.json"), '{ "name": "project", "private": true, "type": "module" }\n');
  write(folder, files);
  return folder;
}

export function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}

/** Makes a repository of the folder; with all that lies in it as the first commit, unless `files` is false. */
export function makeRepository(folder: string, { files = true }: { readonly files?: boolean } = {}): void {
  writeFileSync(path.join(folder, ".gitignore"), "node_modules\n");
  const git = (...args: string[]): void => { execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: folder, stdio: "ignore" }); };
  git("init", "-q");
  if (!files) return;
  git("add", "-A");
  git("commit", "-qm", "first");
}

export interface LintRun {
  readonly status: number;
  /** `path:line:column rule` of each message, sorted by file. */
  readonly found: readonly string[];
  readonly messages: readonly { readonly path: string; readonly ruleId: string | null; readonly message: string; readonly line: number; readonly column: number; readonly severity: number }[];
  readonly stdout: string;
  readonly stderr: string;
}

interface Result {
  readonly filePath: string;
  readonly messages: readonly { readonly ruleId: string | null; readonly message: string; readonly line?: number; readonly column?: number; readonly severity: number }[];
}

/** Runs the project's own ESLint by its command. */
export async function eslint(folder: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<LintRun> {
  const { status, stdout, stderr } = await run(folder, ["node_modules/eslint/bin/eslint.js", "--format", "json", ...args], environment);
  const results = stdout.startsWith("[") ? (JSON.parse(stdout) as Result[]) : [];
  const messages = results.flatMap(({ filePath, messages: all }) => all.map(({ ruleId, message, line = 0, column = 0, severity }) => ({ path: path.relative(folder, filePath).split(path.sep).join("/"), ruleId, message, line, column, severity })));
  return { status, stdout, stderr, messages, found: messages.map(({ path: file, line, column, ruleId }) => `${file}:${line}:${column} ${ruleId ?? "fatal"}`) };
}

function run(folder: string, args: readonly string[], environment: Readonly<Record<string, string>>): Promise<{ status: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...args], { cwd: folder, encoding: "utf8", maxBuffer: 64 * 1024 * 1024, env: { ...process.env, ...environment } }, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ status, stdout, stderr });
    });
  });
}
