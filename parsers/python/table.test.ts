import type { Language, Tree } from "web-tree-sitter";
import { describe, expect, it } from "vitest";
import { ATOMIC, Field, Kind, OPERATORS } from "./kinds.ts";
import { parseTable, pythonParser } from "./runtime.ts";
import { standardLibraryFiles } from "./testing-stdlib.ts";

/** The rows that the public cursor gives for a tree, by the same choice of nodes. */
function rowsOfCursor(tree: Tree, language: Language): (string | number)[][] {
  const rows: (string | number)[][] = [];
  const cursor = tree.walk();
  const enter = (): boolean => {
    const type = cursor.nodeType;
    const field = cursor.currentFieldName;
    const kind = type === "ERROR" ? "error" : OPERATORS.includes(type) ? (field === null ? null : "operator") : type in Kind ? type : null;
    if (kind !== null) rows.push([kind, field !== null && field in Field ? field : "none", cursor.startIndex, cursor.endIndex]);
    return !(ATOMIC as readonly string[]).includes(type);
  };
  for (let inside = enter(); ; ) {
    if (inside && cursor.gotoFirstChild()) {
      inside = enter();
      continue;
    }
    while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return rows;
    inside = enter();
  }
  void language;
}

const kindNames = Object.entries(Kind).reduce<string[]>((names, [name, kind]) => ((names[kind] = name), names), []);
const fieldNames = Object.entries(Field).reduce<string[]>((names, [name, field]) => ((names[field] = name), names), []);

function rowsOfTable(text: string): (string | number)[][] {
  const table = parseTable(text);
  if (table === null) return [];
  return Array.from({ length: table.length }, (_, row) => [
    kindNames[table.kinds[row]!]!, fieldNames[table.fields[row]!]!, table.starts[row]!, table.ends[row]!,
  ]);
}

function expectSameRows(text: string): void {
  const actual = rowsOfTable(text);
  const parser = pythonParser();
  const tree = parser.parse(text)!;
  const expected = rowsOfCursor(tree, parser.language!);
  tree.delete();
  expect(actual.length).toBe(expected.length);
  const differing = actual.findIndex((row, index) => row.join() !== expected[index]!.join());
  expect(actual[differing]).toEqual(expected[differing]);
}

describe("the syntax table", () => {
  it.each([
    "", "\n", "# only a comment\n", "x", "import a.b as c, d\n", "with open(x) as f, g() as (h, i):\n  pass\n",
    "def f(a, *, b: int = 1, **k) -> int:\n  # note\n  return a[1:2, ::3]\n",
    "if x:\n", "def (:\n  x = = 3\n", "x = 'é😀' + y\n", "f'{a!r:>{w}} {{}}' 'b'\n", "\n\n  \n\\\n", "$$$ ?", "(((", "class A[T: int]: x: T\n",
    "match x:\n  case A(b=1) | -2:\n    pass\n", "try:\n  pass\nexcept* A as b:\n  pass\n",
  ])("has the cursor's rows for %j", expectSameRows);

  it("has the cursor's rows for the standard library", (context) => {
    const files = standardLibraryFiles().filter((_, index) => index % 9 === 0);
    if (files.length === 0) context.skip("no python3 here");
    for (const file of files) expectSameRows(file.text);
  });
});
