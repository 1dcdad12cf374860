import { type ContractContext, type Diagnostic, type GenericRule, diagnostic, other } from "../contract.ts";
import { documentShape } from "../define.ts";
import { documentAt } from "../evidence.ts";
import { choice, list, number, optional, record, text, type Given, type Spot, type Valid } from "../fields.ts";
import { itemsReported } from "../shared/items.ts";
import { repeats } from "../shared/repeats.ts";
import { shown } from "../shared/values.ts";

export const POLICY_PATH = "ops/receipts.yml";

/** What a recovery may take where the policy says nothing else. */
export const WINDOW_MINUTES = 15;

const VERSION = { pattern: { source: "^[0-9]+(?:\\.[0-9]+)*$", says: "numbers with dots between them, as 8.18.4" } };

const GATE = {
  id: text("Name of the gate, which its receipt gives as `gate`."),
  class: choice(["hard", "soft", "advisory"], "Whether the gate must pass, may be acknowledged instead, or only warns."),
  max_age_hours: optional(number("Hours after which a receipt is too old; a soft gate may leave it out.", { above: 0 })),
  min_scanner_version: optional(text("The oldest version of the scanner that counts, in quotes.", VERSION)),
  window_minutes: optional(number("Minutes that a rollback may take.", { above: 0 }), WINDOW_MINUTES),
};

const FIELDS = {
  version: choice([1], "Version of this format."),
  gates: list(record(GATE, "One gate."), "The gates whose receipts are asked for; they take the place of the default ones."),
};

export const POLICY = documentShape({ name: "policy", title: "The gates that leave receipts", where: POLICY_PATH, format: "yaml", fields: FIELDS, unknown: "error" });

/** One gate whose receipts are judged. A value that was reported is absent. */
export interface Gate {
  readonly id: string;
  readonly kind: "hard" | "soft" | "advisory" | null;
  /** Null: a receipt of any age counts. */
  readonly maxAgeHours: number | null;
  readonly minScannerVersion: Given<string> | null;
  readonly windowMinutes: number | null;
  /** Where the policy names it; null for a default one. */
  readonly named: Spot | null;
}

function byDefault(id: string, kind: "hard" | "soft", maxAgeHours: number | null): Gate {
  return { id, kind, maxAgeHours, minScannerVersion: null, windowMinutes: null, named: null };
}

const DEFAULT_GATES: readonly Gate[] = [
  byDefault("tests.unit", "hard", 2), byDefault("tests.integration", "hard", 6), byDefault("secrets.scan", "hard", 24), byDefault("deps.lockfile", "hard", 24),
  byDefault("migration.dryrun", "hard", 24), byDefault("rollback.proof", "hard", 24), byDefault("owner.ack", "soft", null),
];

/** The gates in force; null where the policy does not tell, which is reported. */
export function gatesOf(context: ContractContext): { readonly gates: readonly Gate[] | null; readonly found: readonly Diagnostic<GenericRule>[] } {
  const { found, value: policy } = documentAt(context, POLICY, POLICY_PATH);
  if (policy === null) return { gates: found.length === 0 ? DEFAULT_GATES : null, found };
  const listed = policy.gates?.value ?? null;
  if (listed === null) return { gates: null, found };
  return { gates: firstOfEach(listed).flatMap(gateOf), found: [...found, ...ageless(listed, found), ...repeated(listed)] };
}

type Item = Given<Valid<typeof GATE>>;

function gateOf({ value: { class: kind, id, max_age_hours: age, min_scanner_version: scanner, window_minutes: window }, ...spot }: Item): Gate[] {
  if (id === undefined) return [];
  return [{ id: id.value, kind: kind?.value ?? null, maxAgeHours: age?.value ?? null, minScannerVersion: scanner ?? null, windowMinutes: window?.value ?? null, named: spot }];
}

function firstOfEach(items: readonly Item[]): Item[] {
  const again = new Set(repeats(items, ({ value: { id } }) => id?.value).map(([item]) => item));
  return items.filter((item) => item.value.id !== undefined && !again.has(item));
}

function ageless(items: readonly Item[], found: readonly Diagnostic[]): Diagnostic<"field">[] {
  const reported = itemsReported("gates[].max_age_hours", items, found);
  return items.filter((item) => isAgeless(item) && !reported.has(item)).map((item) =>
    diagnostic("field", { ...item, key: `${item.key}.max_age_hours` }, "`max_age_hours` is missing, and only a soft gate may leave it out: a receipt of last year would count. Say how old one may be."));
}

function isAgeless({ value: { class: kind, max_age_hours: age } }: Item): boolean {
  return kind !== undefined && kind.value !== "soft" && age === undefined;
}

function repeated(items: readonly Item[]): Diagnostic<"type">[] {
  const ids = items.flatMap(({ value: { id } }) => id ?? []);
  return repeats(ids, ({ value }) => value).map(([id, before]) =>
    diagnostic("type", id, `The gate ${shown(id.value)} is listed twice, so that two rules hold for one receipt. Keep one.`, [other(before, "listed first here")]));
}

