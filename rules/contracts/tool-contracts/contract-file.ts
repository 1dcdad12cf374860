import { type ContractContext, type Diagnostic, diagnostic, keyPathOf, other } from "../contract.ts";
import { documentShape } from "../define.ts";
import { type Evidence, document, evidence, lookUp } from "../evidence.ts";
import { any, bool, choice, int, list, map, optional, owner, path, record, text, type Given, type Valid } from "../fields.ts";
import { digestDiagnostic } from "../shared/digest-rule.ts";
import { shown } from "../shared/values.ts";
import { type Budget, BUDGET_PATH, type Tool, contractPath, toolName } from "./inventory.ts";
import { checkSchemas } from "./schema-rules.ts";

const EFFECTS = ["read", "write", "delete", "network", "payment", "deploy"] as const;
const WRITES: ReadonlySet<string> = new Set(["write", "delete", "payment", "deploy"]);

const RETRY = {
  max: int("Further tries.", { min: 0 }),
  backoff_ms: int("Milliseconds between them.", { min: 0 }),
  retry_on: list(text("One failure."), "The failures after which it tries again."),
};

const FIELDS = {
  name: toolName("Name of the tool, as the inventory has it."),
  version: int("Version of the contract.", { min: 1 }),
  owner: owner("The person or team that answers for the tool, as the inventory has it."),
  side_effects: list(choice(EFFECTS, "One class of effect.", { rules: { type: "effect", blank: "effect" } }), "What a call can do."),
  allow_write: bool("Whether the tool may write."),
  timeout_ms: int("Milliseconds that a call may take.", { min: 1 }),
  max_calls_per_run: int("Calls in one run.", { min: 1 }),
  input_schema: map(any("A keyword of JSON Schema."), "JSON Schema of the arguments."),
  output_schema: map(any("A keyword of JSON Schema."), "JSON Schema of the result."),
  untrusted_output: bool("Whether the result is treated as a stranger's text; it has to be."),
  retry: optional(record(RETRY, "When a call is tried again.")),
  idempotency_key_required: bool("Whether a call must bring a key, so that a second one does nothing."),
  forbidden_args: list(text("One argument."), "Arguments that the tool must not have.", { least: 0 }),
  dry_run: path("The file that shows a dry run."),
};

export const CONTRACT = documentShape({ name: "contract", title: "The contract of a tool", where: "tools/contracts/*.contract.yaml", format: "yaml", fields: FIELDS, unknown: "warning" });

export type ToolContract = Valid<typeof FIELDS>;

/** What a tool may do, for what goes by it. */
export interface Judged {
  readonly contract: ToolContract;
  readonly found: readonly Diagnostic[];
}

/** The contract of a listed tool, and what is wrong with it. */
export function judgeTool({ value: tool }: Tool, name: Given<string>, budget: Budget, context: ContractContext): Judged {
  const path = contractPath(name.value);
  if (lookUp(context, path).kind === "absent") return { contract: {}, found: [diagnostic("no-contract", name, `${path} does not exist, so nothing says what the tool may do. Write its contract.`)] };
  const { found, value: file } = evidence(context, name, path);
  if (file === null) return { contract: {}, found };
  const recorded = digestDiagnostic("digest", tool.descriptor_sha256, file);
  const { found: structure, value: contract } = readContract(file);
  if (contract === null) return { contract: {}, found: [...recorded, ...structure] };
  const rules = [
    ...echoes(tool, name, contract), ...effects(contract, structure), ...checkSchemas(contract, isWriting(contract), structure), ...untrusted(contract), ...limits(contract, budget),
    ...evidence(context, contract.dry_run).found,
  ];
  return { contract, found: [...recorded, ...structure, ...rules] };
}

/** That a tool that writes does not say whether it asks for a key is the rule of its own. */
function readContract({ bytes, path }: Evidence): { readonly value: ToolContract | null; readonly found: readonly Diagnostic[] } {
  const { found, value } = document(CONTRACT, bytes, path);
  const isWrite = value !== null && isWriting(value);
  return { value, found: found.map((one): Diagnostic => (isWrite && one.rule === "field" && keyPathOf(one) === "idempotency_key_required" ? { ...one, rule: "no-key" } : one)) };
}

function isWriting({ side_effects: effectsOf }: ToolContract): boolean {
  return effectsOf?.value.some(({ value }) => WRITES.has(value)) === true;
}

function echoes(tool: Tool["value"], name: Given<string>, contract: ToolContract): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (contract.name !== undefined && contract.name.value !== name.value) {
    found.push(diagnostic("name", contract.name, `The file calls the tool ${shown(contract.name.value)} and the inventory ${shown(name.value)}: an agent calls the one and the other was reviewed. Use one name.`, [other(name, "the inventory's name")]));
  }
  if (contract.owner !== undefined && tool.owner !== undefined && contract.owner.value !== tool.owner.value) {
    found.push(diagnostic("owner-differs", contract.owner, `The file's owner is ${shown(contract.owner.value)} and the inventory's ${shown(tool.owner.value)}: each may think that the other answers. Name one owner.`, [other(tool.owner, "the inventory's owner")]));
  }
  return found;
}

/** Whether what the tool may do is what it says that it does. Of a list in which a class is unknown, only what is there counts. */
function effects(contract: ToolContract, structure: readonly Diagnostic[]): Diagnostic<"allow-write">[] {
  const { allow_write: allowed, side_effects: listed } = contract;
  if (allowed === undefined || listed === undefined) return [];
  const writes = isWriting(contract);
  if (writes === allowed.value || (!writes && structure.some((one) => keyPathOf(one) === "side_effects[]"))) return [];
  const message = writes
    ? "The tool writes and `allow_write` is not true: either it must not be called, or the contract does not say what was decided. Set it to true, or take the effect away."
    : "`allow_write` is true and no side effect writes: it allows what nobody named. Name the effect, or set it to false.";
  return [diagnostic("allow-write", allowed, message, [other(listed, "the side effects")])];
}

function untrusted({ untrusted_output: untrustedOutput }: ToolContract): Diagnostic<"trusted-output">[] {
  if (untrustedOutput?.value !== false) return [];
  return [diagnostic("trusted-output", untrustedOutput, "The result would be trusted, and whoever writes what the tool reads could steer the agent. Set `untrusted_output` to true and validate the result.")];
}

function limits(contract: ToolContract, budget: Budget): Diagnostic<"over-budget">[] {
  return ([["timeout_ms", "wall_clock_ms"], ["max_calls_per_run", "max_tool_calls"]] as const).flatMap(([own, whole]) => {
    const one = contract[own];
    const most = budget[whole];
    if (one === undefined || most === undefined || one.value <= most.value) return [];
    return [diagnostic("over-budget", one, `\`${own}\` is ${one.value} and \`${whole}\` of ${BUDGET_PATH} is ${most.value}: one tool may spend more than the run. Lower it.`, [other(most, "what a run may spend")])];
  });
}
