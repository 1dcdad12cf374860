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
}

/** One row of a reference: a key with its full path, as written in the file. */
export interface KeyRow {
  readonly key: string;
  readonly type: string;
  readonly default: string;
  readonly description: string;
}

/** A schema's type in words that a table can hold: `list of string`, `"pinned" or "registry"`. */
export function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(", ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(" or ");
  if (schema.type === "array") return schema.items === undefined ? "list" : `list of ${typeOf(schema.items)}`;
  return Array.isArray(schema.type) ? schema.type.join(" or ") : String(schema.type ?? "any");
}

/**
 * Every key of an object schema, nested ones after their parent: `ports`, `ports[].path`.
 * Recursive in the nesting of the schema, which is ours.
 */
export function keyRows(schema: JsonSchema, prefix = ""): KeyRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const required = schema.required?.includes(name) === true ? "required" : "";
    const byDefault = property.default === undefined ? required : `\`${JSON.stringify(property.default)}\``;
    const row = { key: `${prefix}${name}`, type: typeOf(property), default: byDefault, description: property.description ?? "" };
    return [row, ...innerRows(property, row.key)];
  });
}

function innerRows(property: JsonSchema, key: string): KeyRow[] {
  const named = keyRows(property, `${key}.`);
  const items = property.items === undefined ? [] : innerRows(property.items, `${key}[]`);
  const others = typeof property.additionalProperties === "object" ? innerRows(property.additionalProperties, `${key}.<name>`) : [];
  return [...named, ...items, ...others];
}

/** The reference table of a schema. */
export function keyTable(schema: JsonSchema): string {
  const rows = keyRows(schema).map((row) => [`\`${row.key}\``, row.type, row.default, row.description]);
  return table(["key", "type", "default", "meaning"], rows);
}
