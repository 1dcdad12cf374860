import { contract, documentShape } from "../define.ts";
import { choice, list, path, record, text, type Given, type Valid } from "../fields.ts";
import { checkDatastores } from "./datastores.ts";
import { checkEvidence } from "./evidence-files.ts";
import { readGates, checkGateSet } from "./gates.ts";
import { checkRollback } from "./rollback.ts";
import { checkSecrets } from "./secrets.ts";
import { checkHostSplit, checkModelPin, checkProdName } from "./statements.ts";
import { checkTrees } from "./trees.ts";

const GATE = {
  id: text("The gate's name: HOST_SPLIT, SECRET_MATERIAL, MODEL_PIN, DATA_CLASS, OBSERVABILITY, BLAST_RADIUS, or one of your own."),
  question: text("What the gate asks."),
  evidence: path("The file that answers it, with a line `STATUS: pass` and the gate's keys."),
  fail_closed: text("What happens where the answer is missing."),
};

const LAB = {
  allowed_hosts: list(text("The name of a lab host."), "The hosts that the lab runs on."),
  must_not_appear_in: list(path("A folder of the repository."), "The trees in which no lab host may stand."),
};

const FIELDS = {
  version: choice([1], "The version of this form."),
  service: text("The service that is promoted, by its name in production."),
  lab: record(LAB, "Where the service was tried."),
  gates: list(record(GATE, "One question with its evidence."), "The questions that are answered before the promotion."),
};

/** The promotion with everything wrong gone. */
export type Promotion = Valid<typeof FIELDS>;
export type Gate = Given<Valid<typeof GATE>>;

export const promotion = contract({
  id: "promotion",
  purpose: "The lab host never becomes production; six evidence files say so and the trees prove it.",
  place: "PROMOTION.yaml",
  alsoRead: ["the gates' evidence", "the folders of `lab.must_not_appear_in`", "compose files of the lab"],
  manifest: documentShape({ name: "", title: "The promotion of a service", where: "PROMOTION.yaml", format: "yaml", fields: FIELDS, unknown: "warning" }),
  rules: {
    "gate-set": { summary: "One of the six gates is absent, or a gate stands there twice." },
    "evidence-shared": { summary: "Two gates name one file." },
    status: { summary: "The evidence has no line that is exactly `STATUS: pass`, or another `STATUS:` line beside it." },
    "evidence-key": { summary: "The evidence lacks a key that its gate asks for." },
    "tree-missing": { summary: "A folder of `must_not_appear_in` does not exist." },
    "lab-host": { summary: "A lab host occurs in a tree that must be free of it." },
    "host-split": { summary: "HOST_SPLIT speaks of another lab host, of a production that is the lab, or of fewer trees." },
    "secret-pattern": { summary: "A pattern of SECRET_MATERIAL occurs in one of the trees." },
    "secret-in-evidence": { summary: "An evidence file holds a live credential." },
    "model-pin": { summary: "MODEL_PIN names no caller, leaves a variable out, or does not fail closed." },
    "lab-dsn": { summary: "A datastore of production occurs in a compose file of the lab." },
    "prod-name": { summary: "OBSERVABILITY names another service, or does not rule the lab's name out." },
    rollback: { summary: "The rollback is no command, uses ssh, or rests on the lab." },
    "forbidden-env": { summary: "The caller reads a variable of `forbidden_env`.", needs: "code" },
    "model-default": { summary: "The caller reads a variable of `required_env` with a fallback.", needs: "code" },
  },
  check: (manifest, context, isReported) => {
    const { evidence, found } = readGates(manifest, context);
    const isIncomplete = isReported("gates[]") || isReported("gates[].id");
    return [
      ...checkGateSet(manifest, isIncomplete),
      ...found,
      ...checkEvidence(evidence),
      ...checkSecrets(evidence),
      ...checkTrees(manifest, evidence, context),
      ...checkHostSplit(manifest, evidence),
      ...checkModelPin(evidence, context),
      ...checkDatastores(evidence, context),
      ...checkProdName(manifest, evidence),
      ...checkRollback(manifest, evidence),
    ];
  },
});
