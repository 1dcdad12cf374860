import { occurrencesOf } from "@agentgate/parsers";
import type { BindingId, Binding, ModuleFacts } from "@agentgate/parsers";
import { edited } from "./edits.ts";
import type { Edit, Source } from "./edits.ts";

/** What is put before a name. The last word of a name may mean something (`fast_model`), so it stays the last. */
export const PREFIX = "renamed_";

/**
 * Gives the locals of all functions other names. Left alone: names that rules read by convention where nothing else
 * tells what they are (`conventional`), Python's parameters (callers name them), and what is named in other ways.
 */
export function renameLocals(source: Source, conventional: ReadonlySet<string>): string {
  const { facts, text } = source;
  const edits: Edit[] = [];
  const keys = keySpans(facts);
  facts.bindings.forEach((binding, id) => {
    if (!isLocal(source, binding) || conventional.has(binding.name.toLowerCase())) return;
    for (const [start, end] of placesOf(facts, binding, id)) {
      if (text.slice(start, end) !== binding.name) return;
      // `{ name }` is a key and a value at once.
      const key = keys.has(start) ? `${binding.name}: ` : "";
      edits.push({ start, end, text: `${key}${PREFIX}${binding.name}` });
    }
  });
  return edited(text, edits);
}

function isLocal({ facts, text }: Source, { kind, scope, name }: Binding): boolean {
  const around = facts.scopes[scope];
  if (around === undefined || around.function === 0 || around.kind === "class" || around.kind === "module") return false;
  if (kind !== "variable" && kind !== "constant" && (kind !== "parameter" || facts.language === "python")) return false;
  if (!/^[A-Za-z_]\w*$/.test(name) || name === "self" || name === "this" || name === "arguments" || name.startsWith("__")) return false;
  return !new RegExp(`\\b(?:global|nonlocal|typeof|locals\\(\\)|<)[^\\n]*\\b${name}\\b`).test(text);
}

function placesOf(facts: ModuleFacts, binding: Binding, id: BindingId): (readonly [number, number])[] {
  return [binding.span, ...occurrencesOf(facts, id).map((occurrence) => facts.values[occurrence]!.span)].map(([start, end]) => [start, end]);
}

/** Where written keys and read members begin. */
function keySpans(facts: ModuleFacts): ReadonlySet<number> {
  const starts = new Set<number>();
  if (facts.language === "python") return starts;
  for (const value of facts.values) {
    if (value.kind === "member" && value.property !== null && value.span[0] === value.propertySpan[0]) starts.add(value.propertySpan[0]);
    if (value.kind !== "table") continue;
    for (const { key, value: entry } of value.entries) {
      const written = key === null ? undefined : facts.values[key];
      if (written !== undefined && written.span[0] === facts.values[entry]?.span[0]) starts.add(written.span[0]);
    }
  }
  return starts;
}
