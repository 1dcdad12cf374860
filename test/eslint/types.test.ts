import { execFile } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { makeProject, removeProjects } from "./projects.ts";
import type { Version } from "./projects.ts";

afterAll(removeProjects);

const TSC = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));

const CONFIG = `import { defineConfig } from "eslint/config";
import agentgate from "eslint-plugin-agentgate";

export default defineConfig(
  agentgate.configs.recommended,
  { files: ["tools/**"], extends: [agentgate.configs.strict] },
  { files: ["src/**"], plugins: { agentgate }, extends: ["agentgate/editor"] },
  { files: ["**/*.py"], plugins: { agentgate }, language: "agentgate/python", languageOptions: { tolerant: false }, rules: { "agentgate/no-dynamic-import": "error" } },
);
`;

/** What the compiler says of a configuration in TypeScript. */
function compile(folder: string): Promise<string> {
  const args = [TSC, "--noEmit", "--strict", "--skipLibCheck", "false", "--module", "nodenext", "--moduleResolution", "nodenext", "--target", "es2022", "eslint.config.ts"];
  return new Promise((resolve) => { execFile(process.execPath, args, { cwd: folder, encoding: "utf8" }, (_, stdout) => { resolve(stdout); }); });
}

describe.each(["ESLint 10", "ESLint 9.39"] as Version[])("the types of the plugin, %s", (version) => {
  it("please defineConfig without a cast, and refuse a name that is none of theirs", async () => {
    const wrong = "// @ts-expect-error -- there is no such config\nexport const none = agentgate.configs.recomended;\n";
    const folder = makeProject({ "eslint.config.ts": CONFIG + wrong }, { version });
    expect((await compile(folder)).split("\n").filter((line) => line.startsWith("eslint.config.ts") || line.includes(path.join("eslint-plugin", "types")))).toEqual([]);
  });
});
