import { constantsOf } from "@agentgate/parsers";
import type { CallId, ModuleFacts, Statement, Value, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import type { ReachedEffect } from "../effects/index.ts";
import { bare } from "../expressions.ts";
import { atomKey } from "./atoms.ts";
import type { Atom, AtomKind, Atoms } from "./atoms.ts";
import { boundPlaces, standingOf } from "./bounds.ts";
import type { Elsewhere, Guard, Standing } from "./bounds.ts";
import { casesOf, WITHIN } from "./conditions.ts";
import { countedMoves } from "./counting.ts";
import { mayCompare } from "./delegated.ts";
import type { Cases, Reading } from "./conditions.ts";
import { latchesOf } from "./latches.ts";
import { leavingKeys, leavingTests } from "./leaving.ts";
import { meaningOf, movesOf } from "./moves.ts";
import type { Move } from "./moves.ts";
import { limitPlace, movesAway } from "./moved-limits.ts";
import { endsProcess, leavesForGood } from "./process-ends.ts";
import type { Loop, LoopSite } from "./sites.ts";
import { addsUpPauses } from "./slept.ts";
import { summaryOfCall } from "./summaries.ts";

/** What is repeated: a loop, or a function that comes back to itself. */
export interface Repetition {
  /** Everything that a round can run in the function, inner loops too. */
  readonly inside: readonly Statement[];
  readonly tests: readonly ValueId[];
  /** The loop; null for a function. */
  readonly loop: Loop | null;
  readonly body: readonly Statement[];
  /** Calls that begin the next round, with what they do to the parameters. */
  readonly again: ReadonlyMap<CallId, readonly Move[]>;
  /** What each round begins with. */
  readonly first: readonly Move[];
}

/** A loop as what is repeated. */
export function repetitionOf(facts: ModuleFacts, context: RuleContext, site: LoopSite): Repetition {
  return { inside: site.inside, tests: testsOf(site.loop.test, site.inside), loop: site.loop, body: site.loop.body, again: new Map(), first: countedMoves(facts, context, site.loop) };
}

export interface Judged {
  readonly facts: ModuleFacts;
  readonly context: RuleContext;
  readonly what: Repetition;
  /** The effects of a call that count; empty where it has none. */
  readonly effectsOf: (call: CallId) => readonly ReachedEffect[];
  /** What the loop gives names and attributes. */
  readonly given: ReadonlyMap<string, readonly ValueId[]>;
  readonly elsewhere: Elsewhere;
  /** Whether a counter says which item of work a round is for. */
  readonly isWorkItem: (place: string) => boolean;
}

/** A counter, deadline or flag of the loop, and the bits that say what a path did with it. */
export interface Witness {
  readonly atom: Atom;
  readonly standing: Standing | "mode";
  readonly advanced: bigint;
  readonly tested: bigint;
  /** Set as long as the path does not set it back; 0 where no path does. */
  readonly clean: bigint;
  /** The place of its limit, where the loop moves that away. */
  readonly limit?: string;
  /** The key of a test that advances it, of a latch. */
  readonly risen?: string;
}

/** A place that is tested for truth more than once in a round: a path that found it true cannot find it false after that. */
export interface Flag {
  readonly truthy: bigint;
  readonly falsy: bigint;
}

const MOST_WITNESSES = 40;
const MOST_FLAGS = 20;
/** Bits below this one belong to the reader of the ways. */
const FIRST_BIT = 2n;

/** What the tests of a repetition wait for and its statements move towards. */
export class Witnesses {
  readonly witnesses: readonly Witness[];
  readonly byKey = new Map<string, Witness[]>();
  readonly byRisen = new Map<string, Witness[]>();
  readonly flags = new Map<string, Flag>();
  flagBits = 0n;
  /** A test asks whether the program runs in test mode. */
  hasMode = false;
  private leaving: ReadonlySet<string> | null = null;
  private readonly judged: Judged;
  private readonly reading: Reading;
  private readonly moves = new Map<Statement | CallId, readonly Move[]>();
  private readonly tests = new Map<ValueId, readonly [Cases, Cases]>();
  private readonly guards = new Map<string, Guard[]>();
  /** Bounds without which the loop is left at once. */
  private readonly leftUnset = new Set<string>();

  constructor(judged: Judged) {
    this.judged = judged;
    this.reading = {
      facts: judged.facts,
      given: (place) => judged.given.get(place) ?? [],
      compares: (call) => mayCompare(judged.facts, judged.context, call),
      resultOf: (call, outcome) => {
        const summary = summaryOfCall(judged.facts, judged.context, call);
        return outcome ? summary.truthy : summary.falsy;
      },
    };
    this.witnesses = this.findWitnesses();
    for (const witness of this.witnesses) {
      const key = atomKey(witness.atom);
      this.byKey.set(key, [...(this.byKey.get(key) ?? []), witness]);
      if (witness.risen !== undefined) this.byRisen.set(witness.risen, [...(this.byRisen.get(witness.risen) ?? []), witness]);
    }
  }

  /** Whether a test that leaves asks for it: what a test only decides on the way is no bound. */
  isLeft({ atom }: Witness): boolean {
    return this.isLeftBy(atom);
  }

  private isLeftBy(atom: Atom): boolean {
    const { facts, context, what } = this.judged;
    this.leaving ??= leavingKeys(what, { leaves: (body) => this.leavesForGood(body), casesAt: (test) => this.casesAt(test), passed: (call) => summaryOfCall(facts, context, call).passed });
    return this.leaving.has(atomKey(atom));
  }

  /** A function that never comes back leaves, too. */
  private leavesForGood(body: readonly Statement[]): boolean {
    const { facts, context } = this.judged;
    return leavesForGood(facts, body, (call) => endsProcess(facts, call) || summaryOfCall(facts, context, call).raises);
  }

  /** Whether this outcome of a test says that a limit is reached: the other one makes sure that it is not. */
  reaches(test: ValueId, outcome: boolean): boolean {
    const [held, failed] = this.casesAt(test);
    const [mine, other] = outcome ? [held, failed] : [failed, held];
    return other.some((atoms) => [...atoms].some(([key, atom]) => COUNTED.has(atom.kind) && this.byKey.has(key))) && !mine.some((atoms) => [...atoms.keys()].some((key) => this.byKey.has(key)));
  }

  /** What each outcome of a test makes sure of. */
  casesAt(test: ValueId): readonly [Cases, Cases] {
    let found = this.tests.get(test);
    if (found === undefined) this.tests.set(test, (found = [casesOf(this.reading, test, true), casesOf(this.reading, test, false)]));
    return found;
  }

  movesAt(statement: Statement): readonly Move[] {
    let found = this.moves.get(statement);
    if (found === undefined) this.moves.set(statement, (found = movesOf(this.judged.facts, statement)));
    return found;
  }

  movesOfCall(id: CallId): readonly Move[] {
    let found = this.moves.get(id);
    if (found === undefined) {
      const { facts, context } = this.judged;
      this.moves.set(id, (found = [...movesOf(facts, { kind: "call", call: id, at: 0 }), ...summaryOfCall(facts, context, id).moves]));
    }
    return found;
  }

  /** What the tests of the loop wait for and its statements move towards. */
  private findWitnesses(): Witness[] {
    const { what } = this.judged;
    const atoms = new Map<string, Atom>();
    const note = (found: Atoms, isLeft = false): void => {
      for (const [key, atom] of found) {
        // `if (!most || attempt >= most) throw error`: without a bound nothing is repeated.
        if (atom.kind === "unset" && isLeft) this.leftUnset.add(atom.place);
        else if (atom.kind === "unset") this.guards.set(atom.place, [...(this.guards.get(atom.place) ?? []), atom.constant as Guard]);
        else if (atom.kind === "mode") this.hasMode = true;
        else if ((atoms.get(key)?.weak !== undefined || !atoms.has(key))) atoms.set(key, atom);
      }
    };
    const tested = new Map<string, number>();
    const leaving = leavingTests(what, (body) => this.leavesForGood(body));
    for (const test of what.tests) {
      const [held, failed] = this.casesAt(test);
      for (const found of held) note(found, leaving.held.has(test));
      for (const found of failed) note(found, leaving.failed.has(test));
      for (const place of flagsIn([...held, ...failed])) tested.set(place, (tested.get(place) ?? 0) + 1);
    }
    const moves: Move[] = [...what.first];
    for (const statement of what.inside) {
      if (statement.kind === "call") note(summaryOfCall(this.judged.facts, this.judged.context, statement.call).passed);
      if (statement.kind === "call") moves.push(...(what.again.get(statement.call) ?? []));
      moves.push(...(statement.kind === "call" ? this.movesOfCall(statement.call) : this.movesAt(statement)));
    }
    for (const key of this.openSets()) atoms.delete(key);
    const last = this.withLatches(this.numbered(atoms, moves), atoms);
    this.numberFlags(tested, moves, FIRST_BIT + BigInt(3 * last.length));
    return last;
  }

  /** Sets of what was seen whose members are only passed over: what ends such a loop is its work list. */
  private openSets(): Set<string> {
    const open = new Set<string>();
    for (const statement of this.judged.what.inside) {
      if (statement.kind !== "test") continue;
      const [held, failed] = this.casesAt(statement.test);
      for (const [mine, contained] of [[held, statement.else], [failed, statement.then]] as const) {
        if (this.leavesForGood(contained)) continue;
        for (const atoms of mine) for (const [key, atom] of atoms) if (atom.kind === "grows" && atom.bound === undefined) open.add(key);
      }
    }
    return open;
  }

  private numberFlags(tested: ReadonlyMap<string, number>, moves: readonly Move[], first: bigint): void {
    const set = new Set(moves.flatMap((move) => (move.how === "constant" ? [move.place] : [])));
    let bit = first;
    for (const [place, times] of tested) {
      if (times + (set.has(place) ? 1 : 0) < 2 || this.flags.size >= MOST_FLAGS) continue;
      this.flags.set(place, { truthy: 1n << bit, falsy: 1n << (bit + 1n) });
      this.flagBits |= 3n << bit;
      bit += 2n;
    }
  }

  private numbered(atoms: ReadonlyMap<string, Atom>, moves: readonly Move[]): Witness[] {
    const byPlace = new Map<string, Move[]>();
    for (const move of moves) {
      const list = byPlace.get(move.place);
      if (list === undefined) byPlace.set(move.place, [move]);
      else list.push(move);
    }
    const witnesses: Witness[] = [];
    let bit = FIRST_BIT;
    for (const atom of atoms.values()) {
      const meanings = (byPlace.get(atom.place) ?? []).map((move) => meaningOf(atom, move));
      if (atom.kind !== "clock" && !meanings.includes("advance")) continue;
      if ((atom.constant === WITHIN || atom.constant?.startsWith("left to ") === true) && !this.isLeftBy(atom)) continue;
      const limit = limitPlace(this.judged.facts, atom);
      const isMoved = limit !== null && (byPlace.get(limit) ?? []).some((move) => movesAway(atom, move));
      const isSetBack = isMoved || meanings.includes("retreat");
      const [advanced, tested, clean] = [1n << bit, 1n << (bit + 1n), isSetBack && atom.kind !== "becomes" ? 1n << (bit + 2n) : 0n];
      bit += 3n;
      witnesses.push({ atom, standing: this.standingOf(atom, byPlace.get(atom.place) ?? []), advanced, tested, clean, ...(isMoved && { limit }) });
      if (witnesses.length >= MOST_WITNESSES) break;
    }
    return witnesses;
  }

  private withLatches(found: Witness[], atoms: ReadonlyMap<string, Atom>): Witness[] {
    for (const { note, risen } of latchesOf(this.judged.facts, this.judged.what)) {
      if (!atoms.has(atomKey(note)) || !atoms.has(risen) || found.length >= MOST_WITNESSES) continue;
      const bit = FIRST_BIT + BigInt(3 * found.length);
      found.push({ atom: note, standing: "on", advanced: 1n << bit, tested: 1n << (bit + 1n), clean: 0n, risen });
    }
    return found;
  }

  private standingOf(atom: Atom, moves: readonly Move[]): Witness["standing"] {
    if (atom.weak === "mode") return "mode";
    if (atom.bound === undefined) return "on";
    if (this.guards.has(atom.place) && startsUnset(this.judged.facts, atom.place)) return "off";
    const { facts, context, elsewhere, isWorkItem, what } = this.judged;
    const places = boundPlaces(atom);
    const guards = [...places].flatMap((place) => this.guards.get(place) ?? []);
    // Seconds are not attempts, and what is multiplied each time is soon at its limit.
    const isTime = atom.kind === "clock" || moves.some(({ value }) => value !== undefined && isMultiplied(facts, value)) || addsUpPauses(facts, what.inside, moves.filter((move) => meaningOf(atom, move) === "advance"));
    if ([...places].some((place) => this.leftUnset.has(place))) return "on";
    const standing = standingOf(atom.bound, guards, isTime ? Infinity : context.loopCeiling, elsewhere);
    return standing === "above" && (atom.kind !== "up" && atom.kind !== "down" || isWorkItem(atom.place)) ? "on" : standing;
  }
}

const GIVEN: ReadonlySet<string> = new Set<Value["kind"]>(["name", "member", "number", "call", "logical", "conditional"]);

/** `size * 2`, `delay << 1`, `2 ** tried`. */
function isMultiplied(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  return value?.kind === "binary" && MULTIPLYING.has(value.operator);
}

const MULTIPLYING: ReadonlySet<string> = new Set(["*", "**", "<<"]);

/** A counter that is handed in, and is nothing unless somebody does: `left: int | None = None`. */
function startsUnset(facts: ModuleFacts, place: string): boolean {
  const binding = facts.bindings[Number(/^v(\d+)$/.exec(place)?.[1] ?? -1)];
  // `if retries is None: retries = DEFAULT` sets it before the loop.
  if (binding?.values.some((id) => GIVEN.has(facts.values[bare(facts, id)]?.kind ?? "")) === true) return false;
  return binding?.values.some((id) => {
    const value = facts.values[id];
    const parameter = value?.kind === "parameter" ? facts.functions[value.function]?.parameters[value.index] : undefined;
    return parameter?.default != null && constantsOf(facts, parameter.default)?.[0]?.value === null;
  }) === true;
}

/** Kinds that count towards a limit. */
export const COUNTED: ReadonlySet<AtomKind> = new Set<AtomKind>(["up", "down", "grows", "clock"]);

/** The places that a test asks for truth. */
function flagsIn(outcomes: Cases): ReadonlySet<string> {
  const places = new Set<string>();
  for (const atoms of outcomes) {
    for (const { kind, place, constant } of atoms.values()) if (kind === "becomes" && (constant === "truthy" || constant === "falsy")) places.add(place);
  }
  return places;
}

/** Every test of a body, that of its loop first. */
export function testsOf(own: ValueId | null, inside: readonly Statement[]): ValueId[] {
  const tests = own === null ? [] : [own];
  for (const statement of inside) {
    if (statement.kind === "test" || (statement.kind === "loop" && statement.test !== null)) tests.push(statement.test!);
  }
  return tests;
}
