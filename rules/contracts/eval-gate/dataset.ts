import { type JsonLine, readJsonLines, valueOf } from "@agentgate/parsers/contract";
import { type ContractContext, type Diagnostic, diagnostic } from "../contract.ts";
import { type Evidence, type EvidenceRule, evidence, lookUp } from "../evidence.ts";
import type { Given } from "../fields.ts";
import { digestDiagnostic } from "../shared/digest-rule.ts";
import type { Manifest } from "./index.ts";

type DatasetRule = "digest" | "dataset-row" | "readme" | EvidenceRule;

const ROW_KEYS = ["id", "input", "expect"];

/** The dataset: its bytes, its rows, and who says what correct means. */
export function checkDataset({ dataset_path: named, dataset_sha256: recorded }: Manifest, context: ContractContext): Diagnostic<DatasetRule>[] {
  const { found, value: dataset } = evidence(context, named);
  return [
    ...found,
    ...(dataset === null ? [] : [...digestDiagnostic("digest", recorded, dataset), ...rows(dataset)]),
    ...readme(named, context),
  ];
}

function rows(dataset: Evidence): Diagnostic<"dataset-row">[] {
  if (dataset.text === null) return [diagnostic("dataset-row", dataset, "The dataset holds bytes that are no UTF-8, so its rows cannot be read. Write it in UTF-8.")];
  return readJsonLines(dataset.text).flatMap((line) => {
    const wrong = rowProblem(line);
    return wrong === null ? [] : [diagnostic("dataset-row", { path: dataset.path, at: line.at, key: "row", value: wrong }, `${wrong} A row that cannot be scored measures nothing: correct it.`)];
  });
}

function rowProblem({ read }: JsonLine): string | null {
  if ("problem" in read) return read.problem.message;
  const absent = ROW_KEYS.filter((key) => valueOf(read.value, key) === undefined);
  return absent.length === 0 ? null : `The row lacks ${absent.map((key) => `\`${key}\``).join(" and ")}.`;
}

function readme(named: Given<string> | undefined, context: ContractContext): Diagnostic<"readme">[] {
  if (named === undefined) return [];
  const path = `${named.value.replace(/\.jsonl$/, "")}.README.md`;
  const file = lookUp(context, path);
  if (file.kind === "file" && Buffer.from(file.bytes).toString("utf8").trim() !== "") return [];
  const how = file.kind === "file" ? "is blank" : "is no file of the repository";
  return [diagnostic("readme", named, `${path} ${how}, so nobody says who labels the rows and what correct means. Write it, with the last ticket.`)];
}

/** The scorer's bytes, where the manifest pins one. */
export function checkScorer({ scorer_path: named, scorer_sha256: recorded }: Manifest, context: ContractContext): Diagnostic<"scorer-digest" | EvidenceRule>[] {
  const { found, value: scorer } = evidence(context, named);
  return [...found, ...(scorer === null ? [] : digestDiagnostic("scorer-digest", recorded, scorer))];
}
