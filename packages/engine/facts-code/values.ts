import type { Span, TableEntry, Value } from "@agentgate/parsers";
import { readOptionalText, readTexts, writeOptionalText, writeTexts } from "./lists.ts";
import type { Mutable } from "./lists.ts";
import { damaged } from "./reader.ts";
import type { Reader } from "./reader.ts";
import type { Writer } from "./writer.ts";

/** By place: the lower five bits of a value's first byte, the upper three say which optional fields it has. */
const KINDS = [
  "string", "number", "constant", "name", "member", "call", "function", "class", "list", "table", "spread", "template", "logical",
  "conditional", "binary", "unary", "await", "yield", "assigned", "comprehension", "self", "imported", "parameter", "item", "caught",
  "regex", "opaque",
] as const satisfies readonly Value["kind"][];

const PLACE = Object.fromEntries(KINDS.map((kind, place) => [kind, place])) as Record<Value["kind"], number>;

const FORMS = ["list", "tuple", "set"] as const;
const LOGICAL = ["or", "and", "??"] as const;
const UNARY = ["not", "-", "+", "~", "typeof", "void", "delete"] as const;
const CONSTANTS = [true, false, null] as const;
const FIRST = 32;
const SECOND = 64;

export function writeValue(to: Writer, value: Value): void {
  to.count(PLACE[value.kind] + optionalFields(value));
  to.span(value.span);
  switch (value.kind) {
    case "string": to.text(value.value); return;
    case "number": if (isCount(value.value)) to.count(value.value); else to.double(value.value); return;
    case "constant": to.count(CONSTANTS.indexOf(value.value)); return;
    case "name": to.text(value.name); to.id(value.binding); return;
    case "member": to.id(value.object); writeOptionalText(to, value.property); to.optionalId(value.key); to.span(value.propertySpan); return;
    case "call": to.id(value.call); return;
    case "function": to.id(value.function); return;
    case "class": to.id(value.class); return;
    case "list": to.ids(value.items); to.word(FORMS, value.form); return;
    case "table": writeTable(to, value.entries); return;
    case "template": to.ids(value.parts); if (value.tag !== undefined) to.id(value.tag); return;
    case "logical": to.word(LOGICAL, value.operator); to.id(value.left); to.id(value.right); return;
    case "conditional": to.id(value.test); to.id(value.then); to.id(value.else); return;
    case "binary": to.text(value.operator); to.id(value.left); to.id(value.right); return;
    case "unary": to.word(UNARY, value.operator); to.id(value.value); return;
    case "spread": case "await": case "assigned": to.id(value.value); return;
    case "yield": to.optionalId(value.value); return;
    case "comprehension": to.id(value.element); to.ids(value.iterables); return;
    case "self": to.id(value.class); return;
    case "imported": to.id(value.import); writeTexts(to, value.path); return;
    case "parameter": to.id(value.function); to.id(value.index); return;
    case "item": to.id(value.of); to.optionalId(value.index); return;
    case "caught": to.ids(value.types); return;
    case "regex": to.text(value.pattern); return;
    case "opaque": to.ids(value.of); return;
  }
  value satisfies never;
}

export function readValue(from: Reader): Value {
  const first = from.count();
  const span = from.span();
  switch (KINDS[first & 31]) {
    case "string": return readString(from.text(), span, first);
    case "number": return { kind: "number", value: (first & FIRST) === 0 ? from.count() : from.double(), span };
    case "constant": return readConstant(from.count(), span, first);
    case "name": return { kind: "name", name: from.text(), binding: from.id(), span };
    case "member": return readMember(from, span, first);
    case "call": return { kind: "call", call: from.id(), span };
    case "function": return { kind: "function", function: from.id(), span };
    case "class": return { kind: "class", class: from.id(), span };
    case "list": return { kind: "list", items: from.ids(), form: from.word(FORMS), span };
    case "table": return { kind: "table", entries: readTable(from), span };
    case "spread": return { kind: "spread", value: from.id(), span };
    case "template": return (first & FIRST) === 0 ? { kind: "template", parts: from.ids(), span } : { kind: "template", parts: from.ids(), span, tag: from.id() };
    case "logical": return { kind: "logical", operator: from.word(LOGICAL), left: from.id(), right: from.id(), span };
    case "conditional": return { kind: "conditional", test: from.id(), then: from.id(), else: from.id(), span };
    case "binary": return { kind: "binary", operator: from.text(), left: from.id(), right: from.id(), span };
    case "unary": return { kind: "unary", operator: from.word(UNARY), value: from.id(), span };
    case "await": return { kind: "await", value: from.id(), span };
    case "yield": return (first & FIRST) === 0 ? { kind: "yield", value: from.optionalId(), span } : { kind: "yield", value: from.optionalId(), span, delegate: true };
    case "assigned": return { kind: "assigned", value: from.id(), span };
    case "comprehension": return { kind: "comprehension", element: from.id(), iterables: from.ids(), ...((first & FIRST) === 0 ? {} : { lazy: true as const }), span };
    case "self": return { kind: "self", class: from.id(), span };
    case "imported": return { kind: "imported", import: from.id(), path: readTexts(from), span };
    case "parameter": return { kind: "parameter", function: from.id(), index: from.id(), span };
    case "item": return { kind: "item", of: from.id(), index: from.optionalId(), span };
    case "caught": return { kind: "caught", types: from.ids(), span };
    case "regex": return { kind: "regex", pattern: from.text(), span };
    case "opaque": return { kind: "opaque", of: from.ids(), span };
    default: throw damaged();
  }
}

function optionalFields(value: Value): number {
  switch (value.kind) {
    case "string": return (value.bytes === true ? FIRST : 0) + (value.docstring === true ? SECOND : 0);
    case "number": return isCount(value.value) ? 0 : FIRST;
    case "constant": return value.undefined === true ? FIRST : 0;
    case "member": return (value.subscript === true ? FIRST : 0) + (value.optional === true ? SECOND : 0);
    case "template": return value.tag === undefined ? 0 : FIRST;
    case "yield": return value.delegate === true ? FIRST : 0;
    case "comprehension": return value.lazy === true ? FIRST : 0;
    default: return 0;
  }
}

/** A number that `Writer.count` takes. Minus zero is none. */
function isCount(value: number): boolean {
  return value >>> 0 === value && !Object.is(value, -0);
}

function readString(value: string, span: Span, first: number): Value {
  const one: Extract<Mutable<Value>, { kind: "string" }> = { kind: "string", value, span };
  if ((first & FIRST) !== 0) one.bytes = true;
  if ((first & SECOND) !== 0) one.docstring = true;
  return one;
}

function readConstant(place: number, span: Span, first: number): Value {
  const value = CONSTANTS[place];
  if (value === undefined) throw damaged();
  return (first & FIRST) === 0 ? { kind: "constant", value, span } : { kind: "constant", value, span, undefined: true };
}

function readMember(from: Reader, span: Span, first: number): Value {
  const one: Extract<Mutable<Value>, { kind: "member" }> = {
    kind: "member", object: from.id(), property: readOptionalText(from), key: from.optionalId(), propertySpan: from.span(), span,
  };
  if ((first & FIRST) !== 0) one.subscript = true;
  if ((first & SECOND) !== 0) one.optional = true;
  return one;
}

function writeTable(to: Writer, entries: readonly TableEntry[]): void {
  to.count(entries.length);
  for (const { key, value } of entries) {
    to.optionalId(key);
    to.id(value);
  }
}

function readTable(from: Reader): TableEntry[] {
  const entries: TableEntry[] = [];
  for (let length = from.length(); length > 0; length--) entries.push({ key: from.optionalId(), value: from.id() });
  return entries;
}
