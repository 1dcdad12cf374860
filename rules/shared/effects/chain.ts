import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { bare } from "../expressions.ts";

/** The names by which a callee is reached, calls and awaits on the way dropped: `self.client.post` is `["self", "client", "post"]`. */
export interface Chain {
  readonly names: readonly string[];
  /** Whether a call lies between the first name and the last. */
  readonly called: boolean;
  /** The name on which it starts is a plain one of the file or from outside. */
  readonly root: ValueId;
}

const LONGEST = 16;

/** The chain of a callee; null where a computed member or another expression ends it. */
export function chainOf(facts: ModuleFacts, callee: ValueId): Chain | null {
  const names: string[] = [];
  let called = false;
  let current = bare(facts, callee);
  for (let step = 0; step < LONGEST; step++) {
    const value = facts.values[current];
    if (value?.kind === "member") {
      if (value.property === null) return names.length === 0 ? null : { names: names.reverse(), called, root: current };
      names.push(value.property);
      current = bare(facts, value.object);
    } else if (value?.kind === "call") {
      called = true;
      current = bare(facts, facts.calls[value.call]!.callee);
    } else if (value?.kind === "name") {
      names.push(value.name);
      return { names: names.reverse(), called, root: current };
    } else if (value?.kind === "self") {
      names.push("self");
      return { names: names.reverse(), called, root: current };
    } else return names.length === 0 ? null : { names: names.reverse(), called, root: current };
  }
  return null;
}

/** The last name of the chain of a callee, without the others; empty where it has no chain. */
export function chainEnd(facts: ModuleFacts, callee: ValueId): string {
  let last: string | undefined;
  let current = bare(facts, callee);
  for (let step = 0; step < LONGEST; step++) {
    const value = facts.values[current];
    if (value?.kind === "member") {
      if (value.property === null) return last ?? "";
      last ??= value.property;
      current = bare(facts, value.object);
    } else if (value?.kind === "call") current = bare(facts, facts.calls[value.call]!.callee);
    else if (value?.kind === "name") return last ?? value.name;
    else return last ?? (value?.kind === "self" ? "self" : "");
  }
  return "";
}

/** The expression that a call is made on; null for a plain name. */
export function receiverOf(facts: ModuleFacts, call: Call): ValueId | null {
  const callee = facts.values[bare(facts, call.callee)];
  return callee?.kind === "member" ? callee.object : null;
}

/** A name without what marks it as private or as an observable: `_http`, `#http`, `$http`. */
export function plainName(name: string): string {
  return name.replace(/^[_#$]+/, "").replace(/_+$/, "").toLowerCase();
}
