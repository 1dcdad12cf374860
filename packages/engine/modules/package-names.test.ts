import { describe, expect, it } from "vitest";
import { discover } from "../discovery/discover.ts";
import { listTree } from "../discovery/list.ts";
import { makeTree } from "../testing/tree.ts";
import type { Files } from "../testing/tree.ts";
import { Linker } from "./tree.ts";

async function namesIn(files: Files): Promise<(path: string) => string | null> {
  const root = makeTree(files);
  const linker = new Linker(discover(root, await listTree({ folder: root, git: false }, []), [], []));
  return (path) => linker.packageOf(path);
}

describe("the name of a module's package", () => {
  it("is what the nearest manifest with a name says, in either language", async () => {
    const nameOf = await namesIn({
      "package.json": '{ "name": "outer" }', "a/package.json": '{ "name": "@acme/inner" }', "a/src/package.json": '{ "type": "module" }',
      "pyproject.toml": '[project]\nname = "outer-py"\n', "a/pyproject.toml": "[tool.poetry]\nname = 'inner-py'\n", "a/src/pyproject.toml": "[tool.ruff]\nline-length = 100\n",
      "x.ts": "", "x.py": "", "a/src/y.js": "", "a/src/y.py": "",
    });
    expect(["x.ts", "a/src/y.js", "x.py", "a/src/y.py"].map(nameOf)).toEqual(["outer", "@acme/inner", "outer-py", "inner-py"]);
  });

  it("is none where no manifest has one, or one that is no text", async () => {
    const nameOf = await namesIn({ "package.json": '{ "name": 5 }', "pyproject.toml": "name = [", "x.ts": "", "x.py": "" });
    expect(["x.ts", "x.py"].map(nameOf)).toEqual([null, null]);
  });
});
