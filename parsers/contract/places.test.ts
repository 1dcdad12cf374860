import { describe, expect, it } from "vitest";
import { type Place, type Read, type Value, plainValue, readJson, readKeyLines, readMarkdown, readTsv, readYaml, valueOf } from "./index.ts";

function valueIn(read: Read<Value>): Value {
  if ("problem" in read) throw new Error(read.problem.message);
  return read.value;
}

/** Every key and value with what a text has at its place. */
function placed(text: string, read: Read<Value>): string[] {
  const lines = text.split("\n");
  const at = (place: Place): string => (lines[place.line - 1] ?? "").slice(place.column - 1, place.column - 1 + place.length);
  const walk = (value: Value): string[] => {
    if (value.kind === "scalar") return [at(value.at)];
    if (value.kind === "list") return value.items.flatMap(walk);
    return value.entries.flatMap((entry) => [at(entry.keyAt), ...walk(entry.value)]);
  };
  return walk(valueIn(read));
}

describe("places", () => {
  it("are those of the keys and values of YAML", () => {
    const text = "a: 'one'\nb:\n  - two\n  - {c: 3.0}\nd: |\n  long\n  text\n";
    expect(placed(text, readYaml(text))).toEqual(["a", "'one'", "b", "two", "c", "3.0", "d", "|"]);
  });

  it("are those of the keys and values of JSON, in UTF-16 code units", () => {
    const text = '{\n  "é😀": ["x", 1.50],\r\n  "b": {"c": null}\n}';
    expect(placed(text, readJson(text))).toEqual(['"é😀"', '"x"', "1.50", '"b"', '"c"', "null"]);
  });

  it("of merged keys are where they are written, of an alias where it stands", () => {
    const root = valueIn(readYaml("base: &base {a: 1, b: 2}\nreal:\n  <<: *base\n  b: 3\nname: &name x\nother: *name\n"));
    const real = root.kind === "mapping" ? valueOf(root, "real")! : root;
    expect(plainValue(real)).toEqual({ b: 3, a: 1 });
    expect(real).toMatchObject({ entries: [{ key: "b", keyAt: { line: 4 } }, { key: "a", keyAt: { line: 1 } }] });
    expect(root).toMatchObject({ entries: [{}, {}, {}, { key: "other", value: { value: "x", at: { line: 6, column: 8 } } }] });
  });

  it("keep what is written beside what it means", () => {
    const root = valueIn(readYaml("a: 0x1F\nb: 1_0\nc: 1.0\nd: yes\ne: 2026-01-01\nf: .nan\n"));
    expect(root).toMatchObject({ entries: [{ value: { value: 31, source: "0x1F" } }, { value: { value: "1_0" } }, { value: { value: 1, source: "1.0" } }, { value: { value: "yes" } }, { value: { value: "2026-01-01" } }, { value: { value: NaN } }] });
  });
});

describe("tables", () => {
  it("are read from tab-separated text", () => {
    expect(readTsv("# note\nid\trun\n\nf1\t x \r\n").map((row) => row.cells)).toEqual([
      [{ text: "id", at: { line: 2, column: 1, length: 2 } }, { text: "run", at: { line: 2, column: 4, length: 3 } }],
      [{ text: "f1", at: { line: 4, column: 1, length: 2 } }, { text: "x", at: { line: 4, column: 5, length: 1 } }],
    ]);
  });

  it("are read from Markdown, those in code left out", () => {
    const { fences, tables } = readMarkdown("```md\n| a | b |\n| - | - |\n| 1 | 2 |\n```\n\n| Surface | Owner |\n| --- | :-: |\n| `a\\|b` |  |\nprose | here\n\n| not | a table |\n");
    expect(tables.map((table) => [table.header, ...table.rows].map((row) => row.cells.map((cell) => cell.text)))).toEqual([[["Surface", "Owner"], ["`a|b`", ""], ["prose", "here"]]]);
    expect(tables[0]?.rows[0]?.cells[0]?.at).toEqual({ line: 9, column: 3, length: 6 });
    expect(fences).toMatchObject([{ info: "md", at: { line: 1 } }]);
  });

  it("are not read from what a reader of the page does not see as one", () => {
    const table = "| a | b |\n| - | - |\n| 1 | 2 |\n";
    const { fences, tables } = readMarkdown(`<!-- a draft\n${table}\n\`\`\`sh\n-->\n\n${table.replaceAll(/^/gm, "    ")}\n <!-- one line -->\n${table}\t| 3 | 4 |\n`);
    expect(tables.map(({ header, rows }) => [header.at.line, rows.length])).toEqual([[14, 1]]);
    expect(fences).toEqual([]);
  });

  it("are lines with keys", () => {
    const lines = readKeyLines("STATUS: pass\nchecked_trees:\n- deploy\n  - infra\n not: at line start\n- Ticket: X-1\nsee: http://x\n");
    expect(lines.map(({ items, key, value, valueAt }) => [key, value, valueAt.line, valueAt.column, items.map((item) => item.text)])).toEqual([
      ["STATUS", "pass", 1, 9, []], ["checked_trees", "", 2, 1, ["deploy", "infra"]], ["Ticket", "X-1", 6, 11, []], ["see", "http://x", 7, 6, []],
    ]);
  });
});
