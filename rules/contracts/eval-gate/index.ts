import { LINE_ONE } from "@agentgate/parsers/contract";
import { type ContractContext, type Diagnostic, diagnostic } from "../contract.ts";
import { contract, documentShape } from "../define.ts";
import { digest, envName, bool, int, moment, number, optional, owner, path, text, type Valid } from "../fields.ts";
import { evidence } from "../evidence.ts";
import { pin } from "../pins.ts";
import { isBlank } from "../shared/values.ts";
import { ageInDays, isFuture, momentOf } from "../shared/time.ts";
import { checkDataset, checkScorer } from "./dataset.ts";
import { checkReceipt, RECEIPT } from "./receipt.ts";
import { checkWaiver } from "./waiver.ts";

const MODEL_PATH_ENV = "MODEL_ENDPOINT";

const FIELDS = {
  eval_id: text("Name of the evaluation, from which the paths of its receipt and its waiver are made.", {
    pattern: { source: "^[A-Za-z0-9][A-Za-z0-9._\\-]*$", says: "letters, digits, dots, dashes and underscores, the first one a letter or digit" },
  }),
  dataset_path: path("The JSONL file with the rows that the evaluation runs on."),
  dataset_sha256: digest("SHA-256 of the dataset's bytes."),
  generated_at: moment("When the dataset was made."),
  max_age_days: int("Days after which the dataset is too old to gate anything.", { min: 1 }),
  owner: owner("The person or team that answers for the gate."),
  min_pass_rate: number("The share of rows that must pass.", { above: 0, max: 1 }),
  blocking: bool("Whether a failed evaluation stops the route; false is telemetry and no gate."),
  feature_flag: text("The flag that switches the route on."),
  model_path_env: optional(envName("The environment variable with the address of the model."), MODEL_PATH_ENV),
  scorer_path: optional(path("The program that scores the answers.")),
  scorer_sha256: optional(digest("SHA-256 of the scorer's bytes.")),
};

/** The manifest with everything wrong gone. */
export type Manifest = Valid<typeof FIELDS>;

export const evalGate = contract({
  id: "eval-gate",
  purpose: "A model-backed route is enabled only by a measurement that is named, hashed, dated, owned and blocking.",
  place: "eval_gate.yaml",
  alsoRead: ["the dataset and its README", "artifacts/eval-gate/<eval_id>.json", "waivers/<eval_id>.md"],
  manifest: documentShape({ name: "", title: "The gate of an evaluation", where: "eval_gate.yaml", format: "yaml", fields: FIELDS, together: [["scorer_path", "scorer_sha256"]], unknown: "warning" }),
  documents: [RECEIPT],
  rules: {
    "not-blocking": { summary: "`blocking` is false: telemetry is no gate." },
    digest: { summary: "The dataset's bytes are not those of `dataset_sha256`." },
    "scorer-digest": { summary: "The scorer's bytes are not those of `scorer_sha256`." },
    stale: { summary: "The dataset is older than `max_age_days`." },
    future: { summary: "`generated_at` lies ahead." },
    "dataset-row": { summary: "A row of the dataset is no JSON object, or lacks `id`, `input` or `expect`." },
    readme: { summary: "The dataset's README is absent or blank." },
    receipt: { summary: "The score receipt is absent." },
    "receipt-echo": { summary: "The receipt's `eval_id`, `feature_flag` or `dataset_sha256` differs from the manifest." },
    "receipt-commit": { summary: "The receipt's `commit` is blank or not head." },
    "receipt-time": { summary: "The receipt's `scored_at` lies ahead, or before `generated_at`." },
    "below-cutoff": { summary: "`pass_rate` is below `min_pass_rate`, and there is no waiver." },
    "waiver-ticket": { summary: "The waiver names no ticket." },
    "waiver-expiry": { summary: "The waiver has no `expires:` line with a valid date, or several." },
    "waiver-expired": { summary: "The waiver's day is over, and the score needs it." },
    "waiver-idle": { summary: "The score does not need the waiver.", severity: "warning" },
    "waiver-long": { summary: "The waiver outlives the dataset: it holds for `max_age_days` or more from now." },
    "waiver-many": { summary: "A second waiver file for the same evaluation." },
    "env-unset": { summary: "The variable that `model_path_env` names is unset or blank." },
    laundered: { summary: "One change moves prompts, tools or retrieval together with the dataset digest or `min_pass_rate`.", needs: "base" },
    "date-kept": { summary: "The digest moved, `generated_at` did not.", needs: "base" },
    "cutoff-moved": { summary: "`min_pass_rate` moved together with the digest, or rose while the set is younger than 7 days.", needs: "base" },
    "default-endpoint": { summary: "Code reads the variable with a fallback value.", needs: "code" },
    "flag-unread": { summary: "No code names `feature_flag`.", severity: "warning", needs: "code" },
  },
  pins: ({ dataset_path: dataset, dataset_sha256: recorded, scorer_path: scorer, scorer_sha256: pinned }, context) => [
    ...pin(recorded, evidence(context, dataset).value), ...pin(pinned, evidence(context, scorer).value),
  ],
  check: (manifest, context, isReported) => [
    ...checkBlocking(manifest),
    ...checkAge(manifest, context),
    ...checkDataset(manifest, context),
    ...checkScorer(manifest, context),
    ...checkReceipt(manifest, context),
    ...checkWaiver(manifest, context),
    ...(isReported("model_path_env") ? [] : checkEnvironment(manifest, context)),
  ],
});

function checkBlocking({ blocking }: Manifest): Diagnostic<"not-blocking">[] {
  if (blocking?.value !== false) return [];
  return [diagnostic("not-blocking", blocking, "`blocking` is false, so a failed evaluation stops nothing: that is telemetry, no gate. Set it to true, or take the route out of the gate.")];
}

function checkAge({ generated_at: made, max_age_days: limit }: Manifest, { now }: ContractContext): Diagnostic<"stale" | "future">[] {
  const moment = made === undefined ? null : momentOf(made.value);
  if (made === undefined || moment === null) return [];
  if (isFuture(moment, now)) return [diagnostic("future", made, `\`generated_at\` is ${made.value}, which lies ahead: nothing was measured then. Write down when the dataset was made.`)];
  const age = ageInDays(moment, now);
  if (limit === undefined || age <= limit.value) return [];
  const message = `The dataset is ${age} days old and \`max_age_days\` is ${limit.value}: what it measured may no longer hold. Make a new one; no waiver covers this.`;
  return [diagnostic("stale", made, message, [{ ...limit, message: "the limit" }])];
}

function checkEnvironment({ model_path_env: named }: Manifest, { environment, path: manifest }: ContractContext): Diagnostic<"env-unset">[] {
  const name = named?.value ?? MODEL_PATH_ENV;
  if (!isBlank(environment.get(name) ?? "")) return [];
  const spot = named ?? { path: manifest, at: LINE_ONE, key: "model_path_env", value: name };
  return [diagnostic("env-unset", spot, `The environment variable ${name} is unset or blank, so nothing says which model was measured. Set it where the gate runs, or give --env-file.`)];
}
