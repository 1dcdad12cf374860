import { encodeFacts } from "@agentgate/engine/facts-code";
import { dialectOf, factsFromEstree } from "@agentgate/parsers";
import type { Comment, ModuleFacts } from "@agentgate/parsers";
import { PythonSourceCode } from "./python/source-code.ts";

/** One text as ESLint holds it, with what the session is told of it. */
export interface Source {
  /** As the linter calls it: what a text means depends on its file's ending. */
  readonly file: string;
  readonly stamp: string;
  readonly text: string;
  readonly facts: Uint8Array;
}

/** What of ESLint's source code is read. */
export interface AnySourceCode {
  readonly text: string;
  readonly ast: object;
  getAllComments?(): readonly unknown[];
}

const known = new WeakMap<object, Source>();
let count = 0;

/** The facts of a file are read once, whichever rules ask. Null: a language of somebody else. */
export function sourceOf(sourceCode: AnySourceCode, file: string): Source | null {
  const source = known.get(sourceCode);
  if (source?.file === file) return source;
  const facts = factsOf(sourceCode, file);
  if (facts === null) return null;
  const made = { file, stamp: `${process.pid} ${++count}`, text: sourceCode.text, facts: encodeFacts(facts) };
  known.set(sourceCode, made);
  return made;
}

function factsOf(sourceCode: AnySourceCode, file: string): ModuleFacts | null {
  if (sourceCode instanceof PythonSourceCode) return sourceCode.facts;
  const { ast } = sourceCode;
  if (!("type" in ast) || ast.type !== "Program" || DATA.test(firstType(ast))) return null;
  const comments = sourceCode.getAllComments?.() ?? [];
  return factsFromEstree(ast as Parameters<typeof factsFromEstree>[0], comments as readonly Comment[], sourceCode.text, dialectOf(file));
}

/** What the parsers of data put below a `Program`. */
const DATA = /^(?:YAML|JSON|TOML)/;

/** As eslint-plugin-yml reads it. */
export function isYaml({ ast }: Pick<AnySourceCode, "ast">): boolean {
  return firstType(ast).startsWith("YAML");
}

function firstType(ast: object): string {
  const first: unknown = "body" in ast && Array.isArray(ast.body) ? ast.body[0] : null;
  return typeof first === "object" && first !== null && "type" in first ? String(first.type) : "";
}
