import { functionsOf, referencesOf } from "@agentgate/parsers";
import type { Call, CallId, FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import listed from "../../data/repeated-functions.json" with { type: "json" };
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import { apiName } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { statementsIn } from "../statements.ts";
import { wordsOf } from "../keys/names.ts";
import { loopsAround } from "./places.ts";
import { repeatsUntilDone } from "./loops.ts";

interface Helper {
  readonly paths: readonly string[];
  readonly options?: readonly string[];
}

const HELPERS: Record<ModuleFacts["language"], readonly Helper[]> = { python: listed.python, ecmascript: listed.ecmascript };
const WORDS = new Set(listed.words.words);

const pathsOf = (language: ModuleFacts["language"]): ReadonlyMap<string, Helper> => new Map(HELPERS[language].flatMap((helper) => helper.paths.map((path) => [path, helper] as const)));
const PATHS = { python: pathsOf("python"), ecmascript: pathsOf("ecmascript") };

/** The name of the retry helper that an expression is, as shown; null where it is none. `call` is what configures it. */
function helperName(facts: ModuleFacts, id: ValueId, call: Call | undefined): string | null {
  for (const reference of referencesOf(facts, id)) {
    const name = apiName(reference);
    const found = PATHS[facts.language].get(name) ?? PATHS[facts.language].get(name.slice(0, name.lastIndexOf(".")));
    if (found !== undefined && (found.options === undefined || found.options.some((option) => call?.arguments.some((argument) => argument.name === option) === true))) return name;
  }
  return null;
}

/** `with_retry`, `retryAsync`: what the name says, where nothing of the tree says otherwise. */
function saysRetry(facts: ModuleFacts, id: ValueId): string | null {
  const value = facts.values[id];
  const name = value?.kind === "name" ? value.name : value?.kind === "member" ? value.property : null;
  return name !== null && wordsOf(name).some((word) => WORDS.has(word)) ? name : null;
}

/** The decorator that runs a function again when it fails, as shown; null where there is none. */
export function retryDecorator(facts: ModuleFacts, id: FunctionId): string | null {
  for (const decorator of facts.functions[id]?.decorators ?? []) {
    let value = facts.values[decorator];
    let current = decorator;
    let configured: Call | undefined;
    // `@retry(stop=…)` applies what the call of `retry` gives.
    for (let step = 0; value?.kind === "call" && step < 3; step++) {
      configured = facts.calls[value.call]!;
      current = configured.callee;
      value = facts.values[current];
    }
    const found = helperName(facts, current, configured) ?? saysRetry(facts, current);
    if (found !== null) return found;
  }
  return null;
}

/** The helper that a call is and that runs a function given to it again when it fails, as shown; null where it is none. */
export function retryHelper(facts: ModuleFacts, context: RuleContext, call: CallId): string | null {
  const entry = facts.calls[call]!;
  const named = helperName(facts, entry.callee, entry);
  if (named !== null) return named;
  for (const placed of effectsOf(facts, context).callees(call)) {
    if (repeatsParameter(placed.facts).has(placed.function)) return placed.facts.functions[placed.function]!.name;
  }
  for (const id of functionsOf(facts, entry.callee)) if (repeatsParameter(facts).has(id)) return facts.functions[id]!.name;
  // `retrier.call(f)`, `policy.execute(f)`: the object is the helper.
  const callee = facts.values[entry.callee];
  const object = callee?.kind === "member" ? helperName(facts, callee.object, entry) ?? saysRetry(facts, callee.object) : null;
  return object ?? (functionsOf(facts, entry.callee).length > 0 ? null : saysRetry(facts, entry.callee));
}

/** Functions of a file that call a parameter of theirs again until it succeeds. */
export const repeatsParameter = onceFor((facts): ReadonlySet<FunctionId> => {
  const found = new Set<FunctionId>();
  facts.calls.forEach((call, id) => {
    const callee = facts.values[call.callee];
    const given = callee?.kind === "name" ? facts.values[facts.bindings[callee.binding]?.values[0] ?? -1] : undefined;
    if (given?.kind !== "parameter") return;
    const inLoop = loopsAround(facts, id).some(({ loop }) => repeatsUntilDone(facts, loop, id));
    if (inLoop || isCalledInHandler(facts, id, call)) found.add(given.function);
  });
  return found;
});

/** A parameter that is called in a `try`, and again in its handler. */
function isCalledInHandler(facts: ModuleFacts, id: CallId, { function: inside, callee }: Call): boolean {
  const written = facts.values[callee];
  const binding = written?.kind === "name" ? written.binding : -1;
  return statementsIn(facts.functions[inside]?.body ?? []).some((statement) => statement.kind === "try" && holdsCall(statement.body, (each) => each === id)
    && statement.handlers.some((handler) => holdsCall(handler.body, (each) => {
      const again = facts.values[facts.calls[each]!.callee];
      return again?.kind === "name" && (again.binding === binding || functionsOf(facts, facts.calls[each]!.callee).includes(inside));
    })));
}

function holdsCall(body: Parameters<typeof statementsIn>[0], accept: (call: CallId) => boolean): boolean {
  return statementsIn(body).some((statement) => statement.kind === "call" && accept(statement.call));
}
