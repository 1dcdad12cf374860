import { type ContractFinding, WIRING } from "@agentgate/rules/contracts";
import type { Side } from "../change/change.ts";
import { globMatcher } from "../discovery/exclude.ts";
import type { Located, LocatedEntry } from "../policy/located.ts";
import { Pipelines } from "../weakening/gate/context.ts";
import { formOf, readData } from "../weakening/gate/files.ts";
import type { Job } from "../weakening/gate/pipeline.ts";
import type { Setting } from "../weakening/gate/settings.ts";
import { entriesOf, entryOf, itemsOf, placeOfKey, placeOfValue, textOf, valueOf } from "../weakening/place.ts";
import type { Place } from "../weakening/record.ts";
import type { DiskTree } from "./disk-tree.ts";

/** What the wiring of a tree came to. */
interface Wiring {
  readonly found: readonly ContractFinding[];
  /** The workflows that run the gate. */
  readonly files: readonly string[];
}

const FOLDERS = [".github/workflows", ".gitea/workflows", ".forgejo/workflows", ".gitlab"];
const FILES = [".gitlab-ci.yml", ".gitlab-ci.yaml"];

/** Judges the workflows that run the gate. `guarded`: the contracts and the files that they rest on. */
export async function judgeWiring(tree: DiskTree, guarded: readonly string[]): Promise<Wiring> {
  const pipelines = new Pipelines(sideOf(tree));
  await pipelines.launchers();
  const candidates = [...FOLDERS.flatMap((folder) => tree.list(folder)), ...FILES].filter((path) => ["github", "gitlab"].includes(formOf(path) ?? ""));
  const found: ContractFinding[] = [];
  const files: string[] = [];
  for (const path of candidates) {
    const jobs = (await pipelines.read(path))?.jobs.filter((job) => job.runs.length > 0) ?? [];
    if (jobs.length === 0) continue;
    files.push(path);
    const root = readData(textIn(tree, path)) ?? undefined;
    found.push(...jobs.flatMap((job) => [...softJob(path, job), ...skippableJob(path, job), ...shallowJob(path, job, valueOf(root, "jobs"))]), ...narrowFilters(path, root, guarded));
  }
  return { found: oncePerPlace(found), files };
}

/** The tree as the readers of workflows ask for it. */
function sideOf(tree: DiskTree): Side {
  return { paths: new Set(), blob: () => null, facts: () => null, text: (path) => Promise.resolve(textIn(tree, path)) };
}

function textIn(tree: DiskTree, path: string): string | null {
  const read = tree.read(path);
  if (read.kind !== "file") return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(read.bytes);
  } catch {
    return null;
  }
}

function finding(rule: keyof typeof WIRING.rules, path: string, at: Place, key: string, message: string): ContractFinding {
  return { rule: `${WIRING.id}/${rule}`, severity: "error", path, at, key: JSON.stringify([key]), message, related: [] };
}

function oncePerPlace(found: readonly ContractFinding[]): ContractFinding[] {
  return [...new Map(found.map((one) => [JSON.stringify([one.path, one.at.line, one.at.column, one.rule]), one])).values()];
}

/** What narrows the runs of a job, around it and around each run. */
function narrowings({ runs, settings }: Job, kind: Setting["kind"]): Setting[] {
  return [...settings, ...runs.flatMap((run) => run.settings)].filter((one) => one.effect === "narrows" && one.kind === kind);
}

function softJob(path: string, job: Job): ContractFinding[] {
  return narrowings(job, "workflow-softened").map(({ at, label, value }) =>
    finding("soft", path, at, `${job.id} ${label}`, `The job ${job.id} passes when the gate fails: ${said(label, value)}. A gate that cannot fail is telemetry: take it out.`));
}

/** `|| true` says it all; `continue-on-error` needs its value. */
function said(label: string, value: string): string {
  return value === "" || value.startsWith(label) ? value || label : `${label}: ${value}`;
}

const PERSUADABLE = /\blabels?\b|\.message\b|commit_message/i;

/** Whether a condition is up to a label or a commit message. What follows the first commit of a line is looked through once. */
function isPersuadable(condition: string): boolean {
  return PERSUADABLE.test(condition) || condition.split("\n").some((line) => {
    const commit = line.search(/commits?\b/i);
    return commit !== -1 && /\bmessage\b/i.test(line.slice(commit));
  });
}

function skippableJob(path: string, job: Job): ContractFinding[] {
  return narrowings(job, "workflow-condition-added").filter(({ value }) => isPersuadable(value)).map(({ at, label, value }) =>
    finding("skippable", path, at, `${job.id} ${label}`, `Whether the job ${job.id} runs the gate is up to a label or a commit message (${value}), which whoever wrote the change also writes. Take the condition out.`));
}

/** A checkout without history under a gate that compares with a base. */
function shallowJob(path: string, job: Job, jobs: Located | undefined): ContractFinding[] {
  if (!job.runs.some(({ command }) => command?.options.has("base") === true)) return [];
  const steps = itemsOf(valueOf(valueOf(jobs, job.id), "steps"));
  const fetches = steps.some((step) => /\bgit\s+(?:-\S+\s+)*(?:fetch|pull)\b/.test(textOf(valueOf(step, "run")) ?? ""));
  if (fetches) return [];
  return steps.flatMap((step) => {
    const uses = valueOf(step, "uses");
    const depth = textOf(valueOf(valueOf(step, "with"), "fetch-depth"));
    if (uses === undefined || !/^(?:https:\/\/\S+\/)?actions\/checkout@/.test(textOf(uses) ?? "") || (depth !== undefined && depth !== "1")) return [];
    return [finding("shallow", path, placeOfValue(uses), job.id, `The gate in the job ${job.id} compares with a base, and this checkout fetches one commit only. Set fetch-depth: 0.`)];
  });
}

const MOST_NAMED = 3;

/** Filters of events that a change of a guarded file does not pass. */
function narrowFilters(path: string, root: Located | undefined, guarded: readonly string[]): ContractFinding[] {
  return entriesOf(valueOf(root, "on")).flatMap((event) => [entryOf(event.value, "paths"), entryOf(event.value, "paths-ignore")].flatMap((filter) => {
    const missed = filter === undefined ? [] : guarded.filter((file) => !passes(filter, file));
    if (filter === undefined || missed.length === 0) return [];
    const named = missed.slice(0, MOST_NAMED).join(", ");
    const rest = missed.length > MOST_NAMED ? ` and ${missed.length - MOST_NAMED} more` : "";
    return [finding("filter", path, placeOfKey(filter), `${event.key} ${filter.key}`, `A change of ${named}${rest} does not start this workflow, which runs the gate that guards them. Add what is missing to ${filter.key}, or drop the filter.`)];
  }));
}

/** Whether a change of a file passes a filter. Of several patterns the last that matches counts, as GitHub documents it. */
function passes({ key, value }: LocatedEntry, file: string): boolean {
  const patterns = (value.kind === "list" ? itemsOf(value) : [value]).map((one) => textOf(one) ?? "");
  const isListed = patterns.reduce((listed, pattern) => {
    const denies = pattern.startsWith("!");
    return globMatcher(denies ? pattern.slice(1) : pattern)(file) ? !denies : listed;
  }, false);
  return key === "paths" ? isListed : !isListed;
}
