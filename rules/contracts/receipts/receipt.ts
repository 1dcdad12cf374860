import { LINE_ONE, type Mapping, valueOf } from "@agentgate/parsers/contract";
import { type ContractContext, type Diagnostic, diagnostic } from "../contract.ts";
import { documentShape } from "../define.ts";
import { lookUp, parseDocument } from "../evidence.ts";
import { commit, digest, int, number, optional, owner, string, text, timestamp, type Field, type Spot, type Valid } from "../fields.ts";
import { isBlank, isPlaceholder } from "../shared/values.ts";
import { checkStructure } from "../structure.ts";
import type { Gate } from "./policy.ts";

const COMMON = {
  gate: text("The gate that ran."),
  commit: commit("The commit that it ran on."),
  status: text("How it ended: pass, fail, or ack where a person took notice."),
  cmd: optional(text("The command that ran; a person's acknowledgement needs none.", { rules: { blank: "cmd", field: "cmd" } })),
  finished_at: timestamp("When it ended."),
};

const EXTRA = {
  run_id: text("The run of the integration tests."),
  lockfile_before: digest("SHA-256 of the lockfile before the install."),
  lockfile_after: digest("SHA-256 of the lockfile after the install."),
  note: optional(string("Why the lockfile moved, where it did.")),
  rows_before: int("Rows in the rehearsal's database before the migration.", { min: 0 }),
  rows_after: int("Rows after it.", { min: 0 }),
  scanner: text("The scanner that looked for secrets."),
  scanner_version: text("Its version."),
  revert_commit: commit("The commit that the rollback went back to."),
  measured_minutes: number("Minutes that the rollback took.", { above: 0 }),
  name: owner("Who acknowledged."),
};

type Extra = keyof typeof EXTRA;
type Optional<F> = { readonly [K in keyof F]: F[K] };

const ALL = { ...COMMON, ...optionals(EXTRA) };

function optionals<F extends Readonly<Record<string, Field>>>(fields: F): Optional<F> {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, optional(field)])) as Optional<F>;
}

export const RECEIPT = documentShape({ name: "receipt", title: "A receipt", where: "artifacts/receipts/*.json", format: "json", fields: ALL, unknown: "free" });

/** What a receipt of a gate says beyond the common keys. */
const EXTRA_OF: Readonly<Record<string, readonly Extra[]>> = {
  "tests.integration": ["run_id"],
  "deps.lockfile": ["lockfile_before", "lockfile_after", "note"],
  "migration.dryrun": ["rows_before", "rows_after"],
  "secrets.scan": ["scanner", "scanner_version"],
  "rollback.proof": ["revert_commit", "measured_minutes"],
  "owner.ack": ["name"],
};

/** The gate whose receipt is a person's acknowledgement. */
export const ACKNOWLEDGEMENT = "owner.ack";

/** A receipt of a gate that is asked for. */
export interface Receipt {
  readonly gate: Gate;
  readonly path: string;
  readonly value: Valid<typeof ALL>;
  /** Where an absent key is reported. */
  readonly start: Spot;
  /** Whether a key is there, also with a bad value. */
  readonly has: (key: string) => boolean;
}

type FileRule = "syntax" | "field" | "type" | "owner" | "cmd" | "ack-name";

interface File {
  readonly receipt: Receipt | null;
  /** The gate that has left a file, readable or not. */
  readonly reported: string | null;
  /** By the gate that it is of; null: of none that is known. */
  readonly found: readonly { readonly gate: Gate | null; readonly diagnostic: Diagnostic<FileRule> }[];
}

/** One file of the folder. A gate outside of the list has nothing said about it. */
export function readReceipt(context: ContractContext, gates: ReadonlyMap<string, Gate>, path: string): File {
  const stem = path.slice(path.lastIndexOf("/") + 1).replace(/\.json$/, "");
  const spot: Spot = { path, at: LINE_ONE, key: "" };
  const of = (diagnostics: readonly Diagnostic<FileRule>[], gate: Gate | null): File["found"] => diagnostics.map((one) => ({ gate, diagnostic: one }));
  const root = rootOf(context, spot);
  if ("wrong" in root) return { receipt: null, reported: stem, found: of([root.wrong], gates.get(stem) ?? null) };
  const named = valueOf(root.value, "gate");
  const id = named?.kind === "scalar" && typeof named.value === "string" ? named.value : null;
  const gate = id === null ? undefined : gates.get(id);
  if (id !== null && !isBlank(id) && !isPlaceholder(id) && gate === undefined) return { receipt: null, reported: null, found: [] };
  const checked = checkStructure({ fields: fieldsOf(gate, root.value), unknown: "free" }, root.value, path);
  const found = (checked.found as readonly Diagnostic<FileRule>[]).filter(({ rule }) => rule !== "cmd" || id !== ACKNOWLEDGEMENT);
  if (gate === undefined) return { receipt: null, reported: stem, found: of(found, gates.get(stem) ?? null) };
  const keys = new Set(root.value.entries.map(({ key }) => key));
  return { receipt: { gate, path, value: checked.valid, start: spot, has: (key) => keys.has(key) }, reported: gate.id, found: of(found, gate) };
}

function rootOf(context: ContractContext, spot: Spot): { readonly value: Mapping } | { readonly wrong: Diagnostic<"syntax"> } {
  const file = lookUp(context, spot.path);
  if (file.kind === "file") {
    const read = parseDocument("json", file.bytes);
    return "value" in read ? read : { wrong: diagnostic("syntax", { ...spot, at: read.problem.at }, `${read.problem.message} Write the receipt anew.`) };
  }
  const why = file.kind === "outside" ? "it leads out of the repository" : file.kind === "absent" ? "it leads nowhere" : file.reason;
  return { wrong: diagnostic("syntax", spot, `The receipt cannot be read: ${why}. Put a regular file in its place.`) };
}

/** The table of one gate's receipt: what a gate does not ask for is free. */
function fieldsOf(gate: Gate | undefined, root: Mapping): Readonly<Record<string, Field>> {
  if (gate === undefined) return COMMON;
  const own = (Object.hasOwn(EXTRA_OF, gate.id) ? EXTRA_OF[gate.id]! : []).filter((key) => key !== "name");
  const asked: Extra[] = [...own, ...(gate.minScannerVersion === null ? [] : ["scanner_version" as const]), ...(gate.windowMinutes === null ? [] : ["measured_minutes" as const])];
  return { ...COMMON, ...Object.fromEntries(asked.map((key) => [key, EXTRA[key]])), ...nameField(gate, root) };
}

/** Who acknowledged: asked for where somebody did. */
function nameField(gate: Gate, root: Mapping): Readonly<Record<string, Field>> {
  const status = valueOf(root, "status");
  const isAck = gate.kind === "soft" || gate.kind === "advisory" ? status?.kind === "scalar" && status.value === "ack" : false;
  if (isAck) return { name: owner(EXTRA.name.description, { rules: { field: "ack-name", blank: "ack-name", owner: "ack-name" } }) };
  return gate.id === ACKNOWLEDGEMENT ? { name: EXTRA.name } : {};
}

