import { constantsOf } from "@agentgate/parsers";
import type { ModuleFacts, ValueId } from "@agentgate/parsers";
import type { TimeoutDefault } from "./defaults.ts";
import type { Given } from "./given.ts";

/** How long the system tries to connect. */
const CONNECTING = "the system gives up connecting, which takes minutes";

/** What an answer that never comes keeps: what waits for it, or what only waits for the connecting. */
export type Kept = "code" | "connecting";

/** What is called, why that may hang, and what to give it. */
export function timeoutMessage(facts: ModuleFacts, api: string, known: TimeoutDefault, given: Given, kept: Kept): string {
  const remedy = known.instead ?? `Give it ${known.advice ?? "a timeout"}, in ${known.unit ?? "seconds"}.`;
  if (given.kind === "unlimited") {
    const name = given.place.keyword ?? given.place.option ?? "";
    return `${api} is given ${shownGiven(facts, name, given.value)}. An answer that never comes holds this code for ever. Give it a number of ${known.unit ?? "seconds"}.`;
  }
  if (known.strict === true) return `${api} is called without a signal that ends it. An answer that never comes holds this code until the runtime gives up, in Node after ${String(known.default)} seconds. ${remedy}`;
  const until = kept === "connecting" ? CONNECTING : known.until;
  const verb = known.client === true ? "made" : "called";
  return `${api} is ${verb} without a timeout and has none by itself. An answer that never comes holds this code ${until === undefined ? "for ever" : `until ${until}`}. ${remedy}`;
}

function shownGiven(facts: ModuleFacts, name: string, value: ValueId): string {
  const written = constantsOf(facts, value)?.[0]?.value;
  const python = facts.language === "python";
  if (written === undefined) return `a ${name} that sets no limit for the answer`;
  const shown = written === null ? (python ? "None" : "null") : String(written);
  return `${python ? `${name}=${shown}` : `${name}: ${shown}`}, which takes away any limit`;
}
