import type { ModuleFacts, Reference, Use } from "@agentgate/parsers";
import { isProbe } from "./probes.ts";

/** What is raised is also made: `throw new WebSocket(url)` connects first. The catalogue knows which are exceptions. */
export function isOnlyNamed({ role, call }: Use): boolean {
  return role === "type" || (role === "exception" && call === undefined);
}

/** Python's own hooks that only look at an object, or end it. */
const PASSIVE = /^__(?:del|repr|str|doc|name|qualname|class|module|dict|hash|eq|len|bool|version|file|path|all|spec)__$/;

/** Names that are only looked at, and results handed on. */
export function isIdle(facts: ModuleFacts, use: Use, reference: Reference): boolean {
  if (PASSIVE.test(reference.path.at(-1) ?? "")) return true;
  return use.role !== "alias" && (isHandle(facts, use, reference) || isProbe(facts, use.value));
}

/** What a call gave, handed on: the call is the use. A method taken from it is one of its own. */
function isHandle(facts: ModuleFacts, use: Use, reference: Reference): boolean {
  if (reference.instance !== true || use.role !== "value") return false;
  const value = facts.values[use.value];
  return value?.kind !== "member" || value.property !== reference.path.at(-1);
}
