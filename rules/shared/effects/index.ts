import type { CallId, FunctionId, ModuleFacts } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { keptWithFacts } from "../indexes.ts";
import type { Effect, Effects, PlacedFunction, ReachedEffect } from "./effect.ts";
import { graphFor } from "./graph.ts";
import type { CallGraph } from "./graph.ts";
import { linksOfCall } from "./links.ts";
import type { Link } from "./links.ts";
import { circularByName, namesCalled } from "./names.ts";
import { handedInEffects } from "./own.ts";
import { cyclesOf, kindOf, toldFor, walkFrom } from "./walk.ts";
import type { Found, Walked } from "./walk.ts";

export type * from "./effect.ts";
export { EFFECTS, WRITES, isEffect, isWrite } from "./kinds.ts";
export { reachedPhrase } from "./phrases.ts";

const effectsByFacts = keptWithFacts<{ readonly graph: CallGraph; readonly path: string; readonly effects: ModuleEffects }>();

/** What the calls of a module do outside the process; kept with the facts for each tree. */
export function effectsOf(facts: ModuleFacts, context: RuleContext): Effects {
  const graph = graphFor(facts, context);
  const known = effectsByFacts.get(facts);
  if (known?.graph === graph && known.path === context.path) return known.effects;
  const effects = new ModuleEffects(facts, context.path, graph);
  effectsByFacts.set(facts, { graph, path: context.path, effects });
  return effects;
}

const NOTHING_FOUND: Walked = { found: [], isCutOff: false };

class ModuleEffects implements Effects {
  private readonly facts: ModuleFacts;
  private readonly path: string;
  private readonly graph: CallGraph;
  private readonly cut = new Set<CallId>();

  constructor(facts: ModuleFacts, path: string, graph: CallGraph) {
    this.facts = facts;
    this.path = path;
    this.graph = graph;
  }

  get own(): readonly Effect[] {
    this.graph.at(this.path, this.facts);
    return this.graph.own(this.path);
  }

  get cutOff(): readonly CallId[] {
    return [...this.cut].sort((one, other) => one - other);
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
    for (const link of this.linksFrom(call)) {
      const { found, isCutOff } = this.walk(link.path, link.function);
      if (isCutOff) this.cut.add(call);
      for (const each of found) this.takeNearer(nearest, link, each);
    }
    return this.told([...nearest.values()]);
  }

  reachedByFunction(id: FunctionId): readonly ReachedEffect[] {
    this.graph.at(this.path, this.facts);
    if (this.graph.closure(this.path, id).kinds.size === 0) return [];
    return this.told(this.walk(this.path, id).found);
  }

  callees(call: CallId): readonly PlacedFunction[] {
    return this.linksFrom(call).flatMap(({ path, function: id }) => {
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

  /** By names alone: in the file, or by way of a module that it imports. */
  private mayComeBack(id: FunctionId): boolean {
    if (circularByName(this.facts).has(id)) return true;
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

  private told(found: readonly Found[]): readonly ReachedEffect[] {
    return [...found].sort((one, other) => one.steps.length - other.steps.length).map((each) => toldFor(this.path, each));
  }
}
