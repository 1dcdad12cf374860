import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { parsePython } from "./index.ts";
import { parseTable, PYTHON_ASSETS } from "./runtime.ts";

describe("the runtime", () => {
  it("starts inside the first parse, without a turn of the event loop", () => {
    expect(parsePython("import os").imports.map((entry) => entry.specifier)).toEqual(["os"]);
  });

  it("starts afresh after the WebAssembly broke", () => {
    const broken = { toString: () => "x" } as unknown as string;
    expect(parseTable(broken)).toBeNull();
    expect(parseTable("x = 1")?.length).toBeGreaterThan(0);
  });

  it("copies its files from where the packages have them", () => {
    const { resolve } = createRequire(import.meta.url);
    for (const asset of PYTHON_ASSETS) {
      const entry = asset.package === "web-tree-sitter" ? resolve("web-tree-sitter") : resolve("tree-sitter-python/package.json");
      expect(existsSync(entry.replace(/[^/\\]+$/, asset.path))).toBe(true);
    }
  });
});
