import { licensable } from "../judging/licensed.ts";
import type { TreePath } from "../paths.ts";
import { BaselineUse } from "../policy/baseline.ts";
import { coversCapability } from "../policy/policy.ts";
import type { License, Finding } from "../report.ts";
import type { Compared } from "./gains.ts";
import { licenceOf, suppressedBy } from "./licences.ts";
import type { OpenChange } from "./open.ts";
import type { Places } from "./places.ts";
import type { Subject } from "./subjects.ts";
import type { Held } from "./view.ts";

/**
 * Compares the findings of all rules but `no-invented-io` as multisets of fingerprints: of equal ones, those are new
 * that the base had fewer of. Whatever the patch writes beside a new one suppresses nothing: only what was suppressed
 * at the base still is, unless an owner accepted the change's own directives.
 */
export class FindingComparer {
  readonly #change: OpenChange;
  readonly #places: Places;
  readonly #baseline: BaselineUse;
  readonly #now: Date;

  constructor(change: OpenChange, places: Places, now: Date) {
    this.#change = change;
    this.#now = now;
    this.#places = places;
    this.#baseline = new BaselineUse(change.held.baseline);
  }

  add(subject: Subject, compared: Compared): void {
    const { view } = subject;
    if (view === null) return;
    const before = subject.bases.map((base) => ({ base, groups: grouped(base?.view.held ?? []) }));
    for (const [key, group] of grouped(view.held)) {
      const known = this.#known(subject.path, before.map(({ base, groups }) => ({ base, same: groups.get(key) ?? [] })));
      for (const [index, held] of this.#oldFirst(group).entries()) this.#place(subject, held, index < known.count, index < known.suppressed, compared);
    }
  }

  /** How many of a kind all merge bases have, and how many of these were suppressed. */
  #known(path: TreePath, before: readonly { readonly base: Subject["bases"][number]; readonly same: readonly Held[] }[]): { readonly count: number; readonly suppressed: number } {
    if (before.length === 0) return { count: 0, suppressed: 0 };
    const counts = before.map(({ base, same }) => {
      const held = same.filter(({ finding }) => base !== null && !this.#losesLicence(base.path, path, finding));
      return { count: held.length, suppressed: held.filter(({ suppression }) => suppression !== null).length };
    });
    return { count: Math.min(...counts.map(({ count }) => count)), suppressed: Math.min(...counts.map(({ suppressed }) => suppressed)) };
  }

  /** A licence stays with its path: what a port held at the old one and none holds at the new one counts for nothing. */
  #losesLicence(old: TreePath, now: TreePath, finding: Finding): boolean {
    const capability = licensable(finding);
    return capability !== null && this.#change.ports.covering(old, capability) !== null && this.#change.ports.covering(now, capability) === null;
  }

  /** Of equal findings those on lines that the change did not touch are the old ones; among them, the suppressed ones, those of an old comment first. */
  #oldFirst(group: readonly Held[]): Held[] {
    const isAdded = ({ finding }: Held, line: number): number => Number(this.#places.added(finding.path).has(line));
    const isNew = (held: Held): number => isAdded(held, held.finding.start.line);
    const licence = (held: Held): number => (held.suppression === null ? 2 : isAdded(held, held.suppression.line));
    return [...group].sort((one, other) => isNew(one) - isNew(other) || licence(one) - licence(other) || one.finding.start.line - other.finding.start.line);
  }

  #place(subject: Subject, { finding, suppression }: Held, known: boolean, wasSuppressed: boolean, compared: Compared): void {
    const licensed = this.#license(subject, finding, known);
    const told: Finding = { ...finding, severity: known ? finding.severity : newSeverity(finding), baseline: known ? "unchanged" : "new" };
    if (licensed !== null) {
      // Of a module that the change did not touch, only what it gained is told.
      if (!known || subject.cause === null) compared.permitted.push({ ...told, by: licensed });
    }
    else if (suppression !== null && this.#change.accepted) compared.suppressed.push(suppressedBy(told, suppression));
    else if (!known) compared.findings.push(this.#where(subject, told));
    else if (suppression !== null && wasSuppressed) compared.suppressed.push(suppressedBy(told, suppression));
    else compared.unchanged.push(told);
  }

  /** A finding that the change made, where a reviewer of the change sees it. */
  #where(subject: Subject, finding: Finding): Finding {
    const place = this.#places.ofHeld(subject, finding);
    if (place === null) return finding;
    const { path, start, end } = finding;
    const related = finding.related.filter((one) => !(one.path === place.path && one.start.line === place.start.line && one.start.column === place.start.column));
    return {
      ...finding, path: place.path, start: place.start, end: place.end, message: place.path === path ? finding.message : `In ${path}: ${finding.message}`,
      related: [{ path, start, end, message: "what this is about" }, ...related],
    };
  }

  /** A port whose day is over still holds what was there. */
  #license({ path, bases }: Subject, finding: Finding, known: boolean): License | null {
    const capability = licensable(finding);
    const covering = capability === null ? [] : this.#change.ports.matching(path).filter((port) => coversCapability(port.capabilities, capability));
    const port = covering.find(({ expires }) => known || expires === null || this.#now.getTime() < expires.end);
    return port === undefined ? this.#baseline.take({ ...finding, path: bases[0]?.path ?? path }) : licenceOf(port, this.#change.held.loaded.path);
  }
}

/** What a change brings and cannot be judged never passes; what was there before it is only told. */
function newSeverity({ rule, severity }: Finding): Finding["severity"] {
  return rule === "not-judged" ? "error" : severity;
}

function keyOf({ finding }: Held): string {
  return `${finding.rule}\0${finding.fingerprint}`;
}

function grouped(all: readonly Held[]): Map<string, Held[]> {
  const groups = new Map<string, Held[]>();
  for (const held of all) {
    const group = groups.get(keyOf(held));
    if (group === undefined) groups.set(keyOf(held), [held]);
    else group.push(held);
  }
  return groups;
}
