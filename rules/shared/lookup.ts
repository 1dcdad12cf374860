import type { Call, ModuleFacts, Reference } from "@agentgate/parsers";
import { classify, isException } from "../catalogue/classify.ts";
import type { CapabilityEntry } from "../catalogue/capability.ts";
import type { ArgumentsView, Classified } from "../catalogue/classify.ts";
import type { RuleContext } from "../rule.ts";
import { argumentsView } from "./arguments.ts";
import { keptWithFacts } from "./indexes.ts";
import { holdsLoaders, loaderOf } from "./loaders.ts";
import { isModuleOf } from "./names.ts";
import type { Loader } from "./loaders.ts";
import { outsideReferences, Resolver } from "./tree.ts";
import type { Destination } from "./tree.ts";

/** An API outside the tree that a name stands for. */
export interface Api {
  readonly reference: Reference;
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
  /** Whether a call of it may run text or data as code. */
  readonly mayRunCode: boolean;
}

const NOTHING: Known = { loader: null, apis: [], mayRunCode: false };

interface Node {
  readonly children: Map<string, Node>;
  /** By `marksOf`. */
  readonly known: (Known | undefined)[];
}

/** A module of the tree, or one whose meaning agentgate.yml may change: known for one judgement only. */
interface ModuleNode extends Node {
  /** Known to do nothing. */
  readonly isDull: boolean;
  /** The name outside the tree, where that alone decides. */
  readonly outside: string | null;
  /** The name outside the tree; null of what lies inside. */
  readonly destination: string | null;
}

/** Modules outside the tree by language and name: the same few come up in every file. */
const outsideModules = { python: new Map<string, ModuleNode>(), ecmascript: new Map<string, ModuleNode>() };
/** Names come from the judged tree: past this many the memory starts anew. */
const MOST_NAMES = 300_000;
let names = 0;

function forgetPast(limit: number): void {
  if (names++ < limit) return;
  names = 0;
  outsideModules.python.clear();
  outsideModules.ecmascript.clear();
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

  /** Whether a reference to a module can be to one of these (as `modulesOfApis` names them); of one inside the tree it may. */
  mayBeOf(module: string, modules: ReadonlySet<string>): boolean {
    const { destination } = this.module(module);
    return destination === null || isModuleOf(modules, destination);
  }

  of(reference: Reference): Known {
    const module = this.module(reference.module);
    if (module.isDull) return NOTHING;
    let node: Node = module;
    for (const name of reference.path) {
      let child = node.children.get(name);
      if (child === undefined) {
        forgetPast(MOST_NAMES);
        node.children.set(name, (child = { children: new Map(), known: [] }));
      }
      node = child;
    }
    return (node.known[marksOf(reference)] ??= this.work(module, reference));
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
      node = this.newModule(this.resolver.destination(this.context.path, name));
      this.modules.set(name, node);
    }
    return node;
  }

  private newModule(destination: Destination): ModuleNode {
    if (destination.kind !== "outside" || this.context.capabilities.length > 0) {
      return { isDull: destination.kind === "missing", outside: null, destination: destination.kind === "outside" ? destination.module : null, children: new Map(), known: [] };
    }
    const { language } = this.facts;
    const modules = outsideModules[language];
    let node = modules.get(destination.module);
    if (node === undefined) {
      forgetPast(MOST_NAMES);
      node = { isDull: isDull(language, destination.module), outside: destination.module, destination: destination.module, children: new Map(), known: [] };
      modules.set(destination.module, node);
    }
    return node;
  }

  private work({ outside }: ModuleNode, reference: Reference): Known {
    const { language } = this.facts;
    const found = outside === null
      ? outsideReferences(this.resolver, this.context.path, reference)
      : [{ reference: { ...reference, module: outside }, through: [] }];
    const loader = found.map((each) => loaderOf(language, each.reference)).find((each) => each !== null) ?? null;
    const apis = found.flatMap((each) => apiOf(language, each.reference, each.through, this.context.capabilities));
    return loader === null && apis.length === 0 ? NOTHING : { loader, apis, mayRunCode: apis.some(mayRunCode) };
  }
}

/** Without a call the answer is the worst of what calls can ask for. */
function mayRunCode({ uncalled, asksCall }: Api): boolean {
  return uncalled === null ? asksCall : uncalled.capabilities.includes("code");
}

function isDull(language: ModuleFacts["language"], module: string): boolean {
  if (holdsLoaders(language, module)) return false;
  const answer = classify(language, { module, path: [] });
  return answer.kind === "pure" && !answer.mixed;
}

function apiOf(
  language: ModuleFacts["language"], reference: Reference, through: readonly string[], additions: readonly CapabilityEntry[],
): readonly Api[] {
  const answer = classify(language, reference, additions);
  if (answer.kind === "unclassified" || isException(language, reference)) return [];
  const uncalled = answer.kind === "capability" ? answer : null;
  const asksCall = asksForCall(language, reference, additions);
  return uncalled === null && !asksCall ? [] : [{ reference, through, uncalled, asksCall }];
}

/** Whether what an API can do depends on how it is called. */
export function asksForCall(language: ModuleFacts["language"], reference: Reference, additions: readonly CapabilityEntry[]): boolean {
  let asked = false;
  const ask = <T>(answer: T): T => {
    asked = true;
    return answer;
  };
  const view: ArgumentsView = { constants: () => ask(null), head: () => ask(""), references: () => ask([]) };
  classify(language, reference, additions, view);
  return asked;
}

/** What the catalogue tells apart beside the name: instance, computed, star. */
function marksOf({ instance, computed, through }: Reference): number {
  return (instance === true ? 1 : 0) + (computed === true ? 2 : 0) + (through === "star" ? 4 : 0);
}

const lookups = keptWithFacts<{ readonly context: RuleContext; readonly lookup: Lookup }>();

/** The lookup that all rules share which judge the same module in the same tree. */
export function lookupFor(facts: ModuleFacts, context: RuleContext): Lookup {
  const known = lookups.get(facts);
  if (known?.context.path === context.path && known.context.tree === context.tree && known.context.capabilities === context.capabilities) return known.lookup;
  const lookup = new Lookup(facts, context);
  lookups.set(facts, { context, lookup });
  return lookup;
}
