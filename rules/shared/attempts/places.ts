import type { CallId, FunctionId, ModuleFacts, Span, Statement, ValueId } from "@agentgate/parsers";
import { bodiesOf, callPlaces, statementsIn } from "../statements.ts";
import type { Place } from "../statements.ts";

export type Loop = Extract<Statement, { kind: "loop" }>;

/** The loops around a call inside its own function, the innermost first. */
export function loopsAround(facts: ModuleFacts, call: CallId): readonly { readonly loop: Loop; readonly inside: Place }[] {
  const found: { loop: Loop; inside: Place }[] = [];
  let place = placeOf(facts, call);
  for (; place?.above != null; place = place.above) {
    const above: Statement = place.above.body[place.above.index]!;
    if (above.kind === "loop" && (place.body === above.body || place.body === above.update)) found.push({ loop: above, inside: place });
  }
  return found;
}

/** Where a call is evaluated; one written in a function without a place there has none. */
export function placeOf(facts: ModuleFacts, call: CallId): Place | null {
  const entry = facts.calls[call];
  return entry === undefined ? null : callPlaces(facts, entry.function).get(call) ?? null;
}

/** From the loop's keyword to the end of what stands in it. */
export function extentOf(facts: ModuleFacts, loop: Loop): Span {
  let end = loop.keywordSpan[1];
  for (const body of bodiesOf(loop)) for (const { at } of statementsIn(body)) end = Math.max(end, facts.statements[at]?.[1] ?? 0);
  for (const part of [loop.test, loop.iterable]) if (part !== null) end = Math.max(end, facts.values[part]!.span[1]);
  return [loop.keywordSpan[0], end];
}

/** Whether a function is another one or lies inside it. */
export function isWithin(facts: ModuleFacts, inner: FunctionId, outer: FunctionId): boolean {
  let current = inner;
  for (let step = 0; step < 256 && current >= 0; step++) {
    if (current === outer) return true;
    current = facts.functions[current]?.parent ?? -1;
  }
  return false;
}

/** The names that a pattern or target gives a value. */
export function bindingsIn(facts: ModuleFacts, targets: readonly ValueId[]): ReadonlySet<number> {
  const found = new Set<number>();
  const pending = [...targets];
  for (let step = 0; pending.length > 0 && step < 200; step++) {
    const value = facts.values[pending.pop()!];
    if (value?.kind === "name" && value.binding >= 0) found.add(value.binding);
    else if (value?.kind === "list") pending.push(...value.items);
    else if (value?.kind === "table") pending.push(...value.entries.map((entry) => entry.value));
    else if (value?.kind === "spread" || value?.kind === "assigned") pending.push(value.value);
  }
  return found;
}
