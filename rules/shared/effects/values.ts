import type { Call, ModuleFacts, Reference, Span, ValueId } from "@agentgate/parsers";
import { definitionsOf, referencesOf } from "@agentgate/parsers";
import { verbOfName } from "../../catalogue/verbs.ts";
import { bare } from "../expressions.ts";
import { parameterOf } from "../reach/edges.ts";
import { mayBeFunction } from "../reach/apis.ts";
import { keepsFunctions } from "../reach/keepers.ts";
import { chainEnd } from "./chain.ts";
import { answerFor } from "./answers.ts";
import type { Asked } from "./own.ts";
import { doneBy } from "./resolved.ts";
import type { Done } from "./resolved.ts";
import { CONSTRUCTED_RUNNERS, REGISTRATIONS, RUNNERS } from "./vocabulary.ts";

/** An API that a call is given as a value and runs. */
export interface ValueRun {
  readonly done: Done;
  readonly api: string;
  readonly root: string;
  readonly span: Span;
}

/** Whether a call runs functions that it is given, now or soon: not what keeps, registers or constructs. */
export function runsFunctions(facts: ModuleFacts, call: Call): boolean {
  if (call.decorator === true || keepsFunctions(facts, call)) return false;
  const name = chainEnd(facts, call.callee);
  if (REGISTRATIONS.has(name.toLowerCase())) return false;
  const isConstruction = call.construct === true || /^[A-Z]/.test(name);
  return !isConstruction || CONSTRUCTED_RUNNERS.has(name);
}

/** The effects of APIs that a call is given as values: `run_in_executor(None, requests.post, url)`. */
export function valuesRun(facts: ModuleFacts, call: Call, asked: Asked): readonly ValueRun[] {
  if (!givesNames(facts, call) || !isRunner(facts, call, asked)) return [];
  return call.arguments.flatMap(({ value }): ValueRun[] => {
    if (!isNamed(facts, value) || parameterOf(facts, value) !== null) return [];
    return referencesOf(facts, value).flatMap((reference) => asked.ends(reference).outside.flatMap((each) => runOf(facts, call, value, each, asked)));
  });
}

/** Whether something that has a name is handed to a call: only that can be a function of another module. */
export function givesNames(facts: ModuleFacts, call: Call): boolean {
  for (const { value } of call.arguments) if (isNamed(facts, value)) return true;
  return false;
}

/** What is known to call what it is given: by its name, or as a function of the tree. */
function isRunner(facts: ModuleFacts, call: Call, asked: Asked): boolean {
  if (!runsFunctions(facts, call)) return false;
  const name = chainEnd(facts, call.callee);
  if (RUNNERS.has(name.toLowerCase()) || CONSTRUCTED_RUNNERS.has(name)) return true;
  return definitionsOf(facts, call.callee).some(({ kind }) => kind === "function") || call.references.some((reference) => asked.ends(reference).inside);
}

function isNamed(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  return value?.kind === "name" || (value?.kind === "member" && value.property !== null);
}

function runOf(facts: ModuleFacts, call: Call, id: ValueId, reference: Reference, asked: Asked): ValueRun[] {
  const value = facts.values[bare(facts, id)]!;
  // A handle or a result that is handed on is no function; a method of it is.
  const isHandedOn = reference.instance === true && (value.kind !== "member" || value.property !== reference.path.at(-1));
  if (isHandedOn || !mayBeFunction(reference)) return [];
  const answer = answerFor(facts, null, reference, asked);
  if (typeof answer === "string" || (reference.instance === true && !answer.exact && verbOfName(reference.path.at(-1) ?? "") === null)) return [];
  const made: Call = { ...call, callee: id, arguments: argumentsAfter(call, id), references: [reference] };
  const span = value.kind === "member" ? value.propertySpan : value.span;
  return doneBy(facts, made, reference, answer).map((done) => ({ done, api: answer.api, root: answer.root, span }));
}

/** What a runner is given behind the function goes to it. */
function argumentsAfter(call: Call, id: ValueId): Call["arguments"] {
  const at = call.arguments.findIndex(({ value }) => value === id);
  return call.arguments.slice(at + 1);
}
