import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { judgeAhead } from "./ask.ts";

/** A flat config object, as far as ours say anything. */
export interface ConfigObject {
  name: string;
  files: string[];
  language?: string;
  plugins?: Record<string, unknown>;
  languageOptions?: Record<string, unknown>;
  settings?: Record<string, unknown>;
  rules?: Record<string, "error" | "warn" | "off">;
}

const PYTHON = ["**/*.py", "**/*.pyw"];
const JAVASCRIPT = ["**/*.js", "**/*.mjs", "**/*.cjs", "**/*.jsx"];
const TYPESCRIPT = ["**/*.ts", "**/*.mts", "**/*.cts", "**/*.tsx"];

export interface ConfigInput {
  readonly plugin: unknown;
  readonly rules: readonly { readonly id: string; readonly severity: string }[];
}

/** One of our configs: what it is called, and what its settings say beyond those of the project. */
export interface Preset {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A config as a list of objects, one a language. The TypeScript one is there where its parser is installed. */
export function configOf({ plugin, rules }: ConfigInput, { name, settings }: Preset): ConfigObject[] {
  const own = Object.fromEntries(rules.map(({ id, severity }) => [`agentgate/${id}`, severity === "error" ? "error" as const : "warn" as const]));
  const common = { plugins: { agentgate: plugin }, rules: own, ...(Object.keys(settings).length === 0 ? {} : { settings: { agentgate: { ...settings } } }) };
  const typescript = typescriptParser();
  return [
    { name: `agentgate/${name}/python`, files: [...PYTHON], language: "agentgate/python", ...common },
    { name: `agentgate/${name}/javascript`, files: [...JAVASCRIPT], languageOptions: { parserOptions: { ecmaFeatures: { jsx: true } } }, ...common },
    ...typescript === null ? [] : [{ name: `agentgate/${name}/typescript`, files: [...TYPESCRIPT], languageOptions: { parser: typescript }, ...common }],
  ];
}

let parser: { readonly found: unknown } | null = null;

/** The parser that the project has, else the one beside this plugin; null, said once, where there is none. */
function typescriptParser(): unknown {
  parser ??= { found: withJudgingAhead(resolveParser()) };
  return parser.found;
}

function resolveParser(): unknown {
  for (const from of [pathToFileURL(path.join(process.cwd(), "package.json")).href, import.meta.url]) {
    try {
      return createRequire(from)("@typescript-eslint/parser") as unknown;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  process.emitWarning("TypeScript files are not linted by agentgate: @typescript-eslint/parser is not installed. Run: npm install --save-dev @typescript-eslint/parser", { type: "AgentgateWarning" });
  return null;
}

interface ParserOptions {
  readonly filePath?: string;
  readonly project?: unknown;
  readonly projectService?: unknown;
  readonly programs?: unknown;
}

interface Parser {
  parseForESLint(text: string, options?: ParserOptions): unknown;
}

/** With types, what a text does is known only once it is parsed. */
function givesTypes({ project, projectService, programs }: ParserOptions): boolean {
  return [project, projectService, programs].some((given) => given != null && given !== false);
}

/** The parser as it is; while it parses, which takes longer than judging, its text is judged. */
function withJudgingAhead(found: unknown): unknown {
  if (!isParser(found)) return found;
  return {
    ...found,
    parseForESLint(text: string, options?: ParserOptions): unknown {
      if (options?.filePath !== undefined && !givesTypes(options)) judgeAhead(options.filePath, text);
      return found.parseForESLint(text, options);
    },
  };
}

function isParser(found: unknown): found is Parser {
  return typeof found === "object" && found !== null && "parseForESLint" in found && typeof found.parseForESLint === "function";
}

function isMissing(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && (error.code === "MODULE_NOT_FOUND" || error.code === "ERR_MODULE_NOT_FOUND");
}
