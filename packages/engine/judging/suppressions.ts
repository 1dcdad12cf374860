import type { Directive, ModuleFacts, Span } from "@agentgate/parsers";
import { positionAt } from "@agentgate/parsers";
import { isPlaceholder, ownerProblem } from "../policy/formats.ts";

/** A comment of the judged tree that asks for a suppression. */
export interface Suppression {
  readonly rule: string;
  readonly reason: string;
  readonly owner: string;
  readonly span: Span;
  readonly line: number;
  /** The line on which its comment ends; it speaks for this line and the one below. */
  readonly endLine: number;
}

/** A comment that asks for one and cannot have it. `message` says why and what to do. */
export interface BrokenSuppression {
  readonly span: Span;
  readonly message: string;
}

export interface SuppressionNames {
  readonly known: (rule: string) => boolean;
  readonly suppressible: (rule: string) => boolean;
}

const SHAPE = "`agentgate: allow <rule> -- reason, owner`";

/** Reads the directives of a module. */
export function suppressionsOf(facts: ModuleFacts, names: SuppressionNames): { readonly valid: Suppression[]; readonly broken: BrokenSuppression[] } {
  const valid: Suppression[] = [];
  const broken: BrokenSuppression[] = [];
  for (const directive of facts.directives) {
    const words = wordsOf(directive);
    if (words === null) continue;
    const problem = problemOf(words, names);
    if (problem === null) valid.push({ ...words, span: directive.span, line: directive.line, endLine: positionAt(facts.lines, Math.max(directive.span[0], directive.span[1] - 1)).line });
    else broken.push({ span: directive.span, message: `This comment suppresses nothing: ${problem}` });
  }
  return { valid, broken };
}

interface Words {
  readonly verb: string;
  readonly rule: string;
  readonly reason: string;
  readonly owner: string;
}

/** The parts of a directive; null for a comment that does not speak to agentgate. */
function wordsOf(directive: Directive): Words | null {
  const text = directive.text.trim().replace(/\*\/$/, "").replace(/^[\s*]+/, "").trim();
  const head = /^agentgate:\s*(allow|ignore|disable|suppress)\b/i.exec(text);
  if (head === null) return null;
  const rest = text.slice(head[0].length);
  const dashes = rest.indexOf("--");
  const rule = (dashes === -1 ? rest : rest.slice(0, dashes)).trim();
  const licence = dashes === -1 ? "" : rest.slice(dashes + 2).trim();
  const comma = licence.lastIndexOf(",");
  return { verb: head[1]!, rule, reason: (comma === -1 ? licence : licence.slice(0, comma)).trim(), owner: comma === -1 ? "" : licence.slice(comma + 1).trim() };
}

function problemOf(words: Words, names: SuppressionNames): string | null {
  if (words.verb !== "allow") return `the word is allow, in lower case. Write ${SHAPE}.`;
  if (words.rule === "") return `it names no rule. Write ${SHAPE}.`;
  if (!names.known(words.rule)) return `no rule is called ${words.rule}. Name one rule, as in ${SHAPE}.`;
  if (!names.suppressible(words.rule)) return `${words.rule} cannot be suppressed. Correct what it reports, and delete the comment.`;
  if (words.reason === "" || isPlaceholder(words.reason)) return `it gives no reason. Write ${SHAPE}.`;
  if (words.owner === "") return `it names no owner after the reason. Write ${SHAPE}.`;
  const problem = ownerProblem(words.owner);
  return problem === null ? null : `its owner ${words.owner} ${problem}. Write ${SHAPE}.`;
}

/** The suppressions of a module, by the lines that they speak for. */
export class Suppressions {
  readonly all: readonly Suppression[];
  readonly #onLine = new Map<string, Suppression>();
  readonly #above = new Map<string, Suppression>();

  constructor(all: readonly Suppression[]) {
    this.all = all;
    for (const one of all) {
      for (let line = one.line; line <= one.endLine; line++) if (!this.#onLine.has(keyOf(one.rule, line))) this.#onLine.set(keyOf(one.rule, line), one);
      this.#above.set(keyOf(one.rule, one.endLine + 1), one);
    }
  }

  /** The one that speaks for a finding on a line: it stands on that line, else it ends on the line above. */
  at(rule: string, line: number): Suppression | null {
    return this.#onLine.get(keyOf(rule, line)) ?? this.#above.get(keyOf(rule, line)) ?? null;
  }
}

function keyOf(rule: string, line: number): string {
  return `${line} ${rule}`;
}
