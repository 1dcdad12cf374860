import type { Handler, Statement } from "@agentgate/parsers";
import { readList, writeList } from "./lists.ts";
import type { Mutable } from "./lists.ts";
import { damaged } from "./reader.ts";
import type { Reader } from "./reader.ts";
import type { Writer } from "./writer.ts";

/** By place: the lower four bits of a statement's first byte, the upper three say which optional fields it has. */
const KINDS = ["assign", "call", "test", "loop", "try", "with", "block", "jump", "return", "expression", "define"] as const satisfies readonly Statement["kind"][];

const PLACE = Object.fromEntries(KINDS.map((kind, place) => [kind, place])) as Record<Statement["kind"], number>;

const LOOPS = ["while", "do", "count", "each"] as const;
const JUMPS = ["break", "continue", "raise"] as const;
const FIRST = 16;
const SECOND = 32;
/** The parsers nest bodies far less deep (MAX_DEPTH in their walks). */
const MAX_DEPTH = 2000;

export function writeBody(to: Writer, body: readonly Statement[]): void {
  to.count(body.length);
  for (const statement of body) writeStatement(to, statement);
}

function writeStatement(to: Writer, one: Statement): void {
  to.count(PLACE[one.kind] + optionalFields(one));
  to.count(one.at);
  switch (one.kind) {
    case "assign": to.ids(one.targets); to.id(one.value); to.text(one.operator); return;
    case "call": to.id(one.call); return;
    case "test": to.id(one.test); writeBody(to, one.then); writeBody(to, one.else); return;
    case "loop": writeLoop(to, one); return;
    case "try": writeBody(to, one.body); writeList(to, one.handlers, writeHandler); writeBody(to, one.otherwise); writeBody(to, one.finally); return;
    case "with": to.ids(one.items); writeBody(to, one.body); return;
    case "block": writeBody(to, one.body); if (one.label !== undefined) to.text(one.label); return;
    case "jump": to.word(JUMPS, one.to); to.optionalId(one.value); if (one.label !== undefined) to.text(one.label); return;
    case "return": to.optionalId(one.value); return;
    case "expression": to.id(one.value); return;
    case "define": if (one.function !== undefined) to.id(one.function); if (one.class !== undefined) to.id(one.class); return;
  }
  one satisfies never;
}

export function readBody(from: Reader, depth = 0): Statement[] {
  if (depth > MAX_DEPTH) throw damaged();
  const body: Statement[] = [];
  for (let length = from.length(); length > 0; length--) body.push(readStatement(from, depth + 1));
  return body;
}

function readStatement(from: Reader, depth: number): Statement {
  const first = from.count();
  const at = from.count();
  const has = (first & FIRST) !== 0;
  switch (KINDS[first & 15]) {
    case "assign": return { kind: "assign", targets: from.ids(), value: from.id(), operator: from.text(), at };
    case "call": return { kind: "call", call: from.id(), at };
    case "test": return { kind: "test", test: from.id(), then: readBody(from, depth), else: readBody(from, depth), at };
    case "loop": return readLoop(from, at, has, depth);
    case "try": return { kind: "try", body: readBody(from, depth), handlers: readHandlers(from, depth), otherwise: readBody(from, depth), finally: readBody(from, depth), at };
    case "with": return { kind: "with", items: from.ids(), body: readBody(from, depth), at };
    case "block": return has ? { kind: "block", body: readBody(from, depth), label: from.text(), at } : { kind: "block", body: readBody(from, depth), at };
    case "jump": return readJump(from, at, has);
    case "return": return { kind: "return", value: from.optionalId(), at };
    case "expression": return { kind: "expression", value: from.id(), at };
    case "define": return readDefinition(from, at, first);
    default: throw damaged();
  }
}

function optionalFields(one: Statement): number {
  if (one.kind === "loop" || one.kind === "block" || one.kind === "jump") return one.label === undefined ? 0 : FIRST;
  if (one.kind !== "define") return 0;
  return (one.function === undefined ? 0 : FIRST) + (one.class === undefined ? 0 : SECOND);
}

type Loop = Extract<Statement, { kind: "loop" }>;

function writeLoop(to: Writer, one: Loop): void {
  to.word(LOOPS, one.form);
  to.optionalId(one.test);
  to.ids(one.targets);
  to.optionalId(one.iterable);
  for (const body of [one.before, one.update, one.body, one.otherwise]) writeBody(to, body);
  to.span(one.keywordSpan);
  if (one.label !== undefined) to.text(one.label);
}

function readLoop(from: Reader, at: number, labelled: boolean, depth: number): Loop {
  const loop: Mutable<Loop> = {
    kind: "loop", form: from.word(LOOPS), test: from.optionalId(), targets: from.ids(), iterable: from.optionalId(),
    before: readBody(from, depth), update: readBody(from, depth), body: readBody(from, depth), otherwise: readBody(from, depth),
    keywordSpan: from.span(), at,
  };
  if (labelled) loop.label = from.text();
  return loop;
}

function readJump(from: Reader, at: number, labelled: boolean): Statement {
  const jump: Mutable<Extract<Statement, { kind: "jump" }>> = { kind: "jump", to: from.word(JUMPS), value: from.optionalId(), at };
  if (labelled) jump.label = from.text();
  return jump;
}

function readDefinition(from: Reader, at: number, first: number): Statement {
  const define: Mutable<Extract<Statement, { kind: "define" }>> = { kind: "define", at };
  if ((first & FIRST) !== 0) define.function = from.id();
  if ((first & SECOND) !== 0) define.class = from.id();
  return define;
}

function writeHandler(to: Writer, handler: Handler): void {
  to.ids(handler.types);
  to.id(handler.binding);
  writeBody(to, handler.body);
  to.span(handler.span);
}

function readHandlers(from: Reader, depth: number): Handler[] {
  return readList(from, () => ({ types: from.ids(), binding: from.id(), body: readBody(from, depth), span: from.span() }));
}
