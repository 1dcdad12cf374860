import type { CallId, FunctionId } from "@agentgate/parsers";
import type { RuleContext, Tree } from "../../rule.ts";
import type { Effect } from "../effects/effect.ts";
import { isInReader } from "../effects/readers.ts";
import { keptWithFacts } from "../indexes.ts";
import { runFunction } from "../reach/places.ts";
import { callersFor, runsInside, UNTOLD } from "./callers.ts";
import type { Callers } from "./callers.ts";
import type { Module } from "./ends.ts";
import { folderHanded, foldersNeeded, handsTemporary } from "./handed-folders.ts";
import type { Handed } from "./handed-folders.ts";
import { isOffered, isOverridden } from "./modules.ts";
import { keepsFrom, needsOf } from "./needs.ts";
import { receivedFor } from "./received.ts";
import type { Received } from "./received.ts";
import { keyOf, passedOn, settle } from "./verdicts.ts";
import type { Subject, UsePlace } from "./uses.ts";
import { handsQuery, handsText, isDecided, isOnEveryWay } from "./witnesses.ts";
import type { Containment, Looked, Verdict, Waiting } from "./verdicts.ts";

export type { Containment, Place } from "./verdicts.ts";

const INSIDE: Containment = { kind: "inside" };

type Written = Pick<Effect, "call" | "capability"> & Partial<Pick<Effect, "asValue">>;

/** Callers, and callers of callers, that are followed for one module. */
const MOST_FUNCTIONS = 20_000;

/** Tells for the calls of one module whether they run inside a gate. */
export class Containments {
  private readonly module: Module;
  private readonly received: Received;
  private readonly callers: Callers;
  private readonly tree: Tree;
  private readonly known = new Map<FunctionId, Containment>();
  private readonly writes = new Map<CallId, Containment>();
  private readonly verdicts = new Map<number, Verdict>();

  constructor(module: Module, context: RuleContext) {
    this.module = module;
    this.tree = context.tree;
    this.received = receivedFor(module, context);
    this.callers = callersFor(module, context);
  }

  ofCall(call: CallId): Containment {
    const { facts } = this.module;
    if (runsInside(this.received, call)) return INSIDE;
    const id = runFunction(facts, facts.calls[call]!.function);
    if (this.received.isOwn(id)) return INSIDE;
    let found = this.known.get(id);
    if (found === undefined) {
      found = id === 0 ? { kind: "outside" as const } : this.ofFunction(id);
      this.known.set(id, found);
    }
    return found;
  }

  /**
   * The same for a write that is made only if its function is handed something: a caller that hands it anything else does
   * not tell of it, nor does one that hands over a temporary folder to write in. Where none of them does, only what nobody
   * in the tree calls may.
   */
  ofWrite(write: Written): Containment {
    let found = this.writes.get(write.call);
    if (found === undefined) {
      found = this.ofCall(write.call);
      if (found.kind === "called") found = this.told(write, this.ofCalled(write, found));
      this.writes.set(write.call, found);
    }
    return found;
  }

  /** How much the call outside of a gate tells of a write. */
  private told({ call, asValue }: Written, found: Containment): Containment {
    if (found.kind !== "called") return found;
    const { facts, path } = this.module;
    const { function: id } = facts.calls[call]!;
    const subject = { path, id: runFunction(facts, id) };
    const sure = asValue !== true && id === subject.id && found.place.of === keyOf(subject) && isOnEveryWay(facts, call) && !isOverridden({ ...this.module, id }, this.tree);
    return { ...found, sure, also: this.verdicts.get(this.callers.nodeOf(subject))?.gated === true };
  }

  private ofCalled({ call, capability }: Written, found: Containment): Containment {
    const { facts } = this.module;
    const subject = { ...this.module, id: runFunction(facts, facts.calls[call]!.function) };
    const needs = needsOf(facts, call);
    const folders = capability.startsWith("fs.") ? foldersNeeded(this.module, call) : [];
    const isFor = (place: UsePlace): boolean => place.value !== null || (!keepsFrom(needs, subject, place) && !handsTemporary(folders, subject, place));
    const told = needs.length > 0 || folders.length > 0 ? this.ofNeedy(subject, isFor) : found;
    if (told.kind !== "called") return told;
    // What the needs do not tell, some text may.
    const isOpen = needs.length === 0 && isDecided(facts, call);
    const mayNot = (place: UsePlace): boolean => (isOpen && handsText(place)) || (capability === "db.write" && handsQuery(place))
      || (!capability.startsWith("fs.") && isInReader(place.facts, place.facts.calls[place.call]!));
    return this.namedBy(subject, (place) => isFor(place) && (place.value !== null || !mayNot(place)), told);
  }

  /** The same by a call that surely leads to the write; by none where each of them may not. */
  private namedBy(subject: Subject, isPlain: (place: UsePlace) => boolean, told: Containment): Containment {
    const others = new Set<CallId>();
    const left = this.callers.ofSome(subject, (place) => {
      const counts = isPlain(place);
      if (!counts) others.add(place.call);
      return counts;
    });
    if (others.size === 0) return told;
    const bad = [...(left.reason === null ? [] : [left.reason]), ...left.callers.flatMap((caller) => this.badOf(caller))];
    return bad.find(({ kind }) => kind === "called") ?? { kind: "outside" };
  }

  private ofNeedy(subject: Subject, isFor: (place: UsePlace) => boolean): Containment {
    const used = new Set<CallId>();
    const left = this.callers.ofSome(subject, (place) => {
      const counts = isFor(place);
      if (counts) used.add(place.call);
      return counts;
    });
    const own = this.callers.nodeOf(subject);
    const callers = left.callers.filter((caller) => caller.node !== own);
    const bad = callers.flatMap((caller) => this.badOf(caller));
    // A call that can be named tells more.
    if (bad.length > 0) return bad.find(({ kind }) => kind === "called") ?? bad[0]!;
    if (left.reason !== null && (used.size > 0 || left.reason.kind !== "outside")) return left.reason;
    if (left.isPartial) return { kind: "untold" };
    return left.gates > 0 || callers.length > 0 || isPrivate(subject) || !isOffered(subject) ? INSIDE : { kind: "outside" };
  }

  /** Whether the folder that a call works in is a temporary one of those who call the function around it. */
  folderHanded(call: CallId): Handed {
    return folderHanded(this.module, call, this.callers);
  }

  private badOf(caller: Waiting): readonly Containment[] {
    if (!this.verdicts.has(caller.node)) this.explore(caller.node);
    const { bad, gated } = this.verdicts.get(caller.node)!;
    return bad === null ? [] : [passedOn(bad, caller, gated)];
  }

  /**
   * Follows all callers of a function up to gates, or to what is none. Callers of each other hold each other up only as
   * long as one of them is called from a gate.
   */
  private ofFunction(id: FunctionId): Containment {
    const node = this.callers.nodeOf({ path: this.module.path, id });
    if (!this.verdicts.has(node)) this.explore(node);
    const { bad, gated } = this.verdicts.get(node)!;
    return bad ?? (gated ? INSIDE : { kind: "outside" });
  }

  /** Settles a function with all that lead to it, as far as nothing is known of them yet. */
  private explore(first: number): void {
    const { callers: { numbering }, verdicts } = this;
    const nodes: number[] = [];
    const looks: Looked[] = [];
    const pending = [first];
    numbering.begin();
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (numbering.of(node) !== -1 || verdicts.has(node)) continue;
      const looked = verdicts.size + nodes.length < MOST_FUNCTIONS ? this.callers.of(node) : UNTOLD;
      numbering.set(node, nodes.push(node) - 1);
      looks.push(looked);
      for (const caller of looked.callers) pending.push(caller.node);
    }
    settle({ nodes, looks, placeOf: (node) => numbering.of(node) }, verdicts);
  }
}

/** By its underscore: of a class that others derive from, those in the tree were looked at. */
function isPrivate({ facts, id }: Subject): boolean {
  const { name } = facts.functions[id]!;
  return /^(?:#|_(?!_))/.test(name);
}

const kept = keptWithFacts<{ readonly context: RuleContext; readonly containments: Containments }>();

export function containmentsFor(module: Module, context: RuleContext): Containments {
  const known = kept.get(module.facts);
  if (known?.context === context) return known.containments;
  const containments = new Containments(module, context);
  kept.set(module.facts, { context, containments });
  return containments;
}
