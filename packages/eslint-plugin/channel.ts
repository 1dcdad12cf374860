import { MessageChannel, Worker, receiveMessageOnPort } from "node:worker_threads";
import type { MessagePort } from "node:worker_threads";

/** What a thread is started with. */
export interface ThreadData {
  readonly port: MessagePort;
  /** One counter of answers, which goes up with each, for `Atomics.wait`. */
  readonly answered: Int32Array;
}

export interface Message<T> {
  readonly ticket: number;
  readonly value: T;
}

/**
 * A thread that is asked now and heard later: questions are answered in their order while the asking thread goes on, and
 * it waits, without its event loop, only for what it takes before it is there.
 */
export class Channel<Question, Answer> {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #answered = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #answers = new Map<number, Answer>();
  #tickets = 0;
  #forgotten = 0;
  #isOver = false;

  /** `entry` is the URL of a module that calls `answerQuestions`. */
  constructor(entry: URL) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const data: ThreadData = { port: port2, answered: this.#answered };
    this.#worker = new Worker(entry, { workerData: data, transferList: [port2] });
    // Who lints is to end when it is done, and a thread that dies is found out by who waits for it.
    this.#worker.unref();
    this.#worker.on("error", () => undefined);
    this.#worker.on("exit", () => { this.#isOver = true; });
  }

  /** The thread is known to have ended: it answers nothing more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Asks, and gives the ticket by which the answer is taken. */
  ask(value: Question): number {
    const message: Message<Question> = { ticket: ++this.#tickets, value };
    this.#port.postMessage(message);
    return message.ticket;
  }

  /** Waits `limit` milliseconds at most for an answer and takes it, once. Null: it did not come, or was forgotten. */
  take(ticket: number, limit: number): Answer | null {
    while (ticket > this.#forgotten) {
      const seen = Atomics.load(this.#answered, 0);
      this.#receive();
      const answer = this.#answers.get(ticket);
      if (answer !== undefined) {
        this.#answers.delete(ticket);
        return answer;
      }
      if (Atomics.wait(this.#answered, 0, seen, limit) === "timed-out") return null;
    }
    return null;
  }

  isForgotten(ticket: number): boolean {
    return ticket <= this.#forgotten;
  }

  /** Forgets all that was asked so far and not taken. */
  forget(): void {
    this.#forgotten = this.#tickets;
    this.#answers.clear();
  }

  /** Ends the thread; what was asked is forgotten. */
  close(): void {
    this.forget();
    this.#isOver = true;
    this.#port.close();
    void this.#worker.terminate();
  }

  #receive(): void {
    for (let received = receiveMessageOnPort(this.#port); received !== undefined; received = receiveMessageOnPort(this.#port)) {
      const { ticket, value } = received.message as Message<Answer>;
      if (ticket > this.#forgotten) this.#answers.set(ticket, value);
    }
  }
}
