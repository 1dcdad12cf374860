import type { Side } from "../change/change.ts";
import type { TreePath } from "../paths.ts";
import { readYaml } from "../policy/located.ts";
import { readPolicy } from "../policy/policy.ts";
import { POLICY_SCHEMA } from "../policy/schema.ts";
import { validate } from "../policy/validate.ts";
import type { Valid } from "../policy/validate.ts";
import { FIRST_LINE } from "./record.ts";
import type { Place } from "./record.ts";

/** The checked keys of a mapping of the policy, with their places. */
export type Keys = ReadonlyMap<string, Valid>;

/** The policy of one side. `unreadable`: nothing of it could be in force; `reason` is the end of a sentence. */
export type PolicyDocument =
  | { readonly state: "absent" }
  | { readonly state: "unreadable"; readonly reason: string }
  | { readonly state: "read"; readonly keys: Keys; readonly text: string };

export const NO_KEYS: Keys = new Map();

/** Reads the policy of a side. Never rejects for what the file holds. */
export async function policyOf(side: Side, path: TreePath): Promise<PolicyDocument> {
  if (!side.paths.has(path)) return { state: "absent" };
  const text = await side.text(path);
  if (text === null) return { state: "unreadable", reason: "is no text file of at most 1 MiB" };
  try {
    const read = readPolicy(text);
    if ("failure" in read) return { state: "unreadable", reason: read.failure };
    return { state: "read", keys: validate(POLICY_SCHEMA, readYaml(text)).value, text };
  } catch {
    return { state: "unreadable", reason: "cannot be read" };
  }
}

/** A mapping below a key; empty where it is absent. */
export function mappingAt(keys: Keys, key: string): Keys {
  const value = keys.get(key)?.value;
  return value instanceof Map ? (value as Keys) : NO_KEYS;
}

/** The elements of a list below a key; undefined where it is absent. */
export function listAt(keys: Keys, key: string): readonly Valid[] | undefined {
  const value = keys.get(key)?.value;
  return Array.isArray(value) ? (value as readonly Valid[]) : undefined;
}

export function textAt(keys: Keys, key: string): string | undefined {
  const value = keys.get(key)?.value;
  return typeof value === "string" ? value : undefined;
}

/** Where a checked value stands; the first line where it is gone. */
export function placeOf(valid: Valid | undefined, length = 1): Place {
  return valid === undefined ? FIRST_LINE : { line: valid.line, column: valid.column, length };
}
