import type { ModuleFacts, ValueId } from "@agentgate/parsers";
import { bindingsGiven } from "../consumers.ts";
import { onceFor } from "../indexes.ts";
import { textOf } from "./targets.ts";

/** Empty texts of attributes that are given something else too. */
const placesOfAttributes = onceFor((facts): ReadonlySet<ValueId> => new Set(facts.classes.flatMap(({ attributes }) =>
  Object.values(attributes).flatMap((values) => values.filter((value) => holdsPlace(facts, values, value))))));

/** Whether an empty text stands in a name or an attribute only until that is filled: in the same function, in another method, from an answer. */
export function isPlaceholder(facts: ModuleFacts, literal: ValueId): boolean {
  if (!isEmpty(facts, literal)) return false;
  return placesOfAttributes(facts).has(literal) || bindingsGiven(facts, literal).some((binding) => holdsPlace(facts, facts.bindings[binding]!.values, literal));
}

function holdsPlace(facts: ModuleFacts, values: readonly ValueId[], value: ValueId): boolean {
  return isEmpty(facts, value) && values.some((other) => !isEmpty(facts, other));
}

function isEmpty(facts: ModuleFacts, id: ValueId): boolean {
  return facts.values[id]?.kind === "string" && textOf(facts, id) === "";
}
