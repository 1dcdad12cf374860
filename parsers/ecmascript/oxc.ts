import { createRequire } from "node:module";
import type { OxcError, ParserOptions, ParseResult } from "oxc-parser";
import type { Dialect, ParseProblem } from "../facts.ts";
import type { Comment } from "./comments.ts";
import type { Node } from "./estree.ts";

export type ModuleKind = "module" | "commonjs" | "unambiguous";

export interface Parsed {
  readonly program: Node;
  readonly comments: readonly Comment[];
  readonly problems: readonly ParseProblem[];
}

type Parser = Pick<typeof import("oxc-parser"), "parseSync">;

let parser: Parser | null = null;

/** The native parser is loaded with the first file, so that a run over Python alone never loads it. */
function load(): Parser {
  parser ??= createRequire(import.meta.url)("oxc-parser") as Parser;
  return parser;
}

const LANGUAGES = { javascript: "jsx", jsx: "jsx", typescript: "ts", tsx: "tsx", declaration: "dts", python: "ts" } as const;

/**
 * Parses a text, once more as CommonJS where it is wrong as anything else. JavaScript may hold JSX whatever its ending.
 */
export function parseText(text: string, dialect: Dialect, kind?: ModuleKind): Parsed {
  const lang = LANGUAGES[dialect];
  const sourceType = kind ?? (lang === "jsx" ? "unambiguous" : "module");
  const first = run(text, lang, sourceType);
  if (first.problems.length === 0 || sourceType === "commonjs" || dialect === "declaration") return first;
  const second = run(text, lang, "commonjs");
  return second.problems.length === 0 ? second : first;
}

function run(text: string, lang: NonNullable<ParserOptions["lang"]>, sourceType: ModuleKind): Parsed {
  const result: ParseResult = load().parseSync(`source.${lang}`, text, { lang, sourceType, astType: "ts", range: true, preserveParens: false });
  const problems = result.errors.filter((error) => (error.severity as string) === "Error").map(problemOf);
  // The tree is made when it is asked for.
  return { program: result.program, comments: result.comments, problems };
}

function problemOf(error: OxcError): ParseProblem {
  const label = error.labels[0];
  return { message: error.message, span: label === undefined ? [0, 0] : [label.start, label.end] };
}
