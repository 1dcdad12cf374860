import type { ModuleFacts } from "@agentgate/parsers";
import type { RuleContext } from "@agentgate/rules";
import { globMatcher } from "../discovery/exclude.ts";
import type { Searches } from "../modules/module-index.ts";
import { importablePorts, treeOf } from "../modules/tree.ts";
import type { Linker, Ports } from "../modules/tree.ts";
import type { TreePath } from "../paths.ts";
import type { Policy } from "../policy/policy.ts";
import type { Module } from "./module.ts";

/** The context in which rules see a module, with a rule's own options. */
export type ContextOf = (module: Pick<Module, "path">, options?: RuleContext["options"]) => RuleContext;

export interface ContextInput {
  /** The facts of a module of the tree, or null. */
  readonly facts: (path: TreePath) => ModuleFacts | null;
  readonly linker: Linker;
  readonly policy: Policy;
  readonly ports: Ports;
  readonly searches: Searches;
  /** As `Tree.unanswered`. */
  readonly unanswered?: () => number;
}

/** Contexts over one tree. */
export function contextsOver({ facts, linker, policy, ports, searches, unanswered }: ContextInput): ContextOf {
  const tree = treeOf(linker, facts, ports, searches, unanswered);
  const registry = policy.models.registry.map(globMatcher);
  return (module, options = {}) => ({
    path: module.path, tree, strict: policy.strict, ports: ports.matching(module.path),
    portsFor: (capability) => importablePorts({ ports, linker }, module.path, capability), capabilities: policy.capabilities, options,
    gates: policy.gates, models: { policy: policy.models.policy, inRegistry: registry.some((matches) => matches(module.path)), allow: policy.models.allow },
    loopCeiling: policy.loopCeiling, tools: policy.tools, denyHosts: policy.denyHosts,
  });
}
