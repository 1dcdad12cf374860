import type { Place } from "@agentgate/parsers/contract";

/** A key that a line of config sets. */
export interface ConfigKey {
  readonly key: string;
  /** The key that it stands right below. */
  readonly parent: string | null;
  readonly at: Place;
}

const SECOND = new Set(["fallback", "fallbacks", "backup", "backups", "secondary"]);
const DESTINATION = new Set(["url", "urls", "host", "hosts", "endpoint", "endpoints", "base"]);

/** `fallbackBaseURL`, `FALLBACK_BASE_URL` and `fallback.base-url` in the same words. */
function wordsOf(key: string): string[] {
  return key.replaceAll(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$3 $2").toLowerCase().split(/[^a-z0-9]+/);
}

function names(words: readonly string[], set: ReadonlySet<string>): boolean {
  return words.some((word) => set.has(word));
}

/**
 * Whether a key names a second destination. Of two keys, one right below the other, one must end in the destination:
 * `secondary: { hostAliases: … }` is a matter of a database.
 */
export function isFallbackKey({ key, parent }: Pick<ConfigKey, "key" | "parent">): boolean {
  const own = wordsOf(key);
  if (names(own, SECOND) && names(own, DESTINATION)) return true;
  const above = parent === null ? [] : wordsOf(parent);
  return (names(above, SECOND) && names(own.slice(-1), DESTINATION)) || (names(own, SECOND) && names(above.slice(-1), DESTINATION));
}

interface Run {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface Opened {
  readonly indent: number;
  readonly key: string;
}

const RUN = /[A-Za-z0-9_.-]+/g;

/**
 * The keys that a config text sets, line by line: what stands before `=` or `:`, the variable after `ENV` and `name:`, the
 * first word where blanks separate. Templates and several documents in one file are common, so that no parser would do.
 */
export function keysIn(text: string, path: string): ConfigKey[] {
  const opened: Opened[] = [];
  const hasSections = /\.(?:toml|ini|conf)$/i.test(path);
  let section: string | null = null;
  return text.split("\n").flatMap((raw, index): ConfigKey[] => {
    const line = withoutComment(raw, path);
    const header = hasSections ? /^\s*\[+([^[\]]*)\]+\s*$/.exec(line) : null;
    if (header !== null) section = header[1]!;
    if (header !== null || line.trim() === "") return [];
    const indent = line.length - line.replace(/^[\s-]+/, "").length;
    while (opened.length > 0 && opened.at(-1)!.indent >= indent) opened.pop();
    const keys = keysOn(line, path, opened.at(-1)?.key ?? section);
    const opens = openedBy(line, keys.at(-1)?.text ?? null);
    if (opens !== null) opened.push({ indent, key: opens });
    return keys.map((key) => ({ key: key.text, parent: key.parent, at: { line: index + 1, column: key.start + 1, length: key.text.length } }));
  });
}

/** The key that the following lines are below: `fallback:`, `"fallback": {`, `fallback {`. */
function openedBy(line: string, lastKey: string | null): string | null {
  const end = line.trimEnd();
  if (lastKey !== null) return /(?:[:={[]|:\s[&!]\S+)$/.test(end) ? lastKey : null;
  return /^\s*([\w-]+)\s*\{$/.exec(end)?.[1] ?? null;
}

function keysOn(line: string, path: string, outer: string | null): (Run & { readonly parent: string | null })[] {
  const runs = [...line.matchAll(RUN)].map((match): Run => ({ text: match[0], start: match.index, end: match.index + match[0].length }));
  let inner: string | null = null;
  let last = 0;
  return runs.flatMap((run, index) => {
    if (line.slice(last, run.start).includes("}")) inner = null;
    last = run.end;
    if (!isSet(line, runs, index, path)) return [];
    const parent = inner ?? outer;
    if (/^["']?\s*[:=]\s*\{/.test(line.slice(run.end, run.end + 40))) inner = run.text;
    return [{ ...run, parent }];
  });
}

function isSet(line: string, runs: readonly Run[], index: number, path: string): boolean {
  const { end, start, text } = runs[index]!;
  const before = line.slice(Math.max(0, start - 2), start);
  if (/[?&$]$/.test(before) && !line.trimStart().startsWith("set ") || before === "${") return false;
  if (followedBySign(line, start, end)) return true;
  if (isNamed(line, runs, index)) return true;
  const first = runs[0]!.text;
  if (index === 1 && (first === "ENV" || first === "ARG" || first === "set")) return true;
  return index === 0 && /\.(?:conf|properties|ini)$/i.test(path) && /^\s+\S/.test(line.slice(end, end + 40)) && /[._-]|[a-z][A-Z]/.test(text);
}

/** `key =`, `key: `, `"key":`; no comparison, no address. */
function followedBySign(line: string, start: number, end: number): boolean {
  const quote = line.charAt(start - 1);
  const isQuoted = (quote === '"' || quote === "'") && line.charAt(end) === quote;
  const rest = line.slice(isQuoted ? end + 1 : end, end + 80).trimStart();
  if (rest.startsWith(":")) return isQuoted || /^:(?:=|\s|$|["'[{])/.test(rest);
  return rest.startsWith("=") && !/^=[=~]/.test(rest);
}

/** The variable of `- name: FALLBACK_URL` and `{"name": "FALLBACK_URL", …}`. */
function isNamed(line: string, runs: readonly Run[], index: number): boolean {
  const label = runs[index - 1];
  const { end, text } = runs[index]!;
  if (label === undefined || !/^(?:name|key)$/i.test(label.text) || !/^[A-Z_][A-Z0-9_]*$/.test(text)) return false;
  return followedBySign(line, label.start, label.end) && /^["']?\s*(?:[,}]|$)/.test(line.slice(end, end + 40));
}

/** A line without what its format takes for a comment: a key in a comment sets nothing. */
function withoutComment(raw: string, path: string): string {
  const line = raw.replace(/\r$/, "");
  const name = path.toLowerCase();
  if (name.endsWith(".json")) return line;
  const start = line.trimStart();
  if (start.startsWith("#")) return "";
  if (/\.(?:tf|tfvars|hcl)$/.test(name) && start.startsWith("//")) return "";
  if (/\.(?:ini|conf|properties)$/.test(name) && /^[;!]/.test(start)) return "";
  return line.slice(0, trailingComment(line));
}

/** Where a `#` after a blank begins a comment outside of quotes; else the line's end. */
function trailingComment(line: string): number {
  let quote = "";
  for (let index = 0; index < line.length; index++) {
    const letter = line.charAt(index);
    if (quote !== "") quote = letter === quote ? "" : quote;
    else if ((letter === '"' || letter === "'") && !/\w/.test(line.charAt(index - 1))) quote = letter;
    else if (letter === "#" && /\s/.test(line.charAt(index - 1))) return index;
  }
  return line.length;
}
