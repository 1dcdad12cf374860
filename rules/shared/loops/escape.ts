import { constantsOf } from "@agentgate/parsers";
import type { CallId, Handler, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import type { Atom, Atoms } from "./atoms.ts";
import { isLimitedSignal, isTimedRace, racedCalls } from "./aborts.ts";
import { isBegunBy } from "./begun.ts";
import { boundPlaces } from "./bounds.ts";
import type { Cases } from "./conditions.ts";
import { bare, someIngredient } from "../expressions.ts";
import { statementsIn } from "../statements.ts";
import { isOfConflict, isOfLongPoll } from "./conflicts.ts";
import { effectCalls, isFromAnswer } from "./effects.ts";
import { Flow } from "./flow.ts";
import type { State, Transfer, Turn, Way } from "./flow.ts";
import { movedDeadline, movesAway } from "./moved-limits.ts";
import { EMPTY, meaningOf } from "./moves.ts";
import type { Move } from "./moves.ts";
import { truthyParts } from "./held.ts";
import { placeOf } from "./places.ts";
import { isRepaired } from "./repairs.ts";
import type { Loop } from "./sites.ts";
import { summaryOfCall } from "./summaries.ts";
import { COUNTED, Witnesses } from "./witnesses.ts";
import type { Judged, Witness } from "./witnesses.ts";

/** Set as long as no effect has happened. */
const NO_EFFECT = 1n;
/** Set where a limit was found to be reached: what goes wrong there ends the loop for all that anybody can tell. */
const REACHED = 2n;

/** A way round that repeats an effect, and that nothing bounds. */
export interface Escape {
  /**
   * - `none`: nothing counts, or what counts is never compared
   * - `off`: what would bound it is off unless somebody sets it
   * - `mode`: what would bound it is only tested in test mode
   * - `moved`: the limit is moved away as far as the bound comes nearer
   * - `path`: the bound is not advanced or not tested on this way
   */
  readonly kind: "none" | "off" | "mode" | "above" | "moved" | "path";
  readonly way: Way;
  /** The handlers by which one of the ways goes round that nothing bounds. */
  readonly handlers: readonly Turn[];
  /** The bound that was found and does not hold. */
  readonly atom: Atom | null;
  /** The place of the limit that is moved. */
  readonly limit?: string;
  /** Whether on this way the bound is advanced, and only its test is left out. */
  readonly isAdvanced: boolean;
}

/** The first way round the loop that repeats an effect without a bound; null where each is bounded or repeats none. */
export function escapeOf(judged: Judged): Escape | null {
  const ways = new LoopReader(judged);
  const strict = ways.escaping(false);
  if (strict.length === 0) return null;
  // A loop that waits for work in each round goes on with the next piece when one fails.
  if (ways.waits && strict.every(({ state }) => state.handler !== null)) return null;
  const way = strict[0]!;
  const handlers = strict.flatMap(({ state }) => (state.handler === null ? [] : [state.handler]));
  const lenient = ways.escaping(true);
  if (lenient.length === 0) {
    const off = ways.witnesses.find((witness) => witness.standing !== "on");
    if (off !== undefined && off.standing !== "on") return { kind: off.standing, way, handlers, atom: off.atom, isAdvanced: true };
    const counted = ways.missedOn(way.state);
    if (ways.hasMode && counted !== null) return { kind: "mode", way, handlers, atom: counted.atom, isAdvanced: true };
  }
  const missed = ways.missedOn(way.state);
  if (missed?.limit !== undefined && (way.state.bits & (missed.advanced | missed.clean)) === missed.advanced) return { kind: "moved", way, handlers, atom: missed.atom, limit: missed.limit, isAdvanced: true };
  if (missed !== null) return { kind: "path", way, handlers, atom: missed.atom, isAdvanced: (way.state.bits & missed.advanced) !== 0n };
  const deadline = movedDeadline(judged.facts, judged.what);
  if (deadline !== null) return { kind: "moved", way, handlers, atom: { kind: "clock", place: deadline }, limit: deadline, isAdvanced: true };
  return { kind: "none", way, handlers, atom: null, isAdvanced: false };
}

class LoopReader {
  readonly witnesses: readonly Witness[];
  private readonly judged: Judged;
  private readonly known: Witnesses;
  /** A call that waits for work was come by. */
  waits = false;
  private start = NO_EFFECT;
  private recorded: Way[] = [];
  private isLenient = false;

  constructor(judged: Judged) {
    this.judged = judged;
    this.known = new Witnesses(judged);
    this.witnesses = this.known.witnesses;
    for (const witness of this.witnesses) this.start |= witness.clean | (witness.atom.kind === "clock" ? witness.advanced : 0n);
    this.start = this.moved(judged.what.first, this.start) ?? this.start;
  }

  /** A test asks whether the program runs in test mode. */
  get hasMode(): boolean {
    return this.known.hasMode;
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
      assign: (statement, bits) => this.moved(this.known.movesAt(statement), bits),
      test: (test, outcome, bits) => (this.waitsIn(test, outcome) ? [] : this.cases(this.known.casesAt(test)[outcome ? 0 : 1], this.known.reaches(test, outcome) ? bits | REACHED : bits)),
      isSettled: (handler, tried) => this.isSettled(handler, tried),
      isEvents: (loop) => this.isEvents(loop),
    };
    const flow = new Flow(this.judged.facts, transfer);
    const { loop } = this.judged.what;
    if (loop === null) return this.waysAgain(flow);
    const head = loop.test === null ? undefined : this.known.casesAt(loop.test)[0];
    const first = flow.waysRound(loop, this.start);
    // What every round leaves behind in flags holds from the second on.
    const kept = first.reduce((bits, { state }) => bits & state.bits, this.known.flagBits);
    const ways = kept === 0n || first.length === 0 ? first : new Flow(this.judged.facts, transfer).waysRound(loop, this.start | kept);
    return ways.filter(({ state }) => (state.bits & NO_EFFECT) === 0n && !this.isBounded(state) && (head === undefined || this.cases(head, state.bits).length > 0));
  }

  /** Whether a test that comes out so has waited for work in its second part: `if (isLocked && await confirm(…))`. */
  private waitsIn(test: ValueId, outcome: boolean): boolean {
    const { facts, context } = this.judged;
    const value = facts.values[bare(facts, test)];
    if (value?.kind !== "logical") return false;
    const asked = truthyParts(facts, test, outcome).some((part) => someIngredient(facts, part, (each) => each.kind === "call" && summaryOfCall(facts, context, each.call).waits, 20));
    this.waits ||= asked;
    return asked;
  }

  /** For a function: the states in which it calls itself again. */
  private waysAgain(flow: Flow): Way[] {
    this.recorded = [];
    flow.run(this.judged.what.body, [{ bits: this.start, turn: null, handler: null }], 0);
    return this.recorded.filter(({ state }) => (state.bits & NO_EFFECT) === 0n && !this.isBounded(state));
  }

  /** A bound that holds elsewhere in the loop and is missed on this way. */
  missedOn(state: State): Witness | null {
    const missed = this.witnesses.filter((witness) => witness.standing === "on" && COUNTED.has(witness.atom.kind) && witness.atom.bound !== undefined && !asksForAny(witness.atom) && this.known.isLeft(witness));
    return missed.find((witness) => (state.bits & witness.advanced) !== 0n) ?? missed[0] ?? null;
  }

  /** `async for event in self._socket`: what is not an answer of the loop's own calls. */
  private isEvents({ form, iterable }: Loop): boolean {
    const { facts, what } = this.judged;
    if (form !== "each" || iterable === null || facts.values[iterable]?.kind !== "await") return false;
    const own = new Set(effectCalls(what.inside, this.judged.effectsOf));
    return !isFromAnswer(facts, iterable, own);
  }

  /** Nothing was carried out: somebody else was first, or what was wrong is put right before the repeat. */
  private isSettled(handler: Handler, body: readonly Statement[]): boolean {
    const { facts, context, effectsOf, what } = this.judged;
    if (isBegunBy(facts, context, handler, what.inside)) return true;
    return isOfConflict(facts, handler) || isOfLongPoll(facts, handler) || isRepaired(facts, handler, effectCalls(statementsIn(body), effectsOf), what.inside);
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
    // What goes wrong after the time of a race is its time-out.
    if (isTimedRace(facts, facts.calls[id]!) || (!returned && racedCalls(facts).has(id))) return null;
    const summary = summaryOfCall(facts, context, id);
    if (summary.waits) {
      this.waits ||= returned;
      return null;
    }
    if (summary.ends) return null;
    let bits = this.judged.effectsOf(id).length > 0 ? before & ~NO_EFFECT : before;
    const moved = this.moved(this.known.movesOfCall(id), bits);
    if (moved === null || !returned) return moved;
    bits = moved;
    if (summary.raises || this.isLimitedCall(id)) return null;
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
        if (witness.limit === move.place && movesAway(witness.atom, move)) bits &= ~witness.clean;
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
    for (const [place, flag] of this.known.flags) {
      if (place !== move.place && !place.startsWith(`${move.place}.`)) continue;
      bits &= ~(flag.truthy | flag.falsy);
      if (move.how === "constant" && (place === move.place || (move.text === EMPTY && place === `${move.place}.length`))) bits |= isFalsyText(move.text ?? "") ? flag.falsy : flag.truthy;
    }
    return bits;
  }

  /** What is known of a flag after a test; null where the path cannot be. */
  private learned({ place, constant }: Atom, bits: bigint): bigint | null {
    const flag = constant === "falsy" || constant === "truthy" || constant === "given" ? this.known.flags.get(place) : undefined;
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
      } else bits = this.noted(key, atom, bits);
    }
    return bits === before ? before : this.kept(bits);
  }

  private noted(key: string, { weak }: Atom, before: bigint): bigint {
    if (weak === "mode" && !this.isLenient) return before;
    let bits = before;
    for (const witness of this.known.byKey.get(key) ?? []) bits |= witness.tested;
    for (const witness of this.known.byRisen.get(key) ?? []) bits |= witness.advanced;
    return bits;
  }

  private isBoundOfCounted(place: string): boolean {
    return this.witnesses.some((witness) => this.counts(witness) && ((witness.atom.place === place && witness.atom.bound !== undefined) || boundPlaces(witness.atom).has(place)));
  }
}

/** `len(buffer) == 0`: whether there is anything, which limits no rounds. */
function asksForAny({ kind, bound }: Atom): boolean {
  const constants = kind === "grows" && bound !== undefined ? constantsOf(bound.facts, bound.value) : null;
  return constants?.length === 1 && typeof constants[0]!.value === "number" && constants[0]!.value <= 1;
}

function isFalsyText(text: string): boolean {
  return text === "null" || text === "false" || text === "0" || text === '""' || text === EMPTY;
}

function isSignalKey(facts: ModuleFacts, key: ValueId | null): boolean {
  const value = key === null ? undefined : facts.values[key];
  return value?.kind === "string" && (value.value === "signal" || value.value === "abortSignal");
}
