import { constantsOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { argumentOf } from "../arguments.ts";
import { childrenOf } from "../expressions.ts";
import { headOf, optionOf, requestOf } from "./verbs.ts";
import { READ_PATHS, READ_PATHS_ANYWHERE, READ_PATHS_WEAK } from "./vocabulary.ts";

const MOST_PIECES = 64;
const LONGEST_TEXT = 2000;

/** Whether what an HTTP call with a mutating verb sends only reads or authenticates, by its address or its GraphQL text. */
export function onlyReads(facts: ModuleFacts, call: Call, name: string): boolean {
  if (!/^(?:post|request|fetch|send|urlopen|ajax|stream)$|post/i.test(name)) return false;
  const made = requestOf(facts, call) ?? call;
  const address = addressOf(facts, made);
  if (address === null) return asGraphql(facts, made) === "read";
  const texts = addressTexts(facts, address);
  if (texts.length > 0 && texts.every(readsByPath)) return true;
  const isGraphql = texts.some((text) => /graphql/i.test(text)) || asGraphql(facts, made) !== null;
  return isGraphql && asGraphql(facts, made) !== "mutation";
}

/** The expression that is the address: the first argument that is no verb, or the option. */
export function addressOf(facts: ModuleFacts, call: Call): ValueId | null {
  const named = optionOf(facts, call, "url") ?? optionOf(facts, call, "uri");
  if (named !== null) return named;
  for (const index of [0, 1]) {
    const given = argumentOf(facts, call, index, null);
    if (typeof given !== "number") return null;
    const constants = constantsOf(facts, given);
    const isVerb = constants !== null && constants.length > 0 && constants.every(({ value }) => typeof value === "string" && /^[A-Z]{3,7}$/.test(value));
    if (!isVerb && facts.values[given]?.kind !== "table") return given;
  }
  return null;
}

/** Every text that an address can be; where it does not fold, its literal parts in order, with a NUL for what is open. */
function addressTexts(facts: ModuleFacts, id: ValueId): readonly string[] {
  const constants = constantsOf(facts, id);
  if (constants !== null) return constants.flatMap(({ value }) => (typeof value === "string" ? [value] : []));
  const text = piecesOf(facts, id);
  return text === "" ? [] : [text];
}

/** The literal pieces of an expression in source order, names followed once. */
export function piecesOf(facts: ModuleFacts, id: ValueId): string {
  let text = "";
  const seen = new Set<ValueId>();
  const pending = [id];
  for (let step = 0; pending.length > 0 && step < MOST_PIECES && text.length < LONGEST_TEXT; step++) {
    const current = pending.pop()!;
    const value = facts.values[current];
    if (value === undefined || seen.has(current)) continue;
    seen.add(current);
    if (value.kind === "string") text += value.value;
    else if (value.kind === "name") {
      const given = facts.bindings[value.binding];
      const head = headOf(facts, current);
      if (given?.values.length === 1 && given.kind !== "parameter") pending.push(given.values[0]!);
      else text += head === "" ? "\0" : head;
    } else if (value.kind === "call" || value.kind === "template" || value.kind === "binary" || value.kind === "await") {
      const inside = value.kind === "call" ? facts.calls[value.call]!.arguments.map((argument) => argument.value) : childrenOf(facts, value);
      if (value.kind === "call") text += inside.length === 0 ? "\0" : "";
      pending.push(...[...inside].reverse());
    } else if (value.kind === "conditional") pending.push(value.then);
    else if (value.kind === "logical") pending.push(value.left);
    else text += "\0";
  }
  return text;
}

/** Whether the end of a path says that a POST to it reads, computes or authenticates. */
export function readsByPath(address: string): boolean {
  const path = address.slice(0, LONGEST_TEXT).replace(/^[a-z]+:\/\/[^/\0]*/i, "").split(/[?#]/, 1)[0] ?? "";
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== "\0");
  if (segments.some((segment) => READ_PATHS_ANYWHERE.has(segment.toLowerCase()))) return true;
  // What follows the last slash is open: the segment before it names a collection, not an action.
  if (/\/?\0$/.test(path) && !/:\w+$/.test(path)) return false;
  const last = segments.at(-1) ?? "";
  return wordsIn(last).some((word) => READ_PATHS.has(word));
}

/** The whole segment, what follows a colon, and its single words where the first or the last is a telling one. */
function wordsIn(segment: string): readonly string[] {
  const plain = segment.replaceAll("\0", "").toLowerCase().replace(/\.(?:json|php|aspx?)$/, "");
  const action = plain.slice(plain.lastIndexOf(":") + 1);
  const words = segment.replaceAll("\0", "").replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase().split(/[-_.:]+/).filter((word) => word !== "");
  const ends = [words[0], words.at(-1)].filter((word) => word !== undefined && !READ_PATHS_WEAK.has(word)) as string[];
  const first = words[0] !== undefined && READ_PATHS_WEAK.has(words[0]) ? [words[0]] : [];
  return [plain, action, ...ends, ...first];
}

/** What a GraphQL request does, by the text that it sends; null where nothing shows that it is one. */
function asGraphql(facts: ModuleFacts, call: Call): "read" | "mutation" | "unknown" | null {
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
      const text = piecesOf(facts, given).trimStart();
      if (/^mutation\b/.test(text)) return "mutation";
      return /^(?:query\b|\{|fragment\b)/.test(text) ? "read" : "unknown";
    }
  }
  return null;
}
