import type { Capability, CapabilityEntry, Gate, Severity } from "@agentgate/rules";
import { DEFAULT_EXCLUDE } from "../discovery/exclude.ts";
import { endOfDay } from "./formats.ts";
import { FIXED_RULES, FAMILIES, POLICY_SCHEMA } from "./schema.ts";
import { laterRuleProblems } from "./later-rules.ts";
import { YamlError, readYaml } from "./located.ts";
import { validate } from "./validate.ts";
import type { PolicyProblem, Valid } from "./validate.ts";

/** A port of the policy, with where it stands. */
export interface PolicyPort {
  readonly path: string;
  /** As written: single capabilities and families. */
  readonly capabilities: readonly string[];
  readonly owner: string;
  readonly note: string;
  /** The first instant on which it no longer holds; null: it does not expire. */
  readonly expires: { readonly end: number; readonly text: string } | null;
  readonly line: number;
  /** Where its `path` key stands. */
  readonly column: number;
}

export interface RuleSetting {
  readonly severity: Severity | "off";
  readonly options: Readonly<Record<string, unknown>>;
}

/** The policy in force, with defaults filled in. */
export interface Policy {
  readonly exclude: readonly string[];
  readonly strict: boolean;
  readonly maxFileBytes: number;
  readonly ports: readonly PolicyPort[];
  readonly capabilities: readonly CapabilityEntry[];
  readonly rules: ReadonlyMap<string, RuleSetting>;
  readonly gates: readonly Gate[];
  readonly models: {
    readonly policy: "pinned" | "registry";
    /** Globs of the modules that may name models. */
    readonly registry: readonly string[];
    readonly allow: readonly string[];
  };
  /** The largest constant number of attempts that still counts as a cap. */
  readonly loopCeiling: number;
  readonly tools: readonly string[];
  readonly denyHosts: readonly string[];
  /** By the contract's name. */
  readonly contracts: ReadonlyMap<string, ContractSetting>;
}

export interface ContractSetting {
  /** Where it lies instead of its default place, relative to the root. */
  readonly path: string | null;
  readonly required: boolean;
}

export const DEFAULT_LOOP_CEILING = 100;
export const DEFAULT_MAX_FILE_BYTES = 1_048_576;

export const DEFAULT_POLICY: Policy = {
  exclude: DEFAULT_EXCLUDE, strict: false, maxFileBytes: DEFAULT_MAX_FILE_BYTES, ports: [], capabilities: [], rules: new Map(),
  gates: [], models: { policy: "pinned", registry: [], allow: [] }, loopCeiling: DEFAULT_LOOP_CEILING, tools: [], denyHosts: [], contracts: new Map(),
};

/** A policy that was read, or why it cannot be in force (`failure`: the end of a sentence). */
export type PolicyRead =
  | { readonly policy: Policy; readonly problems: readonly PolicyProblem[] }
  | { readonly failure: string };

/** Reads the text of a policy file. Everything wrong that leaves the rest in force is a problem with its line. */
export function readPolicy(text: string): PolicyRead {
  try {
    const located = readYaml(text);
    if (located.kind !== "mapping" && !(located.kind === "scalar" && located.value === null)) return { failure: "is no mapping of keys to values" };
    const version = located.kind === "mapping" ? located.entries.find((entry) => entry.key === "version")?.value : undefined;
    if (version !== undefined && !(version.kind === "scalar" && version.value === 1)) return { failure: `has a version that this agentgate does not read (line ${version.line}); it reads version 1` };
    const { value, problems } = validate(POLICY_SCHEMA, located);
    const later = laterRuleProblems((value.get("rules")?.value as Keys | undefined) ?? new Map<string, Valid>());
    return { policy: policyOf(value), problems: [...problems.map(explainFixedRule), ...later] };
  } catch (error) {
    if (error instanceof YamlError) return { failure: `is no YAML that agentgate reads: ${error.message}` };
    throw error;
  }
}

/** A rule whose severity is fixed is no unknown key. */
function explainFixedRule(problem: PolicyProblem): PolicyProblem {
  const id = /^`rules\.([\w-]+)` is no key/.exec(problem.message)?.[1];
  if (id === undefined || !FIXED_RULES.has(id)) return problem;
  return { ...problem, message: `\`rules.${id}\` has no effect: nothing may change the severity of ${id}. Delete the line.` };
}

function policyOf(keys: ReadonlyMap<string, Valid>): Policy {
  const own = (keys.get("exclude")?.value as Valid[] | undefined)?.map((item) => item.value as string);
  const more = items(keys, "extendExclude").map((item) => item.value as string);
  return {
    exclude: [...(own ?? DEFAULT_EXCLUDE), ...more],
    strict: keys.get("strict")?.value === true,
    maxFileBytes: (keys.get("maxFileBytes")?.value as number | undefined) ?? DEFAULT_MAX_FILE_BYTES,
    ports: items(keys, "ports").map(portOf),
    capabilities: items(keys, "capabilities").map((item) => {
      const entry = item.value as ReadonlyMap<string, Valid>;
      return { api: entry.get("api")!.value as string, capability: entry.get("capability")!.value as Capability | "pure" };
    }),
    rules: rulesOf(keys.get("rules")?.value as ReadonlyMap<string, Valid> | undefined),
    contracts: contractsOf((keys.get("contracts")?.value as Keys | undefined) ?? new Map<string, Valid>()),
    ...judgementOf(keys),
  };
}

type Keys = ReadonlyMap<string, Valid>;

/** What rules of judgement ask the policy for. */
function judgementOf(keys: Keys): Pick<Policy, "gates" | "models" | "loopCeiling" | "tools" | "denyHosts"> {
  const models = (keys.get("models")?.value as Keys | undefined) ?? new Map<string, Valid>();
  return {
    gates: items(keys, "gates").map(gateOf),
    models: {
      policy: models.get("policy")?.value === "registry" ? "registry" : "pinned",
      registry: items(models, "registry").map((item) => item.value as string),
      allow: items(models, "allow").map((item) => item.value as string),
    },
    loopCeiling: ((keys.get("loops")?.value as Keys | undefined)?.get("ceiling")?.value as number | undefined) ?? DEFAULT_LOOP_CEILING,
    tools: items(keys, "tools").map((item) => item.value as string),
    denyHosts: items(keys, "denyHosts").map((item) => item.value as string),
  };
}

function contractsOf(contracts: Keys): ReadonlyMap<string, ContractSetting> {
  return new Map([...contracts].map(([name, { value }]) => {
    const setting = value as Keys;
    return [name, { path: (setting.get("path")?.value as string | undefined) ?? null, required: setting.get("required")?.value === true }];
  }));
}

function gateOf(item: Valid): Gate {
  const gate = item.value as Keys;
  const name = gate.get("name")!;
  return {
    name: name.value as string, module: (gate.get("module")?.value as string | undefined) ?? null,
    scope: gate.get("scope")?.value === "importers" ? "importers" : "tree", line: name.line,
  };
}

function items(keys: ReadonlyMap<string, Valid>, key: string): readonly Valid[] {
  return (keys.get(key)?.value as readonly Valid[] | undefined) ?? [];
}

function portOf(item: Valid): PolicyPort {
  const port = item.value as ReadonlyMap<string, Valid>;
  const path = port.get("path")!;
  const expires = port.get("expires");
  return {
    path: path.value as string,
    capabilities: (port.get("capabilities")!.value as readonly Valid[]).map((one) => one.value as string),
    owner: (port.get("owner")!.value as string).trim(),
    note: (port.get("note")!.value as string).trim(),
    expires: expires === undefined ? null : { end: endOfDay(expires.value as string)!, text: expires.value as string },
    line: path.line,
    column: path.column,
  };
}

function rulesOf(rules: ReadonlyMap<string, Valid> | undefined): ReadonlyMap<string, RuleSetting> {
  const settings = new Map<string, RuleSetting>();
  for (const [id, setting] of rules ?? []) {
    if (typeof setting.value === "string") settings.set(id, { severity: setting.value as RuleSetting["severity"], options: {} });
    else {
      const [severity, options] = setting.value as readonly Valid[];
      settings.set(id, { severity: severity!.value as RuleSetting["severity"], options: plainObject(options?.value) });
    }
  }
  return settings;
}

/** A checked value without its places. */
function plainObject(value: unknown): Readonly<Record<string, unknown>> {
  return value instanceof Map ? Object.fromEntries([...value].map(([key, one]) => [key as string, plain((one as Valid).value)])) : {};
}

function plain(value: unknown): unknown {
  if (value instanceof Map) return plainObject(value);
  return Array.isArray(value) ? value.map((one) => plain((one as Valid).value)) : value;
}

/** Whether what a port lists covers a capability: itself, or its family (`fs` covers `fs.write`). */
export function coversCapability(listed: readonly string[], capability: string): boolean {
  if (listed.includes(capability)) return true;
  const family = capability.split(".", 1)[0]!;
  return FAMILIES.includes(family) && listed.includes(family);
}
