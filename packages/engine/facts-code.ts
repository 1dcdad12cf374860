import type { Dialect, ModuleFacts } from "@agentgate/parsers";
import { flags, readList, writeList } from "./facts-code/lists.ts";
import { Reader } from "./facts-code/reader.ts";
import {
  readBinding, readCall, readClass, readDirective, readExport, readFunction, readImport, readProblem, readScope, readTyped, readUse,
  writeBinding, writeCall, writeClass, writeDirective, writeExport, writeFunction, writeImport, writeProblem, writeScope, writeTyped, writeUse,
} from "./facts-code/records.ts";
import { readValue, writeValue } from "./facts-code/values.ts";
import { Writer } from "./facts-code/writer.ts";

const LANGUAGES = ["python", "ecmascript"] as const satisfies readonly ModuleFacts["language"][];
const DIALECTS = ["python", "javascript", "jsx", "typescript", "tsx", "declaration"] as const satisfies readonly Dialect[];

/**
 * Facts as bytes, for a pipe or a cache: about an eighth of their JSON.
 * @throws RangeError for what is no `ModuleFacts`, such as a span of fractions.
 */
export function encodeFacts(facts: ModuleFacts): Uint8Array {
  const to = new Writer();
  to.count(facts.version);
  to.word(LANGUAGES, facts.language);
  to.word(DIALECTS, facts.dialect);
  to.count(facts.length);
  to.count(flags(facts.generated, facts.types !== undefined));
  to.count(facts.lines.length);
  let last = 0;
  for (const start of facts.lines) {
    to.count(start - last);
    last = start;
  }
  writeList(to, facts.imports, writeImport);
  writeList(to, facts.values, writeValue);
  writeList(to, facts.bindings, writeBinding);
  writeList(to, facts.scopes, writeScope);
  writeList(to, facts.calls, writeCall);
  writeList(to, facts.uses, writeUse);
  writeList(to, facts.functions, writeFunction);
  writeList(to, facts.classes, writeClass);
  writeList(to, facts.statements, (_, span) => to.span(span));
  writeList(to, facts.exports, writeExport);
  writeList(to, facts.directives, writeDirective);
  writeList(to, facts.problems, writeProblem);
  if (facts.types !== undefined) writeList(to, facts.types, writeTyped);
  return to.finish();
}

/**
 * The facts that `encodeFacts` wrote, deeply equal; tables by name have no prototype. Bytes that hold their form by
 * chance are not told apart from facts: whoever keeps them adds a checksum.
 * @throws RangeError for bytes that do not hold to the form.
 */
export function decodeFacts(bytes: Uint8Array): ModuleFacts {
  const from = new Reader(bytes);
  const head = { version: from.count(), language: from.word(LANGUAGES), dialect: from.word(DIALECTS), length: from.count() };
  const set = from.count();
  const facts: ModuleFacts = {
    ...head, ...(set & 1) !== 0 && { generated: true as const },
    lines: readLines(from),
    imports: readList(from, readImport), values: readList(from, readValue), bindings: readList(from, readBinding),
    scopes: readList(from, readScope), calls: readList(from, readCall), uses: readList(from, readUse),
    functions: readList(from, readFunction), classes: readList(from, readClass), statements: readList(from, () => from.span()),
    exports: readList(from, readExport), directives: readList(from, readDirective), problems: readList(from, readProblem),
    ...(set & 2) !== 0 && { types: readList(from, readTyped) },
  };
  from.finish();
  return facts;
}

function readLines(from: Reader): number[] {
  const lines: number[] = [];
  let last = 0;
  for (let length = from.length(); length > 0; length--) {
    last += from.count();
    lines.push(last);
  }
  return lines;
}
