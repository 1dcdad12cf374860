import { availableParallelism } from "node:os";
import type { Discovery } from "./discovery/discover.ts";
import { GateError } from "./errors.ts";
import type { Failure } from "./judging/module.ts";
import type { CheckOptions } from "./options.ts";
import { DEFAULT_MAX_FILE_BYTES } from "./policy/policy.ts";
import type { Policy, RuleSetting } from "./policy/policy.ts";
import { CONFIGURABLE_RULES, FIXED_RULES } from "./policy/schema.ts";
import type { PoolOptions } from "./pool/pool.ts";

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
