import type { Located, LocatedEntry } from "../../policy/located.ts";
import { canonical, entriesOf, entryOf, itemsOf, placeOfKey, textOf, valueOf } from "../place.ts";
import { environmentSettings } from "./github.ts";
import { scriptRuns } from "./pipeline.ts";
import type { GateRun, Job, Pipeline, PipelineContext } from "./pipeline.ts";
import { narrowing, protecting } from "./script.ts";
import type { Setting } from "./settings.ts";
import gitlab from "./gitlab.json" with { type: "json" };

const DEEPEST = 8;
const reserved = new Set(gitlab.reserved);

/** Reads a pipeline of GitLab CI. Jobs that begin with a dot are templates and run only where another extends them. */
export function gitlabPipeline(root: Located, context: PipelineContext): Pipeline {
  const entries = new Map(entriesOf(root).map((entry) => [entry.key, entry]));
  const jobs = [...entries.values()].filter((entry) => !entry.key.startsWith(".") && !reserved.has(entry.key) && entry.value.kind === "mapping");
  const covered = new Set<Located>();
  const settings = [...environmentSettings(valueOf(root, "variables"), "the pipeline's variables"), ...whole(entryOf(root, "workflow"), "workflow")];
  return { jobs: jobs.map((entry) => jobOf(entry, entries, root, context, covered)), settings, covered };
}

function jobOf(entry: LocatedEntry, all: ReadonlyMap<string, LocatedEntry>, root: Located, context: PipelineContext, covered: Set<Located>): Job {
  const job = extended(entry, all);
  const before = job.get("before_script")?.value ?? valueOf(valueOf(root, "default"), "before_script") ?? valueOf(root, "before_script");
  const script = job.get("script")?.value;
  const lead = lines(before).join("\n");
  const runs = script === undefined ? [] : itemRuns(script, lead, context, covered);
  const conditions = gitlab.conditions.flatMap((key) => whole(job.get(key), key));
  const soft = job.get("allow_failure");
  const softened = soft === undefined || textOf(soft.value) === "false" ? [] : [narrowing("workflow-softened", "allow_failure", canonical(soft.value), placeOfKey(soft))];
  return { id: entry.key, checkName: entry.key, at: placeOfKey(entry), runs, settings: [...softened, ...conditions, ...environmentSettings(job.get("variables")?.value, "the job's variables")] };
}

/** All lines of a job run in one shell, so each is read with those before it. */
function itemRuns(script: Located, lead: string, context: PipelineContext, covered: Set<Located>): GateRun[] {
  const items = script.kind === "list" ? script.items : [script];
  const whole = [lead, ...items.map((item) => textOf(item) ?? "")].join("\n");
  return items.flatMap((item) => {
    const own = scriptRuns(item, context);
    if (own.length === 0) return [];
    covered.add(item);
    const together = items.length === 1 && lead === "" ? own : scriptRuns({ kind: "scalar", value: whole, line: item.line, column: item.column }, { ...context, text: "" });
    return own.map((run) => ({ ...run, settings: (together.find((one) => one.text === run.text) ?? run).settings.map((setting) => ({ ...setting, at: run.at })) }));
  });
}

/** The keys of a job with those of what it extends below them. */
function extended(entry: LocatedEntry, all: ReadonlyMap<string, LocatedEntry>): ReadonlyMap<string, LocatedEntry> {
  const keys = new Map<string, LocatedEntry>();
  const seen = new Set<LocatedEntry>();
  let level = [entry];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    const next: LocatedEntry[] = [];
    for (const one of level) {
      if (seen.has(one)) continue;
      seen.add(one);
      for (const key of entriesOf(one.value)) if (!keys.has(key.key)) keys.set(key.key, key);
      const parents = valueOf(one.value, "extends");
      // Of several the last one wins.
      const names = parents?.kind === "list" ? itemsOf(parents).map(textOf).reverse() : [textOf(parents)];
      next.push(...names.flatMap((name) => all.get(name ?? "") ?? []));
    }
    level = next;
  }
  return keys;
}

function lines(script: Located | undefined): string[] {
  if (script === undefined) return [];
  return (script.kind === "list" ? script.items : [script]).flatMap((item) => textOf(item) ?? []);
}

/** A key whose value decides when a job runs: any other value may be a narrower one. */
function whole(entry: LocatedEntry | undefined, label: string): Setting[] {
  if (entry === undefined) return [];
  const value = canonical(entry.value);
  if (gitlab.harmless.includes(`${label}: ${value}`)) return [];
  const isRule = label === "rules" || label === "workflow";
  return [narrowing("workflow-condition-added", label, value, placeOfKey(entry)), ...(isRule ? [protecting("workflow-condition-added", label, value, placeOfKey(entry))] : [])];
}
