import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { syntaxOf } from "./grammar.ts";

describe("what is kept of Python's grammar", () => {
  it("is what the installed grammar says; node tools/run.mjs tools/grammar.ts writes it anew", () => {
    const types = createRequire(import.meta.url).resolve("tree-sitter-python/src/node-types.json");
    const kept = readFileSync(new URL("../parsers/python/syntax.json", import.meta.url), "utf8");
    expect(kept).toBe(syntaxOf(readFileSync(types, "utf8")));
  });
});
