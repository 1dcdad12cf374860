import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eslint, write } from "./projects.ts";

const workspace = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "agentgate-packed-"));
const npm = (...args: string[]): string => execFileSync("npm", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

const VERSION = (JSON.parse(readFileSync(path.join(workspace, "node_modules/eslint/package.json"), "utf8")) as { version: string }).version;

describe("the packed plugin, installed with nothing but ESLint and no install scripts", () => {
  beforeAll(() => {
    write(folder, { "package.json": '{ "name": "empty", "private": true, "type": "module" }\n' });
    const [{ filename }] = JSON.parse(npm("pack", path.join(workspace, "packages/eslint-plugin"), "--json", "--pack-destination", folder)) as [{ filename: string }];
    npm("install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", `eslint@${VERSION}`, `./${filename}`);
  }, 300_000);

  afterAll(() => { rmSync(folder, { recursive: true, force: true }); });

  it("lints Python and JavaScript, and says once what TypeScript wants", async () => {
    write(folder, { "src/a.py": "import importlib\nimportlib.import_module(name)\n", "src/b.js": "export const load = (name) => import(name);\n", "src/c.ts": "export const load = (name: string) => import(name);\n" });
    const { found, stderr, status } = await eslint(folder, ["-c", "node_modules/eslint-plugin-agentgate/config.js", "src"]);
    expect(found).toEqual(["src/a.py:2:11 agentgate/no-dynamic-import", "src/b.js:1:31 agentgate/no-dynamic-import"]);
    expect(status).toBe(1);
    expect(stderr.match(/TypeScript files are not linted by agentgate: @typescript-eslint\/parser is not installed\. Run: npm install --save-dev @typescript-eslint\/parser/g)).toHaveLength(1);
  });

  it("holds what it needs and no more", () => {
    const listed = npm("ls", "--all", "--parseable").split("\n").filter((line) => line.includes("node_modules")).map((line) => line.slice(line.lastIndexOf("node_modules/") + "node_modules/".length));
    expect(listed.filter((name) => name.startsWith("@agentgate/"))).toEqual([]);
    expect(listed).toEqual(expect.arrayContaining(["eslint", "eslint-plugin-agentgate", "oxc-parser"]));
  });
});
