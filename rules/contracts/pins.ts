import type { DocumentShape, Pin } from "./contract.ts";
import type { Evidence } from "./evidence.ts";
import type { Field, Fields, Given } from "./fields.ts";
import { sha256 } from "./shared/digests.ts";

/** A recorded digest with that of the file it is over; nothing where either is not there. */
export function pin(recorded: Given<string> | undefined, file: Evidence | null): Pin[] {
  if (recorded === undefined || file === null) return [];
  return [{ ...recorded, text: sha256(file.bytes), of: file.path }];
}

/** The table with digests of any form: one that is to be filled in is `""` or `tbd` before. */
export function unlocked<F extends Fields>(shape: DocumentShape<F>): DocumentShape<F> {
  return { ...shape, fields: anyDigests(shape.fields) as F };
}

/** Recursive in the table's nesting, which is ours. */
function anyDigests(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, anyDigest(field)]));
}

function anyDigest(field: Field): Field {
  const { shape } = field;
  if (shape.kind === "text" && shape.form === "digest") return { ...field, shape: { kind: "string" } };
  if (shape.kind === "list" || shape.kind === "map") return { ...field, shape: { ...shape, of: anyDigest(shape.of) } };
  return shape.kind === "record" ? { ...field, shape: { ...shape, fields: anyDigests(shape.fields) } } : field;
}
