import { branched, makeTree } from "@agentgate/engine/testing";
import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { eslint, makeProject, removeProjects } from "../eslint/projects.ts";
import { agentgate } from "./harness.ts";

afterAll(removeProjects);

const PRISMA = {
  "node_modules/@prisma/client/package.json": '{ "name": "@prisma/client", "types": "index.d.ts" }',
  "node_modules/@prisma/client/index.d.ts": "export interface UserDelegate { create(row: object): Promise<void>; findMany(): Promise<object[]> }\nexport declare class PrismaClient { user: UserDelegate }\n",
};
const CONFIG = '{ "compilerOptions": { "strict": true, "module": "nodenext", "target": "es2022" }, "include": ["src"] }';
const CONTEXT = 'import type { PrismaClient } from "@prisma/client";\nexport interface Bus { post(address: string): void }\nexport interface Context { readonly store: PrismaClient; readonly session: Bus }\n';
const SAVE = 'import type { Context } from "./context.js";\nexport async function save(context: Context): Promise<void> {\n  await context.store.user.create({});\n  context.session.post("https://a.example/b");\n}\n';
const TREE = {
  ...PRISMA, "tsconfig.json": CONFIG, "agentgate.yml": "version: 1\ngates:\n  - name: writeGate\n",
  "src/gate.ts": "export async function writeGate<T>(run: () => Promise<T>): Promise<T> {\n  return run();\n}\n",
  "src/context.ts": CONTEXT, "src/save.ts": SAVE,
};
/** A type that nobody can wait for, and a receiver that has it beside one that a type tells. */
const ENDLESS = `import type { Context } from "./context.js";
type Grown<T extends any[], N extends number> = T["length"] extends N ? T : Grown<[...T, 1], N> | Grown<[...T, 2], N>;
type Large = Grown<[], 22>;
export function all(large: Large): void {
  large.at(0);
}
export async function save(context: Context): Promise<void> {
  await context.store.user.create({});
}
`;
const ONLY = ["--rule", "no-invented-io=off", "--format", "json", "--no-cache"];

interface Found {
  readonly rule: string;
  readonly path: string;
  readonly start: { readonly line: number };
  readonly severity: string;
  readonly message: string;
  readonly related: readonly { readonly message: string }[];
}

function check(folder: string, ...args: string[]): { readonly found: string[]; readonly all: readonly Found[]; readonly stderr: string } {
  const { stdout, stderr } = agentgate(folder, ["check", ...ONLY, ...args]);
  const { findings } = JSON.parse(stdout) as { findings: Found[] };
  return { found: findings.map((one) => `${one.path}:${one.start.line} ${one.severity} ${one.rule}`), all: findings, stderr };
}

const BY_NAME = ["src/save.ts:4 warning no-ungated-write"];
const BY_TYPE = ["src/save.ts:3 error no-ungated-write"];

describe("--types", () => {
  it("finds a client by the type of a member, and lets go what only has the name of one", () => {
    const folder = makeTree(TREE);
    expect(check(folder).found).toEqual(BY_NAME);
    expect(check(folder, "--types").found).toEqual(BY_TYPE);
  });

  it("says of what is told by its names that types would settle it, and no more once they were asked", () => {
    const any = TREE["src/save.ts"].replace("context: Context", "context: any");
    const folder = makeTree({ ...TREE, "src/save.ts": any });
    expect(check(folder).all.map(({ related }) => related.map(({ message }) => message))).toEqual([["session.post is told by its names alone: --types would settle what it is"]]);
    expect(check(folder, "--types").all.map(({ related }) => related)).toEqual([[]]);
  });

  it("says nothing of types in findings of Python and JavaScript", () => {
    const folder = makeTree({ "agentgate.yml": TREE["agentgate.yml"], "a.py": "def save(session):\n    session.post('https://a.example', json={})\n", "b.js": "export function save(session) {\n  session.post('https://a.example', {});\n}\n", "src/gate.ts": TREE["src/gate.ts"] });
    expect(check(folder).all.map(({ related }) => related)).toEqual([[], []]);
    const { stderr, all } = check(folder, "--types");
    expect(all).toHaveLength(2);
    expect(stderr).toContain("1 TypeScript file is in no tsconfig.json, and it was judged without types: src/gate.ts.");
    expect(stderr).toContain("1 JavaScript file is in no tsconfig.json with allowJs, and it was judged without types: b.js.");
  });

  it("takes the types of JavaScript where its configuration does, beside TypeScript of the same name too", () => {
    const save = '/** @param {import("./context.js").Context} context */\nexport async function save(context) {\n  await context.store.user.create({});\n}\n';
    const files = { ...TREE, "src/save.js": save, "src/save.ts": "export {};\n", "src/more.js": save };
    const allowing = check(makeTree({ ...files, "tsconfig.json": CONFIG.replace('"strict"', '"checkJs": true, "strict"') }), "--types");
    expect(allowing.found).toEqual(["src/more.js:3 error no-ungated-write", "src/save.js:3 error no-ungated-write"]);
    expect(allowing.stderr).not.toContain("without types");
    const without = check(makeTree(files), "--types");
    expect(without.found).toEqual([]);
    expect(without.stderr).toContain("2 JavaScript files are in no tsconfig.json with allowJs, and they were judged without types: src/more.js, src/save.js.");
  });

  it("decides what a loop repeats", () => {
    const loop = 'import type { Context } from "./context.js";\nexport async function run({ store, session }: Context): Promise<void> {\n  for (;;) {\n    try { await store.user.create({}); } catch { continue; }\n  }\n}\nexport function ring({ session }: Context): void {\n  for (;;) {\n    try { session.post("https://a.example/b"); } catch { continue; }\n  }\n}\n';
    const folder = makeTree({ ...TREE, "agentgate.yml": "version: 1\n", "src/save.ts": loop });
    expect(check(folder, "--rule", "no-ungated-write=off").found).toEqual(["src/save.ts:8 error no-unbounded-loop"]);
    expect(check(folder, "--rule", "no-ungated-write=off", "--types").found).toEqual(["src/save.ts:3 error no-unbounded-loop"]);
  });

  it("takes the types of a class above, of narrowed and of wrapped ones", () => {
    const source = `import type { PrismaClient } from "@prisma/client";
import { Base } from "./base.js";
export class Own extends Base {
  async add(): Promise<void> {
    await this.store.user.create({});
  }
}
export type Within = Omit<PrismaClient, "never">;
export interface Holder<T> { readonly held?: T | null }
export async function within(it: Holder<Within>): Promise<void> {
  if (it.held) await it.held.user.create({});
}
`;
    const folder = makeTree({ ...TREE, "src/save.ts": source, "src/base.ts": 'import type { PrismaClient } from "@prisma/client";\nexport class Base {\n  constructor(protected readonly store: PrismaClient) {}\n}\n' });
    expect(check(folder, "--types").found).toEqual(["src/save.ts:5 error no-ungated-write", "src/save.ts:11 error no-ungated-write"]);
  });

  it("reads configurations that refer to others, and those above", () => {
    const solution = { "tsconfig.json": '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }', "tsconfig.app.json": CONFIG };
    expect(check(makeTree({ ...TREE, ...solution }), "--types").found).toEqual(BY_TYPE);
    const below = Object.fromEntries(Object.entries(TREE).map(([name, text]) => [name.startsWith("src/") ? `src/deep/${name.slice(4)}` : name, text]));
    expect(check(makeTree(below), "--types").found).toEqual(BY_TYPE.map((one) => one.replace("src/", "src/deep/")));
  });

  it("reads configurations whose patterns lead to other folders, in the tree only", () => {
    const { "tsconfig.json": config, ...rest } = TREE;
    const based = { "tsconfig.json": '{ "extends": "./config/base.json" }', "config/base.json": config.replace('"src"', '"../src"') };
    expect(check(makeTree({ ...rest, ...based }), "--types").found).toEqual(BY_TYPE);
    expect(check(makeTree({ ...rest, "tsconfig.json": config.replace('"src"', '"${configDir}/src"') }), "--types").found).toEqual(BY_TYPE);
    const shared = Object.fromEntries(Object.entries(rest).map(([name, text]) => [name.replace("src/", "apps/web/"), text]));
    const above = { ...shared, "apps/web/tsconfig.json": config.replace('"src"', '".", "../../shared/**/*", "../../../**/*"'), "shared/tsconfig.json": '{ "files": [], "references": [{ "path": "../apps/web" }] }', "shared/[a]/save.ts": SAVE.replace("./context.js", "../../apps/web/context.js") };
    expect(check(makeTree(above), "--types").found).toEqual([BY_TYPE[0]!.replace("src/", "apps/web/"), BY_TYPE[0]!.replace("src/", "shared/[a]/")]);
  });

  it("names the files that no configuration has, and judges them without", () => {
    const { found, stderr } = check(makeTree({ ...TREE, "tsconfig.json": CONFIG.replace('"src"', '"src/context.ts"') }), "--types");
    expect(found).toEqual(BY_NAME);
    expect(stderr).toContain("2 TypeScript files are in no tsconfig.json, and they were judged without types: src/gate.ts, src/save.ts.");
  });

  it("loads nothing and reads nothing outside of the tree", () => {
    const outside = makeTree({ "base.json": CONFIG, ...PRISMA });
    const folder = makeTree({ ...TREE, "tsconfig.json": `{ "extends": ${JSON.stringify(path.join(outside, "base.json"))}, "compilerOptions": { "plugins": [{ "name": "./run.cjs" }] }, "include": ["src"] }`, "run.cjs": 'require("node:fs").writeFileSync("ran", "");\n' });
    expect(check(folder, "--types").found).toContain(BY_TYPE[0]);
    const { "node_modules/@prisma/client/package.json": _, "node_modules/@prisma/client/index.d.ts": __, ...rest } = TREE;
    const linked = makeTree(rest);
    symlinkSync(path.join(outside, "node_modules"), path.join(linked, "node_modules"));
    // What cannot be read has no type, and then its names tell.
    expect(check(linked, "--types").found).not.toContain(BY_TYPE[0]);
  });

  it("says of a file whose types take too long that it was not judged in full, and finds the rest by type", { timeout: 120_000 }, () => {
    const folder = makeTree({ ...TREE, "src/save.ts": ENDLESS });
    const { found, all } = check(folder, "--types");
    expect(found).toEqual(["src/save.ts:1 error not-judged", "src/save.ts:8 error no-ungated-write"]);
    expect(all[0]!.message).toBe("This file was not judged in full: working out the type of large took more than 10 seconds. What such receivers are was told by their names alone. Simplify the types.");
  });

  it("goes on where a text nests deeper than the compiler does", () => {
    const deep = `export const deep = ${"[".repeat(3000)}1${"]".repeat(3000)};\n${SAVE}`;
    const { found } = check(makeTree({ ...TREE, "src/deep.ts": deep }), "--types");
    expect(found).toEqual(expect.arrayContaining(BY_TYPE));
  });
});

describe("--types of a change", () => {
  const { "src/save.ts": save, ...base } = TREE;

  it("finds what is new by its type, and not what was there before", () => {
    const folder = branched({ ...base, "src/save.ts": save }, { "src/save.ts": `${save}export async function more(context: Context): Promise<void> {\n  await context.store.user.create({ more: 1 });\n}\n` });
    expect(check(folder, "--types", "--base", "main").found).toEqual(["src/save.ts:7 error no-ungated-write"]);
  });

  it("says that a changed file was not judged in full, and of no other one", { timeout: 120_000 }, () => {
    const folder = branched({ ...base, "src/old.ts": ENDLESS }, { "src/new.ts": ENDLESS });
    expect(check(folder, "--types", "--base", "main").found).toEqual(["src/new.ts:1 error not-judged", "src/new.ts:8 error no-ungated-write"]);
  });

  it("sees the index, though another text lies on the disk", () => {
    const folder = branched(base, { "src/save.ts": save });
    writeFileSync(path.join(folder, "src/save.ts"), "export {};\n");
    expect(check(folder, "--types", "--base", "main", "--head", "HEAD").found).toEqual(BY_TYPE);
    expect(check(folder, "--types", "--base", "main").found).toEqual([]);
  });

  it("sees the files of another revision, and not those that it does not have", () => {
    const { "src/context.ts": context, ...bare } = base;
    const folder = branched({ ...bare, "src/other.ts": "export interface Context { readonly store: object }\n" }, { "src/deep/context.ts": context, "src/save.ts": save.replace("./context.js", "./deep/context.js"), "src/gone.ts": save.replace("./context.js", "./late.js") });
    execFileSync("git", ["checkout", "-q", "main"], { cwd: folder });
    // The declaration that the working tree's index has is not there in the revision.
    writeFileSync(path.join(folder, "src/late.ts"), context);
    execFileSync("git", ["add", "src/late.ts"], { cwd: folder });
    const { found, stderr } = check(folder, "--types", "--base", "main", "--head", "topic");
    expect(found).toEqual(["src/gone.ts:4 warning no-ungated-write", ...BY_TYPE]);
    expect(stderr).not.toContain("no tsconfig.json");
  });

  it("sees what is staged, though nothing of it lies on the disk", () => {
    const { "src/context.ts": context, ...bare } = base;
    const folder = branched(bare, {});
    writeFileSync(path.join(folder, "src/context.ts"), context);
    writeFileSync(path.join(folder, "src/save.ts"), save);
    execFileSync("git", ["add", "src"], { cwd: folder });
    rmSync(path.join(folder, "src/context.ts"));
    rmSync(path.join(folder, "src/save.ts"));
    const { found, stderr } = check(folder, "--types", "--base", "main", "--staged");
    expect(found).toEqual(BY_TYPE);
    expect(stderr).not.toContain("no tsconfig.json");
  });

  it("names only changed files as those without types", () => {
    const folder = branched({ ...base, "loose/a.ts": "export {};\n" }, { "loose/b.ts": "export const b = 1;\n" });
    expect(check(folder, "--types", "--base", "main").stderr).toContain("1 TypeScript file is in no tsconfig.json, and it was judged without types: loose/b.ts.");
  });
});

describe("types in ESLint", () => {
  it("are given up where they take too long, which not-judged says", { timeout: 120_000 }, async () => {
    const config = 'import agentgate from "eslint-plugin-agentgate";\nexport default [...agentgate.configs.recommended, { files: ["**/*.ts"], languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } } }];\n';
    const { messages } = await eslint(makeProject({ ...TREE, "src/save.ts": ENDLESS, "eslint.config.js": config }), ["src"]);
    const told = messages.filter(({ ruleId }) => ruleId === "agentgate/not-judged").map(({ path: file, message }) => `${file} ${message}`);
    expect(told).toEqual(["src/save.ts This file was not judged in full: working out the type of large took more than 5 seconds. What such receivers are was told by their names alone. Simplify the types."]);
  });

  it("are those of the project that its parser was told of, with the command's answer", async () => {
    const config = (options: string): string => `import agentgate from "eslint-plugin-agentgate";\nexport default [...agentgate.configs.recommended, { files: ["**/*.ts"], languageOptions: { parserOptions: { ${options} } } }];\n`;
    const untyped = await eslint(makeProject({ ...TREE, "eslint.config.js": config("") }), ["src"]);
    expect(untyped.found).toEqual(["src/save.ts:4:19 agentgate/no-ungated-write"]);
    const typed = await eslint(makeProject({ ...TREE, "eslint.config.js": config("projectService: true, tsconfigRootDir: import.meta.dirname") }), ["src"]);
    expect(typed.found).toEqual(["src/save.ts:3:28 agentgate/no-ungated-write"]);
  });
});
