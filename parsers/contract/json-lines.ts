import type { Mapping, Place, SyntaxProblem, Value } from "./document.ts";
import { readJson } from "./json.ts";
import { textLines } from "./text.ts";

/** One line of a JSONL file: an object with its places in the file, or what is wrong with it. */
export interface JsonLine {
  readonly at: Place;
  readonly read: { readonly value: Mapping } | { readonly problem: SyntaxProblem };
}

/** The lines of a JSONL text that are not blank, split at LF only. Every one is to be a JSON object. */
export function readJsonLines(text: string): JsonLine[] {
  return textLines(text).filter((line) => line.text.trim() !== "").map((line) => ({ at: line.at, read: objectOn(line.text, line.at) }));
}

function objectOn(text: string, at: Place): JsonLine["read"] {
  const read = readJson(text);
  if ("problem" in read) return { problem: { message: read.problem.message, at: { ...read.problem.at, line: at.line } } };
  if (read.value.kind !== "mapping") return { problem: { message: "The line is no JSON object.", at } };
  return { value: onLine(read.value, at.line) as Mapping };
}

/** A value that was read as a text of its own, placed on its line of the file. Recursive in the nesting, which is bounded. */
function onLine(value: Value, line: number): Value {
  const at = { ...value.at, line };
  if (value.kind === "scalar") return { ...value, at };
  if (value.kind === "list") return { ...value, at, items: value.items.map((item) => onLine(item, line)) };
  return { ...value, at, entries: value.entries.map((entry) => ({ key: entry.key, keyAt: { ...entry.keyAt, line }, value: onLine(entry.value, line) })) };
}
