import data from "./data/verbs.json" with { type: "json" };

const words = (lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(" ").split(" "));
const READS = words(data.read);
const WRITES = words(data.write);
const SKIPPED = words([data.skip]);
const WEAK = words([data.weak]);
const MAKERS = words([data.makers]);
/** Verbs that are nouns at the end of a name: `result_set`. */
const NOUNS = words([data.nouns]);
/** Methods of lists and texts: what they change is what a read gave. */
const OF_RESULTS = words([data.results]);

/**
 * What the last telling name of a member path does; null where no name tells. A name that may end a write as well
 * (`insert(row).select()`) reads only where nothing before it writes.
 */
export function verbOf(path: readonly string[]): "read" | "write" | null {
  let weak: "read" | null = null;
  for (let index = path.length - 1; index >= 0; index -= 1) {
    const name = path[index] ?? "";
    const verb = verbOfName(name) ?? (index === path.length - 1 ? lastVerb(name) : null);
    if (verb === "read" && WEAK.has(name.toLowerCase())) weak = "read";
    else if (verb === "write" && OF_RESULTS.has(name) && readsBefore(path, index)) return "read";
    else if (verb !== null) return verb;
  }
  return weak;
}

/** `list_objects().get("Contents").append(one)`: the nearest verb before it reads. */
function readsBefore(path: readonly string[], index: number): boolean {
  const before = path.slice(Math.max(0, index - 6), index).map(verbOfName);
  return before.findLast((verb) => verb !== null) === "read";
}

/** True for what makes or closes a client, or a handle on a part of it: `getBlobClient`, `createQueryBuilder`. */
export function isMaker(name: string): boolean {
  return MAKERS.has(name.toLowerCase());
}

/**
 * `get_object`, `GetObjectCommand`, `findMany`, `begin_create`: by the first word that is no filler. A read that goes on
 * to write is a write (`findOneAndUpdate`, `get_or_create`); `collection_exists` asks.
 */
export function verbOfName(name: string): "read" | "write" | null {
  const whole = name.toLowerCase();
  if (MAKERS.has(whole)) return null;
  if (READS.has(whole)) return "read";
  if (WRITES.has(whole)) return "write";
  const words = wordsOf(name);
  const verb = firstVerb(words);
  if (verb === "read" && goesOnToWrite(words)) return "write";
  return verb ?? (words.length > 1 && words.at(-1) === "exists" ? "read" : null);
}

function firstVerb(words: readonly string[]): "read" | "write" | null {
  for (const word of words) {
    if (READS.has(word)) return "read";
    if (WRITES.has(word)) return "write";
    if (!SKIPPED.has(word)) return null;
  }
  return null;
}

function goesOnToWrite(words: readonly string[]): boolean {
  return words.some((word, index) => (word === "and" || word === "or") && WRITES.has(words[index + 1] ?? ""));
}

/** What is called after an area and a verb: `accounts_get`, `filesUpload`, `issue_create`, `files_delete_v2`. */
function lastVerb(name: string): "read" | "write" | null {
  if (MAKERS.has(name.toLowerCase())) return null;
  const words = wordsOf(name).filter((word) => !/^(?:v\d+|async|sync)$/.test(word));
  const last = words.length > 1 ? (words.at(-1) ?? "") : "";
  if (NOUNS.has(last)) return null;
  return READS.has(last) ? "read" : WRITES.has(last) ? "write" : null;
}

function wordsOf(name: string): string[] {
  return name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[_$-]+/)
    .filter((word) => word !== "");
}
