import { beforeAll, describe, expect, it } from "vitest";
import type { RuleContext } from "@agentgate/rules";
import { openTree } from "../session.ts";
import { branched } from "../testing/change.ts";
import { addFiles, git, makeTree } from "../testing/tree.ts";
import type { Files } from "../testing/tree.ts";
import { buildWorker } from "../testing/worker.ts";
import { listChange, openChange } from "./open.ts";

let worker: URL;
beforeAll(async () => {
  worker = await buildWorker("searches");
});

type Ask = (tree: RuleContext["tree"]) => unknown;

/** What a module of a tree is told, in tree mode and as head of a change from an empty base. */
async function bothModes(files: Files, ask: Ask): Promise<unknown> {
  const tree = await openTree({ version: "1", worker, cache: null, cwd: makeTree(files) });
  const [module] = [...tree.modules.values()].filter(({ judged }) => judged);
  const inTree = ask(tree.contextOf(module!).tree);
  expect((await sides(branched({ "README.txt": "" }, files), ask)).head).toEqual(inTree);
  return inTree;
}

/** What a module is told on both sides of a change, and how many modules were read for it at head. */
async function sides(root: string, ask: Ask): Promise<{ readonly base: unknown; readonly head: unknown }> {
  const options = { version: "1", worker, cache: null, cwd: root, base: "main" };
  const listed = await listChange(options);
  const change = await openChange(listed, listed.policy, options);
  try {
    const [head, base] = await Promise.all([change.head, change.comparisons[0]!.base].map(async (side) => {
      const path = [...side.sources.values()].find(({ excludedBy }) => excludedBy === null)?.path;
      const told = path === undefined ? new Map() : await side.settle([path], (_, contextOf) => ask(contextOf().tree));
      return told.get(path!) as unknown;
    }));
    return { base, head };
  } finally {
    await change.close();
  }
}

describe("who defines a name", () => {
  const definers = (name: string): Ask => (tree) => tree.definersOf(name);

  it("is told of functions and methods of both languages", async () => {
    const files = {
      "a.py": "class A:\n    def charge(self): pass\n", "b.ts": "export class B { charge() {} }\n", "c.ts": "export const charge = () => 1;\n",
      "d.py": "x.charge()\ncharge = 1\n", "e.js": "const o = { charge: 1 };\n",
    };
    expect(await bothModes(files, definers("charge"))).toEqual(["a.py", "b.ts", "c.ts"]);
    expect(await bothModes(files, definers("refund"))).toEqual([]);
  });

  it("is not told of excluded modules unless a judged one loads them", async () => {
    const files = { "app.py": "from scripts import charging\n", "scripts/charging.py": "def charge(): pass\n", "scripts/other.py": "def charge(): pass\n", "tests/test_a.py": "def charge(): pass\n" };
    expect(await bothModes(files, definers("charge"))).toEqual(["scripts/charging.py"]);
  });

  it("is nothing for what every text, list and table has, and for too many", async () => {
    const defining = (count: number): Files => Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}.py`, "def charge(): pass\ndef append(): pass\ndef __enter__(): pass\n"]));
    expect(await bothModes(defining(1), definers("append"))).toBeNull();
    expect(await bothModes(defining(1), definers("__enter__"))).toBeNull();
    expect(await bothModes(defining(20), definers("charge"))).toHaveLength(20);
    expect(await bothModes(defining(21), definers("charge"))).toBeNull();
    expect(await bothModes({ "a.py": "__proto__ = 1\n" }, (tree) => ["__proto__", "constructor", "toString", "hasOwnProperty"].map((name) => tree.definersOf(name)))).toEqual([null, null, null, null]);
  });

  it("is told of each side for itself, and of what is not in the index yet", async () => {
    const root = branched({ "a.py": "def charge(): pass\n", "b.py": "x = 1\n" }, { "b.py": "def charge(): pass\n" });
    expect(await sides(root, definers("charge"))).toEqual({ base: ["a.py"], head: ["a.py", "b.py"] });
    addFiles(root, { "c.py": "def charge(): pass\n", "a.py": "x = 1\n" });
    git(root, "add", "a.py");
    expect(await sides(root, definers("charge"))).toEqual({ base: ["a.py"], head: ["b.py", "c.py"] });
  });

  it("follows from one answer to the next question", async () => {
    const files = { "a.py": "def charge(): pass\n", "b.py": "def refund(): pass\n" };
    expect(await bothModes(files, (tree) => (tree.definersOf("charge")?.length === 1 ? tree.definersOf("refund") : "not yet"))).toEqual(["b.py"]);
  });
});

describe("who imports a module", () => {
  it("is told of judged modules that load it when they run", async () => {
    const files = {
      "lib/core.py": "x = 1\n", "a.py": "from lib import core\n", "b.py": "import lib.core\n", "c.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import lib.core\n",
      "tests/test_a.py": "import lib.core\n", "d.ts": "import { y } from './web';\n", "web.ts": "export const y = 1; import './web';\n", "e.ts": "// web\nimport type { y } from './web';\n",
    };
    expect(await bothModes(files, (tree) => tree.importersOf("lib/core.py"))).toEqual(["a.py", "b.py"]);
    expect(await bothModes(files, (tree) => tree.importersOf("web.ts"))).toEqual(["d.ts"]);
    expect(await bothModes(files, (tree) => tree.importersOf("gone.ts"))).toEqual([]);
  });

  it("is nothing where they are too many", async () => {
    const files = (count: number): Files => ({ "core.py": "x = 1\n", ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}.py`, "import core\n"])) });
    expect(await bothModes(files(100), (tree) => tree.importersOf("core.py"))).toHaveLength(100);
    expect(await bothModes(files(101), (tree) => tree.importersOf("core.py"))).toBeNull();
  });
});
