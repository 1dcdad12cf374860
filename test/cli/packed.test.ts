import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { COMMAND, emptyFolder, repository } from "./harness.ts";

const PACKAGE = path.dirname(path.dirname(COMMAND));
const MODULES = path.join(PACKAGE, "../../node_modules");

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
}

/** What an installation has: the files that the package names, and the dependencies that it declares, nothing else. */
function installed(): string {
  const folder = path.join(emptyFolder(), "node_modules");
  const target = path.join(folder, "@agentgate/cli");
  const manifest = JSON.parse(readFileSync(path.join(PACKAGE, "package.json"), "utf8")) as Manifest;
  for (const name of ["package.json", "dist/agentgate.js", "dist/worker.js", ...manifest.files.filter((file) => file.endsWith("/"))]) {
    cpSync(path.join(PACKAGE, name), path.join(target, name), { recursive: true });
  }
  for (const name of Object.keys(manifest.dependencies)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    symlinkSync(path.join(MODULES, name), path.join(folder, name));
  }
  return path.join(target, manifest.bin["agentgate"] ?? "");
}

describe("an installation by itself", () => {
  it("is a command that judges both languages and knows its pages", () => {
    const command = installed();
    const folder = repository({ "a.py": "import httpx\n", "b.ts": `import { exec } from "node:child_process";\n${"export const x = 1;\n".repeat(500)}exec("x");\n` });
    const run = (...args: readonly string[]) => spawnSync(command, args, { cwd: folder, encoding: "utf8" });
    const check = run("check");
    expect(check.stderr).toBe("");
    expect(check.stdout.split("\n").map((line) => line.split(": ", 1)[0])).toEqual(["a.py:1:8", "b.ts:1:22", expect.stringContaining("2 errors"), ""]);
    expect(run("explain", "no-invented-io").stdout).toContain("no-invented-io");
    expect(run("--version").status).toBe(0);
  });
});
