import type { ModuleFacts, Reference, Span, Use } from "@agentgate/parsers";
import { givenAround, givenBy, givenThrough } from "@agentgate/rules";
import type { Giving } from "@agentgate/rules";
import type { Module } from "../../judging/module.ts";
import type { TreePath } from "../../paths.ts";
import type { ChangeSide } from "../side.ts";
import { passedOn } from "./passed-on.ts";
import type { Passed } from "./passed-on.ts";
import { leadsTo } from "./paths.ts";

/** A place of another module that takes a name, or uses it. */
export interface User {
  readonly module: Module;
  readonly span: Span;
  /** What the name is called with. Null: it is imported, or used as a value. */
  readonly given: Giving | null;
  readonly imported: boolean;
}

/** A module that is known by so many others is the tree's own vocabulary: reading them all would take longer than the change is worth. */
export const MOST_IMPORTERS = 300;
/** Modules through which a name is passed on. */
const MOST_STEPS = 3;
/** Modules whose importers are looked for in one step because they hold a module that has the name. */
const MOST_HOLDERS = 50;

/** The judged modules of a side that take a name of a module, directly or through modules that pass it on; null where there are too many to read. */
export async function usersOf(side: ChangeSide, path: TreePath, name: string): Promise<readonly User[] | null> {
  const users: User[] = [];
  const seen = new Set<string>();
  let pending: readonly Passed[] = [{ path, names: [name] }];
  for (let step = 0; step <= MOST_STEPS && pending.length > 0; step++) {
    const next: Passed[] = [];
    for (const one of pending) {
      const key = [one.path, ...one.names].join("\0");
      if (seen.has(key)) continue;
      seen.add(key);
      const importers = await importersOf(side, one);
      if (importers === null && one.names.length === 1) return null;
      for (const importer of importers ?? []) {
        const module = side.module(importer);
        if (module === null || importer === one.path || side.excludes(importer) !== null) continue;
        users.push(...usesIn(side, module, one));
        next.push(...await passedOn(side, module, one));
      }
    }
    pending = [...next.filter(({ names }) => names.length === 1), ...next.filter(({ names }) => names.length > 1).slice(0, MOST_HOLDERS)];
  }
  return users;
}

/**
 * The modules that may take a name of a module. Where its path is a word that half of the tree holds, those that hold the name: who
 * takes a name writes it, but for a default and for what passes on everything.
 */
async function importersOf(side: ChangeSide, { path, names }: Passed): Promise<readonly TreePath[] | null> {
  const few = (await side.importers.fewOf([path], MOST_IMPORTERS)).get(path) ?? null;
  const name = names.at(-1)!;
  if (few !== null || name === "default") return few;
  const holding = await side.importers.holding([name]);
  if (holding.length > MOST_IMPORTERS) return null;
  await side.load(holding);
  return holding;
}

function usesIn(side: ChangeSide, module: Module, one: Passed): User[] {
  const { facts } = module;
  const [name, ...members] = one.names;
  const imports = members.length > 0 ? [] : facts.imports.flatMap((entry) => (entry.typeOnly === true || entry.typeChecking === true || entry.optional === true || !leadsTo(side, module.path, entry.specifier, one.path) ? [] : entry.names))
    .filter((taken) => taken.imported === name && taken.typeOnly !== true).map(({ span }): User => ({ module, span, given: null, imported: true }));
  const uses = facts.uses.filter(({ role }) => role === "call" || role === "value" || role === "base").flatMap((use): User[] => {
    const behind = use.references.length === 1 ? membersBehind(side, module, use.references[0]!, one) : null;
    return behind === null ? [] : [{ module, span: use.span, given: givenAt(facts, use, behind), imported: false }];
  });
  return [...imports, ...uses];
}

/** What a use of a name, or of a member of it, gives to it. */
function givenAt(facts: ModuleFacts, { role, call: id, value, statement }: Use, behind: readonly string[]): Giving | null {
  const call = id === undefined ? undefined : facts.calls[id];
  const [method] = behind;
  if (call !== undefined) return method === undefined ? givenBy(facts, call) : behind.length === 1 ? givenThrough(facts, method, call) : null;
  if (role !== "value" || method !== undefined) return null;
  const around = facts.calls.find((each) => each.statement === statement && each.arguments[0]?.value === value);
  return around === undefined ? null : givenAround(facts, value, around);
}

/** The members that a reference takes of the name; null where it leads elsewhere. In Python a package holds its modules. */
function membersBehind(side: ChangeSide, module: Module, { module: specifier, path: members, instance, through }: Reference, { path, names }: Passed): readonly string[] | null {
  // Only one module can have it that the file takes all of.
  if (through !== undefined && through !== "star") return null;
  for (let depth = 0, from = specifier; depth < members.length; depth++) {
    const isIt = names.every((name, index) => members[depth + index] === name);
    if (isIt && leadsTo(side, module.path, from, path)) return instance === true ? ["instance"] : members.slice(depth + names.length);
    if (module.facts.language !== "python" || through !== undefined) return null;
    from = from.endsWith(".") ? from + members[depth]! : `${from}.${members[depth]!}`;
  }
  return null;
}
