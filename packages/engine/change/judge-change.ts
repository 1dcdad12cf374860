import { plainFinding } from "../judging/finding.ts";
import { severityOf } from "../judging/judge.ts";
import type { ChangeOptions } from "../options.ts";
import { BaselineUse } from "../policy/baseline.ts";
import type { Finding, LicensedFinding } from "../report.ts";
import { CHANGE_DETECTORS } from "./detectors.ts";
import { firstImports } from "./first-imports.ts";
import { GainFinder, sortCompared } from "./gains.ts";
import type { Compared } from "./gains.ts";
import { FindingComparer } from "./held.ts";
import { withLoaders } from "./loaders.ts";
import type { OpenChange } from "./open.ts";
import { Places } from "./places.ts";
import { policyAt } from "./policy.ts";
import { addReached } from "./reach.ts";
import { subjectsOf } from "./subjects.ts";
import type { Subjects } from "./subjects.ts";
import { nestedPolicies, unjudgedFindings } from "./unjudged.ts";
import type { WeakeningKind } from "../weakening/index.ts";
import { weakenedBy } from "./weakened.ts";
import type { Weakened } from "./weakened.ts";

/** The weakening of a policy that head cannot read. */
const UNREADABLE: WeakeningKind = "policy-unreadable";

/** A change judged under one policy. */
export interface JudgedChange {
  readonly change: OpenChange;
  readonly subjects: Subjects;
  readonly places: Places;
  readonly compared: Compared;
  readonly weakened: Weakened;
}

/** Judges an open change by the policy that it was opened with. */
export async function judgeChange(change: OpenChange, options: ChangeOptions): Promise<JudgedChange> {
  const places = new Places(change);
  const [subjects] = await Promise.all([subjectsOf(change), places.prepare()]);
  const compared: Compared = { findings: [], unchanged: [], permitted: [], suppressed: [], gained: new Set() };
  const now = options.now ?? new Date();
  const gains = new GainFinder(change, places, subjects, now);
  const held = new FindingComparer(change, places, now);
  for (const subject of subjects.subjects) {
    gains.add(subject, compared);
    held.add(subject, compared);
  }
  compared.findings.splice(0, compared.findings.length, ...withLoaders(change, compared.findings));
  compared.findings.push(...await firstImports(change, subjects), ...unjudgedFindings(change, subjects), ...nestedPolicies(change));
  await addDetected(change, places, compared);
  if (options.reach === true) await addReached(change, places, subjects, compared);
  const weakened = await weakenedBy(change, subjects);
  compared.findings.push(...weakened.findings);
  // A policy that cannot be read at all is a weaker gate, and says so once; accepted, it still is no policy.
  if (change.accepted || !weakened.findings.some(({ api }) => api === UNREADABLE)) compared.findings.push(...await headPolicyFindings(change));
  sortCompared(compared);
  return { change, subjects, places, compared, weakened };
}

/** Adds what the change makes outside of code modules, as the policy sets it. */
async function addDetected(change: OpenChange, places: Places, compared: Compared): Promise<void> {
  const baseline = new BaselineUse(change.held.baseline);
  for (const detect of CHANGE_DETECTORS) {
    for (const found of await detect(change, places)) {
      const severity = severityOf(found.rule, found.severity, change.policy);
      if (severity === "off") continue;
      const finding: Finding = { ...found, severity, baseline: "new" };
      const by = baseline.take(finding);
      if (by === null) compared.findings.push(finding);
      else compared.permitted.push({ ...finding, by });
    }
  }
}

/** Turns the weakenings that an owner accepted into permitted findings. */
export function accept({ compared, weakened }: JudgedChange, digest: string): void {
  const accepted = new Set(weakened.findings);
  const licensed = (finding: Finding): LicensedFinding => ({ ...finding, by: { kind: "accept", path: finding.path, line: finding.start.line, owner: "", note: digest } });
  compared.permitted.push(...compared.findings.filter((finding) => accepted.has(finding)).map(licensed));
  const left = compared.findings.filter((finding) => !accepted.has(finding));
  compared.findings.splice(0, compared.findings.length, ...left);
  sortCompared(compared);
}

/** What is wrong with head's own policy file and was not wrong with the merge base's: findings only, head's policy judges nothing. */
async function headPolicyFindings(change: OpenChange): Promise<Finding[]> {
  const { listed } = change;
  const place = { kind: "tree", path: listed.place.kind === "tree" ? listed.place.path : "agentgate.yml" } as const;
  const head = await policyAt(listed.head, listed.reader, place, listed.root, "head");
  const problems = [...head.loaded.problems.map(({ message, line, column, length }) => ({ message, start: { line, column }, end: { line, column: column + length } })), ...failure(head.loaded.error)];
  const known = await Promise.all(listed.bases.map(async (base) => {
    const { loaded } = await policyAt(base, listed.reader, place, listed.root, "the base");
    return new Set([...loaded.problems, ...failure(loaded.error)].map(({ message }) => message));
  }));
  return problems.filter(({ message }) => !(known.length > 0 && known.every((messages) => messages.has(message))))
    .map(({ message, start, end }) => ({ ...plainFinding("config", "error", place.path, message, message, { start, end }), baseline: "new" as const }));
}

function failure(error: Error | null): { readonly message: string; readonly start: Finding["start"]; readonly end: Finding["end"] }[] {
  const start = { line: 1, column: 1 };
  return error === null ? [] : [{ message: `${error.message.replace(" of the base ", " of head ")} The policy at the base stays in force; correct the file.`, start, end: start }];
}

