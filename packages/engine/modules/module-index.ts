import type { ModuleFacts } from "@agentgate/parsers";
import { MOST_DEFINERS } from "@agentgate/rules";
import type { Tree } from "@agentgate/rules";
import type { Module } from "../judging/module.ts";
import type { TreePath } from "../paths.ts";
import { canTell } from "./telling-names.ts";
import type { Linker } from "./tree.ts";

/** What a tree answers about all of its modules. */
export type Searches = Pick<Tree, "definersOf" | "importersOf">;

/** Importers beyond which nothing is told about a module: no rule reads as many. */
export const MOST_IMPORTERS = 100;

/** The names of functions and methods that a module defines. */
export function definedNames(facts: ModuleFacts): ReadonlySet<string> {
  return new Set(facts.functions.slice(1).map(({ name }) => name));
}

/** Who defines and who imports what among modules that are all at hand: each is looked through once, when first asked. */
export class ModuleIndex implements Searches {
  readonly #judged: readonly Module[];
  readonly #linker: Linker;
  #definers: ReadonlyMap<string, readonly TreePath[]> | null = null;
  #importers: ReadonlyMap<TreePath, readonly TreePath[]> | null = null;

  constructor(modules: Iterable<Module>, linker: Linker) {
    this.#judged = [...modules].filter(({ judged }) => judged);
    this.#linker = linker;
  }

  definersOf(name: string): readonly TreePath[] | null {
    if (!canTell(name)) return null;
    this.#definers ??= listed(this.#judged, ({ facts }) => definedNames(facts), MOST_DEFINERS);
    return bounded(this.#definers.get(name) ?? [], MOST_DEFINERS);
  }

  importersOf(path: TreePath): readonly TreePath[] | null {
    this.#importers ??= listed(this.#judged, (module) => this.#linker.targets(module.path, module.specifiers.all), MOST_IMPORTERS);
    return bounded((this.#importers.get(path) ?? []).filter((importer) => importer !== path), MOST_IMPORTERS);
  }
}

/** The modules by each of their keys; one more than `most` of each says that there are too many. */
function listed(modules: readonly Module[], keysOf: (module: Module) => Iterable<string>, most: number): ReadonlyMap<string, readonly TreePath[]> {
  const paths = new Map<string, TreePath[]>();
  for (const module of modules) {
    for (const key of keysOf(module)) {
      const known = paths.get(key);
      if (known === undefined) paths.set(key, [module.path]);
      else if (known.length <= most + 1) known.push(module.path);
    }
  }
  return paths;
}

function bounded(paths: readonly TreePath[], most: number): readonly TreePath[] | null {
  return paths.length > most ? null : paths;
}
