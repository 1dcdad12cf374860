import type { ValueId } from "../facts.ts";
import { string } from "./folded.ts";
import type { Resolver } from "./resolver.ts";

/** Steps down the left side of an expression. */
const MAX_STEPS = 10_000;

/** The text that an expression surely begins with; empty where unknown. */
export function headOf(resolver: Resolver, value: ValueId): string {
  const pieces: string[] = [];
  // Left operands and first parts are what a text begins with; what folds goes before what follows it.
  const pending: ValueId[] = [value];
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const id = pending.pop();
    if (id === undefined) break;
    const known = onlyText(resolver, id);
    if (known !== null) {
      pieces.push(known);
      continue;
    }
    const parts = partsOf(resolver, id);
    if (parts === null) break;
    pending.push(...parts.toReversed());
  }
  return pieces.join("");
}

function partsOf(resolver: Resolver, id: ValueId): readonly ValueId[] | null {
  const value = resolver.value(id);
  switch (value.kind) {
    case "template": return value.tag === undefined ? value.parts : null;
    case "binary": return value.operator === "+" ? [value.left, value.right] : null;
    case "await":
    case "assigned": return [value.value];
    case "name": {
      if (value.binding < 0) return null;
      const { values, rebound } = resolver.facts.bindings[value.binding]!;
      return rebound === true || values.length !== 1 ? null : values;
    }
    default: return null;
  }
}

/** The one text that an expression is. A number may still be added to another. */
function onlyText(resolver: Resolver, id: ValueId): string | null {
  const folded = resolver.settleFold(id);
  return folded?.length === 1 ? string(folded[0]) : null;
}
