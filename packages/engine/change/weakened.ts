import { plainFinding } from "../judging/finding.ts";
import type { TreePath } from "../paths.ts";
import type { Finding } from "../report.ts";
import { weakeningDigest, weakeningsOf } from "../weakening/index.ts";
import type { Suppressed } from "../weakening/index.ts";
import type { Weakening } from "../weakening/weakening.ts";
import type { Side } from "./change.ts";
import type { OpenChange } from "./open.ts";
import { baselineText } from "./policy.ts";
import { suppressionFor } from "./licences.ts";
import type { ChangeSide } from "./side.ts";
import type { Subjects } from "./subjects.ts";
import type { View } from "./view.ts";

const RULE = "gate-weakened";

/** The ways in which a change weakens the gate against every merge base, and the digest that stands for all of them. */
export interface Weakened {
  readonly findings: readonly Finding[];
  readonly digest: string | null;
}

export async function weakenedBy(change: OpenChange, { subjects, gone }: Subjects): Promise<Weakened> {
  await loadChanged(change);
  const heads = new Map(subjects.map(({ path, view }) => [path, view]));
  const found: (readonly Weakening[])[] = [];
  const { reader, head } = change.listed;
  for (const [index, { base, difference }] of change.comparisons.entries()) {
    const bases = new Map<TreePath, View>(index === 0 ? gone : []);
    for (const { bases: views } of subjects) if (views[index] !== null && views[index] !== undefined) bases.set(views[index].path, views[index].view);
    found.push(await weakeningsOf({
      difference: { ...difference, base: judgedOf(difference.base, base, bases), head: judgedOf(difference.head, change.head, heads) }, policy: change.policy, policyPath: change.held.loaded.path,
      suppressed: (side, path) => suppressedIn((side === "base" ? bases.get(path) : heads.get(path)) ?? null),
      contextOf: (side, path) => (side === "base" ? bases.get(path) : heads.get(path))?.context ?? null,
      baselineText: (side) => baselineText(side === "base" ? base.snapshot : head, reader),
    }));
  }
  const [first = [], ...others] = found;
  const weakenings = first.filter((one) => others.every((list) => list.some((other) => keyOf(other) === keyOf(one))) && !isAtTip(change, one.path));
  if (weakenings.length === 0) return { findings: [], digest: null };
  const digest = weakeningDigest(weakenings);
  return { findings: told(weakenings).map((one) => findingOf(one, digest)), digest };
}

/** A comment that covers several findings is told once. The digest holds each of them. */
function told(weakenings: readonly Weakening[]): readonly Weakening[] {
  const kept = new Map<string, Weakening>();
  for (const one of weakenings) {
    const place = `${one.kind}\0${one.path}\0${one.start.line}:${one.start.column}\0${one.message}`;
    if (!kept.has(place)) kept.set(place, one);
  }
  return [...kept.values()];
}

/** A side that has facts of judged modules only: what an excluded one says of the gate means nothing, whoever looked into it. */
function judgedOf(side: Side, { sources }: ChangeSide, views: ReadonlyMap<TreePath, View | null>): Side {
  const isJudged = (path: TreePath): boolean => sources.get(path)?.excludedBy === null || (views.get(path) ?? null) !== null;
  return { paths: side.paths, blob: (path) => side.blob(path), text: (path) => side.text(path), facts: (path) => (isJudged(path) ? side.facts(path) : null) };
}

/** Whether the base has come to hold a file as head does: merging the two changes nothing of it. */
function isAtTip({ listed, comparisons }: OpenChange, path: TreePath): boolean {
  const [comparison] = comparisons;
  const [tip, head] = [listed.tip.byPath.get(path)?.blob ?? null, comparison?.difference.head.blob(path) ?? null];
  return tip === head && (tip !== null || comparison?.base.entries.has(path) === true);
}

/** Rules about gates look at all changed source on both sides, the judged modules or not. */
async function loadChanged(change: OpenChange): Promise<void> {
  for (const { base, difference } of change.comparisons) {
    await base.load(difference.files.flatMap(({ basePath }) => (basePath !== null && base.sources.get(basePath)?.excludedBy === null ? [basePath] : [])));
    await change.head.load(difference.files.flatMap(({ path, status }) => (status !== "deleted" && change.head.sources.get(path)?.excludedBy === null ? [path] : [])));
  }
}

/** Against one base a comment may be new that another one has over other code: what it covers makes it the same. */
function keyOf({ kind, path, key, record }: Weakening): string {
  if (kind.startsWith("suppression-")) return record;
  return `${kind}\0${path}\0${key}`;
}

function findingOf({ kind, path, start, end, message, key }: Weakening, digest: string): Finding {
  const accept = `To accept exactly this: --accept ${digest}.`;
  return { ...plainFinding(RULE, "error", path, `${message} ${accept}`, `${kind}\0${path}\0${key}`, { start, end }), api: kind, baseline: "new" };
}

/** What the directives of a module suppress, the capabilities of `no-invented-io` among it. */
function suppressedIn(view: View | null): readonly Suppressed[] {
  if (view === null) return [];
  const held = view.held.flatMap(({ finding, suppression }): Suppressed[] => {
    if (suppression === null) return [];
    return [{ rule: finding.rule, fingerprint: finding.fingerprint, reason: suppression.reason, owner: suppression.owner, line: suppression.line }];
  });
  const invented = [...view.inventedFingerprints].flatMap(([acquired, fingerprint]): Suppressed[] => {
    const suppression = suppressionFor(view, acquired);
    return suppression === null ? [] : [{ rule: "no-invented-io", fingerprint, reason: suppression.reason, owner: suppression.owner, line: suppression.line }];
  });
  return [...held, ...invented];
}
