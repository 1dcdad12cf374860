import amazon from "../../data/models/amazon.json" with { type: "json" };
import anthropic from "../../data/models/anthropic.json" with { type: "json" };
import cohere from "../../data/models/cohere.json" with { type: "json" };
import deepseek from "../../data/models/deepseek.json" with { type: "json" };
import google from "../../data/models/google.json" with { type: "json" };
import meta from "../../data/models/meta.json" with { type: "json" };
import mistral from "../../data/models/mistral.json" with { type: "json" };
import openai from "../../data/models/openai.json" with { type: "json" };
import others from "../../data/models/others.json" with { type: "json" };
import qwen from "../../data/models/qwen.json" with { type: "json" };
import segmentForms from "../../data/models/segments.json" with { type: "json" };
import xai from "../../data/models/xai.json" with { type: "json" };

/** What a provider says of a name: one model for good, one that it exchanges, or one that has no dated version. */
export type Standing = "pinned" | "moving" | "undatable";

/** The names of one provider, as in rules/data/models. */
interface ProviderData {
  readonly provider: string;
  /** Sequences of segment forms that a pattern's `<date>` stands for. */
  readonly dates: readonly string[];
  readonly pinned: readonly string[];
  readonly undatable: readonly string[];
  readonly moving: readonly string[];
  /** Of the moving ones those of which the provider itself says that it points them to newer versions. */
  readonly documentedToMove?: readonly string[];
}

/** One place of a pattern: what a segment may be, and how often. */
interface Element {
  /** The words that it may be, where these are all. */
  readonly words: ReadonlySet<string> | null;
  readonly accepts: (segment: string) => boolean;
  readonly repeat: "once" | "maybe" | "any";
}

interface Pattern {
  readonly elements: readonly Element[];
  readonly provider: string;
  readonly standing: Standing;
}

const PROVIDERS: readonly ProviderData[] = [openai, anthropic, google, mistral, meta, cohere, xai, deepseek, qwen, amazon, others];

const SEGMENTS = new Map(Object.entries(segmentForms.segments).map(([name, form]) => [name, new RegExp(`^(?:${form})$`)]));

/** A name longer than this is none. */
const MOST_SEGMENTS = 20;

const patterns: readonly Pattern[] = PROVIDERS.flatMap((data) =>
  (["pinned", "undatable", "moving"] as const).flatMap((standing) => data[standing].flatMap((text) => patternsOf(text, data, standing))));

/** `<date>` is written once for each form of date that the provider uses. */
function patternsOf(text: string, { provider, dates }: ProviderData, standing: Standing): Pattern[] {
  const written = text.includes("<date>") ? dates.map((date) => text.replace("<date>", date)) : [text];
  return written.map((each) => ({ elements: each.split(" ").map(elementOf), provider, standing }));
}

function elementOf(text: string): Element {
  const mark = text.at(-1);
  const repeat = mark === "?" ? "maybe" : mark === "*" ? "any" : "once";
  const body = repeat === "once" ? text : text.slice(0, -1);
  if (!body.startsWith("{")) {
    const words = new Set(body.split("|"));
    return { words, accepts: (segment) => words.has(segment), repeat };
  }
  const form = SEGMENTS.get(body.slice(1, -1));
  if (form === undefined) throw new Error(`no form of segment is called ${body}`);
  return { words: null, accepts: (segment) => form.test(segment), repeat };
}

/** Patterns by the word that they begin with, in their order; under the empty one those that may begin otherwise. */
const byFirstWord: ReadonlyMap<string, readonly Pattern[]> = indexed();

function indexed(): ReadonlyMap<string, readonly Pattern[]> {
  const firstWords = (pattern: Pattern): ReadonlySet<string> | null => {
    const [first] = pattern.elements;
    return first?.repeat === "once" ? first.words : null;
  };
  const words = new Set(["", ...patterns.flatMap((pattern) => [...firstWords(pattern) ?? []])]);
  return new Map([...words].map((word) => [word, patterns.filter((pattern) => firstWords(pattern)?.has(word) ?? true)]));
}

function beginningWith(segment: string): readonly Pattern[] {
  return byFirstWord.get(segment) ?? byFirstWord.get("")!;
}

/** Goes through the segments with the set of places that the pattern may be at: no backtracking. */
function matches({ elements }: Pattern, segments: readonly string[]): boolean {
  let places = reached(elements, new Set([0]));
  for (const segment of segments) {
    const next = new Set<number>();
    for (const place of places) {
      const element = elements[place];
      if (element?.accepts(segment) === true) next.add(element.repeat === "any" ? place : place + 1);
    }
    if (next.size === 0) return false;
    places = reached(elements, next);
  }
  return places.has(elements.length);
}

/** With the places behind elements that may be left out. */
function reached(elements: readonly Element[], places: Set<number>): Set<number> {
  for (const place of places) if (elements[place] !== undefined && elements[place].repeat !== "once") places.add(place + 1);
  return places;
}

/** A name that some provider has. */
export interface Named {
  readonly provider: string;
  readonly standing: Standing;
}

/**
 * What the providers' lists say of a name without prefixes and suffixes (`gpt-4o-2024-08-06`): the first form that it
 * has, dated ones first; null where no provider has such names.
 */
export function named(name: string): Named | null {
  const segments = name.toLowerCase().split("-");
  if (segments.length > MOST_SEGMENTS) return null;
  return beginningWith(segments[0]!).find((pattern) => matches(pattern, segments)) ?? null;
}

const documented: readonly Pattern[] = PROVIDERS.flatMap((data) => (data.documentedToMove ?? []).flatMap((text) => patternsOf(text, data, "moving")));

/** Whether the provider that has a name documents that it points it to newer versions. */
export function isDocumentedToMove(name: string): boolean {
  const segments = name.toLowerCase().split("-");
  return segments.length <= MOST_SEGMENTS && documented.some((pattern) => matches(pattern, segments));
}

/** Every provider and standing that has the name; for the test that no name has two. */
export function allNamed(name: string): readonly Named[] {
  const segments = name.toLowerCase().split("-");
  return patterns.filter((pattern) => matches(pattern, segments));
}
