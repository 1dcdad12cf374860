import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { Document, Node, Pair, YAMLMap, YAMLSeq } from "yaml";
import { isSame, portAfter } from "./permit-verify.ts";
import { blockPort, flowPort, flowScalar } from "./permit-yaml.ts";
import type { NewPort } from "./permit-yaml.ts";
import { coversCapability, readPolicy } from "./policy.ts";
import type { PolicyPort } from "./policy.ts";

/** A policy with a port more, or with one that licenses more. */
export interface PermitEdit {
  readonly text: string;
  readonly kind: "added" | "extended" | "unchanged";
  /** The port in the new text. */
  readonly port: PolicyPort;
}

/** Why a policy file cannot be edited: the end of a sentence that begins with its name. */
export class PermitError extends Error {}

const NEW_FILE = "# What this code may do, and who licensed it. Read by agentgate.\nversion: 1\n";

/**
 * Puts a port into the text of a policy (null: there is none yet), by adding lines: comments, order, quoting,
 * indentation and line endings of everything else stay. Where a port has the same path, owner, note and expiry, the
 * capabilities are added to it; where one of the same path licenses them already, nothing is.
 *
 * The library finds the place; it does not print the file, since it would lay it out anew. What comes out is read
 * again, and refused where it says anything beyond what was to be added.
 *
 * @throws PermitError
 */
export function addPort(text: string | null, port: NewPort): PermitEdit {
  const mark = text?.startsWith("\uFEFF") === true ? "\uFEFF" : "";
  const body = text === null ? NEW_FILE : text.slice(mark.length);
  const read = readPolicy(body);
  if ("failure" in read) throw new PermitError(read.failure);
  const licensed = read.policy.ports.find((one) => licenses(one, port));
  if (licensed !== undefined) return { text: text ?? body, kind: "unchanged", port: licensed };
  const existing = read.policy.ports.find((one) => isSame(one, port));
  const missing = port.capabilities.filter((capability) => existing === undefined || !coversCapability(existing.capabilities, capability));
  const editor = new Editor(body);
  for (const { after, kind } of editor.candidates(port, existing === undefined ? [] : missing)) {
    const found = portAfter(body, after, port, kind === "extended" ? missing : null);
    if (found !== null) return { text: mark + after, kind, port: found };
  }
  throw new PermitError("is written in a way that a port cannot be added to without changing what else it says");
}

/** Whether a port of the same path licenses it all already, and for as long, whoever gave it. */
function licenses(one: PolicyPort, port: NewPort): boolean {
  const asLong = one.expires === null || one.expires.text === port.expires;
  return one.path === port.path && asLong && port.capabilities.every((capability) => coversCapability(one.capabilities, capability));
}

interface Candidate {
  readonly after: string;
  readonly kind: "added" | "extended";
}

/** Finds where text can be put in; whether it means what it should is for others to tell. */
class Editor {
  readonly #text: string;
  readonly #document: Document.Parsed;
  readonly #eol: string;

  constructor(text: string) {
    this.#text = text;
    this.#document = parseDocument(text, { merge: true, prettyErrors: false });
    this.#eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  }

  /** Texts to try, the best first. */
  candidates(port: NewPort, missing: readonly string[]): Candidate[] {
    const extended = missing.length === 0 ? [] : this.#extended(port, missing);
    return [...extended.map((after): Candidate => ({ after, kind: "extended" })), ...this.#added(port).map((after): Candidate => ({ after, kind: "added" }))];
  }

  #added(port: NewPort): string[] {
    const root: Node | null = this.#document.contents;
    if (root === null || (isScalar(root) && root.value === null)) return this.#atEnd(["version: 1", "ports:", ...blockPort(port, 2, 2)]);
    if (!isMap(root)) throw new PermitError("is no mapping of keys to values");
    const pair = root.items.find(({ key }) => isScalar(key) && key.value === "ports") as Pair<Node, Node | null> | undefined;
    if (pair === undefined) return root.flow === true ? this.#newKeyInFlow(root, port) : this.#newKey(root, port);
    const { value } = pair;
    if (isSeq(value)) return this.#inList(value, pair.key, root, port);
    if (value === null || (isScalar(value) && value.value === null)) return root.flow === true ? [] : this.#inNothing(pair.key, value, port);
    throw new PermitError("has `ports` that are no list of its own");
  }

  #newKey(root: YAMLMap, port: NewPort): string[] {
    const first = root.items[0]?.key as Node | undefined;
    const column = first === undefined ? 0 : this.#column(offsetOf(first));
    const lines = [`${" ".repeat(column)}ports:`, ...blockPort(port, column + 2, 2)];
    return [...this.#atEnd(["", ...lines]), ...this.#atEnd(lines)];
  }

  #newKeyInFlow(root: YAMLMap, port: NewPort): string[] {
    const last = root.items.at(-1) as Pair<Node, Node | null> | undefined;
    if (last === undefined) return [];
    const json = isScalar(last.key) && last.key.type === "QUOTE_DOUBLE";
    return [this.#insert(endOf(last.value ?? last.key), `, ${json ? '"ports"' : "ports"}: [${flowPort(port, json)}]`)];
  }

  /** `ports:` with no value, `~` or `null`. */
  #inNothing(key: Node, value: Node | null, port: NewPort): string[] {
    const [start, end] = value?.range ?? [endOf(key), endOf(key)];
    return [this.#insteadOf(start, end, key, port)];
  }

  #insteadOf(start: number, end: number, key: Node, port: NewPort): string {
    const before = start < end ? this.#text.slice(0, start).trimEnd() : this.#text.slice(0, start);
    const shortened = new Editor(before + this.#text.slice(end));
    return shortened.#insertLines(shortened.#lineEnd(Math.min(before.length, endOf(key))), blockPort(port, this.#column(offsetOf(key)) + 2, 2));
  }

  #inList(list: YAMLSeq, key: Node, root: YAMLMap, port: NewPort): string[] {
    const last = list.items.at(-1) as Node | null | undefined;
    if (list.flow === true) return this.#inFlowList(list, last ?? null, key, root, port);
    if (last === null || last === undefined) return [];
    const dash = this.#column(offsetOf(list));
    const gap = isMap(last) && last.flow !== true ? this.#column(offsetOf(last)) - this.#dashColumn(offsetOf(last)) : 2;
    const lines = blockPort(port, dash, gap >= 2 && gap <= 16 ? gap : 2);
    const end = this.#lineEnd(endOf(last));
    const tight = this.#withoutBlankLines(end);
    return [this.#insertLines(tight, this.#isSpaced(list) ? ["", ...lines] : lines), this.#insertLines(end, lines)];
  }

  #inFlowList(list: YAMLSeq, last: Node | null, key: Node, root: YAMLMap, port: NewPort): string[] {
    const [start, end] = [offsetOf(list), endOf(list)];
    const json = root.flow === true && isScalar(key) && key.type === "QUOTE_DOUBLE";
    const written = flowPort(port, json);
    if (last === null) {
      const block = root.flow !== true && /^\[\s*\]$/.test(this.#text.slice(start, end)) ? [this.#insteadOf(start, end, key, port)] : [];
      return [...block, this.#beforeBracket(end - 1, written)];
    }
    const lineStart = this.#lineStart(offsetOf(last));
    const indent = this.#text.slice(lineStart, offsetOf(last));
    return [this.#insert(endOf(last), indent.trim() === "" && lineStart > start ? `,${this.#eol}${indent}${written}` : `, ${written}`)];
  }

  /** A bracket that stands at the start of its line may be indented less than what it holds. */
  #beforeBracket(offset: number, written: string): string {
    const start = this.#lineStart(offset);
    const indent = this.#text.slice(start, offset);
    return indent.trim() === "" ? this.#insert(start, `${indent}  ${written}${this.#eol}`) : this.#insert(offset, written);
  }

  #extended(port: NewPort, missing: readonly string[]): string[] {
    const root: Node | null = this.#document.contents;
    const ports: unknown = isMap(root) ? root.get("ports") : null;
    const item = isSeq(ports) ? ports.items.find((one): one is YAMLMap => isMap(one) && holds(one, port)) : undefined;
    const list = item?.get("capabilities");
    const last = isSeq(list) ? (list.items.at(-1) as Node | null | undefined) : undefined;
    if (!isSeq(list) || last === null || last === undefined) return [];
    if (list.flow === true) {
      const json = isScalar(last) && last.type === "QUOTE_DOUBLE";
      return [this.#insert(endOf(last), missing.map((one) => `, ${json ? `"${one}"` : flowScalar(one)}`).join(""))];
    }
    return [this.#insertLines(this.#lineEnd(endOf(last)), missing.map((one) => `${" ".repeat(this.#column(offsetOf(list)))}- ${one}`))];
  }

  /** Whether a blank line sets the last item of a block list apart from the one before. */
  #isSpaced(list: YAMLSeq): boolean {
    const [before, last] = list.items.slice(-2) as (Node | null)[];
    if (!before || !last) return false;
    return /\n[ \t]*\r?\n/.test(this.#text.slice(Math.max(0, endOf(before) - 1), offsetOf(last)));
  }

  #atEnd(lines: readonly string[]): string[] {
    const marker = /^\.\.\.(?=\s|$)/m.exec(this.#text);
    return [this.#insertLines(marker?.index ?? this.#text.length, this.#text.trim() === "" ? lines.filter((line) => line !== "") : lines)];
  }

  #insertLines(offset: number, lines: readonly string[]): string {
    const open = offset > 0 && this.#text[offset - 1] !== "\n" ? this.#eol : "";
    return this.#insert(offset, open + lines.map((line) => line + this.#eol).join(""));
  }

  #insert(offset: number, what: string): string {
    return this.#text.slice(0, offset) + what + this.#text.slice(offset);
  }

  #column(offset: number): number {
    return offset - this.#lineStart(offset);
  }

  /** The column of the dash before the first key of an item. */
  #dashColumn(offset: number): number {
    return Math.max(0, this.#text.slice(this.#lineStart(offset), offset).lastIndexOf("-"));
  }

  #lineStart(offset: number): number {
    return offset === 0 ? 0 : this.#text.lastIndexOf("\n", offset - 1) + 1;
  }

  /** Where the line ends on which something ends: behind its line feed, which may belong to the thing. */
  #lineEnd(offset: number): number {
    if (offset > 0 && this.#text[offset - 1] === "\n") return offset;
    const feed = this.#text.indexOf("\n", offset);
    return feed === -1 ? this.#text.length : feed + 1;
  }

  #withoutBlankLines(offset: number): number {
    let end = offset;
    for (let start = this.#lineStart(end - 1); end > 0 && this.#text.slice(start, end).trim() === ""; start = this.#lineStart(end - 1)) end = start;
    return end;
  }
}

function offsetOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

function endOf(node: Node): number {
  return node.range?.[1] ?? 0;
}

function holds(item: YAMLMap, port: NewPort): boolean {
  const text = (key: string): string => {
    const value = item.get(key);
    return typeof value === "string" ? value.trim() : "";
  };
  return item.get("path") === port.path && text("owner") === port.owner && text("note") === port.note && (item.has("expires") ? item.get("expires") : null) === port.expires;
}
