import { CAPABILITIES, RULE_METAS } from "@agentgate/rules";
import contractRules from "@agentgate/rules/contract-rules.json" with { type: "json" };

/** The part of JSON Schema that the policy is described in, and that `validate.ts` reads. */
export interface Schema {
  readonly type?: "object" | "array" | "string" | "integer" | "boolean";
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: false;
  readonly required?: readonly string[];
  readonly items?: Schema;
  /** The items of an array by place; more are refused. */
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  /** A key that is taken and has no effect in this version; no message offers it. */
  readonly deprecated?: true;
  /** Checked by `formats.ts`; other programs may ignore it. */
  readonly format?: "glob" | "owner" | "date" | "text" | "path" | "api" | "host" | "name";
  readonly anyOf?: readonly Schema[];
}

/** What a port may name beside single capabilities: each covers its `.read`, `.write` and `.delete`. */
export const FAMILIES: readonly string[] = ["fs", "env", "db", "cloud"];

/** Rules of the design that this version does not judge by yet. Policies may switch them off; `later-rules.ts` reports the rest. */
export const LATER_RULES: readonly string[] = [
  "undeclared-env", "undeclared-host", "undeclared-binary", "undeclared-root", "undeclared-tool",
];

/** Rules that this version judges by. */
export const JUDGED_RULES: ReadonlySet<string> = new Set([...RULE_METAS.map((meta) => meta.id), ...contractRules]);

/** Contracts that this version judges. */
export const JUDGED_CONTRACTS: readonly string[] = [...new Set(contractRules.map((id) => id.slice(0, id.indexOf("/"))))];

/** Rules whose severity nothing may change. */
export const FIXED_RULES: ReadonlySet<string> = new Set(RULE_METAS.filter((meta) => !meta.configurable).map((meta) => meta.id));

export const CONTRACTS: readonly string[] = [
  "eval-gate", "inference-policy", "promotion", "prod-gates", "sidefx", "receipts", "loop-budget", "tool-contracts", "egress",
  "agent-lock", "reversibility", "attestation", "envelope", "candidate", "staged-gate", "replay",
];

/** Rules whose severity the policy may set. */
export const CONFIGURABLE_RULES: readonly string[] = [...new Set([...RULE_METAS.map((meta) => meta.id), ...LATER_RULES])].filter((id) => !FIXED_RULES.has(id));

const severity: Schema = { type: "string", enum: ["off", "warning", "error"] };
const globs: Schema = { type: "array", items: { type: "string", format: "glob" } };
const texts: Schema = { type: "array", items: { type: "string", format: "text" } };

const port: Schema = {
  type: "object",
  additionalProperties: false,
  required: ["path", "capabilities", "owner", "note"],
  properties: {
    path: { type: "string", format: "glob", description: "Glob of the modules, relative to the root." },
    capabilities: {
      type: "array", minItems: 1, items: { type: "string", enum: [...CAPABILITIES, ...FAMILIES] },
      description: "What they may do. `fs`, `db`, `cloud` and `env` cover their `.read`, `.write` and `.delete`.",
    },
    owner: { type: "string", format: "owner", description: "The person or team that licenses it." },
    note: { type: "string", format: "text", description: "Why." },
    expires: { type: "string", format: "date", description: "The last day (UTC) on which it holds." },
  },
};

const gate: Schema = {
  type: "object",
  additionalProperties: false,
  required: ["name"],
  properties: {
    name: { type: "string", format: "name", description: "Name of the wrapper." },
    module: { type: "string", format: "text", description: "Module that defines it: a dotted or relative name, a path, or a package. Default: any." },
    scope: { type: "string", enum: ["tree", "importers"], description: "What it binds: the whole tree outside ports (default), or the modules that import or define it." },
  },
};

const contract: Schema = {
  type: "object",
  additionalProperties: false,
  properties: {
    path: { type: "string", format: "path", description: "Where it lies, relative to the root." },
    required: { type: "boolean", description: "Whether its absence is an error." },
  },
};

const LATER: Pick<Schema, "description" | "deprecated"> = { description: "A rule that this version does not judge by: only `off` is taken in silence.", deprecated: true };

function ruleSetting(id: string): Schema {
  if (LATER_RULES.includes(id)) return { ...LATER, ...contractRule };
  const options = RULE_METAS.find((meta) => meta.id === id)?.options as Schema | undefined;
  const none: Schema = { type: "object", additionalProperties: false, properties: {} };
  return { anyOf: [severity, { type: "array", prefixItems: [severity, options ?? none], minItems: 1, maxItems: 2 }] };
}

const contractRule: Schema = { anyOf: [severity, { type: "array", prefixItems: [severity, { type: "object" }], minItems: 1, maxItems: 2 }] };

/** `agentgate.yml`, key by key: what is validated, published and documented. */
export const POLICY_SCHEMA: Schema = {
  type: "object",
  additionalProperties: false,
  required: ["version"],
  properties: {
    version: { type: "integer", enum: [1], description: "Version of this format." },
    exclude: { ...globs, description: "Globs that are not judged. Replaces the default." },
    extendExclude: { ...globs, description: "Globs that are not judged, beside the default or `exclude`." },
    strict: { type: "boolean", description: "Also report fs.read, env.read and tool, writes outside of a gate in every module, and fetch without a signal." },
    maxFileBytes: { type: "integer", minimum: 1, maximum: 1_073_741_824, description: "A larger file is not parsed. Default 1048576." },
    ports: { type: "array", items: port, description: "Modules that may do I/O, with a human's licence." },
    gates: { type: "array", items: gate, description: "Wrappers whose callback may write. What writes beside them is reported by no-ungated-write." },
    models: {
      type: "object",
      additionalProperties: false,
      properties: {
        policy: { type: "string", enum: ["pinned", "registry"], description: "Only pinned names (default), or names in the registry's modules alone." },
        registry: { ...globs, description: "The only modules that may name models." },
        allow: { ...texts, description: "Names that are let pass." },
      },
      description: "Which model names code may hold.",
    },
    loops: {
      type: "object",
      additionalProperties: false,
      properties: { ceiling: { type: "integer", minimum: 1, description: "The largest constant number of attempts that still counts as a cap. Default 100." } },
      description: "What counts as a bound of a loop.",
    },
    tools: { type: "array", items: { type: "string", format: "name" }, description: "Further call names that dispatch an agent tool." },
    denyHosts: { type: "array", items: { type: "string", format: "host" }, description: "Hosts added to the built-in deny list." },
    capabilities: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["api", "capability"],
        properties: {
          api: { type: "string", format: "api", description: "Dotted name of a package or a member." },
          capability: { type: "string", enum: [...CAPABILITIES, "pure"] },
        },
      },
      description: "Additions to the catalogue.",
    },
    contracts: {
      type: "object",
      additionalProperties: false,
      properties: Object.fromEntries(CONTRACTS.map((name) => [name, contract])),
      description: "Where a contract does not lie in its default place, or must exist.",
    },
    rules: {
      type: "object",
      properties: Object.fromEntries(CONFIGURABLE_RULES.map((id) => [id, ruleSetting(id)])),
      patternProperties: { [`^(?:${[...CONTRACTS, "wiring"].join("|")})/[a-z][a-z0-9-]*$`]: { ...contractRule, description: "A rule of a contract; of one that this version does not judge, only `off` is taken in silence." } },
      additionalProperties: false,
      description: "Severity of a rule, or `[severity, options]`.",
    },
  },
};

/** The published document. */
export function publishedSchema(): Readonly<Record<string, unknown>> {
  return { $schema: "https://json-schema.org/draft/2020-12/schema", title: "agentgate.yml", ...POLICY_SCHEMA };
}
