import type { EditorContent } from "@agentgate/engine/editor";
import { encodeFacts } from "@agentgate/engine/facts-code";
import { dialectOf, factsFromEstree } from "@agentgate/parsers";
import type { Comment } from "@agentgate/parsers";
import { LintedTypes, compilerPath } from "@agentgate/engine/receiver-types";
import type { Program } from "@agentgate/engine/receiver-types";
import { newStamp, stampAhead } from "./ask.ts";
import type { Surroundings } from "./ask.ts";
import { PythonSourceCode } from "./python/source-code.ts";

/** One text as ESLint holds it, with what the session is told of it. */
export interface Source {
  /** Absolute: what a text means depends on its file's ending. */
  readonly file: string;
  readonly stamp: string;
  /** Read once, whichever rules ask. */
  content(): EditorContent;
}

/** What of ESLint's source code is read. */
export interface AnySourceCode {
  readonly text: string;
  readonly ast: object;
  getAllComments?(): readonly unknown[];
  /** What the parser gives beyond the tree; a program, where it was told of a project. */
  readonly parserServices?: { readonly program?: unknown };
}

const known = new WeakMap<object, Source>();

/** A text under the name that it is linted under. Null: a language of somebody else. */
export function sourceOf(sourceCode: AnySourceCode, file: string, surroundings: Surroundings): Source | null {
  const source = known.get(sourceCode);
  if (source?.file === file) return source;
  if (!isOurs(sourceCode)) return null;
  let content: EditorContent | null = null;
  const made: Source = {
    file,
    stamp: stampAhead(file, sourceCode.text, surroundings) ?? newStamp(),
    content: () => content ??= contentOf(sourceCode, file),
  };
  known.set(sourceCode, made);
  return made;
}

function isOurs(sourceCode: AnySourceCode): boolean {
  const { ast } = sourceCode;
  return sourceCode instanceof PythonSourceCode || "type" in ast && ast.type === "Program" && !DATA.test(firstType(ast));
}

function contentOf(sourceCode: AnySourceCode, file: string): EditorContent {
  const { text, ast } = sourceCode;
  if (sourceCode instanceof PythonSourceCode) return { text, facts: encodeFacts(sourceCode.facts()) };
  const comments = (sourceCode.getAllComments?.() ?? []) as readonly Comment[];
  const types = typesOf(sourceCode, file);
  const facts = encodeFacts(factsFromEstree(ast as Parameters<typeof factsFromEstree>[0], comments, text, dialectOf(file), types?.typeOf));
  const untyped = types?.failure ?? null;
  return untyped === null ? { text, facts } : { text, facts, untyped };
}

/** The types of the project that the parser was told of. */
function typesOf({ parserServices, text }: AnySourceCode, file: string): LintedTypes | undefined {
  const program = parserServices?.program;
  if (typeof program !== "object" || program === null || !("getTypeChecker" in program)) return undefined;
  return new LintedTypes(program as Program, { file: compilerPath(file), text });
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
