import type { Capability } from "../../catalogue/capability.ts";
import type { Effect } from "../effects/index.ts";
import type { Containment } from "./containment.ts";
import type { BindingGate } from "./index.ts";

/** What a write does, to go after the name of what is called. */
const DOES: Partial<Record<Capability, string>> = {
  "net": "sends a change over the network",
  "fs.write": "writes a file",
  "fs.delete": "deletes a file",
  "env.write": "changes the environment",
  "db.write": "writes to a database",
  "cloud.write": "changes a cloud service",
  "queue": "publishes a message",
  "mail": "sends mail",
  "notify": "notifies people",
  "pay": "writes to a payment service",
};

/** What a payment service is asked for that moves money. */
const MOVES_MONEY = /(?:^|[._])(?:charges?|refunds?|payouts?|transfers?|capture|pay|withdraw|send_raw_transaction|send_transaction|sendTransaction|send_payment)(?:[._]|$)/i;

function doesOf({ capability, api }: Effect): string {
  return capability === "pay" && MOVES_MONEY.test(api.slice(api.indexOf("."))) ? "moves money" : DOES[capability] ?? "writes";
}

/** What, why and what to do about a write outside of a gate. */
export function ungatedMessage(effect: Effect, containment: Containment, gates: readonly BindingGate[], handedOut: boolean): string {
  const { api } = effect;
  const does = doesOf(effect);
  if (gates.length === 0) return `${api} ${does}, and no gate is declared or found that could hold it. Nothing checks or records the write before it happens. Declare the wrapper for writes under \`gates\` in agentgate.yml and hand the call to it as a callback.`;
  const [gate] = gates;
  const where = handedOut ? `${api} ${does} on a client that was handed out of ${gate!.name}` : `${api} ${does} outside of ${gate!.name}`;
  return `${where}, ${placeOf(gate!)}. ${whyOf(containment, gate!)} ${adviceOf(containment, gate!, handedOut)}`;
}

function placeOf({ line, atBase, path }: BindingGate): string {
  const defined = path === null ? "" : ` of ${path}`;
  return line === null ? `the gate${defined}` : `the gate${defined} that agentgate.yml declares ${atBase ? "at the base, " : ""}on line ${String(line)}`;
}

function whyOf(containment: Containment, { name }: BindingGate): string {
  if (containment.kind === "called" && isTelling(containment)) {
    const { place, sure } = containment;
    if (sure !== true) return `${place.name} is also called outside of it, in ${place.path}.`;
    return `${place.name}, which makes it, is called without ${name} in ${place.path}.`;
  }
  if (containment.kind === "untold") return `Who calls the function around it cannot be told, so ${name} may never see the write.`;
  return "Nothing checks or records the write before it happens.";
}

/**
 * Whether the call that was found outside of the gate is named: one that surely comes to the write, or one of a function
 * that a gate runs too. Any other may hand over what keeps the write from happening.
 */
export function isTelling(containment: Containment): boolean {
  return containment.kind === "called" && containment.place.name !== "" && (containment.sure === true || containment.also === true);
}

function adviceOf(containment: Containment, { name, begins }: BindingGate, handedOut: boolean): string {
  if (begins === true) return isTelling(containment) ? `Make that call after ${name} too.` : `Make the call after ${name}, in the same function.`;
  if (handedOut) return `Use the client inside the callback that ${name} is given.`;
  if (isTelling(containment)) return `Make that call in a callback of ${name} too.`;
  return `Make the call in a callback that ${name} is given.`;
}
