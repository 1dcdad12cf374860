import { functionsOf, referencesOf, valuesReturned } from "@agentgate/parsers";
import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { callsApi, originsOf } from "./expressions.ts";
import { takesMember } from "./indexes.ts";
import { loaderOf } from "./loaders.ts";

const JOINERS = ["path.join", "path.resolve", "path.default.join", "path.default.resolve", "path.posix.join", "path.posix.resolve"];
const FINDERS = ["find-up.default.sync", "find-up.sync", "find-up.findUpSync", "find-up", "find-up.default", "find-up.findUp"];
const DEEPEST = 6;

/**
 * Whether a path ends in `.json` on every way to it, also where a function of the file finds it: `require` and `import`
 * read such a file, they do not run it. Not where the file says what is done with that ending.
 */
export function isDataFile(facts: ModuleFacts, path: ValueId): boolean {
  return facts.language === "ecmascript" && !takesMember(facts, [".json"]) && endsInJson(facts, path, 0);
}

function endsInJson(facts: ModuleFacts, id: ValueId, depth: number): boolean {
  const { values, complete } = originsOf(facts, id);
  if (!complete || depth > DEEPEST) return false;
  const paths = values.filter((each) => !isNothing(facts, each));
  return paths.length > 0 && paths.every((each) => lastPartIsJson(facts, each, depth + 1));
}

/** `null`, `undefined` or `false`, which names no file. */
function isNothing(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id];
  return value?.kind === "constant" || (value?.kind === "name" && value.binding === -1 && value.name === "undefined");
}

function lastPartIsJson(facts: ModuleFacts, id: ValueId, depth: number): boolean {
  const value = facts.values[id];
  switch (value?.kind) {
    case "string":
      return value.value.endsWith(".json");
    case "template":
      return value.tag === undefined && endsWith(facts, value.parts.at(-1), depth);
    case "binary":
      return value.operator === "+" && endsInJson(facts, value.right, depth);
    case "call":
      return callGivesJson(facts, facts.calls[value.call]!, depth);
    default:
      return false;
  }
}

function callGivesJson(facts: ModuleFacts, call: Call, depth: number): boolean {
  if (callsApi(call, FINDERS) || isResolver(facts, call)) return endsWith(facts, call.arguments[0]?.value, depth);
  if (callsApi(call, JOINERS)) return endsWith(facts, call.arguments.at(-1)?.value, depth);
  const functions = functionsOf(facts, call.callee);
  if (functions.length === 0) return false;
  return functions.every((each) => {
    const returned = valuesReturned(facts, each).filter((value) => !isNothing(facts, value));
    return returned.length > 0 && returned.every((value) => endsInJson(facts, value, depth));
  });
}

/** `require.resolve("package/package.json")`, also of a `require` that was made. */
function isResolver(facts: ModuleFacts, { callee }: Call): boolean {
  const value = facts.values[callee];
  return value?.kind === "member" && value.property === "resolve" && referencesOf(facts, value.object).some((reference) => loaderOf(facts.language, reference)?.kind === "module");
}

function endsWith(facts: ModuleFacts, last: ValueId | undefined, depth: number): boolean {
  return last !== undefined && endsInJson(facts, last, depth);
}
