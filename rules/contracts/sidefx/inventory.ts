import { LINE_ONE, type Cell, type Place, type Row, type Table, decodeText, readMarkdown, refuseLoneReturn } from "@agentgate/parsers/contract";
import { type ContractContext, type Diagnostic, diagnostic, other } from "../contract.ts";
import { type Found, lookUp } from "../evidence.ts";
import type { Spot } from "../fields.ts";

export const COLUMNS = ["Surface", "Direction", "Owner", "Dry-run", "Idempotency", "Abort"] as const;
export type Column = (typeof COLUMNS)[number];

/** One cell, without the backticks around all of it. */
export interface Entry extends Spot {
  readonly value: string;
}

/** One row; a cell that is not there is absent. */
export interface Surface {
  readonly row: Spot;
  readonly cells: ReadonlyMap<Column, Entry>;
  /** Whether the surface's cell is one name in backticks. */
  readonly isNamed: boolean;
}

type InventoryRule = "syntax" | "table" | "cell";

/** No inventory has more; a longer file is no text that people review. */
const MOST_BYTES = 1_048_576;

/** The rows of the inventory's table, and what is wrong with the file and the table. */
export function readInventory(context: ContractContext): Found<readonly Surface[], InventoryRule> {
  const text = textOf(context);
  if ("found" in text) return { value: null, found: [text.found] };
  const [table, ...further] = readMarkdown(text.value).tables.filter(isInventory);
  const line: Spot = { path: context.path, at: LINE_ONE, key: "" };
  if (table === undefined) {
    const message = `There is no table with the header ${COLUMNS.join(" | ")}, so no write is named. Add it; code blocks and comments do not count.`;
    return { value: null, found: [diagnostic("table", line, message)] };
  }
  const first = spotOf(context.path, table.header.at, "header");
  const second = further.map(({ header }) => diagnostic("table", spotOf(context.path, header.at, "header"), "This is a second inventory, whose rows nobody holds code to. Move them into the first table.", [other(first, "the first table")]));
  const rows = table.rows.map((row) => surfaceOf(context.path, row));
  return { value: rows, found: [...second, ...table.rows.flatMap((row) => oddRow(context.path, row))] };
}

function textOf(context: ContractContext): { readonly value: string } | { readonly found: Diagnostic<"syntax"> } {
  const wrong = (message: string, at: Place = LINE_ONE): { readonly found: Diagnostic<"syntax"> } => ({ found: diagnostic("syntax", { path: context.path, at, key: "" }, `${message} Correct the file.`) });
  const file = lookUp(context, context.path);
  if (file.kind !== "file") return wrong(`The inventory cannot be read: ${file.kind === "unreadable" ? file.reason : "it leads out of the repository"}.`);
  if (file.bytes.length > MOST_BYTES) return wrong(`The file has more than ${MOST_BYTES} bytes.`);
  const decoded = decodeText(file.bytes);
  const text = "problem" in decoded ? decoded : refuseLoneReturn(decoded.value);
  return "problem" in text ? wrong(text.problem.message, text.problem.at) : text;
}

function isInventory({ header: { cells } }: Table): boolean {
  return cells.length === COLUMNS.length && cells.every((cell, index) => cell.text.toLowerCase() === COLUMNS[index]!.toLowerCase());
}

function spotOf(path: string, at: Place, key: string): Spot {
  return { path, at, key };
}

/** A pipe within a cell moves every cell after it: such a row is not read. */
function surfaceOf(path: string, row: Row): Surface {
  const cells = row.cells.length > COLUMNS.length ? [] : row.cells;
  const named = cells[0];
  return {
    row: spotOf(path, row.at, "row"), isNamed: named !== undefined && isName(named.text),
    cells: new Map(cells.map((cell, index): [Column, Entry] => [COLUMNS[index]!, entryOf(path, cell, COLUMNS[index]!)])),
  };
}

function entryOf(path: string, cell: Cell, column: Column): Entry {
  return { ...spotOf(path, cell.at, column.toLowerCase()), value: visible(isName(cell.text) ? cell.text.slice(1, -1) : cell.text) };
}

/** One span of code and nothing beside it. */
function isName(text: string): boolean {
  return text.length > 2 && text.startsWith("`") && text.indexOf("`", 1) === text.length - 1;
}

/** A cell as a reader sees it: without characters that take no room, and a fullwidth letter as the letter. */
function visible(text: string): string {
  return text.replaceAll("&nbsp;", " ").normalize("NFKC").replaceAll(/[\p{Cf}\p{Cc}]/gu, "").trim();
}

function oddRow(path: string, row: Row): Diagnostic<"cell">[] {
  const count = row.cells.length;
  if (count === COLUMNS.length) return [];
  const message = count < COLUMNS.length
    ? `The row has ${count} cells, and ${COLUMNS.slice(count).join(", ")} are not there. Fill them in.`
    : `The row has ${count} cells where the table has ${COLUMNS.length}, so that its cells stand under other headings. Write a pipe within a cell as \\|.`;
  return [diagnostic("cell", { ...spotOf(path, row.at, "row"), value: row.cells.map((cell) => cell.text).join("|") }, message)];
}
