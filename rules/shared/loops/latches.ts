import type { ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import { bare } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { atomKey } from "./atoms.ts";
import type { Atom } from "./atoms.ts";
import { attributeWrites } from "./attribute-writes.ts";
import { movesOf } from "./moves.ts";
import { placeOf } from "./places.ts";
import type { Repetition } from "./witnesses.ts";

/**
 * What a round noted at its start about an attribute that only ever becomes true: `was_idle = not self._started`. A way on
 * which the note says that it was not and the attribute that it is can be gone once.
 */
export interface Latch {
  /** The test of the note. */
  readonly note: Atom;
  /** The key of the test that found the attribute true. */
  readonly risen: string;
}

/** The notes of a round, of those statements that stand before all that may turn off. */
export function latchesOf(facts: ModuleFacts, what: Repetition): readonly Latch[] {
  const moves = what.inside.flatMap((statement) => movesOf(facts, statement).map(({ place }) => place));
  return beginning(what.body).flatMap((statement) => {
    const noted = statement.kind !== "assign" || statement.operator !== "=" ? null : latched(facts, statement.value);
    if (noted === null || statement.kind !== "assign") return [];
    return statement.targets.flatMap((target): Latch[] => {
      const place = facts.values[target]?.kind === "name" ? placeOf(facts, target) : null;
      if (place === null || moves.filter((each) => each === place).length !== 1) return [];
      return [{ note: { kind: "becomes", place, constant: noted.isDenied ? "falsy" : "truthy" }, risen: atomKey({ kind: "becomes", place: noted.place, constant: "falsy" }) }];
    });
  });
}

function beginning(body: readonly Statement[]): readonly Statement[] {
  const end = body.findIndex(({ kind }) => kind !== "assign" && kind !== "expression" && kind !== "call");
  return end < 0 ? body : body.slice(0, end);
}

/** `self._started` or `not self._started`, of an attribute of the object itself. */
function latched(facts: ModuleFacts, id: ValueId): { readonly place: string; readonly isDenied: boolean } | null {
  const value = facts.values[bare(facts, id)];
  const isDenied = value?.kind === "unary" && value.operator === "not";
  const asked = bare(facts, isDenied ? value.value : id);
  const member = facts.values[asked];
  if (member?.kind !== "member" || member.property === null) return null;
  const place = placeOf(facts, asked);
  return place !== `self.${member.property}` || !rising(facts).has(member.property) ? null : { place, isDenied };
}

/** Attributes that the file gives nothing but true after they were made. */
const rising = onceFor((facts): ReadonlySet<string> => {
  const raised = new Set<string>();
  const lowered = new Set<string>();
  for (const { name, constant, operator, isUnpacked } of attributeWrites(facts)) (!isUnpacked && operator === "=" && constant === "true" ? raised : lowered).add(name);
  for (const name of lowered) raised.delete(name);
  return raised;
});
