import { CAPABILITIES } from "@agentgate/rules";
import { comparePaths, normalise } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import type { Finding, License, LicensedFinding } from "../report.ts";
import { quoted } from "./quoted.ts";
import type { PolicyProblem } from "./validate.ts";

/** At the root, beside the policy. */
export const BASELINE_FILE = "agentgate-baseline.json";

/** Of the file's form. */
export const BASELINE_VERSION = 1;

/** About 250,000 lines. */
export const MAX_BASELINE_BYTES = 33_554_432;

/** What a finding of this rule says is held by module and capability; of every other rule, by fingerprint. */
const BY_CAPABILITY = "no-invented-io";

/** What the gate could not read, or what is wrong with the policy itself: recording it would not make it good. */
const NEVER_HELD: ReadonlySet<string> = new Set(["parse-error", "not-judged", "config", "gate-weakened", "expired-permit", "unused-port"]);

/** Whether a baseline can hold findings of a rule. */
export function isHoldable(rule: string): boolean {
  return !NEVER_HELD.has(rule);
}

/** Rules whose finding says that a file was not judged in full, so that nothing can be said to have gone from it. */
const UNREAD: ReadonlySet<string> = new Set(["parse-error", "not-judged"]);

const KNOWN_CAPABILITIES: ReadonlySet<string> = new Set(CAPABILITIES);

/** One line of the file. */
export type BaselineEntry =
  | { readonly kind: "module"; readonly path: TreePath; readonly capabilities: readonly string[]; readonly line: number }
  | { readonly kind: "finding"; readonly path: TreePath; readonly rule: string; readonly fingerprint: string; readonly count: number; readonly line: number };

type ModuleEntry = Extract<BaselineEntry, { kind: "module" }>;
type FindingEntry = Extract<BaselineEntry, { kind: "finding" }>;

/** What a tree had when its baseline was written. Lines are 1-based. */
export class Baseline {
  readonly entries: readonly BaselineEntry[];
  readonly #modules = new Map<TreePath, ModuleEntry>();
  readonly #findings = new Map<string, FindingEntry>();

  constructor(entries: readonly BaselineEntry[]) {
    this.entries = entries;
    for (const entry of entries) {
      if (entry.kind === "module") this.#modules.set(entry.path, entry);
      else this.#findings.set(findingKey(entry), entry);
    }
  }

  /** The line that holds a capability of a module, or null. */
  capabilityLine(path: TreePath, capability: string): number | null {
    const entry = this.#modules.get(path);
    return entry?.capabilities.includes(capability) === true ? entry.line : null;
  }

  /** The line that holds a finding, or null. It holds `findingCount` equal ones and no more: see `BaselineUse`. */
  findingLine(path: TreePath, rule: string, fingerprint: string): number | null {
    return this.#findings.get(findingKey({ path, rule, fingerprint }))?.line ?? null;
  }

  /** How many equal findings it holds. */
  findingCount(path: TreePath, rule: string, fingerprint: string): number {
    return this.#findings.get(findingKey({ path, rule, fingerprint }))?.count ?? 0;
  }
}

function findingKey({ path, rule, fingerprint }: Pick<FindingEntry, "path" | "rule" | "fingerprint">): string {
  return `finding ${path} ${rule} ${fingerprint}`;
}

/** What one run takes from a baseline: of equal findings only as many as were there when it was written. */
export class BaselineUse {
  readonly #baseline: Baseline;
  readonly #taken = new Map<string, number>();

  constructor(baseline: Baseline) {
    this.#baseline = baseline;
  }

  /** What holds a finding, each call counting as one; `path` is the module's at the time of the baseline. */
  take(finding: Pick<Finding, "rule" | "path" | "capability" | "fingerprint">): License | null {
    const line = this.#lineOf(finding);
    return line === null ? null : { kind: "baseline", path: BASELINE_FILE, line, owner: "", note: "" };
  }

  #lineOf({ rule, path, capability, fingerprint }: Pick<Finding, "rule" | "path" | "capability" | "fingerprint">): number | null {
    if (!isHoldable(rule)) return null;
    if (rule === BY_CAPABILITY) return capability === null ? null : this.#baseline.capabilityLine(path, capability);
    const key = findingKey({ path, rule, fingerprint });
    const taken = this.#taken.get(key) ?? 0;
    if (taken >= this.#baseline.findingCount(path, rule, fingerprint)) return null;
    this.#taken.set(key, taken + 1);
    return this.#baseline.findingLine(path, rule, fingerprint);
  }
}

/** A baseline that was read, or why it cannot be in force (`failure`: the end of a sentence). */
export type BaselineRead =
  | { readonly baseline: Baseline; readonly problems: readonly PolicyProblem[] }
  | { readonly failure: string };

/** Longer than any path is, with every character escaped. */
const MAX_LINE = 65_536;

const ENTRY = /^ *("(?:[^"\\]|\\.)*"): *("(?:[^"\\]|\\.)*"|[0-9]{1,9})(,?) *$/;
const FINDING_KEY = /^finding ([^]+) ([a-z][a-z0-9/-]*) ([0-9a-f]{64})$/;
const MODULE_KEY = /^module ([^]+)$/;

class LineError extends Error {}

/**
 * Reads the text of a baseline. Its form is one entry a line, as `formatBaseline` writes it; the order does not
 * matter, so that what git merges line by line is read. A line that can hold nothing is a problem.
 */
export function readBaseline(text: string): BaselineRead {
  if (text.length > MAX_BASELINE_BYTES) return { failure: `has more than ${MAX_BASELINE_BYTES} bytes` };
  try {
    return entriesOf(text.replace(/^\uFEFF/, "").split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)));
  } catch (error) {
    if (error instanceof LineError) return { failure: error.message };
    throw error;
  }
}

function entriesOf(lines: readonly string[]): BaselineRead {
  let end = lines.length;
  while (end > 0 && lines[end - 1]!.trim() === "") end--;
  if (lines[0] !== "{" || end < 2 || lines[end - 1] !== "}") throw new LineError("is no list of entries in braces that stand on lines of their own");
  const entries: BaselineEntry[] = [];
  const problems: PolicyProblem[] = [];
  const seen = new Set<string>();
  for (let index = 1; index < end - 1; index++) {
    const { key, value } = pairOf(lines[index]!, index + 1, index === end - 2);
    if (seen.has(key)) throw new LineError(`says the same twice (line ${index + 1})`);
    seen.add(key);
    if (key === "version") requireVersion(value, index + 1);
    else entries.push(entryOf(key, value, index + 1));
  }
  if (!seen.has("version")) throw new LineError("has no version");
  for (const entry of entries) problems.push(...problemsOf(entry, lines[entry.line - 1]!));
  return { baseline: new Baseline(entries), problems };
}

function pairOf(line: string, number: number, last: boolean): { readonly key: string; readonly value: string | number } {
  if (/^(?:<{7}|={7}|>{7}|\|{7})/.test(line)) throw new LineError(`holds a merge conflict (line ${number})`);
  const match = line.length > MAX_LINE ? null : ENTRY.exec(line);
  if (match === null) throw new LineError(`holds a line that is no entry (line ${number})`);
  if ((match[3] === "") !== last) throw new LineError(last ? `ends with a comma (line ${number})` : `misses a comma (line ${number})`);
  try {
    return { key: JSON.parse(match[1]!) as string, value: JSON.parse(match[2]!) as string | number };
  } catch {
    throw new LineError(`holds a line that is no entry (line ${number})`);
  }
}

function requireVersion(value: string | number, line: number): void {
  if (value !== BASELINE_VERSION) throw new LineError(`has a version that this agentgate does not read (line ${line}); it reads version ${BASELINE_VERSION}`);
}

function entryOf(key: string, value: string | number, line: number): BaselineEntry {
  const module = MODULE_KEY.exec(key);
  if (module !== null && typeof value === "string") return { kind: "module", path: module[1]!, capabilities: value.split(" "), line };
  const finding = FINDING_KEY.exec(key);
  if (finding === null || typeof value !== "number" || value < 1) throw new LineError(`holds a line that is no entry (line ${line})`);
  return { kind: "finding", path: finding[1]!, rule: finding[2]!, fingerprint: finding[3]!, count: value, line };
}

/** Why an entry holds nothing, or not all that it says. */
function problemsOf(entry: BaselineEntry, line: string): PolicyProblem[] {
  const column = line.length - line.trimStart().length + 1;
  const place = { line: entry.line, column, length: Math.max(1, line.length - column + 1) };
  const problem = (why: string): PolicyProblem[] => [{ message: `${why}, so this line holds nothing of it. Run agentgate baseline to write the file anew.`, ...place }];
  if (normalise(entry.path) !== entry.path || entry.path.startsWith("/")) return problem("A path of the baseline is relative to the root and has no `.` or `..` segment");
  if (entry.kind === "finding") return !isHoldable(entry.rule) || entry.rule === BY_CAPABILITY ? problem(`A finding of ${entry.rule} cannot be held by its fingerprint`) : [];
  const unknown = entry.capabilities.filter((capability) => !KNOWN_CAPABILITIES.has(capability));
  return unknown.length === 0 ? [] : problem(`${unknown.map((one) => JSON.stringify(one)).join(", ")} is no capability`);
}

/** What `formatBaseline` needs of a report on the whole tree. */
export interface BaselineInput {
  readonly findings: readonly Finding[];
  /** Of these only what the last baseline holds. */
  readonly permitted: readonly LicensedFinding[];
}

/**
 * The text of the baseline for a report: what nothing else licenses. The same findings give the same bytes: an object
 * of one entry a line, sorted by key, with the version last, so that no entry's line depends on another's.
 *
 * @param previous what it says of files that could not be judged this time is kept
 */
export function formatBaseline(input: BaselineInput, previous: Baseline | null = null): string {
  const held = [...input.findings, ...input.permitted.filter((finding) => finding.by.kind === "baseline")];
  const capabilities = new Map<TreePath, Set<string>>();
  const counts = new Map<string, number>();
  for (const finding of held.filter((one) => isHoldable(one.rule))) {
    if (finding.rule === BY_CAPABILITY) addCapabilities(capabilities, finding.path, finding.capability === null ? [] : [finding.capability]);
    else counts.set(findingKey(finding), (counts.get(findingKey(finding)) ?? 0) + 1);
  }
  const unread = new Set(input.findings.filter((finding) => UNREAD.has(finding.rule)).map((finding) => finding.path));
  for (const entry of previous?.entries ?? []) {
    if (!unread.has(entry.path)) continue;
    if (entry.kind === "module") addCapabilities(capabilities, entry.path, entry.capabilities);
    else counts.set(findingKey(entry), Math.max(counts.get(findingKey(entry)) ?? 0, entry.count));
  }
  const entries: [string, string | number][] = [...counts];
  for (const [path, listed] of capabilities) entries.push([`module ${path}`, [...listed].sort(comparePaths).join(" ")]);
  const lines = entries.sort(([left], [right]) => comparePaths(left, right)).map(([key, value]) => `  ${quoted(key)}: ${typeof value === "number" ? value : quoted(value)},`);
  return ["{", ...lines, `  "version": ${BASELINE_VERSION}`, "}", ""].join("\n");
}

function addCapabilities(to: Map<TreePath, Set<string>>, path: TreePath, capabilities: readonly string[]): void {
  const known = to.get(path) ?? new Set<string>();
  for (const capability of capabilities) known.add(capability);
  if (known.size > 0) to.set(path, known);
}

/** How two texts of a baseline differ, in lines that hold something. */
export function compareBaselines(before: string | null, after: string): { readonly added: number; readonly kept: number; readonly dropped: number } {
  const [old, now] = [entryLines(before ?? ""), entryLines(after)];
  const kept = [...now].filter((line) => old.has(line)).length;
  return { added: now.size - kept, kept, dropped: old.size - kept };
}

function entryLines(baseline: string): ReadonlySet<string> {
  return new Set(baseline.split("\n").map((line) => line.trim()).filter((line) => /^"(?:finding|module) /.test(line)).map((line) => line.replace(/,$/, "")));
}
