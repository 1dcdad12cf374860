import type { Schema } from "../policy/schema.ts";
import data from "./directions.json" with { type: "json" };

/**
 * How a key of the policy can be moved so that less is judged. `by` names the comparison; `loosens` says in a
 * sentence which way that is.
 */
export type Direction = { readonly loosens: string } & (
  | { readonly by: "document" | "ports" | "gates" | "capabilities" | "contracts" | "severity" | "globs" | "globs-list" | "nothing" }
  | { readonly by: "flag"; readonly strict: boolean; readonly default: boolean }
  | { readonly by: "number"; readonly looser: "lower" | "higher"; readonly default: number }
  | { readonly by: "order"; readonly order: readonly string[]; readonly default: string }
  | { readonly by: "list"; readonly looser: "more" | "fewer" }
);

/** Every key of `agentgate.yml`, as `schemaPaths` spells them. */
export const POLICY_DIRECTIONS: ReadonlyMap<string, Direction> = new Map(Object.entries(data) as [string, Direction][]);

/** Mappings whose keys are names, so that one direction holds for each. */
const NAMED = new Set(["contracts", "rules"]);

/**
 * The keys of a schema that need a direction: `strict`, `models.policy`, `ports[].path`; `*` stands for any contract
 * or rule. Mappings that only group (`models`) need none of their own; `ports`, `gates` and `capabilities`, whose
 * entries come and go, do.
 */
export function schemaPaths(schema: Schema): string[] {
  return [...new Set(pathsBelow(schema, ""))].sort();
}

function pathsBelow(schema: Schema, at: string): string[] {
  if (schema.anyOf !== undefined) return [at, ...(schema.anyOf.some((one) => one.prefixItems !== undefined) ? [`${at}.options`] : [])];
  if (schema.type === "array") return schema.items?.type === "object" ? [at, ...pathsBelow(schema.items, `${at}[]`)] : [at];
  if (schema.properties === undefined) return [at];
  const inside = Object.entries(schema.properties).flatMap(([key, child]) => pathsBelow(child, join(at, NAMED.has(at) ? "*" : key)));
  const patterns = Object.values(schema.patternProperties ?? {}).flatMap((child) => pathsBelow(child, join(at, "*")));
  return [...(at.endsWith(".*") ? [at] : []), ...inside, ...patterns];
}

function join(parent: string, key: string): string {
  return parent === "" ? key : `${parent}.${key}`;
}
