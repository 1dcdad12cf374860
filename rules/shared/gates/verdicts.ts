import type { Span } from "@agentgate/parsers";

/**
 * Whether something runs inside a gate, and why not:
 * - `outside`: nothing that runs it stands in a gate
 * - `called`: a call on the way to it stands outside of one, at `place`; `sure` where that call surely comes to it, and
 *   `also` where some gate leads to it as well
 * - `untold`: who calls it cannot be told
 */
export type Containment =
  | { readonly kind: "inside" }
  | { readonly kind: "outside" }
  | { readonly kind: "called"; readonly place: Place; readonly sure?: boolean; readonly also?: boolean }
  | { readonly kind: "untold" };

/** The call of a function outside of every gate. */
export interface Place {
  readonly path: string;
  readonly span: Span;
  /** The function that is called there. */
  readonly name: string;
  /** Its key; null where only a class below may be meant, or what is called is none that can be told. */
  readonly of: string | null;
}

/** A function or a class of the tree. */
export interface Placed {
  readonly path: string;
  readonly id: number;
}

/** A caller, as far as it is looked at in its turn. */
export interface Waiting {
  /** Its number among the functions that were asked about. */
  readonly node: number;
  /** The call that leads to it from below. */
  readonly through: Place | null;
  /** It runs what a class above has of the name: callers of that may mean another class below it. */
  readonly isOfBase: boolean;
}

/** What is known of one function by itself. */
export interface Looked {
  readonly gates: number;
  readonly callers: readonly Waiting[];
  /** What runs it outside of a gate, whoever else does. */
  readonly reason: Containment | null;
  /** Others may run it that were not looked for: what the known ones tell is not all. */
  readonly isPartial: boolean;
}

/** What is known of a function with all that lead to it. */
export interface Verdict {
  readonly bad: Containment | null;
  /** A gate leads to it. */
  readonly gated: boolean;
}

export function keyOf({ id, path }: Placed): string {
  return `${String(id)}\0${path}`;
}

/** Functions with all that lead to them, as far as these were not settled before. */
export interface Explored {
  readonly nodes: readonly number[];
  /** By place in `nodes`. */
  readonly looks: readonly Looked[];
  /** The place of a node; -1 of one that was settled before. */
  readonly placeOf: (node: number) => number;
}

/**
 * Settles functions by what leads to them: whatever one caller runs outside of a gate stands outside. Callers are among
 * the functions, or settled before. Linear in the calls between them; in flat arrays, since each module of a large tree
 * asks this of thousands of functions.
 */
export function settle(explored: Explored, verdicts: Map<number, Verdict>): void {
  const { nodes, looks, placeOf } = explored;
  const bad = looks.map(({ reason }) => reason);
  const gated = looks.map(({ gates }) => gates > 0);
  looks.forEach(({ callers }, place) => {
    for (const caller of callers) {
      const known = placeOf(caller.node) === -1 ? verdicts.get(caller.node) : undefined;
      if (known === undefined) continue;
      if (known.bad !== null) bad[place] ??= passedOn(known.bad, caller, known.gated);
      if (known.gated) gated[place] = true;
    }
  });
  const callees = new Callees(explored);
  callees.spread((place) => gated[place]!, (callee) => {
    if (gated[callee]!) return false;
    gated[callee] = true;
    return true;
  });
  const spreadBad = (): void => {
    callees.spread((place) => bad[place] !== null, (callee, waiting, caller) => {
      if (bad[callee] !== null) return false;
      bad[callee] = passedOn(bad[caller]!, waiting, gated[caller]!);
      return true;
    });
  };
  spreadBad();
  // A caller outside of a gate tells more than that there may be one.
  if (looks.some(({ isPartial }, place) => isPartial && bad[place] === null)) {
    looks.forEach(({ isPartial }, place) => { if (isPartial) bad[place] ??= { kind: "untold" }; });
    spreadBad();
  }
  nodes.forEach((node, place) => { verdicts.set(node, { bad: bad[place]!, gated: gated[place]! }); });
}

/** The functions that each one calls, by their places. */
class Callees {
  /** Where the calls of each function begin. */
  private readonly starts: Int32Array;
  private readonly callees: Int32Array;
  private readonly waiting: Waiting[];

  constructor({ looks, placeOf }: Explored) {
    this.starts = new Int32Array(looks.length + 1);
    this.each({ looks, placeOf }, (caller) => { this.starts[caller + 1]!++; });
    for (let place = 0; place < looks.length; place++) this.starts[place + 1]! += this.starts[place]!;
    const next = this.starts.slice();
    this.callees = new Int32Array(this.starts.at(-1)!);
    this.waiting = new Array<Waiting>(this.callees.length);
    this.each({ looks, placeOf }, (caller, callee, waiting) => {
      const at = next[caller]!++;
      this.callees[at] = callee;
      this.waiting[at] = waiting;
    });
  }

  private each({ looks, placeOf }: Pick<Explored, "looks" | "placeOf">, take: (caller: number, callee: number, waiting: Waiting) => void): void {
    looks.forEach(({ callers }, callee) => {
      for (const waiting of callers) {
        const caller = placeOf(waiting.node);
        if (caller !== -1) take(caller, callee, waiting);
      }
    });
  }

  /** Goes from some functions to all that they call, as far as `take` does. */
  spread(from: (place: number) => boolean, take: (callee: number, waiting: Waiting, caller: number) => boolean): void {
    const pending: number[] = [];
    for (let place = 0; place + 1 < this.starts.length; place++) if (from(place)) pending.push(place);
    for (let caller = pending.pop(); caller !== undefined; caller = pending.pop()) {
      for (let at = this.starts[caller]!; at < this.starts[caller + 1]!; at++) {
        if (take(this.callees[at]!, this.waiting[at]!, caller)) pending.push(this.callees[at]!);
      }
    }
  }
}

/**
 * What a caller that stands outside tells of what it calls. Of a caller that no gate leads to, the call in it is named: what
 * calls it farther up may hand over what keeps it from coming here. So it is where a class above is called, which may mean
 * another one below it.
 */
export function passedOn(reason: Containment, { through, isOfBase }: Waiting, isGated: boolean): Containment {
  if (reason.kind === "untold" || reason.kind === "inside") return reason;
  if (through !== null && (reason.kind === "outside" || isOfBase || !isGated)) return { kind: "called", place: through };
  return isOfBase ? { kind: "outside" } : reason;
}
