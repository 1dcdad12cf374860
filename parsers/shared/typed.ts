import type { ModuleFacts, Reference, Span, TypedValue, ValueId } from "../facts.ts";
import type { Resolver } from "./resolver.ts";
import type { Shape } from "./shapes.ts";

/**
 * Asks a type checker about the expression with this span: a reference is an instance of what a package exports, null
 * something that is neither from a package nor unknown, undefined what has no type of its own (`any`).
 */
export type TypeOf = (span: Span) => Reference | null | undefined;

/** Parts of one chain that are asked about: `a.b.c.d.e()` has four. */
const MOST_PARTS = 6;

/** What a checker says of the receivers that the file does not tell by itself, each asked once. */
export function typedReceivers(facts: ModuleFacts, resolver: Resolver, typeOf: TypeOf): TypedValue[] {
  const asked = new Map<ValueId, Reference | null | undefined>();
  const ask = (id: ValueId): Reference | null | undefined => {
    if (!asked.has(id)) asked.set(id, typeOf(facts.values[id]!.span));
    return asked.get(id);
  };
  for (const { callee } of facts.calls) {
    const value = facts.values[callee]!;
    if (value.kind !== "member" || resolver.settleShapes(callee).some(isSure)) continue;
    // From the outside in: the client tells more than what it is kept in, and more than its parts.
    for (const part of partsOf(facts, value.object)) if (ask(part) != null) break;
  }
  return [...asked].flatMap(([value, reference]) => (reference === undefined ? [] : [{ value, reference }])).sort((one, other) => one.value - other.value);
}

/** An annotation says less than the checker: what it names may be declared in the tree. */
function isSure(shape: Shape): boolean {
  return shape.kind !== "outside" || shape.marks.through !== "annotation";
}

/** The expressions that a chain of members begins with, the shortest first. */
function partsOf(facts: ModuleFacts, id: ValueId): ValueId[] {
  const parts = [id];
  for (let value = facts.values[id]!; value.kind === "member" && parts.length < MOST_PARTS; value = facts.values[value.object]!) parts.unshift(value.object);
  return parts.filter((part) => ASKED.has(facts.values[part]!.kind));
}

const ASKED: ReadonlySet<string> = new Set(["name", "member", "call", "await", "self"]);
