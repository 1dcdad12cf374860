import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { argumentOf } from "../arguments.ts";
import { originsOf } from "../expressions.ts";
import { piecesOf } from "./pieces.ts";
import { headOf, optionOf } from "./verbs.ts";

const BODIES = ["data", "json", "body", "form"];
const MOST_STEPS = 32;

/** Whether a request sends a grant of OAuth (RFC 6749): `data={"grant_type": "refresh_token"}`. */
export function authenticates(facts: ModuleFacts, call: Call): boolean {
  const second = argumentOf(facts, call, 1, null);
  const pending = [...BODIES.map((name) => optionOf(facts, call, name)), typeof second === "number" ? second : null].filter((id) => id !== null);
  for (let step = 0; pending.length > 0 && step < MOST_STEPS; step++) {
    for (const origin of originsOf(facts, pending.pop()!).values) {
      const value = facts.values[origin];
      if (value?.kind === "call") pending.push(...facts.calls[value.call]!.arguments.map((argument) => argument.value));
      if (value?.kind === "table" && value.entries.some(({ key }) => key !== null && isText(facts, key, "grant_type"))) return true;
      if (/(?:^|&)grant_type=/.test(headOf(facts, origin))) return true;
    }
  }
  return false;
}

function isText(facts: ModuleFacts, id: ValueId, text: string): boolean {
  const value = facts.values[id];
  return value?.kind === "string" && value.value === text;
}

/** What a GraphQL request does, by the text that it sends; null where nothing shows that it is one. */
export function asGraphql(facts: ModuleFacts, call: Call): "read" | "mutation" | "unknown" | null {
  for (const name of ["json", "body", "data", "query"]) {
    const body = optionOf(facts, call, name);
    const text = body === null ? null : graphqlText(facts, body);
    if (text !== null) return text;
  }
  const second = argumentOf(facts, call, 1, null);
  return typeof second === "number" ? graphqlText(facts, second) : null;
}

/** The `query` entry of a table, also inside `JSON.stringify`. */
function graphqlText(facts: ModuleFacts, id: ValueId): "read" | "mutation" | "unknown" | null {
  const pending = [id];
  for (let step = 0; pending.length > 0 && step < 16; step++) {
    const value = facts.values[pending.pop()!];
    if (value?.kind === "call") pending.push(...facts.calls[value.call]!.arguments.map((argument) => argument.value));
    else if (value?.kind === "name") pending.push(...(facts.bindings[value.binding]?.values ?? []));
    if (value?.kind !== "table") continue;
    for (const { key, value: given } of value.entries) {
      const written = key === null ? undefined : facts.values[key];
      if (written?.kind !== "string" || written.value !== "query") continue;
      const text = piecesOf(facts, given);
      if (/^\s*mutation\b/.test(text)) return "mutation";
      return /^\s*(?:query\b|\{|fragment\b)/.test(text) ? "read" : "unknown";
    }
  }
  return null;
}

/** Whether a text by itself is a GraphQL query: `query Issues($first: Int) { … }`, `{ viewer { login } }`. */
export function isQueryText(text: string): boolean {
  return /^\s*(?:query(?:\s+\w+)?\s*[({]|\{\s*[a-z_]\w*\s*[({])/i.test(text);
}
