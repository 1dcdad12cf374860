import { MOST_DEFINERS } from "@agentgate/rules";
import { MOST_IMPORTERS, definedNames } from "../modules/module-index.ts";
import type { Searches } from "../modules/module-index.ts";
import { canTell } from "../modules/telling-names.ts";
import { comparePaths } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import type { GrepEach, Importers } from "./importers.ts";
import type { ChangeSide } from "./side.ts";

/** Files that may define one name or import one module, beyond which they are not read to find out. */
const MOST_CANDIDATES = 200;

/** Names that are looked for on one side: a module that was written to be searched may hold any number. */
const MOST_NAMES = 4000;

/**
 * What one side answers about all of its modules. A question that was not asked before is noted and answered as if there
 * were none; `find` then reads what it takes, and whoever asked is done again.
 */
export class SideSearches implements Searches {
  readonly #side: ChangeSide;
  readonly #importers: Importers;
  readonly #find: GrepEach;
  readonly #definers = new Map<string, readonly TreePath[] | null>();
  readonly #importersOf = new Map<TreePath, readonly TreePath[] | null>();
  /** What the candidates define. */
  readonly #namesOf = new Map<TreePath, ReadonlySet<string>>();
  #names = new Set<string>();
  #paths = new Set<TreePath>();
  /** How often something was asked that had no answer yet. */
  questions = 0;

  constructor(side: ChangeSide, importers: Importers, find: GrepEach) {
    this.#side = side;
    this.#importers = importers;
    this.#find = find;
  }

  definersOf(name: string): readonly TreePath[] | null {
    if (!canTell(name)) return null;
    const known = this.#definers.get(name);
    if (known === undefined) this.#ask(this.#names, name);
    return known === undefined ? [] : known;
  }

  importersOf(path: TreePath): readonly TreePath[] | null {
    const known = this.#importersOf.get(path);
    if (known === undefined) this.#ask(this.#paths, path);
    return known === undefined ? [] : known;
  }

  #ask(open: Set<string>, what: string): void {
    this.questions++;
    open.add(what);
  }

  /** Answers what was asked. */
  async find(): Promise<void> {
    const [names, paths] = [[...this.#names], [...this.#paths]];
    this.#names = new Set();
    this.#paths = new Set();
    if (names.length > 0) await this.#findDefiners(names);
    if (paths.length > 0) await this.#findImporters(paths);
  }

  async #findDefiners(asked: readonly string[]): Promise<void> {
    const names = asked.slice(0, Math.max(0, MOST_NAMES - this.#definers.size));
    for (const name of asked.slice(names.length)) this.#definers.set(name, null);
    const found = await this.#find(names);
    const candidates = new Map(names.map((name) => [name, found === null ? null : this.#candidates(found.get(name) ?? [])]));
    await this.#side.load([...candidates.values()].flatMap((paths) => paths ?? []));
    const definers = new Map([...candidates].map(([name, paths]) => [name, paths?.filter((path) => this.#defined(path).has(name)) ?? null]));
    const judged = await this.#importers.judged([...definers.values()].flatMap((paths) => paths ?? []));
    for (const [name, paths] of definers) this.#definers.set(name, bounded(paths, judged, MOST_DEFINERS));
  }

  /** The sources among the files found, with those that the search passes over; null where they are too many to be read. */
  #candidates(found: readonly TreePath[]): readonly TreePath[] | null {
    const sources = found.filter((path) => this.#side.sources.has(path));
    return sources.length > MOST_CANDIDATES ? null : [...new Set([...sources, ...this.#side.unnamed])];
  }

  #defined(path: TreePath): ReadonlySet<string> {
    const known = this.#namesOf.get(path);
    if (known !== undefined) return known;
    const module = this.#side.module(path);
    const names = module === null ? NONE : definedNames(module.facts);
    this.#namesOf.set(path, names);
    return names;
  }

  async #findImporters(paths: readonly TreePath[]): Promise<void> {
    const found = await this.#importers.fewOf(paths, MOST_CANDIDATES);
    const judged = await this.#importers.judged([...found.values()].flatMap((importers) => importers ?? []));
    for (const [path, importers] of found) this.#importersOf.set(path, bounded(importers, judged, MOST_IMPORTERS));
  }
}

const NONE: ReadonlySet<string> = new Set();

function bounded(paths: readonly TreePath[] | null, judged: ReadonlySet<TreePath>, most: number): readonly TreePath[] | null {
  const kept = paths?.filter((path) => judged.has(path)).sort(comparePaths) ?? null;
  return kept === null || kept.length > most ? null : kept;
}
