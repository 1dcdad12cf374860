import { referencesOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { apiName, parentsOf, someIngredient } from "../expressions.ts";
import { lastName } from "./talks.ts";
import { targetKind } from "./words.ts";

/** An expression that an address may be, and what it stands in for. */
export interface Way {
  readonly id: ValueId;
  readonly setting: string | null;
  /** Only a name of the parameter or field says that this is a default. */
  readonly weak: boolean;
}

const READERS = new Set(["os.getenv", "os.environ.get", "environ.get", "decouple.config", "environs.Env.str", "globalThis.Deno.env.get"]);

/** `process.env.BASE ?? x`: x stands in for the setting. */
export function fallen(facts: ModuleFacts, left: ValueId, way: Way): Way {
  const setting = isLeftToCaller(facts, left) ? null : settingRead(facts, left);
  if (setting !== null) return { ...way, setting, weak: false };
  const name = lastName(facts, nearestOf(facts, left));
  return targetKind(name) === "address" && way.setting === null ? { ...way, setting: name, weak: true } : way;
}

/** Of `a ?? b` what is asked last: `b`. */
function nearestOf(facts: ModuleFacts, left: ValueId): ValueId {
  const value = facts.values[left];
  return value?.kind === "logical" && value.operator !== "and" ? value.right : left;
}

/** `process.env.BASE ?? options.url`: what follows is only the default of what a caller may give. */
function isLeftToCaller(facts: ModuleFacts, left: ValueId): boolean {
  const nearest = nearestOf(facts, left);
  if (nearest === left || targetKind(lastName(facts, nearest)) !== "address") return false;
  const value = facts.values[nearest];
  const root = value?.kind === "member" ? facts.values[value.object] : value;
  const [given] = root?.kind === "name" ? facts.bindings[root.binding]?.values ?? [] : [];
  return facts.values[given ?? -1]?.kind === "parameter";
}

/** What a name stands in for where it is taken, as the last of a chain: a setting, or what only a caller gives. */
export function standsInFor(facts: ModuleFacts, id: ValueId): Pick<Way, "setting" | "weak"> {
  const parent = facts.values[parentsOf(facts)[id] ?? -1];
  const way: Way = { id, setting: null, weak: false };
  return parent?.kind === "logical" && parent.operator !== "and" && parent.right === id ? fallen(facts, parent.left, way) : way;
}

/** The environment key that a call reads, as written. */
export function settingOf(facts: ModuleFacts, call: Call): string | null {
  const reads = call.references.some((reference) => READERS.has(apiName(reference)));
  const key = call.arguments[0];
  if (!reads || key === undefined) return null;
  const written = facts.values[key.value];
  return written?.kind === "string" ? written.value : "the setting";
}

/** The environment key that an expression reads somewhere in it. */
function settingRead(facts: ModuleFacts, id: ValueId): string | null {
  let found: string | null = null;
  someIngredient(facts, id, (value, inner) => {
    if (value.kind === "call") found = settingOf(facts, facts.calls[value.call]!);
    else if (value.kind === "member" && value.property !== null && isEnvironment(facts, inner)) found = value.property;
    return found !== null;
  }, 40);
  return found;
}

function isEnvironment(facts: ModuleFacts, id: ValueId): boolean {
  return referencesOf(facts, id).some((reference) => /^(?:globalThis\.)?(?:process\.env|import\.meta\.env|os\.environ)\.\w+$/.test(apiName(reference)));
}
