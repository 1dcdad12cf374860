import { definitionsOf, referencesOf } from "@agentgate/parsers";
import type { Export, ModuleFacts, Reference, ValueId } from "@agentgate/parsers";
import type { PlacedReference, RuleContext, Tree } from "../rule.ts";
import { bare } from "./expressions.ts";
import { onceFor } from "./indexes.ts";
import { isLoaderMade } from "./loaders.ts";

/** Where a specifier leads, seen from a module. */
export type Destination =
  | { readonly kind: "inside"; readonly path: string }
  /** A package or a built-in, aliases resolved. */
  | { readonly kind: "outside"; readonly module: string }
  /** A relative specifier that names nothing. */
  | { readonly kind: "missing" };

/** `Tree.resolve` with the answers of one judgement kept. */
export class Resolver {
  readonly tree: Tree;
  private readonly known = new Map<string, Destination>();

  constructor(context: Pick<RuleContext, "tree">) {
    this.tree = context.tree;
  }

  destination(from: string, module: string): Destination {
    // The runtime's own names lie outside any tree.
    if (module === "builtins" || module === "globalThis") return { kind: "outside", module };
    const key = `${from}\0${module}`;
    let found = this.known.get(key);
    if (found === undefined) {
      found = this.lookUp(from, module);
      this.known.set(key, found);
    }
    return found;
  }

  private lookUp(from: string, module: string): Destination {
    const answer = this.tree.resolve(from, module);
    if (answer === "missing") return { kind: "missing" };
    if (answer === null) return { kind: "outside", module };
    return "alias" in answer ? { kind: "outside", module: answer.alias } : { kind: "inside", path: answer.path };
  }
}

/** What a reference into the tree turns out to be, and the modules on the way. */
export interface Resolved {
  readonly reference: PlacedReference;
  readonly through: readonly string[];
}

const MAX_HOPS = 100;

/**
 * The APIs outside the tree that a reference stands for, export chains followed. Empty where it ends in the tree's
 * own code, or in an instance that another module constructs and so answers for.
 */
export function outsideReferences(resolver: Resolver, from: string, reference: Reference): Resolved[] {
  const found: Resolved[] = [];
  const seen = new Set<string>();
  const pending: Resolved[] = [{ reference: { ...reference, from }, through: [] }];
  while (pending.length > 0 && seen.size < 200) {
    const { reference: current, through } = pending.pop()!;
    const destination = resolver.destination(current.from, current.module);
    if (destination.kind === "missing") continue;
    if (destination.kind === "outside") {
      found.push({ reference: { ...current, module: destination.module }, through });
      continue;
    }
    const key = `${destination.path}\0${current.path.join("\0")}`;
    if (seen.has(key) || through.length >= MAX_HOPS) continue;
    seen.add(key);
    pending.push(...nextReferences(resolver, current, destination.path).map((next) => ({ reference: next, through: [...through, destination.path] })));
  }
  return found;
}

/** What `path` exports under the first name of a reference, as references placed in that module. */
function nextReferences(resolver: Resolver, current: PlacedReference, path: string): PlacedReference[] {
  const facts = resolver.tree.facts(path);
  if (facts === null) return [];
  const [name, ...rest] = current.path;
  if (name === undefined) return [];
  const entries = exportsNamed(facts, name);
  const continued = entries.flatMap((entry) => exported(facts, entry, name, rest, current.instance === true));
  // A star that leads to a module which has the name is no guess any more.
  const { through, ...named } = current;
  const first = through === undefined || (through === "star" && continued.length > 0) ? named : current;
  // What the module defines itself comes from nowhere else.
  const python = facts.language === "python" && entries.length === 0;
  const further = python ? [...pythonSubmodule(resolver, current, path), ...starImports(facts, current.path)] : [];
  return [...continued, ...further].map((next) => withHow({ ...next, from: next.from === "" ? path : next.from }, first));
}

/** Keeps how the first reference was reached; what lies between is plain naming. */
function withHow(next: PlacedReference, first: PlacedReference): PlacedReference {
  return {
    ...next,
    ...(first.through === undefined ? {} : { through: first.through }),
    ...(first.instance === true || next.instance === true ? { instance: true } : {}),
    ...(first.computed === true ? { computed: true } : {}),
  };
}

/** `import pkg.sub` and `from pkg import sub`: the name may be a module of its own. */
function pythonSubmodule(resolver: Resolver, current: PlacedReference, path: string): PlacedReference[] {
  const [name, ...rest] = current.path;
  const module = /(?:^|\.)$/.test(current.module) ? `${current.module}${name!}` : `${current.module}.${name!}`;
  const destination = resolver.destination(current.from, module);
  if (destination.kind !== "inside" || destination.path === path || rest.length === 0) return [];
  return [{ module, path: rest, from: current.from }];
}

/** A name that only `from x import *` can have brought. */
function starImports(facts: ModuleFacts, path: readonly string[]): PlacedReference[] {
  return facts.imports
    .filter((entry) => entry.typeChecking !== true && entry.names.some((name) => name.imported === "*" && name.binding === -1))
    .map((entry) => ({ module: entry.specifier, path, from: "", through: "star" as const }));
}

const exportsByName = onceFor((facts): ReadonlyMap<string, readonly Export[]> => {
  const index = new Map<string, Export[]>();
  for (const entry of facts.exports) {
    if (entry.typeOnly === true) continue;
    const list = index.get(entry.name);
    if (list === undefined) index.set(entry.name, [entry]);
    else list.push(entry);
  }
  return index;
});

/** The exports under a name; where there is none, those that pass everything on. */
function exportsNamed(facts: ModuleFacts, name: string): readonly Export[] {
  const index = exportsByName(facts);
  const exact = index.get(name);
  if (exact !== undefined) return exact;
  // `export =` and `module.exports =` answer to `default`, and with their members to any name.
  return [...(index.get("*") ?? []), ...(index.get("=") ?? [])];
}

function exported(facts: ModuleFacts, entry: Export, name: string, rest: readonly string[], isCalled: boolean): PlacedReference[] {
  const source = entry.import === undefined ? undefined : facts.imports[entry.import];
  if (source !== undefined) {
    const imported = entry.name === "*" ? name : entry.imported ?? name;
    return [{ module: source.specifier, path: imported === "*" ? rest : [imported, ...rest], from: "" }];
  }
  if (entry.value === null) return [];
  // What makes a loader gives one, whoever calls it.
  if (isInstance(facts, entry.value)) return rest.length > 0 || isCalled ? [] : referencesOf(facts, entry.value).filter((reference) => isLoaderMade(facts.language, reference)).map((reference) => ({ ...reference, from: "" }));
  const own = entry.name === "=" && name !== "default" ? [name, ...rest] : rest;
  const { value, path } = heldBy(facts, entry.value, own);
  return referencesOf(facts, value)
    .filter((reference) => reference.instance !== true && reference.through !== "annotation")
    .map((reference) => ({ ...reference, path: [...reference.path, ...path], from: "" }));
}

/** What a table that is exported holds under the members that are taken of it: `export const tools = { names }`. */
function heldBy(facts: ModuleFacts, value: ValueId, path: readonly string[]): { readonly value: ValueId; readonly path: readonly string[] } {
  const [name, ...rest] = path;
  const [only, ...others] = name === undefined ? [] : definitionsOf(facts, value);
  const table = only?.kind === "table" && others.length === 0 ? facts.values[only.id] : undefined;
  if (table?.kind !== "table") return { value, path };
  const entry = table.entries.findLast(({ key }) => {
    const text = key === null ? undefined : facts.values[key];
    return text?.kind === "string" && text.value === name;
  });
  return entry === undefined ? { value, path } : heldBy(facts, entry.value, rest);
}

/** Whether an exported value is something that the exporting module made by calling. */
function isInstance(facts: ModuleFacts, id: ValueId): boolean {
  let current = bare(facts, id);
  for (let step = 0; step < 16; step++) {
    const value = facts.values[current];
    if (value?.kind === "call") return true;
    if (value?.kind !== "name") return false;
    const values = facts.bindings[value.binding]?.values;
    if (values?.length !== 1) return false;
    current = bare(facts, values[0]!);
  }
  return false;
}
