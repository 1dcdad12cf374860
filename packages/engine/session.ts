import { availableParallelism } from "node:os";
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
import { DEFAULT_MAX_FILE_BYTES } from "./policy/policy.ts";
import type { Policy, RuleSetting } from "./policy/policy.ts";
import { CONFIGURABLE_RULES, FIXED_RULES } from "./policy/schema.ts";
import type { PoolOptions } from "./pool/pool.ts";
import { Progress } from "./progress.ts";
import { diskReader } from "./snapshot/disk.ts";

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
  readonly notes: readonly string[];
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
  const collected = await collectTree(discovery, linker, options, policy, cache);
  const { modules } = collected;
  const ports = new Ports(policy.ports);
  const error = settings.problem ?? problems[0] ?? loaded.error;
  return {
    root: root.folder, loaded, policy, ports, discovery, modules, contextOf: contextsOver({ facts: (path) => modules.get(path)?.facts ?? null, linker, policy, ports, searches: new ModuleIndex(modules.values(), linker) }),
    failures: [...collected.failures, ...discovery.unreadable.map(unreadable)],
    nestedPolicies: nestedPolicies(discovery, policy, loaded.path),
    whole: (given.length === 0 || below.includes("")) && error === null, error, notes: [...listing.notes, ...(cache.note === null ? [] : [cache.note]), ...namedNotes(discovery, below)],
  };
}

/** The failure of a file that discovery could not make out. */
export function unreadable(file: Discovery["unreadable"][number]): Failure {
  return { path: file.path, severity: "error", reason: file.reason, advice: "Put a readable file of the tree in its place, or remove it." };
}

/** A policy with what the command line says. */
export function inForce(policy: Policy, strict: boolean, rules: ReadonlyMap<string, RuleSetting>): Policy {
  const merged = new Map(policy.rules);
  for (const [id, setting] of rules) merged.set(id, { severity: setting.severity, options: policy.rules.get(id)?.options ?? {} });
  return { ...policy, strict: policy.strict || strict, rules: merged };
}

/** The severities of `--rule`, or what is wrong with one of them. */
export function ruleSettings(rules: NonNullable<CheckOptions["rules"]>): { readonly rules: ReadonlyMap<string, RuleSetting>; readonly problem: GateError | null } {
  const settings = new Map<string, RuleSetting>();
  for (const [id, severity] of Object.entries(rules)) {
    if (FIXED_RULES.has(id)) return { rules: settings, problem: new GateError(`--rule ${id}: nothing may change the severity of ${id}.`, "Leave the option out.") };
    if (!CONFIGURABLE_RULES.includes(id) && !/^[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*$/.test(id)) {
      return { rules: settings, problem: new GateError(`--rule ${id}: no rule is called ${id}.`, `The rules are ${CONFIGURABLE_RULES.join(", ")}.`) };
    }
    settings.set(id, { severity, options: {} });
  }
  return { rules: settings, problem: null };
}

/** Memory of a child in megabytes: for a file of 1 MiB, and what larger files take beyond it. */
function heapMegabytes(maxFileBytes: number): number {
  return 1024 + Math.ceil((Math.max(0, maxFileBytes - DEFAULT_MAX_FILE_BYTES) * 256) / 1_048_576);
}

async function collectTree(discovery: Discovery, linker: Linker, options: CheckOptions, policy: Policy, cache: FactsCache): Promise<Collected> {
  const progress = new Progress(options.onProgress);
  const reader = new ModuleReader({ ...poolOptions(options, policy), reader: diskReader, cache, objectFormat: "sha1", onDone: (count) => { progress.add(count); } });
  try {
    return await collect(discovery, linker, reader, (total) => { progress.expect(total); });
  } finally {
    reader.close();
    await cache.close();
  }
}

/** What a run's options and policy say about reading files. */
export function poolOptions(options: CheckOptions, policy: Policy): PoolOptions & { readonly maxFileBytes: number } {
  return {
    worker: options.worker,
    jobs: options.jobs ?? Math.min(8, availableParallelism()),
    timeout: options.timeout ?? 5000,
    heapMegabytes: heapMegabytes(policy.maxFileBytes),
    maxFileBytes: policy.maxFileBytes,
  };
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
    const holdsNoCode = discovery.files.has(named) && !byPath.has(named) && !listed.has(named);
    if (holdsNoCode) return [`${named} is no Python, TypeScript or JavaScript, and was not judged.`];
    const glob = byPath.get(named)?.excludedBy;
    return glob === undefined || glob === null ? [] : [`${named} is excluded by ${glob}, and was not judged.`];
  });
}
