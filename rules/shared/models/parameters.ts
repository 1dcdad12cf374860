import { functionsOf } from "@agentgate/parsers";
import type { Call, CallId, FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext, Tree } from "../../rule.ts";
import { parametersBefore } from "../arguments.ts";
import { effectsOf } from "../effects/index.ts";
import type { PlacedFunction } from "../effects/index.ts";
import { bare, originsOf } from "../expressions.ts";
import { givenAround, givenBy, givenForParameter, givenThrough } from "../given.ts";
import type { Giving } from "../given.ts";
import { keptWithFacts } from "../indexes.ts";
import { exportedValue } from "./exported.ts";
import { modelId } from "./ids.ts";
import type { Sink } from "./sinks.ts";

/** Parameters of a file that are followed to those of its callers. */
const MOST_PARAMETERS = 100;
const MOST_CALLEES = 4;

type Sinks = (facts: ModuleFacts, context: RuleContext) => readonly Sink[];

/** What a call gives by place to a function of another module that hands it to a model's call: `ask(client, "gpt-…", text)`. */
export function givenToFunctions(facts: ModuleFacts, context: RuleContext, id: CallId, sinksOf: Sinks): readonly ValueId[] {
  const call = facts.calls[id]!;
  if (!namesModelByPlace(facts, call)) return [];
  const { giving, callees } = calledBy(facts, context, id);
  const given = giving?.arguments.filter(({ name }) => name === undefined) ?? [];
  const isModel = (value: ValueId): boolean => writtenNames(facts, value).some(namesKnown);
  return callees.slice(0, MOST_CALLEES).flatMap((callee) => {
    if (callee.facts === facts) return [];
    const before = parametersBefore(callee.facts, callee.facts.functions[callee.function]!);
    const taken = modelParameters(callee.facts, { ...context, path: callee.path }, sinksOf);
    return given.flatMap(({ value }, place) => (taken.has(keyOf(callee.function, place + before)) && isModel(value) ? [value] : []));
  });
}

interface Called {
  readonly giving: Giving | null;
  readonly callees: readonly PlacedFunction[];
}

/** A call of a function, or what binds arguments to it. */
function calledBy(facts: ModuleFacts, context: RuleContext, id: CallId): Called {
  const call = facts.calls[id]!;
  const callee = facts.values[call.callee];
  const first = call.arguments[0]!.value;
  const around = givenAround(facts, first, call);
  if (around !== null) return { giving: around, callees: functionsElsewhere(facts, context, first) };
  const through = callee?.kind === "member" && callee.property !== null ? givenThrough(facts, callee.property, call) : null;
  if (through !== null && callee?.kind === "member") return { giving: through, callees: functionsElsewhere(facts, context, callee.object) };
  return { giving: givenBy(facts, call), callees: effectsOf(facts, context).callees(id) };
}

function functionsElsewhere(facts: ModuleFacts, context: RuleContext, id: ValueId): readonly PlacedFunction[] {
  const placed = exportedValue(facts, context, context.path, id);
  return placed === null ? [] : functionsOf(placed.facts, placed.value).map((each) => ({ path: placed.path, facts: placed.facts, function: each }));
}

/** Most calls are given nothing that could be a model's name: then nobody asks what they call. */
function namesModelByPlace(facts: ModuleFacts, call: Call): boolean {
  return call.arguments.some(({ name, value }) => name === undefined && writtenNames(facts, value).some(namesKnown));
}

function namesKnown(text: string): boolean {
  return modelId(text).provider !== null;
}

function writtenNames(facts: ModuleFacts, id: ValueId): readonly string[] {
  const value = facts.values[bare(facts, id)];
  const given = value?.kind === "name" ? facts.bindings[value.binding]?.values ?? [] : [id];
  return given.flatMap((each) => {
    const text = facts.values[each];
    return text?.kind === "string" ? [text.value] : [];
  });
}

interface Known {
  readonly tree: Tree;
  readonly parameters: ReadonlySet<string>;
}

const knownByFacts = keptWithFacts<Known>();

/** The parameters of a file's functions that its calls of models are given, also by way of other functions of it. */
function modelParameters(facts: ModuleFacts, context: RuleContext, sinksOf: Sinks): ReadonlySet<string> {
  const known = knownByFacts.get(facts);
  if (known?.tree === context.tree) return known.parameters;
  const parameters = new Set<string>();
  knownByFacts.set(facts, { tree: context.tree, parameters });
  const pending = sinksOf(facts, context).map(({ value }) => value);
  while (pending.length > 0 && parameters.size < MOST_PARAMETERS) {
    for (const parameter of parametersAt(facts, pending.pop()!)) {
      const key = keyOf(...parameter);
      if (parameters.has(key)) continue;
      parameters.add(key);
      pending.push(...givenForParameter(facts, ...parameter));
    }
  }
  return parameters;
}

/** The parameters that an expression can be, by a name of it or by an attribute that keeps it. */
function parametersAt(facts: ModuleFacts, id: ValueId): readonly (readonly [FunctionId, number])[] {
  return originsOf(facts, id).values.flatMap((origin) => {
    const value = facts.values[origin];
    return value?.kind === "parameter" ? [[value.function, value.index] as const] : [];
  });
}

function keyOf(id: FunctionId, index: number): string {
  return `${String(id)} ${String(index)}`;
}
