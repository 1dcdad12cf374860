import type { Field, ModuleFacts, ValueId } from "@agentgate/parsers";
import words from "../../data/models/words.json" with { type: "json" };
import { lastName } from "./readers.ts";

const LITERALS = new Set(words.literalTypes);
/** `Optional[X]`, `Union[X, None]`, `Annotated[X, …]`: of the last only the first says which values there are. */
const WRAPPING = new Set(words.wrappingTypes);
const ANNOTATED = new Set(words.annotatedTypes);
const MAX_DEPTH = 8;

/**
 * Whether a field can hold one text alone: `model: Literal["x"] = "x"`, `readonly model: "x" = "x"`. It tells its class
 * from the others of a union, and whoever takes the class has chosen; the default decides nothing.
 */
export function isDiscriminator(facts: ModuleFacts, { annotation }: Field): boolean {
  return annotation !== null && textsOfType(facts, annotation, MAX_DEPTH)?.size === 1;
}

const NO_TEXTS: ReadonlySet<string> = new Set();

/** The texts that a type lets its values be, none for `None`; null where it lets them be anything else. */
function textsOfType(facts: ModuleFacts, id: ValueId, depth: number): ReadonlySet<string> | null {
  const value = facts.values[id];
  if (value === undefined || depth === 0) return null;
  switch (value.kind) {
    case "constant": return value.value === null ? NO_TEXTS : null;
    case "name": return value.name === "None" ? NO_TEXTS : null;
    // A literal type of TypeScript.
    case "opaque": return value.of.length === 1 ? textOfLiteral(facts, value.of[0]!) : null;
    case "binary": return value.operator === "|" ? allTexts([value.left, value.right].map((side) => textsOfType(facts, side, depth - 1))) : null;
    case "member": return value.subscript === true && value.key !== null ? textsOfGeneric(facts, lastName(facts, value.object), value.key, depth) : null;
    default: return null;
  }
}

function textsOfGeneric(facts: ModuleFacts, name: string, key: ValueId, depth: number): ReadonlySet<string> | null {
  const given = facts.values[key];
  const parts = given?.kind === "list" ? given.items : [key];
  if (LITERALS.has(name)) return allTexts(parts.map((part) => textOfLiteral(facts, part) ?? textsOfType(facts, part, depth - 1)));
  if (!WRAPPING.has(name)) return null;
  return allTexts((ANNOTATED.has(name) ? parts.slice(0, 1) : parts).map((part) => textsOfType(facts, part, depth - 1)));
}

function textOfLiteral(facts: ModuleFacts, id: ValueId): ReadonlySet<string> | null {
  const value = facts.values[id];
  return value?.kind === "string" ? new Set([value.value]) : null;
}

function allTexts(each: readonly (ReadonlySet<string> | null)[]): ReadonlySet<string> | null {
  return each.includes(null) ? null : new Set(each.flatMap((texts) => [...texts!]));
}
