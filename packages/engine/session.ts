import path from "node:path";
import { discover } from "./discovery/discover.ts";
import type { Discovery } from "./discovery/discover.ts";
import { excluder } from "./discovery/exclude.ts";
import { listTree } from "./discovery/list.ts";
import type { Listing } from "./discovery/list.ts";
import { isNestedPolicy, placePaths } from "./discovery/root.ts";
import { GateError } from "./errors.ts";
import type { FactsCache } from "./cache/facts-cache.ts";
import { openCache } from "./judging/cached.ts";
import { collect } from "./judging/collect.ts";
import type { Collected } from "./judging/collect.ts";
import { contextsOver } from "./judging/context.ts";
import type { ContextOf } from "./judging/context.ts";
import type { Failure, Module } from "./judging/module.ts";
import { ModuleReader } from "./judging/module-reader.ts";
import { ModuleIndex } from "./modules/module-index.ts";
import { Linker, Ports } from "./modules/tree.ts";
import type { CheckOptions } from "./options.ts";
import type { TreePath } from "./paths.ts";
import { loadPolicy } from "./policy/load.ts";
import type { LoadedPolicy } from "./policy/load.ts";
import type { Policy } from "./policy/policy.ts";
import { Progress } from "./progress.ts";
import { inForce, poolOptions, ruleSettings, unreadable } from "./run-settings.ts";
import { diskReader } from "./snapshot/disk.ts";
import { Types } from "./types/index.ts";

/** A tree with its policy in force and its modules read: all that judging needs. */
export interface OpenTree {
  readonly root: string;
  readonly loaded: LoadedPolicy;
  /** `loaded.policy` with what the command line says. */
  readonly policy: Policy;
  readonly ports: Ports;
  readonly discovery: Discovery;
  readonly modules: ReadonlyMap<TreePath, Module>;
  readonly contextOf: ContextOf;
  readonly failures: readonly Failure[];
  readonly nestedPolicies: readonly TreePath[];
  /** Whether the whole tree was asked for and can be judged by its policy. */
  readonly whole: boolean;
  readonly error: GateError | null;
  /** What a person is to know before anything was judged. */
  readonly notes: readonly string[];
  readonly types: Types | null;
}

/** Finds the root, reads policy and files. The first thing that keeps the gate from judging is in `error`. */
export async function openTree(options: CheckOptions): Promise<OpenTree> {
  const given = options.paths ?? [];
  const { root, below, problems } = placePaths(options.cwd, given);
  const loaded = loadPolicy(root.folder, options.config === undefined ? null : path.resolve(options.cwd, options.config));
  const settings = ruleSettings(options.rules ?? {});
  const policy = inForce(loaded.policy, options.strict === true, settings.rules);
  const nothing = given.length > 0 && below.length === 0;
  const listing: Listing = nothing ? { entries: [], closed: [], notes: [] } : await listTree(root, below);
  const discovery = discover(root.folder, listing, policy.exclude, below);
  const linker = new Linker(discovery);
  const cache = await openCache(root.folder, options);
  const types = options.types === true ? await Types.open(root.folder) : null;
  const collected = await collectTree(discovery, linker, { ...options, policy, facts: cache, checker: types });
  const { modules } = collected;
  const ports = new Ports(policy.ports);
  const error = settings.problem ?? problems[0] ?? loaded.error;
  return {
    root: root.folder, loaded, policy, ports, discovery, modules, contextOf: contextsOver({ facts: (path) => modules.get(path)?.facts ?? null, linker, policy, ports, searches: new ModuleIndex(modules.values(), linker) }),
    failures: [...collected.failures, ...discovery.unreadable.map(unreadable)],
    nestedPolicies: nestedPolicies(discovery, policy, loaded.path),
    whole: (given.length === 0 || below.includes("")) && error === null, error, notes: [...listing.notes, ...(cache.note === null ? [] : [cache.note]), ...namedNotes(discovery, below), ...types?.notes(discovery.sources) ?? []], types,
  };
}

/** A run's options, and what they came to. */
interface Reading extends CheckOptions {
  readonly policy: Policy;
  readonly facts: FactsCache;
  readonly checker: Types | null;
}

async function collectTree(discovery: Discovery, linker: Linker, options: Reading): Promise<Collected> {
  const { policy, facts: cache, checker } = options;
  const progress = new Progress(options.onProgress);
  const reader = new ModuleReader({ ...poolOptions(options, policy), reader: diskReader, cache, types: checker, objectFormat: "sha1", onDone: (count) => { progress.add(count); } });
  try {
    return await collect(discovery, linker, reader, (total) => { progress.expect(total); });
  } finally {
    reader.close();
    await cache.close();
  }
}

/** Policy files below the root. One in an excluded folder belongs to a fixture or a copy of somebody else's tree. */
export function nestedPolicies(discovery: Discovery, policy: Policy, inUse: string): TreePath[] {
  const excludes = excluder(policy.exclude);
  return [...discovery.files.keys()].filter((file) => isNestedPolicy(file, inUse) && excludes(file) === null).sort();
}

/** What a person should know about paths of the command line that were not judged. */
export function namedNotes(discovery: Discovery, below: readonly TreePath[]): string[] {
  const byPath = new Map(discovery.sources.map((file) => [file.path, file]));
  const listed = new Set([...discovery.unscanned, ...discovery.unreadable].map((file) => file.path));
  return below.flatMap((named) => {
    const end = discovery.links.get(named);
    if (end !== undefined && !byPath.has(named) && byPath.has(end)) return [`${named} is a link to ${end}, which is judged by that name: name it instead.`];
    const holdsNoCode = discovery.files.has(named) && !byPath.has(named) && !listed.has(named);
    if (holdsNoCode) return [`${named} is no Python, TypeScript or JavaScript, and was not judged.`];
    const glob = byPath.get(named)?.excludedBy;
    return glob === undefined || glob === null ? [] : [`${named} is excluded by ${glob}, and was not judged.`];
  });
}
