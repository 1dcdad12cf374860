import { constantsOf } from "@agentgate/parsers";
import type { Call, FunctionFacts, ModuleFacts, ValueId } from "@agentgate/parsers";
import { argumentOf } from "../arguments.ts";
import { givenByCallers, namedAround } from "../callers.ts";
import { bare, originsOf } from "../expressions.ts";
import { chainOf } from "./chain.ts";
import { asGraphql, authenticates } from "./bodies.ts";
import { partsOf, piecesOf } from "./pieces.ts";
import { isInReader } from "./readers.ts";
import { optionOf, requestOf, sendsChange, sentBy } from "./verbs.ts";
import { HANDSHAKES, READ_PATHS, READ_PATHS_ANYWHERE, READ_PATHS_BEFORE_OPEN, READ_PATHS_WEAK, READ_PATH_SEGMENTS } from "./vocabulary.ts";

const LONGEST_TEXT = 2000;

/** Whether what an HTTP call with a mutating verb sends only reads or authenticates, by its address or its GraphQL text. */
export function onlyReads(facts: ModuleFacts, call: Call, name: string): boolean {
  if (!/^(?:post|request|fetch|send|urlopen|ajax|stream)$|post/i.test(name) || sendsChange(facts, call, name)) return false;
  const made = requestOf(facts, call) ?? call;
  const address = addressOf(facts, made);
  if (authenticates(facts, made) || isOfModel(facts, call)) return true;
  if (address === null) return asGraphql(facts, made) === "read";
  const texts = addressTexts(facts, address);
  if (texts.length > 0 ? texts.every(readsByPath) : readsByName(facts, address) || asksModel(facts, call)) return true;
  const isGraphql = texts.some((text) => /graphql/i.test(text)) || asGraphql(facts, made) !== null;
  if (isGraphql) return asGraphql(facts, made) !== "mutation";
  return sentBy(facts, call, name) === "post" && isInReader(facts, call);
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
  return originsOf(facts, id).values.flatMap((origin) => textsOf(facts, origin)).filter((text) => /[^\0]/.test(text));
}

/** The text with what the callers in the file give for a parameter in it: `f"{base}{path}"` of a private helper. */
function textsOf(facts: ModuleFacts, id: ValueId): readonly string[] {
  const value = facts.values[bare(facts, id)];
  const parts = value === undefined ? null : partsOf(facts, id, value);
  const last = parts?.at(-1);
  const given = last === undefined ? givenByCallers(facts, id) : givenByCallers(facts, last);
  if (given === null || given.length === 0) return [piecesOf(facts, id)];
  const before = parts === null ? "" : parts.slice(0, -1).map((part) => piecesOf(facts, part)).join("");
  return given.map((text) => before + text);
}

/** Whether the end of a path says that a POST to it reads, computes or authenticates. */
export function readsByPath(address: string): boolean {
  const path = address.slice(0, LONGEST_TEXT).replace(/^[a-z]+:\/\/[^/\0]*/i, "").split(/[?#]/, 1)[0] ?? "";
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== "\0");
  if (isHandshake(segments)) return true;
  if (segments.some((segment) => READ_PATHS_ANYWHERE.has(segment.toLowerCase()))) return true;
  // What follows the last slash is open: the segment before it names a collection, not an action.
  const last = segments.at(-1) ?? "";
  if (/\/\0+$/.test(path)) return READ_PATHS_BEFORE_OPEN.has(last.toLowerCase());
  return READ_PATH_SEGMENTS.has(last.replaceAll("\0", "").toLowerCase()) || wordsIn(last).some((word) => READ_PATHS.has(word));
}

/** A session is opened: `/hub/negotiate`. */
function isHandshake(segments: readonly string[]): boolean {
  const path = `/${segments.join("/").toLowerCase()}`;
  return HANDSHAKES.some((last) => path.endsWith(`/${last}`));
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
  return [id, ...originsOf(facts, id).values].some((each) => isNamedAsRead(facts, each));
}

function isNamedAsRead(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  const name = value?.kind === "name" ? value.name : value?.kind === "member" ? value.property ?? "" : "";
  if (!/ur[il]$|endpoint$/i.test(name)) return false;
  return camelWords(name).split(/[-_$]+/).some((word) => READ_PATHS.has(word) && !READ_PATHS_WEAK.has(word));
}

/** `callCompletionApi` of an address that is handed in: the function around it says what is asked for. */
function asksModel(facts: ModuleFacts, call: Call): boolean {
  return camelWords(functionAround(facts, call).name).split(/[-_$]+/).some((word) => MODEL_WORDS.has(word));
}

/** `_call` of a `class Local(LLM)`. */
function isOfModel(facts: ModuleFacts, call: Call): boolean {
  const { name, class: owner } = functionAround(facts, call);
  const bases = facts.classes[owner]?.bases ?? [];
  return ASKING.test(name) && bases.some((base) => MODEL_BASES.test(chainOf(facts, base)?.names.at(-1) ?? ""));
}

function functionAround(facts: ModuleFacts, call: Call): FunctionFacts {
  return facts.functions[namedAround(facts, call.function)]!;
}

const MODEL_WORDS = new Set(["completion", "completions", "embedding", "embeddings", "embed", "rerank", "tokenize"]);
/** What LangChain's classes of models ask their model by. */
const ASKING = /^_?a?(?:call|stream|generate|embed|invoke|completion)/i;
const MODEL_BASES = /^(?:Base|Simple)?(?:LLM|ChatModel|Embeddings)$/;
