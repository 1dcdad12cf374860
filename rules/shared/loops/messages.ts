import { positionAt } from "@agentgate/parsers";
import type { ModuleFacts, Span } from "@agentgate/parsers";
import type { ReachedEffect } from "../effects/index.ts";
import { reachedPhrase } from "../effects/index.ts";
import { someIngredient } from "../expressions.ts";
import { statementsIn } from "../statements.ts";
import { boundName } from "./bound-names.ts";
import type { Escape } from "./escape.ts";
import { handlerAt } from "./flow.ts";
import type { Turn } from "./flow.ts";
import { shownPlace } from "./places.ts";
import { testsOf } from "./witnesses.ts";

/** 1-based line of a span. */
export function lineAt(facts: ModuleFacts, span: Span): number {
  return positionAt(facts.lines, span[0]).line;
}

const WITNESSES = "a counter compared to a limit, a deadline, or a check that raises";

/** A constant number of attempts that is too large. */
export interface Attempts {
  readonly count: number;
  readonly ceiling: number;
}

/** What is told of a repetition. */
interface Told {
  readonly escape: Escape;
  readonly isPaging: boolean;
  readonly attempts?: Attempts | undefined;
  /** What the handler on the way does, where it does not swallow the error. */
  readonly handled?: string | null;
  /** By what a function comes back to itself, and where. */
  readonly again?: { readonly by: "call" | "timer"; readonly span: Span } | undefined;
}

/** What, why and what to do, for a loop or what works like one. `what` is its subject: `This loop`. */
export function messageOf(facts: ModuleFacts, what: string, { escape, isPaging, attempts, handled, again }: Told, reached: ReachedEffect): string {
  const effect = reachedPhrase(reached);
  if (attempts !== undefined && escape.kind === "none") {
    return `${what} repeats ${effect} up to ${String(attempts.count)} times, and the ceiling for attempts is ${String(attempts.ceiling)}. `
      + `Before that nothing ends it but the answer.${twice(facts, escape, reached, handled)} Try less often, or set loops.ceiling in the policy to what is meant.`;
  }
  switch (escape.kind) {
    case "off":
      return `${what} repeats ${effect}, and ${boundOf(facts, escape)} is off unless somebody sets it. `
        + `Until then nothing ends it but the answer.${twice(facts, escape, reached, handled)} Give ${boundName(facts, escape) ?? "it"} a finite default.`;
    case "above":
      return `${what} repeats ${effect}, and ${boundOf(facts, escape)} is above the ceiling for attempts. `
        + `Before that nothing ends it but the answer.${twice(facts, escape, reached, handled)} Lower it, or set loops.ceiling in the policy to what is meant.`;
    case "mode":
      return `${what} repeats ${effect}, and ${boundOf(facts, escape)} is tested only in test mode. `
        + `In production nothing ends it but the answer.${twice(facts, escape, reached, handled)} Test it always.`;
    case "moved":
      return `${what} repeats ${effect}, and its limit ${shownPlace(facts, escape.limit ?? "")} is moved on in the loop, so that it is never reached. `
        + `Nothing ends it but the answer.${twice(facts, escape, reached, handled)} Set the limit before the loop, and leave it there.`;
    case "path":
      return `${what} repeats ${effect}, and its bound on ${placeName(facts, escape)} does not hold on every way round. `
        + `${pathOf(facts, escape, again)} goes round without ${escape.isAdvanced ? "comparing" : "advancing"} it.${twice(facts, escape, reached, handled)} `
        + `${escape.isAdvanced ? "Compare" : "Advance"} it on that path too.`;
    default:
      return `${what} repeats ${effect} with no bound: ${WITNESSES} was looked for and not found. `
        + `${isPaging ? "A cursor that comes back twice keeps it going" : "Nothing ends it but the answer"}.${twice(facts, escape, reached, handled)} `
        + (isPaging ? "Count the pages, or stop at a cursor seen before." : "Count the rounds and leave past a limit.");
  }
}

/** The retry that does a write twice. */
function twice(facts: ModuleFacts, { way }: Escape, { effect }: ReachedEffect, handled: string | null = null): string {
  const handler = way.state.handler;
  if (handler?.span == null) return "";
  const again = !asksError(facts, handler) && (effect.writes || effect.capability === "model" || effect.capability === "tool") ? ", so what had been carried out before the error is done twice" : "";
  return ` The handler on line ${String(lineAt(facts, handler.span))} ${handled ?? "swallows the error and goes on"}${again}.`;
}

/** `if error.status == 401: refresh()`: an error that is looked at may say that nothing was carried out. */
function asksError(facts: ModuleFacts, turn: Turn): boolean {
  const handler = handlerAt(facts.functions.flatMap(({ body }) => statementsIn(body)), turn);
  if (handler === undefined || handler.binding < 0) return false;
  return testsOf(null, statementsIn(handler.body)).some((test) => someIngredient(facts, test, (part) => part.kind === "name" && part.binding === handler.binding, 40));
}

function pathOf(facts: ModuleFacts, { way }: Escape, again: Told["again"]): string {
  if (again !== undefined) return `The ${again.by} on line ${String(lineAt(facts, again.span))}`;
  const jump = way.jump === null ? undefined : facts.statements[way.jump];
  if (jump !== undefined) return `The continue on line ${String(lineAt(facts, jump))}`;
  const { handler, turn } = way.state;
  if (handler?.span != null) return `The path through the handler on line ${String(lineAt(facts, handler.span))}`;
  const branch = turn === null ? undefined : facts.statements[turn.at];
  return branch === undefined ? "The way to the end of the body" : `The path through line ${String(lineAt(facts, branch))}`;
}

function placeName(facts: ModuleFacts, { atom }: Escape): string {
  if (atom === null || atom.kind === "clock") return "time";
  return atom.place.includes("#") ? atom.place.slice(atom.place.lastIndexOf(".") + 1) : shownPlace(facts, atom.place);
}

function boundOf(facts: ModuleFacts, escape: Escape): string {
  return `its bound ${boundName(facts, escape) ?? `on ${placeName(facts, escape)}`}`;
}

/** The place of the escaping path, to be shown beside the finding. */
export function escapingSpan(facts: ModuleFacts, { way }: Escape): Span | null {
  const jump = way.jump === null ? undefined : facts.statements[way.jump];
  if (jump !== undefined) return jump;
  const { handler, turn } = way.state;
  if (handler?.span != null) return handler.span;
  return turn === null ? null : facts.statements[turn.at] ?? null;
}
