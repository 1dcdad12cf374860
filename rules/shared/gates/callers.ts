import type { CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext, Tree } from "../../rule.ts";
import { keptWithFacts, resultOf } from "../indexes.ts";
import { runFunction } from "../reach/places.ts";
import { Answers } from "./answers.ts";
import { basesOf, isOffered, loadersOf, namesOf, offers } from "./modules.ts";
import type { Loaders } from "./modules.ts";
import type { Module } from "./ends.ts";
import { isPartial } from "./deferring.ts";
import { receivedFor } from "./received.ts";
import type { Received } from "./received.ts";
import { methodCallsByTarget, namesUsedIn, usesByTarget, usesElsewhere, usesInside, usesOfBase } from "./uses.ts";
import type { CallersByName, CallsByTarget, Subject, UsePlace, UsesByTarget } from "./uses.ts";
import { hashOf, NameFilter } from "./name-filter.ts";
import { Numbering } from "./numbering.ts";
import { keyOf } from "./verdicts.ts";
import type { Containment, Looked, Place, Placed, Waiting } from "./verdicts.ts";
import { isInOwnDecorator, onlyWraps } from "./wrappers.ts";

const GATED: Looked = { gates: 1, callers: [], reason: null, isPartial: false };
const NO_LOADERS: Loaders = { paths: [], isCut: false, crowded: [] };
const LOOSE = alone({ kind: "outside" });
/** Who calls it cannot be told. */
export const UNTOLD = alone({ kind: "untold" });

/** A function of which no more needs to be known. */
function alone(reason: Containment): Looked {
  return { gates: 0, callers: [], reason, isPartial: false };
}

/**
 * Who runs the functions of a tree, as far as it was asked for: the modules that are judged after one another ask for
 * the same callers again and again. Nothing in it holds facts, which the tree may forget.
 */
export class Callers implements CallersByName {
  /** Of it nothing is asked that is not the same for all modules. */
  readonly context: RuleContext;
  private readonly tree: Tree;
  /** Facts that the tree does not hold, or holds by others. */
  private readonly own: Module | null;
  private readonly nodes = new Map<string, number>();
  private readonly functions: Placed[] = [];
  /** For one question at a time. */
  readonly numbering = new Numbering();
  private readonly looks: Answers<number, Looked>;
  private readonly loaders: Answers<string, Loaders | null>;
  private readonly bases: Answers<string, readonly Placed[]>;
  private readonly uses: Answers<string, UsesByTarget>;
  private readonly methodCalls: Answers<string, CallsByTarget>;
  private readonly names: Answers<string, NameFilter>;

  constructor(context: RuleContext, own: Module | null) {
    this.context = context;
    this.tree = context.tree;
    this.own = own;
    this.looks = new Answers(this.tree);
    this.loaders = new Answers(this.tree);
    this.bases = new Answers(this.tree);
    this.uses = new Answers(this.tree);
    this.methodCalls = new Answers(this.tree);
    this.names = new Answers(this.tree);
  }

  /** The number of a function, by which it is asked about. */
  nodeOf({ path, id }: Placed): number {
    const key = keyOf({ path, id });
    let node = this.nodes.get(key);
    if (node === undefined) this.nodes.set(key, (node = this.functions.push({ path, id }) - 1));
    return node;
  }

  /** What runs a function. */
  of(node: number): Looked {
    return this.looks.of(node, () => {
      const { path, id } = this.functions[node]!;
      const facts = this.facts(path);
      // Somebody was said to call it, so that its module was there.
      return facts === null ? UNTOLD : this.look({ path, facts, id });
    });
  }

  /** The same, of some of the calls only. */
  ofSome(subject: Subject, counts: (place: UsePlace) => boolean): Looked {
    return this.look(subject, counts);
  }

  usesOf(module: Module, name: string): UsesByTarget {
    return this.uses.of(`${name}\0${module.path}`, () => usesByTarget(this.tree, module, name));
  }

  methodCallsOf(module: Module, name: string): CallsByTarget {
    return this.methodCalls.of(`${name}\0${module.path}`, () => methodCallsByTarget(this.context, module, name));
  }

  private facts(path: string): ModuleFacts | null {
    return path === this.own?.path ? this.own.facts : this.tree.facts(path);
  }

  /** What runs one function: gates, and functions that are to be looked at in their turn. */
  private look(subject: Subject, counts: (place: UsePlace) => boolean = () => true): Looked {
    const received = this.received(subject);
    if (received.isOwn(subject.id) || received.isDecorated(subject.id)) return GATED;
    const isReceived = received.isReceived(subject.path, subject.id);
    const { places, ofBases, methods, loaders } = this.callersOf(subject);
    if (loaders === null && !isReceived) return UNTOLD;
    const callers: Waiting[] = methods.map((method) => this.waitingFor(method, null, true));
    const waiting = new Set<number>();
    const byParameter: Waiting[] = [];
    let gates = isReceived ? 1 : 0;
    for (const place of places) {
      if (isInOwnDecorator(subject, place) || !counts(place)) continue;
      const answer = this.ofUse(place, isReceived);
      if (answer === "gate") gates++;
      else if (answer !== null && answer !== "outside") {
        const isHandedBy = place.value === null && isParameter(place.facts, place.facts.calls[place.call]!.callee);
        const caller = this.waitingFor(answer, isCalled(place, subject) && !isHandedBy ? placeOf(place, subject, ofBases.has(place)) : null, ofBases.has(place));
        if (isHandedBy) byParameter.push(caller);
        else if (!waiting.has(caller.node)) callers.push(caller);
        if (!isHandedBy) waiting.add(caller.node);
      }
      else if (answer === "outside" && isCalled(place, subject)) return alone({ kind: "called", place: placeOf(place, subject, ofBases.has(place)) });
      else if (answer === "outside") return LOOSE;
    }
    // Who runs what it is handed runs other callbacks too: what hands this one over tells more.
    if (callers.length === 0) callers.push(...byParameter);
    return gates === 0 && callers.length === 0 ? LOOSE : { gates, callers, reason: null, isPartial: loaders === null || this.isCut(loaders, subject) };
  }

  /** A use inside a gate, one that is none of the module's functions, the function that it stands in, or null where it runs nothing. */
  private ofUse(place: UsePlace, isReceived: boolean): "gate" | "outside" | Subject | null {
    const received = this.received(place);
    if (runsInside(received, place.call)) return "gate";
    if (place.value !== null && received.gateCallAround(place.value) !== -1) return "gate";
    const { facts } = place;
    const call = facts.calls[place.call]!;
    if (onlyWraps(this.context.tree, place, call)) return null;
    // Bound for later; where that goes is seen where it is called.
    if (place.value !== null && (isPartial(facts, call.callee) || isReceived)) return null;
    const id = runFunction(facts, call.function);
    return id === 0 ? "outside" : { path: place.path, facts, id };
  }

  private callersOf(subject: Subject): { readonly places: readonly UsePlace[]; readonly ofBases: ReadonlySet<UsePlace>; readonly methods: readonly Placed[]; readonly loaders: Loaders | null } {
    const places = [...usesInside(subject)];
    const ofBases = new Set<UsePlace>();
    const methods: Placed[] = [];
    for (const base of this.basesOf(subject)) {
      const facts = this.facts(base.path);
      if (facts === null) continue;
      const uses = usesOfBase(subject, { ...base, facts });
      places.push(...uses.places);
      for (const place of uses.places) ofBases.add(place);
      methods.push(...uses.methods);
    }
    const loaders = isOffered(subject) ? this.loadersOf(subject.path) : NO_LOADERS;
    const names = namesOf(subject);
    const hashes = names.map(hashOf);
    for (const path of loaders?.paths ?? []) {
      const facts = hashes.some((hash) => this.mayName(path, hash)) ? this.facts(path) : null;
      if (facts !== null) places.push(...usesElsewhere(subject, names, { path, facts }, this));
    }
    return { places, ofBases, methods, loaders };
  }

  /** Whether a module may call something by a name. */
  private mayName(path: string, hash: number): boolean {
    return this.names.of(path, () => {
      const facts = this.facts(path);
      return new NameFilter(facts === null ? new Set() : namesUsedIn(facts));
    }).mayHold(hash);
  }

  private loadersOf(path: string): Loaders | null {
    return this.loaders.of(path, () => loadersOf(path, this.context));
  }

  /** Whether others may call a function that were not looked for. */
  private isCut({ isCut, crowded }: Loaders, subject: Subject): boolean {
    return isCut || crowded.some((path) => {
      const facts = this.facts(path);
      return facts !== null && offers(facts, subject);
    });
  }

  /** The classes that a method's class derives from. */
  private basesOf({ path, facts, id }: Subject): readonly Placed[] {
    const owner = facts.functions[id]!.class;
    return owner === -1 ? [] : this.bases.of(keyOf({ path, id: owner }), () => basesOf({ path, facts, id: owner }, this.tree));
  }

  private waitingFor(caller: Placed, through: Place | null, isOfBase: boolean): Waiting {
    return { node: this.nodeOf(caller), through, isOfBase };
  }

  private received(module: Module): Received {
    return receivedFor(module, this.context);
  }
}

/** In a `with` of a gate, or in what a gate is handed to run later. */
export function runsInside(received: Received, call: CallId): boolean {
  if (received.isEntered(call) || received.isBegun(call) || received.isDeferred(call) || received.gateCalls().has(call)) return true;
  const { facts } = received.recogniser.module;
  return isPartial(facts, facts.calls[call]!.callee) && received.gateCallAround(resultOf(facts, call)) !== -1;
}

function isParameter(facts: ModuleFacts, callee: ValueId): boolean {
  const value = facts.values[callee];
  return value?.kind === "name" && facts.bindings[value.binding]?.kind === "parameter";
}

/** Called by its name, rather than handed to something or decorated. */
function isCalled({ facts, call, value }: UsePlace, subject: Subject): boolean {
  return value === null && facts.calls[call]!.decorator !== true && subject.facts.functions[subject.id]!.name !== "";
}

function placeOf({ path, facts, call }: UsePlace, subject: Subject, isOfBase: boolean): Place {
  const { name, class: owner } = subject.facts.functions[subject.id]!;
  const ownerName = subject.facts.classes[owner]?.name ?? "";
  return { path, span: facts.calls[call]!.nameSpan, name: ownerName === "" || name === "" ? name : `${ownerName}.${name}`, of: isOfBase ? null : keyOf(subject) };
}

const shared = new WeakMap<Tree, Callers>();
const ownCallers = keptWithFacts<Callers>();

/** Those of a tree; of a module that its tree does not hold, or holds by other facts, some of its own. */
export function callersFor(module: Module, context: RuleContext): Callers {
  const isSame = (callers: Callers | undefined): callers is Callers => callers !== undefined && isOfSame(callers.context, context);
  const isHeld = context.tree.facts(module.path) === module.facts;
  const known = isHeld ? shared.get(context.tree) : ownCallers.get(module.facts);
  if (isSame(known)) return known;
  const callers = new Callers(context, isHeld ? null : module);
  if (isHeld) shared.set(context.tree, callers);
  else ownCallers.set(module.facts, callers);
  return callers;
}

/** Whether all that callers are asked with is the same. */
function isOfSame(one: RuleContext, other: RuleContext): boolean {
  return one.tree === other.tree && one.gates === other.gates && one.capabilities === other.capabilities && one.tools === other.tools;
}
