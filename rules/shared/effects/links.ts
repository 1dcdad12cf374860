import { definitionsOf, referencesOf } from "@agentgate/parsers";
import type { Call, CallId, FunctionId, ModuleFacts, Span, ValueId } from "@agentgate/parsers";
import { bare } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { ENTERING, decoratorFactories, insideOf, isSuper, parameterOf } from "../reach/edges.ts";
import { mayBeFunction } from "../reach/apis.ts";
import type { End } from "../reach/ends.ts";
import { enclosingFunctions, runFunction } from "../reach/places.ts";
import type { Entity } from "../reach/record.ts";
import { functionName } from "../reach/summary.ts";
import { statementsIn } from "../statements.ts";
import type { CallGraph } from "./graph.ts";
import { COMMON } from "./vocabulary.ts";
import { runsFunctions } from "./values.ts";

/** A function of the tree that runs, and the call or place by which it does. */
export interface Link {
  readonly path: string;
  readonly function: FunctionId;
  /** `Client.post`. */
  readonly name: string;
  /** -1 where no call of its own does it: a decorator, a getter, a `with`. */
  readonly call: CallId;
  readonly span: Span;
}

/** Targets of one call; a table of handlers may have thousands. */
const MOST_TARGETS = 2000;
/** What a decorator makes may be made by what it makes. */
const MOST_LAYERS = 4;

const factoriesOf = onceFor(decoratorFactories);

const callsByFunction = onceFor((facts): ReadonlyMap<FunctionId, readonly CallId[]> => {
  const index = new Map<FunctionId, CallId[]>();
  facts.calls.forEach((call, id) => {
    const from = runFunction(facts, call.function);
    const list = index.get(from);
    if (list === undefined) index.set(from, [id]);
    else list.push(id);
  });
  return index;
});

/** The calls that run when a function does. */
export function callsIn(facts: ModuleFacts, id: FunctionId): readonly CallId[] {
  return callsByFunction(facts).get(id) ?? [];
}

/** Everything that a function runs: by its calls, its decorators, getters that it reads and what it enters. */
export function linksOf(graph: CallGraph, path: string, facts: ModuleFacts, id: FunctionId): readonly Link[] {
  const links = callsIn(facts, id).flatMap((call) => linksOfCall(graph, path, facts, call, false));
  const decorated = (facts.functions[id]?.decorators ?? []).flatMap((decorator) => linksOfDecorator(graph, path, facts, decorator));
  return distinct([...links, ...decorated, ...entered(graph, path, facts, id), ...(gettersRead(facts).get(id) ?? []).flatMap(({ object, name, span }) =>
    new Targets(graph, path, facts, -1, span).members(object, name))]);
}

/** What a decorator makes of the function that it stands at. */
export function linksOfDecorator(graph: CallGraph, path: string, facts: ModuleFacts, decorator: ValueId): readonly Link[] {
  return new Targets(graph, path, facts, -1, facts.values[decorator]!.span).decorated(decorator);
}

/** What a call runs. `asked`: a callee that callers hand in counts as what they do hand in. */
export function linksOfCall(graph: CallGraph, path: string, facts: ModuleFacts, id: CallId, asked: boolean): readonly Link[] {
  const call = facts.calls[id]!;
  if (call.decorator === true) return [];
  const targets = new Targets(graph, path, facts, id, call.nameSpan);
  const links = [...targets.called(call, asked), ...(factoriesOf(facts).has(id) ? [] : targets.given(call))];
  // What is only declared is done by whoever overrides it.
  const done = links.filter((link) => !graph.isAbstract(link.path, ["function", link.function]));
  return done.length > 0 ? distinct(done) : targets.onlyMethod(call, links.length > 0);
}

function distinct(links: readonly Link[]): readonly Link[] {
  if (links.length < 2) return links;
  const seen = new Set<string>();
  return links.filter((link) => {
    const key = `${link.call}:${link.function}:${link.path}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  }).slice(0, 4 * MOST_TARGETS);
}

/** `with Client() as client`: its own way in and out run. */
function entered(graph: CallGraph, path: string, facts: ModuleFacts, id: FunctionId): readonly Link[] {
  return statementsIn(facts.functions[id]?.body ?? []).flatMap((statement): readonly Link[] => {
    if (statement.kind !== "with") return [];
    return statement.items.flatMap((item) => {
      const targets = new Targets(graph, path, facts, -1, facts.values[item]!.span);
      return ENTERING.flatMap((member) => targets.members(item, member));
    });
  });
}

interface GetterRead {
  readonly object: ValueId;
  readonly name: string;
  readonly span: Span;
}

const gettersRead = onceFor((facts): ReadonlyMap<FunctionId, readonly GetterRead[]> => {
  const reads = new Map<FunctionId, GetterRead[]>();
  const getters = new Set(facts.functions.flatMap(({ kind, name }) => (kind === "getter" ? [name] : [])));
  if (getters.size === 0) return reads;
  const enclosing = enclosingFunctions(facts);
  for (const value of facts.values) {
    if (value.kind !== "member" || value.property === null || !getters.has(value.property)) continue;
    const id = enclosing(value.propertySpan[0]);
    const read = { object: value.object, name: value.property, span: value.propertySpan };
    const list = reads.get(id);
    if (list === undefined) reads.set(id, [read]);
    else list.push(read);
  }
  return reads;
});

/** Finds the functions that one place runs. */
class Targets {
  private readonly graph: CallGraph;
  private readonly path: string;
  private readonly facts: ModuleFacts;
  private readonly id: CallId;
  private readonly span: Span;

  constructor(graph: CallGraph, path: string, facts: ModuleFacts, id: CallId, span: Span) {
    this.graph = graph;
    this.path = path;
    this.facts = facts;
    this.id = id;
    this.span = span;
  }

  called(call: Call, asked: boolean): readonly Link[] {
    const parameter = asked ? null : parameterOf(this.facts, call.callee);
    const callees = parameter === null ? [call.callee] : parameter.default === null ? [] : [parameter.default];
    const links: Link[] = [];
    for (const { kind, id } of callees.flatMap((callee) => definitionsOf(this.facts, callee)).slice(0, MOST_TARGETS)) {
      if (kind !== "table") links.push(...this.entity(this.path, [kind, id], false));
    }
    for (const reference of call.references) {
      if (parameter !== null && reference.through === undefined) continue;
      links.push(...(isSuper(this.facts, reference) ? this.inherited(call, reference.path[1]) : this.ends(this.graph.endsOfReference(this.path, reference))));
    }
    return links;
  }

  /** Functions among what is handed to a call that runs them, also in a list or an options table. */
  given(call: Call): readonly Link[] {
    const values = this.handedTo(call);
    // Most arguments are no functions, so that it does not matter what the call does with them.
    return values.length === 0 || !runsFunctions(this.facts, call) ? [] : values.flatMap((value) => this.handed(value));
  }

  /** The arguments of a call that may be functions, with the parts of lists and tables. */
  private handedTo(call: Call): readonly ValueId[] {
    const values: ValueId[] = [];
    for (const { value } of call.arguments) values.push(value, ...insideOf(this.facts, value));
    return values.slice(0, MOST_TARGETS).filter((value) => mayHoldFunction(this.facts, value)
      && (definitionsOf(this.facts, value).length > 0 || referencesOf(this.facts, value).length > 0)
      // What is handed on was handed in: whoever did that answers for it.
      && parameterOf(this.facts, value) === null);
  }

  private handed(value: ValueId): readonly Link[] {
    const links: Link[] = [];
    for (const { kind, id } of definitionsOf(this.facts, value)) if (kind === "function") links.push(...this.entity(this.path, [kind, id], false));
    for (const reference of referencesOf(this.facts, value)) {
      if (reference.instance === true || !mayBeFunction(reference)) continue;
      for (const end of this.graph.endsOfReference(this.path, reference)) {
        if (end.kind === "inside" && end.entity[0] === "function" && !end.made) links.push(...this.link(end.path, end.entity[1]));
      }
    }
    return links;
  }

  /** A member of something: `__enter__`, a getter. */
  members(object: ValueId, member: string): readonly Link[] {
    const own = definitionsOf(this.facts, object).flatMap(({ kind, id }) => (kind === "instance" ? this.graph.endsOf(this.path, [kind, id], member) : []));
    const others = referencesOf(this.facts, object).flatMap((reference) => this.graph.endsOfReference(this.path, { ...reference, path: [...reference.path, member] }));
    return this.ends([...own, ...others]);
  }

  /** What the decorators of a function made of it. */
  decorated(decorator: ValueId): readonly Link[] {
    const made = this.facts.values[decorator];
    const applied = made?.kind === "call" ? this.facts.calls[made.call]!.callee : decorator;
    const own = definitionsOf(this.facts, applied).flatMap(({ kind, id }): End[] => (kind === "function" ? [{ kind: "inside", path: this.path, entity: [kind, id], made: true }] : []));
    const others = referencesOf(this.facts, applied).flatMap((reference) => this.graph.endsOfReference(this.path, reference))
      .flatMap((end): End[] => (end.kind === "inside" ? [{ ...end, made: true }] : []));
    return [...own, ...others].flatMap((end) => (end.kind === "inside" ? this.made(end.path, end.entity) : []));
  }

  /** A method that only one class of the tree has, called on something that nothing resolves. */
  onlyMethod(call: Call, isDeclared: boolean): readonly Link[] {
    const callee = this.facts.values[bare(this.facts, call.callee)];
    if (callee?.kind !== "member" || callee.property === null || COMMON.has(callee.property) || callee.property.startsWith("__")) return [];
    if (!isDeclared && call.references.some((reference) => reference.through !== "annotation" || !isGlobalName(reference.module)) || (!isDeclared && definitionsOf(this.facts, call.callee).length > 0)) return [];
    const found = this.methodsNamed(callee.property);
    const [only, ...others] = found;
    if (only === undefined || others.length > 0) return [];
    // A delegate is not what delegates to it.
    const isItself = only.path === this.path && this.facts.functions[call.function]?.class === this.facts.functions[only.function]?.class;
    return isItself ? [] : [only];
  }

  private methodsNamed(name: string): readonly Link[] {
    const links: Link[] = [];
    for (const path of this.graph.definersOf(name) ?? []) {
      const summary = this.graph.module(path)?.summary;
      // A tree may hold both languages; neither calls the other's methods.
      if (summary?.language !== this.facts.language) continue;
      for (const subject of summary.classes) {
        for (const [method, ids] of subject.methods) if (method === name) links.push(...ids.filter((id) => !this.graph.isAbstract(path, ["function", id])).slice(0, 1).flatMap((id) => this.link(path, id)));
      }
    }
    return links;
  }

  private inherited(call: Call, member: string | undefined): readonly Link[] {
    const inside = this.facts.functions[call.function]?.class ?? -1;
    if (member === undefined || inside < 0) return [];
    return (this.facts.classes[inside]?.bases ?? []).flatMap((base) => {
      const own = definitionsOf(this.facts, base).flatMap(({ kind, id }) => (kind === "class" ? this.graph.endsOf(this.path, [kind, id], member) : []));
      const others = referencesOf(this.facts, base).flatMap((reference) => this.graph.endsOfReference(this.path, { ...reference, path: [...reference.path, member] }));
      return this.ends([...own, ...others]);
    });
  }

  private ends(ends: readonly End[]): readonly Link[] {
    return ends.flatMap((end): readonly Link[] => {
      if (end.kind === "getter") return this.link(end.path, end.id);
      return end.kind === "inside" ? this.entity(end.path, end.entity, end.made) : [];
    });
  }

  /** What runs when an entity is called; `made`: when what a call of it gave is called. */
  private entity(path: string, entity: Entity, made: boolean): readonly Link[] {
    const [kind, id] = entity;
    if (kind === "function") return made ? this.made(path, entity) : this.link(path, id);
    if (kind === "class" && !made) return this.constructed(path, id);
    if (kind !== "class" && kind !== "instance") return [];
    return this.graph.endsOf(path, [kind, id], "__call__").flatMap((end) => (end.kind === "inside" && end.entity[0] === "function" ? this.link(end.path, end.entity[1]) : []));
  }

  /** The functions that a function gives back, and those that they give back. */
  private made(path: string, entity: Entity): readonly Link[] {
    const links: Link[] = [];
    let layer: readonly { readonly path: string; readonly entity: Entity }[] = [{ path, entity }];
    for (let depth = 0; depth < MOST_LAYERS && layer.length > 0; depth++) {
      layer = layer.flatMap((each) => (each.entity[0] === "function" ? this.returned(each.path, each.entity[1]) : [])).slice(0, 64);
      for (const each of layer) links.push(...this.link(each.path, each.entity[1]));
    }
    return links;
  }

  private returned(path: string, id: FunctionId): readonly { readonly path: string; readonly entity: Entity }[] {
    const returns = this.graph.module(path)?.summary.functions[id]?.returns ?? [];
    return returns.flatMap((entity) => this.graph.endsOf(path, entity)).flatMap((end) => (end.kind === "inside" && end.entity[0] === "function" ? [{ path: end.path, entity: end.entity }] : []));
  }

  /** A class without a constructor of its own is constructed by those of its bases. */
  private constructed(path: string, id: number): readonly Link[] {
    const links: Link[] = [];
    const seen = new Set<string>();
    const pending = [{ path, id }];
    for (let each = pending.pop(); each !== undefined && seen.size < 32; each = pending.pop()) {
      const key = `${each.id}:${each.path}`;
      const module = seen.has(key) ? null : this.graph.module(each.path);
      seen.add(key);
      const subject = module?.summary.classes[each.id];
      if (module === null || subject === undefined) continue;
      const own = CONSTRUCTORS[module.summary.language].flatMap((name) => module.member(each.id, name)).filter(([kind]) => kind === "function");
      for (const each_ of [...own.map(([, function_]) => function_), ...subject.initializers]) links.push(...this.link(module.path, each_));
      if (own.length > 0) continue;
      for (const end of subject.bases.flatMap((base) => this.graph.endsOf(module.path, base))) if (end.kind === "inside" && end.entity[0] === "class") pending.push({ path: end.path, id: end.entity[1] });
    }
    return links;
  }

  private link(path: string, id: FunctionId): readonly Link[] {
    const facts = this.graph.facts(path);
    const subject = facts?.functions[id];
    if (facts === null || subject === undefined) return [];
    const name = functionName(facts, subject);
    return [{ path, function: id, name: name === "" ? "an anonymous function" : name, call: this.id, span: this.span }];
  }
}

const CONSTRUCTORS = { python: ["__init__", "__new__", "__post_init__"], ecmascript: ["constructor"] };

function isGlobalName(module: string): boolean {
  return module === "globalThis" || module === "builtins";
}

function mayHoldFunction(facts: ModuleFacts, id: ValueId): boolean {
  const { kind } = facts.values[bare(facts, id)]!;
  return kind === "function" || kind === "name" || kind === "member" || kind === "call" || kind === "conditional" || kind === "logical";
}
