import type { Reference, Span } from "@agentgate/parsers";
import { receiverTypes } from "./receiver.ts";
import type { Program } from "./receiver.ts";
import { reasonFor, stopOf, within } from "./within.ts";

export { compilerPath } from "./receiver.ts";
export type { Program } from "./receiver.ts";

/** Milliseconds for the types of one file: somebody waits in an editor. */
const LIMIT = 5000;

/** Programs whose checker was stopped half-way, with the reason: nobody knows what it would say now. */
const stopped = new WeakMap<Program, string>();

/** As `receiverTypes`, of a linter's program, which nobody here can make anew: nothing more is asked once it took too long. */
export class LintedTypes {
  readonly #program: Program;
  readonly #file: string;
  readonly #text: string;
  readonly #limit: number;
  #left: number;
  #ask: ReturnType<typeof receiverTypes> | null = null;
  /** Why something is not known; the end of a sentence. */
  failure: string | null;

  constructor(program: Program, { file, text }: { readonly file: string; readonly text: string }, limit = LIMIT) {
    this.#program = program;
    this.#file = file;
    this.#text = text;
    this.#limit = this.#left = limit;
    this.failure = stopped.get(program) ?? null;
  }

  /** As `TypeOf` of the parsers. */
  readonly typeOf = (span: Span): Reference | null | undefined => {
    if (this.failure !== null) return undefined;
    const started = performance.now();
    try {
      return within(this.#left, () => (this.#ask ??= receiverTypes(this.#program, this.#file))(span));
    } catch (error) {
      this.failure = reasonFor(stopOf(error), this.#text.slice(...span), this.#limit);
      stopped.set(this.#program, `${this.failure} in ${this.#file.split("/").at(-1)!}, and no other file is asked about until it is linted anew`);
      return undefined;
    } finally {
      this.#left -= performance.now() - started;
    }
  };
}
