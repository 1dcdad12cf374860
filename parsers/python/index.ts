import type { Tree } from "web-tree-sitter";
import type { ModuleFacts } from "../facts.ts";
import { FactsBuilder } from "../shared/builder.ts";
import { saysGenerated } from "../shared/generated.ts";
import { finishFacts } from "../shared/link.ts";
import { readDirectives } from "./directives.ts";
import { readRemainingErrors } from "./errors.ts";
import { GRAMMAR } from "./grammar.ts";
import { Kind, Reader } from "./reader.ts";
import { preparedLines, prepareText, withoutTypeDefaults } from "./prepare.ts";
import { reportCutIndentation, reportErrors } from "./problems.ts";
import { freeTree, parseEdited, parseTable } from "./runtime.ts";
import type { KeptTree } from "./runtime.ts";
import type { SyntaxTable } from "./table.ts";
import { copyTree } from "./tree.ts";
import type { PythonTree } from "./tree.ts";
import { markTypeChecking } from "./type-checking.ts";

export { decodePython } from "./decode.ts";
export { PYTHON_TYPES } from "./tree.ts";
export type { DecodedSource } from "./decode.ts";
export type { PythonNode, PythonToken, PythonTree } from "./tree.ts";

/**
 * The facts of one Python source, for any syntax from Python 3.8 to 3.14. Never throws for what the text holds: what
 * cannot be read is in `problems`, and everything around it is still there. Offsets count UTF-16 code units after a
 * byte order mark, which is dropped.
 */
export function parsePython(source: string): ModuleFacts {
  return readSource(source, (prepared) => parse(prepared));
}

/**
 * As `parsePython`, with the whole tree of the same parse; null where the parser gave up. A visitor of the tree sees
 * offsets in the text after a byte order mark.
 */
export function parsePythonTree(source: string): { readonly facts: ModuleFacts; readonly tree: PythonTree | null } {
  let copied: PythonTree | null = null;
  const text = withoutMark(source);
  const facts = readSource(source, (prepared) => parse(prepared, (tree) => { copied = copyTree(tree, text, preparedLines(prepared)); }));
  return { facts, tree: copied };
}

/**
 * Reads texts of which each is the last one with a little changed, as an editor has them: what did not change is not
 * parsed anew. The facts are those of `parsePython`.
 */
export class EditedPython {
  #kept: KeptTree | null = null;

  read(source: string): ModuleFacts {
    return readSource(source, (prepared) => {
      const { table, kept } = parseEdited(prepared, this.#kept);
      this.#kept = kept;
      return readable(table, prepared);
    });
  }

  close(): void {
    freeTree(this.#kept);
    this.#kept = null;
  }
}

/** The tree alone, as `parsePythonTree` gives it. */
export function pythonTree(source: string): PythonTree | null {
  let copied: PythonTree | null = null;
  const text = withoutMark(source);
  const prepared = prepareText(text);
  parse(prepared, (tree) => { copied = copyTree(tree, text, preparedLines(prepared)); });
  return copied;
}

function withoutMark(source: string): string {
  return source.startsWith("\ufeff") ? source.slice(1) : source;
}

function readSource(source: string, parsed: (prepared: string) => SyntaxTable | null): ModuleFacts {
  const text = withoutMark(source);
  const prepared = prepareText(text);
  const builder = new FactsBuilder("python", "python", preparedLines(prepared), text.length);
  if (saysGenerated(text, "python")) builder.draft.facts.generated = true;
  const nul = text.indexOf("\0");
  if (nul >= 0) builder.problem({ message: "A Python source cannot hold a NUL byte.", span: [nul, nul + 1] });
  const table = parsed(prepared);
  if (table === null) builder.problem({ message: "The parser gave up on this file: it takes too long or too much memory.", span: [0, 0] });
  else readModule(prepared, table, builder);
  return finishFacts(builder);
}

function parse(text: string, visit?: (tree: Tree) => void): SyntaxTable | null {
  return readable(parseTable(text, visit), text, visit);
}

/** What the grammar does not know is written as it knows it, where that may be all that is wrong. */
function readable(table: SyntaxTable | null, text: string, visit?: (tree: Tree) => void): SyntaxTable | null {
  if (table?.hasErrors !== true) return table;
  const rewritten = withoutTypeDefaults(text);
  return rewritten === null ? table : parseTable(rewritten, visit);
}

function readModule(text: string, table: SyntaxTable, builder: FactsBuilder): void {
  const reader = new Reader(text, table, builder, GRAMMAR);
  reportErrors(reader, table);
  reportCutIndentation(reader, (kind) => GRAMMAR.statements[kind] !== undefined);
  readDirectives(builder, table.comments, text);
  if (table.kinds[0] === Kind.error) reader.statement(0);
  else reader.statements(0);
  reader.readPostponed();
  readRemainingErrors(reader, table);
  reader.readPostponed();
  markTypeChecking(reader);
  exportNames(builder);
}

/** Every name of the module can be imported from it. Its value is the last it is given. */
function exportNames(builder: FactsBuilder): void {
  for (const [name, id] of Object.entries(builder.draft.facts.scopes[0]!.names)) {
    const { values, span } = builder.binding(id);
    builder.export({ name, value: values.at(-1) ?? null, span });
  }
}
