import type { ChangedFile } from "../../change/change.ts";
import type { TreePath } from "../../paths.ts";
import { basePathOf } from "../input.ts";
import type { WeakeningInput } from "../input.ts";
import { placeOfLine } from "../place.ts";
import { FIRST_LINE, fileWeakening } from "../record.ts";
import type { Change, Place } from "../record.ts";
import type { Weakening } from "../weakening.ts";
import { Pipelines } from "./context.ts";
import { formOf } from "./files.ts";
import { runChanges, settingChanges } from "./run-change.ts";
import type { Job, Pipeline } from "./pipeline.ts";

const FORMS = new Set(["github", "action", "gitlab"]);
const ACCEPT = "Take it back, or have an owner of the workflow accept it.";

interface Pair {
  readonly file: ChangedFile;
  readonly base: Pipeline;
  readonly head: Pipeline;
  readonly text: string;
}

/** Workflows, actions and pipelines that run the gate less, or less strictly, than at the base. */
export async function workflowWeakenings({ difference }: Pick<WeakeningInput, "difference">): Promise<Weakening[]> {
  const changed = difference.files.filter((file) => isWorkflow(file.path) || isWorkflow(basePathOf(file)));
  if (changed.length === 0) return [];
  const before = new Pipelines(difference.base);
  const after = new Pipelines(difference.head);
  const found: Weakening[] = [];
  for (const file of changed) {
    const base = file.basePath === null || !isWorkflow(file.basePath) ? null : await before.read(file.basePath);
    const head = file.status === "deleted" || !isWorkflow(file.path) ? null : await after.read(file.path);
    if (base !== null && runsOf(base) > 0) found.push(...goneWeakenings(file, head));
    if (base !== null && head !== null) found.push(...pairChanges({ file, base, head, text: await difference.head.text(file.path) ?? "" }).map((change) => fileWeakening(file, change)));
  }
  return [...found, ...await shadowWeakenings(difference, changed, before, after)];
}

function isWorkflow(path: TreePath): boolean {
  return FORMS.has(formOf(path) ?? "");
}

function runsOf(pipeline: Pipeline): number {
  return pipeline.jobs.reduce((sum, job) => sum + job.runs.length, 0);
}

function goneWeakenings(file: ChangedFile, head: Pipeline | null): Weakening[] {
  const from = basePathOf(file);
  const what = file.status === "deleted" ? "is deleted" : file.path !== from ? `moved to ${file.path}` : head === null ? "can no longer be read" : null;
  if (what === null) return [];
  const message = `${from} runs the gate and ${what}: what a branch requires looks for it there. ${ACCEPT}`;
  return [fileWeakening(file, { kind: "workflow-removed", at: FIRST_LINE, message, subject: from })];
}

function pairChanges(pair: Pair): Change[] {
  const gates = pair.base.jobs.filter((job) => job.runs.length > 0);
  if (gates.length === 0) return [];
  const lost = (at: Place): Place => (at.line === 1 ? at : placeOfLine(pair.text, at.line));
  const own = gates.flatMap((job) => jobChanges(pair, job, lost));
  return [...settingChanges(pair.base.settings, pair.head.settings, "the workflow", lost, ACCEPT), ...own];
}

function jobChanges(pair: Pair, base: Job, lost: (at: Place) => Place): Change[] {
  const head = pair.head.jobs.find((job) => job.id === base.id);
  if (head === undefined) return [goneJob(pair, base, lost)];
  const whose = base.id === "runs" && base.checkName === "" ? "the action" : `the job ${base.id}`;
  const renamed: Change[] = head.checkName === base.checkName ? [] : [{
    kind: "workflow-job-renamed", at: head.at, subject: `${base.id} ${head.checkName}`,
    message: `The job that runs the gate was called ${base.checkName} and is called ${head.checkName}: a required check waits for the old name. ${ACCEPT}`,
  }];
  return [...renamed, ...settingChanges(base.settings, head.settings, whose, lost, ACCEPT), ...runChanges(base, head, whose, lost, ACCEPT)];
}

function goneJob(pair: Pair, base: Job, lost: (at: Place) => Place): Change {
  const texts = new Set(base.runs.map((run) => run.text));
  const other = pair.head.jobs.find((job) => job.runs.some((run) => texts.has(run.text)) && !pair.base.jobs.some((one) => one.id === job.id));
  if (other !== undefined) {
    const message = `The job ${base.id}, which runs the gate, is now ${other.id}: a required check waits for the old name. ${ACCEPT}`;
    return { kind: "workflow-job-renamed", at: other.at, message, subject: `${base.id} ${other.id}` };
  }
  const message = `The job ${base.id}, which ran the gate (${base.runs[0]!.text}), is gone. ${ACCEPT}`;
  return { kind: "workflow-step-removed", at: lost(base.at), message, subject: base.id };
}

/** Jobs that are new under the name of one that runs the gate: of two checks with one name, either may count. */
async function shadowWeakenings(difference: WeakeningInput["difference"], changed: readonly ChangedFile[], before: Pipelines, after: Pipelines): Promise<Weakening[]> {
  const gates = new Map<string, string>();
  const known = new Set<string>();
  for (const path of [...difference.base.paths].filter((one) => formOf(one) === "github")) {
    const pipeline = await before.read(path);
    for (const job of pipeline?.jobs ?? []) {
      known.add(`${path} ${job.checkName}`);
      if (job.runs.length > 0) gates.set(job.checkName, path);
    }
  }
  const found: Weakening[] = [];
  for (const file of changed.filter((one) => one.status !== "deleted" && formOf(one.path) === "github")) {
    for (const job of (await after.read(file.path))?.jobs ?? []) {
      const path = gates.get(job.checkName);
      if (path === undefined || known.has(`${basePathOf(file)} ${job.checkName}`)) continue;
      const message = `This job has the name ${job.checkName}, as the job of ${path} that runs the gate: a required check may take one for the other. Give it another name, or have an owner of the workflow accept it.`;
      found.push(fileWeakening(file, { kind: "workflow-job-renamed", at: job.at, message, subject: `${job.checkName} twice` }));
    }
  }
  return found;
}
