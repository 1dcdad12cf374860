import { type ContractContext, type Diagnostic, type GenericRule, diagnostic, other } from "../contract.ts";
import { documentShape } from "../define.ts";
import { documentAt } from "../evidence.ts";
import { commit, digest, number, text, timestamp, type Given, type Valid } from "../fields.ts";
import { shown } from "../shared/values.ts";
import { isFuture, momentOf } from "../shared/time.ts";
import type { Manifest } from "./index.ts";

const FIELDS = {
  eval_id: text("The evaluation that was scored."),
  feature_flag: text("The flag of the route that it gates."),
  dataset_sha256: digest("The dataset that it ran on."),
  commit: commit("The commit that was scored.", { rules: { blank: "receipt-commit" } }),
  pass_rate: number("The share of rows that passed.", { min: 0, max: 1 }),
  scored_at: timestamp("When it was scored."),
};

export const RECEIPT = documentShape({ name: "receipt", title: "The receipt of a score", where: "artifacts/eval-gate/*.json", format: "json", fields: FIELDS, unknown: "free" });

/** The receipt with everything wrong gone. */
export type Receipt = Valid<typeof FIELDS>;

type ReceiptRule = "receipt" | "receipt-echo" | "receipt-commit" | "receipt-time" | "below-cutoff" | GenericRule;

function receiptPath(evalId: string): string {
  return `artifacts/eval-gate/${evalId}.json`;
}

/** The receipt of the manifest's evaluation, and what is wrong with its own structure. */
export function readReceipt({ eval_id: id }: Manifest, context: ContractContext): ReturnType<typeof documentAt<typeof FIELDS>> {
  return id === undefined ? { value: null, found: [] } : documentAt(context, RECEIPT, receiptPath(id.value));
}

/** The score receipt: it is of this evaluation and this commit, and the score passes. */
export function checkReceipt(manifest: Manifest, context: ContractContext): Diagnostic<ReceiptRule>[] {
  const { eval_id: id } = manifest;
  const { found, value: receipt } = readReceipt(manifest, context);
  if (receipt === null) return id === undefined || found.length > 0 ? [...found] : [absent(id)];
  return [
    ...found,
    ...echoes(manifest, receipt),
    ...ofHead(receipt, context),
    ...inTime(manifest, receipt, context),
    ...cutoff(manifest, receipt, context),
  ];
}

function absent(id: Given<string>): Diagnostic<"receipt"> {
  return diagnostic("receipt", id, `${receiptPath(id.value)} does not exist, so nothing shows that ${shown(id.value)} was ever scored. Run the evaluation and commit its receipt.`);
}

function echoes(manifest: Manifest, receipt: Receipt): Diagnostic<"receipt-echo">[] {
  return (["eval_id", "feature_flag", "dataset_sha256"] as const).flatMap((key) => {
    const said = receipt[key];
    const meant = manifest[key];
    if (said === undefined || meant === undefined || said.value === meant.value) return [];
    const message = `The receipt's \`${key}\` is ${shown(said.value)} and the manifest's is ${shown(meant.value)}: another evaluation was scored. Run this one again and commit its receipt.`;
    return [diagnostic("receipt-echo", said, message, [other(meant, "the manifest's value")])];
  });
}

function ofHead({ commit: scored }: Receipt, { head }: ContractContext): Diagnostic<"receipt-commit">[] {
  if (scored === undefined || scored.value === head) return [];
  const message = head === null
    ? "There is no head commit to compare the receipt's `commit` with. Run the gate in the repository, or give --head SHA."
    : `The receipt is of commit ${scored.value.slice(0, 12)} and head is ${head.slice(0, 12)}: what was scored is not what is merged. Score head.`;
  return [diagnostic("receipt-commit", scored, message)];
}

function inTime({ generated_at: made }: Manifest, { scored_at: scored }: Receipt, { now }: ContractContext): Diagnostic<"receipt-time">[] {
  const moment = scored === undefined ? null : momentOf(scored.value);
  if (scored === undefined || moment === null) return [];
  if (isFuture(moment, now)) return [diagnostic("receipt-time", scored, `\`scored_at\` is ${scored.value}, which lies ahead: nothing was scored then. Commit the receipt as the run wrote it.`)];
  const first = made === undefined ? null : momentOf(made.value);
  if (made === undefined || first === null || moment.ms >= first.ms) return [];
  const message = `\`scored_at\` is ${scored.value}, before the dataset was made: another dataset was scored. Run the evaluation again.`;
  return [diagnostic("receipt-time", scored, message, [other(made, "the dataset was made here")])];
}

function cutoff(manifest: Manifest, { pass_rate: reached }: Receipt, context: ContractContext): Diagnostic<"below-cutoff">[] {
  const { eval_id: id, min_pass_rate: wanted } = manifest;
  if (reached === undefined || wanted === undefined || reached.value >= wanted.value) return [];
  if (id === undefined || context.tree.read(waiverPath(id.value)).kind !== "absent") return [];
  const message = `\`pass_rate\` is ${reached.value} and \`min_pass_rate\` is ${wanted.value}: the route does not pass its gate. Improve it, or have the owner sign ${waiverPath(id.value)}.`;
  return [diagnostic("below-cutoff", reached, message, [other(wanted, "the cutoff")])];
}

export function waiverPath(evalId: string): string {
  return `waivers/${evalId}.md`;
}
