import { ableTo, gainMessage, gainSeverity, inventedIoMessage, isInvented, licenceAdvice } from "@agentgate/rules";
import type { Acquired, Capability, Gain, RuleContext } from "@agentgate/rules";
import { compareFindings } from "../judging/finding.ts";
import { severityOf } from "../judging/judge.ts";
import { BaselineUse } from "../policy/baseline.ts";
import { coversCapability } from "../policy/policy.ts";
import type { PolicyPort } from "../policy/policy.ts";
import type { TreePath } from "../paths.ts";
import type { Finding, License, LicensedFinding } from "../report.ts";
import { licenceOf, suppressedBy, suppressionFor } from "./licences.ts";
import { nearestPath } from "./nearest.ts";
import type { OpenChange } from "./open.ts";
import type { Places } from "./places.ts";
import type { BaseModule, Subject, Subjects } from "./subjects.ts";
import type { View } from "./view.ts";

/** What a comparison gives, in no order yet. */
export interface Compared {
  readonly findings: Finding[];
  readonly unchanged: Finding[];
  readonly permitted: LicensedFinding[];
  readonly suppressed: LicensedFinding[];
  /** Modules with a class that is reported as new to them, as `gainKey` writes it. */
  readonly gained: Set<string>;
}

/** What `Compared.gained` holds. */
export function gainKey(path: TreePath, capability: string): string {
  return `${path}\0${capability}`;
}

const RULE = "no-invented-io";

/** Compares what the modules of a change can do with what they could, and applies ports and baseline. */
export class GainFinder {
  readonly #change: OpenChange;
  readonly #places: Places;
  readonly #subjects: Subjects;
  readonly #now: Date;
  readonly #baseline: BaselineUse;

  constructor(change: OpenChange, places: Places, subjects: Subjects, now: Date) {
    this.#change = change;
    this.#places = places;
    this.#subjects = subjects;
    this.#now = now;
    this.#baseline = new BaselineUse(change.held.baseline);
  }

  /** Adds what one module can do that is reported at all. */
  add(subject: Subject, compared: Compared): void {
    const { view } = subject;
    if (view === null || severityOf(RULE, "error", this.#change.policy) === "off") return;
    const before = this.#before(subject);
    const present = common(subject.bases.map((base) => byKey(base?.view.acquired ?? [])));
    const had = rootsByClass(before.values());
    const gained = new Map<Capability, string>();
    const standing = new Set<Capability>();
    for (const acquired of view.acquired) {
      if (!isInvented(acquired.capability, this.#change.policy.strict)) continue;
      const { held, expired } = this.#port(subject.path, view, acquired);
      // A licence that it had already is nothing new either.
      const known = (held === null ? before : present).has(keyOf(acquired)) && !expired;
      const roots = had.get(acquired.capability) ?? null;
      const beside = expired ? null : (roots ?? gained.get(acquired.capability) ?? null);
      const gain: Gain = { beside, movedFrom: known ? null : this.#movedFrom(subject, acquired), expired };
      // What was there is as bad as it is in a tree: the first of its class an error, the others warnings.
      const shown = known ? { ...gain, beside: standing.has(acquired.capability) ? beside : null } : gain;
      if (known) standing.add(acquired.capability);
      const finding = this.#finding(subject, view, acquired, { ...shown, known, classIsNew: roots === null });
      if (!known && held === null && !gained.has(acquired.capability)) gained.set(acquired.capability, acquired.root);
      const suppression = this.#change.accepted ? suppressionFor(view, acquired) : null;
      if (suppression === null) this.#place(subject, finding, { held, known }, compared);
      else compared.suppressed.push(suppressedBy(finding, suppression));
    }
  }

  /**
   * What the module could do at all merge bases. What a port held at the old path counts only where a port holds it at
   * the new one: a licence stays with its path.
   */
  #before({ bases }: Subject): ReadonlyMap<string, Acquired> {
    return common(bases.map((base) => this.#uncovered(base)));
  }

  #uncovered(base: BaseModule | null): ReadonlyMap<string, Acquired> {
    const acquired = base?.view.acquired.filter(({ capability }) => this.#change.ports.covering(base.path, capability) === null) ?? [];
    return byKey(acquired);
  }

  /** The port that holds a capability here. One whose day is over holds what the change did not add. */
  #port(path: TreePath, view: View, { capability, sites }: Acquired): { readonly held: PolicyPort | null; readonly expired: boolean } {
    const covering = this.#change.ports.matching(path).filter((port) => coversCapability(port.capabilities, capability));
    const valid = covering.find((port) => port.expires === null || this.#now.getTime() < port.expires.end);
    if (valid !== undefined || covering[0] === undefined) return { held: valid ?? null, expired: false };
    const added = sites.some(({ span }) => this.#places.isAdded(view.module, span));
    return added ? { held: null, expired: true } : { held: covering[0], expired: false };
  }

  /** A module that lost what this one gained, the nearest one. */
  #movedFrom(subject: Subject, acquired: Acquired): TreePath | null {
    const key = keyOf(acquired);
    const gone = [...this.#subjects.gone].filter(([, view]) => view.acquired.some((one) => keyOf(one) === key)).map(([path]) => path);
    const lost = this.#subjects.subjects.filter((other) => other !== subject && hadBefore(other, key) && other.view?.acquired.every((one) => keyOf(one) !== key) === true).map(({ path, bases }) => bases[0]?.path ?? path);
    return nearestPath(subject.path, [...gone, ...lost]);
  }

  #finding(subject: Subject, view: View, acquired: Acquired, gain: ComparedGain): Finding {
    const { known } = gain;
    const sites = acquired.sites.map(({ span, api }) => ({ span, message: api }));
    const { place, related } = known ? this.#places.asItStands(view.module, sites) : this.#places.of(subject, view.module, sites);
    const here = place.path === subject.path ? messageOf(acquired, gain, view.context) : messageElsewhere(subject, acquired, gain, view.context);
    const message = known ? inventedIoMessage(acquired, view.context, undefined) : here;
    return {
      rule: RULE, severity: this.#severity(gain), message, ...place, capability: acquired.capability, api: acquired.api,
      baseline: known ? "unchanged" : "new", related, fingerprint: view.inventedFingerprints.get(acquired) ?? "",
    };
  }

  #severity(gain: Gain): Finding["severity"] {
    const set = severityOf(RULE, gainSeverity(gain), this.#change.policy);
    return set === "off" ? "warning" : set;
  }

  #place(subject: Subject, finding: Finding, { held, known }: { readonly held: PolicyPort | null; readonly known: boolean }, compared: Compared): void {
    const by = held === null ? this.#baselined(subject, finding) : licenceOf(held, this.#change.held.loaded.path);
    if (by !== null) {
      // Of a module that the change did not touch only what it gained is told.
      if (!known || subject.cause === null) compared.permitted.push({ ...finding, by });
    }
    else if (known) compared.unchanged.push(finding);
    else {
      compared.findings.push(finding);
      if (finding.severity === "error") compared.gained.add(gainKey(subject.path, finding.capability ?? ""));
    }
  }

  /** The baseline knows a renamed module by its old path. */
  #baselined({ path, bases }: Subject, finding: Finding): License | null {
    return [path, ...(bases[0]?.path === undefined || bases[0].path === path ? [] : [bases[0].path])].map((at) => this.#baseline.take({ ...finding, path: at })).find((by) => by !== null) ?? null;
  }
}

/** A gain with what its message depends on. */
interface ComparedGain extends Gain {
  /** Whether the change left it as it was. */
  readonly known: boolean;
  /** Whether the module had nothing of its class, so that what it is beside is as new. */
  readonly classIsNew: boolean;
}

function messageOf(acquired: Acquired, gain: ComparedGain, context: RuleContext): string {
  if (gain.beside === null || !gain.classIsNew) return gainMessage(acquired, gain, context);
  const moved = gain.movedFrom === null ? "" : ` It moved here from ${gain.movedFrom}.`;
  return `${inventedIoMessage(acquired, context, gain.beside)}${moved}`;
}

/** Of a module that the change did not touch. One that was excluded could do before what it can do now; nobody looked. */
function messageElsewhere({ path, cause }: Subject, acquired: Acquired, gain: ComparedGain, context: RuleContext): string {
  if (cause?.kind !== "imported") return `In ${path}: ${messageOf(acquired, gain, context)}`;
  return `This import brings in ${path}, which is judged from now on: it can ${ableTo(acquired.capability)} by ${acquired.api}. ${licenceAdvice(acquired.capability, context)}`;
}

/** By what a module has each class: `os and shutil`. */
function rootsByClass(before: Iterable<Acquired>): ReadonlyMap<Capability, string> {
  const roots = new Map<Capability, Set<string>>();
  for (const { capability, root } of before) roots.set(capability, (roots.get(capability) ?? new Set()).add(root));
  return new Map([...roots].map(([capability, names]) => [capability, listed([...names])]));
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)!}`;
}

function hadBefore(subject: Subject, key: string): boolean {
  return subject.bases[0]?.view.acquired.some((one) => keyOf(one) === key) === true;
}

function byKey(acquired: readonly Acquired[]): ReadonlyMap<string, Acquired> {
  return new Map(acquired.map((one) => [keyOf(one), one]));
}

/** What all hold. */
function common([first, ...others]: readonly ReadonlyMap<string, Acquired>[]): ReadonlyMap<string, Acquired> {
  return new Map([...(first ?? [])].filter(([key]) => others.every((other) => other.has(key))));
}

function keyOf({ capability, root }: Acquired): string {
  return `${capability}\0${root}`;
}

/** Sorts every list of a comparison. */
export function sortCompared({ findings, unchanged, permitted, suppressed }: Compared): void {
  for (const list of [findings, unchanged, permitted, suppressed]) list.sort(compareFindings);
}
