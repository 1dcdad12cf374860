import { LineCounter, isAlias, isMap, isScalar, isSeq, parseAllDocuments } from "yaml";
import type { Alias, Document, Node, Pair, Scalar as YamlScalar, YAMLError, YAMLMap } from "yaml";
import { aliasTargets } from "./aliases.ts";
import { type Entry, LINE_ONE, MAX_DEPTH, MAX_VALUES, type Place, type Read, SyntaxFault, type Value, reading } from "./document.ts";
import { Lines } from "./text.ts";

const CORE_TAG = /^tag:yaml\.org,2002:(?:str|int|float|bool|null|seq|map)$/;

/**
 * Reads one YAML 1.2 document (core schema); aliases and merge keys are resolved. The library compares each key with each
 * other one, which takes a minute for 20,000; repeated ones are looked for here.
 */
export function readYaml(text: string): Read<Value> {
  return reading(() => {
    const lines = new Lines(text);
    const [document, second] = parseAllDocuments(text, {
      lineCounter: new LineCounter(), schema: "core", merge: true, prettyErrors: false, uniqueKeys: false, stringKeys: false, logLevel: "silent",
    });
    if (document === undefined || !("contents" in document)) return nothing(LINE_ONE);
    const problem = document.errors[0] ?? document.warnings[0];
    if (problem !== undefined) throw new SyntaxFault(reasonOf(problem), lines.place(problem.pos[0], problem.pos[1]));
    if (document.directives.yaml.explicit === true && document.directives.yaml.version !== "1.2") {
      throw new SyntaxFault("The file asks for another version of YAML than 1.2, in which its words mean other things.", LINE_ONE);
    }
    if (second !== undefined) throw new SyntaxFault("The file holds more than one document.", lines.place(second.range[0], second.range[0]));
    return new Locator(document, lines).locate(document.contents, 0);
  });
}

function nothing(at: Place): Value {
  return { kind: "scalar", value: null, source: "", at };
}

/** What the library says, in one sentence. Its own word for deep nesting speaks of its stack. */
function reasonOf({ code, message }: YAMLError): string {
  const said = code === "RESOURCE_EXHAUSTION" ? "It is nested too deeply" : message.split("\n", 1)[0]!.replaceAll(/\s+/g, " ");
  return `This is no YAML 1.2: ${said.charAt(0).toLowerCase()}${said.slice(1)}.`;
}

class Locator {
  readonly #targets: ReadonlyMap<Alias, Node>;
  readonly #lines: Lines;
  #count = 0;

  constructor(document: Document, lines: Lines) {
    this.#targets = aliasTargets(document);
    this.#lines = lines;
  }

  /** Recursive in the nesting, which is bounded. */
  locate(node: Node | null, depth: number): Value {
    const at = node === null ? LINE_ONE : this.#place(node);
    this.#count++;
    if (this.#count > MAX_VALUES || depth > MAX_DEPTH) throw new SyntaxFault("Its aliases or its nesting go on without end.", at);
    if (node === null) return nothing(at);
    if (isAlias(node)) {
      const target = this.#targets.get(node);
      if (target === undefined) throw new SyntaxFault(`No anchor is called ${node.source}.`, at);
      return { ...this.locate(target, depth + 1), at };
    }
    if (node.tag !== undefined && !CORE_TAG.test(node.tag)) throw new SyntaxFault("A tag changes what a value is; contracts take none.", at);
    if (isSeq(node)) return { kind: "list", items: node.items.map((item) => this.locate(item as Node | null, depth + 1)), at };
    if (isMap(node)) return { kind: "mapping", entries: this.#entries(node, depth), at };
    return isScalar(node) ? this.#scalar(node, at) : nothing(at);
  }

  #scalar(node: YamlScalar, at: Place): Value {
    const { value } = node;
    const kept = typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
    return { kind: "scalar", value: kept, source: node.source ?? "", at };
  }

  #entries(node: YAMLMap, depth: number): Entry[] {
    const entries = new Map<string, Entry>();
    const merged: Entry[] = [];
    for (const pair of node.items as Pair<Node, Node | null>[]) {
      const keyAt = this.#place(pair.key);
      const value = pair.value === null ? nothing(keyAt) : this.locate(pair.value, depth + 1);
      if (isMergeKey(pair.key)) merged.push(...mergedEntries(value, keyAt));
      else {
        const key = keyOf(pair.key, keyAt);
        if (entries.has(key)) throw new SyntaxFault(`The key ${JSON.stringify(key)} stands in one mapping twice.`, keyAt);
        entries.set(key, { key, keyAt, value });
      }
    }
    for (const entry of merged) if (!entries.has(entry.key)) entries.set(entry.key, entry);
    return [...entries.values()];
  }

  #place(node: Node): Place {
    const [start, end] = node.range ?? [0, 0];
    return this.#lines.place(start, end);
  }
}

/** The library gives an unquoted `<<` as a symbol. */
function isMergeKey(key: Node): boolean {
  return isScalar(key) && typeof key.value === "symbol";
}

function keyOf(key: Node, at: Place): string {
  if (isScalar(key) && typeof key.value === "string") return key.value;
  throw new SyntaxFault("A key must be text: put it in quotes where it looks like a number, a boolean or null.", at);
}

function mergedEntries(value: Value, at: Place): readonly Entry[] {
  if (value.kind === "mapping") return value.entries;
  if (value.kind === "list") return value.items.flatMap((item) => mergedEntries(item, at));
  throw new SyntaxFault("Only a mapping can be merged.", at);
}
