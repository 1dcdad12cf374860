import type { ModuleFacts } from "@agentgate/parsers";
import { RULE_METAS } from "@agentgate/rules";
import { addedLines } from "../change/added-lines.ts";
import type { ChangedFile } from "../change/change.ts";
import { suppressionsOf } from "../judging/suppressions.ts";
import type { Suppression } from "../judging/suppressions.ts";
import { eslintComments } from "./eslint-comments.ts";
import type { EslintComment } from "./eslint-comments.ts";
import { baseText, basePathOf, headText } from "./input.ts";
import type { Suppressed, WeakeningInput } from "./input.ts";
import { FIRST_LINE, fileWeakening, suppressionWeakening } from "./record.ts";
import type { Place } from "./record.ts";
import type { Weakening } from "./weakening.ts";

const NAMES = {
  known: (): boolean => true,
  suppressible: (id: string): boolean => RULE_METAS.find((meta) => meta.id === id)?.suppressible ?? true,
};

/** Comments of a changed module that suppress, for us or for ESLint, what none suppressed at the base. */
export async function suppressionWeakenings(input: WeakeningInput, file: ChangedFile): Promise<Weakening[]> {
  const facts = file.status === "deleted" ? null : input.difference.head.facts(file.path);
  if (facts === null) return [];
  const before = file.basePath === null ? null : input.difference.base.facts(basePathOf(file));
  const { base, head } = input.difference;
  const asks = facts.directives.some(({ text }) => /agentgate/i.test(text));
  const now = asks ? await headText(head, file) : null;
  const lines = now === null ? null : addedLines(await baseText(base, file), now);
  return [...ownWeakenings(input, file, { facts, before, isAdded: (line) => lines?.has(line) ?? false }), ...await eslintWeakenings(input, file, facts, before)];
}

/** A module on both sides, and which of its lines at head the base does not have. */
interface Compared {
  readonly facts: ModuleFacts;
  readonly before: ModuleFacts | null;
  readonly isAdded: (line: number) => boolean;
}

/** The valid directives of a module, in source order, by what they ask for and each line that they speak for. */
class Directives {
  readonly all: readonly Suppression[];
  readonly #speaking = new Map<string, Suppression[]>();
  readonly #counts = new Map<string, number>();

  constructor(facts: ModuleFacts) {
    this.all = suppressionsOf(facts, NAMES).valid;
    for (const directive of this.all) {
      const asked = askedKey(directive);
      this.#counts.set(asked, (this.#counts.get(asked) ?? 0) + 1);
      for (let line = directive.line; line <= directive.endLine + 1; line++) {
        const key = `${line} ${asked}`;
        const others = this.#speaking.get(key);
        if (others === undefined) this.#speaking.set(key, [directive]);
        else others.push(directive);
      }
    }
  }

  /** The one that an entry comes from: it stands on the entry's line, else it ends on the line above. */
  of(entry: Suppressed): Suppression | undefined {
    const speaking = this.#speaking.get(`${entry.line} ${askedKey(entry)}`) ?? [];
    return speaking.find(({ line, endLine }) => line <= entry.line && entry.line <= endLine) ?? speaking.at(-1);
  }

  /** How many ask for the same. */
  count(asked: string): number {
    return this.#counts.get(asked) ?? 0;
  }
}

function askedKey({ rule, reason }: { readonly rule: string; readonly reason: string }): string {
  return JSON.stringify([rule, reason]);
}

function entryKey(entry: Suppressed): string {
  return `${entry.fingerprint} ${askedKey(entry)}`;
}

/** One for each finding that a directive suppresses, and one for a directive that suppresses none. */
function entriesOf(directives: Directives, suppressed: readonly Suppressed[]): Suppressed[] {
  const known = suppressed.filter((entry) => entry.fingerprint !== "");
  const busy = new Set<Suppression>();
  for (const entry of known) {
    const directive = directives.of(entry);
    if (directive !== undefined) busy.add(directive);
  }
  const idle = directives.all.filter((directive) => !busy.has(directive));
  return [...known, ...idle.map(({ rule, reason, owner, line }) => ({ rule, fingerprint: "", reason, owner, line }))];
}

function ownWeakenings(input: WeakeningInput, file: ChangedFile, { facts, before, isAdded }: Compared): Weakening[] {
  const directives = new Directives(facts);
  const old = before === null ? null : new Directives(before);
  const head = entriesOf(directives, input.suppressed("head", file.path));
  const base = old === null ? [] : entriesOf(old, input.suppressed("base", basePathOf(file)));
  // A directive whose finding is gone suppresses less than it did.
  const isShrunk = taking(beyond(base, head, entryKey), askedKey);
  const oldFirst = [...head].sort((one, other) => Number(isAdded(one.line)) - Number(isAdded(other.line)));
  const added = beyond(oldFirst, base, entryKey).filter((entry) => entry.fingerprint !== "" || !isShrunk(entry));
  const stood = new Set(base.map(askedKey));
  return added.map((entry) => {
    const asked = askedKey(entry);
    // One more comment with the words of an old one is new, where its own line is.
    const isNew = !stood.has(asked) || (isAdded(entry.line) && directives.count(asked) > (old?.count(asked) ?? 0));
    return ownWeakening(file, entry, placeOfEntry(facts, directives, entry), isNew);
  });
}

function ownWeakening(file: ChangedFile, entry: Suppressed, at: Place, isNew: boolean): Weakening {
  const kind = isNew ? "suppression-added" as const : "suppression-widened" as const;
  const comment = `comment that allows ${entry.rule} ("${entry.reason}", ${entry.owner})`;
  const message = isNew
    ? `A ${comment} is new, and no change may license itself. Delete it and settle what it covers, or have an owner of the code accept it.`
    : `The ${comment} now covers a finding that it did not cover at the base. Move or correct the code under it, or have the owner it names accept it.`;
  return suppressionWeakening(file.path, { kind, at, message, subject: `${entry.rule} ${entry.fingerprint} ${entry.reason}` }, entry);
}

/** Those of one list beyond their equals in the other. */
function beyond<T>(all: readonly T[], others: readonly T[], key: (one: T) => string): T[] {
  const isKnown = taking(others, key);
  return all.filter((one) => !isKnown(one));
}

/** Says of one after the other whether the list still has an equal, and takes that out. */
function taking<T>(all: readonly T[], key: (one: T) => string): (one: T) => boolean {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(key(one), (counts.get(key(one)) ?? 0) + 1);
  return (one) => {
    const count = counts.get(key(one)) ?? 0;
    counts.set(key(one), Math.max(0, count - 1));
    return count > 0;
  };
}

function placeOfEntry(facts: ModuleFacts, directives: Directives, entry: Suppressed): Place {
  const directive = directives.of(entry);
  if (directive === undefined) return { line: entry.line, column: 1, length: 1 };
  return placeOfSpan(facts, directive.span[0], directive.span[1], directive.line);
}

/** The part of a span on its first line. */
function placeOfSpan(facts: ModuleFacts, start: number, end: number, line: number): Place {
  const lineStart = facts.lines[line - 1] ?? 0;
  const nextLine = facts.lines[line] ?? Infinity;
  return { line, column: start - lineStart + 1, length: Math.max(1, Math.min(end, nextLine - 1) - start) };
}

async function eslintWeakenings({ difference }: WeakeningInput, file: ChangedFile, facts: ModuleFacts, before: ModuleFacts | null): Promise<Weakening[]> {
  if (!facts.directives.some(({ text }) => text.includes("eslint"))) return [];
  const head = eslintComments(facts, await headText(difference.head, file));
  const base = before === null ? [] : eslintComments(before, await baseText(difference.base, file));
  const added = extra(head, base).filter((comment) => comment.form !== "enable").map((comment) => eslintWeakening(file, placeOfComment(facts, comment), comment));
  const stillOff = head.some((comment) => comment.form === "disable");
  const widened = stillOff ? extra(base, head).filter((comment) => comment.form === "enable") : [];
  return [...added, ...widened.map((comment) => eslintWeakening(file, FIRST_LINE, comment))];
}

/** The comments of one list beyond those of the other. One that names a rule takes the place of one that named none. */
function extra(comments: readonly EslintComment[], others: readonly EslintComment[]): EslintComment[] {
  const isKnown = taking(others, keyOf);
  return comments.filter((comment) => !isKnown(comment)).filter((comment) => !isKnown({ ...comment, rule: "*" }));
}

function keyOf({ form, rule }: EslintComment): string {
  return `${form} ${rule}`;
}

function placeOfComment(facts: ModuleFacts, comment: EslintComment): Place {
  const directive = facts.directives.find((one) => one.line === comment.line && one.text.includes("eslint"));
  return directive === undefined ? { line: comment.line, column: 1, length: 1 } : placeOfSpan(facts, directive.span[0], directive.span[1], directive.line);
}

function eslintWeakening(file: ChangedFile, at: Place, comment: EslintComment): Weakening {
  const rule = comment.rule === "*" ? "every rule" : `agentgate/${comment.rule}`;
  const what = comment.form === "enable"
    ? `The comment that turned ${rule} on again is gone, so that it stays off to the end of the file`
    : `A new comment (${comment.form === "configure" ? "eslint" : `eslint-${comment.form}`}) takes ${rule} out of ESLint's view`;
  const message = `${what}. Delete the comment that turns it off, or have an owner of the code accept it.`;
  return fileWeakening(file, { kind: "eslint-suppression-added", at, message, subject: keyOf(comment) });
}
