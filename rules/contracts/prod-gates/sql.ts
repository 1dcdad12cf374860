/** One word, name, string or mark of a SQL text. A name is without its quotes and in lower case. */
export interface Token {
  readonly text: string;
  readonly kind: "word" | "name" | "string" | "mark";
  readonly offset: number;
}

/** A SQL text: its statements, and what its comments say. */
export interface Script {
  readonly statements: readonly (readonly Token[])[];
  readonly comments: readonly string[];
}

/**
 * The alternatives in turn: a comment to the end of its line, a comment in marks, a string, names in quotes of three
 * kinds, a dollar quote, a word, any other mark. Each takes what it begins, or gives up soon, so that the text is read
 * once.
 */
const PART = /--[^\n]*|^[ \t]*#[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|'[^']*'?|"([^"]*)"?|`([^`]*)`?|\[([A-Za-z_][^[\]\n]{0,127})\]|\$\w*\$|([\p{L}_][\p{L}\p{N}_$]*)|\S/gmu;
/** MySQL runs what stands in such a comment. */
const EXECUTED = /\/\*!\d*/g;

/** Reads the statements of a SQL text. The body of a procedure is read as statements too: it runs like them. */
export function readSql(text: string): Script {
  const statements: Token[][] = [[]];
  const comments: string[] = [];
  for (const match of text.replaceAll(EXECUTED, (mark) => " ".repeat(mark.length)).matchAll(PART)) {
    const [part] = match;
    const token = tokenOf(match);
    if (/^(?:--|\/\*|[ \t]*#)/.test(part)) comments.push(part);
    else if (part === ";") statements.push([]);
    else if (token !== null) statements.at(-1)!.push(token);
  }
  return { statements: statements.filter((statement) => statement.length > 0 && !isFrame(statement)), comments };
}

function tokenOf(match: RegExpExecArray): Token | null {
  const [part] = match;
  const word = match.at(4);
  if (word !== undefined) return { text: word.toLowerCase(), kind: "word", offset: match.index };
  const name = match.at(1) ?? match.at(2) ?? match.at(3);
  if (name !== undefined) return { text: name.toLowerCase(), kind: "name", offset: match.index };
  return /^\$\w*\$$/.test(part) ? null : { text: part, kind: part.startsWith("'") ? "string" : "mark", offset: match.index };
}

const FRAME = new Set(["begin", "commit", "start", "transaction", "work", "end", "rollback"]);

/** What only opens or ends a transaction. */
function isFrame(statement: readonly Token[]): boolean {
  return statement.every(({ kind, text }) => kind === "word" && FRAME.has(text));
}

/** A table, or a column of one. */
export interface Target {
  readonly table: string;
  readonly column: string | null;
  readonly offset: number;
}
