import type { ArgumentsView } from "./arguments.ts";
import { worstOf } from "./arguments.ts";
import type { Capability } from "./capability.ts";
import type { Entry, Verdict } from "./format.ts";
import { PURE } from "./format.ts";
import type { Catalogue } from "./load.ts";
import { isHarmlessName, isHarmlessSegment, isPlain, namesConstant, namesException, type Language } from "./names.ts";

export interface Match {
  readonly verdict: Verdict;
  /** Exactly this member is listed, or it is the entry itself. */
  readonly exact: boolean;
  /** How many members the longest listed part has. */
  readonly depth: number;
}

export interface MemberQuestion {
  readonly language: Language;
  readonly members: readonly string[];
  readonly instance: boolean;
  readonly call: ArgumentsView | undefined;
}

/** What an entry says of a member: a listed name, a method of its instances, else what the longest listed part says. */
export function matchMember(entry: Entry, question: MemberQuestion): Match {
  const { members } = question;
  const listed = longestListed(entry, members, question.language);
  const { depth } = listed;
  if (depth === members.length) return { verdict: listed.verdict, exact: true, depth };
  if (isResultOfPlain(entry, question)) return { verdict: PURE, exact: false, depth };
  const method = members.length > 1 || question.instance ? methodVerdict(entry, members) : null;
  if (method !== null) return { verdict: method, exact: true, depth };
  if (isHarmless(entry, question, depth)) return { verdict: PURE, exact: false, depth };
  return { verdict: inherited(listed.verdict, depth), exact: false, depth };
}

/** No entry lists a member further down; a hostile chain may be as long as its file. */
const DEEPEST = 8;

function longestListed(entry: Entry, members: readonly string[], language: Language): { verdict: Verdict; depth: number } {
  for (let depth = Math.min(members.length, DEEPEST); depth > 0; depth -= 1) {
    const parent = members.slice(0, depth - 1).join(".");
    const last = members[depth - 1] ?? "";
    const verdict = listedVerdict(entry, parent, last) ?? (language === "ecmascript" ? syncVerdict(entry, parent, last) : null);
    if (verdict !== null) return { verdict, depth };
  }
  return { verdict: entry.members.get("") ?? entry.verdict, depth: 0 };
}

function listedVerdict(entry: Entry, parent: string, last: string): Verdict | null {
  const exact = entry.members.get(parent === "" ? last : `${parent}.${last}`);
  if (exact !== undefined) return exact;
  const pattern = entry.patterns.find((one) => {
    if (one.parent !== parent) return false;
    return last.length >= one.start.length + one.end.length && last.startsWith(one.start) && last.endsWith(one.end);
  });
  return pattern?.verdict ?? null;
}

/** `readFileSync` is what `readFile` is. */
function syncVerdict(entry: Entry, parent: string, last: string): Verdict | null {
  return last.endsWith("Sync") && last.length > 4 ? listedVerdict(entry, parent, last.slice(0, -4)) : null;
}

function methodVerdict(entry: Entry, members: readonly string[]): Verdict | null {
  const last = members.at(-1) ?? "";
  const bare = last.endsWith("Sync") ? last.slice(0, -4) : last;
  return entry.members.get(`.${last}`) ?? entry.members.get(`.${bare}`) ?? patternMethod(entry, last);
}

function patternMethod(entry: Entry, last: string): Verdict | null {
  return entry.patterns.some((one) => one.parent === ".") ? listedVerdict(entry, ".", last) : null;
}

/** A member of a method's plain result (`read_text().replace`) does nothing, whatever it is called. */
function isResultOfPlain(entry: Entry, { members, language }: MemberQuestion): boolean {
  return members.slice(0, -1).some((name) => entry.plain.has(name) || (entry.mixed && isPlain(language, name)));
}

/** Exception classes, constants and type modules of a package whose other members do I/O. */
function isHarmless(entry: Entry, { members, instance, call }: MemberQuestion, depth: number): boolean {
  if (members.slice(depth).some(namesException)) return true;
  if (instance || entry.verdict.kind === "pure") return false;
  const last = members.at(-1) ?? "";
  if (isHarmlessName(last)) return true;
  if (call === undefined && namesConstant(last)) return true;
  const firstClass = members.findIndex((name) => /^[A-Z]/.test(name));
  return members.slice(0, firstClass < 0 ? members.length : firstClass).some(isHarmlessSegment);
}

/** What a call's arguments decide for the call says nothing of the result's members. */
function inherited(verdict: Verdict, depth: number): Verdict {
  return verdict.kind === "arguments" && depth > 0 ? PURE : verdict;
}

/** True where a member below this one does I/O: `os` and `importlib` have such, `os.environ` has none. */
export function hasListedBelow(entry: Entry, members: readonly string[]): boolean {
  if (members.length === 0) return entry.members.size > 0 || entry.patterns.length > 0;
  const prefix = `${members.join(".")}.`;
  for (const [name, verdict] of entry.members) if (name.startsWith(prefix) && verdict.kind !== "pure") return true;
  return entry.patterns.some((one) => `${one.parent}.` === prefix && one.verdict.kind !== "pure");
}

const unions = new WeakMap<Entry, readonly Capability[]>();

/** Every capability that a module has through any of its members and submodules. */
export function allCapabilities(catalogue: Catalogue, entry: Entry): readonly Capability[] {
  const known = unions.get(entry);
  if (known !== undefined) return known;
  const found = new Set<Capability>();
  collect(entry, found);
  for (const key of catalogue.keys()) {
    if (!key.startsWith(`${entry.key}.`)) continue;
    const below = catalogue.get(key)?.entry;
    if (below !== undefined) collect(below, found);
  }
  const union = [...found];
  unions.set(entry, union);
  return union;
}

function collect(entry: Entry, into: Set<Capability>): void {
  const verdicts = [entry.verdict, ...entry.members.values(), ...entry.patterns.map((pattern) => pattern.verdict)];
  for (const verdict of verdicts) for (const capability of capabilitiesOf(verdict)) into.add(capability);
}

function capabilitiesOf(verdict: Verdict): readonly Capability[] {
  switch (verdict.kind) {
    case "pure": return [];
    case "capabilities": return verdict.capabilities;
    case "verb": return [`${verdict.family}.read`, `${verdict.family}.write`];
    case "arguments": return worstOf(verdict.rule);
  }
}
