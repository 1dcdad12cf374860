import { definitionsOf, referencesOf } from "@agentgate/parsers";
import type { Call, CallId, FunctionId, ModuleFacts, Parameter, Reference, Span, Use, ValueId } from "@agentgate/parsers";
import { bare, parentsOf } from "../expressions.ts";
import { isIdle, isOnlyNamed } from "../idle.ts";
import { statementsIn } from "../statements.ts";
import { isTextMethod } from "../text-methods.ts";
import { argumentsOf, isAsked } from "./arguments.ts";
import type { Entities } from "./entities.ts";
import { keepsFunctions } from "./keepers.ts";
import { enclosingFunctions, mainStatements, runFunction } from "./places.ts";
import type { Entity, ReachEdge } from "./record.ts";

/** Where an edge starts. */
interface Place {
  readonly function: FunctionId;
  readonly span: Span;
  readonly statement: number;
}

/** Collects what each function of a file may run. */
export class Edges {
  readonly byFunction: ReachEdge[][];
  private readonly facts: ModuleFacts;
  private readonly entities: Entities;
  /** Calls whose result is applied as a decorator: `@retry(3)`. */
  private readonly factories: ReadonlySet<CallId>;
  private readonly mainOnly: ReadonlySet<number>;

  constructor(facts: ModuleFacts, entities: Entities) {
    this.facts = facts;
    this.entities = entities;
    this.byFunction = facts.functions.map(() => []);
    this.factories = decoratorFactories(facts);
    this.mainOnly = mainStatements(facts);
  }

  collect(): void {
    for (const use of this.facts.uses) this.use(use);
    this.facts.calls.forEach((call, id) => { this.call(call, id); });
    this.decorated();
    this.getters();
    this.entered();
  }

  private use(use: Use): void {
    if (isOnlyNamed(use) || use.role === "alias") return;
    for (const reference of use.references) {
      if (isIdle(this.facts, use, reference) || this.isHandedIn(use, reference)) continue;
      const call = use.call === undefined ? undefined : this.facts.calls[use.call];
      if (call !== undefined && isTextMethod(call, reference)) continue;
      const to: Entity = ["reference", this.entities.reference(reference)];
      const given = call !== undefined && isAsked(reference.path) ? { arguments: argumentsOf(this.facts, call) } : {};
      const taker = use.call === undefined ? takerOf(this.facts, use.value) : null;
      const [by] = taker?.references ?? [];
      this.add(use, to, this.howUsed(use, taker), { ...given, ...(by === undefined ? {} : { taker: this.entities.reference(by) }) });
    }
  }

  /** A callback that other functions of the file hand in. */
  private isHandedIn(use: Use, { through }: Reference): boolean {
    return through === undefined && parameterOf(this.facts, use.value) !== null;
  }

  private howUsed(use: Use, taker: Call | null): ReachEdge["how"] {
    if (use.call !== undefined) return this.howCalled(this.facts.calls[use.call]!, use.call);
    if (use.role === "write") return "write";
    if (use.role === "base") return "derive";
    return taker === null ? "value" : "pass";
  }

  private howCalled(call: Call, id: CallId): ReachEdge["how"] {
    return call.decorator === true || this.factories.has(id) ? "decorate" : "call";
  }

  private call(call: Call, id: CallId): void {
    const place = { function: call.function, span: call.nameSpan, statement: call.statement };
    // So it is with a parameter that is called; what it is by default is this function's own.
    const parameter = parameterOf(this.facts, call.callee);
    const callees = parameter === null ? [call.callee] : parameter.default === null ? [] : [parameter.default];
    for (const definition of callees.flatMap((callee) => definitionsOf(this.facts, callee))) {
      if (definition.kind === "table") continue;
      this.add(place, [definition.kind, definition.id], this.howCalled(call, id));
    }
    for (const reference of call.references) if (isSuper(this.facts, reference)) this.inherited(place, reference);
    // Names and members are told as uses; what another expression gives is told here.
    const { kind } = this.facts.values[call.callee]!;
    if (kind !== "name" && kind !== "member") {
      for (const reference of call.references) this.add(place, ["reference", this.entities.reference(reference)], this.howCalled(call, id));
    }
    // What is decorated is not run by it, nor is what its decorator is given before it is called.
    if (call.decorator === true || this.factories.has(id)) return;
    this.given(place, call);
  }

  /** Functions among what is handed to a call, also in a list or an options table. */
  private given(place: Place, call: Call): void {
    if (keepsFunctions(this.facts, call)) return;
    const [reference] = call.references;
    const more = reference === undefined ? {} : { taker: this.entities.reference(reference) };
    for (const { value: argument } of call.arguments) {
      for (const value of [argument, ...insideOf(this.facts, argument)]) {
        // A parameter that is handed on was handed in: whoever did that answers for it.
        if (parameterOf(this.facts, value) !== null) continue;
        for (const { kind, id } of definitionsOf(this.facts, value)) if (kind === "function") this.add(place, [kind, id], "pass", more);
      }
    }
  }

  /** `super().post()`: the method of a base. */
  private inherited(place: Place, { path }: Reference): void {
    const [, member] = path;
    const inside = this.facts.functions[place.function]?.class ?? -1;
    if (member === undefined || inside < 0) return;
    for (const base of this.facts.classes[inside]?.bases ?? []) {
      for (const to of this.entities.of(base)) this.add(place, to, "call", { member });
    }
  }

  /** Calling what is decorated runs what the decorators made of it. */
  private decorated(): void {
    const { facts } = this;
    const applications = new Map(facts.calls.flatMap((call) => (call.decorator === true ? [[call.callee, call] as const] : [])));
    facts.functions.forEach(({ decorators, nameSpan }, id) => {
      for (const decorator of decorators) {
        const made = facts.values[decorator];
        const applied = made?.kind === "call" ? facts.calls[made.call]!.callee : decorator;
        const { nameSpan: span, statement } = applications.get(decorator) ?? { nameSpan, statement: -1 };
        for (const to of this.entities.of(applied)) this.add({ function: id, span, statement }, to, "decorated");
        if (made?.kind === "call") this.given({ function: id, span, statement }, facts.calls[made.call]!);
      }
    });
  }

  /** Members of the file's own classes that run when they are read. */
  private getters(): void {
    const { facts } = this;
    const getters = new Set(facts.functions.flatMap(({ kind, name }) => (kind === "getter" ? [name] : [])));
    if (getters.size === 0) return;
    const enclosing = enclosingFunctions(facts);
    facts.values.forEach((value) => {
      if (value.kind !== "member" || value.property === null || !getters.has(value.property)) return;
      const { property } = value;
      for (const { kind, id } of definitionsOf(facts, value.object)) {
        if (kind !== "instance") continue;
        this.add({ function: enclosing(value.propertySpan[0]), span: value.propertySpan, statement: -1 }, ["instance", id], "call", { member: property });
      }
    });
  }

  /** `with Client() as client`: its own way in and out run. */
  private entered(): void {
    this.facts.functions.forEach(({ body }, id) => {
      for (const statement of statementsIn(body)) {
        if (statement.kind !== "with") continue;
        for (const item of statement.items) this.enteredAs({ function: id, span: this.facts.values[item]!.span, statement: statement.at }, item);
      }
    });
  }

  private enteredAs(place: Place, item: ValueId): void {
    const own = definitionsOf(this.facts, item).flatMap(({ kind, id }): Entity[] => (kind === "instance" ? [[kind, id]] : []));
    const others = referencesOf(this.facts, item).map((reference): Entity => ["reference", this.entities.reference(reference)]);
    for (const to of [...own, ...others]) for (const member of ENTERING) this.add(place, to, "call", { member });
  }

  private add(place: Place, to: Entity, how: ReachEdge["how"], more: Pick<ReachEdge, "member" | "arguments" | "taker"> = {}): void {
    const from = runFunction(this.facts, place.function);
    const main = from === 0 && this.mainOnly.has(place.statement) ? { main: true as const } : {};
    this.byFunction[from]?.push({ to, how, span: place.span, statement: place.statement, ...more, ...main });
  }
}

/** Members that `with` calls. */
export const ENTERING = ["__enter__", "__aenter__", "__exit__", "__aexit__"];

/** Whether a member is one that `with` calls. */
export function isEntering(member: string | undefined): boolean {
  return member !== undefined && ENTERING.includes(member);
}

/** A method of `super()`. */
export function isSuper({ language }: ModuleFacts, { module, path }: Reference): boolean {
  return language === "python" && module === "builtins" && path[0] === "super" && path.length > 1;
}

/** Calls whose result is applied as a decorator: `@retry(3)`. */
export function decoratorFactories(facts: ModuleFacts): ReadonlySet<CallId> {
  const factories = new Set<CallId>();
  const decorators = [...facts.functions, ...facts.classes].flatMap((each) => each.decorators);
  for (const id of decorators) {
    const value = facts.values[id];
    if (value?.kind === "call") factories.add(value.call);
  }
  return factories;
}

/** The parts of a list or a table that is written as an argument. */
export function insideOf(facts: ModuleFacts, argument: ValueId): readonly ValueId[] {
  const value = facts.values[bare(facts, argument)];
  if (value?.kind === "list") return value.items;
  return value?.kind === "table" ? value.entries.map((entry) => entry.value) : [];
}

/** The parameter that a plain name is; null where it is none, or is given something else too. */
export function parameterOf(facts: ModuleFacts, id: ValueId): Parameter | null {
  const value = facts.values[bare(facts, id)];
  const binding = value?.kind === "name" ? facts.bindings[value.binding] : undefined;
  const given = binding?.values.length === 1 ? facts.values[binding.values[0]!] : undefined;
  return given?.kind === "parameter" ? facts.functions[given.function]?.parameters[given.index] ?? null : null;
}

/** The call among whose arguments a value stands, be it in a list or table there; null where there is none. */
function takerOf(facts: ModuleFacts, id: ValueId): Call | null {
  const parents = parentsOf(facts);
  let current = id;
  for (let step = 0; step < 8; step++) {
    const parent = parents[current] ?? -1;
    const value = facts.values[parent];
    if (value === undefined) return null;
    if (value.kind === "call") {
      const call = facts.calls[value.call]!;
      if (call.callee === current) return null;
      // `run(partial(f))`: what only hands it back is looked through.
      if (!keepsFunctions(facts, call)) return call;
    }
    current = parent;
  }
  return null;
}
