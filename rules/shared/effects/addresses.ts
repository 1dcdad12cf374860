import { constantsOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { argumentOf } from "../arguments.ts";
import { bare, childrenOf, originsOf } from "../expressions.ts";
import { headOf, optionOf, requestOf } from "./verbs.ts";
import { PLAIN_DATA, READ_PATHS, READ_PATHS_ANYWHERE, READ_PATHS_BEFORE_OPEN, READ_PATHS_WEAK, READ_PATH_SEGMENTS } from "./vocabulary.ts";

const MOST_PIECES = 64;
const LONGEST_TEXT = 2000;

/** Whether what an HTTP call with a mutating verb sends only reads or authenticates, by its address or its GraphQL text. */
export function onlyReads(facts: ModuleFacts, call: Call, name: string): boolean {
  if (!/^(?:post|request|fetch|send|urlopen|ajax|stream)$|post/i.test(name)) return false;
  const made = requestOf(facts, call) ?? call;
  const address = addressOf(facts, made);
  if (address === null) return asGraphql(facts, made) === "read";
  const texts = addressTexts(facts, address);
  if (texts.length > 0 ? texts.every(readsByPath) : readsByName(facts, address)) return true;
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
  return originsOf(facts, id).values.map((origin) => piecesOf(facts, origin)).filter((text) => /[^\0]/.test(text));
}

/** The literal pieces of an expression in source order, names and own attributes followed. What is open is a NUL. */
export function piecesOf(facts: ModuleFacts, id: ValueId): string {
  let text = "";
  let steps = 0;
  const pending = [id];
  while (pending.length > 0 && steps++ < MOST_PIECES && text.length < LONGEST_TEXT) {
    const current = pending.pop()!;
    const value = facts.values[current]!;
    const parts = partsOf(facts, current, value);
    if (parts !== null) pending.push(...[...parts].reverse());
    else text += value.kind === "string" ? value.value : headOf(facts, current) || "\0";
  }
  return text;
}

/** What an expression is put together from; null for what stands for itself. */
function partsOf(facts: ModuleFacts, id: ValueId, value: Value): readonly ValueId[] | null {
  switch (value.kind) {
    case "template":
    case "binary":
    case "await":
      return childrenOf(facts, value);
    case "conditional":
      return [value.then];
    case "logical":
      return [value.left];
    case "call": {
      const inside = facts.calls[value.call]!.arguments.map((argument) => argument.value);
      const callee = facts.values[facts.calls[value.call]!.callee];
      // Text methods give their text: `url.rstrip("/")`, `base.replace(a, b)`.
      if (callee?.kind === "member" && callee.property !== null && PLAIN_DATA.has(callee.property)) return callee.property === "join" ? inside : [callee.object];
      return inside.length === 0 ? null : inside;
    }
    case "name":
    case "member": {
      const origins = originsOf(facts, id).values;
      if (origins.length === 1 && origins[0] !== id) return origins;
      // `query += …` leaves the beginning as it is.
      const given = value.kind === "name" ? facts.bindings[value.binding] : undefined;
      return given?.rebound === true && given.kind !== "parameter" && given.values.length === 1 ? given.values : null;
    }
    default:
      return null;
  }
}

/** Whether the end of a path says that a POST to it reads, computes or authenticates. */
export function readsByPath(address: string): boolean {
  const path = address.slice(0, LONGEST_TEXT).replace(/^[a-z]+:\/\/[^/\0]*/i, "").split(/[?#]/, 1)[0] ?? "";
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== "\0");
  if (segments.some((segment) => READ_PATHS_ANYWHERE.has(segment.toLowerCase()))) return true;
  // What follows the last slash is open: the segment before it names a collection, not an action.
  const last = segments.at(-1) ?? "";
  if (/\/\0+$/.test(path)) return READ_PATHS_BEFORE_OPEN.has(last.toLowerCase());
  return READ_PATH_SEGMENTS.has(last.replaceAll("\0", "").toLowerCase()) || wordsIn(last).some((word) => READ_PATHS.has(word));
}

/** The whole segment, what follows a colon, and its single words where the first or the last is a telling one. */
function wordsIn(segment: string): readonly string[] {
  const plain = segment.replaceAll("\0", "").toLowerCase().replace(/\.(?:json|php|aspx?)$/, "");
  const action = plain.slice(plain.lastIndexOf(":") + 1);
  const words = camelWords(segment).split(/[-_.:]+/).filter((word) => word !== "");
  const ends = [words[0], words.at(-1)].filter((word) => word !== undefined && !READ_PATHS_WEAK.has(word)) as string[];
  const first = words[0] !== undefined && READ_PATHS_WEAK.has(words[0]) ? [words[0]] : [];
  return [plain, action, /^[a-z]*/.exec(camelWords(segment.slice(segment.lastIndexOf(":") + 1)))![0], ...ends, ...first];
}

function camelWords(text: string): string {
  return text.replaceAll("\0", "").replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
}

/** `this.tokenUrl`, `SEARCH_ENDPOINT`: an address whose name alone is known. */
function readsByName(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  const name = value?.kind === "name" ? value.name : value?.kind === "member" ? value.property ?? "" : "";
  if (!/ur[il]$|endpoint$/i.test(name)) return false;
  return camelWords(name).split(/[-_$]+/).some((word) => READ_PATHS.has(word) && !READ_PATHS_WEAK.has(word));
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
