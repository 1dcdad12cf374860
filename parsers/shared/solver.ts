import type { Shape } from "./shapes.ts";
import { NO_SHAPES } from "./shapes.ts";
import { unionOf } from "./union.ts";
import type { World } from "./shapes.ts";

/** Levels of expressions and names inside each other before the inner ones are answered first. A level is at most six frames. */
const MAX_DEPTH = 200;
/** Questions put off for being too deep. */
const MAX_PENDING = 2000;
/** Names on a cycle that are answered a second time, in one file. */
const MAX_REPEATED = 200_000;
const NONE = 1 << 30;

/** A question whose answer may need its own: what a name, an attribute or a function's result can be. */
export class Question {
  readonly key: string;
  readonly answer: () => readonly Shape[];
  result: readonly Shape[] | undefined;
  /** The depth at which it is being answered; 0: it is not. */
  active = 0;
  provisional: readonly Shape[] | undefined;
  /** The least depth of a question that `provisional` was cut at. */
  cutAt = 0;

  constructor(key: string, answer: () => readonly Shape[]) {
    this.key = key;
    this.answer = answer;
  }
}

/** Thrown where answering goes too deep; `ask` is what is to be answered first. */
class TooDeep extends Error {
  readonly ask: Ask;

  constructor(ask: Ask) {
    super("too deep");
    this.ask = ask;
  }
}

/** A question at the top. `giveUp` settles it where it is asked within itself at too great a depth. */
export interface Ask {
  readonly key: string;
  run(): void;
  giveUp(): void;
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
  cutAt = NONE;
  private depth = 0;
  private repeated = 0;
  private readonly world: World;
  private readonly onReset: () => void;
  private readonly active: Question[] = [];
  private readonly provisional: Question[] = [];

  /** `onReset` is called when everything being answered is given up to be begun again. */
  constructor(world: World, onReset: () => void) {
    this.world = world;
    this.onReset = onReset;
  }

  /** Answers from the top. */
  settle(ask: Ask): void {
    const first = this.attempt(ask);
    if (first === null) return;
    const pending = [ask, first];
    const keys = new Set([ask.key, first.key]);
    while (pending.length > 0) {
      const deeper = this.attempt(pending[pending.length - 1]!);
      if (deeper === null) {
        keys.delete(pending.pop()!.key);
      } else if (keys.has(deeper.key) || pending.length >= MAX_PENDING) {
        deeper.giveUp();
      } else {
        pending.push(deeper);
        keys.add(deeper.key);
      }
    }
  }

  /** Goes one level down; whoever calls it calls `leave` when done. */
  enter(kind: string, id: number, ask: (kind: string, id: number) => Ask): number {
    if (this.depth >= MAX_DEPTH) throw new TooDeep(ask(kind, id));
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
    if (question.active > 0) {
      this.cutAt = Math.min(this.cutAt, question.active);
      return NO_SHAPES;
    }
    if (question.provisional !== undefined) {
      this.cutAt = Math.min(this.cutAt, question.cutAt);
      return question.provisional;
    }
    if (this.depth >= MAX_DEPTH) throw new TooDeep(this.askAgain(question));
    return this.work(question);
  }

  private askAgain(question: Question): Ask {
    return {
      key: question.key,
      run: () => { this.answer(question); },
      giveUp: () => { question.result = NO_SHAPES; },
    };
  }

  private work(question: Question): readonly Shape[] {
    const mine = ++this.depth;
    const outer = this.cutAt;
    const mark = this.provisional.length;
    this.cutAt = NONE;
    question.active = mine;
    this.active.push(question);
    const result = question.answer();
    this.active.pop();
    question.active = 0;
    this.depth--;
    if (this.cutAt >= mine) {
      question.result = result;
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

  /**
   * Forgets what was concluded inside a cycle whose head is answered. Where a hostile file made too many cycles, their
   * members are settled with what the head can be, which is more than they can be, rather than less.
   */
  private release(mark: number, head: readonly Shape[]): void {
    const { provisional } = this;
    this.repeated += provisional.length - mark;
    while (provisional.length > mark) {
      const question = provisional.pop()!;
      if (this.repeated > MAX_REPEATED) question.result = unionOf(this.world, [question.provisional ?? NO_SHAPES, head]);
      question.provisional = undefined;
    }
  }

  private attempt(ask: Ask): Ask | null {
    try {
      ask.run();
      return null;
    } catch (error) {
      if (!(error instanceof TooDeep)) throw error;
      this.reset();
      return error.ask;
    }
  }

  private reset(): void {
    for (const question of this.active) question.active = 0;
    for (const question of this.provisional) question.provisional = undefined;
    this.active.length = 0;
    this.provisional.length = 0;
    this.depth = 0;
    this.cutAt = NONE;
    this.onReset();
  }
}
