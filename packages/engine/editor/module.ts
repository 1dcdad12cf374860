import { decodePython } from "@agentgate/parsers";
import type { ModuleFacts, ParseProblem } from "@agentgate/parsers";
import { reachSummaryOf } from "@agentgate/rules/reach-summary";
import type { Module } from "../judging/module.ts";
import { specifiersOf } from "../judging/specifiers.ts";
import type { TreePath } from "../paths.ts";
import { decodeEcmascript } from "../reading/decode.ts";
import { contradiction } from "../reading/first-line.ts";
import { readBounded } from "../reading/read.ts";

/** Characters in which a Python source names its encoding. */
const HEAD = 4096;

/** A text of an editor as a module of its tree. `file` is absolute, `path` in the tree. */
export function moduleOf(path: TreePath, file: string, { text, facts, untyped }: { readonly text: string; readonly facts: ModuleFacts; readonly untyped?: string }): Module {
  return {
    path, blob: "", text, facts, specifiers: specifiersOf(facts), undecodable: undecodableIn(text, file, facts.language === "python"), judged: true, untyped: untyped ?? null,
    get reach() {
      return reachSummaryOf(facts);
    },
  };
}

/** What the command finds wrong with the bytes: a linter has only the text that it made of them, as UTF-8. */
function undecodableIn(text: string, file: string, python: boolean): readonly ParseProblem[] {
  const named = python ? decodePython(Buffer.from(text.slice(0, HEAD))).problems : [];
  const first = contradiction(text, python);
  return [...first === null ? [] : [first], ...named, ...text.includes("\ufffd") ? replacedIn(text, file, python) : []];
}

/** Bytes that are not of the encoding. What was written since has none. */
function replacedIn(text: string, file: string, python: boolean): readonly ParseProblem[] {
  const read = readBounded(file, 3 * text.length);
  if (read.kind !== "bytes") return [];
  const decoded = python ? decodePython(read.bytes) : decodeEcmascript(read.bytes);
  return decoded.text === text || decoded.text === "" ? decoded.problems : [];
}
