import type { Call, ModuleFacts, Reference } from "@agentgate/parsers";
import { classify, isException } from "../../catalogue/classify.ts";
import type { CapabilityEntry } from "../../catalogue/capability.ts";
import type { ArgumentsView, Classified } from "../../catalogue/classify.ts";
import { argumentsView } from "../arguments.ts";
import { asksForCall } from "../lookup.ts";

/** What the catalogue says of a called API: what it can do, that it does nothing, or that it is not known. */
export type Answer = Classified | "pure" | "unknown";

interface Known {
  /** Without a call; as good as with one unless `asksCall`. */
  readonly answer: Answer;
  readonly asksCall: boolean;
}

interface Node {
  readonly children: Map<string, Node>;
  /** By `marksOf`. */
  readonly known: (Known | undefined)[];
}

/** The same few APIs come up in every file: each is classified once, in a tree of modules and members. */
const roots: Record<ModuleFacts["language"], Node> = { python: newNode(), ecmascript: newNode() };
/** Names come from the judged tree: past this many the memory starts anew. */
const MOST_NAMES = 200_000;
let names = 0;

function newNode(): Node {
  return { children: new Map(), known: [] };
}

/** What the catalogue, with what the policy adds to it, says of an API outside the tree that is called, or taken as a value. */
export function answerFor(facts: ModuleFacts, call: Call | null, reference: Reference, { capabilities }: { readonly capabilities: readonly CapabilityEntry[] | undefined }): Answer {
  const view = call === null ? undefined : argumentsView(facts, call);
  if (capabilities !== undefined && capabilities.length > 0) return answerOnce(facts.language, reference, capabilities, view);
  const { answer, asksCall } = knownOf(facts.language, reference);
  return asksCall && view !== undefined ? answerOnce(facts.language, reference, [], view) : answer;
}

function knownOf(language: ModuleFacts["language"], reference: Reference): Known {
  let node = childOf(roots[language], reference.module);
  for (const name of reference.path) node = childOf(node, name);
  return (node.known[marksOf(reference)] ??= { answer: answerOnce(language, reference, [], undefined), asksCall: asksForCall(language, reference, []) });
}

function childOf(node: Node, name: string): Node {
  let child = node.children.get(name);
  if (child !== undefined) return child;
  if (names++ >= MOST_NAMES) forget();
  node.children.set(name, (child = newNode()));
  return child;
}

function forget(): void {
  names = 0;
  roots.python = newNode();
  roots.ecmascript = newNode();
}

/** What the catalogue tells apart beside the name. */
function marksOf({ instance, computed, through }: Reference): number {
  return (instance === true ? 1 : 0) + (computed === true ? 2 : 0) + (through === "star" ? 4 : through === "annotation" ? 8 : 0);
}

function answerOnce(language: ModuleFacts["language"], reference: Reference, capabilities: readonly CapabilityEntry[], view: ArgumentsView | undefined): Answer {
  if (isException(language, reference)) return "pure";
  const answer = classify(language, reference, capabilities, view);
  if (answer.kind === "unclassified") return "unknown";
  if (answer.kind === "pure") return isUnnamedGlobal(reference) ? "unknown" : "pure";
  return answer.mixed || (reference.through === "star" && !answer.exact) ? "pure" : answer;
}

/** A name of no known global: what an annotation names that nothing imports, or what another script declares. */
function isUnnamedGlobal({ module, through }: Reference): boolean {
  return (module === "globalThis" || module === "builtins") && through === "annotation";
}
