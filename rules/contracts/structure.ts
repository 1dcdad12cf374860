import { LINE_ONE, type Entry, type Mapping, type Place, type Value } from "@agentgate/parsers/contract";
import { type Diagnostic, type DocumentShape, diagnostic } from "./contract.ts";
import type { Breach, Field, Fields, Given, Spot, Valid } from "./fields.ts";
import { type Wrong, checkScalar } from "./scalars.ts";
import { hasForm } from "./shared/forms.ts";
import { shown } from "./shared/values.ts";

/** A document of which everything wrong is gone, and the diagnostics of what was. */
export interface Structure<F extends Fields> {
  readonly valid: Valid<F>;
  readonly found: readonly Diagnostic[];
}

/**
 * Checks a document against its table. Each breach is reported once, and its value counts as absent from then on. `at` is
 * where an absent key of the root is reported: of a line of JSONL, that line.
 */
export function checkStructure<F extends Fields>(shape: Pick<DocumentShape<F>, "fields" | "together" | "unknown">, root: Mapping, path: string, at: Place = LINE_ONE): Structure<F> {
  const checker = new Checker(path, shape.unknown);
  const start: Spot = { path, at, key: "" };
  return { valid: checker.record(shape.fields, shape.together ?? [], root, start) as Valid<F>, found: checker.found };
}

/** The schema's own key at the root of a JSON document, which editors read. */
const SCHEMA_KEY = "$schema";

class Checker {
  readonly found: Diagnostic[] = [];
  readonly #path: string;
  readonly #unknown: DocumentShape["unknown"];

  constructor(path: string, unknown: DocumentShape["unknown"]) {
    this.#path = path;
    this.#unknown = unknown;
  }

  /** The valid entries of a mapping with known keys. `enclosing`: where an absent key is reported. */
  record(fields: Fields, together: readonly (readonly string[])[], mapping: Mapping, enclosing: Spot): Record<string, Given<unknown>> {
    const valid: Record<string, Given<unknown>> = {};
    for (const entry of mapping.entries) {
      const field = Object.hasOwn(fields, entry.key) ? fields[entry.key]! : null;
      const spot = this.#spotOf(entry, enclosing);
      if (field === null) this.#unknownKey(entry, spot, Object.keys(fields));
      else {
        const given = this.#value(field, entry.value, spot);
        if (given !== null) valid[entry.key] = given;
      }
    }
    this.#absentKeys(fields, together, mapping, enclosing);
    return valid;
  }

  /** A bad value is shown where it stands on its key's line, else at the key. */
  #spotOf(entry: Entry, enclosing: Spot): Spot {
    const onLine = entry.value.at.line === entry.keyAt.line && entry.value.at.length > 0;
    return { path: this.#path, at: onLine ? entry.value.at : entry.keyAt, key: joined(enclosing.key, entry.key), ...scalarValue(entry.value) };
  }

  #unknownKey(entry: Entry, spot: Spot, known: readonly string[]): void {
    if (this.#unknown === "free" || (spot.key === SCHEMA_KEY)) return;
    const message = `\`${spot.key}\` is no key of this contract, so nothing is held to it. Known here are ${known.join(", ")}: correct the name or delete the key.`;
    const at = { ...spot, at: entry.keyAt };
    this.found.push({ ...diagnostic("unknown-key", at, message), severity: this.#unknown });
  }

  #absentKeys(fields: Fields, together: readonly (readonly string[])[], mapping: Mapping, enclosing: Spot): void {
    const present = new Set(mapping.entries.map((entry) => entry.key));
    for (const [key, field] of Object.entries(fields)) {
      const group = together.find((keys) => keys.includes(key)) ?? [];
      const isAsked = !field.optional || group.some((one) => present.has(one));
      if (present.has(key) || !isAsked) continue;
      const name = joined(enclosing.key, key);
      const beside = field.optional ? `, which ${group.filter((one) => present.has(one)).join(" and ")} asks for` : "";
      const message = `\`${name}\` is missing${beside}; meant is ${lowered(field.description)} Add the key.`;
      this.found.push(diagnostic(ruleFor(field, "field"), { ...enclosing, key: name }, message));
    }
  }

  /** What is left of a value; null where it is reported. Recursive in the table's nesting, which is ours. */
  #value(field: Field, value: Value, spot: Spot): Given<unknown> | null {
    const { shape } = field;
    if (shape.kind === "any") return { ...spot, value };
    if (shape.kind === "either") return this.#value(inherited(field, alternative(shape.of, value)), value, spot);
    if (value.kind === "scalar" && value.value === null) return this.#wrong(field, spot, { breach: "field", says: "has no value" });
    if (shape.kind === "list") return value.kind === "list" ? this.#list(field, shape, value.items, spot) : this.#misfit(field, value, spot, "must be a list");
    if (shape.kind === "record" || shape.kind === "map") {
      if (value.kind !== "mapping") return this.#misfit(field, value, spot, "must be a mapping of keys to values");
      const inner = shape.kind === "record" ? this.record(shape.fields, shape.together, value, spot) : this.#map(field, shape, value, spot);
      return inner === null ? null : { ...spot, value: inner };
    }
    if (value.kind !== "scalar") return this.#misfit(field, value, spot, "must be a single value");
    const checked = checkScalar(shape, value);
    return "wrong" in checked ? this.#wrong(field, spot, checked.wrong) : { ...spot, value: checked.value };
  }

  /** A blank or a placeholder where a list or a mapping belongs is an absent value. */
  #misfit(field: Field, value: Value, spot: Spot, says: string): null {
    const checked = value.kind === "scalar" ? checkScalar({ kind: "text", form: null, pattern: null, says: null }, value) : null;
    const blank = checked !== null && "wrong" in checked && checked.wrong.breach === "blank" ? checked.wrong : null;
    return this.#wrong(field, spot, blank ?? { breach: "type", says });
  }

  #list(field: Field, { least, of }: Extract<Field["shape"], { kind: "list" }>, items: readonly Value[], spot: Spot): Given<unknown> | null {
    if (items.length < least) {
      return this.#wrong(field, spot, { breach: "type", says: items.length === 0 ? "must not be an empty list" : `must have at least ${least} entries` });
    }
    const seen = new Map<unknown, Place>();
    const valid = items.flatMap((item): Given<unknown>[] => {
      const at: Spot = { path: this.#path, at: item.at, key: `${spot.key}[]`, ...scalarValue(item) };
      const given = this.#value(of, item, at);
      if (given === null || item.kind !== "scalar") return given === null ? [] : [given];
      const first = seen.get(item.value);
      seen.set(item.value, first ?? item.at);
      if (first === undefined) return [given];
      this.#wrong(field, at, { breach: "type", says: `lists ${shown(String(item.value))} twice` }, first);
      return [];
    });
    return { ...spot, value: valid };
  }

  #map(field: Field, { keys, least, of }: Extract<Field["shape"], { kind: "map" }>, mapping: Mapping, spot: Spot): ReadonlyMap<string, Given<unknown>> | null {
    if (mapping.entries.length < least) {
      this.#wrong(field, spot, { breach: "type", says: "must not be empty" });
      return null;
    }
    const valid = new Map<string, Given<unknown>>();
    for (const entry of mapping.entries) {
      const at = this.#spotOf(entry, spot);
      if (keys !== null && !hasForm(keys, entry.key)) this.#wrong(field, { ...at, at: entry.keyAt }, { breach: "type", says: `holds the name ${shown(entry.key)}, which has another form than ${keys}` });
      else {
        const given = this.#value(of, entry.value, at);
        if (given !== null) valid.set(entry.key, given);
      }
    }
    return valid;
  }

  #wrong(field: Field, spot: Spot, { breach, says }: Wrong, first?: Place): null {
    const message = `\`${spot.key}\` ${says}; meant is ${lowered(field.description)} ${ADVICE[breach]}`;
    const related = first === undefined ? [] : [{ path: this.#path, at: first, key: spot.key, message: "listed first here" }];
    this.found.push(diagnostic(ruleFor(field, breach), spot, message, related));
    return null;
  }
}

const ADVICE: Readonly<Record<Breach, string>> = {
  field: "Write the value down.",
  blank: "Write the value down.",
  type: "Correct the value.",
  "unsafe-path": "Name a file of this repository.",
  owner: "Name who answers for it.",
  command: "Write the command itself.",
};

const GENERIC_OF: Readonly<Record<Breach, string>> = { field: "field", blank: "field", type: "type", "unsafe-path": "unsafe-path", owner: "owner", command: "type" };

function ruleFor({ rules }: Field, breach: Breach): string {
  return rules?.[breach] ?? GENERIC_OF[breach];
}

function joined(prefix: string, key: string): string {
  return prefix === "" ? key : `${prefix}.${key}`;
}

function lowered(description: string): string {
  return description.charAt(0).toLowerCase() + description.slice(1);
}

function scalarValue(value: Value): { readonly value?: unknown } {
  return value.kind === "scalar" ? { value: value.value } : {};
}

function alternative(fields: readonly Field[], value: Value): Field {
  const kinds = { scalar: (kind: string) => !["list", "record", "map"].includes(kind), list: (kind: string) => kind === "list", mapping: (kind: string) => kind === "record" || kind === "map" };
  return fields.find(({ shape }) => kinds[value.kind](shape.kind)) ?? fields[0]!;
}

/** The alternative that was taken, under the rules of the field. */
function inherited(field: Field, taken: Field): Field {
  return field.rules === undefined ? taken : { ...taken, rules: { ...field.rules, ...taken.rules } };
}
