import type { Span } from "@agentgate/parsers";

/**
 * Whether something runs inside a gate, and why not:
 * - `outside`: nothing that runs it stands in a gate
 * - `called`: a call on the way to it stands outside of one, at `place`
 * - `untold`: who calls it cannot be told
 */
export type Containment =
  | { readonly kind: "inside" }
  | { readonly kind: "outside" }
  | { readonly kind: "called"; readonly place: Place }
  | { readonly kind: "untold" };

/** The call of a function outside of every gate. */
export interface Place {
  readonly path: string;
  readonly span: Span;
  /** The function that is called there. */
  readonly name: string;
}

/** A function or a class of the tree. */
export interface Placed {
  readonly path: string;
  readonly id: number;
}

/** A caller, as far as it is looked at in its turn. */
export interface Waiting extends Placed {
  readonly key: string;
  /** The call that leads to it from below. */
  readonly through: Place | null;
}

/** What is known of one function by itself. */
export interface Looked {
  readonly gates: number;
  readonly callers: readonly Waiting[];
  /** A call of it that stands in no function. */
  readonly outside: Place | null;
  readonly isUntold: boolean;
  /** Nothing is known to run it. */
  readonly isLoose: boolean;
}

export const NOTHING: Looked = { gates: 0, callers: [], outside: null, isUntold: false, isLoose: false };

/** What is known of a function with all that lead to it. */
export interface Verdict {
  readonly bad: Containment | null;
  /** A gate leads to it. */
  readonly gated: boolean;
}

export function keyOf({ id, path }: Placed): string {
  return `${String(id)}\0${path}`;
}

/** A function that another one calls, with the call. */
interface Callee {
  readonly key: string;
  readonly through: Place | null;
}

/**
 * Settles functions by what leads to them: whatever one caller runs outside of a gate stands outside. Callers are among
 * the functions, or settled before. Linear in the calls between them.
 */
export function settle(found: ReadonlyMap<string, Looked>, verdicts: Map<string, Verdict>): void {
  const callees = new Map<string, Callee[]>();
  const bad = new Map<string, Containment>();
  const gated = new Set<string>();
  for (const [key, looked] of found) {
    const own = ownReason(looked);
    if (own !== null) bad.set(key, own);
    if (looked.gates > 0) gated.add(key);
    for (const { key: caller, through } of looked.callers) {
      const known = verdicts.get(caller);
      if (known === undefined) {
        const list = callees.get(caller);
        if (list === undefined) callees.set(caller, [{ key, through }]);
        else list.push({ key, through });
        continue;
      }
      if (known.bad !== null && !bad.has(key)) bad.set(key, passedOn(known.bad, through));
      if (known.gated) gated.add(key);
    }
  }
  spread([...bad.keys()], callees, ({ key, through }, caller) => {
    if (bad.has(key)) return false;
    bad.set(key, passedOn(bad.get(caller)!, through));
    return true;
  });
  spread([...gated], callees, ({ key }) => {
    if (gated.has(key)) return false;
    gated.add(key);
    return true;
  });
  for (const key of found.keys()) verdicts.set(key, { bad: bad.get(key) ?? null, gated: gated.has(key) });
}

function spread(from: readonly string[], callees: ReadonlyMap<string, readonly Callee[]>, take: (callee: Callee, caller: string) => boolean): void {
  const pending = [...from];
  for (let caller = pending.pop(); caller !== undefined; caller = pending.pop()) {
    for (const callee of callees.get(caller) ?? []) if (take(callee, caller)) pending.push(callee.key);
  }
}

function ownReason({ isUntold, outside, isLoose }: Looked): Containment | null {
  if (isUntold) return { kind: "untold" };
  if (outside !== null) return { kind: "called", place: outside };
  return isLoose ? { kind: "outside" } : null;
}

/** What a caller that stands outside tells of what it calls. */
function passedOn(reason: Containment, through: Place | null): Containment {
  return reason.kind === "outside" && through !== null ? { kind: "called", place: through } : reason;
}
