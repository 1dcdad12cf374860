import type { Capability, CapabilityEntry } from "../../catalogue/capability.ts";
import { asWritten, classify, isException } from "../../catalogue/classify.ts";
import type { Classified } from "../../catalogue/classify.ts";
import { isInvented } from "../reported.ts";
import { resultCall } from "../result-calls.ts";
import { viewOf } from "./arguments.ts";
import { isEntering } from "./edges.ts";
import type { ReachEdge, ReachReference, ReachSummary } from "./record.ts";

/** What counts as I/O where a tree is asked what its functions reach. */
export interface ReachPolicy {
  /** Additions to the catalogue from agentgate.yml. */
  readonly capabilities: readonly CapabilityEntry[];
  readonly strict: boolean;
}

/** Capabilities with their API's name that a function has by one edge that leaves the tree. */
export interface ReachedApi {
  readonly api: string;
  readonly capabilities: readonly Capability[];
  /** How much it tells a reader, 0 the most, among those that are as near. */
  readonly rank: number;
}

/** What an edge to an API does; null where that is no I/O, or another one answers for it. */
export function reachedApi(summary: ReachSummary, edge: ReachEdge, reference: ReachReference, policy: ReachPolicy): ReachedApi | null {
  // A handle that was passed in is the caller's; what is entered was made by a call of its own.
  if (reference.through === "annotation" || isEntering(edge.member) || edge.how === "decorated" || edge.how === "derive") return null;
  if (edge.how === "pass" && !mayBeFunction(reference)) return null;
  const { language } = summary;
  const view = edge.arguments === undefined ? undefined : viewOf(edge.arguments);
  const answer = classify(language, reference, policy.capabilities, view);
  if (answer.kind !== "capability" || answer.mixed || (reference.through === "star" && !answer.exact) || isException(language, reference)) return null;
  if (answer.byVerb === true && reference.instance !== true && isTold(summary, answer, policy)) return null;
  const capabilities = capabilitiesOf(answer, edge, reference).filter((capability) => isInvented(capability, policy.strict) && !(capability === "net" && isResponse(reference)));
  if (edge.arguments?.memory === true && capabilities.every((capability) => capability.startsWith("fs."))) return null;
  const [first] = capabilities;
  return first === undefined ? null : { api: shownApi(language, reference, answer, first, policy), capabilities, rank: rankOf(edge, reference, answer, first) };
}

/** The API's name up to the call that did the I/O: `litellm.completion` for `litellm.completion.model_dump_json.strip`. */
function shownApi(language: ReachSummary["language"], reference: ReachReference, { api }: Classified, capability: Capability, policy: ReachPolicy): string {
  const length = reference.instance === true ? resultCall(reference, capability) : null;
  if (length === null || length === reference.path.length) return api;
  const { module, path } = reference;
  const call = classify(language, { module, path: path.slice(0, length) }, policy.capabilities);
  return call.kind === "capability" ? call.api : api;
}

/** A call before other members, and what is known to do it before what a package does by default or its results. */
function rankOf({ how }: ReachEdge, reference: ReachReference, { exact }: Classified, capability: Capability): number {
  const isTold = exact || resultCall(reference, capability) === reference.path.length;
  return (isTold ? 0 : 2) + (how === "call" ? 0 : 1);
}

/** Whether what is handed on can be something that the other side calls; a class or a whole module does nothing by that. */
export function mayBeFunction({ path, computed }: ReachReference): boolean {
  return computed !== true && path.length > 0 && !/^[A-Z]/.test(path.at(-1)!);
}

/** What an answer holds was sent for by the call that gave it. */
function isResponse(reference: ReachReference): boolean {
  const length = reference.instance === true ? resultCall(reference, "net") : null;
  return length !== null && length < reference.path.length;
}

/** What is only taken as a value is called elsewhere, if at all; an environment is read by that. */
function capabilitiesOf({ capabilities }: Classified, { how }: ReachEdge, { instance }: ReachReference): readonly Capability[] {
  if (how === "value") return capabilities.filter((capability) => capability === "env.read");
  if (how !== "write") return capabilities;
  return instance === true ? [] : asWritten(capabilities).filter((capability) => capability === "env.write");
}

/** Whether what is called on a client tells reading from writing, which the client itself (`boto3.client`) does not. */
function isTold({ language, references }: ReachSummary, client: Classified, policy: ReachPolicy): boolean {
  let told = false;
  for (const reference of references) {
    if (reference.instance !== true || reference.through === "annotation") continue;
    const answer = classify(language, reference, policy.capabilities);
    if (answer.kind !== "capability" || answer.root !== client.root) continue;
    if (answer.byVerb === true) { if (answer.api !== client.api) return false; } else told = true;
  }
  return told;
}

/** What importing a module outside the tree does by itself: `import "dotenv/config"`. */
export function importedApi(summary: ReachSummary, module: string, policy: ReachPolicy): ReachedApi | null {
  const answer = classify(summary.language, { module, path: [] }, policy.capabilities);
  if (answer.kind !== "capability" || answer.mixed) return null;
  const capabilities = answer.capabilities.filter((capability) => isInvented(capability, policy.strict));
  return capabilities.length === 0 ? null : { api: answer.api, capabilities, rank: 0 };
}
