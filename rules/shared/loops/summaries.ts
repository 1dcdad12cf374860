import type { CallId, FunctionId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import type { PlacedFunction } from "../effects/index.ts";
import { bare } from "../expressions.ts";
import { keptWithFacts } from "../indexes.ts";
import { statementsIn } from "../statements.ts";
import { atomKey, atomsFrom, both, NO_ATOMS } from "./atoms.ts";
import type { Atoms } from "./atoms.ts";
import { atomsOf } from "./conditions.ts";
import type { Reading } from "./conditions.ts";
import { isCostly } from "./effects.ts";
import { endsProcess, leavesAlways } from "./process-ends.ts";
import { movesOf } from "./moves.ts";
import type { Move } from "./moves.ts";
import { shownPlace } from "./places.ts";
import { isOwnCopy, rebased, rebasedAtom, rebasedMove, rootsOf } from "./rebase.ts";
import { isLongPoll, isSourceMethod, waitsForWork } from "./work.ts";

/** What a function does to counters, and what it makes sure of, in the places of its caller. */
export interface Summary {
  readonly moves: readonly Move[];
  /** Tested whenever it returns: it raises otherwise. */
  readonly passed: Atoms;
  readonly truthy: Atoms;
  readonly falsy: Atoms;
  /** It waits for work from outside. */
  readonly waits: boolean;
  /** No run of it comes back: each ends in an error, or the process with it. */
  readonly raises: boolean;
  /** Each run of it ends the process, so that no handler of the caller is run. */
  readonly ends: boolean;
}

export const NO_SUMMARY: Summary = { moves: [], passed: NO_ATOMS, truthy: NO_ATOMS, falsy: NO_ATOMS, waits: false, raises: false, ends: false };

const MAX_DEPTH = 3;
const MOST_CALLEES = 3;

/** One map a depth: what is cut off by it is not what another caller, from nearer, would be told. */
interface Kept {
  readonly context: RuleContext;
  readonly byCall: readonly Map<CallId, Summary>[];
  readonly byFunction: readonly Map<FunctionId, Summary>[];
}

const kept = keptWithFacts<Kept>();

function keptFor(facts: ModuleFacts, context: RuleContext): Kept {
  const known = kept.get(facts);
  if (known?.context.tree === context.tree && known.context.path === context.path) return known;
  const depths = Array.from({ length: MAX_DEPTH + 1 });
  const fresh: Kept = { context, byCall: depths.map(() => new Map()), byFunction: depths.map(() => new Map()) };
  kept.set(facts, fresh);
  return fresh;
}

/** What the functions of the tree that a call runs do, in the places of the function that calls. */
export function summaryOfCall(facts: ModuleFacts, context: RuleContext, id: CallId, depth = 0): Summary {
  if (depth > MAX_DEPTH) return NO_SUMMARY;
  const byCall = keptFor(facts, context).byCall[depth]!;
  const known = byCall.get(id);
  if (known !== undefined) return known;
  const callees = effectsOf(facts, context).callees(id);
  const own: Summary = (waitsForWork(facts, id) || isAliasOfSource(facts, context, id)) && !isKnownToAct(facts, context, id, callees) ? { ...NO_SUMMARY, waits: true }
    : endsProcess(facts, id) ? { ...NO_SUMMARY, raises: true, ends: true } : NO_SUMMARY;
  const summary = callees.length === 0 || callees.length > MOST_CALLEES ? own
    : { ...callees.map((callee) => atCaller(facts, context, id, callee, depth)).reduce(joined, own), ...endOfAll(callees.map((callee) => endOf(callee, context, depth))) };
  byCall.set(id, summary);
  return summary;
}

/** A variable for a method that waits for work: `for getter in (client.get_shell_msg, client.get_stdin_msg)`. */
function isAliasOfSource(facts: ModuleFacts, context: RuleContext, id: CallId): boolean {
  if (facts.values[facts.calls[id]!.callee]?.kind !== "name") return false;
  return effectsOf(facts, context).reachedBy(id).some(({ effect, steps }) => steps.length === 0 && isSourceMethod(effect.api.slice(effect.api.lastIndexOf(".") + 1)));
}

/** A function of the tree is known by its body, and a model or tool by its API: neither waits because of its name. */
function isKnownToAct(facts: ModuleFacts, context: RuleContext, id: CallId, callees: readonly PlacedFunction[]): boolean {
  const reached = effectsOf(facts, context).reachedBy(id);
  if (reached.some(({ effect, steps }) => steps.length === 0 && isCostly(effect))) return !isLongPoll(facts, id);
  if (callees.length === 0) return false;
  return reached.length > 0 || callees.every((callee) => answersAtOnce(callee));
}

/** It returns something and calls nothing on the way. */
function answersAtOnce({ facts, function: id }: PlacedFunction): boolean {
  const inside = statementsIn(facts.functions[id]?.body ?? []);
  return inside.some((statement) => statement.kind === "return" && statement.value !== null) && !inside.some((statement) => statement.kind === "call");
}

type End = Pick<Summary, "raises" | "ends">;

const COMES_BACK: End = { raises: false, ends: false };

/** Whether no run of a function comes back: it has no return, and its last statement raises or ends the process. */
function endOf({ facts, function: id, path }: PlacedFunction, context: RuleContext, depth: number): End {
  const target = facts.functions[id];
  if (target === undefined || target.generator === true || depth > MAX_DEPTH) return COMES_BACK;
  const isEnd = (call: CallId): boolean => endsProcess(facts, call) || summaryOfCall(facts, { ...context, path }, call, depth + 1).raises;
  const inside = statementsIn(target.body);
  const isReturned = (value: ValueId | null): boolean => {
    const returned = value === null ? undefined : facts.values[bare(facts, value)];
    return returned?.kind !== "call" || !isEnd(returned.call);
  };
  if (!leavesAlways(facts, target.body, isEnd) || inside.some((statement) => statement.kind === "return" && isReturned(statement.value))) return COMES_BACK;
  return { raises: true, ends: !inside.some((statement) => statement.kind === "jump" && statement.to === "raise") };
}

function endOfAll(ends: readonly End[]): End {
  return { raises: ends.every(({ raises }) => raises), ends: ends.every((end) => end.ends) };
}

function joined(one: Summary, other: Summary): Summary {
  return {
    moves: [...one.moves, ...other.moves],
    passed: both(one.passed, other.passed),
    truthy: both(one.truthy, other.truthy),
    falsy: both(one.falsy, other.falsy),
    waits: one.waits || other.waits,
    raises: one.raises && other.raises,
    ends: one.ends && other.ends,
  };
}

/** A summary with its places as the caller has them. */
function atCaller(facts: ModuleFacts, context: RuleContext, id: CallId, callee: PlacedFunction, depth: number): Summary {
  const summary = summaryOfFunction(callee.facts, { ...context, path: callee.path }, callee.function, depth + 1);
  const roots = rootsOf(facts, id, callee);
  const rebase = (place: string): string | null => rebased(facts, place, roots, callee.facts === facts ? null : callee.path);
  const atoms = (given: Atoms): Atoms => atomsFrom([...given.values()].flatMap((atom) => rebasedAtom(facts, atom, rebase, roots)));
  return {
    moves: summary.moves.flatMap((move) => (isOwnCopy(move, roots) ? [] : rebasedMove(move, rebase))),
    passed: atoms(summary.passed), truthy: atoms(summary.truthy), falsy: atoms(summary.falsy), waits: summary.waits, raises: summary.raises, ends: summary.ends,
  };
}

/** What a function does in its own places. Only what each run of it does counts; what stands in a branch may not happen. */
function summaryOfFunction(facts: ModuleFacts, context: RuleContext, id: FunctionId, depth: number): Summary {
  if (depth > MAX_DEPTH) return NO_SUMMARY;
  const byFunction = keptFor(facts, context).byFunction[depth]!;
  const known = byFunction.get(id);
  if (known !== undefined) return known;
  const summary = new FunctionReader(facts, context, depth).read(facts.functions[id]?.body ?? []);
  byFunction.set(id, summary);
  return summary;
}

/** What a function counts and makes sure of, as text without the numbers of this file's own table; empty where that is nothing. */
export function summaryKey(facts: ModuleFacts, context: RuleContext, id: FunctionId): string {
  const { moves, passed, truthy, falsy, waits } = summaryOfFunction(facts, context, id, 1);
  const shown = (place: string): string => shownPlace(facts, place);
  const told = [passed, truthy, falsy].map((atoms) => [...atoms.values()].map((atom) => `${atom.kind} ${shown(atom.place)} ${atom.weak ?? ""}`).sort().join(","));
  const steps = moves.filter(({ how }) => how !== "given" && how !== "constant").map(({ how, place }) => `${how} ${shown(place)}`).sort();
  const { raises } = endOf({ path: context.path, facts, function: id }, context, 1);
  return [waits ? "waits" : raises ? "raises" : "", steps.join(","), ...told].join(";").replace(/^;+$/, "");
}

interface Exit {
  readonly value: ValueId | null;
  readonly known: Atoms;
}

/** Reads one function along its spine: the statements that each run comes by. */
class FunctionReader {
  private readonly facts: ModuleFacts;
  private readonly context: RuleContext;
  private readonly depth: number;
  private readonly reading: Reading;
  private readonly moves: Move[] = [];
  private readonly exits: Exit[] = [];

  constructor(facts: ModuleFacts, context: RuleContext, depth: number) {
    this.facts = facts;
    this.context = context;
    this.depth = depth;
    this.reading = {
      facts,
      // Each run of the function is a round of its own: its variables are set in it.
      given: (place) => valuesOfLocal(facts, place),
      compares: () => false,
      resultOf: (call, outcome) => {
        const summary = summaryOfCall(facts, context, call, depth);
        return outcome ? summary.truthy : summary.falsy;
      },
    };
  }

  read(body: readonly Statement[]): Summary {
    const end = this.walk(body, NO_ATOMS, 0);
    if (end !== null) this.exits.push({ value: null, known: end });
    const waits = statementsIn(body).some((statement) => statement.kind === "call" && this.waits(statement.call));
    return {
      moves: this.moves, waits, raises: false, ends: false,
      passed: common(this.exits.map(({ known }) => known)),
      truthy: this.outcome(true), falsy: this.outcome(false),
    };
  }

  private waits(id: CallId): boolean {
    return this.depth < 2 ? summaryOfCall(this.facts, this.context, id, this.depth).waits : waitsForWork(this.facts, id);
  }

  /** What is known after a body; null where it never comes to its end. */
  private walk(body: readonly Statement[], before: Atoms, depth: number): Atoms | null {
    let known: Atoms | null = before;
    for (const statement of body) {
      if (known === null) return null;
      known = this.step(statement, known, depth);
    }
    return known;
  }

  private step(statement: Statement, known: Atoms, depth: number): Atoms | null {
    this.note(statement, depth);
    switch (statement.kind) {
      case "call": {
        const { passed, raises } = summaryOfCall(this.facts, this.context, statement.call, this.depth);
        return raises ? null : both(known, passed);
      }
      case "return":
        this.exits.push({ value: statement.value, known });
        return null;
      case "jump":
        return null;
      case "with":
      case "block":
        return this.walk(statement.body, known, depth);
      case "try":
        return this.try(statement, known, depth);
      case "test":
        return this.test(statement, known, depth);
      default:
        return known;
    }
  }

  /** A handler begins with what the body makes sure of wherever it comes to an end: `except Busy: if now() > deadline: raise`. */
  private try(statement: Extract<Statement, { kind: "try" }>, known: Atoms, depth: number): Atoms | null {
    const before = this.exits.length;
    const end = this.walk(statement.body, known, depth);
    const tried = common([...this.exits.slice(before).map((exit) => exit.known), ...(end === null ? [] : [end])]);
    const handled = statement.handlers.map((handler) => this.walk(handler.body, both(known, tried), depth + 1)).filter((each) => each !== null);
    const after = this.walk(statement.finally, end ?? (handled.length > 0 ? common(handled) : known), depth);
    return end === null && handled.length === 0 ? null : after;
  }

  /** A branch may be left out, so that only its steps count: they say that the function keeps the counter. */
  private note(statement: Statement, depth: number): void {
    this.moves.push(...movesOf(this.facts, statement).filter((move) => depth === 0 || STEPS.has(move.how)));
    if (statement.kind === "call" && depth === 0) this.moves.push(...summaryOfCall(this.facts, this.context, statement.call, this.depth).moves);
  }

  private test(statement: Extract<Statement, { kind: "test" }>, known: Atoms, depth: number): Atoms | null {
    if (depth > 6) return known;
    const [held, failed] = [this.after(known, statement.test, true), this.after(known, statement.test, false)];
    const leaves = [this.leaves(statement.then), this.leaves(statement.else)] as const;
    if (held !== null && leaves[0]) this.walk(statement.then, held, depth + 1);
    if (failed !== null && leaves[1]) this.walk(statement.else, failed, depth + 1);
    if (leaves[0] && leaves[1]) return null;
    if (leaves[0]) return failed ?? known;
    if (leaves[1]) return held ?? known;
    // What both branches may do is looked at, but makes sure of nothing after it.
    for (const branch of [statement.then, statement.else]) {
      if (holdsReturn(branch)) this.walk(branch, known, depth + 1);
      else for (const inner of branch) this.note(inner, depth + 1);
    }
    return known;
  }

  private leaves(body: readonly Statement[]): boolean {
    return leavesAlways(this.facts, body, (call) => summaryOfCall(this.facts, this.context, call, this.depth).raises);
  }

  private after(known: Atoms, test: ValueId, outcome: boolean): Atoms | null {
    const found = atomsOf(this.reading, test, outcome);
    return found === null ? null : both(known, found);
  }

  private outcome(outcome: boolean): Atoms {
    const possible = this.exits.flatMap(({ value, known }) => {
      if (value === null) return outcome ? [] : [known];
      const atoms = truthOf(this.facts, value) === !outcome ? null : this.after(known, value, outcome);
      return atoms === null ? [] : [atoms];
    });
    return common(possible);
  }
}

const STEPS: ReadonlySet<Move["how"]> = new Set(["up", "down", "any", "grows"]);

function holdsReturn(body: readonly Statement[]): boolean {
  return statementsIn(body).some((statement) => statement.kind === "return");
}

/** Whether an expression surely counts as true or as false; null where it may be either. */
function truthOf(facts: ModuleFacts, id: ValueId): boolean | null {
  const value = facts.values[id];
  if (value?.kind === "constant") return value.value === true;
  if (value?.kind === "string") return value.value !== "";
  if (value?.kind === "number") return value.value !== 0;
  if (value?.kind === "table" || value?.kind === "template") return true;
  if (value?.kind === "list") return value.items.length > 0 ? true : null;
  return value?.kind === "member" && value.property !== null && /^[A-Z][A-Z_\d]+$/.test(value.property) ? true : null;
}

/** What all of them have. */
function common(all: readonly Atoms[]): Atoms {
  const [first, ...rest] = all;
  if (first === undefined) return NO_ATOMS;
  return atomsFrom([...first.values()].filter((atom) => rest.every((each) => each.has(atomKey(atom)))));
}

/** What a variable of a function that is no parameter of it is given. */
function valuesOfLocal(facts: ModuleFacts, place: string): readonly ValueId[] {
  const binding = /^v\d+$/.test(place) ? facts.bindings[Number(place.slice(1))] : undefined;
  if (binding === undefined || binding.kind === "parameter" || binding.kind === "import" || facts.scopes[binding.scope]?.function === 0) return [];
  return binding.values;
}
