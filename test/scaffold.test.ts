import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, it } from "vitest";
import { scaffoldRule } from "../tools/scaffold/scaffold.ts";

const root = path.resolve(import.meta.dirname, "..");

function run(folder: string, script: string, ...rest: string[]): void {
  try {
    execFileSync(process.execPath, [path.join(root, "node_modules", script), ...rest], { cwd: folder, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    // What a compiler or a test runner says about a failure is on its standard output.
    throw new Error((error as { stdout: string }).stdout, { cause: error });
  }
}

describe("a rule fresh from the scaffold", () => {
  const copy = mkdtempSync(path.join(tmpdir(), "agentgate-new-rule-"));
  afterAll(() => rmSync(copy, { recursive: true }));
  beforeAll(() => {
    cpSync(path.join(root, "rules"), path.join(copy, "rules"), { recursive: true, filter: (file) => !/\/dist$|tsconfig\.json$/.test(file) });
    symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"));
    writeFileSync(path.join(copy, "package.json"), '{ "type": "module" }');
    const options = { noEmit: true, composite: false, emitDeclarationOnly: false };
    writeFileSync(path.join(copy, "tsconfig.json"), JSON.stringify({ extends: path.join(root, "tsconfig.base.json"), compilerOptions: options, include: ["rules/no-sudden-end*.ts", "rules/registry.ts"] }));
    scaffoldRule(copy, "no-sudden-end");
  });

  it("passes its own test", () => {
    run(copy, "vitest/vitest.mjs", "run", "rules/no-sudden-end");
  });

  it("is correctly typed, and so is the registry that lists it", () => {
    run(copy, "typescript/bin/tsc", "-p", ".");
  });
});
