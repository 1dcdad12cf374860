import { plainFinding } from "../judging/finding.ts";
import { nestedPolicyFinding } from "../judging/policy-findings.ts";
import { notJudgedFinding } from "../judging/input.ts";
import { comparePaths } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import { isNestedPolicy } from "../discovery/root.ts";
import { unreadable } from "../run-settings.ts";
import type { Finding, Unscanned } from "../report.ts";
import type { OpenChange } from "./open.ts";
import type { Subjects } from "./subjects.ts";

/** The paths that head has and that differ from one merge base at least. */
export function changedPaths(change: OpenChange): ReadonlySet<TreePath> {
  return new Set(change.comparisons.flatMap(({ difference }) => difference.files).filter(({ status }) => status !== "deleted").map(({ path }) => path));
}

/** What of the change could not be judged: never silent, and never fine because it was so before. */
export function unjudgedFindings(change: OpenChange, { subjects, cutOff }: Subjects): Finding[] {
  const changed = changedPaths(change);
  const findings = subjects.flatMap(({ path, cause, view }): readonly Finding[] => {
    const failure = change.head.failure(path);
    if (failure !== null) return [notJudgedFinding({ ...failure, severity: changed.has(path) || cause?.kind === "imported" ? "error" : failure.severity })];
    return cause === null || cause.kind === "imported" ? (view?.unjudged ?? []) : [];
  });
  const closed = newlyClosed(change);
  const failed = change.head.discovery.unreadable.filter((file) => changed.has(file.path) || closed.has(file.path) || !wasUnreadable(change, file.path)).map((file) => notJudgedFinding(unreadable(file)));
  const unmerged = change.listed.head.unmerged.map((path) => notJudgedFinding({
    path, severity: "error", reason: "git holds it in several versions, in the middle of a merge", advice: "Finish the merge.",
  }));
  const reaching = cutOff.map(({ path }) => {
    const message = `${path} changed in what the verdict on others depends on, and more modules import it, directly or through others, than are judged for one change. The rest was not judged. Judge the tree as a whole too: agentgate check.`;
    return plainFinding("not-judged", "error", path, message, "reach of a change");
  });
  return [...findings, ...failed, ...unmerged, ...reaching].map((finding) => ({ ...finding, baseline: "new" }));
}

/** A link leads out of the tree since another link on its way was changed, or since a folder is gone. */
function wasUnreadable({ comparisons }: OpenChange, path: TreePath): boolean {
  return comparisons.every(({ base }) => base.discovery.unreadable.some((file) => file.path === path));
}

/** Folders and names that could not be listed, unless the base had the same. */
function newlyClosed({ listed }: OpenChange): ReadonlySet<TreePath> {
  const known = listed.bases.map((base) => new Set(base.closed.map(({ path }) => path)));
  return new Set(listed.head.closed.filter(({ path }) => !known.every((paths) => paths.has(path))).map(({ path }) => (path === "" ? "." : path)));
}

/** Changed files that hold no code which is read, and excluded ones that nothing judged imports. */
export function unscannedOf(change: OpenChange, { subjects }: Subjects): Unscanned[] {
  const changed = changedPaths(change);
  const judged = new Set(subjects.map(({ path }) => path));
  const excluded = change.head.discovery.sources.flatMap((file): Unscanned[] => {
    if (!changed.has(file.path) || judged.has(file.path) || !file.named || file.excludedBy === null) return [];
    return [{ path: file.path, reason: "excluded", detail: file.excludedBy }];
  });
  return [...excluded, ...change.head.discovery.unscanned.filter((file) => changed.has(file.path))].sort((left, right) => comparePaths(left.path, right.path));
}

/** Policy files below the root that the change brings or edits: they are never read. */
export function nestedPolicies(change: OpenChange): Finding[] {
  const nested = [...changedPaths(change)].filter((path) => isNestedPolicy(path, change.held.loaded.path));
  return nested.filter((path) => change.head.excludes(path) === null).map((path): Finding => ({ ...nestedPolicyFinding(path, change.held.loaded.path), baseline: "new" }));
}
