import { parseEcmascript } from "@agentgate/parsers";
import type { ModuleFacts } from "@agentgate/parsers";
import type { SourceFile } from "../discovery/discover.ts";
import { decodeFacts, encodeFacts } from "../facts-code.ts";
import { isTimeLimit, withTimeLimit } from "../judging/time-limit.ts";
import type { TreePath } from "../paths.ts";
import type { ParseJob } from "../pool/protocol.ts";
import { TypeProjects } from "./projects.ts";

/** Files whose names a note lists. */
const MOST_NAMED = 5;
/** Milliseconds for the types of one file, the program's making among them: types are programs, and whoever wrote the tree wrote them. */
const LIMIT = 20_000;

/** A file that was read without types. */
export interface Untyped {
  readonly path: TreePath;
  readonly job: ParseJob;
  readonly facts: ModuleFacts;
}

/** Adds what TypeScript's checker knows of receivers to the facts of modules. */
export class Types {
  readonly #projects: TypeProjects;
  /** Encoded, since most are looked at once. */
  readonly #known = new Map<string, Uint8Array | null>();
  readonly #limit: number;
  /** Files whose types took too long. */
  readonly #late = new Set<TreePath>();

  private constructor(projects: TypeProjects, limit: number) {
    this.#projects = projects;
    this.#limit = limit;
  }

  /** Loads the compiler, which takes most of a second. `root` is absolute; `limit` in milliseconds, for each file. */
  static async open(root: string, limit = LIMIT): Promise<Types> {
    const { default: typescript } = await import("typescript");
    return new Types(new TypeProjects(typescript, root), limit);
  }

  /** What is known once all was judged: a sentence for each file whose types took too long. */
  get late(): string[] {
    return [...this.#late].sort().map((path) => `${path} was judged without types: working them out took more than ${this.#limit / 1000} seconds.`);
  }

  /** The facts with types, or as they are where there are none. `key` tells one text from another. */
  typed(key: string, { path, job, facts }: Untyped): ModuleFacts {
    const name = `${key} ${path}`;
    let known = this.#known.get(name);
    if (known === undefined) {
      const typed = this.#typed(path, job, facts);
      this.#known.set(name, (known = typed === null ? null : encodeFacts(typed)));
      if (typed !== null) return typed;
    }
    return known === null ? facts : decodeFacts(known);
  }

  /** What a person is to know: the files that no configuration has are judged without types. */
  notes(sources: readonly SourceFile[]): string[] {
    const outside = sources.filter(({ path, excludedBy, dialectPath }) => excludedBy === null && /\.[cm]?tsx?$/.test(dialectPath) && !this.#projects.covers(path)).map(({ path }) => path);
    if (outside.length === 0) return [];
    const more = outside.length > MOST_NAMED ? `, and ${outside.length - MOST_NAMED} more` : "";
    const [verb, pronoun] = outside.length === 1 ? ["file is", "it was"] : ["files are", "they were"];
    return [`${outside.length} TypeScript ${verb} in no tsconfig.json, and ${pronoun} judged without types: ${outside.slice(0, MOST_NAMED).join(", ")}${more}.`];
  }

  #typed(path: TreePath, { dialect, text, moduleKind }: ParseJob, facts: ModuleFacts): ModuleFacts | null {
    if (dialect === "python" || facts.problems.length > 0) return null;
    let typed: ModuleFacts | null = null;
    try {
      withTimeLimit(Infinity, () => {
        const typeOf = this.#projects.typesOf(path, text);
        if (typeOf !== null) typed = parseEcmascript(text, { dialect, typeOf, ...(moduleKind === undefined ? {} : { moduleKind }) });
      }, this.#limit);
      return typed;
    } catch (error) {
      // The compiler nests as deeply as the text does.
      if (!(error instanceof RangeError) && !isTimeLimit(error)) throw error;
      this.#projects.forget(path);
      if (isTimeLimit(error)) this.#late.add(path);
      return null;
    }
  }
}
