import { LINE_ONE } from "@agentgate/parsers/contract";
import { type ContractContext, type ContractSystem, type Diagnostic, diagnostic, other } from "../contract.ts";
import { evidence } from "../evidence.ts";
import { pin, unlocked } from "../pins.ts";
import { CONTRACT, type ToolContract, judgeTool } from "./contract-file.ts";
import { BUDGET, BUDGET_PATH, type Budget, INVENTORY, type Tool, contractPath, readBudget, readInventory } from "./inventory.ts";
import { TRACE_PATH, checkTrace } from "./trace.ts";

const FOLDER = "tools/contracts";

export const toolContracts: ContractSystem = {
  id: "tool-contracts",
  purpose: "Each tool that an agent may call is listed, hashed, typed, limited and owned before it can write.",
  place: "tools/inventory.yaml",
  alsoRead: [contractPath("<name>"), BUDGET_PATH, TRACE_PATH],
  documents: [INVENTORY, CONTRACT, BUDGET],
  rules: {
    budget: { summary: "`tools/budget.yaml` is absent." },
    duplicate: { summary: "A tool is listed twice." },
    wildcard: { summary: "A name with `*` or `?`, or a key `discover` or `glob`: the set of tools is what was reviewed." },
    "no-contract": { summary: "A listed tool has no contract file." },
    digest: { summary: "The contract's bytes are not those of `descriptor_sha256`." },
    unlisted: { summary: "A contract file that no tool of the inventory has." },
    name: { summary: "The file's `name` is not the inventory's." },
    "owner-differs": { summary: "The file's `owner` is not the inventory's." },
    effect: { summary: "A side effect is of no known class." },
    "allow-write": { summary: "A tool that writes is not allowed to, or one that does not is." },
    "no-key": { summary: "A tool that writes asks for no idempotency key." },
    "open-schema": { summary: "A tool that writes takes arguments that nobody named." },
    "forbidden-arg": { summary: "A forbidden argument is a property of the input." },
    schema: { summary: "`required` names no property." },
    "trusted-output": { summary: "`untrusted_output` is not true." },
    "over-budget": { summary: "A tool may take longer, or be called more often, than the whole run." },
    "trace-column": { summary: "A row of the trace lacks a column." },
    "trace-tool": { summary: "A call of a tool that is not listed." },
    "trace-version": { summary: "A call by another version of the contract." },
    "trace-decision": { summary: "A decision that is none, or a call let through whose arguments do not fit." },
    "trace-count": { summary: "More calls of a tool, or of all tools, than one run may make." },
    "version-kept": { summary: "The contract's bytes moved, and its `version` did not rise.", needs: "base" },
    "tool-unlisted": { summary: "Code registers or dispatches a tool that is not listed.", needs: "code" },
    "runtime-discovery": { summary: "Tools come from a folder scan, a plugin or a server's advert.", needs: "code" },
    "no-dry-run": { summary: "The implementation of a tool that writes has no dry run.", needs: "code" },
    "raw-output": { summary: "A tool's result is joined into a prompt unvalidated.", needs: "code" },
  },
  check: (context) => {
    const { found, tools } = readInventory(context);
    if (tools === null) return found;
    const { budget, found: ofBudget } = readBudget(context);
    return [...found, ...ofBudget, ...checkTools(tools, budget, context)];
  },
  pins: (context) => (readInventory(context, unlocked(INVENTORY)).tools ?? []).flatMap(({ value: { descriptor_sha256: recorded, name } }) =>
    (name === undefined ? [] : pin(recorded, evidence(context, name, contractPath(name.value)).value))),
};

function checkTools(tools: readonly Tool[], budget: Budget, context: ContractContext): Diagnostic[] {
  const contracts = new Map<string, ToolContract>();
  const found: Diagnostic[] = [];
  for (const tool of tools) {
    const { name } = tool.value;
    if (name === undefined || contracts.has(name.value)) continue;
    const judged = judgeTool(tool, name, budget, context);
    contracts.set(name.value, judged.contract);
    found.push(...judged.found);
  }
  return [...found, ...unlisted(contracts, context), ...checkTrace(contracts, budget, context)];
}

/** Also one with another ending, or in a folder below. */
function unlisted(contracts: ReadonlyMap<string, ToolContract>, context: ContractContext): Diagnostic<"unlisted">[] {
  const named = new Set([...contracts.keys()].map(contractPath));
  const files = context.tree.list(FOLDER).filter((file) => /\.contract\.[^/]*$/i.test(file) && !named.has(file));
  return files.map((file) => diagnostic("unlisted", { path: file, at: LINE_ONE, key: file }, "No tool of the inventory has this contract, so nobody has reviewed that it is in force. List the tool, or delete the file.", [other({ path: context.path, at: LINE_ONE, key: "" }, "the inventory")]));
}
