import type { ModuleFacts } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import type { Effect } from "../effects/index.ts";
import { declaredDefinitionIn, isBeginning } from "./definitions.ts";
import type { GateName } from "./gate.ts";
import type { Module } from "./ends.ts";
import { isCache } from "./caches.ts";
import { isDebugDump } from "./dumps.ts";
import { isOwnLeftover } from "./leftovers.ts";
import { isLog } from "./logs.ts";
import { receivedFor } from "./received.ts";
import { recogniserFor } from "./recognise.ts";
import type { Recogniser } from "./recognise.ts";

export { containmentsFor } from "./containment.ts";
export type { Containment, Place } from "./containment.ts";
export { definitionIn } from "./definitions.ts";
export type { GateName, Recognised } from "./gate.ts";
export { gateNames } from "./gate.ts";
export { handedOutWrites, isHandedOut } from "./handed-out.ts";
export { receivedFor } from "./received.ts";

/** A gate whose callbacks alone may write in a module. */
export interface BindingGate {
  readonly name: string;
  /** Where the policy declares it; null for one that the tree defines by a recognised name. */
  readonly line: number | null;
  /** Whether that policy is the one at the base of a change. */
  readonly atBase: boolean;
  /** The module of the tree that defines it, where that is known. */
  readonly path: string | null;
  /** It takes no callback: what is to be inside follows its call. */
  readonly begins?: true;
}

/** Whether a write is a log's, a cache's, a dump for debugging that is off, or clears up what was to become another file. */
export function leavesNothing({ path, facts }: Module, effect: Effect): boolean {
  return isLog(facts, effect) || isCache(facts, effect, path) || isDebugDump(facts, effect) || isOwnLeftover(facts, effect);
}

/** What binds a module: the gates, or null where it may write freely. No gate at all: it is bound by `strict` alone. */
export function gatesOf(facts: ModuleFacts, context: RuleContext): readonly BindingGate[] | null {
  const recogniser = recogniserFor({ path: context.path, facts }, context);
  if (isOwnModule(recogniser, context)) return null;
  const binding = recogniser.names.flatMap((gate): BindingGate[] => {
    const { declared } = gate;
    if (declared?.scope === "tree") {
      const path = definedAt(gate, context);
      return [{ name: gate.name, line: declared.line, atBase: declared.atBase === true, path, ...(begins(gate, path, context) ? { begins: true as const } : {}) }];
    }
    const own = recogniser.own.some((each) => each.gate === gate);
    const found = own ? { path: context.path } : recogniser.imports(gate);
    return found === null ? [] : [{ name: gate.name, line: declared?.line ?? null, atBase: declared?.atBase === true, path: found.path }];
  });
  return binding.length > 0 || context.strict ? binding : null;
}

/**
 * A module that is there for a declared gate, and is no user of it. One that is merely found binds the module that defines
 * it: there only what the gate itself runs is free.
 */
function isOwnModule(recogniser: Recogniser, context: RuleContext): boolean {
  return recogniser.own.some(({ gate }) => gate.declared !== null) && receivedFor(recogniser.module, context).gateCalls().size === 0;
}

function begins({ name, segments }: GateName, path: string | null, { tree }: RuleContext): boolean {
  const facts = path === null ? null : tree.facts(path);
  const definition = facts === null ? null : declaredDefinitionIn(facts, name);
  return facts !== null && definition !== null && definition.classes.length === 0 && isBeginning(facts, name, segments.at(-1)!);
}

/** The only module of the tree that can define a declared gate. */
function definedAt({ segments, declared }: GateName, { tree }: RuleContext): string | null {
  if (declared?.module !== null) return null;
  const definers = tree.definersOf(segments.at(-1)!);
  return definers?.length === 1 ? definers[0]! : null;
}
