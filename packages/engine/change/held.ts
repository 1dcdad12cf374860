import type { License, Finding, LicensedFinding } from "../report.ts";
import type { OpenChange } from "./open.ts";
import type { Compared } from "./gains.ts";
import type { Places } from "./places.ts";
import { BaselineUse } from "../policy/baseline.ts";
import type { Subject } from "./subjects.ts";
import type { Held } from "./view.ts";

/**
 * Compares the findings of all rules but `no-invented-io` as multisets of fingerprints: of equal ones, those are new
 * that the base had fewer of. Whatever the patch writes beside a new one suppresses nothing: only what was suppressed
 * at the base still is.
 */
export class FindingComparer {
  readonly #change: OpenChange;
  readonly #places: Places;
  readonly #baseline: BaselineUse;

  constructor(change: OpenChange, places: Places) {
    this.#change = change;
    this.#places = places;
    this.#baseline = new BaselineUse(change.held.baseline);
  }

  add(subject: Subject, compared: Compared): void {
    const { view } = subject;
    if (view === null) return;
    const groups = new Map<string, Held[]>();
    for (const held of view.held) groups.set(keyOf(held), [...(groups.get(keyOf(held)) ?? []), held]);
    for (const [key, group] of groups) {
      const known = this.#known(subject, key);
      for (const [index, held] of this.#oldFirst(group).entries()) this.#place(subject, held, index < known.count, index < known.suppressed, compared);
    }
  }

  /** How many of a kind all merge bases have, and how many of these were suppressed. */
  #known({ bases }: Subject, key: string): { readonly count: number; readonly suppressed: number } {
    if (bases.length === 0) return { count: 0, suppressed: 0 };
    const counts = bases.map((base) => {
      const same = base?.view.held.filter((held) => keyOf(held) === key) ?? [];
      return { count: same.length, suppressed: same.filter((held) => held.suppression !== null).length };
    });
    return { count: Math.min(...counts.map(({ count }) => count)), suppressed: Math.min(...counts.map(({ suppressed }) => suppressed)) };
  }

  /** Of equal findings those on lines that the change did not touch are the old ones; among them, the suppressed ones. */
  #oldFirst(group: readonly Held[]): Held[] {
    const isNew = ({ finding }: Held): number => Number(this.#places.added(finding.path).has(finding.start.line));
    return [...group].sort((one, other) => isNew(one) - isNew(other) || Number(one.suppression === null) - Number(other.suppression === null) || one.finding.start.line - other.finding.start.line);
  }

  #place(subject: Subject, { finding, suppression }: Held, known: boolean, wasSuppressed: boolean, compared: Compared): void {
    const licensed = this.#license(subject, finding);
    const told: Finding = { ...finding, baseline: known ? "unchanged" : "new" };
    if (licensed !== null) compared.permitted.push({ ...told, by: licensed });
    else if (!known) compared.findings.push(told);
    else if (suppression !== null && wasSuppressed) compared.suppressed.push(suppressedBy(told, suppression));
    else compared.unchanged.push(told);
  }

  #license({ path, bases }: Subject, finding: Finding): License | null {
    const port = finding.capability === null ? null : this.#change.ports.covering(path, finding.capability);
    if (port !== null) return { kind: "port", path: this.#change.held.loaded.path, line: port.line, owner: port.owner, note: port.note };
    return this.#baseline.take({ ...finding, path: bases[0]?.path ?? path });
  }
}

function keyOf({ finding }: Held): string {
  return `${finding.rule}\0${finding.fingerprint}`;
}

function suppressedBy(finding: Finding, suppression: NonNullable<Held["suppression"]>): LicensedFinding {
  return { ...finding, by: { kind: "suppression", path: finding.path, line: suppression.line, owner: suppression.owner, note: suppression.reason } };
}
