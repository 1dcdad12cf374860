import type { CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { noUngatedWriteTechniques } from "./no-ungated-write-techniques.ts";
import type { Related, Rule, RuleContext, RuleFinding, RuleMeta } from "./rule.ts";
import { argumentOf, parametersBefore } from "./shared/arguments.ts";
import { callersOf } from "./shared/callers.ts";
import { effectsOf } from "./shared/effects/index.ts";
import type { Effect } from "./shared/effects/index.ts";
import { originsOf } from "./shared/expressions.ts";
import { containmentsFor, gatesOf, handedOutWrites, isHandedOut, leavesNothing, receivedFor } from "./shared/gates/index.ts";
import type { BindingGate, Containment } from "./shared/gates/index.ts";
import type { Handed } from "./shared/gates/handed-folders.ts";
import { gateInfluences } from "./shared/gates/influences.ts";
import { isTelling, ungatedMessage } from "./shared/gates/messages.ts";
import { settledByTypes } from "./shared/effects/typed.ts";
import { ThroughGate } from "./shared/gates/through.ts";

const meta: RuleMeta = {
  id: "no-ungated-write",
  severity: "error",
  summary: "A write client is called beside the gate wrapper.",
  category: "code",
  suppressible: true,
  configurable: true,
  licensedByPorts: true,
  techniques: noUngatedWriteTechniques,
};

/** Reports writes that do not run inside a gate that binds their module. */
export const noUngatedWrite: Rule = {
  meta,
  check(facts, context) {
    const gates = gatesOf(facts, context);
    if (gates === null) return [];
    const received = receivedFor({ path: context.path, facts }, context);
    const containments = containmentsFor(received.recogniser.module, context);
    const isInside = (call: CallId): boolean => received.gateCalls().has(call) || containments.ofCall(call).kind === "inside";
    const through = new ThroughGate({ path: context.path, facts }, context);
    const isGated = (effect: Effect): boolean => containments.ofWrite(effect).kind === "inside" || through.holds(effect);
    const folderOf = ({ capability, call }: Effect): Handed => (capability.startsWith("fs.") ? containments.folderHanded(call) : "other");
    const ungated = withoutHandles(facts, writesOf(facts, context).filter((effect) => !isGated(effect)));
    return ungated.flatMap((effect): RuleFinding[] => {
      const folder = folderOf(effect);
      if (folder === "temporary" || leavesNothing({ path: context.path, facts }, effect)) return [];
      const containment: Containment = folder === "public" ? { kind: "outside" } : containments.ofWrite(effect);
      const handedOut = isHandedOut(received, effect.receiver, isInside);
      return [findingOf(facts, effect, containment, { gates, handedOut, path: context.path })];
    });
  },
  influences: gateInfluences,
};

/** The writes of a module that a gate is for, one a call, in source order. */
function writesOf(facts: ModuleFacts, context: RuleContext): readonly Effect[] {
  const writes = new Map<CallId, Effect>();
  const own = effectsOf(facts, context).own.filter((effect) => effect.writes && effect.temporary !== true);
  const handedOut = handedOutWrites(receivedFor({ path: context.path, facts }, context), context);
  // What a callback returned tells more than the name that it is given.
  for (const effect of [...handedOut, ...own]) if (!writes.has(effect.call)) writes.set(effect.call, effect);
  return [...writes.values()].sort((one, other) => one.span[0] - other.span[0]);
}

/** What is written to a file is part of opening it, where that is reported itself. */
function withoutHandles(facts: ModuleFacts, effects: readonly Effect[]): readonly Effect[] {
  const opened = new Set(effects.flatMap((effect) => (effect.capability === "fs.write" ? [effect.call] : [])));
  return effects.filter(({ capability, receiver }) => capability !== "fs.write" || receiver === null || !isOpened(facts, receiver, opened));
}

/** Whether a handle is one that is reported where it is opened, also by what calls the function in the module and hands it over. */
function isOpened(facts: ModuleFacts, handle: ValueId, opened: ReadonlySet<CallId>, depth = 4): boolean {
  return depth > 0 && originsOf(facts, handle).values.some((origin) => {
    const value = facts.values[origin];
    if (value?.kind === "call") return opened.has(value.call);
    if (value?.kind !== "parameter") return false;
    const subject = facts.functions[value.function]!;
    const callers = callersOf(facts, value.function);
    return callers.length > 0 && callers.every((call) => {
      const given = argumentOf(facts, call, value.index - parametersBefore(facts, subject), subject.parameters[value.index]?.name ?? null);
      return typeof given === "number" && isOpened(facts, given, opened, depth - 1);
    });
  });
}

function findingOf(
  facts: ModuleFacts, effect: Effect, containment: Containment, given: { readonly gates: readonly BindingGate[]; readonly handedOut: boolean; readonly path: string },
): RuleFinding {
  const related: Related[] = containment.kind !== "called" || !isTelling(containment) ? [] : [{
    ...(containment.place.path === given.path ? {} : { path: containment.place.path }),
    span: containment.place.span, message: `${containment.place.name} is called here, outside of the gate`,
  }];
  return {
    severity: effect.told === "convention" || effect.told === "arguments" ? "warning" : "error",
    message: ungatedMessage(effect, containment, given.gates, given.handedOut),
    span: effect.span, capability: effect.capability, api: effect.api, key: effect.root, statement: effect.statement, related: [...related, ...settledByTypes(facts, effect)],
  };
}
