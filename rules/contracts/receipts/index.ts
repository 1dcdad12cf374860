import { LINE_ONE } from "@agentgate/parsers/contract";
import type { ContractContext, ContractSystem, Diagnostic } from "../contract.ts";
import { diagnostic, other } from "../contract.ts";
import { repeats } from "../shared/repeats.ts";
import { type Gate, POLICY, POLICY_PATH, gatesOf } from "./policy.ts";
import { RECEIPT, type Receipt, readReceipt } from "./receipt.ts";
import { checkReceipt } from "./rules.ts";

export const receipts: ContractSystem = {
  id: "receipts",
  purpose: "Each check that matters left a file that is bound to this commit, recent, and names the command that made it.",
  place: "artifacts/receipts/",
  alsoRead: [POLICY_PATH],
  alsoActive: [POLICY_PATH],
  generic: ["syntax", "field", "type", "owner", "unknown-key", "missing"],
  documents: [POLICY, RECEIPT],
  rules: {
    absent: { summary: "A hard or soft gate has no receipt." },
    duplicate: { summary: "Two files are receipts of one gate." },
    commit: { summary: "The receipt's `commit` is not head." },
    status: { summary: "The `status` is not `pass`, nor, for a soft gate, `ack`." },
    cmd: { summary: "`cmd` is absent or blank." },
    stale: { summary: "The receipt is older than its gate allows." },
    future: { summary: "`finished_at` lies ahead." },
    "lockfile-note": { summary: "The lockfile moved, and there is no `note`." },
    "dryrun-empty": { summary: "`rows_before` is 0: a rehearsal on an empty database is no evidence." },
    "scanner-old": { summary: "`scanner_version` is below `min_scanner_version`." },
    "rollback-window": { summary: "The rollback took longer than `window_minutes`, or went back to head." },
    "ack-early": { summary: "The acknowledgement is older than the push of head." },
    "ack-name": { summary: "A soft gate is acknowledged, and `name` is no person or team." },
    advisory: { summary: "Any of these, or a malformed receipt, for an advisory gate.", severity: "warning" },
  },
  check: (context) => {
    const { found, gates } = gatesOf(context);
    return gates === null ? found : [...found, ...checkFolder(context, gates)];
  },
};

function checkFolder(context: ContractContext, gates: readonly Gate[]): Diagnostic[] {
  const byId = new Map(gates.map((gate) => [gate.id, gate]));
  const paths = context.tree.list(context.path).filter((path) => path.endsWith(".json") && !path.slice(context.path.length + 1).includes("/"));
  const files = paths.map((path) => readReceipt(context, byId, path));
  const read = files.flatMap(({ receipt }) => (receipt === null ? [] : [receipt]));
  const reported = new Set(files.map((file) => file.reported));
  return [
    ...files.flatMap((file) => file.found.map(({ diagnostic: one, gate }) => ofClass(gate, one))),
    ...read.flatMap((receipt) => checkReceipt(receipt, context).map((one) => ofClass(receipt.gate, one))),
    ...duplicates(read),
    ...gates.filter(({ id, kind }) => (kind === "hard" || kind === "soft") && !reported.has(id)).map((gate) => absent(gate, context.path)),
  ];
}

/** What is an error of a gate that blocks is a warning of one that advises. */
function ofClass(gate: Gate | null, one: Diagnostic): Diagnostic {
  return gate?.kind === "advisory" ? { ...one, rule: "advisory" } : one;
}

function duplicates(read: readonly Receipt[]): Diagnostic[] {
  return repeats(read, ({ gate }) => gate).map(([receipt, before]) => {
    const message = `${before.path} is a receipt of this gate too, so that nobody can say which one holds. Keep the one of the last run.`;
    return ofClass(receipt.gate, diagnostic("duplicate", receipt.value.gate ?? receipt.start, message, [other(before.value.gate ?? before.start, "the other receipt")]));
  });
}

function absent({ id, kind, named }: Gate, folder: string): Diagnostic {
  const path = `${folder}/${id}.json`;
  const message = `No file of ${folder} is a receipt of ${id}, a ${kind ?? ""} gate, so nothing shows that it ran. Run it and leave its receipt, as ${path} for example.`;
  return diagnostic("absent", named ?? { path, at: LINE_ONE, key: id }, message);
}
