import { table } from "./sections.ts";

/** The part of JSON Schema that our schemas use. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly required?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly prefixItems?: readonly JsonSchema[];
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly format?: string;
  readonly patternErrorMessage?: string;
}

/** One row of a reference: a key with its full path, as written in the file. */
export interface KeyRow {
  readonly key: string;
  readonly type: string;
  readonly default: string;
  readonly description: string;
}

/** More values than this are listed with the meaning, where a table has room. */
const FEW = 6;

function listOf(values: readonly unknown[]): string {
  return values.map((value) => `\`${String(value)}\``).join(", ");
}

function meaningOf(schema: JsonSchema): string {
  const values = schema.enum ?? schema.items?.enum ?? [];
  const listed = values.length > FEW ? `One of ${listOf(values)}.` : "";
  return [schema.description ?? "", listed].filter((text) => text !== "").join(" ");
}

/** A schema's type in words that a table can hold: `list of string`, `"pinned" or "registry"`. */
export function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.length > FEW ? "one of those listed" : listOf(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(" or ");
  if (schema.prefixItems !== undefined) return `[${schema.prefixItems.map(typeOf).join("; ")}]`;
  if (schema.type === "array") return schema.items === undefined ? "list" : `list of ${typeOf(schema.items)}`;
  const said = /^Must be (.*)\.$/.exec(schema.patternErrorMessage ?? "")?.[1];
  return said ?? schema.format ?? (Array.isArray(schema.type) ? schema.type.join(" or ") : String(schema.type ?? "any"));
}

/** From this many on, keys of the same form share one row. */
const ALIKE = 4;

/**
 * Every key of an object schema, nested ones after their parent: `ports`, `ports[].path`. Many keys of one form are one
 * row that lists them. Recursive in the nesting of the schema, which is ours.
 */
export function keyRows(schema: JsonSchema, prefix = ""): KeyRow[] {
  const rows = groupsOf(schema).flatMap((names) => {
    if (names.length < ALIKE) return names.flatMap((name) => rowsOf(schema, name, prefix));
    const listed = `Each of ${listOf(names)}.`;
    const [first, ...inner] = rowsOf({ properties: { "<name>": schema.properties![names[0]!]! } }, "<name>", prefix);
    return [{ ...first!, description: [first!.description, listed].filter((text) => text !== "").join(" ") }, ...inner];
  });
  return [...rows, ...Object.keys(schema.patternProperties ?? {}).map((pattern) => patternRow(schema, pattern, prefix))];
}

/** The names of the properties, those of one form together, in the order of the first of each. */
function groupsOf(schema: JsonSchema): string[][] {
  const groups = new Map<string, string[]>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const form = JSON.stringify(property);
    groups.set(form, [...(groups.get(form) ?? []), name]);
  }
  return [...groups.values()];
}

function rowsOf(schema: JsonSchema, name: string, prefix: string): KeyRow[] {
  const property = schema.properties![name]!;
  const required = schema.required?.includes(name) === true ? "required" : "";
  const byDefault = property.default === undefined ? required : `\`${JSON.stringify(property.default)}\``;
  const row = { key: `${prefix}${name}`, type: typeOf(property), default: byDefault, description: meaningOf(property) };
  return [row, ...innerRows(property, row.key)];
}

function patternRow(schema: JsonSchema, pattern: string, prefix: string): KeyRow {
  const property = schema.patternProperties![pattern]!;
  const description = [property.description ?? "", `Keys of the form \`${pattern}\`.`].filter((text) => text !== "").join(" ");
  return { key: `${prefix}<pattern>`, type: typeOf(property), default: "", description };
}

function innerRows(property: JsonSchema, key: string): KeyRow[] {
  const named = keyRows(property, `${key}.`);
  const items = property.items === undefined ? [] : innerRows(property.items, `${key}[]`);
  const others = typeof property.additionalProperties === "object" ? innerRows(property.additionalProperties, `${key}.<name>`) : [];
  return [...named, ...items, ...others];
}

/** The keys that a schema does not explain. */
export function unexplainedKeys(schema: JsonSchema): string[] {
  return keyRows(schema).filter((row) => row.description === "").map((row) => row.key);
}

/** The reference table of a schema. */
export function keyTable(schema: JsonSchema): string {
  const rows = keyRows(schema).map((row) => [`\`${row.key}\``, row.type, row.default, row.description]);
  return table(["key", "type", "default", "meaning"], rows);
}
