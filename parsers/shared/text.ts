import type { ValueId } from "../facts.ts";
import type { Resolver } from "./resolver.ts";
import type { Reach } from "./shapes.ts";

/** The names that a text can spell, or null where it does not fold. `through` says where a decoder took part. */
export function readText(resolver: Resolver, id: ValueId): readonly Reach[] | null {
  const folded = resolver.foldOf(id);
  if (folded === null) return null;
  const names: Reach[] = [];
  for (const { value, decoded } of folded) {
    if (typeof value !== "string" && typeof value !== "number") return null;
    names.push({ name: String(value), through: decoded ? "decoded" : undefined });
  }
  return names;
}
