import { valuesReturned } from "@agentgate/parsers";
import type { ClassFacts, FunctionFacts, Import, ModuleFacts, ValueId } from "@agentgate/parsers";
import { statementOfImport } from "../indexes.ts";
import { specifiersLoadedBy } from "../loaded.ts";
import { Edges } from "./edges.ts";
import { Entities } from "./entities.ts";
import { keepsFunctions } from "./keepers.ts";
import { REACH_VERSION } from "./record.ts";
import type { Entity, ReachClass, ReachEdge, ReachFunction, ReachImport, ReachSummary } from "./record.ts";

export { REACH_VERSION } from "./record.ts";
export type * from "./record.ts";

/** Summarises what the functions of a module may run. Linear in the size of the facts; needs no catalogue. */
export function reachSummaryOf(facts: ModuleFacts): ReachSummary {
  const entities = new Entities(facts);
  const edges = new Edges(facts, entities);
  edges.collect();
  const imports = [...importsOf(facts), ...loadedOf(facts)];
  const names = namesWith(facts, entities, edges.byFunction);
  return { ...names, imports, aliases: aliasesOf(facts, entities), tables: entities.tables() };
}

/**
 * The same without what its functions run, what it imports and its aliases: enough to look up what names stand for, and a
 * fraction of the size.
 */
export function nameSummaryOf(facts: ModuleFacts): ReachSummary {
  const entities = new Entities(facts);
  return { ...namesWith(facts, entities, []), imports: [], aliases: [], tables: entities.tables() };
}

/** `tables` are to be asked for last: what was found until then is what they hold. */
function namesWith(facts: ModuleFacts, entities: Entities, edges: readonly (readonly ReachEdge[])[]): Omit<ReachSummary, "imports" | "aliases" | "tables"> {
  const functions = facts.functions.map((subject, id): ReachFunction => ({
    name: functionName(facts, subject), span: subject.nameSpan, edges: edges[id] ?? [],
    returns: id === 0 ? [] : [...valuesReturned(facts, id).flatMap((value) => handedBack(facts, value)).flatMap((value) => entities.of(value)), ...madeOfClass(facts, subject, id)],
    ...(subject.kind === "getter" ? { getter: true as const } : {}),
  }));
  const methods = methodsByClass(facts);
  const classes = facts.classes.map((subject, id) => classOf(facts, entities, subject, methods.get(id) ?? []));
  const exports = exportsOf(facts, entities);
  return { version: REACH_VERSION, language: facts.language, references: entities.references, functions, classes, exports, stars: starsOf(facts) };
}

function aliasesOf(facts: ModuleFacts, entities: Entities): ReachSummary["aliases"] {
  return facts.uses.filter((use) => use.role === "alias")
    .flatMap(({ references, span, statement }) => references.map((reference) => ({ reference: entities.reference(reference), span, statement })));
}

/** A value that is given back, with what it is made from where a call only hands that back: `cast(F, wrapped)`. */
function handedBack(facts: ModuleFacts, value: ValueId): readonly ValueId[] {
  const made = facts.values[value];
  const call = made?.kind === "call" ? facts.calls[made.call]! : undefined;
  return call === undefined || !keepsFunctions(facts, call) ? [value] : [value, ...call.arguments.map((argument) => argument.value)];
}

/** `return cls()` of a class method of Python: an instance of the class. */
function madeOfClass(facts: ModuleFacts, subject: FunctionFacts, id: number): readonly Entity[] {
  const [first] = subject.parameters;
  if (facts.language !== "python" || subject.class < 0 || first === undefined || subject.decorators.length === 0) return [];
  const isMade = valuesReturned(facts, id).some((value) => {
    const made = facts.values[value];
    const callee = made?.kind === "call" ? facts.values[facts.calls[made.call]!.callee] : undefined;
    return callee?.kind === "name" && callee.binding === first.binding;
  });
  return isMade ? [["instance", subject.class]] : [];
}

/** What a function is called for people: `Client.post`. One without a name is told by the one around it. */
export function functionName(facts: ModuleFacts, subject: FunctionFacts): string {
  let named = subject;
  for (let step = 0; named.name === "" && named.parent > 0 && step < 64; step++) named = facts.functions[named.parent]!;
  const { name, class: inside } = named;
  const around = facts.classes[inside]?.name ?? "";
  return around === "" || name === "" ? name : `${around}.${name}`;
}

function methodsByClass(facts: ModuleFacts): ReadonlyMap<number, readonly number[]> {
  const methods = new Map<number, number[]>();
  facts.functions.forEach(({ class: inside }, id) => {
    if (inside < 0) return;
    const list = methods.get(inside);
    if (list === undefined) methods.set(inside, [id]);
    else list.push(id);
  });
  return methods;
}

function classOf(facts: ModuleFacts, entities: Entities, subject: ClassFacts, methods: readonly number[]): ReachClass {
  const named = new Map<string, number[]>();
  const initializers: number[] = [];
  for (const id of methods) {
    const { name, kind } = facts.functions[id]!;
    if (kind === "initializer") initializers.push(id);
    else if (named.get(name)?.push(id) === undefined) named.set(name, [id]);
  }
  const attributes = Object.entries(subject.attributes).flatMap(([name, values]): (readonly [string, Entity[]])[] => {
    const found = values.flatMap((value) => entities.of(value));
    return found.length === 0 ? [] : [[name, found]];
  });
  const annotated = subject.fields.flatMap(({ name, value, annotation }): (readonly [string, Entity[]])[] => {
    const found = value === null && annotation !== null && !Object.hasOwn(subject.attributes, name) ? instancesNamed(entities, annotation) : [];
    return found.length === 0 ? [] : [[name, found]];
  });
  return { name: subject.name, bases: subject.bases.flatMap((base) => entities.of(base)), methods: [...named], attributes: [...attributes, ...annotated], initializers };
}

/** What an annotation names, as an instance of it. */
function instancesNamed(entities: Entities, annotation: number): Entity[] {
  return entities.of(annotation).map(([kind, id]): Entity => (kind === "class" ? ["instance", id] : [kind, id]));
}

function exportsOf(facts: ModuleFacts, entities: Entities): ReachSummary["exports"] {
  const exports = new Map<string, Entity[]>();
  for (const entry of facts.exports) {
    if (entry.typeOnly === true || entry.name === "*") continue;
    const list = exports.get(entry.name) ?? [];
    exports.set(entry.name, list);
    const source = entry.import === undefined ? undefined : facts.imports[entry.import];
    if (source !== undefined) {
      const imported = entry.imported ?? entry.name;
      list.push(["reference", entities.reference({ module: source.specifier, path: imported === "*" ? [] : [imported] })]);
    } else if (entry.value !== null) list.push(...entities.of(entry.value));
  }
  return [...exports];
}

/** `from x import *`, `export * from "x"`. */
function starsOf(facts: ModuleFacts): string[] {
  const stars = new Set<string>();
  for (const entry of facts.imports) {
    if (entry.typeOnly === true || entry.typeChecking === true) continue;
    if (facts.language === "python" && entry.names.some((name) => name.imported === "*" && name.binding === -1)) stars.add(entry.specifier);
  }
  for (const entry of facts.exports) {
    const source = entry.name === "*" && entry.import !== undefined ? facts.imports[entry.import] : undefined;
    if (source !== undefined && entry.typeOnly !== true) stars.add(source.specifier);
  }
  return [...stars];
}

function importsOf(facts: ModuleFacts): ReachImport[] {
  return facts.imports.flatMap((entry): ReachImport[] => {
    const names = entry.names.filter((name) => name.typeOnly !== true);
    const isType = entry.typeOnly === true || entry.typeChecking === true || (entry.names.length > 0 && names.length === 0);
    if (isType) return [];
    return [{
      specifier: entry.specifier, names: names.map(({ imported, span }) => ({ name: imported, span })), span: entry.specifierSpan,
      statement: statementOfImport(facts, entry), function: entry.function,
      ...(isBare(facts, entry) ? { bare: true as const } : {}),
    }];
  });
}

/** `import "x"`. What is left of an import of types (`import {} from "x"`) is longer before its specifier. */
function isBare({ language }: ModuleFacts, { form, names, span, specifierSpan }: Import): boolean {
  return language === "ecmascript" && form === "import" && names.every((name) => name.binding === -1) && specifierSpan[0] - span[0] < "import{}from".length;
}

/** `import("./page")`, `import_module("app.page")`. */
function loadedOf(facts: ModuleFacts): ReachImport[] {
  return specifiersLoadedBy(facts).map(({ call, specifier }) => ({
    specifier, names: [], span: call.nameSpan, statement: call.statement, function: call.function,
  }));
}
