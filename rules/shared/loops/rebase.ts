import { parametersBefore } from "../arguments.ts";
import type { CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { PlacedFunction } from "../effects/index.ts";
import type { Atom } from "./atoms.ts";
import type { Move } from "./moves.ts";
import { methodOf, parameterRoot, placeOf } from "./places.ts";

/**
 * Giving a parameter another value leaves the caller's variable as it was, and so does an entry of the object that is
 * written at the call; only what is done to the thing itself is seen by both.
 */
export function isOwnCopy({ place, how }: Move, roots: ReadonlyMap<string, Root>): boolean {
  if (how === "grows" || how === "shrinks") return false;
  const [root = "", ...members] = place.split(".");
  const known = roots.get(root);
  return root !== "self" && known !== undefined && (members.length === 0 || (known.place === null && members.length === 1));
}

/** A move of a callee with its place as the caller has it; none where the caller has no such place. */
export function rebasedMove(move: Move, rebase: (place: string) => string | null): Move[] {
  const place = rebase(move.place);
  if (place === null) return [];
  const { text, how } = move;
  // What it is given there means nothing here.
  return [how === "constant" && text !== undefined ? { place, how, text } : { place, how }];
}

/** What stands for a name of a callee at a call: its place there, and the value. */
export interface Root {
  readonly place: string | null;
  readonly value: ValueId | null;
}

/** What stands for `self` and for each parameter of a callee at a call. */
export function rootsOf(facts: ModuleFacts, id: CallId, callee: PlacedFunction): ReadonlyMap<string, Root> {
  const call = facts.calls[id]!;
  const target = callee.facts.functions[callee.function]!;
  const roots = new Map<string, Root>();
  const method = methodOf(facts, call);
  const object = method === null ? null : placeOf(facts, method.object);
  if (target.class >= 0) roots.set("self", { place: object ?? `c${String(id)}`, value: null });
  const bound = parametersBefore(callee.facts, target);
  target.parameters.forEach((parameter, index) => {
    if (index < bound) return;
    const given = call.arguments.find((argument) => argument.name === parameter.name) ?? call.arguments.filter((argument) => argument.name === undefined)[index - bound];
    const value = given?.value ?? parameter.default;
    const isHere = given !== undefined;
    roots.set(parameterRoot(callee.facts, callee.function, index), { place: isHere ? placeOf(facts, given.value) : null, value: isHere ? given.value : value });
  });
  return roots;
}

/** A place of a callee as the caller has it; null where it has none. */
export function rebased(facts: ModuleFacts, place: string, roots: ReadonlyMap<string, Root>, path: string | null): string | null {
  const dot = place.indexOf(".");
  const root = dot < 0 ? place : place.slice(0, dot);
  const rest = dot < 0 ? "" : place.slice(dot);
  const known = roots.get(root);
  if (known?.place === null) return known.value === null ? null : entryPlace(facts, known.value, rest);
  if (known !== undefined) return known.place + rest;
  if (root === "clock" || root === "mode" || root.startsWith(":")) return place;
  return path === null ? place : `${path}#${place}`;
}

/** What an options object written at the call holds under the first name of `rest`. */
function entryPlace(facts: ModuleFacts, id: ValueId, rest: string): string | null {
  const table = facts.values[id];
  if (table?.kind !== "table" || rest === "") return null;
  const [name = "", ...further] = rest.slice(1).split(".");
  const entry = table.entries.find(({ key }) => {
    const text = key === null ? undefined : facts.values[key];
    return text?.kind === "string" && text.value === name;
  });
  const place = entry === undefined ? null : placeOf(facts, entry.value);
  return place === null ? null : [place, ...further].join(".");
}

/** The same for what a test of a callee makes sure of. */
export function rebasedAtom(facts: ModuleFacts, atom: Atom, rebase: (place: string) => string | null, roots: ReadonlyMap<string, Root>): Atom[] {
  const place = rebase(atom.place);
  if (place === null || atom.constant?.startsWith("as ") === true) return [];
  const { bound, ...rest } = atom;
  if (bound === undefined) return [{ ...rest, place }];
  const from = placeOf(bound.facts, bound.value);
  const given = from === null ? undefined : roots.get(from);
  const moved = given?.value != null && given.place !== null ? { facts, path: null, value: given.value } : bound;
  return [{ ...rest, place, bound: moved }];
}
