import type { DocumentShape } from "./contract.ts";
import type { Field, Fields, Shape } from "./fields.ts";
import { nounOf } from "./scalars.ts";
import { COMMAND, COMMIT, DATE, DIGEST, ENV_NAME, NOT_BLANK, NO_OWNER, PLACEHOLDER, TIMESTAMP, UNSAFE_PATH } from "./shared/forms.ts";

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The published schema of a document. It takes what the check takes, but for what JSON Schema cannot say: `1.0` and `0x1`
 * are whole numbers to it. What needs other files, the clock or other keys is the rules' business.
 */
export function schemaOf({ fields, title, together, unknown }: DocumentShape): JsonSchema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title,
    ...objectOf({ ...fields, $schema: SCHEMA_FIELD }, together ?? [], unknown === "error"),
  };
}

const SCHEMA_FIELD: Field = { shape: { kind: "any" }, description: "The schema that an editor checks the file against.", optional: true };

function objectOf(fields: Fields, together: readonly (readonly string[])[], closed: boolean): JsonSchema {
  const required = Object.entries(fields).filter(([, field]) => !field.optional).map(([key]) => key);
  const dependent = Object.fromEntries(together.flatMap((keys) => keys.map((key) => [key, keys.filter((one) => one !== key)])));
  return {
    type: "object",
    properties: Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, described(field, closed)])),
    ...(required.length === 0 ? {} : { required }),
    ...(together.length === 0 ? {} : { dependentRequired: dependent }),
    ...(closed ? { additionalProperties: false } : {}),
  };
}

function described(field: Field, closed: boolean): JsonSchema {
  return { description: field.description, ...(field.fallback === undefined ? {} : { default: field.fallback }), ...shapeOf(field.shape, closed) };
}

/** Recursive in the table's nesting, which is ours. */
function shapeOf(shape: Shape, closed: boolean): JsonSchema {
  switch (shape.kind) {
    case "text":
      return { type: "string", ...textOf(shape) };
    case "string":
      return { type: "string" };
    case "int":
    case "number":
      return numberOf(shape);
    case "bool":
      return { type: "boolean" };
    case "choice":
      return { enum: shape.values };
    case "list":
      return { type: "array", items: described(shape.of, closed), minItems: shape.least, ...(isScalar(shape.of.shape) ? { uniqueItems: true } : {}) };
    case "record":
      return objectOf(shape.fields, shape.together, closed);
    case "map":
      return { type: "object", additionalProperties: described(shape.of, closed), minProperties: shape.least, ...(shape.keys === null ? {} : { propertyNames: { pattern: shape.keys } }) };
    case "either":
      return { anyOf: shape.of.map((field) => shapeOf(field.shape, closed)) };
    case "any":
      return {};
  }
}

function isScalar({ kind }: Shape): boolean {
  return !["list", "record", "map", "any"].includes(kind);
}

const LARGEST = Number.MAX_SAFE_INTEGER;

function numberOf({ above, kind, max, min }: Extract<Shape, { kind: "int" | "number" }>): JsonSchema {
  const whole = kind === "int";
  return {
    type: whole ? "integer" : "number",
    ...(min === null ? (whole ? { minimum: -LARGEST } : {}) : { minimum: min }),
    ...(above === null ? {} : { exclusiveMinimum: above }),
    ...(max === null ? (whole ? { maximum: LARGEST } : {}) : { maximum: max }),
  };
}

/** What VS Code's and YAML's language servers say of a value that does not match; others pass it over. */
function matching(pattern: string, noun: string): JsonSchema {
  return { pattern, patternErrorMessage: `Must be ${noun}.` };
}

/** A pattern for texts that match all of some patterns, and of others none anywhere. */
function pattern(wanted: readonly string[], refused: readonly string[]): string {
  return `^${refused.map((one) => `(?![\\s\\S]*(?:${one}))`).join("")}${wanted.map((one) => `(?=${one.startsWith("^") ? one : `[\\s\\S]*${one}`})`).join("")}`;
}

function textOf({ form, pattern: own, says }: Extract<Shape, { kind: "text" }>): JsonSchema {
  switch (form) {
    case "digest":
      return matching(DIGEST, nounOf(form));
    case "commit":
      return matching(COMMIT, nounOf(form));
    case "date":
      return { format: "date", ...matching(DATE, nounOf(form)) };
    case "timestamp":
      return { format: "date-time", ...matching(TIMESTAMP, nounOf(form)) };
    case "moment":
      return { anyOf: [{ format: "date", ...matching(DATE, nounOf("date")) }, { format: "date-time", ...matching(TIMESTAMP, nounOf("timestamp")) }] };
    case "env-name":
      return matching(pattern([ENV_NAME], [PLACEHOLDER]), nounOf(form));
    case "command":
      return matching(pattern([COMMAND], [PLACEHOLDER]), nounOf(form));
    case "path":
      return matching(pattern([NOT_BLANK], [PLACEHOLDER, UNSAFE_PATH]), nounOf(form));
    case "owner":
      return matching(pattern([NOT_BLANK], [PLACEHOLDER, NO_OWNER]), nounOf(form));
    case null:
      return matching(pattern([NOT_BLANK, ...(own === null ? [] : [own])], [PLACEHOLDER]), says ?? "text that is neither blank nor a placeholder");
  }
}
