import { constantsOf, constantHead } from "@agentgate/parsers";
import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { bare } from "../expressions.ts";
import { ownClass } from "../selves.ts";
import { hostOf } from "./hosts.ts";

const DEEPEST = 8;

/**
 * A text that is equal for two expressions which surely give the same: the same names, members, constants and calls. Names
 * stand for themselves, not for what they were given. Cut off at eight levels.
 */
export function likeness(facts: ModuleFacts, id: ValueId, depth = 0): string {
  const value = facts.values[bare(facts, id)];
  if (value === undefined || depth > DEEPEST) return "…";
  const of = (inner: ValueId): string => likeness(facts, inner, depth + 1);
  switch (value.kind) {
    case "string":
      return JSON.stringify(value.value);
    case "number":
    case "constant":
      return String(value.value);
    case "name":
      if (ownClass(facts, bare(facts, id)) >= 0) return "self";
      return value.binding < 0 ? value.name : `${value.name}#${String(value.binding)}`;
    case "self":
      return "self";
    case "member":
      return `${of(value.object)}.${value.property ?? `[${value.key === null ? "" : of(value.key)}]`}`;
    case "call": {
      const call = facts.calls[value.call]!;
      return `${of(call.callee)}(${call.arguments.slice(0, 12).map((argument) => `${argument.name ?? ""}=${of(argument.value)}`).join()})`;
    }
    case "template":
      return `t(${value.parts.slice(0, 12).map(of).join()})`;
    case "list":
      return `[${value.items.slice(0, 12).map(of).join()}]`;
    case "table":
      return `{${value.entries.slice(0, 12).map((entry) => `${entry.key === null ? "" : of(entry.key)}:${of(entry.value)}`).join()}}`;
    case "binary":
      return `(${of(value.left)}${value.operator}${of(value.right)})`;
    case "logical":
      return `(${of(value.left)} ${value.operator} ${of(value.right)})`;
    default:
      return `${value.kind}@${String(id)}`;
  }
}

/** What an address begins with: its host where that is written, else the name or member at its head. */
export function baseOf(facts: ModuleFacts, id: ValueId): string {
  const host = hostOf(constantHead(facts, id));
  if (host !== null) return `host ${host}`;
  let current = bare(facts, id);
  for (let step = 0; step < 32; step++) {
    const value = facts.values[current];
    if (value?.kind === "template" && value.parts.length > 0) current = bare(facts, value.parts[0]!);
    else if (value?.kind === "binary" && value.operator === "+") current = bare(facts, value.left);
    else if (value?.kind === "member" && value.property !== null && PARTS.has(value.property)) current = bare(facts, value.object);
    else if (value?.kind === "call") {
      const next = behindCall(facts, facts.calls[value.call]!);
      if (next === null) break;
      current = bare(facts, next);
    } else if (value?.kind === "name") {
      const given = facts.bindings[value.binding]?.values ?? [];
      const shape = given.length === 1 ? facts.values[given[0]!]?.kind : undefined;
      if (shape !== "template" && shape !== "binary" && shape !== "call" && shape !== "name" && shape !== "member") break;
      current = bare(facts, given[0]!);
    } else break;
  }
  return likeness(facts, current);
}

/** Members and methods of addresses and texts that keep the host. */
const PARTS = new Set(["href", "origin", "host", "toString", "toJSON", "geturl", "rstrip", "strip", "trim", "replace", "removesuffix", "format"]);

function behindCall(facts: ModuleFacts, call: Call): ValueId | null {
  const callee = facts.values[call.callee];
  if (callee?.kind === "member" && callee.property !== null && PARTS.has(callee.property)) return callee.object;
  const [first, second] = call.arguments;
  if (first === undefined) return null;
  // `new URL(path, base)`.
  return second !== undefined && constantHead(facts, first.value).startsWith("/") ? second.value : first.value;
}

/** Whether two expressions are the same model, or name the same text. */
export function isSameTarget(facts: ModuleFacts, one: ValueId, other: ValueId): boolean {
  if (likeness(facts, one) === likeness(facts, other)) return true;
  const [first, second] = [constantsOf(facts, one), constantsOf(facts, other)];
  return first?.length === 1 && second?.length === 1 && first[0]!.value === second[0]!.value;
}
