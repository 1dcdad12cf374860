import type { Binding, Call, CallId, FunctionId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import type { PlacedFunction } from "../effects/index.ts";
import { apiName, bare, callsApi, isApi, someIngredient } from "../expressions.ts";
import { statementsIn } from "../statements.ts";
import { calledName, methodOf } from "./places.ts";
import { LOOPS } from "./vocabulary.ts";
import { wordsOf } from "./words.ts";

const ASKS = new Set([...LOOPS.person.asks, ...LOOPS.work.functions]);
const PERSON = new Set(LOOPS.person.words);
const PROMPTERS = new Set(LOOPS.person.modules);

/** `click.confirm(…)`, `(0, prompts.input)(…)`, `self.ask_user(…)`; a function handed in that is named for what a person does. */
export function asksSomebody(facts: ModuleFacts, call: Call): boolean {
  const name = calledName(facts, call);
  if (isNamedForAsking(name)) return true;
  const method = methodOf(facts, call);
  const root = facts.values[bare(facts, method?.object ?? call.callee)];
  const binding = root?.kind === "name" ? facts.bindings[root.binding] : undefined;
  const asks = ASKS.has(name.replace(/_?async$/i, ""));
  if (asks && (isOfPrompter(facts, call) || isOfPackage(call))) return true;
  if (binding === undefined) return false;
  if (asks && isImported(facts, binding)) return isPromptModule(facts, call);
  return binding.kind === "parameter" && wordsOf(name).some((word) => PERSON.has(word));
}

const ASKING = new Set(LOOPS.person.asking);
const ASKED = new Set(LOOPS.person.asked);

/** `ask_user`, `promptForPassword`, `input_ask`: what begins or ends with the asking and says for what or whom. `user_prompt` is a text. */
function isNamedForAsking(name: string): boolean {
  const words = wordsOf(name);
  if (words.length < 2 || !words.some((word) => ASKED.has(word))) return false;
  return ASKING.has(words[0]!) || (words[0] === "input" && words[1] === "ask");
}

function isImported(facts: ModuleFacts, { kind, values }: Binding): boolean {
  return kind === "import" || values.some((each) => {
    const value = facts.values[bare(facts, each)];
    return value?.kind === "call" && calledName(facts, facts.calls[value.call]!) === "require";
  });
}

/** A module that is named for asking: `click`, `@inquirer/prompts`, `./prompt`. */
function isPromptModule(facts: ModuleFacts, call: Call): boolean {
  const root = methodOf(facts, call)?.object ?? call.callee;
  const value = facts.values[bare(facts, root)];
  const named = value?.kind === "name" ? wordsOf(value.name) : [];
  return [...named, ...call.references.flatMap((reference) => wordsOf(apiName(reference)))].some((word) => PROMPTERS.has(word));
}

/** A package that is named for asking, whatever it goes by in the file: `_interopNamespace(require("@clack/prompts"))`. */
function isOfPackage({ references }: Call): boolean {
  return references.some(({ module }) => wordsOf(PACKAGE.exec(module)?.[0] ?? "").some((word) => PROMPTERS.has(word)));
}

const PACKAGE = /^(?:@[^/]+\/)?[^./]+/;

/** `tools().Prompts.confirm(…)`. */
function isOfPrompter(facts: ModuleFacts, call: Call): boolean {
  const object = facts.values[bare(facts, methodOf(facts, call)?.object ?? -1)];
  return object?.kind === "member" && object.property !== null && wordsOf(object.property).some((word) => PROMPTERS.has(word));
}

const MAX_DEPTH = 2;

/** Whether a call asks a person by itself, or in a function of the tree that does nothing else outside. */
function asksPerson(facts: ModuleFacts, context: RuleContext, id: CallId, depth = 0): boolean {
  const call = facts.calls[id]!;
  const tree = effectsOf(facts, context);
  if (tree.reachedBy(id).length > 0) return false;
  const callees = tree.callees(id).slice(0, 2);
  // A function of the tree is known by its body: `self.add_user_message(text)` asks nobody.
  if (callees.length === 0) return asksSomebody(facts, call) || callsApi(call, ["builtins.input"]) || call.arguments.some(({ value }) => isApi(facts, value, ["builtins.input"]));
  if (isNamedForAsking(calledName(facts, call)) && callees.some((callee) => statementsIn(bodyOf(callee)).some(({ kind }) => kind === "call"))) return true;
  return depth < MAX_DEPTH && callees.some((callee) => onEachRun(bodyOf(callee)).some((inner) => asksPerson(callee.facts, { ...context, path: callee.path }, inner, depth + 1)));
}

/** The calls of a body that stand in no branch and no loop. */
export function onEachRun(body: readonly Statement[]): CallId[] {
  return body.flatMap((statement) => {
    if (statement.kind === "call") return [statement.call];
    return statement.kind === "try" || statement.kind === "with" || statement.kind === "block" ? onEachRun(statement.body) : [];
  });
}

function bodyOf({ facts, function: id }: PlacedFunction): readonly Statement[] {
  return facts.functions[id]?.body ?? [];
}

/** So many functions of a circle are asked. */
const MOST_IN_CIRCLE = 4;

/** Whether a function of the circle that a call enters asks a person each time, before it comes back. */
export function isPacedByPerson(facts: ModuleFacts, context: RuleContext, call: CallId, left = MOST_IN_CIRCLE): boolean {
  const callees = effectsOf(facts, context).callees(call);
  return left > 0 && callees.length > 0 && callees.every((callee) => {
    const at = { ...context, path: callee.path };
    if (onEachRun(bodyOf(callee)).some((inner) => asksPerson(callee.facts, at, inner))) return true;
    const back = effectsOf(callee.facts, at).recursionOf(callee.function);
    return back.length > 0 && back.every((inner) => isPacedByPerson(callee.facts, at, inner, left - 1));
  });
}

/** Whether a function comes back to itself with what a person said to an answer: the ask stands after what is repeated. */
export function isToldByPerson(facts: ModuleFacts, context: RuleContext, id: FunctionId, again: CallId, repeated: readonly CallId[]): boolean {
  const startOf = (call: CallId): number => facts.calls[call]!.nameSpan[0];
  const [first, end] = [Math.min(...repeated.map(startOf)), startOf(again)];
  const asked = new Set(statementsIn(facts.functions[id]!.body).flatMap((statement) => (statement.kind === "call" && startOf(statement.call) > first && startOf(statement.call) < end && asksPerson(facts, context, statement.call) ? [statement.call] : [])));
  const isSaid = (value: ValueId): boolean => someIngredient(facts, value, (part) => part.kind === "call" && asked.has(part.call), 40);
  return asked.size > 0 && facts.calls[again]!.arguments.some(({ value }) => isSaid(value));
}
