import type { ValueId } from "../facts.ts";
import { addSubscript, readTypeArguments } from "./calls.ts";
import { Kind } from "./reader.ts";
import type { Reader } from "./reader.ts";

/** An annotation: what it names are types, also where it is written as text. */
export function readAnnotation(reader: Reader, row: number): ValueId {
  const { inType } = reader;
  reader.inType = true;
  const value = reader.expression(row);
  reader.inType = inType;
  return value;
}

export function readType(reader: Reader, row: number): ValueId {
  const operand = reader.operand(row);
  return operand < 0 || reader.after[operand] !== reader.after[row] ? reader.opaque(row) : reader.expression(operand);
}

/** `list[int]`. */
export function readGenericType(reader: Reader, row: number): ValueId {
  const [base, parameters] = reader.children(row);
  if (base === undefined || parameters === undefined) return reader.opaque(row);
  const object = reader.expression(base);
  const items = readTypeArguments(reader, object, reader.children(parameters));
  if (items.length === 0) return object;
  const key = items.length === 1 ? items[0]! : reader.builder.value({ kind: "list", items, form: "tuple", span: reader.span(parameters) });
  return addSubscript(reader, row, object, key);
}

/** `a | b`, left to right. */
export function readUnionType(reader: Reader, row: number, left: ValueId): ValueId {
  const right = reader.children(row)[1];
  if (right === undefined) return left;
  return reader.builder.value({ kind: "binary", operator: "|", left, right: reader.expression(right), span: reader.span(row) });
}

/** `a.b`, where a is a type that is no plain name. */
export function readMemberType(reader: Reader, row: number, object: ValueId): ValueId {
  const name = reader.childOfKind(row, Kind.identifier);
  if (name < 0) return object;
  const value = reader.builder.member({ object, property: reader.nameOf(name), key: null, propertySpan: reader.span(name), span: reader.span(row) });
  reader.builder.role(value, "type");
  return value;
}

const NAMES = /[\p{L}_][\p{L}\p{N}_]*(?:\s*\.\s*[\p{L}_][\p{L}\p{N}_]*)*/gu;

/** A string in an annotation is read as the type it spells: `"httpx.Client | None"` names httpx.Client. */
export function readTypeText(reader: Reader, row: number, asString: ValueId): ValueId {
  const value = reader.builder.valueAt(asString);
  if (value.kind !== "string") return asString;
  const content = reader.childOfKind(row, Kind.string_content);
  if (content < 0 || reader.textOf(content) !== value.value) return asString;
  const start = reader.starts[content]!;
  const chains = [...value.value.matchAll(NAMES)].map((match) => readDottedText(reader, match[0], start + match.index));
  if (chains.length === 1 && chains[0]!.isWhole(value.value)) return chains[0]!.value;
  return reader.builder.value({ kind: "opaque", of: [asString, ...chains.map((chain) => chain.value)], span: reader.span(row) });
}

function readDottedText(reader: Reader, text: string, start: number): { value: ValueId; isWhole: (whole: string) => boolean } {
  let value = -1;
  for (const match of text.matchAll(/[^\s.]+/g)) {
    const name = match[0].normalize("NFKC");
    const span = [start + match.index, start + match.index + match[0].length] as const;
    value = value < 0
      ? reader.builder.name(name, span, reader.scopeOf(name))
      : reader.builder.member({ object: value, property: name, key: null, propertySpan: span, span: [start, span[1]] });
    reader.builder.role(value, "type");
  }
  return { value, isWhole: (whole) => whole.trim() === text };
}
