import { definitionsOf } from "@agentgate/parsers";
import type { Call, ClassId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { bare, originsOf } from "../expressions.ts";
import { ownClass } from "../selves.ts";
import { chainEnd, receiverOf } from "./chain.ts";
import { IN_PROCESS_TRANSPORTS, TRANSPORT_OPTIONS } from "./vocabulary.ts";
import { optionOf } from "./verbs.ts";

const MOST_BASES = 8;

/** Whether an HTTP call stays in the process: its client, or it itself, was given a transport that does (`httpx.ASGITransport(app=app)`). */
export function staysInProcess(facts: ModuleFacts, call: Call): boolean {
  if (hasSuchTransport(facts, call)) return true;
  const receiver = receiverOf(facts, call);
  const made = receiver === null ? [] : clientsOf(facts, receiver);
  return made.length > 0 && made.every((id) => {
    const value = facts.values[id];
    return value?.kind === "call" && hasSuchTransport(facts, facts.calls[value.call]!);
  });
}

function hasSuchTransport(facts: ModuleFacts, call: Call): boolean {
  return TRANSPORT_OPTIONS.some((option) => {
    const given = optionOf(facts, call, option);
    const origins = given === null ? [] : originsOf(facts, given).values;
    return origins.length > 0 && origins.every((origin) => {
      const value = facts.values[origin];
      return value?.kind === "call" && IN_PROCESS_TRANSPORTS.has(chainEnd(facts, facts.calls[value.call]!.callee));
    });
  });
}

/** What a client can be; of an attribute what the class, or one above it in the file, gives it. */
function clientsOf(facts: ModuleFacts, receiver: ValueId): readonly ValueId[] {
  const member = facts.values[bare(facts, receiver)];
  const owner = member?.kind === "member" && member.property !== null ? ownClass(facts, member.object) : -1;
  if (member?.kind !== "member" || owner === -1) return originsOf(facts, receiver).values;
  const pending: ClassId[] = [owner];
  for (let step = 0; step < MOST_BASES; step++) {
    const id = pending.shift();
    const subject = id === undefined ? undefined : facts.classes[id];
    if (subject === undefined) break;
    const { attributes } = subject;
    if (Object.hasOwn(attributes, member.property!)) return attributes[member.property!]!.flatMap((value) => originsOf(facts, value).values);
    pending.push(...subject.bases.flatMap((base) => definitionsOf(facts, base)).flatMap((each) => (each.kind === "class" ? [each.id] : [])));
  }
  return [];
}
