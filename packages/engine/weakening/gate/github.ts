import type { Located, LocatedEntry } from "../../policy/located.ts";
import { canonical, entriesOf, entryOf, itemsOf, placeOfKey, placeOfValue, textOf, valueOf } from "../place.ts";
import type { WeakeningKind } from "../record.ts";
import { eventSettings } from "./github-events.ts";
import { scriptRuns } from "./pipeline.ts";
import type { GateRun, Job, Pipeline, PipelineContext } from "./pipeline.ts";
import { isWatchedVariable, narrowing, protecting } from "./script.ts";
import type { Setting } from "./settings.ts";

/** Conditions under which a step or job always runs, or runs as it does without one. */
const HARMLESS = new Set(["always()", "success()", "true", "!cancelled()"]);

/** Reads a workflow of GitHub Actions. */
export function githubWorkflow(root: Located, context: PipelineContext): Pipeline {
  const covered = new Set<Located>();
  const defaults = [...shellSettings(valueOf(valueOf(root, "defaults"), "run"), "the workflow's defaults")];
  const jobs = entriesOf(valueOf(root, "jobs"));
  const settings = [...eventSettings(entryOf(root, "on")), ...environmentSettings(valueOf(root, "env"), "the workflow's env"), ...defaults];
  return { jobs: jobs.map((entry) => jobOf(entry, jobs, context, covered)), settings, covered };
}

/** Reads a composite action, as a workflow of one job. */
export function githubAction(root: Located, context: PipelineContext): Pipeline {
  const covered = new Set<Located>();
  const entry = entryOf(root, "runs");
  if (entry === undefined) return { jobs: [], settings: [], covered };
  return { jobs: [{ id: "runs", checkName: "", at: placeOfKey(entry), runs: stepRuns(entry.value, context, covered), settings: [] }], settings: [], covered };
}

function jobOf(entry: LocatedEntry, jobs: readonly LocatedEntry[], context: PipelineContext, covered: Set<Located>): Job {
  const job = entry.value;
  const at = placeOfKey(entry);
  const uses = valueOf(job, "uses");
  const called = uses === undefined ? null : usesRun(uses, job, context, covered);
  const runs = [...(called === null ? [] : [called]), ...stepRuns(job, context, covered)];
  const settings = runs.length === 0 ? [] : [
    ...softSettings(job, "the job's"),
    ...jobConditions(entry, jobs),
    ...environmentSettings(valueOf(job, "env"), "the job's env"),
    ...shellSettings(valueOf(valueOf(job, "defaults"), "run"), "the job's defaults"),
  ];
  return { id: entry.key, checkName: textOf(valueOf(job, "name")) ?? entry.key, at, runs, settings };
}

function stepRuns(job: Located, context: PipelineContext, covered: Set<Located>): GateRun[] {
  return itemsOf(valueOf(job, "steps")).flatMap((step): GateRun[] => {
    const script = valueOf(step, "run");
    const uses = valueOf(step, "uses");
    const called = uses === undefined ? null : usesRun(uses, step, context, covered);
    const runs = [...(called === null ? [] : [called]), ...(script === undefined ? [] : scriptRuns(script, context))];
    if (runs.length === 0) return [];
    covered.add(step);
    const around = [
      ...softSettings(step, "the step's"), ...conditionSettings(step, "the step's if"),
      ...environmentSettings(valueOf(step, "env"), "the step's env"), ...shellSettings(step, "the step's"),
    ];
    return runs.map((run) => ({ ...run, settings: [...run.settings, ...around] }));
  });
}

/** A step or job that uses our action, or one of the tree that runs the gate. */
function usesRun(uses: Located, user: Located, context: PipelineContext, covered: Set<Located>): GateRun | null {
  const name = textOf(uses);
  if (name === undefined || !(/agentgate/i.test(name) || context.runsGateBy(name))) return null;
  covered.add(uses);
  const inputs = valueOf(user, "with");
  if (inputs !== undefined) covered.add(inputs);
  return { at: placeOfValue(uses), command: null, text: `uses: ${name}${inputs === undefined ? "" : ` with ${canonical(inputs)}`}`, settings: [] };
}

function softSettings(holder: Located, whose: string): Setting[] {
  const entry = entryOf(holder, "continue-on-error");
  const value = expression(textOf(entry?.value));
  return entry === undefined || value === undefined || value === "false" ? [] : [narrowing("workflow-softened", `${whose} continue-on-error`, value, placeOfKey(entry))];
}

function conditionSettings(holder: Located, label: string): Setting[] {
  const entry = entryOf(holder, "if");
  const value = expression(textOf(entry?.value));
  return entry === undefined || value === undefined || HARMLESS.has(value) ? [] : [narrowing("workflow-condition-added", label, value, placeOfKey(entry))];
}

/** The job's own condition and those of every job that it needs: a needed job that is skipped skips it, and a skipped check passes. */
function jobConditions(entry: LocatedEntry, jobs: readonly LocatedEntry[]): Setting[] {
  const own = conditionSettings(entry.value, "the job's if");
  const condition = expression(textOf(valueOf(entry.value, "if")));
  const always = condition === "always()" || condition === "!cancelled()";
  const needs = entryOf(entry.value, "needs");
  if (needs === undefined) return own;
  if (always) return [protecting("workflow-condition-added", "the job's if", condition, placeOfKey(needs))];
  return [...own, ...neededJobs(entry, jobs).flatMap((job) => conditionSettings(job.value, `the condition of ${job.key}, which it needs`).map((setting) => ({ ...setting, at: placeOfKey(needs) })))];
}

function neededJobs(entry: LocatedEntry, jobs: readonly LocatedEntry[]): LocatedEntry[] {
  const byId = new Map(jobs.map((job) => [job.key, job]));
  const found = new Set<LocatedEntry>();
  const open = [entry];
  for (let job = open.pop(); job !== undefined; job = open.pop()) {
    const needs = valueOf(job.value, "needs");
    for (const name of needs?.kind === "list" ? needs.items.map(textOf) : [textOf(needs)]) {
      const needed = byId.get(name ?? "");
      if (needed === undefined || found.has(needed)) continue;
      found.add(needed);
      open.push(needed);
    }
  }
  return [...found];
}

/** Variables that change what the gate does; `env` that is one expression may hold any. */
export function environmentSettings(env: Located | undefined, label: string): Setting[] {
  const kind: WeakeningKind = "workflow-environment";
  if (env?.kind === "scalar" && env.value !== null) return [narrowing(kind, label, String(env.value), placeOfValue(env))];
  return entriesOf(env).filter((entry) => isWatchedVariable(entry.key)).flatMap((entry) => {
    const text = `${entry.key}=${canonical(entry.value)}`;
    return [narrowing(kind, `${label} ${entry.key}`, text, placeOfKey(entry)), protecting(kind, `${label} ${entry.key}`, text, placeOfKey(entry))];
  });
}

function shellSettings(holder: Located | undefined, whose: string): Setting[] {
  const shell = entryOf(holder, "shell");
  const folder = entryOf(holder, "working-directory");
  const found: Setting[] = [];
  const name = textOf(shell?.value);
  if (shell !== undefined && name !== undefined && name !== "bash" && name !== "sh") found.push(narrowing("workflow-environment", `${whose} shell`, name, placeOfKey(shell)));
  if (folder !== undefined) {
    const value = canonical(folder.value);
    found.push(narrowing("workflow-environment", `${whose} working-directory`, value, placeOfKey(folder)), protecting("workflow-environment", `${whose} working-directory`, value, placeOfKey(folder)));
  }
  return found;
}

/** `${{ x }}` as `x`, blanks dropped. */
function expression(text: string | undefined): string | undefined {
  const inside = text === undefined ? undefined : /^\s*\$\{\{([^]*)\}\}\s*$/.exec(text)?.[1];
  return (inside ?? text)?.replaceAll(/\s+/g, " ").trim();
}

