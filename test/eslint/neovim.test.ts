import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { makeProject, removeProjects } from "./projects.ts";

afterAll(removeProjects);

const HAS_NEOVIM = spawnSync("nvim", ["--version"]).status === 0;
const here = path.dirname(fileURLToPath(import.meta.url));
const SERVER = path.join(here, "../../node_modules/vscode-langservers-extracted/bin/vscode-eslint-language-server");

/** What Neovim underlines in the files of a project. */
function underlined(folder: string, files: readonly string[]): Promise<Record<string, unknown>[]> {
  const output = path.join(folder, "found.jsonl");
  const environment = { ...process.env, ROOT: folder, OUTPUT: output, FILES: files.join(","), NODE: process.execPath, SERVER, XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder };
  return new Promise((resolve, reject) => {
    execFile("nvim", ["--headless", "--clean", "-n", "-c", `luafile ${path.join(here, "neovim.lua")}`], { cwd: folder, env: environment, timeout: 120_000 }, (error, _, stderr) => {
      if (error !== null) reject(new Error(`${error.message}\n${stderr}`));
      else resolve(readFileSync(output, "utf8").split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as Record<string, unknown>));
    });
  });
}

describe.skipIf(!HAS_NEOVIM)("Neovim's own client", () => {
  it("underlines Python and TypeScript", async () => {
    const folder = makeProject({
      "eslint.config.js": 'import agentgate from "eslint-plugin-agentgate";\nexport default [...agentgate.configs.recommended];\n',
      "a.py": "import importlib\nimportlib.import_module(name)\n", "b.ts": "export const load = (name: string) => import(name);\n",
    });
    expect(await underlined(folder, ["a.py", "b.ts"])).toEqual([
      { file: "a.py", line: 1, column: 10, code: "agentgate/no-dynamic-import", filetype: "python" },
      { file: "b.ts", line: 0, column: 38, code: "agentgate/no-dynamic-import", filetype: "typescript" },
    ]);
  });
});
