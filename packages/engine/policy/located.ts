import { aliasTargets } from "@agentgate/parsers/contract/aliases";
import { LineCounter, isAlias, isMap, isScalar, isSeq, parseAllDocuments } from "yaml";
import type { Alias, Document, Node, Pair, YAMLError, YAMLMap } from "yaml";
import { quoted } from "./quoted.ts";

/** A value of a YAML file with the line it stands on. A mapping's keys are text, in the order of the file. */
export type Located =
  | { readonly kind: "scalar"; readonly value: string | number | boolean | null; readonly line: number; readonly column: number }
  | { readonly kind: "list"; readonly items: readonly Located[]; readonly line: number; readonly column: number }
  | { readonly kind: "mapping"; readonly entries: readonly LocatedEntry[]; readonly line: number; readonly column: number };

export interface LocatedEntry {
  readonly key: string;
  readonly keyLine: number;
  readonly keyColumn: number;
  readonly value: Located;
}

/** The text is no YAML that we read. `message` is one line without the file's name. */
export class YamlError extends Error {}

/** More values than any policy has: aliases of aliases grow beyond it. */
const MAX_VALUES = 50_000;
const MAX_DEPTH = 64;

/**
 * Reads one YAML 1.2 document (core schema). Aliases and merge keys are resolved. The library compares each key with each
 * other one, which takes a minute for 20,000; repeated ones are looked for here.
 * @throws YamlError for bad syntax, a repeated key, a second document, a custom tag, aliases without end.
 */
export function readYaml(text: string): Located {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, merge: true, prettyErrors: false, uniqueKeys: false, stringKeys: false });
  const [document, second] = documents;
  if (document === undefined) return { kind: "scalar", value: null, line: 1, column: 1 };
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem !== undefined) throw new YamlError(`line ${lines.linePos(problem.pos[0]).line}: ${reasonOf(problem)}`);
  if (second !== undefined) throw new YamlError("it holds more than one document");
  return new Locator(document, lines).locate(document.contents, 0);
}

/** What the library says, in one line. Its own word for deep nesting speaks of its stack. */
function reasonOf({ code, message }: YAMLError): string {
  return code === "RESOURCE_EXHAUSTION" ? "it is nested too deeply" : message.split("\n", 1)[0]!.replaceAll(/\s+/g, " ");
}

class Locator {
  readonly #targets: ReadonlyMap<Alias, Node>;
  readonly #lines: LineCounter;
  #count = 0;

  constructor(document: Document, lines: LineCounter) {
    this.#targets = aliasTargets(document);
    this.#lines = lines;
  }

  locate(node: Node | null, depth: number): Located {
    this.#count++;
    if (this.#count > MAX_VALUES || depth > MAX_DEPTH) throw new YamlError("its aliases or its nesting go on without end");
    if (node === null) return { kind: "scalar", value: null, line: 1, column: 1 };
    const place = this.#place(node);
    if (isAlias(node)) {
      const target = this.#targets.get(node);
      if (target === undefined) throw new YamlError(`line ${place.line}: no anchor is called ${node.source}`);
      return { ...this.locate(target, depth + 1), ...place };
    }
    if (isSeq(node)) return { kind: "list", items: node.items.map((item) => this.locate(item as Node | null, depth + 1)), ...place };
    if (isMap(node)) return { kind: "mapping", entries: this.#entries(node, depth), ...place };
    return { kind: "scalar", value: isScalar(node) ? plain(node.value) : null, ...place };
  }

  #entries(node: YAMLMap, depth: number): LocatedEntry[] {
    const entries = new Map<string, LocatedEntry>();
    const merged: LocatedEntry[] = [];
    for (const pair of node.items as Pair<Node, Node | null>[]) {
      const place = this.#place(pair.key);
      const key = isScalar(pair.key) ? String(pair.key.value) : "";
      if (!isScalar(pair.key)) throw new YamlError(`line ${place.line}: a key must be plain text`);
      const value = pair.value === null ? { kind: "scalar" as const, value: null, ...place } : this.locate(pair.value, depth + 1);
      if (isMergeKey(pair.key.value)) merged.push(...mergedEntries(value, place.line));
      else if (entries.has(key)) throw new YamlError(`line ${place.line}: the key ${quoted(key)} stands in one mapping twice`);
      else entries.set(key, { key, keyLine: place.line, keyColumn: place.column, value });
    }
    for (const entry of merged) if (!entries.has(entry.key)) entries.set(entry.key, entry);
    return [...entries.values()];
  }

  #place(node: Node): { line: number; column: number } {
    const { line, col } = this.#lines.linePos(node.range?.[0] ?? 0);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }
}

/** The library gives `<<` as a symbol where it merges. */
function isMergeKey(key: unknown): boolean {
  return key === "<<" || typeof key === "symbol";
}

function mergedEntries(value: Located, line: number): readonly LocatedEntry[] {
  if (value.kind === "mapping") return value.entries;
  if (value.kind === "list") return value.items.flatMap((item) => mergedEntries(item, line));
  throw new YamlError(`line ${line}: only a mapping can be merged`);
}

function plain(value: unknown): string | number | boolean | null {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return Number(value);
  return null;
}
