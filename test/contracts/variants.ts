import type { Field, Fields } from "@agentgate/rules/contracts";

/** A plain document with one thing in it changed. */
export interface Variant {
  readonly what: string;
  readonly value: unknown;
}

type Path = readonly (string | number)[];
type Leaf = readonly [path: Path, field: Field];

/** Every place of a document that the table has a field for, the mappings and lists among them. Recursive in the table. */
export function placesOf(fields: Fields, value: unknown, path: Path = []): Leaf[] {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return entries.flatMap(([key, inner]) => {
    const field = fields[key];
    return field === undefined ? [] : placesIn(field, inner, [...path, key]);
  });
}

function placesIn(field: Field, value: unknown, path: Path): Leaf[] {
  const { shape } = field;
  const here: Leaf = [path, field];
  if (shape.kind === "record") return [here, ...placesOf(shape.fields, value, path)];
  if (shape.kind === "list" && Array.isArray(value)) return [here, ...value.flatMap((item, index) => placesIn(shape.of, item, [...path, index]))];
  // Names that the author chooses: none of them is asked for.
  if (shape.kind === "map" && typeof value === "object") return [here, ...Object.entries(value ?? {}).flatMap(([key, inner]) => placesIn({ ...shape.of, optional: true }, inner, [...path, key]))];
  return shape.kind === "any" ? [] : [here];
}

/** The document with the value at a path replaced, or taken away. */
export function changed(root: unknown, path: Path, change: { readonly to: unknown } | "deleted"): unknown {
  const copy = structuredClone(root);
  let holder = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string | number, unknown>;
  const last = path.at(-1)!;
  if (change === "deleted") Reflect.deleteProperty(holder, last);
  else holder[last] = change.to;
  return copy;
}

/** The document with one required key less. */
export function withoutRequired(fields: Fields, root: unknown): Variant[] {
  return placesOf(fields, root).filter(([path, field]) => !field.optional && typeof path.at(-1) === "string")
    .map(([path]) => ({ what: `${path.join(".")} deleted`, value: changed(root, path, "deleted") }));
}

/** The document with one value of another type. */
export function withOtherType(fields: Fields, root: unknown): Variant[] {
  return placesOf(fields, root).filter(([, field]) => field.shape.kind !== "either").map(([path, { shape }]) => {
    const isText = shape.kind === "text" || shape.kind === "string";
    const to = shape.kind === "list" || shape.kind === "record" || shape.kind === "map" ? "text" : isText ? 7 : [];
    return { what: `${path.join(".")} of another type`, value: changed(root, path, { to }) };
  });
}

/** The document with a key that no table has, at the root and in each mapping with known keys. */
export function withUnknownKey(fields: Fields, root: unknown): Variant[] {
  const records = placesOf(fields, root).filter(([, field]) => field.shape.kind === "record").map(([path]) => path);
  return [[], ...records].map((path) => ({ what: `an unknown key in ${path.join(".") || "the root"}`, value: changed(root, [...path, "unheard_of"], { to: "x" }) }));
}

const ODD_VALUES: readonly unknown[] = [
  null, "", "  ", "tbd", " N/A ", "<name>", "replace_me", "x", "todo-service", 7, 0, -1, 1.5, 1e21, 9007199254740993, true, false, "true", "7", [], ["x"], ["x", "x"], [7], [null], [""], {}, { x: 1 },
  "a/../b", "../a", "/etc/passwd", "~/a", "C:/a", "a\\b", "a/b", "$HOME/a", "bot", "@AI", "release-bot", "#channel", "whoever", "team-payments", "2026-02-30", "2026-02-28", "2026-02-28T10:00:00", "2026-02-28T10:00:00Z",
  "2026-02-28 10:00:00Z", "2026-02-28T24:00:00Z", "0".repeat(64), "a".repeat(64), "A".repeat(64), "b".repeat(40), "MODEL_ID", "model_id", "revert the PR", "kubectl rollout undo deploy/api", "https://wiki.example/rollback", "Run it", "é",
];

/** The document with each value replaced by each of many. */
export function withOddValues(fields: Fields, root: unknown): Variant[] {
  return placesOf(fields, root).flatMap(([path]) => ODD_VALUES.map((to) => ({ what: `${path.join(".")} as ${JSON.stringify(to)}`, value: changed(root, path, { to }) })));
}

/** The same document, its keys in the other order, all the way down. */
export function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).reverse().map(([key, inner]) => [key, reordered(inner)]));
}
