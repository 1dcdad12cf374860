import { LINE_ONE, type JsonLine, readJsonLines, valueOf } from "@agentgate/parsers/contract";
import { type ContractContext, type Diagnostic, diagnostic, other } from "../contract.ts";
import { evidence, lookUp } from "../evidence.ts";
import { any, bool, int, optional, string, type Spot, type Valid } from "../fields.ts";
import { checkStructure } from "../structure.ts";
import { shown } from "../shared/values.ts";
import type { ToolContract } from "./contract-file.ts";
import { type Budget, BUDGET_PATH } from "./inventory.ts";

export const TRACE_PATH = "artifacts/tool-trace.jsonl";

const COLUMN = { rules: { field: "trace-column" } } as const;

/** What a rule goes by; what is absent is said once a row. */
const FIELDS = {
  run_id: optional(any("The run.")), tool: optional(string("The tool.", COLUMN)), contract_version: optional(int("Version of its contract.", COLUMN)),
  schema_valid: optional(bool("Whether the arguments fit the schema.", COLUMN)), decision: optional(string("Whether the call was let through.", COLUMN)),
};

const COLUMNS = ["run_id", "step", "tool", "contract_version", "args_sha256", "output_sha256", "schema_valid", "latency_ms", "retry_count", "budget_remaining", "decision"];

const DECISIONS = ["allowed", "blocked_schema", "blocked_policy", "blocked_budget"];

interface Row {
  readonly spot: Spot;
  readonly run: string;
  readonly value: Valid<typeof FIELDS>;
}

/** The recorded calls, where there are any: of listed tools, of the contract's version, and no more than allowed. */
export function checkTrace(contracts: ReadonlyMap<string, ToolContract>, budget: Budget, context: ContractContext): Diagnostic[] {
  if (lookUp(context, TRACE_PATH).kind === "absent") return [];
  const named = { path: context.path, at: LINE_ONE, key: "trace", value: TRACE_PATH };
  const { found, value: trace } = evidence(context, named, TRACE_PATH, { mayBeBlank: true });
  if (trace === null) return [...found];
  if (trace.text === null) return [diagnostic("syntax", trace, "The trace holds bytes that are no UTF-8, so its rows cannot be read. Write it in UTF-8.")];
  const lines = readJsonLines(trace.text).map((line) => rowOf(line));
  const rows = lines.flatMap(({ row }) => (row === null ? [] : [row]));
  return [...lines.flatMap((line) => line.found), ...rows.flatMap((row) => checkRow(row, contracts)), ...counts(rows, contracts, budget)];
}

function rowOf({ at, read }: JsonLine): { readonly row: Row | null; readonly found: readonly Diagnostic[] } {
  const spot: Spot = { path: TRACE_PATH, at, key: "row" };
  if ("problem" in read) return { row: null, found: [diagnostic("syntax", { ...spot, at: read.problem.at }, `${read.problem.message} Keep the trace as the run writes it.`)] };
  const { found, valid } = checkStructure({ fields: FIELDS, unknown: "free" }, read.value, TRACE_PATH, at);
  const absent = COLUMNS.filter((column) => valueOf(read.value, column) === undefined);
  const message = `The row lacks ${absent.join(", ")}, so nobody can tell what was called and why it was let through. Keep the trace as the run writes it.`;
  return { row: { spot, run: runOf(valid), value: valid }, found: absent.length === 0 ? found : [...found, diagnostic("trace-column", spot, message)] };
}

/** Rows of no run are of one. */
function runOf({ run_id: run }: Row["value"]): string {
  const node = run?.value;
  return typeof node === "object" && node !== null && "source" in node ? String(node.source) : "";
}

function checkRow({ value }: Row, contracts: ReadonlyMap<string, ToolContract>): Diagnostic[] {
  const { contract_version: version, decision, schema_valid: fits, tool } = value;
  const contract = tool === undefined ? undefined : contracts.get(tool.value);
  const found: Diagnostic[] = [];
  if (tool !== undefined && contract === undefined) found.push(diagnostic("trace-tool", tool, `${shown(tool.value)} is no tool of the inventory: something was called that nobody reviewed. List it, or find out what called it.`));
  if (version !== undefined && contract?.version !== undefined && version.value !== contract.version.value) {
    found.push(diagnostic("trace-version", version, `The call went by version ${version.value} and the contract is version ${contract.version.value}: the trace is of another contract. Record it anew.`, [other(contract.version, "the contract's version")]));
  }
  if (decision !== undefined && !DECISIONS.includes(decision.value)) {
    found.push(diagnostic("trace-decision", decision, `${shown(decision.value)} is no decision. It is one of ${DECISIONS.join(", ")}: keep the trace as the gate writes it.`));
  }
  if (decision?.value === "allowed" && fits?.value === false) found.push(diagnostic("trace-decision", decision, "The call was let through with arguments that do not fit the schema. Block it as blocked_schema.", [other(fits, "the arguments did not fit")]));
  return found;
}

function counts(rows: readonly Row[], contracts: ReadonlyMap<string, ToolContract>, budget: Budget): Diagnostic<"trace-count">[] {
  const seen = new Map<string, number>();
  const next = (key: string): number => seen.set(key, (seen.get(key) ?? 0) + 1).get(key)!;
  return rows.filter(({ value }) => value.decision?.value === "allowed").flatMap(({ run, spot, value: { tool } }) => {
    const most = tool === undefined ? undefined : contracts.get(tool.value)?.max_calls_per_run;
    const whole = budget.max_tool_calls;
    const ofTool = tool === undefined ? 0 : next(JSON.stringify([run, tool.value]));
    const ofRun = next(JSON.stringify([run]));
    return [
      ...(most !== undefined && ofTool === most.value + 1 ? [diagnostic("trace-count", spot, `This is call ${ofTool} of ${tool!.value} in its run, and \`max_calls_per_run\` is ${most.value}: the limit was not kept. Find out why it was let through.`, [other(most, "the tool's limit")])] : []),
      ...(whole !== undefined && ofRun === whole.value + 1 ? [diagnostic("trace-count", spot, `This is call ${ofRun} of its run, and \`max_tool_calls\` of ${BUDGET_PATH} is ${whole.value}: the budget was not kept. Find out why it was let through.`, [other(whole, "the run's limit")])] : []),
    ];
  });
}
