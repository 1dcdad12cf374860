import type { Reference } from "@agentgate/parsers";
import type { Capability } from "./capability.ts";

/** What is known of a call's arguments when an API's capability depends on them (`open` by its mode). */
export interface ArgumentsView {
  /**
   * The constant alternatives of the argument at `index` or with keyword or option `name`;
   * `"absent"` where it is not given, `null` where it does not fold.
   */
  constants(index: number | null, name: string | null): readonly (string | number | boolean | null)[] | "absent" | null;
  /** The text that the argument surely begins with, where it does not fold; empty where unknown. */
  head?(index: number | null, name: string | null): string;
  /** What the argument can be outside the file (`yaml.SafeLoader`), all of what `|` joins; empty where one is unknown. */
  references?(index: number | null, name: string | null): readonly Reference[];
}

export interface ArgumentRule {
  readonly rule: string;
  readonly index: number | null;
  readonly name: string | null;
}

type Decide = (call: ArgumentsView, rule: ArgumentRule) => readonly Capability[];

const RULES: Readonly<Record<string, Decide>> = {
  mode: byMode,
  flags: byFlags,
  options: byOptions,
  sql: bySql,
  route: byRoute,
  graphql: byGraphql,
  cypher: byCypher,
  text: (call, rule) => (someText(call, rule, () => true) ? ["code"] : []),
  loader: (call, rule) => (isPlainText(call, rule) ? [] : ["opaque"]),
  "safe-loader": bySafeLoader,
  "weights-only": (call, rule) => (isAlways(call, rule, true) ? ["fs.read"] : ["fs.read", "code"]),
  file: byFile,
  sink: (call, rule) => (someText(call, rule, () => true) ? ["fs.write"] : []),
  element: (call, rule) => (someText(call, rule, (text) => /^script$/i.test(text)) ? ["code"] : []),
  worker: byWorker,
  "in-place": (call, rule) => (call.constants(rule.index, rule.name) === "absent" || isAlways(call, rule, false) ? ["fs.read"] : ["fs.write"]),
  place: (call, rule) => (isAddress(call, rule) ? ["net"] : ["fs.read"]),
  // Signal 0 sends nothing: it asks whether the process is there.
  signal: (call, rule) => (isAlways(call, rule, 0) ? [] : ["proc"]),
};

/** What an API can be at worst when it is not called here: handed on as a value, imported. */
const UNCALLED: Readonly<Record<string, readonly Capability[]>> = {
  mode: ["fs.write"],
  flags: ["fs.write"],
  options: ["fs.write"],
  sql: ["db.write"],
  route: ["cloud.write"],
  graphql: ["cloud.write"],
  cypher: ["db.write"],
  loader: ["opaque"],
  "safe-loader": ["code"],
  "weights-only": ["fs.read", "code"],
  signal: ["proc"],
  "in-place": ["fs.write"],
  place: ["fs.read"],
};

/** The names of all rules that data may use. */
export const ARGUMENT_RULES: readonly string[] = Object.keys(RULES);

/** Every capability a rule can give, the worst first. */
export function worstOf(rule: string): readonly Capability[] {
  return UNCALLED[rule] ?? (rule === "file" || rule === "sink" ? ["fs.write"] : ["code"]);
}

/** The capabilities of an API that depends on its arguments; without a call, of the API as a value. */
export function decide(rule: ArgumentRule, call: ArgumentsView | undefined): readonly Capability[] {
  if (call === undefined) return UNCALLED[rule.rule] ?? [];
  return RULES[rule.rule]?.(call, rule) ?? ["opaque"];
}

/** `read_csv("https://…")`: where it is read from is an address, as far as that is written. */
function isAddress(call: ArgumentsView, rule: ArgumentRule): boolean {
  const given = call.constants(rule.index, rule.name);
  const texts = given === "absent" ? [] : given ?? [call.head?.(rule.index, rule.name) ?? ""];
  return texts.some((text) => typeof text === "string" && /^(?:https?|ftp|s3a?|gs|gcs|abfss?|az|hdfs):\/\//i.test(text));
}

function byMode(call: ArgumentsView, rule: ArgumentRule): readonly Capability[] {
  const modes = call.constants(rule.index, rule.name);
  if (modes === "absent") return ["fs.read"];
  if (modes === null) return ["fs.write"];
  // tarfile's `r:xz` holds an x that is no mode.
  const writes = (mode: unknown): boolean => typeof mode === "string" && /[wax+]/.test(mode.split(/[:|]/, 1)[0] ?? "");
  return modes.some(writes) ? ["fs.write"] : ["fs.read"];
}

/** Flags of open(2) that neither write nor create; Windows' own among them. */
const READING_FLAGS = new Set([
  "O_RDONLY", "O_NOFOLLOW", "O_CLOEXEC", "O_NOINHERIT", "O_BINARY", "O_TEXT", "O_NOATIME", "O_DIRECTORY", "O_PATH", "O_SEARCH",
  "O_NONBLOCK", "O_NDELAY", "O_NOCTTY", "O_DIRECT", "O_SYMLINK", "O_RANDOM", "O_SEQUENTIAL", "UV_FS_O_FILEMAP",
]);

/** `fs.open(path, "w")` and `os.open(path, os.O_RDONLY)`; numbers are the flags of POSIX, 0 being read only. */
function byFlags(call: ArgumentsView, rule: ArgumentRule): readonly Capability[] {
  const flags = call.constants(rule.index, rule.name);
  if (flags === "absent") return ["fs.read"];
  if (flags === null) {
    const names = call.references?.(rule.index, rule.name) ?? [];
    return names.length > 0 && names.every((name) => READING_FLAGS.has(name.path.at(-1) ?? "")) ? ["fs.read"] : ["fs.write"];
  }
  const writes = (flag: unknown): boolean => (typeof flag === "number" ? flag !== 0 : typeof flag === "string" && /[wa+]/.test(flag));
  return flags.some(writes) ? ["fs.write"] : ["fs.read"];
}

/** `Deno.open(path, { write: true })`. */
function byOptions(call: ArgumentsView, rule: ArgumentRule): readonly Capability[] {
  if (call.constants(rule.index, null) === "absent") return ["fs.read"];
  const asked = ["write", "append", "create", "createNew", "truncate"].map((name) => call.constants(null, name));
  const known = call.constants(null, "read") !== "absent" || asked.some((values) => values !== "absent");
  const writes = asked.some((values) => values === null || (values !== "absent" && values.some((value) => value !== false)));
  return writes || !known ? ["fs.write"] : ["fs.read"];
}

const LONGEST_STATEMENT = 20_000;
const MUTATES = /\b(?:insert|update|delete|merge|replace|drop|alter|create|truncate|grant|revoke|call|exec|attach|copy|vacuum|reindex)\b/i;

function bySql(call: ArgumentsView, rule: ArgumentRule): readonly Capability[] {
  const statements = call.constants(rule.index, rule.name);
  if (statements === "absent") return ["db.write"];
  const texts = statements ?? [call.head?.(rule.index, rule.name) ?? ""];
  return texts.every((text) => typeof text === "string" && readsOnly(text)) ? ["db.read"] : ["db.write"];
}

/** True for a statement that surely only reads. Comments at the front are skipped. */
export function readsOnly(sql: string): boolean {
  if (sql.length > LONGEST_STATEMENT) return false;
  const text = withoutLeadingComments(sql);
  const verb = /^[\s(]*([a-z]+)/i.exec(text)?.[1]?.toLowerCase();
  switch (verb) {
    case "select":
    case "values":
    case "table":
      return !MUTATES.test(afterFirstStatement(text));
    case "show":
    case "describe":
    case "desc":
      return afterFirstStatement(text).trim() === "";
    case "with":
    case "explain":
      return !MUTATES.test(text);
    case "pragma":
      return !text.includes("=") && afterFirstStatement(text).trim() === "";
    default:
      return false;
  }
}

/** `octokit.request("GET /repos/{owner}")`: a route begins with its verb. */
function byRoute(call: ArgumentsView, rule: ArgumentRule): readonly Capability[] {
  return everyText(call, rule, (text) => /^\s*(?:get|head)\s/i.test(text)) ? ["cloud.read"] : ["cloud.write"];
}

/** A GraphQL document that begins with `query` or a selection; one with a mutation anywhere may change something. */
function byGraphql(call: ArgumentsView, rule: ArgumentRule): readonly Capability[] {
  return everyText(call, rule, (text) => /^\s*(?:query\b|\{|fragment\b)/.test(text) && !/\bmutation\b/.test(text)) ? ["cloud.read"] : ["cloud.write"];
}

const CYPHER_CHANGES = /\b(?:create|merge|set|delete|detach|remove|drop|call|foreach|load)\b/i;

/** A Cypher statement that only matches and returns. Calls of procedures may do anything. */
function byCypher(call: ArgumentsView, rule: ArgumentRule): readonly Capability[] {
  const reads = (text: string): boolean => /^\s*(?:match|optional|with|unwind|return|show|explain|profile)\b/i.test(text) && !CYPHER_CHANGES.test(text);
  return everyText(call, rule, reads) ? ["db.read"] : ["db.write"];
}

/** Whether all that the argument can be passes the test; where it does not fold, what it surely begins with. */
function everyText(call: ArgumentsView, rule: ArgumentRule, test: (text: string) => boolean): boolean {
  const values = call.constants(rule.index, rule.name);
  if (values === "absent") return false;
  const texts = values ?? [call.head?.(rule.index, rule.name) ?? ""];
  return texts.every((text) => typeof text === "string" && text.length <= LONGEST_STATEMENT && test(text));
}

function withoutLeadingComments(sql: string): string {
  let text = sql.trimStart();
  for (;;) {
    const end = text.startsWith("--") ? text.indexOf("\n") : text.startsWith("/*") ? text.indexOf("*/") : null;
    if (end === null) return text;
    if (end < 0) return "";
    text = text.slice(text.startsWith("--") ? end + 1 : end + 2).trimStart();
  }
}

function afterFirstStatement(sql: string): string {
  const end = sql.indexOf(";");
  return end < 0 ? "" : sql.slice(end + 1);
}

/** A file is written where one is named; a number is a descriptor that is open already (`pino.destination(1)`). */
function byFile(call: ArgumentsView, rule: ArgumentRule): readonly Capability[] {
  const values = call.constants(rule.index, rule.name);
  if (values === "absent") return [];
  return values?.every((value) => typeof value === "number") === true ? [] : ["fs.write"];
}

const SAFE_LOADERS = new Set(["SafeLoader", "CSafeLoader", "BaseLoader", "CBaseLoader"]);

function bySafeLoader(call: ArgumentsView, rule: ArgumentRule): readonly Capability[] {
  const loaders = call.references?.(rule.index, rule.name) ?? [];
  const safe = loaders.length > 0 && loaders.every((loader) => SAFE_LOADERS.has(loader.path.at(-1) ?? ""));
  return safe ? [] : ["code"];
}

/** A worker's own file is judged where it lies; text, remote and blob addresses are code. */
function byWorker(call: ArgumentsView, rule: ArgumentRule): readonly Capability[] {
  const evaluates = call.constants(null, "eval");
  if (evaluates === null || (evaluates !== "absent" && evaluates.some((value) => value !== false))) return ["code"];
  return someText(call, rule, (text) => /^(?:data|blob|https?):/i.test(text)) ? ["code"] : [];
}

function someText(call: ArgumentsView, rule: ArgumentRule, test: (text: string) => boolean): boolean {
  const values = call.constants(rule.index, rule.name);
  if (values === "absent") return false;
  if (values === null) {
    const head = call.head?.(rule.index, rule.name) ?? "";
    return head !== "" && test(head);
  }
  return values.some((value) => typeof value === "string" && test(value));
}

function isPlainText(call: ArgumentsView, rule: ArgumentRule): boolean {
  const values = call.constants(rule.index, rule.name);
  return Array.isArray(values) && values.every((value) => typeof value === "string");
}

function isAlways(call: ArgumentsView, rule: ArgumentRule, expected: boolean | number): boolean {
  const values = call.constants(rule.index, rule.name);
  return Array.isArray(values) && values.every((value) => value === expected);
}
