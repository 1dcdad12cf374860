import type { BindingId, Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { onceFor } from "../indexes.ts";
import { lastName } from "./options.ts";

/** How TypeScript writes `this.#field` for a language that has none: a WeakMap for each field. */
const READ = "__classPrivateFieldGet";
const WRITTEN = "__classPrivateFieldSet";

/** What a private field was given, where a call reads one: `__classPrivateFieldGet(this, _Client_http, "f")`. */
export function privateFieldValues(facts: ModuleFacts, call: Call): readonly ValueId[] {
  if (lastName(facts, call.callee) !== READ) return [];
  const field = fieldOf(facts, call);
  return field === undefined ? [] : given(facts).get(field) ?? [];
}

const given = onceFor((facts): ReadonlyMap<BindingId, readonly ValueId[]> => {
  const fields = new Map<BindingId, ValueId[]>();
  for (const call of facts.calls) {
    const field = lastName(facts, call.callee) === WRITTEN ? fieldOf(facts, call) : undefined;
    const value = call.arguments[2]?.value;
    if (field !== undefined && value !== undefined) fields.set(field, [...(fields.get(field) ?? []), value]);
  }
  return fields;
});

function fieldOf(facts: ModuleFacts, call: Call): BindingId | undefined {
  const name = facts.values[call.arguments[1]?.value ?? -1];
  return name?.kind === "name" && name.binding >= 0 ? name.binding : undefined;
}
