import type { ModuleFacts, ValueId } from "@agentgate/parsers";

/**
 * What a test has made sure of for now, and what has to happen before it comes out the other way:
 * - `up` `down`: a number is still on this side of its bound
 * - `grows` `shrinks`: a collection has not reached a size, or holds something still
 * - `becomes`: a place does not have a value yet (`constant` says which)
 * - `clock`: a point in time has not come
 * - `unset`: no bound is set, so nothing is tested
 * - `mode`: the program does not run in test mode, so nothing is tested
 */
export type AtomKind = "up" | "down" | "grows" | "shrinks" | "becomes" | "clock" | "unset" | "mode";

export interface Atom {
  readonly kind: AtomKind;
  readonly place: string;
  /** For a collection `member`, where one item is asked for. For `becomes`: `truthy`, `falsy`, `null`, `given`, `=text`, `!text`, `as place`. */
  readonly constant?: string;
  /** What the place is compared to. */
  readonly bound?: { readonly facts: ModuleFacts; readonly path: string | null; readonly value: ValueId };
  /** Holds only where a bound is set, or in test mode. */
  readonly weak?: "unset" | "mode";
}

export type Atoms = ReadonlyMap<string, Atom>;

/** Nothing was made sure of. */
export const NO_ATOMS: Atoms = new Map();

export function atomKey({ kind, place, constant = "" }: Atom): string {
  return `${kind} ${place} ${constant}`;
}

export function atomsFrom(atoms: readonly Atom[]): Atoms {
  return atoms.length === 0 ? NO_ATOMS : new Map(atoms.map((atom) => [atomKey(atom), atom]));
}

/** Both were tested. */
export function both(left: Atoms, right: Atoms): Atoms {
  if (left.size === 0) return right;
  return right.size === 0 ? left : new Map([...right, ...left]);
}

/** One of the two was tested, and nothing tells which. Null: an outcome that cannot be. */
export function either(left: Atoms | null, right: Atoms | null, placesIn: (atom: Atom) => ReadonlySet<string>): Atoms | null {
  if (left === null) return right;
  if (right === null) return left;
  const kept = new Map<string, Atom>();
  for (const [one, other] of [[left, right], [right, left]] as const) {
    for (const [key, atom] of one) {
      if (kept.has(key)) continue;
      const same = other.get(key);
      if (same !== undefined) kept.set(key, same.weak === undefined ? atom : same);
      else if (hasUnset(other, placesIn(atom))) kept.set(key, { ...atom, weak: atom.weak ?? "unset" });
      else if (hasMode(other) && atom.kind !== "mode") kept.set(key, { ...atom, weak: "mode" });
    }
  }
  return kept;
}

function hasUnset(atoms: Atoms, places: ReadonlySet<string>): boolean {
  for (const atom of atoms.values()) if (atom.kind === "unset" && places.has(atom.place)) return true;
  return false;
}

function hasMode(atoms: Atoms): boolean {
  for (const atom of atoms.values()) if (atom.kind === "mode") return true;
  return false;
}
