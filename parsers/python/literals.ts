import type { Span, Value, ValueId } from "../facts.ts";
import { decodeEscapes } from "./escapes.ts";
import { Field, Kind } from "./reader.ts";
import type { Reader } from "./reader.ts";

/** A string literal: its prefix, and where its text starts and ends. */
interface StringShape {
  readonly isRaw: boolean;
  readonly isBytes: boolean;
  readonly isFormat: boolean;
}

export function readString(reader: Reader, row: number): ValueId {
  const plain = plainText(reader, row);
  if (plain !== null) return reader.builder.value({ kind: "string", value: plain, span: reader.span(row) });
  const parts: ValueId[] = [];
  const shape = readStringParts(reader, row, parts);
  if (parts.length === 1 && reader.builder.valueAt(parts[0]!).kind === "string") return parts[0]!;
  if (parts.length === 0) return addText(reader, "", shape, reader.span(row));
  return reader.builder.value({ kind: "template", parts, span: reader.span(row) });
}

const [QUOTE, APOSTROPHE] = [34, 39];

/** What a literal without prefix, escape or replacement field says, as most are; else null. */
function plainText({ text, kinds, starts, after }: Reader, row: number): string | null {
  const first = text.charCodeAt(starts[row]!);
  const content = row + 2;
  if ((first !== QUOTE && first !== APOSTROPHE) || after[row] !== row + 4 || kinds[content] !== Kind.string_content || kinds[content + 1] !== Kind.string_end) return null;
  const raw = text.slice(starts[content], starts[content + 1]);
  return raw.includes("\\") || raw.includes("\r") ? null : raw;
}

/** `"a" "b"`: the pieces of all strings, in order. */
export function readConcatenatedString(reader: Reader, row: number): ValueId {
  const parts: ValueId[] = [];
  for (const child of reader.children(row)) {
    if (reader.kinds[child] === Kind.string) readStringParts(reader, child, parts);
    else parts.push(reader.expression(child));
  }
  return reader.builder.value({ kind: "template", parts, span: reader.span(row) });
}

/** Appends the pieces of one literal. A literal without any replacement field is one piece that spans it. */
function readStringParts(reader: Reader, row: number, parts: ValueId[]): StringShape {
  const shape = shapeOf(reader, row);
  const { kinds, after } = reader;
  const end = after[row]!;
  const before = parts.length;
  let isWhole = true;
  for (let child = row + 1; child < end; child = after[child]!) {
    const kind = kinds[child]!;
    if (kind === Kind.string_start || kind === Kind.string_end) continue;
    if (kind === Kind.string_content) {
      const next = after[child]!;
      isWhole &&= next >= end || kinds[next] === Kind.string_end;
      addContent(reader, child, shape, isWhole ? reader.span(row) : reader.span(child), parts);
      continue;
    }
    isWhole = false;
    parts.push(kind === Kind.interpolation ? readInterpolation(reader, child) : reader.expression(child));
  }
  if (parts.length === before) parts.push(addText(reader, "", shape, reader.span(row)));
  return shape;
}

function shapeOf(reader: Reader, row: number): StringShape {
  let [isRaw, isBytes, isFormat] = [false, false, false];
  for (let index = reader.starts[row]!; index < reader.ends[row]!; index++) {
    const letter = reader.text[index]!;
    if (letter === "`") reader.builder.problem({ message: "Backquotes are Python 2: call `repr`.", span: reader.span(row) });
    if (letter === "r" || letter === "R") isRaw = true;
    else if (letter === "b" || letter === "B") isBytes = true;
    else if (letter === "f" || letter === "F" || letter === "t" || letter === "T") isFormat = true;
    else if (letter !== "u" && letter !== "U") break;
  }
  return { isRaw, isBytes, isFormat };
}

/** Adds the text of a `string_content`; a character named by its Unicode name is not known here and stays opaque. */
function addContent(reader: Reader, row: number, shape: StringShape, span: Span, parts: ValueId[]): void {
  const raw = contentOf(reader, row, shape);
  if (shape.isRaw || !raw.includes("\\")) {
    parts.push(addText(reader, raw, shape, span));
    return;
  }
  const pieces = decodeEscapes(raw, shape.isBytes);
  pieces.forEach((piece, index) => {
    if (index > 0) parts.push(reader.builder.value({ kind: "opaque", of: [], span: reader.span(row) }));
    if (piece !== "" || pieces.length === 1) parts.push(addText(reader, piece, shape, span));
  });
}

function contentOf(reader: Reader, row: number, shape: StringShape): string {
  let raw = reader.textOf(row);
  // Python reads line ends inside of strings as LF.
  if (raw.includes("\r")) raw = raw.replaceAll("\r\n", "\n");
  if (shape.isFormat && (raw.includes("{{") || raw.includes("}}"))) raw = raw.replaceAll("{{", "{").replaceAll("}}", "}");
  return raw;
}

function addText(reader: Reader, value: string, shape: StringShape, span: Span): ValueId {
  return reader.builder.value(shape.isBytes ? { kind: "string", value, span, bytes: true } : { kind: "string", value, span });
}

/** `{expression!r:>{width}}`: the expression itself where nothing changes its text. */
export function readInterpolation(reader: Reader, row: number): ValueId {
  return reader.deeper(row, () => readReplacement(reader, row));
}

function readReplacement(reader: Reader, row: number): ValueId {
  let expression = reader.child(row, Field.expression);
  if (expression < 0) return reader.opaque(row);
  // `{x:=6}` formats x by `=6`: only brackets make a walrus.
  const isFormatted = reader.kinds[expression] === Kind.named_expression;
  if (isFormatted) expression = reader.child(expression, Field.name);
  const value = reader.plainExpression(expression);
  const of = [value];
  let changes = isFormatted || reader.text.slice(reader.ends[expression], reader.ends[row]).trimStart().startsWith("=");
  const conversion = reader.child(row, Field.type_conversion);
  if (conversion >= 0 && reader.textOf(conversion) !== "!s") changes = true;
  const format = reader.child(row, Field.format_specifier);
  if (format >= 0) {
    changes = true;
    for (const child of reader.children(format)) if (reader.kinds[child] === Kind.format_expression) of.push(readInterpolation(reader, child));
  }
  return changes ? reader.builder.value({ kind: "opaque", of, span: reader.span(row) }) : value;
}

/** Integers above what a double holds exactly are NaN; complex numbers are opaque. */
export function readNumber(reader: Reader, row: number): ValueId {
  const text = reader.textOf(row).replaceAll("_", "").toLowerCase();
  const span = reader.span(row);
  if (text.endsWith("j")) return reader.builder.value({ kind: "opaque", of: [], span });
  if (reader.kinds[row] === Kind.float) return reader.builder.value({ kind: "number", value: Number(text), span });
  const value = Number(text.replace(/^0+(?=\d)/, ""));
  return reader.builder.value({ kind: "number", value: Number.isSafeInteger(value) ? value : Number.NaN, span });
}

export function readConstant(reader: Reader, row: number): ValueId {
  const kind = reader.kinds[row];
  const value: Extract<Value, { kind: "constant" }>["value"] = kind === Kind.none ? null : kind === Kind.true;
  return reader.builder.value({ kind: "constant", value, span: reader.span(row) });
}

/** Marks the string that documents a module, class or function. */
export function markDocstring(reader: Reader, value: ValueId): void {
  const values = reader.builder.draft.facts.values as Value[];
  const found = values[value]!;
  if (found.kind === "string") values[value] = { ...found, docstring: true };
  if (found.kind === "template" && found.parts.every((part) => values[part]!.kind === "string")) found.parts.forEach((part) => { markDocstring(reader, part); });
}
