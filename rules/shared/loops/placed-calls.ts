import type { Call, CallId, ModuleFacts, Span } from "@agentgate/parsers";
import { onceFor } from "../indexes.ts";

/** A call with the facts in which it is written. */
export interface PlacedCall {
  readonly facts: ModuleFacts;
  readonly call: Call;
  readonly id: CallId;
}

/** The call whose name stands at a span. */
export function callAt(facts: ModuleFacts | null, [start]: Span): PlacedCall | null {
  const id = facts === null ? undefined : callsByName(facts).get(start);
  return facts === null || id === undefined ? null : { facts, call: facts.calls[id]!, id };
}

const callsByName = onceFor((facts): ReadonlyMap<number, CallId> => new Map(facts.calls.map((call, id) => [call.nameSpan[0], id])));
