import type { Tree, TreeCursor } from "web-tree-sitter";
import { describe, expect, it } from "vitest";
import { ATOMIC, Field, Kind, OPERATORS, TOKENS } from "./kinds.ts";
import type { KindName } from "./kinds.ts";
import { parseTable, pythonParser } from "./runtime.ts";
import { standardLibraryFiles } from "./testing-stdlib.ts";

/** The kind by which a node is shown in the table, null where it has no row. */
function kindName(type: string, isNamed: boolean, field: string | null): string | null {
  if (type === "ERROR") return "error";
  if (isNamed) return type in Kind && !TOKENS.includes(type as KindName) ? type : null;
  if (TOKENS.includes(type as KindName)) return type;
  return OPERATORS.includes(type) && field !== null ? "operator" : null;
}

/** The rows that the public cursor gives for a tree, by the same choice of nodes. */
function rowsOfCursor(tree: Tree): (string | number)[][] {
  const rows: (string | number)[][] = [];
  const cursor = tree.walk();
  const enter = (): boolean => {
    const field = cursor.currentFieldName;
    const kind = kindName(cursor.nodeType, cursor.nodeIsNamed, field);
    if (kind !== null) rows.push([kind, field !== null && field in Field ? field : "none", cursor.startIndex, cursor.endIndex]);
    return !ATOMIC.includes(cursor.nodeType as KindName);
  };
  let isOpen = enter();
  while (isOpen ? cursor.gotoFirstChild() || nextOutwards(cursor) : nextOutwards(cursor)) isOpen = enter();
  cursor.delete();
  return rows;
}

function nextOutwards(cursor: TreeCursor): boolean {
  while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return false;
  return true;
}

const namesByNumber = (numbers: Readonly<Record<string, number>>): Map<number, string> =>
  new Map(Object.entries(numbers).map(([name, number]) => [number, name]));
const kindNames = namesByNumber(Kind);
const fieldNames = namesByNumber(Field);

function rowsOfTable(text: string): (string | number)[][] {
  const table = parseTable(text);
  if (table === null) return [];
  return Array.from({ length: table.length }, (_, row) => [
    kindNames.get(table.kinds[row]!)!, fieldNames.get(table.fields[row]!)!, table.starts[row]!, table.ends[row]!,
  ]);
}

function expectSameRows(text: string): void {
  const actual = rowsOfTable(text);
  const parser = pythonParser();
  const tree = parser.parse(text)!;
  const expected = rowsOfCursor(tree);
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
