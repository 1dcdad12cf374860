import { PYTHON_TYPES, parsePython, parsePythonTree, pythonTree } from "@agentgate/parsers";
import type { ModuleFacts, PythonNode, PythonTree } from "@agentgate/parsers";
import { judgeAhead } from "../ask.ts";
import { PythonSourceCode } from "./source-code.ts";
import type { PythonRoot } from "./source-code.ts";

/** What `parse` is given, as far as it is read. */
interface LanguageFile {
  readonly path: string;
  /** Of a file that lies in another one, the other one. */
  readonly physicalPath?: string;
  readonly body: string | Uint8Array;
  readonly bom: boolean;
}

type Options = Readonly<Record<string, unknown>>;

interface Parsed {
  readonly ok: true;
  readonly ast: PythonRoot;
  readonly facts: () => ModuleFacts;
}

interface Failed {
  readonly ok: false;
  readonly errors: { message: string; line: number; column: number }[];
}

/** Characters beyond which a text is not parsed: the parser's memory ends at some ten times as many. */
const MOST_CHARACTERS = 2 * 1024 * 1024;

const NO_TREE: Pick<PythonTree, "tokens" | "comments"> = { tokens: [], comments: [] };

/**
 * Python for ESLint, by tree-sitter's grammar. By default a text with syntax errors is judged as far as it can be read,
 * and the rule `agentgate/parse-error` reports the errors; with `languageOptions.tolerant: false` the first is ESLint's
 * own fatal error, and no rule runs.
 */
export const python = {
  fileType: "text",
  lineStart: 1,
  columnStart: 0,
  nodeTypeKey: "type",
  visitorKeys: visitorKeys(),
  defaultLanguageOptions: { tolerant: true },

  /** @throws TypeError for a wrong value of our key, or its name misspelt; keys of other languages, which are many, are let pass */
  validateLanguageOptions(options: Options): void {
    const misspelt = Object.keys(options).find((key) => key !== "tolerant" && /^tol/i.test(key));
    if (misspelt !== undefined) throw new TypeError(`Unexpected key "${misspelt}" found: "tolerant" is meant.`);
    if (options["tolerant"] !== undefined && typeof options["tolerant"] !== "boolean") throw new TypeError('Key "tolerant": Expected a Boolean.');
  },

  /** The keys that rules of JavaScript look up without asking whether they are there. */
  normalizeLanguageOptions(options: Options): Options {
    return { ecmaVersion: "latest", sourceType: "module", parserOptions: {}, ...options };
  },

  matchesSelectorClass(name: string, node: PythonNode): boolean {
    return SELECTOR_CLASSES.get(name)?.test(node.type) ?? false;
  },

  parse(file: LanguageFile, { languageOptions }: { readonly languageOptions: Options }): Parsed | Failed {
    const text = typeof file.body === "string" ? file.body : new TextDecoder().decode(file.body);
    if (text.length > MOST_CHARACTERS) return { ok: false, errors: [{ message: `This file has ${text.length} characters, more than the ${MOST_CHARACTERS} that are read in an editor. Split it.`, line: 1, column: 1 }] };
    const isJudged = judgeAhead(file.physicalPath ?? file.path, text);
    // The thread that judges reads the same facts by itself.
    if (isJudged && languageOptions["tolerant"] !== false) return { ok: true, ast: rootOf(text, pythonTree(text)), facts: () => parsePython(text) };
    const { facts, tree } = parsePythonTree(text);
    const [problem] = facts.problems;
    if (problem !== undefined && languageOptions["tolerant"] === false) return { ok: false, errors: [{ message: problem.message, ...placeOf(facts, problem.span[0]) }] };
    return { ok: true, ast: rootOf(text, tree), facts: () => facts };
  },

  createSourceCode(file: LanguageFile, parsed: Parsed): PythonSourceCode {
    const text = typeof file.body === "string" ? file.body : new TextDecoder().decode(file.body);
    return new PythonSourceCode({ text, ast: parsed.ast, facts: parsed.facts, hasBOM: file.bom, visitorKeys: python.visitorKeys });
  },
};

/** What `:statement` and the like stand for in selectors. ESLint keeps `:function` for the nodes of JavaScript. */
const SELECTOR_CLASSES = new Map([
  ["statement", /_statement$|_definition$|^decorated_definition$/],
  ["callable", /^(?:function_definition|lambda)$/],
  ["class", /^class_definition$/],
  ["import", /^(?:import_statement|import_from_statement|future_import_statement)$/],
]);

/** The same for every type: fields are nodes of `children` too, and would be visited twice. */
function visitorKeys(): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(PYTHON_TYPES.map((type) => [type, ["children"]]));
}

function rootOf(text: string, tree: PythonTree | null): PythonRoot {
  const root = tree?.root ?? { type: "module", range: [0, text.length] as [number, number], loc: { start: { line: 1, column: 0 }, end: { line: 1, column: 0 } }, parent: null, children: [] };
  return Object.assign(root, { body: root.children, tokens: tree?.tokens ?? NO_TREE.tokens, comments: tree?.comments ?? NO_TREE.comments });
}

function placeOf(facts: ModuleFacts, offset: number): { line: number; column: number } {
  let line = facts.lines.length;
  while (line > 1 && facts.lines[line - 1]! > offset) line--;
  return { line, column: offset - facts.lines[line - 1]! + 1 };
}
