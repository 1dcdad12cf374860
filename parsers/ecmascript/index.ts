import type { Dialect, ModuleFacts, ParseProblem } from "../facts.ts";
import { FactsBuilder } from "../shared/builder.ts";
import { saysGenerated } from "../shared/generated.ts";
import { finishFacts } from "../shared/link.ts";
import { lineStarts } from "../shared/positions.ts";
import { finishAssignments } from "./assignments.ts";
import { readList } from "./blocks.ts";
import { readComments } from "./comments.ts";
import type { Comment } from "./comments.ts";
import type { Node, NodeOf } from "./estree.ts";
import { finishExports } from "./exports.ts";
import type { TypeOf } from "../shared/typed.ts";
import { parseText } from "./oxc.ts";
import type { ModuleKind } from "./oxc.ts";
import { TOO_DEEP, Walk } from "./walk.ts";

export { dialectOf, moduleKindOf } from "./dialect.ts";
export type { Comment } from "./comments.ts";
export type { ModuleKind } from "./oxc.ts";

export interface EcmascriptOptions {
  readonly dialect: Dialect;
  /** Absent: a module in TypeScript; in JavaScript what the text itself shows. */
  readonly moduleKind?: ModuleKind;
  /** A type checker for the same text. */
  readonly typeOf?: TypeOf;
}

const BYTE_ORDER_MARK = 0xfeff;

/**
 * Parses TypeScript or JavaScript and returns its facts. Offsets are UTF-16 code units in the text without its byte
 * order mark. Text that does not parse gives `problems` and no body. Deeply nested text (from 4 kB on) can end the
 * whole process inside the parser: run it in a child process.
 */
export function parseEcmascript(text: string, options: EcmascriptOptions): ModuleFacts {
  const source = withoutMark(text);
  const parsed = parseText(source, options.dialect, options.moduleKind);
  if (parsed.problems.length === 0) return factsFromEstree(parsed.program, parsed.comments, source, options.dialect, options.typeOf);
  return unread(source, options.dialect, parsed.comments, parsed.problems);
}

/** Facts of a text that could not be read: its directives, and why. */
function unread(text: string, dialect: Dialect, comments: readonly Comment[], problems: readonly ParseProblem[]): ModuleFacts {
  const builder = openBuilder(text, dialect);
  readComments(builder, comments, text);
  for (const problem of problems) builder.problem(problem);
  return finishFacts(builder);
}

/**
 * Facts of a tree that is already parsed: by oxc, @typescript-eslint/parser, espree or another ESTree parser that gives
 * every node its `range`. `text` is the text that the ranges refer to; `typeOf` a type checker for it.
 */
export function factsFromEstree(program: Node, comments: readonly Comment[], text: string, dialect: Dialect, typeOf?: TypeOf): ModuleFacts {
  const source = withoutMark(text);
  const builder = openBuilder(source, dialect);
  readComments(builder, comments, source);
  try {
    readProgram(new Walk(builder, source), program as NodeOf<"Program">);
    return finishFacts(builder, typeOf);
  } catch (error) {
    // The depth is bounded for a stack that is ours; a caller may have used most of it already.
    if (!(error instanceof RangeError)) throw error;
    return unread(source, dialect, comments, [{ message: TOO_DEEP, span: [0, 0] }]);
  }
}

function readProgram(walk: Walk, program: NodeOf<"Program">): void {
  walk.isAmbient = walk.builder.draft.facts.dialect === "declaration";
  readList(walk, program.body);
  finishAssignments(walk);
  finishExports(walk);
}

function withoutMark(text: string): string {
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

function openBuilder(text: string, dialect: Dialect): FactsBuilder {
  const builder = new FactsBuilder("ecmascript", dialect, lineStarts(text, "ecmascript"), text.length);
  if (saysGenerated(text, "ecmascript")) builder.draft.facts.generated = true;
  return builder;
}
