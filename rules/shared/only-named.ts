import { functionsOf } from "@agentgate/parsers";
import type { FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { consumerOf, memberWrites } from "./consumers.ts";
import { parentsOf } from "./expressions.ts";
import { callsWrittenIn, onceFor } from "./indexes.ts";

/** What a function says of itself, which runs nothing. */
const OWN_NAMES = new Set(["__name__", "__qualname__", "__doc__", "__module__"]);

/** Whether a function is mentioned only to be told its name: `keep(read, "read")` of a bundler, `_read.__name__ = "read"`. */
export function isOnlyToldItsName(facts: ModuleFacts, mention: ValueId): boolean {
  const parent = parentsOf(facts)[mention] ?? -1;
  const around = facts.values[parent];
  if (around?.kind === "member") return facts.language === "python" && around.object === mention && OWN_NAMES.has(around.property ?? "") && written(facts).has(parent);
  const call = around?.kind === "call" ? facts.calls[around.call]! : undefined;
  const [first, second, ...others] = call?.arguments ?? [];
  if (call === undefined || first?.value !== mention || second === undefined || others.length > 0) return false;
  if (facts.values[second.value]?.kind !== "string" || consumerOf(facts, parent)?.kind !== "expression") return false;
  const targets = functionsOf(facts, call.callee);
  return targets.length > 0 && targets.every((target) => setsName(facts, target));
}

const written = onceFor((facts): ReadonlySet<ValueId> => new Set(memberWrites(facts).map(({ target }) => target)));

/** `(target, value) => Object.defineProperty(target, "name", { value })`. */
function setsName(facts: ModuleFacts, id: FunctionId): boolean {
  const [only, ...others] = callsWrittenIn(facts, id);
  if (only === undefined || others.length > 0) return false;
  const [target, key] = facts.calls[only]!.arguments;
  const given = facts.values[target?.value ?? -1];
  const name = facts.values[key?.value ?? -1];
  return given?.kind === "name" && given.binding === facts.functions[id]!.parameters[0]?.binding && name?.kind === "string" && name.value === "name";
}
