import { definitionsOf } from "@agentgate/parsers";
import type { Call, CallId, ModuleFacts, Reference } from "@agentgate/parsers";
import { classify, isException } from "../../catalogue/classify.ts";
import type { Classified } from "../../catalogue/classify.ts";
import { argumentsView } from "../arguments.ts";
import { onceFor } from "../indexes.ts";
import { decoratorFactories, parameterOf } from "../reach/edges.ts";
import { onlyAbstract } from "./abstract.ts";
import { receiverOf } from "./chain.ts";
import type { Effect, Told } from "./effect.ts";
import { doneBy } from "./resolved.ts";
import type { Done } from "./resolved.ts";
import { toldBy } from "./told.ts";
import { valuesRun } from "./values.ts";

/** What the effects of a module's own calls are asked of. */
export interface Asked {
  readonly capabilities: Parameters<typeof classify>[2];
  readonly tools: readonly string[];
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

/** The effects of every call of a module, in source order. */
export function ownEffects(facts: ModuleFacts, asked: Asked): readonly Effect[] {
  const effects: Effect[] = [];
  facts.calls.forEach((call, id) => {
    if (call.decorator === true || factoriesOf(facts).has(id)) return;
    effects.push(...effectsOfCall(facts, call, id, asked));
  });
  return effects.sort((one, other) => one.span[0] - other.span[0] || one.call - other.call);
}

function effectsOfCall(facts: ModuleFacts, call: Call, id: CallId, asked: Asked): readonly Effect[] {
  const made = new Map<string, Effect>();
  const note = (done: Done, told: Told, api: string, root: string, more: Partial<Effect> = {}): void => {
    const key = `${done.capability}:${String(done.writes)}`;
    if (made.has(key)) return;
    made.set(key, { ...done, told, api, root, call: id, span: call.nameSpan, statement: call.statement, function: call.function, receiver: receiverOf(facts, call), ...more });
  };
  const resolved = resolvedEffects(facts, call, asked, note);
  if (!resolved) {
    const told = toldBy(facts, call, asked.tools);
    if (told !== null) note(told, told.told, told.api, told.root);
  }
  for (const { done, api, root, span } of valuesRun(facts, call, asked)) note(done, "resolved", api, root, { asValue: true, span });
  return [...made.values()];
}

type Note = (done: Done, told: Told, api: string, root: string) => void;

/** Notes what the callee's references do; whether they tell what it is. */
function resolvedEffects(facts: ModuleFacts, call: Call, asked: Asked, note: Note): boolean {
  const isParameter = parameterOf(facts, call.callee) !== null;
  let isTold = !isParameter && definitionsOf(facts, call.callee).length > 0 && !onlyAbstract(facts, call.callee);
  for (const reference of call.references) {
    // What callers hand in is theirs; what the parameter is by default or by its annotation is not.
    if (isParameter && reference.through === undefined) continue;
    const { outside, inside } = asked.ends(reference);
    isTold ||= inside;
    for (const each of outside) {
      const answer = answerFor(facts, call, each, asked);
      if (answer === "pure") isTold = true;
      if (typeof answer === "string") continue;
      isTold = true;
      for (const done of doneBy(facts, call, each, answer)) note(done, each.through === "annotation" ? "annotation" : "resolved", answer.api, answer.root);
    }
  }
  return isTold;
}

/** What the catalogue says of a called reference. */
export function answerFor(facts: ModuleFacts, call: Call | null, reference: Reference, asked: Asked): Classified | "pure" | "unknown" {
  if (isException(facts.language, reference)) return "pure";
  const view = call === null ? undefined : argumentsView(facts, call);
  const answer = classify(facts.language, reference, asked.capabilities, view);
  if (answer.kind === "unclassified") return "unknown";
  if (answer.kind === "pure") return isUnnamedGlobal(reference) ? "unknown" : "pure";
  return answer.mixed || (reference.through === "star" && !answer.exact) ? "pure" : answer;
}

/** A name of no known global: what an annotation names that nothing imports, or what another script declares. */
function isUnnamedGlobal({ module, through }: Reference): boolean {
  return (module === "globalThis" || module === "builtins") && through === "annotation";
}
