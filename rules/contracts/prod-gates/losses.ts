import type { Target, Token } from "./sql.ts";

/** What may follow a comma in place of a further name. */
const ACTIONS = new Set(["drop", "add", "alter", "modify", "rename", "change"]);
/** A name of server, database, schema and table. */
const MOST_PARTS = 4;

/** Reads the tokens of one statement, each of them once. */
class Cursor {
  index = 0;
  readonly #tokens: readonly Token[];

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** The next word in lower case; blank for a name in quotes and anything else. */
  get word(): string {
    const token = this.#tokens[this.index];
    return token?.kind === "word" || token?.kind === "mark" ? token.text : "";
  }

  get offset(): number {
    return this.#tokens[this.index]?.offset ?? 0;
  }

  get isDone(): boolean {
    return this.index >= this.#tokens.length;
  }

  /** Goes past the given words if all of them come next. */
  skip(...words: readonly string[]): boolean {
    const start = this.index;
    for (const word of words) {
      if (this.word !== word) {
        this.index = start;
        return false;
      }
      this.index++;
    }
    return true;
  }

  /** A name with its schema, `public.orders`; null where none comes next. */
  name(): string | null {
    const parts: string[] = [];
    while (parts.length < MOST_PARTS) {
      const token = this.#tokens[this.index];
      if (token === undefined || (token.kind !== "word" && token.kind !== "name")) break;
      parts.push(token.text);
      this.index++;
      if (!this.skip(".")) break;
    }
    return parts.length === 0 ? null : parts.join(".");
  }

  /** Names between commas. */
  names(): string[] {
    const names: string[] = [];
    for (;;) {
      const name = this.name();
      if (name !== null) names.push(name);
      const comma = this.index;
      if (!this.skip(",")) return names;
      if (ACTIONS.has(this.word)) {
        this.index = comma;
        return names;
      }
    }
  }
}

interface Changes {
  readonly created: Target[];
  readonly lost: Target[];
}

/** What the statements create and add, and what they drop, delete and empty. */
export function changesOf(statements: readonly (readonly Token[])[]): Changes {
  const changes: Changes = { created: [], lost: [] };
  for (const statement of statements) readStatement(new Cursor(statement), changes);
  return changes;
}

function readStatement(cursor: Cursor, { created, lost }: Changes): void {
  let altered: string | null = null;
  while (!cursor.isDone) {
    const { index, offset, word } = cursor;
    const ofTables = (names: readonly string[]): Target[] => names.map((table) => ({ table, column: null, offset }));
    cursor.index++;
    if (word === "alter" && cursor.skip("table")) altered = tableName(cursor);
    else if (word === "create") created.push(...ofTables(createdTable(cursor)));
    else if (word === "add" && altered !== null) created.push(...columns(cursor, altered, offset));
    else if (word === "drop") lost.push(...(isWhole(cursor) ? ofTables(wholes(cursor)) : altered === null ? [] : columns(cursor, altered, offset)));
    else if (word === "truncate") lost.push(...ofTables(emptied(cursor)));
    else if (word === "delete") lost.push(...ofTables(deleted(cursor, index)));
  }
}

function tableName(cursor: Cursor): string | null {
  cursor.skip("if", "exists");
  cursor.skip("only");
  return cursor.name();
}

function createdTable(cursor: Cursor): string[] {
  for (const word of ["or", "replace", "global", "local", "temporary", "temp", "unlogged"]) cursor.skip(word);
  if (!isWhole(cursor)) return [];
  cursor.skip("if", "not", "exists");
  const table = cursor.name();
  return table === null ? [] : [table];
}

/** Whether a table, or what holds tables, comes next; goes past the word. */
function isWhole(cursor: Cursor): boolean {
  return ["table", "schema", "database"].some((word) => cursor.skip(word));
}

function wholes(cursor: Cursor): string[] {
  cursor.skip("if", "exists");
  return cursor.names();
}

/** What `ADD` and `DROP` take in an `ALTER TABLE` that is no column. */
const NO_COLUMN = new Set(["constraint", "index", "key", "primary", "foreign", "unique", "check", "default", "not", "identity", "expression", "partition", "period", "system", "spatial", "fulltext"]);

function columns(cursor: Cursor, table: string, offset: number): Target[] {
  if (NO_COLUMN.has(cursor.word)) return [];
  cursor.skip("column");
  for (const words of [["if", "not", "exists"], ["if", "exists"], ["("]]) cursor.skip(...words);
  return cursor.names().map((column) => ({ table, column, offset }));
}

function emptied(cursor: Cursor): string[] {
  // A function of numbers, and the right to truncate.
  if (["(", "on", ","].includes(cursor.word)) return [];
  cursor.skip("table");
  cursor.skip("only");
  return cursor.names();
}

/** Not `ON DELETE CASCADE`, nor the right to delete. */
function deleted(cursor: Cursor, index: number): string[] {
  if (!cursor.skip("from") && index > 0) return [];
  cursor.skip("only");
  const table = cursor.name();
  return table === null ? [] : [table];
}

/**
 * Whether a target is one of the given ones, or belongs to it: a column to its table, an unqualified name to one with a
 * schema. The names are looked up, as a generated migration has thousands.
 */
export function coveredBy(created: readonly Target[]): (lost: Target) => boolean {
  const whole = new Set(created.map(({ column, table }) => keyOf(table, column)));
  const ends = new Set(created.flatMap(({ column, table }) => endsOf(table).map((end) => keyOf(end, column))));
  const isIn = (table: string, column: string | null): boolean => ends.has(keyOf(table, column)) || endsOf(table).some((end) => whole.has(keyOf(end, column)));
  return ({ column, table }) => isIn(table, null) || (column !== null && isIn(table, column));
}

function keyOf(table: string, column: string | null): string {
  return JSON.stringify([table, column]);
}

/** `a.b.c`, `b.c` and `c`. */
function endsOf(table: string): string[] {
  const parts = table.split(".");
  return parts.map((_, index) => parts.slice(index).join("."));
}
