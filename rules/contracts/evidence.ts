import { LINE_ONE, type Mapping, type Read, type Value, decodeText, readJson, readYaml, refuseLoneReturn } from "@agentgate/parsers/contract";
import { type ContractContext, type Diagnostic, type DocumentShape, type EvidenceFile, type GenericRule, diagnostic } from "./contract.ts";
import type { Fields, Given, Spot, Valid } from "./fields.ts";
import { checkStructure } from "./structure.ts";
import { isSafePath, tidy } from "./shared/paths.ts";
import { shown } from "./shared/values.ts";

/** What was read, and what was wrong with it. Where something was, `value` is null and the rules stay silent about it. */
export interface Found<T, R extends string = GenericRule> {
  readonly value: T | null;
  readonly found: readonly Diagnostic<R>[];
}

/** A file that a contract names, as it lies. */
export interface Evidence extends Spot {
  readonly bytes: Uint8Array;
  /** The text without byte order mark; null where it is no UTF-8. */
  readonly text: string | null;
}

/** What can be wrong with a file that a contract names. */
export type EvidenceRule = "evidence" | "unsafe-path";

const NOTHING: Found<never, never> = { value: null, found: [] };

/** Contracts and what is parsed of evidence are texts that people read. */
const MAX_DOCUMENT_BYTES = 1_048_576;

function fileSpot(path: string): Spot {
  return { path, at: LINE_ONE, key: path };
}

function textOf(bytes: Uint8Array): string | null {
  const read = decodeText(bytes);
  return "value" in read ? read.value : null;
}

/** Looks a path up that may come from anywhere: one that is not safe is never asked for. */
export function lookUp({ tree }: Pick<ContractContext, "tree">, path: string): EvidenceFile {
  return isSafePath(path) && tidy(path) !== "" ? tree.read(tidy(path)) : { kind: "outside" };
}

/**
 * The file that a contract names (`named`), or whose path follows from what it names. Absent, no regular file and blank
 * are `/evidence`, a link out of the repository is `/unsafe-path`, both at the line that names it.
 */
export function evidence(context: Pick<ContractContext, "tree">, named: Given<string> | undefined, path = named?.value, options: { readonly mayBeBlank?: true } = {}): Found<Evidence, EvidenceRule> {
  if (named === undefined || path === undefined) return NOTHING;
  const file = lookUp(context, path);
  if (file.kind === "outside") return reported("unsafe-path", named, `${shown(path)} leads out of the repository. A contract rests on what is reviewed with it: put the file into the repository.`);
  if (file.kind === "absent") return reported("evidence", named, `${shown(path)} does not exist, and the contract rests on it. Add the file, or name the one that is there.`);
  if (file.kind === "unreadable") return reported("evidence", named, `${shown(path)} cannot be read: ${file.reason}. Put a regular file in its place.`);
  const text = textOf(file.bytes);
  if (options.mayBeBlank !== true && (file.bytes.length === 0 || text?.trim() === "")) return reported("evidence", named, `${shown(path)} is blank, and the contract rests on it. Fill the file in.`);
  return { value: { ...fileSpot(tidy(path)), bytes: file.bytes, text }, found: [] };
}

function reported(rule: EvidenceRule, named: Spot, message: string): Found<never, EvidenceRule> {
  return { value: null, found: [diagnostic(rule, named, message)] };
}

/** A document that lies at a path, checked against its table; null with no diagnostic where the file is absent. */
export function documentAt<F extends Fields>(context: Pick<ContractContext, "tree">, shape: DocumentShape<F>, path: string): Found<Valid<F>> {
  const file = lookUp(context, path);
  if (file.kind === "absent") return NOTHING;
  if (file.kind !== "file") {
    const why = file.kind === "outside" ? "it leads out of the repository" : file.reason;
    return { value: null, found: [diagnostic("syntax", fileSpot(tidy(path)), `The file cannot be read: ${why}. Put a regular file of the repository in its place.`)] };
  }
  return document(shape, file.bytes, tidy(path));
}

/** The bytes of a document, checked against its table. A file that cannot be parsed is not checked further. */
export function document<F extends Fields>(shape: DocumentShape<F>, bytes: Uint8Array, path: string): Found<Valid<F>> {
  const read = parseDocument(shape.format, bytes);
  if ("problem" in read) return { value: null, found: [diagnostic("syntax", { path, at: read.problem.at, key: "" }, `${read.problem.message} Correct the file.`)] };
  const { found, valid } = checkStructure(shape, read.value, path);
  // What a field puts in a generic rule's place is told by its table; `judgeContract` refuses a rule that nobody lists.
  return { value: valid, found: found as readonly Diagnostic<GenericRule>[] };
}

/** The root mapping of a document's bytes, or why it is none. */
export function parseDocument(format: DocumentShape["format"], bytes: Uint8Array): Read<Mapping> {
  if (bytes.length > MAX_DOCUMENT_BYTES) return { problem: { message: `The file has more than ${MAX_DOCUMENT_BYTES} bytes.`, at: LINE_ONE } };
  const decoded = decodeText(bytes);
  const text = "problem" in decoded ? decoded : refuseLoneReturn(decoded.value);
  if ("problem" in text) return text;
  const read: Read<Value> = format === "yaml" ? readYaml(text.value) : readJson(text.value);
  if ("problem" in read) return read;
  if (read.value.kind === "mapping") return { value: read.value };
  return { problem: { message: `The root is ${read.value.kind === "list" ? "a list" : "no mapping"}; a contract is a mapping of keys to values.`, at: { ...read.value.at, line: Math.max(1, read.value.at.line) } } };
}
