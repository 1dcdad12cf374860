import { formatProblem } from "./formats.ts";
import type { Located, LocatedEntry } from "./located.ts";
import type { Schema } from "./schema.ts";

/** Something wrong in the policy, at a place of its file. */
export interface PolicyProblem {
  /** What, why and what to do. */
  readonly message: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** A value of which everything wrong was left out. Keys keep the line on which they stand, for what refers to them. */
export interface Valid {
  readonly value: unknown;
  readonly line: number;
  readonly column: number;
}

interface Place {
  readonly name: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** Stands for a value that counts as absent. */
const ABSENT = Symbol("absent");

type Checked = ReadonlyMap<string, Valid> | readonly Valid[] | string | number | boolean;

/**
 * Checks a policy against its schema. Whatever is wrong is reported and counts as absent: a bad element of a list
 * alone, an entry that lacks a required key as a whole. Objects come back as maps, lists as lists of `Valid`.
 */
export function validate(schema: Schema, located: Located): { readonly value: ReadonlyMap<string, Valid>; readonly problems: PolicyProblem[] } {
  const problems: PolicyProblem[] = [];
  const value = checkObject(schema, located, { name: "", line: 1, column: 1, length: 1 }, problems, true);
  return { value: value instanceof Map ? value : new Map<string, Valid>(), problems };
}

function check(schema: Schema, located: Located, place: Place, problems: PolicyProblem[]): Checked | typeof ABSENT {
  if (schema.anyOf !== undefined) return check(alternative(schema.anyOf, located), located, place, problems);
  const free = schema.type === undefined;
  if (schema.type === "object" || (free && located.kind === "mapping")) return checkObject(schema, located, place, problems, false);
  if (schema.type === "array" || (free && located.kind === "list")) return checkList(schema, located, place, problems);
  const wrong = located.kind === "scalar" ? scalarProblem(schema, located.value) : `must be ${typeName(schema)}`;
  if (wrong === null && located.kind === "scalar" && located.value !== null) return located.value;
  return report(problems, place, wrong ?? `must be ${typeName(schema)}`);
}

function report(problems: PolicyProblem[], place: Place, wrong: string): typeof ABSENT {
  const subject = place.name === "" ? "The policy" : `\`${place.name}\``;
  const message = `${subject} ${wrong}. ${place.name === "" ? "Add it" : "It counts as absent until it is corrected"}.`;
  problems.push({ message, line: place.line, column: place.column, length: place.length });
  return ABSENT;
}

/** The schema that fits the form of the value; the first where none does. */
function alternative(schemas: readonly Schema[], located: Located): Schema {
  const form = located.kind === "list" ? "array" : located.kind === "mapping" ? "object" : "string";
  return schemas.find((schema) => schema.type === form) ?? schemas[0]!;
}

function checkObject(schema: Schema, located: Located, place: Place, problems: PolicyProblem[], root: boolean): ReadonlyMap<string, Valid> | typeof ABSENT {
  if (located.kind !== "mapping") {
    const empty = root && located.kind === "scalar" && located.value === null;
    if (!empty) return report(problems, place, "must be a mapping of keys to values");
  }
  const entries: readonly LocatedEntry[] = located.kind === "mapping" ? located.entries : [];
  const result = new Map<string, Valid>();
  for (const entry of entries) {
    const at = entryPlace(place, entry);
    const known = schemaOf(schema, entry.key);
    if (known === null) report(problems, at, unknownKey(schema, entry.key));
    else {
      const value = check(known, entry.value, at, problems);
      if (value !== ABSENT) result.set(entry.key, { value, line: at.line, column: at.column });
    }
  }
  const absent = (schema.required ?? []).filter((key) => !entries.some((entry) => entry.key === key));
  for (const key of absent) report(problems, place, root ? `needs the key \`${key}\`` : `needs the key \`${key}\`, and has no effect without it`);
  const complete = (schema.required ?? []).every((key) => result.has(key));
  return root || complete ? result : ABSENT;
}

function entryPlace(parent: Place, entry: LocatedEntry): Place {
  const name = parent.name === "" ? entry.key : `${parent.name}.${entry.key}`;
  return { name, line: entry.keyLine, column: entry.keyColumn, length: Math.max(1, entry.key.length) };
}

function schemaOf(schema: Schema, key: string): Schema | null {
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, key)) return schema.properties[key]!;
  for (const [pattern, found] of Object.entries(schema.patternProperties ?? {})) if (new RegExp(pattern).test(key)) return found;
  // A free object (options of a rule that comes later) takes any key.
  return schema.additionalProperties === false ? null : {};
}

function unknownKey(schema: Schema, key: string): string {
  const known = Object.entries(schema.properties ?? {}).flatMap(([name, { deprecated }]) => (deprecated === true ? [] : name));
  const near = known.find((name) => name.toLowerCase() === key.toLowerCase().replaceAll(/[_-]/g, "")) ?? known.find((name) => distanceIsOne(name, key));
  if (near !== undefined) return `is no key that agentgate knows; \`${near}\` is`;
  return known.length === 0 ? "is no key that agentgate knows; none is taken here" : `is no key that agentgate knows; known here: ${known.join(", ")}`;
}

/** Whether one text becomes the other by one letter added, dropped or changed. */
function distanceIsOne(left: string, right: string): boolean {
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  if (long.length - short.length > 1) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same++;
  return short.slice(short.length === long.length ? same + 1 : same) === long.slice(same + 1);
}

function checkList(schema: Schema, located: Located, place: Place, problems: PolicyProblem[]): readonly Valid[] | typeof ABSENT {
  if (located.kind !== "list") return report(problems, place, "must be a list");
  if (schema.maxItems !== undefined && located.items.length > schema.maxItems) return report(problems, place, `has more than ${schema.maxItems} items`);
  const result: Valid[] = [];
  located.items.forEach((item, index) => {
    const length = item.kind === "scalar" ? Math.max(1, String(item.value).length) : 1;
    const at: Place = { name: `${place.name}[${index}]`, line: item.line, column: item.column, length };
    const value = check(schema.prefixItems?.[index] ?? schema.items ?? {}, item, at, problems);
    if (value !== ABSENT) result.push({ value, line: at.line, column: at.column });
  });
  if (located.items.length < (schema.minItems ?? 0)) return report(problems, place, "must not be an empty list");
  // What takes items by place, or needs one, means nothing when they are gone.
  const incomplete = schema.prefixItems !== undefined ? result.length < located.items.length : result.length < (schema.minItems ?? 0);
  return incomplete ? ABSENT : result;
}

function scalarProblem(schema: Schema, value: string | number | boolean | null): string | null {
  if (schema.type === undefined) return null;
  const fits = schema.type === "integer" ? Number.isSafeInteger(value) : typeof value === schema.type;
  if (!fits) return `must be ${typeName(schema)}`;
  if (schema.enum !== undefined && !schema.enum.some((one) => one === value)) return `is ${JSON.stringify(value)}; it can be ${schema.enum.join(", ")}`;
  if (typeof value === "number" && value < (schema.minimum ?? -Infinity)) return `must be at least ${schema.minimum ?? ""}`;
  if (typeof value === "number" && value > (schema.maximum ?? Infinity)) return `must be at most ${schema.maximum ?? ""}`;
  return typeof value === "string" && schema.format !== undefined ? formatProblem(schema.format, value) : null;
}

function typeName(schema: Schema): string {
  if (schema.enum !== undefined) return `one of ${schema.enum.join(", ")}`;
  switch (schema.type) {
    case "integer":
      return "a whole number";
    case "boolean":
      return "true or false";
    case "array":
      return "a list";
    case "object":
      return "a mapping of keys to values";
    default:
      return "text";
  }
}
