import type { PeerFinding } from "./outputs.ts";
import type { Task } from "./suite.ts";

/** A tool's checks, each with the rules of ours that it covers. */
export type CheckMap = Readonly<Record<string, readonly string[]>>;

/** `found` of a true technique, `silent` of a look-alike; null where the tool has no check for its rule. */
export interface Verdict {
  readonly task: Task;
  readonly good: boolean | null;
}

/**
 * A true technique is found when a finding of a check for its rule lies where it counts. A look-alike is silent when
 * no finding of such a check lies in its files.
 */
export function verdictsOf(tasks: readonly Task[], findings: readonly PeerFinding[], checks: CheckMap): Verdict[] {
  const covered = new Set(Object.values(checks).flat());
  return tasks.map((task) => {
    if (!covered.has(task.rule)) return { task, good: null };
    const own = findings.filter((finding) => finding.path.startsWith(`${task.technique}/`) && checks[finding.check]?.includes(task.rule));
    return { task, good: task.kind === "true" ? own.some((finding) => counts(finding, task)) : own.length === 0 };
  });
}

function counts(finding: PeerFinding, task: Task): boolean {
  return task.places.some((place) => place.path === finding.path && place.first <= finding.line && finding.line <= place.last);
}

/** How many of how many. */
export interface Share {
  readonly good: number;
  readonly all: number;
}

/** Of the verdicts that are of one kind and, where it is named, of one rule; null where the tool has no check for any. */
export function share(verdicts: readonly Verdict[], kind: Task["kind"], rule?: string): Share | null {
  const judged = verdicts.filter(({ task, good }) => task.kind === kind && (rule === undefined || task.rule === rule) && good !== null);
  return judged.length === 0 ? null : { good: judged.filter(({ good }) => good).length, all: judged.length };
}

/** Over all techniques: what a tool has no check for it does not find, and it is silent there. */
export function overall(verdicts: readonly Verdict[], kind: Task["kind"]): Share {
  const all = verdicts.filter(({ task }) => task.kind === kind);
  return { good: all.filter(({ good }) => good ?? kind === "look-alike").length, all: all.length };
}
