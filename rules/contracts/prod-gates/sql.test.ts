import { expect, it } from "vitest";
import { readSql } from "./sql.ts";

it("reads a name in brackets as a name, and a bracket that nothing closes as a mark", () => {
  expect(readSql("DROP TABLE [Order Lines];").statements[0]!.at(-1)).toEqual({ text: "order lines", kind: "name", offset: 11 });
  expect(readSql("SELECT a[1];").statements[0]!.map(({ kind, text }) => `${kind} ${text}`)).toEqual(["word select", "word a", "mark [", "mark 1", "mark ]"]);
});

// Each of them was looked for to the end of the line: half a million of them would not end.
it("reads a line of brackets that nothing closes in one pass", () => {
  expect(readSql("[a ".repeat(500_000)).statements[0]).toHaveLength(1_000_000);
});
