import { realpathSync } from "node:fs";
import path from "node:path";
import { excluder } from "../discovery/exclude.ts";
import { placePaths } from "../discovery/root.ts";
import { GateError } from "../errors.ts";
import { readerOver } from "../git/reader.ts";
import { openRepository } from "../git/repository.ts";
import type { Repository } from "../git/repository.ts";
import { resolveChange } from "../git/revisions.ts";
import type { Revisions } from "../git/revisions.ts";
import { commitSnapshot, indexSnapshot, worktreeSnapshot } from "../git/snapshots.ts";
import { ModuleReader } from "../judging/module-reader.ts";
import { openCache } from "../judging/cached.ts";
import type { FactsCache } from "../cache/facts-cache.ts";
import { Ports } from "../modules/tree.ts";
import type { ChangeOptions } from "../options.ts";
import type { TreePath } from "../paths.ts";
import type { Policy } from "../policy/policy.ts";
import { Progress } from "../progress.ts";
import { inForce, poolOptions, ruleSettings } from "../run-settings.ts";
import type { Reader, Snapshot } from "../snapshot/snapshot.ts";
import type { Difference } from "./change.ts";
import { HeadBlobs, differenceBetween } from "./difference.ts";
import type { GrepEach, Importers } from "./importers.ts";
import { overlayOf } from "./overlay.ts";
import { policyAt, policyPlace } from "./policy.ts";
import type { PolicyInForce, PolicyPlace } from "./policy.ts";
import { grepOf } from "./grep-of.ts";
import { searchByHead } from "./shared-search.ts";
import { Types } from "../types/index.ts";
import { ChangeSide } from "./side.ts";

/** A revision pair with everything that was listed, before a policy judges it. */
export interface Listed {
  readonly root: string;
  readonly repository: Repository;
  readonly revisions: Revisions;
  readonly reader: Reader;
  readonly head: Snapshot;
  /** Of the base: what the change goes into. */
  readonly tip: Snapshot;
  /** One for each merge base. */
  readonly bases: readonly Snapshot[];
  readonly place: PolicyPlace;
  /** Of the tip of the base. */
  readonly policy: PolicyInForce;
  /** Tree paths of the command line; empty for the whole tree. */
  readonly named: readonly TreePath[];
  /** What is wrong with the first other one of them. */
  readonly nameProblem: GateError | null;
}

/** One merge base beside head. */
export interface Comparison {
  readonly base: ChangeSide;
  readonly baseImporters: Importers;
  readonly difference: Difference;
}

/** A change under one policy, its modules still unread. */
export interface OpenChange {
  readonly listed: Listed;
  readonly policy: Policy;
  readonly ports: Ports;
  readonly held: PolicyInForce;
  /** Whether an owner accepted what the change loosens: then head's own suppressions are in force too. */
  readonly accepted: boolean;
  readonly head: ChangeSide;
  readonly headImporters: Importers;
  readonly comparisons: readonly Comparison[];
  readonly cache: FactsCache;
  readonly types: Types | null;
  close(): Promise<void>;
}

/**
 * Finds the revisions of a change and lists their files.
 *
 * @throws GateError where there is no base: no git, no such ref, no merge base
 */
export async function listChange(options: ChangeOptions): Promise<Listed> {
  // As in a tree: the first path may lie in another one than the working directory.
  const { root } = placePaths(options.cwd, (options.paths ?? []).slice(0, 1));
  if (!root.git) throw new GateError("There is no git repository here, and a change is told by git.", "Leave out --base to judge the tree as it lies, or run agentgate in a clone.");
  const repository = await openRepository(root.folder, options.gitTimeout === undefined ? {} : { timeout: options.gitTimeout });
  try {
    const { base, head, staged } = options;
    const revisions = await resolveChange(repository, { base, ...(head === undefined ? {} : { head }), ...(staged === undefined ? {} : { staged }) });
    const reader = readerOver(repository);
    const commits = new Map<string, Promise<Snapshot>>();
    const commit = (id: string): Promise<Snapshot> => {
      const known = commits.get(id) ?? commitSnapshot(repository, id);
      commits.set(id, known);
      return known;
    };
    const snapshot = revisions.head.kind === "commit" ? commit(revisions.head.id) : revisions.head.kind === "index" ? indexSnapshot(repository) : worktreeSnapshot(repository);
    const place = policyPlace(root.folder, options.cwd, options.config);
    const [now, tip, bases] = await Promise.all([snapshot, commit(revisions.tip), Promise.all(revisions.mergeBases.map(commit))]);
    const policy = await policyAt(tip, reader, place, root.folder, revisions.ref);
    return { root: root.folder, repository, revisions, reader, head: now, tip, bases, place, policy, ...namedPaths(options, root.folder, [now, ...bases]) };
  } catch (error) {
    repository.close();
    throw error;
  }
}

/** The paths of the command line, relative to the root. They may be there on one side only. */
function namedPaths({ cwd, paths }: ChangeOptions, root: string, snapshots: readonly Snapshot[]): Pick<Listed, "named" | "nameProblem"> {
  const found = (paths ?? []).map((given) => namedPath(given, path.relative(root, path.resolve(realpathSync(cwd), given)).split(path.sep).join("/"), snapshots));
  return { named: found.filter((one) => typeof one === "string"), nameProblem: found.find((one) => typeof one !== "string") ?? null };
}

function namedPath(given: string, below: string, snapshots: readonly Snapshot[]): TreePath | GateError {
  if (below === ".." || below.startsWith("../") || path.isAbsolute(below)) return new GateError(`${given} lies outside of the tree that is judged.`, "Judge one tree at a time.");
  const exists = below === "" || snapshots.some(({ entries }) => entries.some((entry) => entry.path === below || entry.path.startsWith(`${below}/`)));
  return exists ? below : new GateError(`${given} does not exist, neither at the base nor at head.`, "Give a file or folder of the tree, relative to the working directory.");
}

/** A policy whose lines are those of the base, so that messages say which file they count in. */
function readAtBase(policy: Policy): Policy {
  return { ...policy, gates: policy.gates.map((gate) => ({ ...gate, atBase: true as const })) };
}

/** Opens both sides under a policy. `held` is the policy in force, from the tip of the base or, once accepted, from head. */
export async function openChange(listed: Listed, held: PolicyInForce, options: ChangeOptions, accepted = false): Promise<OpenChange> {
  const { repository, reader, revisions } = listed;
  const settings = ruleSettings(options.rules ?? {});
  if (settings.problem !== null) throw settings.problem;
  const own = inForce(held.loaded.policy, options.strict === true, settings.rules);
  const isOutside = path.isAbsolute(held.loaded.path) || held.loaded.path.startsWith("../");
  const policy = accepted || isOutside ? own : readAtBase(own);
  const ports = new Ports(policy.ports);
  const progress = new Progress(options.onProgress);
  const cache = await openCache(listed.root, options);
  const types = options.types === true ? await Types.open(listed.root, { overlay: await overlayOf(listed) }) : null;
  const modules = new ModuleReader({ ...poolOptions(options, policy), reader, cache, types, objectFormat: repository.format, onDone: (count) => { progress.add(count); } });
  const input = { reader, modules, excludes: excluder(policy.exclude), policy, ports, named: listed.named };
  const where = revisions.head.kind === "commit" ? revisions.head.id : revisions.head.kind;
  const atHead = grepOf(repository, where, listed.head);
  const head = await ChangeSide.open(listed.head, input, atHead);
  const blobs = new HeadBlobs(reader, repository.format);
  const comparisons: Comparison[] = [];
  for (const [index, snapshot] of listed.bases.entries()) {
    const own = grepOf(repository, revisions.mergeBases[index]!, snapshot);
    const known: { difference: Difference | null } = { difference: null };
    const byHead = (search: "byWord" | "defining"): GrepEach => searchByHead(atHead[search], own[search], () => known.difference);
    const base = await ChangeSide.open(snapshot, { ...input, named: [] }, { ...own, byWord: byHead("byWord"), defining: byHead("defining") });
    const difference = (known.difference = await differenceBetween(base, head, blobs, reader));
    comparisons.push({ base, baseImporters: base.importers, difference });
  }
  return {
    listed, policy, ports, held, accepted, head, comparisons, cache, types,
    headImporters: head.importers,
    close: async () => {
      modules.close();
      await cache.close();
    },
  };
}
