import type { ModuleFacts, Span } from "@agentgate/parsers";
import { classify } from "../catalogue/classify.ts";
import type { PlacedReference, RuleContext } from "../rule.ts";
import { outsideReferences, Resolver } from "./tree.ts";

/** A name that a module exports and that stands for an API outside the tree. */
export interface PassedOn {
  readonly name: string;
  /** The APIs that can do something, or whose members can, each as module and members joined by dots, sorted. */
  readonly apis: readonly string[];
  /** Where the module says so. */
  readonly span: Span;
}

/**
 * What a module passes on to those that import it: for each exported name the APIs outside the tree that it stands for,
 * export chains followed. Whoever uses the name takes what the API can do.
 */
export function passedOnApis(facts: ModuleFacts, context: RuleContext): readonly PassedOn[] {
  const resolver = new Resolver({ tree: ownExports(context, facts) });
  const names = new Map<string, Span>();
  for (const entry of facts.exports) if (entry.typeOnly !== true && !names.has(entry.name)) names.set(entry.name, entry.span);
  const passed: PassedOn[] = [];
  for (const [name, span] of names) {
    const apis = name === "*" ? wholeModules(facts, context, span) : apisOf(facts, resolver, context, name === "=" ? "default" : name);
    if (apis.length > 0) passed.push({ name, apis, span });
  }
  for (const entry of facts.imports) {
    if (facts.language !== "python" || entry.typeChecking === true || !entry.names.some((name) => name.imported === "*" && name.binding === -1)) continue;
    passed.push({ name: `* of ${entry.specifier}`, apis: [moduleNamed(context, entry.specifier)], span: entry.span });
  }
  return passed;
}

const ITSELF = "\0itself";

/** A tree in which one more specifier leads to the module itself, so that its own exports are looked up like others'. */
function ownExports({ tree, path }: RuleContext, facts: ModuleFacts): RuleContext["tree"] {
  return {
    ...tree,
    resolve: (from, specifier) => (specifier === ITSELF ? { path } : tree.resolve(from, specifier)),
    facts: (asked) => (asked === path ? facts : tree.facts(asked)),
  };
}

function apisOf({ language }: ModuleFacts, resolver: Resolver, { path, capabilities }: RuleContext, name: string): string[] {
  const telling = ({ module, path: members }: PlacedReference): boolean => {
    const answer = classify(language, { module, path: members }, capabilities);
    return answer.kind === "capability" || (answer.kind === "pure" && answer.mixed);
  };
  const found = outsideReferences(resolver, path, { module: ITSELF, path: [name] }).map(({ reference }) => reference).filter(telling);
  return [...new Set(found.map((reference) => [reference.module, ...reference.path].join(".")))].sort();
}

/** `export * from "x"`: the module that everything comes from. */
function wholeModules(facts: ModuleFacts, context: RuleContext, span: Span): string[] {
  const entries = facts.exports.filter((entry) => entry.name === "*" && entry.span[0] >= span[0]);
  const sources = entries.flatMap((entry) => (entry.import === undefined ? [] : [facts.imports[entry.import]!.specifier]));
  return [...new Set(sources.map((specifier) => moduleNamed(context, specifier)))].sort();
}

function moduleNamed(context: RuleContext, specifier: string): string {
  const found = context.tree.resolve(context.path, specifier);
  if (found === null || found === "missing") return specifier;
  return "alias" in found ? found.alias : `./${found.path}`;
}
