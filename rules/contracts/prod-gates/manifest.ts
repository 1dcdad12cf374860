import type { Entry, Mapping, Value } from "@agentgate/parsers/contract";
import { LINE_ONE } from "@agentgate/parsers/contract";
import { type ContractContext, type GenericRule, type Diagnostic, diagnostic } from "../contract.ts";
import { documentShape } from "../define.ts";
import { type Found, lookUp, parseDocument } from "../evidence.ts";
import { bool, choice, command, either, int, list, optional, owner, path, record, text, type Given, type Valid } from "../fields.ts";
import { checkStructure } from "../structure.ts";

const CODE = { source: "^\\s*n/a:[A-Z][A-Z0-9_]{2,}\\s*$", says: "n/a:CODE, where there is none" };
const ROUTE = { source: "^/(?!/)\\S*$", says: "a path of the service, beginning with one slash" };

const FLAG = { name: text("Name of the flag."), default: bool("What it is before anybody switches it: false.") };
const MIGRATION = { forward: path("The file that migrates."), reverse: path("The file that takes it back.") };

const FIELDS = {
  version: choice([1], "Version of this format."),
  service: text("The service that takes traffic."),
  change_id: text("The change, as tickets call it."),
  rollback: record({ command: command("The command that takes the change back.", { rules: { command: "rollback-prose" } }), verified_in: text("Where that was tried.") }, "The way back."),
  probes: record({
    liveness: text("Path that says whether the process lives.", { pattern: ROUTE }),
    readiness: text("Path that says whether it may take traffic.", { pattern: ROUTE }),
    readiness_fails_when: text("What makes the readiness fail."),
    success_codes: optional(list(int("A status.", { min: 200, max: 299 }), "The statuses that count as alive.")),
  }, "How the platform asks the service."),
  capacity: record({
    max_rps: int("Requests a second.", { min: 1 }), max_payload_bytes: int("Bytes of one request.", { min: 1 }), max_concurrency: int("Requests at once.", { min: 1 }),
  }, "What the service was measured to bear."),
  deadlines_ms: record({ inbound: int("Milliseconds that a caller waits.", { min: 1 }), outbound: int("Milliseconds that the service waits for others.", { min: 1 }) }, "How long anybody waits."),
  flags: either(text("n/a:CODE, where no flag guards the change.", { pattern: CODE }), list(record(FLAG, "One flag."), "The flags that guard the change."), "The flags that guard the change, or n/a:CODE."),
  migration: either(text("n/a:CODE, where nothing is migrated.", { pattern: CODE }), record(MIGRATION, "The two ways."), "The migration and its reverse, or n/a:CODE."),
  observability: record({ request_id_header: text("Header with the id of a request.", { pattern: { source: "^[a-z0-9\\-]+$", says: "a header's name in lower case" } }) }, "How a request is followed."),
  owner: record({ team: owner("The team that answers for it."), pager: owner("Whom it wakes.") }, "Who answers."),
  secret_scan: path("The report of the scan for secrets."),
};

export const MANIFEST = documentShape({ name: "", title: "The facts of a change that takes traffic", where: "ops/prod_gates.yml", format: "yaml", fields: FIELDS, unknown: "warning" });

/** The manifest with everything wrong gone. */
export type Manifest = Valid<typeof FIELDS>;
export type Flag = Valid<typeof FLAG>;
export type Migration = Valid<typeof MIGRATION>;
export type ManifestRule = GenericRule | "rollback-prose";

/** The manifest of the contract. Where it says n/a and may not, it says nothing. */
export function readManifest(context: ContractContext): Found<Manifest, ManifestRule> {
  const file = lookUp(context, context.path);
  const start = { path: context.path, at: LINE_ONE, key: "" };
  if (file.kind !== "file") return { value: null, found: [diagnostic("syntax", start, "The file cannot be read, or leads out of the repository. Put a regular file in its place.")] };
  const read = parseDocument("yaml", file.bytes);
  if ("problem" in read) return { value: null, found: [diagnostic("syntax", { ...start, at: read.problem.at }, `${read.problem.message} Correct the file.`)] };
  const { found, valid } = checkStructure(MANIFEST, applicable(read.value), context.path);
  return { value: valid, found: found as readonly Diagnostic<ManifestRule>[] };
}

const MAY_BE_LEFT_OUT = new Set(["flags", "migration"]);
const NOT_APPLICABLE = /^\s*n\/a(?![\p{L}\p{N}])/iu;

/** The mapping with each n/a that counts for nothing as the placeholder that it is. */
function applicable(root: Mapping): Mapping {
  const entries = root.entries.map((entry): Entry => (MAY_BE_LEFT_OUT.has(entry.key) && isCode(entry.value) ? entry : { ...entry, value: bare(entry.value) }));
  return { ...root, entries };
}

function isCode(value: Value): boolean {
  return value.kind === "scalar" && typeof value.value === "string" && new RegExp(CODE.source, "u").test(value.value);
}

/** Recursive in the nesting, which the reader bounds. */
function bare(value: Value): Value {
  if (value.kind === "list") return { ...value, items: value.items.map(bare) };
  if (value.kind === "mapping") return { ...value, entries: value.entries.map((entry) => ({ ...entry, value: bare(entry.value) })) };
  return typeof value.value === "string" && NOT_APPLICABLE.test(value.value) ? { ...value, value: "n/a" } : value;
}

/** The flags that are listed. */
export function flagsOf({ flags }: Manifest): readonly Given<Flag>[] {
  return flags === undefined || typeof flags.value === "string" ? [] : flags.value;
}
