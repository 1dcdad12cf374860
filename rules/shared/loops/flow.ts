import type { CallId, Handler, ModuleFacts, Span, Statement, ValueId } from "@agentgate/parsers";

type Body = readonly Statement[];
type Loop = Extract<Statement, { kind: "loop" }>;
type Try = Extract<Statement, { kind: "try" }>;
type Jump = Extract<Statement, { kind: "jump" }>;

/** Where a path turned off last, to be shown. */
export interface Turn {
  readonly kind: "handler" | "branch";
  readonly at: number;
  readonly span: Span | null;
}

/** The handler where a path turned off, among statements. */
export function handlerAt(inside: readonly Statement[], turn: Turn): Handler | undefined {
  return inside.flatMap((statement) => (statement.kind === "try" ? statement.handlers : [])).find(({ span }) => span === turn.span);
}

/** One way that the execution can have come to a place: the bits that are set on it, and where it turned off. */
export interface State {
  readonly bits: bigint;
  readonly turn: Turn | null;
  /** The handler of an error on the way. */
  readonly handler: Turn | null;
}

/** How statements change the bits of a state; null: no path goes on. */
export interface Transfer {
  readonly call: (id: CallId, bits: bigint, state: State) => bigint | null;
  /** The same where the call ends in an error. */
  readonly failed: (id: CallId, bits: bigint) => bigint | null;
  readonly assign: (statement: Statement, bits: bigint) => bigint | null;
  /** One for each way in which the test can come out like that. */
  readonly test: (test: ValueId, outcome: boolean, bits: bigint) => readonly bigint[];
  /** Whether what a handler goes on with needs no further look. */
  readonly isSettled: (handler: Handler, tried: Body) => boolean;
  /** Whether an inner loop waits for events from outside: a round that comes by it goes as they come. */
  readonly isEvents: (loop: Loop) => boolean;
}

/** One way round the loop: where it goes back to the start. */
export interface Way {
  readonly state: State;
  /** The `continue`; null where the body simply ends. */
  readonly jump: number | null;
}

interface Left {
  readonly jump: Jump | null;
  readonly state: State;
}

const MOST_STATES = 12;
const MAX_DEPTH = 60;

/**
 * The ways round a loop, from the start of its body, told apart by bits. Where paths meet, a path that has all the bits
 * of another is left out: only what some path lacks matters. Past twelve paths their common bits are kept.
 */
export class Flow {
  private readonly facts: ModuleFacts;
  private readonly transfer: Transfer;
  private left: Left[] = [];
  /** States in which a call may have failed; null outside of any `try`. */
  private failures: State[] | null = null;

  constructor(facts: ModuleFacts, transfer: Transfer) {
    this.facts = facts;
    this.transfer = transfer;
  }

  waysRound(loop: Loop, entry: bigint): readonly Way[] {
    const start: State[] = [{ bits: entry, turn: null, handler: null }];
    const tested = loop.test === null || loop.form === "do" ? start : this.branch(start, loop.test, true, null);
    const ends = this.run(loop.body, tested, 0).map((state): Way => ({ state, jump: null }));
    const continued = this.left.filter(({ jump }) => jump?.to === "continue" && (jump.label === undefined || jump.label === loop.label));
    const ways = [...ends, ...continued.map(({ jump, state }): Way => ({ state, jump: jump!.at }))];
    const updated = loop.update.length === 0 ? ways : ways.flatMap((way) => this.run(loop.update, [way.state], 0).map((state) => ({ ...way, state })));
    if (loop.form !== "do" || loop.test === null) return updated;
    return updated.flatMap((way) => this.branch([way.state], loop.test!, true, null).map((state) => ({ ...way, state })));
  }

  /** The states after a body, and in `left` those that have left it. */
  run(body: Body, entry: readonly State[], depth: number): State[] {
    let states = [...entry];
    if (depth > MAX_DEPTH) return states;
    for (const statement of body) {
      if (states.length === 0) return states;
      states = merged(this.step(statement, states, depth));
    }
    return states;
  }

  private step(statement: Statement, states: State[], depth: number): State[] {
    switch (statement.kind) {
      case "call": {
        this.mayFail(changed(states, (bits) => this.transfer.failed(statement.call, bits)));
        return changed(states, (bits, state) => this.transfer.call(statement.call, bits, state));
      }
      case "assign":
      case "expression":
        return changed(states, (bits) => this.transfer.assign(statement, bits));
      case "test":
        return this.test(statement, states, depth);
      case "loop":
        return this.loop(statement, states, depth);
      case "try":
        return this.try(statement, states, depth);
      case "with":
      case "block":
        return this.block(statement, states, depth);
      case "jump":
      case "return":
        for (const state of states) this.left.push({ jump: statement.kind === "jump" ? statement : null, state });
        return [];
      default:
        return states;
    }
  }

  private mayFail(states: readonly State[]): void {
    if (this.failures !== null) this.failures = merged([...this.failures, ...states]);
  }

  /** A chain of `elif` is a test in the last place of each `else`: walked, not descended. */
  private test(first: Extract<Statement, { kind: "test" }>, entry: State[], depth: number): State[] {
    const after: State[] = [];
    let statement = first;
    let states = entry;
    for (;;) {
      const then = this.branch(states, statement.test, true, statement.then);
      after.push(...this.run(statement.then, then, depth + 1));
      states = this.branch(states, statement.test, false, statement.else);
      const last = statement.else.at(-1);
      if (last?.kind !== "test") break;
      states = this.run(statement.else.slice(0, -1), states, depth + 1);
      statement = last;
    }
    after.push(...this.run(statement.else, states, depth + 1));
    return after;
  }

  private branch(states: readonly State[], test: ValueId, outcome: boolean, body: Body | null): State[] {
    const first = body?.[0];
    return merged(states.flatMap((state) => {
      const turn: Turn | null = first === undefined ? state.turn : { kind: "branch", at: first.at, span: null };
      return this.transfer.test(test, outcome, state.bits).map((bits) => ({ ...state, bits, turn }));
    }));
  }

  /** An inner loop runs no time, or once: what has to be on every path is not in it, what may be is. */
  private loop(loop: Loop, entry: State[], depth: number): State[] {
    if (this.transfer.isEvents(loop)) return [];
    const before = this.run(loop.before, entry, depth + 1);
    const outer = this.left;
    this.left = [];
    const isTested = loop.test !== null && loop.form !== "do";
    const inside = this.run(loop.body, isTested ? this.branch(before, loop.test, true, null) : before, depth + 1);
    const left = this.left;
    this.left = outer;
    const isMine = ({ jump }: Left): boolean => jump !== null && jump.to !== "raise" && (jump.label === undefined || jump.label === loop.label);
    const broken = left.filter((each) => isMine(each) && each.jump!.to === "break").map(({ state }) => state);
    const again = [...inside, ...left.filter((each) => isMine(each) && each.jump!.to === "continue").map(({ state }) => state)];
    this.left.push(...left.filter((each) => !isMine(each)));
    const updated = this.run(loop.update, merged(again), depth + 1);
    const ends = loop.form === "each" ? [...before, ...updated] : this.endsOf(loop, before, updated);
    return merged([...this.run(loop.otherwise, merged(ends), depth + 1), ...broken]);
  }

  private endsOf(loop: Loop, before: State[], updated: State[]): State[] {
    if (loop.test === null) return [];
    const tested = loop.form === "do" ? updated : [...before, ...updated];
    return this.branch(tested, loop.test, false, null);
  }

  private try(statement: Try, entry: State[], depth: number): State[] {
    const outer = { left: this.left, failures: this.failures };
    const catches = statement.handlers.length > 0;
    this.left = [];
    this.failures = catches ? [] : outer.failures;
    const inside = this.run(statement.body, entry, depth + 1);
    const tried = this.left;
    const failed = this.failures ?? [];
    this.left = [];
    this.failures = outer.failures;
    const raised = catches ? tried.filter(({ jump }) => jump?.to === "raise" && mayCatch(this.facts, statement.handlers, jump.value)) : [];
    this.left.push(...tried.filter((each) => !raised.includes(each)));
    const caught = merged([...failed, ...raised.map(({ state }) => state)]);
    const after = this.run(statement.otherwise, inside, depth + 1);
    for (const handler of statement.handlers) {
      if (!this.transfer.isSettled(handler, statement.body)) after.push(...this.run(handler.body, turned(caught, handler), depth + 1));
    }
    if (catches && !catchesAll(this.facts, statement.handlers)) this.mayFail(caught);
    return this.finish(statement.finally, after, outer.left, depth);
  }

  /** `finally` runs on every way out, jumps too. */
  private finish(body: Body, after: State[], outer: Left[], depth: number): State[] {
    const leaving = this.left;
    this.left = outer;
    if (body.length === 0) {
      this.left.push(...leaving);
      return after;
    }
    for (const each of leaving) {
      for (const state of this.run(body, [each.state], depth + 1)) this.left.push({ jump: each.jump, state });
    }
    return this.run(body, merged(after), depth + 1);
  }

  private block(statement: Extract<Statement, { kind: "with" | "block" }>, entry: State[], depth: number): State[] {
    const label = statement.kind === "block" ? statement.label : undefined;
    const outer = this.left;
    this.left = [];
    const inside = this.run(statement.body, entry, depth + 1);
    const left = this.left;
    this.left = outer;
    const isMine = ({ jump }: Left): boolean => label !== undefined && jump?.to === "break" && jump.label === label;
    this.left.push(...left.filter((each) => !isMine(each)));
    return [...inside, ...left.filter(isMine).map(({ state }) => state)];
  }
}

function changed(states: readonly State[], change: (bits: bigint, state: State) => bigint | null): State[] {
  return states.flatMap((state) => {
    const bits = change(state.bits, state);
    return bits === null ? [] : bits === state.bits ? [state] : [{ ...state, bits }];
  });
}

function turned(states: readonly State[], handler: Handler): State[] {
  const turn: Turn = { kind: "handler", at: handler.body[0]?.at ?? -1, span: handler.span };
  return states.map((state) => ({ ...state, turn, handler: turn }));
}

/** Without those that have all the bits of another; past the limit, what all have in common. */
export function merged(states: readonly State[]): State[] {
  if (states.length < 2) return [...states];
  const kept: State[] = [];
  for (const state of states) {
    if (kept.some((each) => (each.bits & state.bits) === each.bits)) continue;
    for (let index = kept.length - 1; index >= 0; index--) {
      if ((kept[index]!.bits & state.bits) === state.bits) kept.splice(index, 1);
    }
    kept.push(state);
  }
  if (kept.length <= MOST_STATES) return kept;
  return [{ ...kept[0]!, bits: kept.reduce((bits, state) => bits & state.bits, kept[0]!.bits) }];
}

const EVERYTHING = new Set(["Exception", "BaseException"]);

/** Whether one of the handlers catches whatever comes. */
function catchesAll(facts: ModuleFacts, handlers: readonly Handler[]): boolean {
  return handlers.some((handler) => handler.types.length === 0 || handler.types.some((type) => EVERYTHING.has(nameOf(facts, type))));
}

/** Raised to end the program, and no `Exception`. */
const PROGRAM_ENDS = new Set(["SystemExit", "KeyboardInterrupt"]);

/** Whether an error raised by name can end up in one of the handlers. A class that another file derives may be any. */
function mayCatch(facts: ModuleFacts, handlers: readonly Handler[], raised: ValueId | null): boolean {
  const isEnd = raised !== null && raisedNames(facts, raised).some((name) => PROGRAM_ENDS.has(name));
  if (catchesAll(facts, isEnd ? handlers.filter(({ types }) => !types.some((type) => nameOf(facts, type) === "Exception")) : handlers)) return true;
  if (raised === null) return false;
  const names = handlers.flatMap((handler) => handler.types.flatMap((type) => namesOf(facts, type)));
  const thrown = raisedNames(facts, raised);
  return thrown.some((name) => names.includes(name));
}

function namesOf(facts: ModuleFacts, id: ValueId): string[] {
  const value = facts.values[id];
  return value?.kind === "list" ? value.items.map((item) => nameOf(facts, item)) : [nameOf(facts, id)];
}

function nameOf(facts: ModuleFacts, id: ValueId): string {
  const value = facts.values[id];
  return value?.kind === "name" ? value.name : value?.kind === "member" ? value.property ?? "" : "";
}

/** The raised class and those that the file derives it from. */
function raisedNames(facts: ModuleFacts, id: ValueId): string[] {
  const value = facts.values[id];
  let current = value?.kind === "call" ? facts.calls[value.call]!.callee : id;
  const names: string[] = [];
  for (let step = 0; step < 8; step++) {
    const name = nameOf(facts, current);
    names.push(name);
    const base = facts.classes.find((each) => each.name === name)?.bases[0];
    if (base === undefined || name === "") break;
    current = base;
  }
  return names;
}
