import type { BindingId, Export, Import, ModuleFacts } from "@agentgate/parsers";
import type { Module } from "../../judging/module.ts";
import type { TreePath } from "../../paths.ts";
import type { ChangeSide } from "../side.ts";
import { fileOf, leadsTo } from "./paths.ts";

/** A name of a module, with the members that lead to it where the module passes on what holds it: `refunds`, `refund`. */
export interface Passed {
  readonly path: TreePath;
  readonly names: readonly string[];
}

/** Members from a module to the name of another one. */
const MOST_MEMBERS = 3;

interface Taken {
  readonly entry: Import;
  readonly index: number;
}

/** How the importers of a module may take from it what it has of another one. */
export async function passedOn(side: ChangeSide, module: Module, one: Passed): Promise<readonly Passed[]> {
  const { facts, path: from } = module;
  const taken = facts.imports.map((entry, index) => ({ entry, index })).filter(({ entry }) => leadsTo(side, from, entry.specifier, one.path));
  const ways = facts.language === "python" ? [...inPython(facts, taken, one), ...submodules(side, module, one)] : inEcmascript(facts, taken, one);
  // Python's star leaves out what begins with `_`.
  const isLeftOut = facts.language === "python" && one.names[0]!.startsWith("_");
  const isWhole = !isLeftOut && taken.some(({ entry }) => isStar(facts, entry)) && !await givesItself(side, module, one);
  return [...ways, ...isWhole ? [one.names] : []].filter(({ length }) => length <= MOST_MEMBERS).map((names) => ({ path: from, names }));
}

function isStar(facts: ModuleFacts, { form, names, function: at }: Import): boolean {
  if (!names.some(({ imported, binding }) => imported === "*" && binding === -1)) return false;
  return facts.language === "python" ? form === "from" && at === 0 : form === "reexport" && facts.exports.some(({ name, import: index }) => name === "*" && index !== undefined && facts.imports[index]!.names === names);
}

/** Whether a module has the name without the one that it takes everything of: its own, or one of another such module. */
async function givesItself(side: ChangeSide, { facts, path: from }: Module, { path, names: [name] }: Passed): Promise<boolean> {
  const has = (of: ModuleFacts): boolean => of.exports.some((each) => each.name === name);
  if (has(facts) || Object.hasOwn(facts.scopes[0]!.names, name!)) return true;
  const others = facts.imports.filter((entry) => isStar(facts, entry)).flatMap(({ specifier }) => fileOf(side, from, specifier) ?? []).filter((each) => each !== path);
  await side.load(others);
  return others.some((each) => side.module(each) !== null && has(side.module(each)!.facts));
}

function inPython(facts: ModuleFacts, taken: readonly Taken[], { names: [name, ...rest], names }: Passed): (readonly string[])[] {
  return taken.flatMap(({ entry }) => entry.names.filter(({ binding }) => isOfModule(facts, binding)).flatMap(({ imported, binding }) => {
    const own = facts.bindings[binding]!.name;
    if (imported === name) return [[own, ...rest]];
    // `import a.b` binds `a`.
    return imported === "*" && (own === entry.specifier || !entry.specifier.startsWith(`${own}.`)) ? [[own, ...names]] : [];
  }));
}

/** `from shop import refunds`: a module of a package. */
function submodules(side: ChangeSide, { facts, path: from }: Module, { path, names }: Passed): (readonly string[])[] {
  return facts.imports.filter(({ form }) => form === "from").flatMap((entry) => entry.names.flatMap(({ imported, binding }) => {
    if (imported === "*" || !isOfModule(facts, binding)) return [];
    const whole = entry.specifier.endsWith(".") ? entry.specifier + imported : `${entry.specifier}.${imported}`;
    return leadsTo(side, from, whole, path) ? [[facts.bindings[binding]!.name, ...names]] : [];
  }));
}

function inEcmascript(facts: ModuleFacts, taken: readonly Taken[], { names: [name, ...rest], names }: Passed): (readonly string[])[] {
  const bound = new Map<BindingId, readonly string[]>();
  for (const { entry } of taken) {
    for (const { imported, binding } of entry.names) {
      if (binding !== -1 && (imported === name || imported === "*")) bound.set(binding, imported === "*" ? names : rest);
    }
  }
  return facts.exports.flatMap((each) => {
    if (taken.some(({ index }) => index === each.import)) {
      if (each.name === "*") return [];
      return each.imported === "*" ? [[each.name, ...names]] : each.imported === name ? [[each.name, ...rest]] : [];
    }
    return bound.size === 0 ? [] : given(facts, each, bound);
  });
}

/** What an export was given: the name itself, or an object that has it. */
function given(facts: ModuleFacts, { name, value: id }: Export, bound: ReadonlyMap<BindingId, readonly string[]>): (readonly string[])[] {
  const membersOf = (of: number): readonly string[] | undefined => {
    const value = facts.values[of];
    return value?.kind === "name" ? bound.get(value.binding) : undefined;
  };
  if (id === null) return [];
  const own = membersOf(id);
  if (own !== undefined) return [[name, ...own]];
  const value = facts.values[id];
  const values = value?.kind === "name" ? facts.bindings[value.binding]?.values ?? [] : [id];
  const table = values.length === 1 ? facts.values[values[0]!] : undefined;
  return table?.kind !== "table" ? [] : table.entries.flatMap((entry) => {
    const [key, members] = [entry.key === null ? undefined : facts.values[entry.key], membersOf(entry.value)];
    return key?.kind === "string" && members !== undefined ? [[name, key.value, ...members]] : [];
  });
}

function isOfModule(facts: ModuleFacts, binding: number): boolean {
  const scope = facts.bindings[binding]?.scope;
  return scope !== undefined && facts.scopes[scope]!.kind === "module";
}
