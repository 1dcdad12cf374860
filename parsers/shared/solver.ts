import type { World } from "./outside.ts";
import { NO_SHAPES } from "./shapes.ts";
import type { Shape } from "./shapes.ts";
import { unionOf } from "./union.ts";

/** Levels of expressions and names inside each other before the inner ones are answered first. A level is at most six frames. */
const MAX_DEPTH = 200;
/** Questions put off for being too deep. */
const MAX_PENDING = 2000;
/** Steps spent on cycles, in one file. */
const MAX_REPEATED = 500_000;
const NONE = 1 << 30;

/** A question whose answer may need its own. `kind`, `id` and `name` say what is asked. */
export class Question {
  readonly kind: "binding" | "result" | "attribute" | "entries" | "paired" | "entry";
  readonly id: number;
  readonly name: string;
  result: readonly Shape[] | undefined = undefined;
  /** The depth at which it is being answered; 0: it is not. */
  active = 0;
  /** What it is taken for until what is being answered is done: while it is itself active, a first answer. */
  provisional: readonly Shape[] | undefined = undefined;
  /** The least depth of a question that `provisional` was cut at. */
  cutAt = 0;

  constructor(kind: Question["kind"], id: number, name = "") {
    this.kind = kind;
    this.id = id;
    this.name = name;
  }
}

/** What is to be answered: a question, the shapes of a value, what a value folds to. */
export type Ask = Question | { readonly kind: "shapes" | "fold"; readonly id: number };

/** Thrown where answering goes too deep; `ask` is what is to be answered first. */
export class TooDeep extends Error {
  readonly ask: Ask;

  constructor(ask: Ask) {
    super("too deep");
    this.ask = ask;
  }
}

/** Who knows the answers. */
export interface Answerer {
  readonly world: World;
  answer(question: Question): readonly Shape[];
  run(ask: Ask): void;
  /** Settles what is asked within itself at too great a depth. */
  giveUp(ask: Ask): void;
  /** Everything being answered is given up, to be begun again. */
  reset(): void;
}

/**
 * Answers questions that depend on each other, with cycles cut and the stack bounded.
 *
 * A question met again while it is being answered counts as "nothing" there. What was concluded from such a cut holds
 * only until the question at the head of the cycle is answered (as components are found by Tarjan's algorithm); it is
 * then forgotten and answered anew when asked for. A question below the greatest depth is answered from the top first,
 * and the one that needed it is begun again, so that long chains cost twice their length and no stack.
 */
export class Solver {
  /** The least depth that something was cut at since it was last reset. */
  private cutAt = NONE;
  private depth = 0;
  private steps = 0;
  private repeated = 0;
  private isSecond = false;
  private readonly answerer: Answerer;
  private readonly active: Question[] = [];
  private readonly provisional: Question[] = [];

  constructor(answerer: Answerer) {
    this.answerer = answerer;
  }

  /** Answers from the top what turned out to need `deeper` first. */
  settle(ask: Ask, deeper: TooDeep): void {
    this.reset();
    const pending: Ask[] = [ask, deeper.ask];
    const keys = new Set([keyOf(ask), keyOf(deeper.ask)]);
    while (pending.length > 0) {
      const next = this.attempt(pending.at(-1)!);
      if (next === null) {
        keys.delete(keyOf(pending.pop()!));
      } else if (keys.has(keyOf(next)) || pending.length >= MAX_PENDING) {
        this.answerer.giveUp(next);
      } else {
        pending.push(next);
        keys.add(keyOf(next));
      }
    }
  }

  /** Goes one level down; whoever calls it calls `leave` with what it returns when done. */
  enter(kind: "shapes" | "fold", id: number): number {
    if (this.depth >= MAX_DEPTH) throw new TooDeep({ kind, id });
    this.steps++;
    this.depth++;
    const outer = this.cutAt;
    this.cutAt = NONE;
    return outer;
  }

  /** Comes back up; true where nothing was cut, so that the answer holds. */
  leave(outer: number): boolean {
    this.depth--;
    const holds = this.cutAt === NONE;
    if (outer < this.cutAt) this.cutAt = outer;
    return holds;
  }

  answer(question: Question): readonly Shape[] {
    if (question.result !== undefined) return question.result;
    this.steps++;
    if (question.active > 0) {
      this.cutAt = Math.min(this.cutAt, question.active);
      return question.provisional ?? NO_SHAPES;
    }
    if (question.provisional !== undefined) {
      this.cutAt = Math.min(this.cutAt, question.cutAt);
      return question.provisional;
    }
    if (this.depth >= MAX_DEPTH) throw new TooDeep(question);
    return this.work(question);
  }

  private work(question: Question): readonly Shape[] {
    const mine = ++this.depth;
    const outer = this.cutAt;
    const mark = this.provisional.length;
    const begun = this.steps;
    this.cutAt = NONE;
    question.active = mine;
    this.active.push(question);
    let result = this.answerer.answer(question);
    if (this.cutAt === mine && result.length > 0) result = this.again(question, mark, result);
    this.active.pop();
    question.active = 0;
    this.depth--;
    if (this.cutAt >= mine) {
      question.result = result;
      if (this.cutAt === mine) this.repeated += this.steps - begun;
      this.release(mark, result);
      this.cutAt = outer;
      return result;
    }
    question.provisional = result;
    question.cutAt = this.cutAt;
    this.provisional.push(question);
    this.cutAt = Math.min(outer, this.cutAt);
    return result;
  }

  /** Answers the head of a cycle with its first answer put in where it was cut: `x = fs`, `x = x.promises`. */
  private again(question: Question, mark: number, first: readonly Shape[]): readonly Shape[] {
    if (this.isSecond || this.repeated > MAX_REPEATED) return first;
    this.isSecond = true;
    this.release(mark, first);
    question.provisional = first;
    const result = this.answerer.answer(question);
    question.provisional = undefined;
    this.isSecond = false;
    return result;
  }

  /**
   * Forgets what was concluded inside a cycle whose head is answered. Where a hostile file made too many cycles, their
   * members are settled with what the head can be, which is more than they can be, rather than less.
   */
  private release(mark: number, head: readonly Shape[]): void {
    const { provisional } = this;
    while (provisional.length > mark) {
      const question = provisional.pop()!;
      if (this.repeated > MAX_REPEATED) question.result = unionOf(this.answerer.world, [question.provisional ?? NO_SHAPES, head]);
      question.provisional = undefined;
    }
  }

  private attempt(ask: Ask): Ask | null {
    try {
      this.answerer.run(ask);
      return null;
    } catch (error) {
      if (!(error instanceof TooDeep)) throw error;
      this.reset();
      return error.ask;
    }
  }

  private reset(): void {
    for (const question of this.active) {
      question.active = 0;
      question.provisional = undefined;
    }
    this.isSecond = false;
    for (const question of this.provisional) question.provisional = undefined;
    this.active.length = 0;
    this.provisional.length = 0;
    this.depth = 0;
    this.cutAt = NONE;
    this.answerer.reset();
  }
}

function keyOf(ask: Ask): string {
  return `${ask.kind} ${ask.id} ${ask instanceof Question ? ask.name : ""}`;
}
