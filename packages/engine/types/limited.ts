import type { Reference, Span } from "@agentgate/parsers";
import type { TreePath } from "../paths.ts";
import type { Losses, TypeProjects } from "./projects.ts";
import { reasonFor, seconds, stopOf, within } from "./within.ts";

/** Files of a project that take too long until no other one of it is tried. */
const MOST_LATE = 2;
/** As many limits of a file are lost on a project in all. */
const MOST_LIMITS = 3;

type TypeOf = (span: Span) => Reference | null | undefined;

/**
 * Asks a checker about one file, for as long as `limit` says: types are programs, and whoever wrote the tree wrote them.
 * One expression may take half of it, and is left out where it takes more: the others are asked about all the same.
 */
export class LimitedTypes {
  readonly #projects: TypeProjects;
  readonly #path: TreePath;
  readonly #text: string;
  readonly #limit: number;
  readonly #losses: Losses | null;
  #left: number;
  #ask: TypeOf | null = null;
  /** Why something is not known; the end of a sentence. */
  failure: string | null = null;

  constructor(projects: TypeProjects, { path, text }: { readonly path: TreePath; readonly text: string }, limit: number) {
    this.#projects = projects;
    this.#path = path;
    this.#text = text;
    this.#limit = this.#left = limit;
    this.#losses = projects.lossesOf(path);
    if (this.#losses !== null) this.#open(this.#losses);
  }

  /** Whether anything can be asked: a configuration has the file, and was not given up. */
  get isOpen(): boolean {
    return this.#ask !== null;
  }

  /** As `TypeOf` of the parsers. */
  readonly typeOf: TypeOf = (span) => {
    const ask = this.#ask;
    if (ask === null) return undefined;
    const allowed = Math.min(this.#left, this.#limit / 2);
    const started = performance.now();
    try {
      return within(allowed, () => ask(span));
    } catch (error) {
      this.#lose(error, span, performance.now() - started);
      return undefined;
    } finally {
      this.#left -= performance.now() - started;
      if (this.#ask !== null && this.#left <= 0) this.#end(`working out its types took more than ${seconds(this.#limit)}`);
    }
  };

  /** Makes the project's program, which takes long where there are many files. */
  #open(losses: Losses): void {
    this.failure = losses.givenUp;
    if (losses.givenUp !== null) return;
    const limit = MOST_LIMITS * this.#limit;
    try {
      this.#ask = within(limit, () => this.#projects.typesOf(this.#path, this.#text));
      if (this.#projects.isTooDeep(this.#path)) this.failure = "it nests too deep for TypeScript's compiler, so that nothing in it has types";
    } catch (error) {
      const stop = stopOf(error);
      this.#projects.forget(this.#path);
      this.failure = losses.givenUp = stop === "late" ? `reading its project for types took more than ${seconds(limit)}` : "a file of its project nests too deep for TypeScript's compiler, so that nothing there has types";
    }
  }

  /** A checker that was stopped half-way is in no known state: another one is asked the rest. */
  #lose(error: unknown, [start, end]: Span, took: number): void {
    const stop = stopOf(error);
    this.failure ??= reasonFor(stop, this.#text.slice(start, end), this.#limit / 2);
    if (stop === "late") this.#count(took);
    this.#ask = null;
    if (this.#losses?.givenUp != null) return;
    try {
      this.#ask = within(MOST_LIMITS * this.#limit, () => this.#projects.typesAnew(this.#path, this.#text));
    } catch (again) {
      stopOf(again);
      this.#count(0);
      this.#projects.forget(this.#path);
    }
  }

  #end(reason: string): void {
    this.failure = reason;
    this.#ask = null;
    this.#count(0);
  }

  #count(milliseconds: number): void {
    const losses = this.#losses!;
    losses.files.add(this.#path);
    losses.milliseconds += milliseconds;
    if (losses.files.size < MOST_LATE && losses.milliseconds < MOST_LIMITS * this.#limit) return;
    losses.givenUp ??= `working out the types of ${[...losses.files].join(" and ")} took too long, so no other file of the project was given any`;
  }
}
