import { definitionsOf, referencesOf, valuesReturned } from "@agentgate/parsers";
import type { ClassId, Export, FunctionId, ModuleFacts, Reference, ValueId } from "@agentgate/parsers";
import type { Tree } from "../../rule.ts";
import { onceFor } from "../indexes.ts";

/** A module of the tree with what it says. */
export interface Module {
  readonly path: string;
  readonly facts: ModuleFacts;
}

/** Something that a module of the tree defines and that a name leads to. */
export interface End extends Module {
  readonly kind: "function" | "class" | "instance";
  readonly id: number;
  /** What a call of the function gives was asked for. */
  readonly made: boolean;
}

/** Where names lead in the end, and the modules of the tree and packages that they were taken from on the way. */
export interface Ends {
  readonly ends: readonly End[];
  /** Paths of modules of the tree, and names of packages. */
  readonly through: readonly string[];
}

interface Step extends Module {
  readonly target:
    | { readonly value: ValueId }
    | { readonly reference: Reference }
    | { readonly kind: "function" | "class" | "instance" | "table"; readonly id: number };
  /** Members that are still to be taken. */
  readonly names: readonly string[];
  /** What a call of it gives is meant, not the thing itself. */
  readonly made: boolean;
}

/** Re-exports, bases and results that are followed from one name. */
const MOST_STEPS = 200;
const CONSTRUCTION = new Set(["call", "apply", "bind"]);

/** Where an expression leads: through names, imports, re-exports, members, bases and results of calls. */
export function endsOfValue(tree: Tree, { path, facts }: Module, value: ValueId): Ends {
  return new Walk(tree).run({ path, facts, target: { value }, names: [], made: false });
}

/** The same for a reference that is written in a module. */
export function endsOfReference(tree: Tree, { path, facts }: Module, reference: Reference): Ends {
  return new Walk(tree).run({ path, facts, target: { reference }, names: [], made: false });
}

/** What tells steps apart. Written out: of millions of steps most of the time went into JSON. */
function keyOf({ path, target, names, made }: Step): string {
  const what = "value" in target ? `value ${target.value}` : "reference" in target ? keyOfReference(target.reference) : `${target.kind} ${target.id}`;
  return [path, what, made ? "made" : "", ...names].join("\0");
}

/** Equal for references that lead to the same. */
export function keyOfReference({ module, path, instance, computed }: Reference): string {
  return ["reference", module, String(path.length), ...path, instance === true ? "instance" : "", computed === true ? "computed" : ""].join("\0");
}

class Walk {
  private readonly tree: Tree;
  private readonly ends: End[] = [];
  private readonly through = new Set<string>();
  private readonly seen = new Set<string>();
  private pending: Step[] = [];

  constructor(tree: Tree) {
    this.tree = tree;
  }

  run(first: Step): Ends {
    this.pending = [first];
    for (let step = this.pending.pop(); step !== undefined && this.seen.size < MOST_STEPS; step = this.pending.pop()) {
      const key = keyOf(step);
      if (this.seen.has(key)) continue;
      this.seen.add(key);
      this.take(step);
    }
    return { ends: this.ends, through: [...this.through] };
  }

  private take(step: Step): void {
    const { target } = step;
    if ("value" in target) this.value(step, target.value);
    else if ("reference" in target) this.reference(step, target.reference);
    else this.definition(step, target.kind, target.id);
  }

  private value(step: Step, value: ValueId): void {
    for (const { kind, id } of definitionsOf(step.facts, value)) this.pending.push({ ...step, target: { kind, id } });
    for (const reference of referencesOf(step.facts, value)) this.pending.push({ ...step, target: { reference } });
  }

  private reference(step: Step, reference: Reference): void {
    if (reference.module === "builtins" || reference.module === "globalThis" || reference.computed === true) return;
    const names = [...reference.path, ...step.names];
    const answer = this.tree.resolve(step.path, reference.module);
    const made = step.made || reference.instance === true;
    this.submodule(step, reference.module, names, made);
    if (answer === "missing") return;
    if (answer === null || "alias" in answer) {
      this.through.add(answer === null ? reference.module : answer.alias);
      return;
    }
    const facts = this.tree.facts(answer.path);
    if (facts === null) return;
    this.through.add(answer.path);
    this.exported({ path: answer.path, facts, target: step.target, names, made });
  }

  /** What a module exports under the first of the names. */
  private exported(step: Step): void {
    const [name = "default", ...rest] = step.names;
    const index = exportsOf(step.facts);
    const exact = index.get(name);
    for (const entry of exact ?? []) this.entry(step, entry, rest);
    if (exact !== undefined) return;
    for (const entry of index.get("=") ?? []) this.entry(step, entry, name === "default" ? rest : step.names);
    for (const entry of index.get("*") ?? []) this.entry(step, entry, step.names);
    if (step.facts.language === "ecmascript") {
      // A default import of a CommonJS module is the module itself.
      if (name === "default" && rest.length > 0) this.exported({ ...step, names: rest });
      return;
    }
    for (const entry of step.facts.imports) {
      const isStar = entry.names.some((each) => each.imported === "*" && each.binding === -1);
      if (isStar) this.pending.push({ ...step, target: { reference: { module: entry.specifier, path: [] } } });
    }
  }

  private entry(step: Step, entry: Export, names: readonly string[]): void {
    const source = entry.import === undefined ? undefined : step.facts.imports[entry.import];
    if (source !== undefined) {
      const imported = entry.name === "*" || entry.imported === "*" ? [] : [entry.imported ?? entry.name];
      this.pending.push({ ...step, target: { reference: { module: source.specifier, path: imported } }, names });
    } else if (entry.value !== null) this.pending.push({ ...step, target: { value: entry.value }, names });
  }

  /** `from pkg import sub`, `import pkg.sub`: the first name may be a module below the package. */
  private submodule(step: Step, specifier: string, [name, ...rest]: readonly string[], made: boolean): void {
    if (step.facts.language !== "python" || name === undefined || rest.length === 0) return;
    const below = specifier.endsWith(".") ? specifier + name : `${specifier}.${name}`;
    const answer = this.tree.resolve(step.path, below);
    if (answer === null || answer === "missing" || !("path" in answer)) return;
    const [first, ...others] = rest;
    this.pending.push({ ...step, target: { reference: { module: below, path: [first!], ...(made ? { instance: true as const } : {}) } }, names: others });
  }

  private definition(step: Step, kind: End["kind"] | "table", id: number): void {
    if (kind === "table") this.entryOfTable(step, id);
    else if (kind === "function") this.ofFunction(step, id);
    else if (step.names.length > 0) this.member(step, id);
    else this.ends.push({ path: step.path, facts: step.facts, kind: step.made ? "instance" : kind, id, made: step.made });
  }

  private ofFunction(step: Step, id: FunctionId): void {
    const [name, ...rest] = step.names;
    if (name === undefined) this.ends.push({ path: step.path, facts: step.facts, kind: "function", id, made: step.made });
    if (name !== undefined && CONSTRUCTION.has(name)) this.pending.push({ ...step, names: rest });
    // What a call of the function gives.
    if (step.made || name !== undefined) {
      for (const value of valuesReturned(step.facts, id)) this.pending.push({ ...step, target: { value }, made: name !== undefined && step.made });
    }
  }

  private member(step: Step, id: ClassId): void {
    const [name, ...rest] = step.names;
    const own = membersOf(step.facts)[id]?.get(name!) ?? [];
    for (const method of own) this.pending.push({ ...step, target: { kind: "function", id: method }, names: rest, made: rest.length > 0 });
    const subject = step.facts.classes[id]!;
    const given = Object.hasOwn(subject.attributes, name!) ? subject.attributes[name!]! : [];
    for (const value of given) this.pending.push({ ...step, target: { value }, names: rest });
    for (const field of subject.fields) {
      if (field.name === name && field.value === null && field.annotation !== null) this.pending.push({ ...step, target: { value: field.annotation }, names: rest, made: true });
    }
    if (own.length > 0 || given.length > 0) return;
    for (const value of subject.bases) this.pending.push({ ...step, target: { value } });
  }

  private entryOfTable(step: Step, id: ValueId): void {
    const [name, ...rest] = step.names;
    const table = step.facts.values[id];
    if (name === undefined || table?.kind !== "table") return;
    for (const { key, value } of table.entries.slice(0, MOST_STEPS)) {
      const written = key === null ? undefined : step.facts.values[key];
      if (written?.kind === "string" && written.value === name) this.pending.push({ ...step, target: { value }, names: rest });
    }
  }
}

const exportsOf = onceFor((facts): ReadonlyMap<string, readonly Export[]> => {
  const index = new Map<string, Export[]>();
  for (const entry of facts.exports) {
    const list = index.get(entry.name);
    if (list === undefined) index.set(entry.name, [entry]);
    else list.push(entry);
  }
  return index;
});

/** Methods of each class by name. */
export const membersOf = onceFor((facts): readonly ReadonlyMap<string, readonly FunctionId[]>[] => {
  const members = facts.classes.map(() => new Map<string, FunctionId[]>());
  facts.functions.forEach((subject, id) => {
    const methods = members[subject.class];
    if (methods === undefined) return;
    const list = methods.get(subject.name);
    if (list === undefined) methods.set(subject.name, [id]);
    else list.push(id);
  });
  return members;
});
