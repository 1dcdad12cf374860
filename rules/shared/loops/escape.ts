import type { CallId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import type { ReachedEffect } from "../effects/index.ts";
import { callsApi } from "../expressions.ts";
import { alwaysLeaves } from "../statements.ts";
import { atomKey } from "./atoms.ts";
import type { Atom, Atoms } from "./atoms.ts";
import { isLimitedSignal } from "./aborts.ts";
import { boundPlaces, standingOf } from "./bounds.ts";
import type { Elsewhere, Guard, Standing } from "./bounds.ts";
import { casesOf } from "./conditions.ts";
import type { Cases, Reading } from "./conditions.ts";
import { effectCalls, isFromAnswer } from "./effects.ts";
import { Flow } from "./flow.ts";
import type { State, Transfer, Way } from "./flow.ts";
import { EMPTY, meaningOf, movesOf } from "./moves.ts";
import type { Move } from "./moves.ts";
import { placeOf } from "./places.ts";
import type { Loop, LoopSite } from "./sites.ts";
import { summaryOfCall } from "./summaries.ts";
import { LOOPS } from "./vocabulary.ts";

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
}

/** A loop as what is repeated. */
export function repetitionOf(site: LoopSite): Repetition {
  return { inside: site.inside, tests: testsOf(site.loop.test, site.inside), loop: site.loop, body: site.loop.body, again: new Map() };
}

/** A counter, deadline or flag of the loop, and the bits that say what a path did with it. */
interface Witness {
  readonly atom: Atom;
  readonly standing: Standing | "mode";
  readonly advanced: bigint;
  readonly tested: bigint;
  /** Set as long as the path does not set it back; 0 where no path does. */
  readonly clean: bigint;
}

/** A way round that repeats an effect, and that nothing bounds. */
export interface Escape {
  /**
   * - `none`: nothing counts, or what counts is never compared
   * - `off`: what would bound it is off unless somebody sets it
   * - `mode`: what would bound it is only tested in test mode
   * - `path`: the bound is not advanced or not tested on this way
   */
  readonly kind: "none" | "off" | "mode" | "above" | "path";
  readonly way: Way;
  /** The bound that was found and does not hold. */
  readonly atom: Atom | null;
  /** Whether on this way the bound is advanced, and only its test is left out. */
  readonly isAdvanced: boolean;
}

/** A place that is tested for truth more than once in a round: a path that found it true cannot find it false after that. */
interface Flag {
  readonly truthy: bigint;
  readonly falsy: bigint;
}

/** Set as long as no effect has happened. */
const NO_EFFECT = 1n;
/** Set where a limit was found to be reached: what goes wrong there ends the loop for all that anybody can tell. */
const REACHED = 2n;
const MOST_WITNESSES = 40;
const MOST_FLAGS = 20;

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

/** The first way round the loop that repeats an effect without a bound; null where each is bounded or repeats none. */
export function escapeOf(judged: Judged): Escape | null {
  const ways = new LoopReader(judged);
  const strict = ways.escaping(false);
  if (strict.length === 0) return null;
  // A loop that waits for work in each round goes on with the next piece when one fails.
  if (ways.waits && strict.every(({ state }) => state.handler !== null)) return null;
  const way = strict[0]!;
  const lenient = ways.escaping(true);
  if (lenient.length === 0) {
    const off = ways.witnesses.find((witness) => witness.standing !== "on");
    if (off !== undefined && off.standing !== "on") return { kind: off.standing, way, atom: off.atom, isAdvanced: true };
    const counted = ways.missedOn(way.state);
    if (ways.hasMode && counted !== null) return { kind: "mode", way, atom: counted.atom, isAdvanced: true };
  }
  const missed = ways.missedOn(way.state);
  if (missed !== null) return { kind: "path", way, atom: missed.atom, isAdvanced: (way.state.bits & missed.advanced) !== 0n };
  return { kind: "none", way, atom: null, isAdvanced: false };
}

class LoopReader {
  readonly witnesses: readonly Witness[];
  private readonly judged: Judged;
  private readonly reading: Reading;
  private readonly moves = new Map<Statement | CallId, readonly Move[]>();
  private readonly tests = new Map<ValueId, readonly [Cases, Cases]>();
  private readonly byKey = new Map<string, Witness[]>();
  private readonly guards = new Map<string, Guard[]>();
  private readonly flags = new Map<string, Flag>();
  /** A call that waits for work was come by. */
  waits = false;
  /** A test asks whether the program runs in test mode. */
  hasMode = false;
  private start = NO_EFFECT;
  private flagBits = 0n;
  private recorded: Way[] = [];
  private isLenient = false;

  constructor(judged: Judged) {
    this.judged = judged;
    this.reading = {
      facts: judged.facts,
      given: (place) => judged.given.get(place) ?? [],
      resultOf: (call, outcome) => {
        const summary = summaryOfCall(judged.facts, judged.context, call);
        return outcome ? summary.truthy : summary.falsy;
      },
    };
    this.witnesses = this.findWitnesses();
    for (const witness of this.witnesses) {
      const key = atomKey(witness.atom);
      this.byKey.set(key, [...(this.byKey.get(key) ?? []), witness]);
      this.start |= witness.clean | (witness.atom.kind === "clock" ? witness.advanced : 0n);
    }
  }

  /** Ways round that have an effect and lack every bound. `lenient` counts bounds that are off by default, too. */
  escaping(lenient: boolean): Way[] {
    this.isLenient = lenient;
    const transfer: Transfer = {
      call: (id, bits, state) => {
        const again = this.judged.what.again.get(id);
        if (again !== undefined) this.record(id, again, bits, state);
        return this.afterCall(id, bits, true);
      },
      failed: (id, bits) => ((bits & REACHED) === 0n ? this.afterCall(id, bits, false) : null),
      assign: (statement, bits) => this.moved(this.movesAt(statement), bits),
      test: (test, outcome, bits) => this.cases(this.casesAt(test)[outcome ? 0 : 1], this.reaches(test, outcome) ? bits | REACHED : bits),
      isEvents: (loop) => this.isEvents(loop),
    };
    const flow = new Flow(this.judged.facts, transfer);
    const { loop } = this.judged.what;
    if (loop === null) return this.waysAgain(flow);
    const head = loop.test === null ? undefined : this.casesAt(loop.test)[0];
    const first = flow.waysRound(loop, this.start);
    // What every round leaves behind in flags holds from the second on.
    const kept = first.reduce((bits, { state }) => bits & state.bits, this.flagBits);
    const ways = kept === 0n || first.length === 0 ? first : new Flow(this.judged.facts, transfer).waysRound(loop, this.start | kept);
    return ways.filter(({ state }) => (state.bits & NO_EFFECT) === 0n && !this.isBounded(state) && (head === undefined || this.cases(head, state.bits).length > 0));
  }

  /** For a function: the states in which it calls itself again. */
  private waysAgain(flow: Flow): Way[] {
    this.recorded = [];
    flow.run(this.judged.what.body, [{ bits: this.start, turn: null, handler: null }], 0);
    return this.recorded.filter(({ state }) => (state.bits & NO_EFFECT) === 0n && !this.isBounded(state));
  }

  /** A bound that holds elsewhere in the loop and is missed on this way. */
  missedOn(state: State): Witness | null {
    const missed = this.witnesses.filter((witness) => witness.standing === "on" && COUNTED.has(witness.atom.kind) && witness.atom.bound !== undefined);
    return missed.find((witness) => (state.bits & witness.advanced) !== 0n) ?? missed[0] ?? null;
  }

  /** `async for event in self._socket`: what is not an answer of the loop's own calls. */
  private isEvents({ form, iterable }: Loop): boolean {
    const { facts, what } = this.judged;
    if (form !== "each" || iterable === null || facts.values[iterable]?.kind !== "await") return false;
    const own = new Set(effectCalls(what.inside, this.judged.effectsOf));
    return !isFromAnswer(facts, iterable, own);
  }

  private isBounded({ bits }: State): boolean {
    return this.witnesses.some((witness) => this.counts(witness) && this.holds(witness, bits));
  }

  private counts({ standing }: Witness): boolean {
    return this.isLenient || standing === "on";
  }

  private holds({ advanced, tested, clean }: Witness, bits: bigint): boolean {
    const all = advanced | tested | clean;
    return (bits & all) === all;
  }

  /** A path that has a bound which nothing sets back needs no further look. */
  private kept(bits: bigint): bigint | null {
    return this.witnesses.some((witness) => witness.clean === 0n && witness.atom.kind !== "becomes" && this.counts(witness) && this.holds(witness, bits)) ? null : bits;
  }

  private record(id: CallId, moves: readonly Move[], bits: bigint, state: State): void {
    const moved = this.moved(moves, bits);
    if (moved !== null) this.recorded.push({ state: { ...state, bits: moved }, jump: this.judged.facts.calls[id]!.statement });
  }

  private afterCall(id: CallId, before: bigint, returned: boolean): bigint | null {
    const { facts, context } = this.judged;
    const summary = summaryOfCall(facts, context, id);
    if (summary.waits) {
      this.waits ||= returned;
      return null;
    }
    let bits = this.judged.effectsOf(id).length > 0 ? before & ~NO_EFFECT : before;
    const moved = this.moved(this.movesOfCall(id), bits);
    if (moved === null || !returned) return moved;
    bits = moved;
    if (this.isLimitedCall(id)) return null;
    return this.tested(summary.passed, bits);
  }

  /** A call that is given a signal which the code itself limits ends in an error past the limit. */
  private isLimitedCall(id: CallId): boolean {
    const { facts, given } = this.judged;
    return facts.calls[id]!.arguments.some((argument) => {
      const value = facts.values[argument.value];
      const signals = value?.kind === "table" ? value.entries.filter((entry) => isSignalKey(facts, entry.key)).map((entry) => entry.value) : [argument.value];
      return signals.some((signal) => {
        const place = placeOf(facts, signal);
        return place !== null && !given.has(place) && isLimitedSignal(facts, signal);
      });
    });
  }

  private moved(moves: readonly Move[], before: bigint): bigint | null {
    let bits = before;
    for (const move of moves) {
      bits = this.flagged(move, bits);
      for (const witness of this.witnesses) {
        if (witness.atom.place !== move.place) continue;
        const meaning = meaningOf(witness.atom, move);
        if (meaning === "advance") bits |= witness.advanced;
        else if (meaning === "retreat") bits &= ~(witness.atom.kind === "becomes" ? witness.advanced : witness.clean);
      }
    }
    return bits === before ? before : this.kept(bits);
  }

  /** What is known of a flag after it was given a value. */
  private flagged(move: Move, before: bigint): bigint {
    let bits = before;
    for (const [place, flag] of this.flags) {
      if (place !== move.place && !place.startsWith(`${move.place}.`)) continue;
      bits &= ~(flag.truthy | flag.falsy);
      if (move.how === "constant" && (place === move.place || (move.text === EMPTY && place === `${move.place}.length`))) bits |= isFalsyText(move.text ?? "") ? flag.falsy : flag.truthy;
    }
    return bits;
  }

  /** What is known of a flag after a test; null where the path cannot be. */
  private learned({ place, constant }: Atom, bits: bigint): bigint | null {
    const flag = constant === "falsy" || constant === "truthy" || constant === "given" ? this.flags.get(place) : undefined;
    if (flag === undefined) return bits;
    const [now, other] = constant === "falsy" ? [flag.truthy, flag.falsy] : [flag.falsy, flag.truthy];
    return (bits & other) !== 0n ? null : bits | now;
  }

  private cases(cases: Cases, before: bigint): readonly bigint[] {
    return cases.map((atoms) => this.tested(atoms, before)).filter((bits) => bits !== null);
  }

  private tested(atoms: Atoms, before: bigint): bigint | null {
    if (atoms.size === 0) return before;
    let bits = before;
    for (const [key, atom] of atoms) {
      const learned = atom.kind === "becomes" ? this.learned(atom, bits) : bits;
      if (learned === null) return null;
      bits = learned;
      if (atom.kind === "unset") {
        // Where the bound is set unless somebody takes it away, the path is none that matters.
        if (this.isBoundOfCounted(atom.place)) return null;
      }
      else if (atom.kind === "mode") {
        if (this.isLenient) for (const witness of this.witnesses) bits |= witness.tested;
      } else for (const witness of this.byKey.get(key) ?? []) if (atom.weak !== "mode" || this.isLenient) bits |= witness.tested;
    }
    return bits === before ? before : this.kept(bits);
  }

  private isBoundOfCounted(place: string): boolean {
    return this.witnesses.some((witness) => this.counts(witness) && boundPlaces(witness.atom).has(place));
  }

  /** Whether this outcome of a test says that a limit is reached: the other one makes sure that it is not. */
  private reaches(test: ValueId, outcome: boolean): boolean {
    const [held, failed] = this.casesAt(test);
    const [mine, other] = outcome ? [held, failed] : [failed, held];
    return other.some((atoms) => [...atoms].some(([key, atom]) => COUNTED.has(atom.kind) && this.byKey.has(key))) && !mine.some((atoms) => [...atoms.keys()].some((key) => this.byKey.has(key)));
  }

  private casesAt(test: ValueId): readonly [Cases, Cases] {
    let found = this.tests.get(test);
    if (found === undefined) this.tests.set(test, (found = [casesOf(this.reading, test, true), casesOf(this.reading, test, false)]));
    return found;
  }

  private movesAt(statement: Statement): readonly Move[] {
    let found = this.moves.get(statement);
    if (found === undefined) this.moves.set(statement, (found = movesOf(this.judged.facts, statement)));
    return found;
  }

  private movesOfCall(id: CallId): readonly Move[] {
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
    const note = (found: Atoms): void => {
      for (const [key, atom] of found) {
        if (atom.kind === "unset") this.guards.set(atom.place, [...(this.guards.get(atom.place) ?? []), atom.constant as Guard]);
        else if (atom.kind === "mode") this.hasMode = true;
        else if ((atoms.get(key)?.weak !== undefined || !atoms.has(key))) atoms.set(key, atom);
      }
    };
    const tested = new Map<string, number>();
    for (const test of what.tests) {
      const cases = this.casesAt(test).flat();
      for (const found of cases) note(found);
      for (const place of flagsIn(cases)) tested.set(place, (tested.get(place) ?? 0) + 1);
    }
    const moves: Move[] = [];
    for (const statement of what.inside) {
      if (statement.kind === "call") note(summaryOfCall(this.judged.facts, this.judged.context, statement.call).passed);
      if (statement.kind === "call") moves.push(...(what.again.get(statement.call) ?? []));
      moves.push(...(statement.kind === "call" ? this.movesOfCall(statement.call) : this.movesAt(statement)));
    }
    for (const key of this.openSets()) atoms.delete(key);
    const last = this.numbered(atoms, moves);
    this.numberFlags(tested, moves, BigInt(3 * last.length + 2));
    return last;
  }

  /** Sets of what was seen whose members are only passed over: what ends such a loop is its work list. */
  private openSets(): Set<string> {
    const open = new Set<string>();
    for (const statement of this.judged.what.inside) {
      if (statement.kind !== "test") continue;
      const [held, failed] = this.casesAt(statement.test);
      for (const [mine, contained] of [[held, statement.else], [failed, statement.then]] as const) {
        if (endsRepetition(contained)) continue;
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
    let bit = 2n;
    for (const atom of atoms.values()) {
      const meanings = (byPlace.get(atom.place) ?? []).map((move) => meaningOf(atom, move));
      if (atom.kind !== "clock" && !meanings.includes("advance")) continue;
      const isSetBack = meanings.includes("retreat");
      const [advanced, tested, clean] = [1n << bit, 1n << (bit + 1n), isSetBack && atom.kind !== "becomes" ? 1n << (bit + 2n) : 0n];
      bit += 3n;
      witnesses.push({ atom, standing: this.standingOf(atom), advanced, tested, clean });
      if (witnesses.length >= MOST_WITNESSES) break;
    }
    return witnesses;
  }

  private standingOf(atom: Atom): Witness["standing"] {
    if (atom.weak === "mode") return "mode";
    if (atom.bound === undefined) return "on";
    const { context, elsewhere, isWorkItem } = this.judged;
    const places = boundPlaces(atom);
    const guards = [...places].flatMap((place) => this.guards.get(place) ?? []);
    const standing = standingOf(atom.bound, guards, context.loopCeiling, elsewhere);
    return standing === "above" && (atom.kind !== "up" && atom.kind !== "down" || isWorkItem(atom.place)) ? "on" : standing;
  }
}

/** Whether a branch leaves, and not for the next round. */
function endsRepetition(body: readonly Statement[]): boolean {
  const last = body.at(-1);
  return alwaysLeaves(body) && !(last?.kind === "jump" && last.to === "continue");
}

const COUNTED = new Set(["up", "down", "grows", "clock"]);

function isFalsyText(text: string): boolean {
  return text === "null" || text === "false" || text === "0" || text === '""' || text === EMPTY;
}

/** The places that a test asks for truth. */
function flagsIn(outcomes: Cases): ReadonlySet<string> {
  const places = new Set<string>();
  for (const atoms of outcomes) {
    for (const { kind, place, constant } of atoms.values()) if (kind === "becomes" && (constant === "truthy" || constant === "falsy")) places.add(place);
  }
  return places;
}

function isSignalKey(facts: ModuleFacts, key: ValueId | null): boolean {
  const value = key === null ? undefined : facts.values[key];
  return value?.kind === "string" && (value.value === "signal" || value.value === "abortSignal");
}

/** Every test of a body, that of its loop first. */
export function testsOf(own: ValueId | null, inside: readonly Statement[]): ValueId[] {
  const tests = own === null ? [] : [own];
  for (const statement of inside) {
    if (statement.kind === "test" || (statement.kind === "loop" && statement.test !== null)) tests.push(statement.test!);
  }
  return tests;
}

/** Whether one of the statements around the loop limits its time: `async with asyncio.timeout(60)`. */
export function isTimeLimited(facts: ModuleFacts, around: readonly Statement[]): boolean {
  return around.some((statement) => statement.kind === "with" && statement.items.some((item) => {
    const value = facts.values[item];
    const call = value?.kind === "call" ? facts.calls[value.call] : undefined;
    if (call === undefined || !callsApi(call, LOOPS.limits.contexts)) return false;
    const limit = facts.values[call.arguments[0]?.value ?? -1];
    return limit !== undefined && !(limit.kind === "constant" && limit.value === null);
  }));
}
