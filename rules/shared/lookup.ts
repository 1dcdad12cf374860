import type { Call, ModuleFacts, Reference } from "@agentgate/parsers";
import { classify, isException } from "../catalogue/classify.ts";
import type { ArgumentsView, Classified } from "../catalogue/classify.ts";
import type { PlacedReference, RuleContext } from "../rule.ts";
import { argumentsView } from "./arguments.ts";
import { holdsLoaders, loaderOf } from "./loaders.ts";
import type { Loader } from "./loaders.ts";
import { outsideReferences, Resolver } from "./tree.ts";
import type { Destination } from "./tree.ts";

/** An API outside the tree that a name stands for. */
export interface Api {
  readonly reference: PlacedReference;
  /** The modules of the tree that pass it on. */
  readonly through: readonly string[];
  /** What it can do where it is not called; null where that is nothing. */
  readonly uncalled: Classified | null;
  /** Whether a call's arguments change the answer. */
  readonly asksCall: boolean;
}

/** What is known of a reference. */
export interface Known {
  readonly loader: Loader | null;
  /** Only APIs that can do something, or may when called in some way. */
  readonly apis: readonly Api[];
}

const NOTHING: Known = { loader: null, apis: [] };

interface Node {
  readonly children: Map<string, Node>;
  /** By `marksOf`. */
  readonly known: (Known | undefined)[];
}

interface ModuleNode extends Node {
  readonly destination: Destination;
  /** Outside the tree and known to do nothing. */
  readonly isDull: boolean;
}

/**
 * What the names of one module can do. A file mentions the same API again and again, so each is resolved and
 * classified once, in a tree of modules and members that costs no text to look up.
 */
export class Lookup {
  readonly resolver: Resolver;
  private readonly facts: ModuleFacts;
  private readonly context: RuleContext;
  private readonly modules = new Map<string, ModuleNode>();

  constructor(facts: ModuleFacts, context: RuleContext) {
    this.facts = facts;
    this.context = context;
    this.resolver = new Resolver(context);
  }

  /** Whether nothing that the module has can matter. */
  isDull(module: string): boolean {
    return this.module(module).isDull;
  }

  of(reference: Reference): Known {
    const module = this.module(reference.module);
    if (module.isDull) return NOTHING;
    let node: Node = module;
    for (const name of reference.path) {
      let child = node.children.get(name);
      if (child === undefined) node.children.set(name, (child = { children: new Map(), known: [] }));
      node = child;
    }
    return (node.known[marksOf(reference)] ??= this.work(reference));
  }

  /** What an API can do where it is called like this; null where that is nothing. */
  called(api: Api, call: Call): Classified | null {
    if (!api.asksCall) return api.uncalled;
    const answer = classify(this.facts.language, api.reference, this.context.capabilities, argumentsView(this.facts, call));
    return answer.kind === "capability" ? answer : null;
  }

  private module(name: string): ModuleNode {
    let node = this.modules.get(name);
    if (node === undefined) {
      const destination = this.resolver.destination(this.context.path, name);
      node = { destination, isDull: this.judgeDull(destination), children: new Map(), known: [] };
      this.modules.set(name, node);
    }
    return node;
  }

  private judgeDull(destination: Destination): boolean {
    if (destination.kind === "missing") return true;
    if (destination.kind === "inside" || this.context.capabilities.length > 0 || holdsLoaders(this.facts.language, destination.module)) return false;
    const answer = classify(this.facts.language, { module: destination.module, path: [] });
    return answer.kind === "pure" && !answer.mixed;
  }

  private work(reference: Reference): Known {
    const found = outsideReferences(this.resolver, this.context.path, reference);
    const loader = found.map(({ reference: outside }) => loaderOf(this.facts.language, outside)).find((each) => each !== null) ?? null;
    const apis = found.flatMap(({ reference: outside, through }) => {
      const api = this.api(outside, through);
      return api === null ? [] : [api];
    });
    return loader === null && apis.length === 0 ? NOTHING : { loader, apis };
  }

  private api(reference: PlacedReference, through: readonly string[]): Api | null {
    const { language } = this.facts;
    const answer = classify(language, reference, this.context.capabilities);
    if (answer.kind === "unclassified" || isException(language, reference)) return null;
    const uncalled = answer.kind === "capability" ? answer : null;
    const asksCall = this.asksCall(reference);
    return uncalled === null && !asksCall ? null : { reference, through, uncalled, asksCall };
  }

  private asksCall(reference: PlacedReference): boolean {
    let asked = false;
    const ask = <T>(answer: T): T => {
      asked = true;
      return answer;
    };
    const view: ArgumentsView = { constants: () => ask(null), head: () => ask(""), references: () => ask([]) };
    classify(this.facts.language, reference, this.context.capabilities, view);
    return asked;
  }
}

/** What the catalogue tells apart beside the name: instance, computed, star. */
function marksOf({ instance, computed, through }: Reference): number {
  return (instance === true ? 1 : 0) + (computed === true ? 2 : 0) + (through === "star" ? 4 : 0);
}

const lookups = new WeakMap<ModuleFacts, { readonly context: RuleContext; readonly lookup: Lookup }>();

/** The lookup that all rules share which judge the same module in the same tree. */
export function lookupFor(facts: ModuleFacts, context: RuleContext): Lookup {
  const known = lookups.get(facts);
  if (known?.context.path === context.path && known.context.tree === context.tree && known.context.capabilities === context.capabilities) return known.lookup;
  const lookup = new Lookup(facts, context);
  lookups.set(facts, { context, lookup });
  return lookup;
}
