import { ParserChild } from "./child.ts";
import type { BatchEnd, ChildOptions } from "./child.ts";
import type { ParseJob, ParseOutcome } from "./protocol.ts";
import { findWorker } from "./worker-file.ts";

export interface PoolOptions extends Omit<ChildOptions, "worker"> {
  readonly worker: URL | undefined;
  /** Children at most. */
  readonly jobs: number;
}

/** A batch is full at this many characters or texts: one message each would cost more than the small files do. */
const BATCH_CHARACTERS = 256 * 1024;
const BATCH_TEXTS = 64;
/** A second child is worth its start only from about this many characters. */
const CHARACTERS_PER_CHILD = 256 * 1024;

interface Task {
  readonly index: number;
  readonly job: ParseJob;
  /** True on the second attempt, alone in a batch. */
  readonly retried?: true;
}

/**
 * Reads texts in child processes. A text that kills its child, or takes too long, costs only itself: it fails, and the
 * others of its batch go to a fresh child. What a text gives does not depend on the number of children.
 */
export class ParserPool {
  readonly #options: ChildOptions;
  readonly #jobs: number;
  readonly #idle: ParserChild[] = [];

  constructor(options: PoolOptions) {
    const worker = options.worker ?? findWorker();
    if (worker === null) throw new Error("worker.js is missing beside the command: the installation is incomplete");
    this.#options = { worker, timeout: options.timeout, heapMegabytes: options.heapMegabytes };
    this.#jobs = Math.max(1, options.jobs);
  }

  /**
   * The outcome of each job, in the order of the jobs.
   * @throws Error where children cannot be started at all.
   */
  async parse(jobs: readonly ParseJob[], onDone: (count: number) => void): Promise<ParseOutcome[]> {
    const outcomes: ParseOutcome[] = [];
    const queue = batchesOf(jobs.map((job, index) => ({ index, job })));
    const total = jobs.reduce((sum, job) => sum + job.text.length, 0);
    const children = Math.min(this.#jobs, queue.length, Math.max(1, Math.ceil(total / CHARACTERS_PER_CHILD)));
    const settle = (task: Task, outcome: ParseOutcome): void => {
      outcomes[task.index] = outcome;
      onDone(1);
    };
    await Promise.all(Array.from({ length: children }, () => this.#work(queue, settle)));
    return outcomes;
  }

  close(): void {
    for (const child of this.#idle.splice(0)) child.kill();
  }

  async #work(queue: Task[][], settle: (task: Task, outcome: ParseOutcome) => void): Promise<void> {
    let failedStarts = 0;
    for (let batch = queue.shift(); batch !== undefined; batch = queue.shift()) {
      const child = this.#idle.pop() ?? new ParserChild(this.#options);
      const end = await child.run(batch.map((task) => task.job));
      end.done.forEach((outcome, index) => settle(batch[index]!, outcome));
      if (end.ended === "all" && child.alive) this.#idle.push(child);
      if (end.ended === "all") continue;
      child.kill();
      failedStarts = end.ended === "never-started" ? failedStarts + 1 : 0;
      if (failedStarts === 3) throw new Error("the processes that read source cannot be started");
      queue.unshift(...unfinished(batch, end, settle));
    }
  }
}

/** Settles the text that ended the child, and gives back what is to be read again. */
function unfinished(batch: readonly Task[], end: BatchEnd, settle: (task: Task, outcome: ParseOutcome) => void): Task[][] {
  if (end.ended === "never-started") return [[...batch]];
  const culprit = batch[end.done.length]!;
  const rest = batch.slice(end.done.length + 1);
  const again = rest.length > 0 ? [rest] : [];
  if (end.ended === "timed-out") settle(culprit, { kind: "failed", reason: "reading it timed out" });
  // Once more and alone: the memory of its predecessors may have been what killed the child.
  else if (culprit.retried === undefined) again.push([{ ...culprit, retried: true }]);
  else settle(culprit, { kind: "failed", reason: "reading it crashed the parser" });
  return again;
}

/** Large texts first, so that no child is left alone with one at the end. */
function batchesOf(tasks: readonly Task[]): Task[][] {
  const sorted = [...tasks].sort((left, right) => right.job.text.length - left.job.text.length || left.index - right.index);
  const batches: Task[][] = [];
  let characters = 0;
  for (const task of sorted) {
    const batch = batches.at(-1);
    if (batch === undefined || batch.length === BATCH_TEXTS || characters + task.job.text.length > BATCH_CHARACTERS) {
      batches.push([task]);
      characters = task.job.text.length;
    } else {
      batch.push(task);
      characters += task.job.text.length;
    }
  }
  return batches;
}
