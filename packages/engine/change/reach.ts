import { ableTo, permitCommand } from "@agentgate/rules";
import type { Capability } from "@agentgate/rules";
import type { ReachSummary } from "@agentgate/rules/reach-summary";
import { placeOf } from "../judging/finding.ts";
import { fingerprintOf } from "../judging/fingerprint.ts";
import { severityOf } from "../judging/judge.ts";
import type { Module } from "../judging/module.ts";
import type { TreePath } from "../paths.ts";
import { reachGains } from "../reach/reach.ts";
import type { ReachGain, ReachSide } from "../reach/reach.ts";
import type { Finding, RelatedPlace } from "../report.ts";
import type { Compared } from "./gains.ts";
import { gainKey } from "./gains.ts";
import { importablePorts } from "../modules/tree.ts";
import type { OpenChange } from "./open.ts";
import type { Places } from "./places.ts";
import type { ChangeSide } from "./side.ts";
import type { Subjects } from "./subjects.ts";

const RULE = "no-invented-io";

/** Adds what changed modules newly reach through calls into other modules of the tree, against any merge base. */
export async function addReached(change: OpenChange, places: Places, { subjects }: Subjects, compared: Compared): Promise<void> {
  const severity = severityOf(RULE, "error", change.policy);
  if (severity === "off") return;
  const touched = subjects.filter(({ cause, view }) => cause === null && view !== null);
  const heads = new Map(touched.map(({ path, view }) => [path, capabilitiesIn(view!.acquired)]));
  const head = reachSide(change, change.head);
  const seen = new Set<string>();
  for (const [index, { base }] of change.comparisons.entries()) {
    const modules = touched.map(({ path, bases }) => ({ path, base: bases[index] ?? null }));
    const bases = new Map(modules.flatMap((module) => (module.base === null ? [] : [[module.base.path, capabilitiesIn(module.base.view.acquired)] as const])));
    const gains = await reachGains({
      modules: modules.map((module) => ({ path: module.path, basePath: module.base?.path ?? null })),
      head, base: reachSide(change, base),
      isAdded: (path, span) => places.isAdded(change.head.module(path)!, span),
      own: (path, side) => (side === "head" ? heads : bases).get(path) ?? NONE,
    });
    for (const gain of gains) {
      // One finding for one cause: where the module at the end is itself reported, who calls it says nothing more.
      if (gain.through.some((path) => compared.gained.has(gainKey(path, gain.capability)))) continue;
      const key = gainKey(gain.path, gain.capability);
      if (!seen.has(key)) compared.findings.push(findingOf(change, gain, severity));
      seen.add(key);
    }
  }
}

const NONE: ReadonlySet<Capability> = new Set();

function capabilitiesIn(acquired: readonly { readonly capability: Capability }[]): ReadonlySet<Capability> {
  return new Set(acquired.map(({ capability }) => capability));
}

function reachSide(change: OpenChange, side: ChangeSide): ReachSide {
  const summaries = new Map<TreePath, ReachSummary | null>();
  return {
    load: (paths) => side.load(paths),
    summary: (path) => {
      let summary = summaries.get(path);
      if (summary === undefined) summaries.set(path, (summary = side.module(path)?.reach ?? null));
      return summary;
    },
    resolve: (from, specifier) => side.linker.resolve(from, specifier),
    covers: (path, capability) => change.ports.covering(path, capability) !== null,
    capabilities: change.policy.capabilities, strict: change.policy.strict,
  };
}

/** Where a port covers the module itself there is no gain to report. */
function findingOf(change: OpenChange, gain: ReachGain, severity: Finding["severity"]): Finding {
  const module = change.head.module(gain.path)!;
  return {
    rule: RULE, severity, message: messageOf(change, gain, importsAt(module, gain)), path: gain.path, ...placeOf(module.facts, module.text, gain.span),
    capability: gain.capability, api: gain.api, baseline: "new", related: relatedOf(change, gain, module),
    fingerprint: fingerprintOf(RULE, { capability: gain.capability, key: `reach ${gain.api}`, statement: gain.statement }, module.facts, module.text),
  };
}

/** Whether a place is an import: what runs from there is what the module that it names does when it is loaded. */
function importsAt({ facts }: Module, { span }: ReachGain): boolean {
  return facts.imports.some((one) => one.form !== "require" && one.span[0] <= span[0] && span[1] <= one.span[1]);
}

function messageOf(change: OpenChange, { path, capability, api, through }: ReachGain, isImport: boolean): string {
  const way = through.length === 0 ? "" : ` through ${through.slice(0, 3).join(", ")}${through.length > 3 ? ` and ${through.length - 3} more` : ""}`;
  const what = isImport ? "This import lets the module" : "This call lets the module";
  const port = importablePorts({ ports: change.ports, linker: change.head.linker }, path, capability)[0];
  const instead = port === undefined ? "Take it out" : `${isImport ? "Import" : "Call"} ${port.path}, the port that has ${capability}, instead`;
  return `${what} ${ableTo(capability)}${way}: ${api}. It could not before, by itself or through others. ${instead}, or have the owner of what it reaches license that: ${permitCommand(through.at(-1) ?? path, capability)}.`;
}

function relatedOf(change: OpenChange, gain: ReachGain, module: Module): RelatedPlace[] {
  const hops = gain.related.flatMap((hop): RelatedPlace[] => {
    const other = change.head.module(hop.path);
    return other === null ? [] : [{ path: hop.path, ...placeOf(other.facts, other.text, hop.span), message: hop.message }];
  });
  const more = gain.more.map(({ span }): RelatedPlace => ({ path: module.path, ...placeOf(module.facts, module.text, span), message: `also reaches ${gain.capability}` }));
  return [...hops, ...more];
}
