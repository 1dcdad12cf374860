import type { CallId, FunctionId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { keptWithFacts, resultOf } from "../indexes.ts";
import { runFunction } from "../reach/places.ts";
import { basesOf, isOffered, loadersOf, namesOf } from "./modules.ts";
import type { Module } from "./ends.ts";
import { isPartial, receivedFor } from "./received.ts";
import type { Received } from "./received.ts";
import { usesElsewhere, usesInside, usesOfBases } from "./uses.ts";
import type { Subject, UsePlace } from "./uses.ts";
import { keyOf, NOTHING, settle } from "./verdicts.ts";
import type { Containment, Looked, Place, Verdict, Waiting } from "./verdicts.ts";
import { isInOwnDecorator, onlyWraps } from "./wrappers.ts";

export type { Containment, Place } from "./verdicts.ts";

const INSIDE: Containment = { kind: "inside" };

/** Callers, and callers of callers, that are followed for one module. */
const MOST_FUNCTIONS = 20_000;

/** Tells for the calls of one module whether they run inside a gate. */
export class Containments {
  private readonly module: Module;
  private readonly context: RuleContext;
  private readonly known = new Map<FunctionId, Containment>();
  private readonly verdicts = new Map<string, Verdict>();
  private readonly loaders = new Map<string, readonly Module[] | null>();

  constructor(module: Module, context: RuleContext) {
    this.module = module;
    this.context = context;
  }

  ofCall(call: CallId): Containment {
    const { facts } = this.module;
    const received = this.received(this.module);
    if (runsInside(received, call)) return INSIDE;
    const id = runFunction(facts, facts.calls[call]!.function);
    if (received.isOwn(id)) return INSIDE;
    let found = this.known.get(id);
    if (found === undefined) {
      found = id === 0 ? { kind: "outside" as const } : this.ofFunction(id);
      this.known.set(id, found);
    }
    return found;
  }

  /**
   * Follows all callers of a function up to gates, or to what is none. Callers of each other hold each other up only as
   * long as one of them is called from a gate.
   */
  private ofFunction(id: FunctionId): Containment {
    const first: Subject = { ...this.module, id };
    const key = keyOf(first);
    if (!this.verdicts.has(key)) settle(this.explore(first), this.verdicts);
    const { bad, gated } = this.verdicts.get(key)!;
    return bad ?? (gated ? INSIDE : { kind: "outside" });
  }

  /** A function and all that lead to it, as far as nothing is known of them yet. */
  private explore(first: Subject): ReadonlyMap<string, Looked> {
    const found = new Map<string, Looked>();
    const pending = [first];
    for (let subject = pending.pop(); subject !== undefined; subject = pending.pop()) {
      const key = keyOf(subject);
      if (found.has(key) || this.verdicts.has(key)) continue;
      const looked = this.verdicts.size + found.size < MOST_FUNCTIONS ? this.look(subject) : { ...NOTHING, isUntold: true };
      found.set(key, looked);
      pending.push(...looked.callers.map((caller) => caller.subject));
    }
    return found;
  }

  /** What runs one function: gates, and functions that are to be looked at in their turn. */
  private look(subject: Subject): Looked {
    const received = this.received(subject);
    if (received.isOwn(subject.id) || received.isDecorated(subject.id)) return { ...NOTHING, gates: 1 };
    const isReceived = received.isReceived(subject.path, subject.id);
    const { places, methods, isCut } = this.usesOf(subject);
    if (isCut && !isReceived) return { ...NOTHING, isUntold: true };
    const callers: Waiting[] = methods.map((method) => ({ subject: method, through: null }));
    const waiting = new Set<string>();
    let gates = isReceived ? 1 : 0;
    for (const place of places) {
      if (isInOwnDecorator(subject, place)) continue;
      const answer = this.ofUse(place, isReceived);
      if (answer === "gate") gates++;
      else if (answer !== null && answer !== "outside") {
        const caller = keyOf(answer);
        if (!waiting.has(caller)) callers.push({ subject: answer, through: isCalled(place, subject) ? placeOf(place, subject) : null });
        waiting.add(caller);
      }
      else if (answer === "outside" && isCalled(place, subject)) return { ...NOTHING, outside: placeOf(place, subject) };
      else if (answer === "outside") return { ...NOTHING, isLoose: true };
    }
    return { gates, callers, outside: null, isUntold: false, isLoose: gates === 0 && callers.length === 0 };
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

  private usesOf(subject: Subject): { readonly places: readonly UsePlace[]; readonly methods: readonly Subject[]; readonly isCut: boolean } {
    const places = [...usesInside(subject)];
    const isMethod = subject.facts.functions[subject.id]!.class !== -1;
    const bases = isMethod ? usesOfBases(subject, basesOf(subject, this.context.tree)) : { places: [], methods: [] };
    places.push(...bases.places);
    if (!isOffered(subject)) return { places, methods: bases.methods, isCut: false };
    let loaders = this.loaders.get(subject.path);
    if (loaders === undefined) this.loaders.set(subject.path, (loaders = loadersOf(subject.path, this.context)));
    if (loaders === null) return { places, methods: bases.methods, isCut: true };
    const names = namesOf(subject);
    for (const other of loaders) places.push(...usesElsewhere(subject, names, other, this.context));
    return { places, methods: bases.methods, isCut: false };
  }

  private received(module: Module): Received {
    return receivedFor(module, this.context);
  }
}

/** In a `with` of a gate, or in what a gate is handed to run later. */
function runsInside(received: Received, call: CallId): boolean {
  if (received.isEntered(call) || received.isDeferred(call) || received.gateCalls().has(call)) return true;
  const { facts } = received.recogniser.module;
  return isPartial(facts, facts.calls[call]!.callee) && received.gateCallAround(resultOf(facts, call)) !== -1;
}

/** Called by its name, rather than handed to something or decorated. */
function isCalled({ facts, call, value }: UsePlace, subject: Subject): boolean {
  return value === null && facts.calls[call]!.decorator !== true && subject.facts.functions[subject.id]!.name !== "";
}

function placeOf({ path, facts, call }: UsePlace, subject: Subject): Place {
  const { name, class: owner } = subject.facts.functions[subject.id]!;
  const ownerName = subject.facts.classes[owner]?.name ?? "";
  return { path, span: facts.calls[call]!.nameSpan, name: ownerName === "" || name === "" ? name : `${ownerName}.${name}` };
}

const kept = keptWithFacts<{ readonly context: RuleContext; readonly containments: Containments }>();

export function containmentsFor(module: Module, context: RuleContext): Containments {
  const known = kept.get(module.facts);
  if (known?.context === context) return known.containments;
  const containments = new Containments(module, context);
  kept.set(module.facts, { context, containments });
  return containments;
}
