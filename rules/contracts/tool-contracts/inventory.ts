import { LINE_ONE } from "@agentgate/parsers/contract";
import { type ContractContext, type Diagnostic, type DocumentShape, diagnostic, other } from "../contract.ts";
import { documentShape } from "../define.ts";
import { documentAt } from "../evidence.ts";
import { digest, int, list, optional, owner, record, text, type Given, type Valid } from "../fields.ts";
import { itemsReported } from "../shared/items.ts";
import { repeats } from "../shared/repeats.ts";
import { shown } from "../shared/values.ts";

const NAME = { source: "^[A-Za-z0-9_\\-]+$", says: "letters, digits, dashes and underscores" };

/** The name of a tool, from which the path of its contract is made. */
export function toolName(description: string): ReturnType<typeof text> {
  return text(description, { pattern: NAME });
}

const TOOL = {
  name: toolName("Name of the tool, and of its contract's file."),
  descriptor_sha256: digest("SHA-256 of the contract's bytes."),
  owner: owner("The person or team that answers for the tool."),
  on_call: optional(text("Whom it wakes.")),
};

const FIELDS = { tools: list(record(TOOL, "One tool."), "The tools that an agent may call; there are no others.") };

export const INVENTORY = documentShape({ name: "", title: "The tools that an agent may call", where: "tools/inventory.yaml", format: "yaml", fields: FIELDS, unknown: "warning" });

const LIMITS = {
  wall_clock_ms: int("Milliseconds that a run may take.", { min: 1 }),
  max_model_calls: int("Calls of a model in one run.", { min: 1 }),
  max_tool_calls: int("Calls of tools in one run.", { min: 1 }),
  max_payload_bytes: int("Bytes of one call.", { min: 1 }),
};

export const BUDGET_PATH = "tools/budget.yaml";
export const BUDGET = documentShape({ name: "budget", title: "What one run may spend", where: BUDGET_PATH, format: "yaml", fields: LIMITS, unknown: "warning" });

export type Tool = Given<Valid<typeof TOOL>>;
export type Budget = Valid<typeof LIMITS>;

export interface Inventory {
  /** Null where the list itself is reported. */
  readonly tools: readonly Tool[] | null;
  readonly found: readonly Diagnostic[];
}

/** Where the contract of a tool lies. */
export function contractPath(name: string): string {
  return `tools/contracts/${name}.contract.yaml`;
}

/** The inventory; null where it cannot be read. */
export function readInventory(context: ContractContext, shape: DocumentShape<typeof FIELDS> = INVENTORY): Inventory {
  const { found, value } = documentAt(context, shape, context.path);
  const tools = value?.tools?.value ?? null;
  return { tools, found: [...found.map(asWildcard), ...(tools === null ? [] : [...withoutOnCall(tools, found), ...repeated(tools)])] };
}

const PATTERNS = new Set(["tools", "tools[]", "tools[].name"]);

/** A name with a wildcard, and a key that looks tools up, say more than that the form is another one. */
function asWildcard(one: Diagnostic): Diagnostic {
  const [key, value] = JSON.parse(one.key) as readonly [string, unknown];
  const isPattern = one.rule === "type" && PATTERNS.has(key) && typeof value === "string" && /[*?]/.test(value);
  const isSearch = one.rule === "unknown-key" && /(?:^|\.)(?:discover|glob)$/.test(key);
  if (!isPattern && !isSearch) return one;
  const what = isPattern ? `${shown(value)} stands for whatever matches it` : `\`${key}\` looks tools up`;
  return { ...one, rule: "wildcard", severity: "error", message: `${what}, and the set of tools is what was reviewed. List each tool by its name.` };
}

function withoutOnCall(tools: readonly Tool[], found: readonly Diagnostic[]): Diagnostic<"field">[] {
  const reported = itemsReported("tools[].on_call", tools, found);
  const absent = tools.filter((tool) => tool.value.on_call === undefined && !reported.has(tool));
  return absent.map((tool) => ({ ...diagnostic("field", { ...tool, key: `${tool.key}.on_call` }, "`on_call` is missing, so nobody is woken when the tool runs wild. Say whom it wakes."), severity: "warning" }));
}

function repeated(tools: readonly Tool[]): Diagnostic<"duplicate">[] {
  const names = tools.flatMap(({ value: { name } }) => name ?? []);
  return repeats(names, ({ value }) => value).map(([name, before]) =>
    diagnostic("duplicate", name, `The tool ${shown(name.value)} is listed twice, so that two digests hold for one file. Keep one.`, [other(before, "listed first here")]));
}

/** What one run may spend, which is a file of its own. */
export function readBudget(context: ContractContext): { readonly budget: Budget; readonly found: readonly Diagnostic[] } {
  const { found, value } = documentAt(context, BUDGET, BUDGET_PATH);
  const absent = value === null && found.length === 0;
  const message = `${BUDGET_PATH} does not exist, so that a run may spend whatever it likes. Write down what one run may spend.`;
  return { budget: value ?? {}, found: absent ? [diagnostic("budget", { path: context.path, at: LINE_ONE, key: "budget" }, message)] : found };
}
