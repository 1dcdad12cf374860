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
  const head = constantHead(facts, id);
  const host = hostOf(head);
  if (host !== null) return `host ${host}`;
  // `http://` in place of `https://` asks the same host.
  if (SCHEME.test(head) || isSchemeAlone(facts, id)) return "scheme";
  return likeness(facts, headAt(facts, id));
}

/** The expression at the head of an address: the name, member or text that says its host. */
export function headAt(facts: ModuleFacts, id: ValueId): ValueId {
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
  return current;
}

const SCHEME = /^(?:https?|wss?):\/\/$/i;

/** `${scheme}://${host}`: what comes first is no more than the scheme. */
function isSchemeAlone(facts: ModuleFacts, id: ValueId): boolean {
  let current = bare(facts, id);
  let after: ValueId | undefined;
  for (let step = 0; step < 32; step++) {
    const value = facts.values[current];
    if (value?.kind === "template" && value.parts.length > 1) [current, after] = [bare(facts, value.parts[0]!), value.parts[1]];
    else if (value?.kind === "binary" && value.operator === "+") [current, after] = [bare(facts, value.left), value.right];
    else if (value?.kind === "name" && after === undefined) {
      const given = facts.bindings[value.binding]?.values ?? [];
      if (given.length !== 1) return false;
      current = bare(facts, given[0]!);
    } else break;
  }
  const text = after === undefined ? undefined : facts.values[after];
  return text?.kind === "string" && text.value.startsWith("://");
}

/** Members and methods of addresses and texts that keep the host. */
const PARTS = new Set(["href", "origin", "host", "toString", "toJSON", "geturl", "rstrip", "strip", "trim", "replace", "removesuffix", "format"]);

function isEmptyText(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  return value?.kind === "string" && value.value === "";
}

function behindCall(facts: ModuleFacts, call: Call): ValueId | null {
  const callee = facts.values[call.callee];
  if (callee?.kind === "member" && callee.property !== null && PARTS.has(callee.property)) return callee.object;
  const [first, second] = call.arguments;
  if (first === undefined) return null;
  // `"".concat(base, path)`.
  if (callee?.kind === "member" && callee.property === "concat") return isEmptyText(facts, callee.object) ? first.value : callee.object;
  // `new URL(path, base)`.
  return second !== undefined && constantHead(facts, first.value).startsWith("/") ? second.value : first.value;
}

/**
 * What an expression stands for under another name: names to the one thing that they were given, and of `model or
 * self.model` and `self.model if model is None else model` what comes first. What only comes second may be a spare.
 */
export function alsoKnownAs(facts: ModuleFacts, id: ValueId): readonly ValueId[] {
  const found: ValueId[] = [];
  let current: ValueId | undefined = bare(facts, id);
  while (current !== undefined && found.length < DEEPEST && !found.includes(current)) {
    found.push(current);
    const next = firstMeant(facts, current);
    current = next === undefined ? undefined : bare(facts, next);
  }
  return found;
}

function firstMeant(facts: ModuleFacts, id: ValueId): ValueId | undefined {
  const value = facts.values[id];
  if (value?.kind === "logical") return value.operator === "and" ? undefined : value.left;
  if (value?.kind === "conditional") return [value.then, value.else].find((branch) => isAskedFor(facts, value.test, branch));
  const given = value?.kind === "name" ? facts.bindings[value.binding]?.values ?? [] : [];
  return given.length === 1 ? given[0] : undefined;
}

/** Whether a test asks only if something is there: `model`, `model is not None`, `model !== undefined`. */
function isAskedFor(facts: ModuleFacts, test: ValueId, id: ValueId): boolean {
  const value = facts.values[bare(facts, test)];
  const asked = value?.kind === "binary" && facts.values[bare(facts, value.right)]?.kind === "constant" ? value.left : value?.kind === "unary" ? value.value : test;
  return likeness(facts, asked) === likeness(facts, id);
}

/** Whether two expressions are the same model, or name the same text. */
export function isSameTarget(facts: ModuleFacts, one: ValueId, other: ValueId): boolean {
  const names = new Set(alsoKnownAs(facts, one).map((id) => likeness(facts, id)));
  if (alsoKnownAs(facts, other).some((id) => names.has(likeness(facts, id)))) return true;
  const [first, second] = [constantsOf(facts, one), constantsOf(facts, other)];
  return first?.length === 1 && second?.length === 1 && first[0]!.value === second[0]!.value;
}
