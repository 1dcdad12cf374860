import type { Value, ValueId } from "../facts.ts";
import type { Resolver } from "./resolver.ts";
import type { Reach } from "./shapes.ts";

/** Whether it is worth to fold an expression: false for what changes, is passed in or comes from outside, by a look. */
function mayFold(resolver: Resolver, id: ValueId): boolean {
  const value = resolver.value(id);
  switch (value.kind) {
    case "name": {
      if (value.binding < 0) return false;
      const { values, rebound } = resolver.facts.bindings[value.binding]!;
      return rebound !== true && values.length > 0 && values.every((given) => !VARYING.has(resolver.value(given).kind));
    }
    case "binary": return mayFold(resolver, value.right);
    case "template": return value.parts.every((part) => resolver.value(part).kind !== "name" || mayFold(resolver, part));
    default: return !VARYING.has(value.kind);
  }
}

const VARYING: ReadonlySet<Value["kind"]> = new Set(["parameter", "opaque", "imported", "caught", "yield", "function", "class", "self", "table"]);

/** The names that a text can spell, or null where it does not fold. `through` says where a decoder took part. */
export function readText(resolver: Resolver, id: ValueId): readonly Reach[] | null {
  const folded = mayFold(resolver, id) ? resolver.foldOf(id) : null;
  if (folded === null) return null;
  const names: Reach[] = [];
  for (const { value, decoded } of folded) {
    if (typeof value !== "string" && typeof value !== "number") return null;
    names.push({ name: String(value), through: decoded ? "decoded" : undefined });
  }
  return names;
}
