import type { ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { childrenOf, originsOf } from "../expressions.ts";
import { headOf } from "./verbs.ts";
import { PLAIN_DATA } from "./vocabulary.ts";

const MOST_PIECES = 64;
const LONGEST_TEXT = 2000;

/** The literal pieces of an expression in source order, names and own attributes followed. What is open is a NUL. */
export function piecesOf(facts: ModuleFacts, id: ValueId): string {
  let text = "";
  let steps = 0;
  const pending = [id];
  while (pending.length > 0 && steps++ < MOST_PIECES && text.length < LONGEST_TEXT) {
    const current = pending.pop()!;
    const value = facts.values[current]!;
    const parts = partsOf(facts, current, value);
    if (parts !== null) pending.push(...[...parts].reverse());
    else text += value.kind === "string" ? value.value : headOf(facts, current) || "\0";
  }
  return text;
}

/** What an expression is put together from; null for what stands for itself. */
export function partsOf(facts: ModuleFacts, id: ValueId, value: Value): readonly ValueId[] | null {
  switch (value.kind) {
    case "template":
    case "binary":
    case "await":
      return childrenOf(facts, value);
    case "conditional":
      return [value.then];
    case "logical":
      return [value.left];
    case "call": {
      const inside = facts.calls[value.call]!.arguments.map((argument) => argument.value);
      const callee = facts.values[facts.calls[value.call]!.callee];
      // Text methods give their text: `url.rstrip("/")`, `base.replace(a, b)`.
      if (callee?.kind === "member" && callee.property !== null && PLAIN_DATA.has(callee.property)) return callee.property === "join" ? inside : [callee.object];
      // `new URL("/v1/items", base)` begins with its base.
      if (callee?.kind === "name" && callee.name === "URL" && inside.length === 2) return [inside[1]!, inside[0]!];
      return inside.length === 0 ? null : inside;
    }
    case "name":
    case "member": {
      const origins = originsOf(facts, id).values;
      if (origins.length === 1 && origins[0] !== id) return origins;
      // `query += …` leaves the beginning as it is.
      const given = value.kind === "name" ? facts.bindings[value.binding] : undefined;
      return given?.rebound === true && given.kind !== "parameter" && given.values.length === 1 ? given.values : null;
    }
    default:
      return null;
  }
}
