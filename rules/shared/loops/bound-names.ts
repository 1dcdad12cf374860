import { constantsOf } from "@agentgate/parsers";
import type { ModuleFacts, ValueId } from "@agentgate/parsers";
import { bare, childrenOf } from "../expressions.ts";
import type { Escape } from "./escape.ts";
import { shownPlace } from "./places.ts";

const MOST_PARTS = 40;

/** The name of a bound as somebody would set it; null where it has none. */
export function boundName(facts: ModuleFacts, { kind, atom }: Pick<Escape, "kind" | "atom">): string | null {
  const bound = atom?.bound;
  if (bound === undefined) return null;
  const value = bound.facts.values[bound.value];
  if (kind === "off") {
    const unset = unsetParameter(bound.facts, bound.value);
    if (unset !== null) return unset;
  }
  if (value?.kind === "name") return value.name;
  if (value?.kind === "member" && value.property !== null) return value.property;
  // `left is not None and left <= 0`: it is the counter that is not set.
  if (value?.kind === "number") return kind === "off" && atom !== null ? shownPlace(facts, atom.place) : String(value.value);
  return null;
}

/** `start + timedelta(seconds=timeout)`, or a name for it: the parameter that is nothing unless somebody gives it. */
function unsetParameter(facts: ModuleFacts, id: ValueId): string | null {
  const seen = new Set<ValueId>();
  const pending = [id];
  while (pending.length > 0 && seen.size < MOST_PARTS) {
    const current = bare(facts, pending.shift()!);
    const value = facts.values[current];
    if (value === undefined || seen.has(current)) continue;
    seen.add(current);
    if (value.kind === "parameter") {
      const parameter = facts.functions[value.function]?.parameters[value.index];
      const name = facts.bindings[parameter?.binding ?? -1]?.name;
      if (name !== undefined && parameter?.default != null && isNothing(facts, parameter.default)) return name;
    } else if (value.kind === "name") pending.push(...(facts.bindings[value.binding]?.values ?? []));
    else pending.push(...childrenOf(facts, value));
  }
  return null;
}

function isNothing(facts: ModuleFacts, id: ValueId): boolean {
  return constantsOf(facts, id)?.every(({ value }) => value === null) === true;
}
