import { parseEcmascript } from "@agentgate/parsers";
import type { ModuleFacts } from "@agentgate/parsers";
import type { SourceFile } from "../discovery/discover.ts";
import { encodeFacts } from "../facts-code.ts";
import { FactsStore } from "../judging/facts-store.ts";
import type { TreePath } from "../paths.ts";
import type { ParseJob } from "../pool/protocol.ts";
import type { Overlay } from "./laid.ts";
import { LimitedTypes } from "./limited.ts";
import { TypeProjects } from "./projects.ts";

/** Files whose names a note lists. */
const MOST_NAMED = 5;
const TYPESCRIPT = /\.[cm]?tsx?$/;
const KNOWN = /\.[cm]?[jt]sx?$/;
/** Milliseconds for the types of one file. */
const LIMIT = 20_000;

/** A file that was read without types. */
export interface Untyped {
  readonly path: TreePath;
  readonly job: ParseJob;
  /** Asked for only where there are no types yet. */
  readonly facts: ModuleFacts;
}

/** Adds what TypeScript's checker knows of receivers to the facts of modules. */
export class Types {
  readonly #projects: TypeProjects;
  readonly #store = new FactsStore();
  /** Texts that were asked about, whether they have types or not. */
  readonly #tried = new Set<string>();
  readonly #limit: number;
  /** Why a text has not all of its types. */
  readonly #failures = new Map<string, string>();

  private constructor(projects: TypeProjects, limit: number) {
    this.#projects = projects;
    this.#limit = limit;
  }

  /** Loads the compiler, which takes most of a second. `root` is absolute; `limit` in milliseconds. */
  static async open(root: string, { limit = LIMIT, overlay = null }: { readonly limit?: number; readonly overlay?: Overlay | null } = {}): Promise<Types> {
    const { default: typescript } = await import("typescript");
    return new Types(new TypeProjects(typescript, root, overlay), limit);
  }

  /** Why types of a text that a configuration has are lacking, as the end of a sentence; null where none are. */
  failure(key: string, untyped: Untyped): string | null {
    this.typed(key, untyped);
    return this.#failures.get(nameOf(key, untyped)) ?? null;
  }

  /** The facts with types, or as they are where there are none. `key` tells one text from another. */
  typed(key: string, untyped: Untyped): ModuleFacts {
    const name = nameOf(key, untyped);
    if (!this.#tried.has(name)) {
      this.#tried.add(name);
      const typed = this.#typed(name, untyped);
      if (typed !== null) this.#store.addBytes(name, encodeFacts(typed));
    }
    return this.#store.get(name) ?? untyped.facts;
  }

  /** What a person is to know: the files that no configuration has are judged without types. */
  notes(sources: readonly SourceFile[]): string[] {
    const outside = sources.filter(({ path, excludedBy, dialectPath }) => excludedBy === null && KNOWN.test(dialectPath) && !this.#projects.covers(path));
    return [
      ...noteOf("TypeScript", "no tsconfig.json", outside.filter(({ dialectPath }) => TYPESCRIPT.test(dialectPath))),
      ...noteOf("JavaScript", "no tsconfig.json with allowJs", outside.filter(({ dialectPath }) => !TYPESCRIPT.test(dialectPath))),
    ];
  }

  #typed(name: string, { path, job, facts }: Untyped): ModuleFacts | null {
    const { dialect, text, moduleKind } = job;
    if (dialect === "python" || facts.problems.length > 0) return null;
    const limited = new LimitedTypes(this.#projects, { path, text }, this.#limit);
    const { isOpen, typeOf } = limited;
    const typed = isOpen ? parseEcmascript(text, { dialect, typeOf, ...(moduleKind === undefined ? {} : { moduleKind }) }) : null;
    if (limited.failure !== null) this.#failures.set(name, limited.failure);
    return typed;
  }
}

function nameOf(key: string, { path }: Untyped): string {
  return `${key} ${path}`;
}

function noteOf(language: string, where: string, outside: readonly SourceFile[]): string[] {
  if (outside.length === 0) return [];
  const more = outside.length > MOST_NAMED ? `, and ${outside.length - MOST_NAMED} more` : "";
  const [verb, pronoun] = outside.length === 1 ? ["file is", "it was"] : ["files are", "they were"];
  return [`${outside.length} ${language} ${verb} in ${where}, and ${pronoun} judged without types: ${outside.slice(0, MOST_NAMED).map(({ path }) => path).join(", ")}${more}.`];
}
