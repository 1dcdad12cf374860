import type { ModuleFacts } from "@agentgate/parsers";
import words from "../../data/models/words.json" with { type: "json" };
import type { RuleContext } from "../../rule.ts";
import { apiName } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { mainStatements } from "../reach/places.ts";
import { statementsIn } from "../statements.ts";
import { statementAround } from "./statement.ts";
import { wordsIn } from "./words.ts";

const FOLDERS = new Set(words.sampleFolders);
const FILES = new Set(words.sampleWords);
const TESTS = new Set(words.testWords);
const HELPERS = new Set(words.helperWords);

/** Whether a module shows how something is used, as documentation does, or helps tests, and nothing but its like loads it. */
export function isSample({ path, tree }: RuleContext): boolean {
  const isNamed = [isNamedSample, isNamedTestHelper].find((each) => each(path));
  return isNamed !== undefined && tree.importersOf(path)?.every(isNamed) === true;
}

/** `test-helpers/server.ts`, `smoke_api_helpers.py`: tests themselves are left out of the tree, so they are no importers. */
function isNamedTestHelper(path: string): boolean {
  return path.replace(/\.[^./]+$/, "").split("/").some((name) => {
    const parts = wordsIn(name);
    return TESTS.has(parts[0] ?? "") && HELPERS.has(parts.at(-1) ?? "");
  });
}

/** `examples/chat.ts`, `UsageExample.ts`, `example_agent.py`, `demo.js`. */
function isNamedSample(path: string): boolean {
  const folders = path.split("/");
  const file = wordsIn(folders.pop()!.replace(/\.[^.]+$/, ""));
  return folders.some((folder) => FOLDERS.has(folder.toLowerCase())) || FILES.has(file[0] ?? "") || FILES.has(file.at(-1) ?? "");
}

/**
 * Whether a place of a module that others load runs only where that module is started by itself, and then as it is
 * written: no argument and no setting is asked. It shows how the module is used.
 */
export function isDemonstration(facts: ModuleFacts, { path, tree }: RuleContext, offset: number): boolean {
  return demonstrations(facts).has(statementAround(facts, offset)) && ((tree.importersOf(path)?.length ?? 0) > 0 || isLoadedByText(path, tree));
}

const ENTRIES = ["__init__.py", "index.js", "index.cjs", "index.mjs", "index.ts"];

/** Whether what its folder is loaded by names the module in a text, to load it later: `LazyImport("pkg.models.local.Client")`. */
function isLoadedByText(path: string, tree: RuleContext["tree"]): boolean {
  const folders = path.split("/");
  const file = folders.pop()!;
  const name = file.replace(/\.[^.]+$/, "");
  const isPython = /\.pyw?$/.test(file);
  const texts = isPython ? [[...folders.slice(-1), name, ""].join(".")] : [`./${name}`, `./${file}`];
  return ENTRIES.some((entry) => tree.facts([...folders, entry].join("/"))?.values.some((value) =>
    value.kind === "string" && value.docstring !== true && texts.some((text) => (isPython ? isPathWith(value.value, text) : value.value === text))) === true);
}

/** `pkg.models.local.Client` has `models.local.` in it. */
function isPathWith(text: string, part: string): boolean {
  return /^[\w.]+$/.test(text) && `.${text}`.includes(`.${part}`);
}

const demonstrations = onceFor((facts): ReadonlySet<number> => {
  const below = withDefinitions(facts, mainStatements(facts));
  const asks = below.size > 0 && facts.uses.some(({ statement, references }) => below.has(statement) && references.some((reference) => isAsked(apiName(reference))));
  return asks ? new Set() : below;
});

/** With the statements of functions and classes that are defined among these, where nothing else of the module stands there. */
function withDefinitions(facts: ModuleFacts, below: ReadonlySet<number>): ReadonlySet<number> {
  if (below.size === 0) return below;
  const spans = [...below].map((statement) => facts.statements[statement]!);
  const start = Math.min(...spans.map(([first]) => first));
  const end = Math.max(...spans.map(([, last]) => last));
  const isWithin = (statement: number): boolean => start <= facts.statements[statement]![0] && facts.statements[statement]![1] <= end;
  if (statementsIn(facts.functions[0]!.body).some(({ at }) => isWithin(at) && !below.has(at))) return below;
  return new Set([...facts.statements.keys()].filter(isWithin));
}

/** Where a program that is started finds out what it is to do. */
function isAsked(api: string): boolean {
  return words.startSettings.some((name) => api === name || api.startsWith(`${name}.`));
}
