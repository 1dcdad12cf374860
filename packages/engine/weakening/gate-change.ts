import { positionAt } from "@agentgate/parsers";
import type { ModuleFacts, Span } from "@agentgate/parsers";
import type { GateName } from "@agentgate/rules/gates";
import type { ChangedFile } from "../change/change.ts";
import type { TreePath } from "../paths.ts";
import { contextAlone, definitionOf, gateCallsByName, gateCallsIn, gatesOf, writes } from "./gate-code.ts";
import type { GateDefinition } from "./gate-code.ts";
import { basePathOf } from "./input.ts";
import type { WeakeningInput } from "./input.ts";
import type { Keys } from "./policy-document.ts";
import { declaredGates } from "./policy-gates.ts";
import { FIRST_LINE, fileWeakening } from "./record.ts";
import type { Place } from "./record.ts";
import type { Weakening } from "./weakening.ts";

interface Module {
  readonly file: ChangedFile;
  readonly base: ModuleFacts;
  /** Null where the module is deleted or can no longer be parsed. */
  readonly head: ModuleFacts | null;
}

/** Gates whose definition is gone or emptied, and modules that write and no longer call one. `policy`: the keys at the base. */
export function gateWeakenings(input: WeakeningInput, policy: Keys): Weakening[] {
  const gates = gatesOf(declaredGates(policy));
  return modulesOf(input).flatMap((module) => [...gates.flatMap((gate) => definitionWeakenings(input, module, gate)), ...callWeakenings(input, module, gates)]);
}

function modulesOf({ difference }: WeakeningInput): Module[] {
  return difference.files.flatMap((file) => {
    const base = file.basePath === null ? null : difference.base.facts(file.basePath);
    if (base === null) return [];
    return [{ file, base, head: file.status === "deleted" ? null : difference.head.facts(file.path) }];
  });
}

function definitionWeakenings(input: WeakeningInput, { file, base, head }: Module, gate: GateName): Weakening[] {
  const from = basePathOf(file);
  const old = definitionOf(base, from, gate);
  if (old === null || (gate.declared === null && old.callback !== "calls")) return [];
  const now = head === null ? null : definitionOf(head, file.path, gate);
  if (now !== null) return isEmptied(old, now) ? [emptied(file, head!, gate, now)] : [];
  // One that moved still has to call what it is given.
  const moved = input.difference.files.some((other) => other.status !== "deleted" && other.path !== file.path && isCalling(input, other, gate));
  if (moved) return [];
  const message = `${gate.name} was the gate around writes in ${from}, and its definition is gone: nothing binds the writes to it any more. Put it back, or have the owner of the gate accept it.`;
  return [fileWeakening(file, { kind: "gate-removed", at: head === null ? FIRST_LINE : nearest(base, head, old.span[0]), message, subject: gate.name })];
}

function isEmptied(old: GateDefinition, now: GateDefinition): boolean {
  const order = ["neither", "hands-on", "calls"];
  return order.indexOf(now.callback) < order.indexOf(old.callback);
}

function emptied(file: ChangedFile, facts: ModuleFacts, gate: GateName, now: GateDefinition): Weakening {
  const what = now.callback === "neither" ? "does nothing with it" : "only hands it on";
  const message = `The gate ${gate.name} called the callback that it is given and now ${what}: what runs inside it is no longer what it was asked to guard. Put the call back, or have the owner of the gate accept it.`;
  return fileWeakening(file, { kind: "gate-emptied", at: placeAt(facts, now.span), message, subject: gate.name });
}

function isCalling({ difference }: WeakeningInput, file: ChangedFile, gate: GateName): boolean {
  const facts = difference.head.facts(file.path);
  if (facts === null) return false;
  const before = file.basePath === null ? null : difference.base.facts(file.basePath);
  const had = before !== null && definitionOf(before, basePathOf(file), gate)?.callback === "calls";
  return !had && definitionOf(facts, file.path, gate)?.callback === "calls";
}

function callWeakenings(input: WeakeningInput, { file, base, head }: Module, gates: readonly GateName[]): Weakening[] {
  if (head === null) return [];
  const calls = gateCallsOn(input, "base", basePathOf(file), base, gates);
  if (calls.length === 0 || gateCallsOn(input, "head", file.path, head, gates).length > 0) return [];
  const context = input.contextOf?.("head", file.path) ?? contextAlone(file.path, input.policy.capabilities);
  if (!writes(head, context)) return [];
  const names = [...new Set(calls.map(({ gate }) => gate))].join(", ");
  const message = `${file.path} made its writes through ${names} and no longer calls it, while it still writes. Put the gate back around the write, or have the owner of the gate accept it.`;
  return [fileWeakening(file, { kind: "gate-call-removed", at: nearest(base, head, calls[0]!.call.nameSpan[0]), message, subject: names })];
}

function gateCallsOn(input: WeakeningInput, side: "base" | "head", path: TreePath, facts: ModuleFacts, gates: readonly GateName[]): ReturnType<typeof gateCallsIn> {
  const context = input.contextOf?.(side, path) ?? null;
  return context === null ? gateCallsByName(facts, gates) : gateCallsIn(facts, context);
}

function placeAt(facts: ModuleFacts, [start, end]: Span): Place {
  const { line, column } = positionAt(facts.lines, start);
  return { line, column, length: Math.max(1, end - start) };
}

/** The line of a place at the base, at most the last one at head. */
function nearest(base: ModuleFacts, head: ModuleFacts, offset: number): Place {
  return { line: Math.min(positionAt(base.lines, offset).line, Math.max(1, head.lines.length)), column: 1, length: 1 };
}
