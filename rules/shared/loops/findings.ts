import { onOneLine } from "@agentgate/parsers";
import type { CallId, ModuleFacts, Span, Statement } from "@agentgate/parsers";
import type { Related, RuleContext, RuleFinding } from "../../rule.ts";
import { cutOffNote } from "../effects/cut-off.ts";
import type { ReachedEffect } from "../effects/index.ts";
import { settledByTypes } from "../effects/typed.ts";
import { worstOf } from "./effects.ts";
import type { Escape } from "./escape.ts";
import { escapingSpan, messageOf } from "./messages.ts";
import type { Attempts } from "./messages.ts";
import { calledName } from "./places.ts";

/** What is needed to report a repetition. */
export interface Reported {
  readonly facts: ModuleFacts;
  /** `This loop`, `run, which calls itself,`. */
  readonly subject: string;
  readonly escape: Escape;
  /** The calls that have an effect. */
  readonly calls: readonly CallId[];
  readonly effectsOf: (call: CallId) => readonly ReachedEffect[];
  readonly isPaging: boolean;
  readonly isPoll: boolean;
  readonly span: Span;
  readonly statement: number;
  /** The attempts of a `range` and the ceiling for them, where that is all that is wrong. */
  readonly attempts?: Attempts;
  /** What the handler on the way does with the error, where it is not swallowed. */
  readonly handled?: string | null;
  /** What was not looked at, as a sentence; empty where all was. */
  readonly note?: string;
  /** By what a function comes back to itself; absent for a loop. */
  readonly again?: "call" | "timer";
}

/** Says that what the calls of a body do was not searched to its end. */
export function noteOf(facts: ModuleFacts, context: RuleContext, inside: readonly Statement[]): string {
  return cutOffNote(facts, context, inside.flatMap((statement) => (statement.kind === "call" ? [statement.call] : [])));
}

export function findingOf({ facts, subject, escape, calls, effectsOf: effectsOfCall, isPaging, isPoll, attempts, handled = null, span, statement, note = "", again }: Reported): RuleFinding {
  const found = worstOf(calls.flatMap((call) => effectsOfCall(call)))!;
  const call = calls.find((each) => effectsOfCall(each).includes(found))!;
  const worst = withoutHanded(facts, call, found);
  const { effect } = worst;
  return {
    severity: isPaging || isPoll ? "warning" : "error",
    message: messageOf(facts, subject, { escape, isPaging, attempts, handled, again: again && { by: again, span } }, worst) + note,
    span: onOneLine(facts.lines, span),
    capability: effect.capability,
    api: effect.api,
    key: `${effect.root} ${escape.kind}`,
    statement,
    related: [...effectPath(facts.calls[call]!.nameSpan, worst), ...escapingPath(facts, escape), ...settledByTypes(facts, effect, worst.path)],
  };
}

/** A way over more calls than this is shown by its beginning and its end. */
const MOST_SHOWN = 12;

/**
 * An effect without the steps into functions that are written where they are handed over: they bear the name of a
 * function around them, which would be said to be repeated.
 */
export function withoutHanded(facts: ModuleFacts, call: CallId, reached: ReachedEffect): ReachedEffect {
  const around = namesAround(facts, call);
  const isHanded = (name: string): boolean => name === "an anonymous function" || around.has(name.slice(name.lastIndexOf(".") + 1));
  if (around.has(calledName(facts, facts.calls[call]!))) return reached;
  let first = 0;
  while (first < reached.steps.length && isHanded(reached.steps[first]!.name)) first++;
  return first === 0 ? reached : { ...reached, steps: reached.steps.slice(first) };
}

/** The names of the functions in which a call stands, from the nearest on. */
function namesAround(facts: ModuleFacts, call: CallId): ReadonlySet<string> {
  const names = new Set<string>();
  for (let id = facts.calls[call]!.function; id > 0; id = facts.functions[id]!.parent) names.add(facts.functions[id]!.name);
  names.delete("");
  return names;
}

/** The effect with the calls that lead to it. */
export function effectPath(span: Span, { effect, steps, path }: ReachedEffect): Related[] {
  const related: Related[] = [{ span, message: steps.length === 0 ? `${effect.api} is repeated here` : `${steps[0]!.name} is repeated here` }];
  for (const step of steps.slice(1, MOST_SHOWN)) related.push({ ...(step.path !== undefined && { path: step.path }), span: step.span, message: `which calls ${step.name}` });
  if (steps.length > MOST_SHOWN) related.push({ span, message: `which goes on over ${String(steps.length - MOST_SHOWN)} more calls` });
  if (steps.length > 0) related.push({ ...(path !== undefined && { path }), span: effect.span, message: `which calls ${effect.api}` });
  return related;
}

function escapingPath(facts: ModuleFacts, escape: Escape): Related[] {
  const span = escapingSpan(facts, escape);
  return span === null ? [] : [{ span: onOneLine(facts.lines, span), message: "the way round that nothing bounds" }];
}
