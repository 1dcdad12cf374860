import type { CallId, FunctionId, ModuleFacts } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { keptWithFacts } from "../indexes.ts";
import type { Effect, Effects, PlacedFunction, ReachedEffect } from "./effect.ts";
import { graphFor } from "./graph.ts";
import type { CallGraph } from "./graph.ts";
import { linksOfCall, linksOfDecorator } from "./links.ts";
import type { Link } from "./links.ts";
import { isCircularByName, leadsBackByName, namesCalled } from "./names.ts";
import { handedInEffects } from "./own.ts";
import { cyclesOf, kindOf, ofKind, toldFor, walkFrom } from "./walk.ts";
import type { Found, Walked } from "./walk.ts";

export type * from "./effect.ts";
export { EFFECTS, WRITES, isEffect, isWrite } from "./kinds.ts";
export { reachedPhrase } from "./phrases.ts";

interface KeptEffects {
  readonly graph: CallGraph;
  readonly path: string;
  readonly effects: ModuleEffects;
}

const effectsByFacts = keptWithFacts<KeptEffects>();
const furtherByFacts = keptWithFacts<KeptEffects>();

/** What the calls of a module do outside the process; kept with the facts for each tree. */
export function effectsOf(facts: ModuleFacts, context: RuleContext): Effects {
  const isBeyond = context.beyond === true;
  const kept = isBeyond ? furtherByFacts : effectsByFacts;
  const graph = graphFor(facts, context);
  const known = kept.get(facts);
  if (known?.graph === graph && known.path === context.path) return known.effects;
  const effects = new ModuleEffects(facts, context.path, graph, isBeyond);
  kept.set(facts, { graph, path: context.path, effects });
  return effects;
}

const NOTHING_FOUND: Walked = { found: [], beyond: [] };

class ModuleEffects implements Effects {
  private readonly facts: ModuleFacts;
  private readonly path: string;
  private readonly graph: CallGraph;
  /** Whether what lies beyond counts as near. */
  private readonly isBeyond: boolean;
  private readonly cut = new Set<CallId>();
  private hasCutFunction = false;

  constructor(facts: ModuleFacts, path: string, graph: CallGraph, isBeyond: boolean) {
    this.facts = facts;
    this.path = path;
    this.graph = graph;
    this.isBeyond = isBeyond;
  }

  get own(): readonly Effect[] {
    this.graph.at(this.path, this.facts);
    return this.graph.own(this.path);
  }

  get cutOff(): readonly CallId[] {
    return [...this.cut].sort((one, other) => one - other);
  }

  get isCutOff(): boolean {
    return this.cut.size > 0 || this.hasCutFunction;
  }

  ofCall(call: CallId): readonly Effect[] {
    this.graph.at(this.path, this.facts);
    return this.graph.ownOfCall(this.path, call);
  }

  reachedBy(call: CallId): readonly ReachedEffect[] {
    const nearest = new Map<string, Found>();
    for (const effect of [...this.ofCall(call), ...handedInEffects(this.facts, call, this.graph.askedFor(this.path))]) {
      if (!nearest.has(kindOf(effect))) nearest.set(kindOf(effect), { effect, path: this.path, steps: [] });
    }
    const beyond = new Map<string, Found>();
    for (const link of this.linksFrom(call)) {
      const walked = this.walk(link.path, link.function);
      for (const each of walked.found) this.takeNearer(nearest, link, each);
      for (const kind of walked.beyond) beyond.set(kind, this.foundBeyond(kind, link));
    }
    for (const [kind, found] of beyond) {
      if (nearest.has(kind)) continue;
      this.cut.add(call);
      if (this.isBeyond) nearest.set(kind, found);
    }
    return this.told([...nearest.values()]);
  }

  reachedByFunction(id: FunctionId): readonly ReachedEffect[] {
    this.graph.at(this.path, this.facts);
    if (this.graph.closure(this.path, id).kinds.size === 0) return [];
    const { found, beyond } = this.walk(this.path, id);
    if (beyond.length > 0) this.hasCutFunction = true;
    const { name, nameSpan: span } = this.facts.functions[id]!;
    return this.told(this.isBeyond ? [...found, ...beyond.map((kind) => this.foundBeyond(kind, { name, span }))] : found);
  }

  callees(call: CallId): readonly PlacedFunction[] {
    return this.placed(this.linksFrom(call));
  }

  decoratedBy(id: FunctionId): readonly (readonly PlacedFunction[])[] {
    this.graph.at(this.path, this.facts);
    return this.facts.functions[id]!.decorators.map((decorator) => this.placed(linksOfDecorator(this.graph, this.path, this.facts, decorator)));
  }

  private placed(links: readonly Link[]): readonly PlacedFunction[] {
    return links.flatMap(({ path, function: id }) => {
      const facts = this.graph.facts(path);
      return facts === null ? [] : [{ path, facts, function: id }];
    });
  }

  kindsReachedBy(id: FunctionId): ReadonlySet<string> {
    this.graph.at(this.path, this.facts);
    return this.graph.closure(this.path, id).kinds;
  }

  recursionOf(id: FunctionId): readonly CallId[] {
    this.graph.at(this.path, this.facts);
    if (!this.mayComeBack(id)) return [];
    const { kinds, isCircular } = this.graph.closure(this.path, id);
    if (!isCircular || kinds.size === 0) return [];
    return cyclesOf(this.graph, this.path, id);
  }

  mayLeadBack(id: FunctionId, call: CallId): boolean {
    return leadsBackByName(this.facts, id, call) || this.isCalledByImported(id);
  }

  mayComeBack(id: FunctionId): boolean {
    return isCircularByName(this.facts, id) || this.isCalledByImported(id);
  }

  /** By way of a module that this one imports. */
  private isCalledByImported(id: FunctionId): boolean {
    const name = this.facts.functions[id]?.name ?? "";
    return name !== "" && this.graph.importedBy(this.path, this.facts).some((path) => {
      const facts = this.graph.facts(path);
      return facts !== null && namesCalled(facts).has(name);
    });
  }

  private linksFrom(call: CallId): readonly Link[] {
    this.graph.at(this.path, this.facts);
    return linksOfCall(this.graph, this.path, this.facts, call, true);
  }

  private walk(path: string, id: FunctionId): Walked {
    const { kinds } = this.graph.closure(path, id);
    if (kinds.size === 0) return NOTHING_FOUND;
    return this.graph.walked(path, id, () => walkFrom(this.graph, path, id, kinds));
  }

  private takeNearer(nearest: Map<string, Found>, link: Link, { effect, path, steps }: Found): void {
    const kind = kindOf(effect);
    const known = nearest.get(kind);
    if (known !== undefined && known.steps.length <= steps.length + 1) return;
    nearest.set(kind, { effect, path, steps: [{ path: this.path, span: link.span, name: link.name }, ...steps] });
  }

  /** Something of a kind that lies behind a call, as if it were next to it. */
  private foundBeyond(kind: string, { name, span }: Pick<Link, "name" | "span">): Found {
    const effect: Effect = { ...ofKind(kind), api: "…", root: "", told: "resolved", call: -1, span, statement: 0, function: -1, receiver: null };
    return { effect, path: this.path, steps: [{ path: this.path, span, name }] };
  }

  private told(found: readonly Found[]): readonly ReachedEffect[] {
    return [...found].sort((one, other) => one.steps.length - other.steps.length).map((each) => toldFor(this.path, each));
  }
}
