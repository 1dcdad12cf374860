import { parsePython } from "@agentgate/parsers";
import type { RuleFinding } from "@agentgate/rules";
import { expect, test } from "vitest";
import { findingOf } from "./finding.ts";
import type { Module } from "./module.ts";

function moduleOf(path: string, text: string): Module {
  return { path, blob: "", text, facts: parsePython(text), reach: {} as Module["reach"], specifiers: { all: [], required: [] }, undecodable: [], judged: true, untyped: null };
}

test("related places are resolved in the modules that they lie in", () => {
  const own = moduleOf("a.py", "first()\nsecond()\n");
  const other = moduleOf("lib/b.py", "\n\n    # 🙂\nx = third(\n  1)\n");
  const found: RuleFinding = {
    severity: "error", message: "m", span: [8, 14], capability: null, api: null, key: "k", statement: 1,
    related: [{ span: [0, 5], message: "own" }, { path: "a.py", span: [8, 14], message: "own by name" }, { path: "lib/b.py", span: [15, 28], message: "other" }, { path: "gone.py", span: [5, 9], message: "unread" }],
  };
  const { start, related } = findingOf("rule", "error", found, own, (path) => (path === "lib/b.py" ? other : null));
  expect(start).toEqual({ line: 2, column: 1 });
  expect(related.map((one) => [one.path, one.start.line, one.start.column, one.end.line])).toEqual([["a.py", 1, 1, 1], ["a.py", 2, 1, 2], ["lib/b.py", 4, 5, 4], ["gone.py", 1, 1, 1]]);
});
