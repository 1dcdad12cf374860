import { base32, base64, bufferFrom, bytesOf, fromCodes, hex, percentDecoded, rot13, textOf } from "./fold-decode.ts";
import type { Filling } from "./fold-format.ts";
import { items, lengthOfFolded, listOf, MAX_ITEMS, number, string, text, written } from "./folded.ts";
import type { Folded } from "./folded.ts";

/** An API of the standard libraries that only computes: what it gives, or null where that is not known. */
export type Computation = (given: Filling) => Folded | null;

const first = (apply: (of: Folded | undefined, second: Folded | undefined) => Folded | null): Computation => ({ positional: [of, second] }) => apply(of, second);

/** The parts of a path put together as written: a part that is absolute begins anew in Python. */
function joinPath(isPython: boolean): Computation {
  return ({ positional }) => {
    let path = "";
    for (const part of positional) {
      const piece = string(part);
      if (piece === null) return null;
      if (isPython && piece.startsWith("/")) path = piece;
      else path = path === "" || path.endsWith("/") ? path + piece : `${path}/${piece}`;
    }
    return text(isPython ? path : normalised(path), positional);
  };
}

/** Without `.` and `..` in the middle, as `path.join` gives it. */
function normalised(path: string): string {
  const kept: string[] = [];
  for (const part of path.split("/")) {
    if (part === "." || (part === "" && kept.length > 0)) continue;
    if (part === ".." && kept.length > 0 && kept.at(-1) !== ".." && kept.at(-1) !== "") kept.pop();
    else kept.push(part);
  }
  return kept.length === 0 ? "." : kept.join("/");
}

const list = first((of) => {
  const all = items(of);
  return all === null || of === undefined ? null : listOf(all, [of]);
});

const reversed = first((of) => {
  const all = items(of);
  const turned = all === null || of === undefined ? null : listOf(all.toReversed(), [of]);
  return turned === null ? null : { ...turned, decoded: true };
});

function asText(isPython: boolean): Computation {
  return ({ positional: [of, encoding] }) => {
    if (of === undefined) return { value: "" };
    if (encoding !== undefined) return textOf(of, encoding);
    const value = written(of, isPython);
    return value === null ? null : text(value, [of]);
  };
}

const integerOf: Computation = ({ positional: [of, base] }) => {
  if (typeof of?.value === "number") return number(Math.trunc(of.value), [of]);
  const source = string(of);
  const radix = base === undefined ? 10 : base.value;
  if (source === null || typeof radix !== "number" || !/^\s*[+-]?\w+\s*$/.test(source)) return null;
  const value = Number.parseInt(source, radix);
  return Number.isNaN(value) ? null : number(value, [of!]);
};

const floatOf = first((of) => {
  if (typeof of?.value === "number") return of;
  const source = string(of)?.trim().toLowerCase();
  if (source === undefined) return null;
  if (/^[+-]?inf(?:inity)?$/.test(source)) return { value: source.startsWith("-") ? -Infinity : Infinity };
  const value = Number(source);
  return source === "" || Number.isNaN(value) ? null : number(value, [of!]);
});

const codeOf = first((of) => {
  const source = string(of);
  return source === null || [...source].length !== 1 ? null : number(source.codePointAt(0)!, [of!]);
});

const range: Computation = ({ positional }) => {
  const [a, b, step = 1] = positional.map(({ value }) => value);
  const [start, stop] = b === undefined ? [0, a] : [a, b];
  if (typeof start !== "number" || typeof stop !== "number" || typeof step !== "number" || step === 0) return null;
  const length = Math.max(0, Math.ceil((stop - start) / step));
  return length > MAX_ITEMS ? null : listOf(Array.from({ length }, (_item, index) => ({ value: start + index * step })));
};

const JSON_TEXT = /^\s*"(?:[^"\\]|\\.)*"\s*$/s;

const parsedJson = first((of) => {
  const source = string(of);
  if (source === null || !JSON_TEXT.test(source)) return null;
  try {
    return text(JSON.parse(source) as string, [of!]);
  } catch {
    return null;
  }
});

const PYTHON: Readonly<Record<string, Computation>> = {
  "base64.b16decode": first(hex), "base64.b32decode": first(base32), "base64.b64decode": first(base64), "base64.decodebytes": first(base64),
  "base64.standard_b64decode": first(base64), "base64.urlsafe_b64decode": first(base64),
  "binascii.a2b_base64": first(base64), "binascii.a2b_hex": first(hex), "binascii.unhexlify": first(hex),
  "builtins.bytearray": ({ positional: [of, encoding] }) => (encoding === undefined ? bytesOf(of) : bufferFrom(of, encoding)),
  "builtins.bytearray.fromhex": first(hex),
  "builtins.bytes": ({ positional: [of, encoding] }) => (encoding === undefined ? bytesOf(of) : bufferFrom(of, encoding)),
  "builtins.bytes.fromhex": first(hex),
  "builtins.chr": ({ positional }) => fromCodes(positional.slice(0, 1)), "builtins.float": floatOf, "builtins.int": integerOf,
  "builtins.len": first((of) => lengthOfFolded(of)), "builtins.list": list, "builtins.ord": codeOf, "builtins.range": range, "builtins.reversed": reversed,
  "builtins.str": asText(true), "builtins.str.join": ({ positional: [separator, parts] }) => joined(separator, parts), "builtins.tuple": list,
  "codecs.decode": first(textOf), "os.path.join": joinPath(true), "posixpath.join": joinPath(true), "json.loads": parsedJson,
  "urllib.parse.unquote": first(percentDecoded), "codecs.encode": first((of, name) => (/^rot_?-?13$/i.test(string(name) ?? "") ? rot13(of) : null)),
  "os.fsdecode": first((of) => textOf(of, undefined)), "sys.intern": first((of) => of ?? null),
};

const ECMASCRIPT: Readonly<Record<string, Computation>> = {
  "globalThis.Array.from": list, "globalThis.Array.of": ({ positional }) => listOf(positional), "globalThis.Buffer.from": ({ positional: [of, encoding] }) => bufferFrom(of, encoding),
  "buffer.Buffer.from": ({ positional: [of, encoding] }) => bufferFrom(of, encoding), "globalThis.JSON.parse": parsedJson,
  "globalThis.Number": floatOf, "globalThis.parseInt": integerOf, "globalThis.Number.parseInt": integerOf, "globalThis.String": asText(false),
  "globalThis.String.fromCharCode": ({ positional }) => fromCodes(positional), "globalThis.String.fromCodePoint": ({ positional }) => fromCodes(positional),
  "globalThis.Uint8Array": first(bytesOf), "globalThis.Uint8Array.from": first(bytesOf), "globalThis.Uint8Array.of": ({ positional }) => bytesOf(listOf(positional) ?? undefined),
  "globalThis.atob": first((of) => textOf(base64(of) ?? undefined, { value: "latin1" })), "globalThis.decodeURI": first(percentDecoded),
  "globalThis.decodeURIComponent": first(percentDecoded), "globalThis.unescape": first(percentDecoded), "querystring.unescape": first(percentDecoded),
  "path.join": joinPath(false), "path.posix.join": joinPath(false), "globalThis.TextDecoder().decode": first((of) => textOf(of, undefined)),
};

function joined(separator: Folded | undefined, parts: Folded | undefined): Folded | null {
  const [between, all] = [string(separator), items(parts)];
  const pieces = all?.map((part) => string(part)) ?? [null];
  return between === null || pieces.includes(null) ? null : text(pieces.join(between), [separator!, parts!]);
}

export function computationOf(api: string, isPython: boolean): Computation | undefined {
  const computations = isPython ? PYTHON : ECMASCRIPT;
  return Object.hasOwn(computations, api) ? computations[api] : undefined;
}
