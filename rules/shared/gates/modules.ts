import { functionsOf, referencesOf } from "@agentgate/parsers";
import type { FunctionId, ModuleFacts } from "@agentgate/parsers";
import type { RuleContext, Tree } from "../../rule.ts";
import { onceFor } from "../indexes.ts";
import { endsOfValue, membersOf } from "./ends.ts";
import type { Module } from "./ends.ts";
import type { Subject } from "./uses.ts";
import { keyOf } from "./verdicts.ts";
import type { Placed } from "./verdicts.ts";

/** Modules in which the callers of one function are looked for. */
const MOST_MODULES = 150;
const MOST_BASES = 24;

/** Where what a module exports may be called. */
export interface Loaders {
  readonly paths: readonly string[];
  /** There are more that were not looked for. */
  readonly isCut: boolean;
  /** Modules that pass it on and that too many load to be told. */
  readonly crowded: readonly string[];
}

/**
 * The modules that may call what a module exports: those that load it, and those that load what passes it on or derives
 * from its classes. Null where its own loaders are too many to be told.
 */
export function loadersOf(path: string, { tree }: Pick<RuleContext, "tree">): Loaders | null {
  const first = tree.importersOf(path);
  if (first === null) return null;
  const found = new Set<string>();
  const crowded: string[] = [];
  let isCut = false;
  const pending = [{ from: path, importers: first }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const importer of next.importers) {
      if (found.has(importer) || importer === path) continue;
      const facts = tree.facts(importer);
      if (facts === null) continue;
      isCut ||= found.size >= MOST_MODULES;
      if (isCut) break;
      found.add(importer);
      const importers = passesOn(tree, { path: importer, facts }, next.from) ? tree.importersOf(importer) : [];
      if (importers === null) crowded.push(importer);
      else pending.push({ from: importer, importers });
    }
  }
  return { paths: [...found], isCut, crowded };
}

/** Whether a module that passes another one on has a function of it, the class of a method, or the module itself to offer. */
export function offers(facts: ModuleFacts, subject: Subject): boolean {
  const { class: owner, name: own } = subject.facts.functions[subject.id]!;
  // What derives from its class may still call it, and hardly does so by way of a package.
  if (isHidden(own)) return false;
  const names = new Set(owner === -1 ? namesOf(subject) : [subject.facts.classes[owner]!.name]);
  const module = /(?:^|\/)([^/]+?)(?:\/__init__)?\.pyw?$/.exec(subject.path)?.[1];
  if (module !== undefined) names.add(module);
  return facts.exports.some(({ name, imported }) => name === "*" || name === "=" || names.has(imported ?? name))
    || facts.imports.some((entry) => entry.names.some((name) => name.imported === "*" && name.binding === -1));
}

/** `export … from`, the names that a package of Python or a star takes in, and classes that derive from one of the module. */
function passesOn(tree: Tree, { path, facts }: Module, from: string): boolean {
  const leads = (specifier: string): boolean => {
    const answer = tree.resolve(path, specifier);
    return answer !== null && answer !== "missing" && "path" in answer && answer.path === from;
  };
  const bases = new Set(facts.classes.flatMap((subject) => subject.bases).flatMap((base) => referencesOf(facts, base)).map((reference) => reference.module));
  if ([...bases].some(leads)) return true;
  if (facts.language === "python") {
    return path.endsWith("__init__.py") || facts.imports.some((entry) => entry.names.some((name) => name.imported === "*" && name.binding === -1) && leads(entry.specifier));
  }
  const sources = new Set(facts.exports.flatMap((entry) => (entry.import === undefined ? [] : [facts.imports[entry.import]!.specifier])));
  return [...sources].some(leads);
}

/** The names under which functions are exported. */
const exportNames = onceFor((facts): ReadonlyMap<FunctionId, readonly string[]> => {
  const index = new Map<FunctionId, string[]>();
  for (const { name, value } of facts.exports) {
    if (value === null) continue;
    for (const id of functionsOf(facts, value)) {
      const known = name === "=" ? "default" : name;
      const list = index.get(id);
      if (list === undefined) index.set(id, [known]);
      else list.push(known);
    }
  }
  return index;
});

/** `export default { save }`, `module.exports = { save }`: what is exported may hold anything. */
const exportsWhole = (facts: ModuleFacts): boolean => wholeExports(facts).has("default") || wholeExports(facts).has("=");
const wholeExports = onceFor((facts): ReadonlySet<string> => new Set(facts.exports.map((entry) => entry.name)));

/** Whether modules that load this one can call a function of it by name. */
export function isOffered({ facts, id }: Subject): boolean {
  const subject = facts.functions[id]!;
  // A method with an underscore may be called by the classes that derive from its own.
  if (subject.class !== -1) return !subject.name.startsWith("#") && isClassOffered(facts, subject.class);
  if (subject.parent !== 0) return false;
  if (facts.language === "python") return subject.name !== "" && !isHidden(subject.name);
  return exportNames(facts).has(id) || exportsWhole(facts);
}

function isClassOffered(facts: ModuleFacts, id: number): boolean {
  const subject = facts.classes[id]!;
  if (facts.language === "python") return !isHidden(subject.name);
  return facts.exports.length > 0;
}

function isHidden(name: string): boolean {
  return name.startsWith("#") || (name.startsWith("_") && !name.startsWith("__"));
}

/** The names by which other modules can know a function: its own, its class's, and those that it is exported under. */
export function namesOf({ facts, id }: Subject): readonly string[] {
  const subject = facts.functions[id]!;
  const names = new Set([subject.name]);
  const owner = facts.classes[subject.class];
  if (owner !== undefined && subject.name !== "" && /^(?:constructor|__init__|__new__|__post_init__)$/.test(subject.name)) names.add(owner.name);
  if (owner === undefined) {
    for (const name of exportNames(facts).get(id) ?? []) names.add(name);
  } else if (exportsWhole(facts)) names.add("default");
  names.delete("");
  return [...names];
}

/** The classes of the tree that a class derives from, the nearest first. */
export function basesOf(first: Module & Placed, tree: Tree): readonly Placed[] {
  const found: Placed[] = [];
  const pending: (Module & Placed)[] = [first];
  const seen = new Set<string>();
  for (let current = pending.shift(); current !== undefined && found.length < MOST_BASES; current = pending.shift()) {
    const key = keyOf(current);
    const subject = current.facts.classes[current.id];
    if (seen.has(key) || subject === undefined) continue;
    seen.add(key);
    if (seen.size > 1) found.push({ path: current.path, id: current.id });
    for (const base of subject.bases) {
      for (const end of endsOfValue(tree, current, base).ends) if (end.kind === "class") pending.push({ path: end.path, facts: end.facts, id: end.id });
    }
  }
  return found;
}

/** Whether a class of the tree that derives from a method's class has one of its own: a call may mean that one instead. */
export function isOverridden({ path, facts, id }: Subject, tree: Tree): boolean {
  const { name, class: owner, static: isStatic } = facts.functions[id]!;
  if (owner === -1 || isStatic === true || /^(?:constructor|__init__|#.*)$/.test(name)) return false;
  // Too many to tell.
  const definers = tree.definersOf(name);
  return definers === null || [path, ...definers].some((definer) => {
    const other = definer === path ? facts : tree.facts(definer);
    return other?.classes.some((_, each) => (membersOf(other)[each]?.has(name) ?? false) && basesOf({ path: definer, facts: other, id: each }, tree).some((base) => base.path === path && base.id === owner)) === true;
  });
}
