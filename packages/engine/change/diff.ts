import { positionAt } from "@agentgate/parsers";
import type { Acquired, Capability, Port } from "@agentgate/rules";
import { GateError } from "../errors.ts";
import type { ChangeOptions } from "../options.ts";
import { importablePorts } from "../modules/tree.ts";
import { comparePaths } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import { REPORT_VERSION } from "../report.ts";
import type { CapabilitySites, DiffReport, ModuleDifference, Report } from "../report.ts";
import { setDiffRun } from "../runs.ts";
import { nearestPath } from "./nearest.ts";
import { listChange, openChange } from "./open.ts";
import type { Listed, OpenChange } from "./open.ts";
import { subjectsOf } from "./subjects.ts";
import type { Subjects } from "./subjects.ts";
import { unjudgedFindings } from "./unjudged.ts";
import type { View } from "./view.ts";

/** What a change newly can do and no longer can, module by module; ports take nothing away. Rejects as `checkChange` does. */
export async function diffOfChange(options: ChangeOptions): Promise<DiffReport> {
  try {
    const listed = await listChange(options);
    try {
      return await diffOfListed(listed, options);
    } finally {
      listed.repository.close();
    }
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
    return { version: REPORT_VERSION, tool: { name: "agentgate", version: options.version }, base: null, error: error.toReport(), modules: [] };
  }
}

async function diffOfListed(listed: Listed, options: ChangeOptions): Promise<DiffReport> {
  const change = await openChange(listed, listed.policy, options);
  try {
    const subjects = await subjectsOf(change);
    const { revisions } = listed;
    const base: Report["base"] = { ref: revisions.ref, tip: revisions.tip, mergeBase: revisions.mergeBases[0] ?? "" };
    const rows = rowsOf(subjects);
    const report: DiffReport = {
      version: REPORT_VERSION, tool: { name: "agentgate", version: options.version }, base, error: listed.policy.error?.toReport() ?? null,
      modules: rows.map((row) => differenceOf(row, rows, change)).filter(({ gained, lost, moved }) => gained.length + lost.length + moved.length > 0),
    };
    const had = new Map(rows.map(({ path, before }) => [path, before === null ? null : new Set([...before.values()].map(({ acquired }) => acquired.capability))]));
    setDiffRun(report, {
      hadAtBase: (path) => had.get(path) ?? null, portFor: (path, capability) => portFor(change, path, capability as Capability),
      unjudged: unjudgedFindings(change, subjects).filter(({ severity }) => severity === "error"),
      strict: change.policy.strict,
    });
    return report;
  } finally {
    await change.close();
  }
}

interface Ability {
  readonly acquired: Acquired;
  readonly view: View;
}

type Abilities = ReadonlyMap<string, Ability>;

interface Row {
  readonly path: TreePath;
  /** Where it lay at the first merge base; what moved away from it, moved from there. */
  readonly oldPath: TreePath;
  /** Null where the module was not there or not judged. */
  readonly before: Abilities | null;
  readonly after: Abilities;
}

function rowsOf({ subjects, gone }: Subjects): Row[] {
  const rows = subjects.map(({ path, view, bases }): Row => ({ path, oldPath: bases[0]?.path ?? path, before: commonOf(bases.map((base) => base?.view ?? null)), after: abilitiesOf(view) }));
  const deleted = [...gone].map(([path, view]): Row => ({ path, oldPath: path, before: abilitiesOf(view), after: new Map() }));
  return [...rows, ...deleted].sort((left, right) => comparePaths(left.path, right.path));
}

/** What a module had at all merge bases. */
function commonOf(views: readonly (View | null)[]): Abilities | null {
  const [first, ...others] = views.map((view) => (view === null ? null : abilitiesOf(view)));
  if (first === undefined || first === null) return null;
  return new Map([...first].filter(([key]) => others.every((other) => other?.has(key) === true)));
}

function abilitiesOf(view: View | null): Abilities {
  return new Map((view?.acquired ?? []).map((acquired) => [`${acquired.capability}\0${acquired.root}`, { acquired, view: view! }]));
}

function differenceOf({ path, before, after }: Row, rows: readonly Row[], change: OpenChange): ModuleDifference {
  const news = [...after].filter(([key]) => before?.has(key) !== true);
  const from = new Map(news.map(([key]) => [key, nearestPath(path, rows.filter((row) => row.path !== path && row.before?.has(key) === true && !row.after.has(key)).map((row) => row.oldPath))]));
  const gained = news.filter(([key]) => from.get(key) === null).map(([, ability]) => ability);
  const first = [...gained, ...news.map(([, ability]) => ability)].find(({ acquired }) => portFor(change, path, acquired.capability) !== null);
  return {
    path, gained: gained.map(sitesOf),
    lost: [...(before ?? [])].filter(([key]) => !after.has(key)).map(([, ability]) => sitesOf(ability)),
    moved: news.flatMap(([key, ability]) => (from.get(key) === null ? [] : [{ ...sitesOf(ability), from: from.get(key)! }])),
    port: first === undefined ? null : (portFor(change, path, first.acquired.capability)?.path ?? null), contract: null,
  };
}

function portFor({ ports, head }: OpenChange, path: TreePath, capability: Capability): Port | null {
  return importablePorts({ ports, linker: head.linker }, path, capability)[0] ?? null;
}

function sitesOf({ acquired: { capability, api, sites }, view }: Ability): CapabilitySites {
  return { capability, api, sites: sites.map(({ span }) => positionAt(view.module.facts.lines, span[0])) };
}
