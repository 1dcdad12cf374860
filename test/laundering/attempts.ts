import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { exitCodeOf } from "@agentgate/engine";
import type { ChangeOptions, Report } from "@agentgate/engine";
import { changeTester, commit, git, makeTree } from "@agentgate/engine/testing";
import { beforeAll, expect, it } from "vitest";

/** A symbolic link as the content of a path. */
export interface Link {
  readonly to: string;
}

/** An executable file as the content of a path. */
export interface Executable {
  readonly executable: string;
}

/** Content by path; null deletes what is there. */
export type Contents = Readonly<Record<string, string | Buffer | Link | Executable | null>>;

/** What is done to a repository: files written and everything committed, or anything else. */
export type Step = Contents | ((root: string) => void);

interface Judged {
  readonly name: string;
  /** On `main`. */
  readonly base?: Contents;
  /** Steps on the branch `topic`, each committed. A function commits by itself. */
  readonly patch: Step | readonly Step[];
  readonly options?: Partial<ChangeOptions>;
}

export interface Attempt extends Judged {
  /** Findings as `rule path`, each an error; as `warning rule path` where the design asks for no more. */
  readonly reported?: readonly string[];
  /** Paths that must be listed as not judged, where the design asks for no more. */
  readonly unscanned?: readonly string[];
  /** What the report's error says, where the gate must refuse to judge. */
  readonly refused?: RegExp;
}

export interface HonestChange extends Judged {
  /** Who permits what the change brings, as `path owner`. */
  readonly permitted?: readonly string[];
}

/** Whether a change of plain contents is judged as it lies in the working tree, or as a commit, which takes less time. */
type Where = "worktree" | "commit";

type Tester = (judged: Judged) => Promise<Report>;

function tester(suite: string, where: Where): Tester {
  const { check } = changeTester(suite);
  return async ({ base = {}, patch, options }) => {
    const steps = Array.isArray(patch) ? (patch as readonly Step[]) : [patch as Step];
    const plain = steps.filter((step): step is Contents => typeof step !== "function");
    if (where === "commit" && plain.length === steps.length) return check(imported(base, plain), { jobs: 1, head: "topic", ...options });
    return check(made(base, steps), { jobs: 1, ...options });
  };
}

function made(base: Contents, steps: readonly Step[]): string {
  const root = makeTree({});
  git(root, "init", "--quiet", "--initial-branch=main");
  write(root, base);
  commit(root, "base");
  git(root, "checkout", "--quiet", "-b", "topic");
  for (const step of steps) {
    if (typeof step === "function") step(root);
    else {
      write(root, step);
      commit(root, "change");
    }
  }
  return root;
}

/** As `made`, with nothing checked out. */
function imported(base: Contents, steps: readonly Contents[]): string {
  const root = makeTree({});
  git(root, "init", "--quiet", "--initial-branch=topic");
  const commits = [base, ...steps].flatMap((contents, index) => [
    Buffer.from(`commit refs/heads/${index === 0 ? "main" : "topic"}\nmark :${index + 1}\ncommitter Test <test@example.com> ${1_700_000_000 + index} +0000\ndata 6\nchange\n${index === 0 ? "" : `from :${index}\n`}`),
    ...Object.entries(contents).flatMap(([name, content]) => imports(`"${name.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`, content)),
  ]);
  execFileSync("git", ["fast-import", "--quiet"], { cwd: root, input: Buffer.concat(commits) });
  return root;
}

function imports(name: string, content: NonNullable<Contents[string]> | null): Buffer[] {
  if (content === null) return [Buffer.from(`D ${name}\n`)];
  const plain = typeof content === "string" || Buffer.isBuffer(content);
  const [mode, data] = plain ? ["100644", content] : "to" in content ? ["120000", content.to] : ["100755", content.executable];
  const bytes = Buffer.from(data);
  return [Buffer.from(`M ${mode} inline ${name}\ndata ${bytes.length}\n`), bytes, Buffer.from("\n")];
}

/** Puts each content in the place of what is there. */
export function write(root: string, contents: Contents): void {
  for (const [name, content] of Object.entries(contents)) {
    const file = path.join(root, name);
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined && !(typeof content === "string" || Buffer.isBuffer(content))) rmSync(file, { recursive: true });
    if (content === null) continue;
    mkdirSync(path.dirname(file), { recursive: true });
    if (typeof content === "string" || Buffer.isBuffer(content)) replace(file, content);
    else if ("to" in content) symlinkSync(content.to, file);
    else {
      writeFileSync(file, content.executable);
      chmodSync(file, 0o755);
    }
  }
}

function replace(file: string, content: string | Buffer): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) rmSync(file);
  writeFileSync(file, content);
}

/** One test for each attempt: nothing of the patch gets past the gate. */
export function allReported(suite: string, attempts: readonly Attempt[], where: Where = "commit"): void {
  const judge = tester(suite, where);
  it.concurrent.each(attempts.map((attempt) => [attempt.name, attempt] as const))("reports %s", async (_, attempt) => {
    expectReported(await judge(attempt), attempt);
  });
}

/** Code that hides what it does, in a module that was nearly empty. */
export interface Hidden {
  readonly name: string;
  readonly ending: ".py" | ".ts" | ".tsx";
  readonly text: string;
  readonly rule: string;
}

/** One change with a module for each; none of them imports another one. */
export function allFound(suite: string, hidden: readonly Hidden[]): void {
  const judge = tester(suite, "commit");
  const paths = hidden.map(({ ending }, index) => `src/m${index}${ending}`);
  let found: ReadonlySet<string>;
  beforeAll(async () => {
    const base = Object.fromEntries(hidden.map(({ ending }, index) => [paths[index]!, ending === ".py" ? "x = 1\n" : "export const x = 1;\n"]));
    const report = await judge({ name: suite, base, patch: Object.fromEntries(hidden.map(({ text }, index) => [paths[index]!, text])) });
    found = new Set(report.findings.filter(({ severity }) => severity === "error").map(({ rule, path: at }) => `${rule} ${at}`));
  });
  it.each(hidden.map((one, index) => [one.name, `${one.rule} ${paths[index]!}`] as const))("reports %s", (_, expected) => {
    expect(found).toContain(expected);
  });
}

/** One failing test for each attempt that gets through, so that the list shrinks with every repair. */
export function knownMisses(suite: string, attempts: readonly Attempt[]): void {
  const judge = tester(suite, "commit");
  for (const attempt of attempts) {
    it.concurrent.fails(`does not report yet: ${attempt.name}`, async () => {
      expectReported(await judge(attempt), attempt);
    });
  }
}

function expectReported(report: Report, { reported = [], unscanned = [], refused }: Attempt): void {
  if (refused !== undefined) {
    expect(report.error?.message).toMatch(refused);
    return;
  }
  expect(report.error).toBeNull();
  const found = report.findings.map(({ severity, rule, path: at }) => `${severity === "error" ? "" : "warning "}${rule} ${at}`);
  expect(found).toEqual(expect.arrayContaining([...reported]));
  expect(report.unscanned.map(({ path: at }) => at)).toEqual(expect.arrayContaining([...unscanned]));
  const errors = reported.some((one) => !one.startsWith("warning "));
  expect(exitCodeOf(report, errors ? "error" : "warning")).toBe(reported.length > 0 ? 1 : 0);
}

/** One test for each change that asks for nothing new. */
export function allSilent(suite: string, changes: readonly HonestChange[]): void {
  const judge = tester(suite, "commit");
  it.concurrent.each(changes.map((change) => [change.name, change] as const))("is silent about %s", async (_, change) => {
    const report = await judge(change);
    expect(report.error).toBeNull();
    expect(report.findings.map(({ rule, path: at, message }) => `${rule} ${at}: ${message}`)).toEqual([]);
    expect(report.permitted.map(({ path: at, by }) => `${at} ${by.owner}`)).toEqual(expect.arrayContaining([...change.permitted ?? []]));
  });
}

/** A module that newly loads an excluded one, which has stood there. Python runs tests/evil.py, JavaScript tests/evil.cjs or .ts. */
export function loads(name: string, file: string, text: string, ...reported: readonly string[]): Attempt {
  const base = {
    [file]: file.endsWith(".py") ? "x = 1\n" : "module.exports = 1;\n", "tests/__init__.py": "",
    "tests/evil.py": "import subprocess\n\n\ndef run(x):\n    return subprocess.run(x)\n",
    "tests/evil.cjs": 'module.exports = require("child_process").execSync("x");\n',
    "tests/evil.ts": 'import { execSync } from "node:child_process";\n\nexport const run = (x: string) => execSync(x);\n',
  };
  return { name: `an excluded module loaded by ${name}`, base, patch: { [file]: text }, reported: reported.length > 0 ? reported : [`no-invented-io ${file}`] };
}
