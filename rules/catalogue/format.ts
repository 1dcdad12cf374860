import { CAPABILITIES, type Capability } from "./capability.ts";

/**
 * The shape of the files in data/. One file holds many entries; an entry describes one module, package or global.
 *
 * Keys of `entries` are names as code writes them: `urllib.request`, `@slack/web-api`, `google.cloud.*` (one more
 * segment), `@aws-sdk/*`. `pure` lists names that do no I/O.
 */
export interface CatalogueFile {
  /** Where the knowledge comes from; an entry may name its own. */
  readonly source: string;
  readonly pure?: readonly string[];
  readonly entries: Readonly<Record<string, RawEntry>>;
}

/**
 * `is` says what importing the name means: capabilities, `db` or `cloud` (read or write by the member's verb),
 * or `mixed` (nothing: members decide, and those that are not listed are pure).
 *
 * Every other key is a capability (or several, or `pure`) with the members that have it, separated by blanks:
 * `exists` a member, `Path.exists` a member of a member, `.exists` a member of any instance, `AF_*` and `*Command`
 * patterns for the last name, `types.*` everything below. `plain` are members whose result is plain data, so that
 * what is called on it is no I/O.
 */
export interface RawEntry {
  readonly is?: string;
  /** The entry says what that other one says, with its own lists on top. */
  readonly as?: string;
  /** A member named at run time does no I/O: `getattr(logging, level)`. */
  readonly computed?: "pure";
  /** The name in the registry where it differs from the key. */
  readonly package?: string;
  readonly source?: string;
  readonly plain?: Names;
  /** Of a service whose capability says nothing of it (mail, notify, pay, queue): members that only read. */
  readonly reads?: Names;
  /** And those that change or send something, where their verb does not tell. */
  readonly writes?: Names;
  readonly arguments?: Readonly<Record<string, RawArgumentRule>>;
  readonly [capabilities: string]: Names | Readonly<Record<string, RawArgumentRule>> | undefined;
}

export type Names = string | readonly string[];

export interface RawArgumentRule {
  readonly rule: string;
  readonly index?: number;
  readonly name?: string;
}

export type Family = "db" | "cloud";

/** What one name of the catalogue is. */
export type Verdict =
  | { readonly kind: "pure" }
  | { readonly kind: "capabilities"; readonly capabilities: readonly Capability[] }
  | { readonly kind: "verb"; readonly family: Family }
  | { readonly kind: "arguments"; readonly rule: string; readonly index: number | null; readonly name: string | null };

interface Pattern {
  readonly parent: string;
  readonly start: string;
  readonly end: string;
  readonly verdict: Verdict;
}

/** An entry made ready for lookups. */
export interface Entry {
  readonly key: string;
  readonly mixed: boolean;
  readonly verdict: Verdict;
  readonly members: ReadonlyMap<string, Verdict>;
  readonly patterns: readonly Pattern[];
  readonly plain: ReadonlySet<string>;
  readonly computedIsPure: boolean;
  /** The members that `reads` and `writes` list, as `db.read` and `db.write`; null where there are none. */
  readonly actions: Entry | null;
}

export const PURE: Verdict = { kind: "pure" };

const SETTINGS = new Set(["is", "as", "package", "source", "plain", "reads", "writes", "arguments", "computed"]);
const KNOWN: ReadonlySet<string> = new Set(CAPABILITIES);

/** The names of a member list. */
export function namesIn(names: Names | undefined): readonly string[] {
  if (names === undefined) return [];
  const lines = typeof names === "string" ? [names] : names;
  return lines.flatMap((line) => line.split(" "));
}

/** The capability keys of an entry with their members, as written. */
export function memberLists(raw: RawEntry): (readonly [key: string, names: readonly string[]])[] {
  return Object.keys(raw)
    .filter((key) => !SETTINGS.has(key))
    .map((key) => [key, namesIn(raw[key] as Names)]);
}

/** Reads `net`, `fs.read fs.write`, `db`, `pure`. Throws on an unknown word. */
export function verdictOf(words: string): Verdict {
  if (words === "pure" || words === "mixed") return PURE;
  if (words === "db" || words === "cloud") return { kind: "verb", family: words };
  const capabilities = words.split(" ");
  const unknown = capabilities.find((word) => !KNOWN.has(word));
  if (unknown !== undefined) throw new Error(`unknown capability in the catalogue: ${unknown}`);
  return { kind: "capabilities", capabilities: capabilities as Capability[] };
}

/** Makes an entry ready for lookups. Throws on an unknown capability. */
export function readEntry(key: string, raw: RawEntry): Entry {
  const members = new Map<string, Verdict>();
  const patterns: Pattern[] = [];
  const add = (name: string, verdict: Verdict): void => {
    if (name.includes("*")) patterns.push(patternOf(name, verdict));
    // The namespace itself is what all its members are.
    if (name.endsWith(".*") && name !== ".*" && !members.has(name.slice(0, -2))) members.set(name.slice(0, -2), verdict);
    else if (!name.includes("*")) members.set(name === "<self>" ? "" : name, verdict);
  };
  for (const [words, names] of memberLists(raw)) {
    const verdict = verdictOf(words);
    for (const name of names) add(name, verdict);
  }
  for (const [name, rule] of Object.entries(raw.arguments ?? {})) {
    add(name, { kind: "arguments", rule: rule.rule, index: rule.index ?? null, name: rule.name ?? null });
  }
  const is = raw.is ?? "mixed";
  return {
    key,
    mixed: is === "mixed",
    verdict: verdictOf(is),
    members,
    patterns,
    plain: new Set(namesIn(raw.plain)),
    computedIsPure: raw.computed === "pure",
    actions: actionsOf(key, raw),
  };
}

function actionsOf(key: string, { reads, writes }: RawEntry): Entry | null {
  if (reads === undefined && writes === undefined) return null;
  return readEntry(key, { is: "mixed", "db.read": reads ?? [], "db.write": writes ?? [] });
}

function patternOf(name: string, verdict: Verdict): Pattern {
  const dot = name.lastIndexOf(".");
  const last = name.slice(dot + 1);
  const star = last.indexOf("*");
  // ".get_*" keeps its dot as the parent: a member of any instance.
  const parent = dot === 0 ? "." : name.slice(0, Math.max(dot, 0));
  return { parent, start: last.slice(0, star), end: last.slice(star + 1), verdict };
}
