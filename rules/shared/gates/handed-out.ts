import { functionsOf, referencesOf, valuesReturned } from "@agentgate/parsers";
import type { Call, CallId, ModuleFacts, Reference, ValueId } from "@agentgate/parsers";
import type { Capability } from "../../catalogue/capability.ts";
import { classify } from "../../catalogue/classify.ts";
import type { Classified } from "../../catalogue/classify.ts";
import { sendsMutatingVerb } from "../../catalogue/tails.ts";
import { verbOfName } from "../../catalogue/verbs.ts";
import type { RuleContext } from "../../rule.ts";
import { argumentsView } from "../arguments.ts";
import { onlyReads } from "../effects/addresses.ts";
import { isWrite } from "../effects/index.ts";
import type { Effect } from "../effects/index.ts";
import { mutates } from "../effects/verbs.ts";
import { bare, originsOf } from "../expressions.ts";
import { outsideReferences, Resolver } from "../tree.ts";
import type { Received } from "./received.ts";

/**
 * Writes on a client that a gate's callback returned: `client = write_gate(lambda: httpx.Client())`, then
 * `client.post(url)`. What the gate gives is what the callback returned, as far as that is written in the module.
 */
export function handedOutWrites(received: Received, context: RuleContext): readonly Effect[] {
  if (received.gateCalls().size === 0) return [];
  const { facts } = received.recogniser.module;
  const resolver = new Resolver(context);
  return facts.calls.flatMap((call, id): Effect[] => {
    const taken = takenFromGate(received, call);
    if (taken === null || received.gateCalls().has(id)) return [];
    for (const reference of returnedReferences(received, taken.gateCall)) {
      const member: Reference = { ...reference, path: [...reference.path, ...taken.names], instance: true };
      for (const { reference: outside } of outsideReferences(resolver, context.path, member)) {
        const answer = classify(facts.language, outside, context.capabilities, argumentsView(facts, call));
        const capability = answer.kind === "capability" ? writtenBy(facts, call, outside, answer) : undefined;
        if (answer.kind !== "capability" || capability === undefined) continue;
        return [{ capability, writes: true, told: "resolved", api: answer.api, root: answer.root, call: id, span: call.nameSpan, statement: call.statement, function: call.function, receiver: taken.receiver }];
      }
    }
    return [];
  });
}

/** What a member of a client writes: by its verb, or because the catalogue lists it. The name of the gate tells nothing here. */
function writtenBy(facts: ModuleFacts, call: Call, reference: Reference, answer: Classified): Capability | undefined {
  const name = reference.path.at(-1) ?? "";
  return answer.capabilities.find((capability) => {
    if (capability === "net") return (mutates(facts, call, name) ?? sendsMutatingVerb(reference)) === true && !onlyReads(facts, call, name);
    return isWrite(capability) && (answer.exact || verbOfName(name) === "write");
  });
}

/** The gate call whose result a call is made on, with the members between. */
function takenFromGate(received: Received, call: Call): { readonly gateCall: CallId; readonly names: readonly string[]; readonly receiver: ValueId } | null {
  const { facts } = received.recogniser.module;
  const names: string[] = [];
  let current = bare(facts, call.callee);
  for (let step = 0; step < 16; step++) {
    const value = facts.values[current];
    if (value?.kind !== "member" || value.property === null) return null;
    names.unshift(value.property);
    current = bare(facts, value.object);
    for (const origin of originsOf(facts, current).values) {
      const made = facts.values[origin];
      if (made?.kind === "call" && received.gateCalls().has(made.call)) return { gateCall: made.call, names, receiver: current };
    }
  }
  return null;
}

/** What the functions that a gate call is handed give back, as far as that comes from outside the file. */
function returnedReferences(received: Received, gateCall: CallId): readonly Reference[] {
  const { facts } = received.recogniser.module;
  return facts.calls[gateCall]!.arguments.flatMap((argument) => [
    ...functionsOf(facts, argument.value).flatMap((id) => valuesReturned(facts, id)).flatMap((value) => referencesOf(facts, value)),
    // `write_gate(httpx.Client)`
    ...referencesOf(facts, argument.value).filter((reference) => /^[A-Z]/.test(reference.path.at(-1) ?? "")),
  ]);
}

/** Whether a client comes out of a gate: its call stands in one, or is one. */
export function isHandedOut(received: Received, receiver: ValueId | null, isInside: (call: CallId) => boolean): boolean {
  if (receiver === null) return false;
  const { facts } = received.recogniser.module;
  return originsOf(facts, receiver).values.some((origin) => {
    const made = facts.values[origin];
    return made?.kind === "call" && isInside(made.call);
  });
}
