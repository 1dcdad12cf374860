import { constantsOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, Span, Value, ValueId } from "@agentgate/parsers";
import type { EditorSuggestion } from "./protocol.ts";

/** One repair of a finding that starts at an offset; null where there is none that is sure. */
export type Suggester = (facts: ModuleFacts, text: string, start: number) => EditorSuggestion | null;

/** The repairs that rules have. */
export const SUGGESTERS: ReadonlyMap<string, Suggester> = new Map<string, Suggester>([
  ["no-dynamic-import", plainImport],
  ["no-unpinned-model", requiredSetting],
]);

/** The text with a repair made. */
export function repaired(text: string, { edits }: EditorSuggestion): string {
  let result = text;
  for (const { span: [start, end], text: piece } of [...edits].sort((one, other) => other.span[0] - one.span[0])) result = result.slice(0, start) + piece + result.slice(end);
  return result;
}

const NAME = /^[A-Za-z_]\w*$/;

/** `x = __import__("y")` as `import y as x`; inside an expression, the statement goes before its own. */
function plainImport(facts: ModuleFacts, text: string, start: number): EditorSuggestion | null {
  const call = facts.calls.find(({ nameSpan, references }) => nameSpan[0] === start && references.some(({ path }) => path.join(".") === "__import__" || path.at(-1) === "__import__"));
  const name = call?.arguments.length === 1 ? textOf(facts, call.arguments[0]!.value) : null;
  if (call === undefined || facts.language !== "python" || name === null || !NAME.test(name)) return null;
  const statement = facts.statements[call.statement]!;
  const line = text.slice(text.lastIndexOf("\n", statement[0] - 1) + 1, statement[0]);
  if (line.trim() !== "" || text.slice(...statement).includes("\n")) return null;
  const assigned = /^([A-Za-z_]\w*)\s*=\s*$/.exec(text.slice(statement[0], call.span[0]));
  if (assigned !== null && call.span[1] === statement[1]) {
    return { message: `Import ${name} by a statement.`, edits: [{ span: statement, text: assigned[1] === name ? `import ${name}` : `import ${name} as ${assigned[1]!}` }] };
  }
  return { message: `Import ${name} by a statement.`, edits: [{ span: [statement[0], statement[0]], text: `import ${name}\n${line}` }, { span: call.span, text: name }] };
}

/** A setting that is read with a model in place of a missing one, read so that a missing one fails. */
function requiredSetting(facts: ModuleFacts, text: string, start: number): EditorSuggestion | null {
  const call = facts.calls.find((one) => isDefault(facts, one, start));
  if (call !== undefined) return asLookup(facts, text, call, call.span);
  const chain = facts.values.find((value) => value.kind === "logical" && value.operator !== "and" && facts.values[value.right]!.span[0] === start);
  return chain?.kind === "logical" ? withoutChain(facts, text, chain) : null;
}

/** `get("KEY", "model")`, whose second argument stands at the offset. */
function isDefault(facts: ModuleFacts, { arguments: given }: Call, start: number): boolean {
  return given.length === 2 && facts.values[given[1]!.value]!.span[0] === start && textOf(facts, given[0]!.value) !== null;
}

/** `os.getenv("KEY", …)` and `settings.get("KEY", …)` as `os.environ["KEY"]` and `settings["KEY"]`. */
function asLookup(facts: ModuleFacts, text: string, { callee, arguments: given }: Call, span: Span): EditorSuggestion | null {
  const target = facts.values[callee]!;
  if (facts.language !== "python" || target.kind !== "member" || target.subscript === true) return null;
  const object = text.slice(...facts.values[target.object]!.span);
  const table = target.property === "get" ? object : target.property === "getenv" ? `${object}.environ` : null;
  if (table === null) return null;
  return { message: "Read the setting, and fail where it is missing.", edits: [{ span, text: `${table}[${text.slice(...facts.values[given[0]!.value]!.span)}]` }] };
}

/** `os.getenv("KEY") or "model"`, `process.env.KEY ?? "model"`. */
function withoutChain(facts: ModuleFacts, text: string, { left, span }: Extract<Value, { kind: "logical" }>): EditorSuggestion | null {
  const setting = facts.values[left]!;
  if (setting.kind === "call") {
    const call = facts.calls[setting.call]!;
    return call.arguments.length === 1 && textOf(facts, call.arguments[0]!.value) !== null ? asLookup(facts, text, call, span) : null;
  }
  if (facts.language === "python" || setting.kind !== "member" || setting.property === null) return null;
  const read = text.slice(...setting.span);
  if (!/^process\.env\b/.test(read)) return null;
  const thrown = `(${read} ?? (() => { throw new Error("${setting.property} is not set"); })())`;
  return { message: "Read the setting, and fail where it is missing.", edits: [{ span, text: thrown }] };
}

function textOf(facts: ModuleFacts, id: ValueId): string | null {
  const value = constantsOf(facts, id)?.[0]?.value;
  return typeof value === "string" ? value : null;
}
