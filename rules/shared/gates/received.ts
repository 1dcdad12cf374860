import { functionsOf, valuesReturned } from "@agentgate/parsers";
import type { CallId, FunctionId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import type { RuleContext, Tree } from "../../rule.ts";
import { bare, childrenOf, originsOf, parentsOf } from "../expressions.ts";
import { keptWithFacts } from "../indexes.ts";
import { callPlaces } from "../statements.ts";
import { Answers } from "./answers.ts";
import { givesCoroutine, isPartial } from "./deferring.ts";
import { isBeginning } from "./definitions.ts";
import { endsOfValue } from "./ends.ts";
import { enters } from "./entered.ts";
import type { End, Module } from "./ends.ts";
import type { GateName } from "./gate.ts";
import { handedBy, handingTo, isDecoratedBy } from "./handing.ts";
import { recogniserFor } from "./recognise.ts";
import type { Recogniser } from "./recognise.ts";

/** Bodies of a function, by the statement of each that something begins with. */
type Beginnings = ReadonlyMap<readonly Statement[], number>;
const NO_BEGINNINGS: Beginnings = new Map();

/** Calls of gates, with the name of the gate. */
type GateCalls = ReadonlyMap<CallId, string>;

/**
 * Answers about modules by their paths. To recognise the gates of a module takes the whole of it, and the tree may have
 * forgotten its facts before it is asked about the next time.
 */
interface Known {
  readonly gates: RuleContext["gates"];
  readonly calls: Answers<string, GateCalls>;
  readonly handed: Answers<string, Handed>;
}

/** What the gates that one module calls are handed. */
export class Received {
  readonly recogniser: Recogniser;
  private readonly context: RuleContext;
  private readonly tree: Tree;
  private readonly known: Known;
  private calls: GateCalls | undefined;
  private handed: Handed | undefined;
  private beginnings: ReadonlyMap<FunctionId, Beginnings> | undefined;

  constructor(recogniser: Recogniser, context: RuleContext, known: Known) {
    this.recogniser = recogniser;
    this.context = context;
    this.tree = context.tree;
    this.known = known;
  }

  /** The calls of gates from outside of their definitions. */
  gateCalls(): GateCalls {
    this.calls ??= this.known.calls.of(this.recogniser.module.path, () => this.findGateCalls());
    return this.calls;
  }

  private findGateCalls(): GateCalls {
    const calls = new Map<CallId, string>();
    this.recogniser.module.facts.calls.forEach((call, id) => {
      const found = this.recogniser.gateOf(call.callee);
      if (found === null || this.isOwn(call.function)) return;
      if (found.beyond !== true || call.arguments.some((argument) => this.isCallback(argument.value))) calls.set(id, found.gate.name);
    });
    return calls;
  }

  private isCallback(argument: ValueId): boolean {
    const { facts } = this.recogniser.module;
    return functionsOf(facts, argument).length > 0 || endsOfValue(this.tree, this.recogniser.module, argument).ends.some((end) => end.kind === "function" && !end.made);
  }

  /** Whether a function belongs to the definition of a gate of this module. */
  isOwn(id: FunctionId): boolean {
    return this.recogniser.isOwn(id);
  }

  /** Whether a gate of this module is handed the function. */
  isReceived(path: string, id: FunctionId): boolean {
    return this.handOver().functions.has(`${id}\0${path}`);
  }

  /** Whether a call stands in what a gate is handed and runs only there: of a generator, a partial, a bound method. */
  isDeferred(call: CallId): boolean {
    return this.handOver().deferred.has(call);
  }

  /** Whether a call stands in the body of a `with` that enters a gate. */
  isEntered(call: CallId): boolean {
    const { facts } = this.recogniser.module;
    const entry = facts.calls[call];
    if (entry === undefined) return false;
    for (let place = callPlaces(facts, entry.function).get(call) ?? null; place !== null; place = place.above) {
      const around = place.above?.body[place.above.index];
      if (around?.kind === "with" && around.items.some((item) => enters(this.recogniser, bare(facts, item), this.context))) return true;
    }
    return false;
  }

  /**
   * Whether a call comes after one that begins a gate which neither runs what it is handed nor can be entered:
   * `await initTransaction(req)`, in the same function, on every way to it.
   */
  isBegun(call: CallId): boolean {
    const { facts } = this.recogniser.module;
    const id = facts.calls[call]?.function ?? -1;
    const beginnings = this.beginningsIn(id);
    if (beginnings.size === 0) return false;
    for (let place = callPlaces(facts, id).get(call) ?? null; place !== null; place = place.above) {
      if ((beginnings.get(place.body) ?? Infinity) < place.index) return true;
    }
    return false;
  }

  /** Where in the bodies of a function the first gate call stands that begins something. */
  private beginningsIn(id: FunctionId): Beginnings {
    this.beginnings ??= this.findBeginnings();
    return this.beginnings.get(id) ?? NO_BEGINNINGS;
  }

  private findBeginnings(): ReadonlyMap<FunctionId, Beginnings> {
    const { facts } = this.recogniser.module;
    const found = new Map<FunctionId, Map<readonly Statement[], number>>();
    for (const call of this.gateCalls().keys()) {
      const id = facts.calls[call]!.function;
      const place = this.begins(call) ? callPlaces(facts, id).get(call) : undefined;
      if (place === undefined) continue;
      const ofFunction = found.get(id) ?? new Map<readonly Statement[], number>();
      found.set(id, ofFunction.set(place.body, Math.min(place.index, ofFunction.get(place.body) ?? Infinity)));
    }
    return found;
  }

  /** Whether a gate call only begins something: the gate is a function of the tree that runs no callback, and is given none. */
  private begins(id: CallId): boolean {
    const { facts } = this.recogniser.module;
    const { callee, arguments: given } = facts.calls[id]!;
    const found = this.recogniser.gateOf(callee);
    if (found?.gate.declared == null || found.beyond === true || given.some((argument) => this.isCallback(argument.value))) return false;
    return onlyBegins(found.gate, endsOfValue(this.tree, this.recogniser.module, callee).ends);
  }

  /** Whether a function, or the class that it is a method of, carries a gate as a decorator. */
  isDecorated(id: FunctionId): boolean {
    const { facts } = this.recogniser.module;
    const subject = facts.functions[id];
    if (subject === undefined) return false;
    const decorators = [...subject.decorators, ...(facts.classes[subject.class]?.decorators ?? [])];
    return decorators.some((decorator) => this.recogniser.gateOf(bare(facts, decorator)) !== null) || isDecoratedBy(facts, id, this.handOver().decorators);
  }

  /** The gate call that an expression is an argument of, inside lists, tables and choices too; -1 where there is none. */
  gateCallAround(value: ValueId): CallId {
    const { facts } = this.recogniser.module;
    const parents = parentsOf(facts);
    for (let id = value, steps = 0; steps < 64; steps++) {
      const parent = parents[id] ?? -1;
      const around = facts.values[parent];
      if (around === undefined) return -1;
      if (around.kind === "call") {
        const call = facts.calls[around.call]!;
        if (call.callee === id) return -1;
        if (this.gateCalls().has(around.call)) return around.call;
        if (!isPartial(facts, call.callee)) return -1;
      } else if (around.kind !== "list" && around.kind !== "table" && around.kind !== "spread" && around.kind !== "conditional" && around.kind !== "logical") return -1;
      id = parent;
    }
    return -1;
  }

  private handOver(): Handed {
    this.handed ??= this.known.handed.of(this.recogniser.module.path, () => this.findHanded());
    return this.handed;
  }

  private findHanded(): Handed {
    const handed: Handed = { functions: new Set(), deferred: new Set(), decorators: new Set(), seen: new Set() };
    // Set before it is filled: what is handed over may ask again.
    this.handed = handed;
    const { facts } = this.recogniser.module;
    for (const id of this.gateCalls().keys()) {
      for (const argument of facts.calls[id]!.arguments) this.hand(argument.value, handed);
    }
    if (this.gateCalls().size > 0) this.handOn(handed);
    handed.seen.clear();
    return handed;
  }

  /** What functions of the module get that hand it to a gate in their turn. */
  private handOn(handed: Handed): void {
    const { module: { facts, path } } = this.recogniser;
    const handing = handingTo(facts, (id) => handed.functions.has(`${id}\0${path}`));
    for (const { function: id, index } of handing) if (index === 0) handed.decorators.add(id);
    for (const value of handedBy(facts, handing)) this.hand(value, handed);
  }

  private hand(argument: ValueId, handed: Handed): void {
    const { module } = this.recogniser;
    const { facts } = module;
    const pending = [argument];
    while (pending.length > 0) {
      const given = pending.pop()!;
      const id = bare(facts, given);
      const value = facts.values[id];
      if (value === undefined || handed.seen.has(id)) continue;
      handed.seen.add(id);
      if (value.kind === "list") pending.push(...value.items);
      else if (value.kind === "table") pending.push(...value.entries.map((entry) => entry.value));
      else if (value.kind === "conditional") pending.push(value.then, value.else);
      else if (value.kind === "logical") pending.push(value.left, value.right);
      else if (value.kind === "comprehension") { if (value.lazy === true) this.defer(value.element, handed); }
      else if (value.kind === "call") pending.push(...this.handCall(value.call, handed, facts.values[given]?.kind === "await"));
      else {
        if (value.kind === "name") pending.push(...originsOf(facts, id).values.filter((origin) => isContainer(facts, origin)));
        this.note(endsOfValue(this.tree, module, id).ends.filter((end) => !end.made), handed);
        for (const each of functionsOf(facts, id)) handed.functions.add(`${each}\0${module.path}`);
      }
    }
  }

  private note(ends: readonly { readonly kind: string; readonly id: number; readonly path: string }[], handed: Handed): void {
    for (const { kind, id, path } of ends) if (kind === "function") handed.functions.add(`${id}\0${path}`);
  }

  /** Calls of a generator expression: the gate runs them as it goes round. */
  private defer(element: ValueId, handed: Handed): void {
    const { facts } = this.recogniser.module;
    const pending = [element];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      const value = facts.values[id];
      if (value === undefined || value.kind === "function" || handed.seen.has(id)) continue;
      handed.seen.add(id);
      if (value.kind === "call") {
        handed.deferred.add(value.call);
        const call = facts.calls[value.call]!;
        pending.push(call.callee, ...call.arguments.map((argument) => argument.value));
      } else pending.push(...childrenOf(facts, value));
    }
  }

  /** A call whose result is handed over: what it runs later, and what it gives back to be called. */
  private handCall(call: CallId, handed: Handed, isAwaited: boolean): readonly ValueId[] {
    const { module } = this.recogniser;
    const { facts } = module;
    const entry = facts.calls[call]!;
    if (isPartial(facts, entry.callee)) {
      handed.deferred.add(call);
      const callee = facts.values[entry.callee];
      const bound = callee?.kind === "member" && callee.property === "bind" ? [callee.object] : [];
      return [...bound, ...entry.arguments.map((argument) => argument.value)];
    }
    if (!isAwaited && givesCoroutine(facts, entry.callee)) handed.deferred.add(call);
    const given: ValueId[] = [];
    for (const end of endsOfValue(this.tree, module, entry.callee).ends) {
      // An object that is called as a function.
      if (end.kind === "class" && !end.made) this.note(callMethods(end), handed);
      if (end.kind !== "function" || end.made) continue;
      const subject = end.facts.functions[end.id]!;
      // Nothing of it runs before the gate takes it up.
      if (!isAwaited && (subject.generator === true || (subject.async === true && end.facts.language === "python"))) {
        handed.deferred.add(call);
        handed.functions.add(`${end.id}\0${end.path}`);
      }
      for (const value of valuesReturned(end.facts, end.id)) {
        if (end.path === module.path) given.push(...originsOf(facts, value).values.filter((origin) => facts.values[origin]?.kind === "function"));
        this.note(functionsOf(end.facts, value).map((id) => ({ kind: "function", id, path: end.path })), handed);
      }
    }
    return given;
  }
}

/** Whether all that a gate can be are functions which only begin something. */
function onlyBegins({ name, segments }: GateName, ends: readonly End[]): boolean {
  return ends.length > 0 && ends.every(({ kind, facts }) => kind === "function" && isBeginning(facts, name, segments.at(-1)!));
}

/** `__call__` of a class. */
function callMethods({ facts, id, path }: End): readonly { readonly kind: string; readonly id: number; readonly path: string }[] {
  return facts.functions.flatMap(({ class: owner, name }, method) => (owner === id && name === "__call__" ? [{ kind: "function", id: method, path }] : []));
}

interface Handed {
  /** `id NUL path`. */
  readonly functions: Set<string>;
  readonly deferred: Set<CallId>;
  /** Functions of the module that hand what they decorate to a gate. */
  readonly decorators: Set<FunctionId>;
  /** What was looked at: a table of thousands may be handed to thousands of calls. */
  readonly seen: Set<ValueId>;
}

function isContainer(facts: ModuleFacts, id: ValueId): boolean {
  const kind = facts.values[id]?.kind;
  return kind === "list" || kind === "table" || kind === "call";
}

const knownByTree = new WeakMap<Tree, Known>();
const kept = keptWithFacts<{ readonly recogniser: Recogniser; readonly received: Received }>();

export function receivedFor(module: Module, context: RuleContext): Received {
  const recogniser = recogniserFor(module, context);
  const known = kept.get(module.facts);
  if (known?.recogniser === recogniser) return known.received;
  const received = new Received(recogniser, context, knownFor(module, context));
  kept.set(module.facts, { recogniser, received });
  return received;
}

/** What is known of the tree's modules; of one that it does not hold, or holds by other facts, nothing yet. */
function knownFor({ path, facts }: Module, { tree, gates }: RuleContext): Known {
  const known = knownByTree.get(tree);
  const isHeld = tree.facts(path) === facts;
  if (isHeld && known?.gates === gates) return known;
  const fresh: Known = { gates, calls: new Answers(tree), handed: new Answers(tree) };
  if (isHeld) knownByTree.set(tree, fresh);
  return fresh;
}
