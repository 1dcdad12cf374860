import { definitionsOf } from "@agentgate/parsers";
import type { Call, CallId, ModuleFacts, Reference } from "@agentgate/parsers";
import type { Capability, CapabilityEntry } from "../../catalogue/capability.ts";
import { distinctiveTail } from "../../catalogue/tails.ts";
import { onceFor } from "../indexes.ts";
import { decoratorFactories, parameterOf } from "../reach/edges.ts";
import { onlyAbstract } from "./abstract.ts";
import { answerFor } from "./answers.ts";
import { chainOf, receiverOf } from "./chain.ts";
import type { Effect, Told } from "./effect.ts";
import { isSchemaChange } from "./migrations.ts";
import { pipedModel } from "./pipes.ts";
import { doneBy } from "./resolved.ts";
import type { Done } from "./resolved.ts";
import { isOnTask } from "./tasks.ts";
import { toldBy } from "./told.ts";
import { isTypedInside } from "./typed.ts";
import { givesNames, valuesRun } from "./values.ts";

/** What the effects of a module's own calls are asked of. */
export interface Asked {
  readonly capabilities: readonly CapabilityEntry[];
  readonly tools: readonly string[];
  /** Of the module. */
  readonly path: string;
  /** What a reference of the module is in the end. */
  ends(reference: Reference): ReferenceEnds;
}

export interface ReferenceEnds {
  /** APIs outside the tree. */
  readonly outside: readonly Reference[];
  /** It is a function or class of the tree. */
  readonly inside: boolean;
}

const factoriesOf = onceFor(decoratorFactories);

const NONE: readonly Effect[] = [];

/** The effects of one call of a module, in source order. */
export function effectsOfOwnCall(facts: ModuleFacts, id: CallId, asked: Asked): readonly Effect[] {
  const call = facts.calls[id]!;
  if (call.decorator === true || factoriesOf(facts).has(id) || isOnTask(facts, call)) return NONE;
  const effects = effectsOfCall(facts, call, id, asked);
  return effects.length === 0 ? NONE : inOrder(effects.filter((effect) => !isSchemaChange(facts, call, effect, asked.path)));
}

/** Effects in source order; sorts in place. */
export function inOrder(effects: Effect[]): readonly Effect[] {
  return effects.length < 2 ? effects : effects.sort((one, other) => one.span[0] - other.span[0] || one.call - other.call);
}

function effectsOfCall(facts: ModuleFacts, call: Call, id: CallId, asked: Asked): readonly Effect[] {
  const { answers, isTold } = resolvedAnswers(facts, call, asked);
  // Most calls are of what is known to do nothing, with nothing that they could run.
  if (isTold && answers.length === 0 && !givesNames(facts, call)) return NONE;
  const made = new Map<string, Effect>();
  const note = (done: Done, told: Told, api: string, root: string, more: Partial<Effect> = {}): void => {
    const key = `${done.capability}:${String(done.writes)}`;
    if (made.has(key)) return;
    made.set(key, { ...done, told, api, root, call: id, span: call.nameSpan, statement: call.statement, function: call.function, receiver: receiverOf(facts, call), ...more });
  };
  const isOpen = answers.length > 1 && new Set(answers.map(({ root }) => root)).size > 1;
  const tail = isOpen ? tailOf(facts, call, asked) : null;
  for (const { done, told, api, root } of isOpen ? likeliest(answers, tail) : all(answers)) note(done, told, api, root);
  if (!isTold || (tail !== null && made.size === 0)) {
    const told = toldBy(facts, call, asked.tools);
    if (told !== null) note(told, told.told, told.api, told.root);
    const piped = pipedModel(facts, call, asked);
    if (piped !== null && made.size === 0) note({ capability: "model", writes: false }, "resolved", piped.api, piped.root);
  }
  for (const { done, api, root, span } of valuesRun(facts, call, asked)) note(done, "resolved", api, root, { asValue: true, span });
  return [...made.values()];
}

/** What one API that the callee can be does. */
interface Answer {
  readonly told: Told;
  readonly api: string;
  readonly root: string;
  /** What the API is: of a client that can be one of several, most must agree. */
  readonly kind: string;
  readonly dones: readonly Done[];
}

/** What a call does whose callee the callers in its file hand in, for who asks about this very call: `f()` of `retry(f)`. */
export function handedInEffects(facts: ModuleFacts, id: CallId, asked: Asked): readonly Effect[] {
  const call = facts.calls[id]!;
  if (parameterOf(facts, call.callee) === null) return [];
  const place = { call: id, span: call.nameSpan, statement: call.statement, function: call.function, receiver: receiverOf(facts, call) };
  return all(resolvedAnswers(facts, call, asked, true).answers).map(({ done, told, api, root }) => ({ ...done, told, api, root, ...place }));
}

interface Resolved {
  readonly answers: readonly Answer[];
  readonly isTold: boolean;
}

const TOLD: Resolved = { answers: [], isTold: true };
const UNTOLD: Resolved = { answers: [], isTold: false };

/** What the callee's references do, and whether they tell what it is. */
function resolvedAnswers(facts: ModuleFacts, call: Call, asked: Asked, withHandedIn = false): Resolved {
  const isParameter = parameterOf(facts, call.callee) !== null;
  let isTold = isTypedInside(facts, call) || (!isParameter && definitionsOf(facts, call.callee).length > 0 && !onlyAbstract(facts, call.callee));
  if (call.references.length === 0) return isTold ? TOLD : UNTOLD;
  const answers: Answer[] = [];
  for (const reference of call.references) {
    // What callers hand in is theirs; what the parameter is by default or by its annotation is not.
    if (isParameter && !withHandedIn && reference.through === undefined) continue;
    const { outside, inside } = asked.ends(reference);
    isTold ||= inside;
    for (const each of outside) {
      const answer = answerFor(facts, call, each, asked);
      if (answer !== "unknown") isTold = true;
      if (typeof answer === "string") continue;
      const told = each.through === "annotation" ? "annotation" : "resolved";
      answers.push({ told, api: answer.api, root: answer.root, kind: (answer.capabilities[0] ?? "").split(".")[0]!, dones: doneBy(facts, call, each, answer) });
    }
  }
  return { answers, isTold };
}

type Likely = Pick<Answer, "told" | "api" | "root"> & { readonly done: Done };

/**
 * Of a client that can be one of several, what most of them would do: a property of a base class may give a client of
 * every provider. `tail` is what the end of the path tells by itself; then nothing else counts.
 */
function likeliest(answers: readonly Answer[], tail: Capability | null): readonly Likely[] {
  if (tail !== null) return all(answers).filter(({ done }) => done.capability === tail);
  const votes = new Map<string, Set<string>>();
  for (const { kind, root } of answers) votes.set(kind, (votes.get(kind) ?? new Set()).add(root));
  const most = Math.max(...[...votes.values()].map((roots) => roots.size));
  return all(answers.filter(({ kind }) => votes.get(kind)!.size === most));
}

function all(answers: readonly Answer[]): readonly Likely[] {
  return answers.flatMap(({ dones, told, api, root }) => dones.map((done) => ({ told, api, root, done })));
}

function tailOf(facts: ModuleFacts, call: Call, asked: Asked): Capability | null {
  const chain = chainOf(facts, call.callee);
  return chain === null || chain.names.length < 3 ? null : distinctiveTail(chain.names, asked.tools);
}
