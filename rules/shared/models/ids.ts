import prefixes from "../../data/models/prefixes.json" with { type: "json" };
import { named } from "./grammar.ts";
import type { Standing } from "./grammar.ts";

/** What a text says where a model is named. */
export interface ModelId {
  /** `unknown`: no known provider has such a name. */
  readonly standing: Standing | "unknown";
  readonly provider: string | null;
  /** The word that makes it move by itself: `latest`; empty for an empty name. */
  readonly alias?: string;
  /** Without gateway and vendor. */
  readonly name: string;
}

const wordsOf = (text: string | readonly string[]): ReadonlySet<string> => new Set([text].flat().join(" ").split(" "));

const GATEWAYS = wordsOf(prefixes.gateways);
const PATHS = new Set(prefixes.paths);
const REGIONS = wordsOf(prefixes.bedrockRegions);
const VENDORS = wordsOf(prefixes.bedrockVendors);
const OWNERS = wordsOf(prefixes.hubOwners);
const OLLAMA = wordsOf(prefixes.ollama);
const VARIANTS = wordsOf(prefixes.variants);
const ALIASES = wordsOf(prefixes.aliases);
const LONGEST = 200;

const DIGEST = /^(?:sha256[:-])?[0-9a-f]{12,64}$/;
/** `20240620`, `001`, `2407`: what stands behind the at sign on Google Cloud. */
const NUMBERED = /^(?:20\d{6}|\d{3,4})$/;
const BEDROCK_VERSION = /(?:^|-)v?\d{1,2}:\d{1,2}(?::\w+)?$|-v\d{1,2}$/;
const ID = /^[\w@~.:/+-]+$/;

/**
 * What a model's name says: which provider has it, and whether it stays the same model.
 * Gateway prefixes (`openai/…`, `router/vendor/name`, `vendor:name`, `us.anthropic.…`) and suffixes (`@20240620`,
 * `:8b`, `:free`, `v1:0`) are read by the rules of who uses them. Text that cannot be a name is unknown.
 */
export function modelId(text: string): ModelId {
  const id = text.trim().toLowerCase();
  if (id === "") return { standing: "moving", provider: null, alias: "", name: "" };
  if (id.length > LONGEST || !ID.test(id)) return unknown(id);
  if (id.startsWith("ft:")) return { standing: "pinned", provider: "OpenAI", name: id };
  const place = withoutPrefixes(id.startsWith("arn:") ? id.slice(id.lastIndexOf("/") + 1) : id);
  const answer = byName(place);
  const alias = aliasIn(id);
  if (alias !== null && answer.standing !== "pinned") return { ...answer, standing: "moving", alias };
  return answer;
}

/** A name and what stood before it. */
interface Placed {
  readonly name: string;
  /** The first provider, gateway or owner that was named and is known. */
  readonly place: string | null;
  readonly isOllama: boolean;
  readonly isHub: boolean;
}

function withoutPrefixes(id: string): Placed {
  let name = id.startsWith("~") || id.startsWith("@cf/") ? id.slice(1) : id;
  let place: string | null = null;
  let isOllama = false;
  let isHub = false;
  for (let step = 0; step < 6; step++) {
    const end = prefixEnd(name);
    if (end < 0) break;
    const prefix = name.slice(0, end);
    isOllama ||= OLLAMA.has(prefix);
    isHub ||= OWNERS.has(prefix) && name[end] === "/";
    if (GATEWAYS.has(prefix) || isHub || isOllama) place ??= prefix;
    name = name.slice(end + 1);
  }
  return { name, place, isOllama, isHub };
}

/** Where a prefix ends that is a gateway, a provider, an owner or a part of a resource's path; -1 where none stands there. */
function prefixEnd(name: string): number {
  const slash = name.indexOf("/");
  const colon = name.indexOf(":");
  const end = slash < 0 || (colon >= 0 && colon < slash) ? colon : slash;
  if (end <= 0 || end === name.length - 1) return -1;
  const prefix = name.slice(0, end);
  if (GATEWAYS.has(prefix) || OLLAMA.has(prefix) || PATHS.has(prefix)) return end;
  return slash === end ? end : -1;
}

function byName({ name, place, isOllama, isHub }: Placed): ModelId {
  const at = name.lastIndexOf("@");
  if (at > 0) return versioned(name.slice(0, at), name.slice(at + 1));
  const bedrock = onBedrock(name);
  if (bedrock !== null) return bedrock;
  const colon = name.indexOf(":");
  if (colon > 0) return tagged(name.slice(0, colon), name.slice(colon + 1), place, isOllama);
  const found = named(name);
  // Without a tag it is `latest`.
  if (isOllama) return { standing: "moving", provider: "Ollama", name };
  // The owner's repository: only a commit id says which weights.
  if (isHub && found?.standing !== "pinned") return { standing: found?.standing ?? "undatable", provider: found?.provider ?? "the model hub", name };
  if (found !== null) return { standing: found.standing, provider: found.provider, name };
  return place === null ? unknown(name) : { standing: "undatable", provider: place, name };
}

/** `name@20240620`, `name@sha256:…`, `name@latest`. */
function versioned(name: string, version: string): ModelId {
  const provider = named(name)?.provider ?? null;
  if (DIGEST.test(version) || NUMBERED.test(version)) return { standing: "pinned", provider: provider ?? "its registry", name };
  if (ALIASES.has(version)) return { standing: "moving", provider, name, alias: version };
  return provider === null ? unknown(name) : { standing: "moving", provider, name };
}

/** `us.anthropic.claude-3-5-sonnet-20241022-v2:0`; null where the vendor does not stand first. */
function onBedrock(name: string): ModelId | null {
  const parts = name.split(".");
  const first = REGIONS.has(parts[0]!) ? 1 : 0;
  if (parts.length < first + 2 || !VENDORS.has(parts[first]!)) return null;
  const rest = parts.slice(first + 1).join(".");
  if (BEDROCK_VERSION.test(rest)) return { standing: "pinned", provider: "Amazon Bedrock", name: rest };
  const found = named(rest);
  return { standing: found?.standing ?? "undatable", provider: found?.provider ?? "Amazon Bedrock", name: rest };
}

/** `llama3.1:8b`, `vendor-model:free`. */
function tagged(name: string, tag: string, place: string | null, isOllama: boolean): ModelId {
  const found = named(name);
  if (DIGEST.test(tag)) return { standing: "pinned", provider: found?.provider ?? "its registry", name };
  if (isOllama || isSizeTag(tag)) return { standing: isExactTag(tag) ? "undatable" : "moving", provider: "Ollama", name };
  if (found === null) return place === null ? unknown(name) : { standing: "undatable", provider: place, name };
  if (VARIANTS.has(tag) || ALIASES.has(tag) || found.standing !== "undatable") return { ...found, name };
  return { standing: isExactTag(tag) ? "undatable" : "moving", provider: "Ollama", name };
}

/** `8b`, `8x7b-instruct`: only Ollama's library tags a name with the size of its weights. */
function isSizeTag(tag: string): boolean {
  return /^(?:\d+x)?\d+(?:\.\d+)?b(?:-|$)/.test(tag);
}

/** A tag that says how the weights are stored names one file; `8b` is pushed anew. */
function isExactTag(tag: string): boolean {
  return /(?:^|-)(?:q\d|fp16|bf16|f16|iq\d)/.test(tag);
}

/** An alias word that is a whole segment: `latest` of `gpt-latest`, never `free` of `freedom`. */
function aliasIn(id: string): string | null {
  return id.split(/[-_/:@.]/).find((segment) => ALIASES.has(segment)) ?? null;
}

function unknown(name: string): ModelId {
  return { standing: "unknown", provider: null, name };
}
