import { positionAt } from "@agentgate/parsers";
import type { Span } from "@agentgate/parsers";
import { placeOf } from "../judging/finding.ts";
import type { Module } from "../judging/module.ts";
import { baseName } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import type { Finding, RelatedPlace, ReportPosition } from "../report.ts";
import { addedLines } from "./added-lines.ts";
import { isResolutionManifest } from "./aliases.ts";
import type { OpenChange } from "./open.ts";
import { Secrets } from "./secrets/hidden.ts";
import type { Cause, Subject } from "./subjects.ts";

/** Where a finding stands. */
export interface Place {
  readonly path: TreePath;
  readonly start: ReportPosition;
  readonly end: ReportPosition;
}

/** A place in a module that a finding may stand at. */
export interface Site {
  readonly span: Span;
  readonly message: string;
}

/** Knows which lines a change added, and puts findings there: a reviewer sees only those. */
export class Places {
  readonly #change: OpenChange;
  readonly #added = new Map<TreePath, ReadonlySet<number>>();
  readonly #texts = new Map<TreePath, string>();
  readonly #secrets = new Secrets();

  constructor(change: OpenChange) {
    this.#change = change;
  }

  /** Reads what changed, so that the other questions can be answered. */
  async prepare(): Promise<void> {
    const [comparison] = this.#change.comparisons;
    if (comparison === undefined) return;
    const { base, head, files } = comparison.difference;
    for (const file of files) {
      if (!this.#isShown(file.path)) continue;
      const after = file.status === "deleted" ? null : await head.text(file.path);
      if (after === null) continue;
      this.#texts.set(file.path, after);
      this.#added.set(file.path, addedLines(file.basePath === null ? null : await base.text(file.basePath), after));
    }
  }

  /** Findings stand in source, in manifests and in configuration: not in what tools write by the thousand lines. */
  #isShown(path: TreePath): boolean {
    return this.#change.head.sources.has(path) || isResolutionManifest(path) || (/\.(?:ya?ml|json)$/.test(path) && !/(?:^|[-.])lock\b/.test(baseName(path)));
  }

  /** The lines of a file that the change added, 1-based; none of a file that it did not touch. */
  added(path: TreePath): ReadonlySet<number> {
    return this.#added.get(path) ?? NONE;
  }

  /** The text of a changed file at head, for code frames; null of a file that the change did not touch. */
  text(path: TreePath): string | null {
    return this.#texts.get(path) ?? null;
  }

  /** Keeps a part of a file at head from being shown. */
  hide(path: TreePath, text: string, span: Span): void {
    this.#secrets.hide(path, text, span);
  }

  /** A text of a file as it may be shown. */
  shown(path: TreePath, text: string): string {
    return this.#secrets.textWithout(path, text);
  }

  /** What is said of a change, as it may be shown. */
  said(message: string): string {
    return this.#secrets.messageWithout(message);
  }

  isAdded({ path, facts }: Pick<Module, "path" | "facts">, span: Span): boolean {
    return this.added(path).has(positionAt(facts.lines, span[0]).line);
  }

  /**
   * Where a finding about several sites of a module stands, and what is listed with it: at the first site on an added
   * line, the most telling first, with the other added ones; else on the added line nearest to what made the difference,
   * with all sites.
   */
  of(subject: Subject, module: Module, sites: readonly Site[]): { readonly place: Place; readonly related: RelatedPlace[] } {
    const added = sites.filter(({ span }) => this.isAdded(module, span));
    const [first, ...others] = added;
    if (first !== undefined) return { place: placed(module, first.span), related: others.map((site) => related(module, site)) };
    const nearest = this.#nearest(subject, module, sites[0]!.span);
    if (nearest !== null) return { place: nearest, related: sites.map((site) => related(module, site)) };
    return this.asItStands(module, sites);
  }

  /** Where a finding stands that the change did not make. */
  asItStands(module: Module, sites: readonly Site[]): { readonly place: Place; readonly related: RelatedPlace[] } {
    return { place: placed(module, sites[0]!.span), related: sites.slice(1).map((site) => related(module, site)) };
  }

  /**
   * The place for a finding of a rule that the change made: its own where that is an added line or none is better; else
   * one that the rule names with it on an added line, of its own module first; else, in a module that the change did not
   * touch, where the change lies that made the difference. Null where it stays.
   */
  ofHeld({ path, cause }: Subject, finding: Finding): Place | null {
    const isAdded = (place: Place): boolean => this.added(place.path).has(place.start.line);
    if (isAdded(finding)) return null;
    const related = finding.related.filter(isAdded);
    const named = related.find((place) => place.path === path) ?? related[0];
    return named ?? (cause === null || cause.kind === "imported" ? null : this.#causePlace(cause) ?? this.#leftOf(cause));
  }

  /** Where lines were only taken out: what is left of what they made other. */
  #leftOf({ path, spans: [first] }: Cause): Place | null {
    const module = this.#change.head.module(path);
    return module === null || first === undefined ? null : placed(module, first);
  }

  #nearest({ cause }: Subject, module: Module, span: Span): Place | null {
    const own = this.#nearestLine(module.path, positionAt(module.facts.lines, span[0]).line);
    return own ?? (cause === null ? null : this.#causePlace(cause));
  }

  #causePlace({ path, spans }: Cause): Place | null {
    const module = this.#change.head.module(path);
    const [first] = spans;
    if (module === null || first === undefined) return this.#nearestLine(path, 1);
    const added = spans.find((span) => this.isAdded(module, span));
    return added === undefined ? this.#nearestLine(path, positionAt(module.facts.lines, first[0]).line) : placed(module, added);
  }

  /** The whole of the added line that is nearest to a line; null where none was added. */
  #nearestLine(path: TreePath, line: number): Place | null {
    const text = this.#texts.get(path);
    const [nearest] = [...this.added(path)].sort((one, other) => Math.abs(one - line) - Math.abs(other - line) || one - other);
    if (text === undefined || nearest === undefined) return null;
    const written = text.split(/\r\n|\n|\r/)[nearest - 1] ?? "";
    const column = written.length - written.trimStart().length + 1;
    return { path, start: { line: nearest, column }, end: { line: nearest, column: Math.max(column, written.trimEnd().length + 1) } };
  }
}

const NONE: ReadonlySet<number> = new Set();

function placed({ path, facts, text }: Module, span: Span): Place {
  return { path, ...placeOf(facts, text, span) };
}

function related(module: Module, { span, message }: Site): RelatedPlace {
  return { ...placed(module, span), message };
}
