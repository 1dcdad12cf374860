import type { CallId, FunctionId, Span } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { keptWithFacts, resultOf } from "../indexes.ts";
import { runFunction } from "../reach/places.ts";
import { basesOf, isOffered, loadersOf, namesOf } from "./modules.ts";
import type { Module } from "./ends.ts";
import { isPartial, receivedFor } from "./received.ts";
import type { Received } from "./received.ts";
import { usesElsewhere, usesInside, usesOfBases } from "./uses.ts";
import type { Subject, UsePlace } from "./uses.ts";
import { onlyWraps } from "./wrappers.ts";

/**
 * Whether something runs inside a gate, and why not:
 * - `outside`: nothing that runs it stands in a gate
 * - `called`: a call on the way to it stands outside of one, at `place`
 * - `untold`: who calls it cannot be told
 */
export type Containment =
  | { readonly kind: "inside" }
  | { readonly kind: "outside" }
  | { readonly kind: "called"; readonly place: Place }
  | { readonly kind: "untold" };

/** The call of a function outside of every gate. */
export interface Place {
  readonly path: string;
  readonly span: Span;
  /** The function that is called there. */
  readonly name: string;
}

interface Waiting {
  readonly subject: Subject;
  /** The call that leads to it from below. */
  readonly through: Place | null;
}

interface Looked {
  readonly gates: number;
  readonly callers: readonly Waiting[];
  /** A call of it that stands in no function. */
  readonly outside: Place | null;
  readonly isUntold: boolean;
  /** Nothing is known to run it. */
  readonly isLoose: boolean;
}

const NOTHING: Looked = { gates: 0, callers: [], outside: null, isUntold: false, isLoose: false };

const INSIDE: Containment = { kind: "inside" };

/** Callers, and callers of callers, that are followed from one function. */
const MOST_FUNCTIONS = 400;

/** Tells for the calls of one module whether they run inside a gate. */
export class Containments {
  private readonly module: Module;
  private readonly context: RuleContext;
  private readonly known = new Map<FunctionId, Containment>();
  private readonly looked = new Map<string, Looked>();
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
    const pending: Waiting[] = [{ subject: { ...this.module, id }, through: null }];
    const seen = new Set<string>();
    let gates = 0;
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { subject, through } = next;
      const key = `${subject.id}\0${subject.path}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (seen.size > MOST_FUNCTIONS) return { kind: "untold" };
      const found = this.lookAt(subject);
      if (found.isUntold) return { kind: "untold" };
      if (found.outside !== null) return { kind: "called", place: found.outside };
      if (found.isLoose) return through === null ? { kind: "outside" } : { kind: "called", place: through };
      gates += found.gates;
      pending.push(...found.callers);
    }
    return gates > 0 ? INSIDE : { kind: "outside" };
  }

  private lookAt(subject: Subject): Looked {
    const key = `${String(subject.id)}\0${subject.path}`;
    let found = this.looked.get(key);
    if (found === undefined) this.looked.set(key, (found = this.look(subject)));
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
      const answer = this.ofUse(place, isReceived);
      if (answer === "gate") gates++;
      else if (answer !== null && answer !== "outside") {
        const caller = `${String(answer.id)}\0${answer.path}`;
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
