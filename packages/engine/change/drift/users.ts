import type { Call, ModuleFacts, Reference, Span } from "@agentgate/parsers";
import type { Module } from "../../judging/module.ts";
import type { TreePath } from "../../paths.ts";
import type { ChangeSide } from "../side.ts";

/** A place of another module that takes a name, or uses it. */
export interface User {
  readonly module: Module;
  readonly span: Span;
  /** Null: it is imported, or used as a value. */
  readonly call: Call | null;
  readonly imported: boolean;
}

/** A module that is known by so many others is the tree's own vocabulary: reading them all would take longer than the change is worth. */
export const MOST_IMPORTERS = 300;
/** Modules through which a name is passed on. */
const MOST_STEPS = 3;

/** The judged modules of a side that take a name of a module, directly or through modules that pass it on; null where there are too many to read. */
export async function usersOf(side: ChangeSide, path: TreePath, name: string): Promise<readonly User[] | null> {
  const users: User[] = [];
  const seen = new Set<string>();
  let pending = [{ path, name }];
  for (let step = 0; step <= MOST_STEPS && pending.length > 0; step++) {
    const next: typeof pending = [];
    for (const one of pending) {
      const key = `${one.path}\0${one.name}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const importers = await importersOf(side, one);
      if (importers === null) return null;
      for (const importer of importers) {
        const module = side.module(importer);
        if (module === null || importer === one.path || side.excludes(importer) !== null) continue;
        users.push(...usesIn(side, module, one.path, one.name));
        next.push(...passedOn(side, module, one.path, one.name).map((passed) => ({ path: importer, name: passed })));
      }
    }
    pending = next;
  }
  return users;
}

/**
 * The modules that may take a name of a module. Where its path is a word that half of the tree holds, those that hold the name: who
 * takes a name writes it, but for a default and for what passes on everything.
 */
async function importersOf(side: ChangeSide, { path, name }: { readonly path: TreePath; readonly name: string }): Promise<readonly TreePath[] | null> {
  const few = (await side.importers.fewOf([path], MOST_IMPORTERS)).get(path) ?? null;
  if (few !== null || name === "default") return few;
  const holding = await side.importers.holding([name]);
  if (holding.length > MOST_IMPORTERS) return null;
  await side.load(holding);
  return holding;
}

function usesIn(side: ChangeSide, module: Module, path: TreePath, name: string): User[] {
  const { facts } = module;
  const imports = facts.imports.flatMap((entry) => (entry.typeOnly === true || entry.typeChecking === true || entry.optional === true || !leadsTo(side, module.path, entry.specifier, path) ? [] : entry.names))
    .filter((taken) => taken.imported === name && taken.typeOnly !== true).map(({ span }): User => ({ module, span, call: null, imported: true }));
  const uses = facts.uses.filter(({ role }) => role === "call" || role === "value" || role === "base").flatMap(({ references, span, call }): User[] => {
    const reached = references.length === 1 ? reaches(side, module, references[0]!, path, name) : null;
    if (reached === null) return [];
    return [{ module, span, call: reached === "itself" && call !== undefined ? facts.calls[call]! : null, imported: false }];
  });
  return [...imports, ...uses];
}

/** The names under which a module gives a name of another one to its own importers. */
function passedOn(side: ChangeSide, { path: from, facts }: Module, path: TreePath, name: string): string[] {
  const taken = facts.imports.map((entry, index) => ({ entry, index })).filter(({ entry }) => leadsTo(side, from, entry.specifier, path));
  if (taken.length === 0) return [];
  if (facts.language === "python") {
    return taken.flatMap(({ entry }) => entry.names.filter(({ imported, binding }) => imported === name && isOfModule(facts, binding)).map(({ binding }) => facts.bindings[binding]!.name));
  }
  return facts.exports.flatMap((each) => {
    const own = taken.find(({ index }) => index === each.import);
    if (own !== undefined) return each.name === "*" ? [name] : each.imported === name ? [each.name] : [];
    const value = each.value === null ? undefined : facts.values[each.value];
    const binding = value?.kind === "name" ? value.binding : -1;
    return taken.some(({ entry }) => entry.names.some((one) => one.imported === name && one.binding === binding && binding !== -1)) ? [each.name] : [];
  });
}

function isOfModule(facts: ModuleFacts, binding: number): boolean {
  const scope = facts.bindings[binding]?.scope;
  return scope !== undefined && facts.scopes[scope]!.kind === "module";
}

/** Whether a reference leads to the name, or to a member of it: by what is written, of the module itself or in Python of a package that holds it. */
function reaches(side: ChangeSide, module: Module, { module: specifier, path: members, instance, through }: Reference, path: TreePath, name: string): "itself" | "member" | null {
  if (through !== undefined) return null;
  for (let depth = 0, from = specifier; depth < members.length; depth++) {
    if (members[depth] === name && leadsTo(side, module.path, from, path)) return depth === members.length - 1 && instance !== true ? "itself" : "member";
    if (module.facts.language !== "python") return null;
    from = from.endsWith(".") ? from + members[depth]! : `${from}.${members[depth]!}`;
  }
  return null;
}

function leadsTo(side: ChangeSide, from: TreePath, specifier: string, path: TreePath): boolean {
  return fileOf(side, from, specifier) === path;
}

/** The file of a side that a specifier names; null where that is none of its. */
export function fileOf(side: ChangeSide, from: TreePath, specifier: string): TreePath | null {
  const found = side.linker.resolve(from, specifier);
  return found !== null && found !== "missing" && "path" in found ? found.path : null;
}
