import { Buffer } from "node:buffer";
import { character } from "./fold-format.ts";
import { decoded, items, MAX_TEXT, string, text } from "./folded.ts";
import type { Folded } from "./folded.ts";

/** Text of a decoder, always marked as decoded. */
function result(value: string | null, from: readonly Folded[], bytes = false): Folded | null {
  return value === null ? null : decoded(text(value, from, bytes));
}

const BASE64 = /^[A-Za-z0-9+/_\-\s]*=*\s*$/;
const HEX = /^(?:[0-9a-fA-F]{2}|\s)*$/;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Base64, with either alphabet; bytes, one code unit each. */
export function base64(of: Folded | undefined): Folded | null {
  const source = string(of);
  if (of === undefined || source === null || !BASE64.test(source)) return null;
  return result(Buffer.from(source, "base64").toString("latin1"), [of], true);
}

export function hex(of: Folded | undefined): Folded | null {
  const source = string(of);
  if (of === undefined || source === null || !HEX.test(source)) return null;
  return result(Buffer.from(source.replaceAll(/\s/g, ""), "hex").toString("latin1"), [of], true);
}

/** RFC 4648, section 6. */
export function base32(of: Folded | undefined): Folded | null {
  const source = string(of);
  if (of === undefined || source === null || source.length > MAX_TEXT) return null;
  let bits = 0;
  let held = 0;
  const bytes: string[] = [];
  for (const letter of source.replace(/=+$/, "").toUpperCase()) {
    const value = BASE32.indexOf(letter);
    if (value < 0) return null;
    held = ((held << 5) | value) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push(String.fromCharCode((held >> bits) & 255));
  }
  return result(bytes.join(""), [of], true);
}

export function rot13(of: Folded | undefined): Folded | null {
  const source = string(of);
  if (of === undefined || source === null) return null;
  const turned = source.replaceAll(/[A-Za-z]/g, (letter) => {
    const base = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
  return result(turned, [of], of.bytes);
}

/** `%66%73`. */
export function percentDecoded(of: Folded | undefined): Folded | null {
  const source = string(of);
  if (of === undefined || source === null) return null;
  if (!source.includes("%")) return of;
  try {
    return result(decodeURIComponent(source), [of]);
  } catch {
    return null;
  }
}

/** Text from code points, given one by one. */
export function fromCodes(codes: readonly Folded[]): Folded | null {
  const characters = codes.map((code) => character(code.value));
  return characters.includes(null) ? null : result(characters.join(""), codes);
}

/** Bytes from a list of numbers. */
export function bytesOf(of: Folded | undefined): Folded | null {
  if (of === undefined) return null;
  if (typeof of.value === "string") return of.bytes ? of : null;
  const all = items(of);
  if (all?.every(({ value }) => typeof value === "number" && value >= 0 && value < 256) !== true) return null;
  return result(all.map(({ value }) => String.fromCharCode(value as number)).join(""), [of], true);
}

const LATIN = /^(?:latin-?1|iso-?8859-?1|binary|ascii|us-ascii)$/i;
const UTF8 = /^utf-?_?8(?:-sig)?$/i;

/** Bytes read as text; hex and base64 as Python's codecs and Node's buffers name them. */
export function textOf(of: Folded | undefined, encoding: Folded | undefined): Folded | null {
  const source = string(of);
  if (of === undefined || source === null) return null;
  const name = encoding === undefined ? "utf-8" : (string(encoding) ?? "");
  if (/^rot_?-?13$/i.test(name)) return rot13(of);
  if (/^hex(?:_codec)?$/i.test(name)) return of.bytes && encoding !== undefined ? null : hex(of);
  if (/^base64(?:_codec)?$/i.test(name)) return base64(of);
  if (!of.bytes) return UTF8.test(name) ? of : null;
  if (LATIN.test(name)) return text(source, [of]);
  if (!UTF8.test(name)) return null;
  const bytes = Buffer.from(source, "latin1");
  const decodedText = bytes.toString("utf8");
  return decodedText.includes("\uFFFD") ? null : text(decodedText, [of]);
}

/** Text written as bytes. */
export function encoded(of: Folded | undefined, encoding: Folded | undefined): Folded | null {
  const source = string(of);
  if (of === undefined || source === null || of.bytes) return null;
  const name = encoding === undefined ? "utf-8" : (string(encoding) ?? "");
  if (UTF8.test(name)) return text(Buffer.from(source, "utf8").toString("latin1"), [of], true);
  return LATIN.test(name) ? text(source, [of], true) : null;
}

/** `Buffer.from(x, "base64")`, `Buffer.from([…])`, `Buffer.from("text")`. */
export function bufferFrom(of: Folded | undefined, encoding: Folded | undefined): Folded | null {
  if (of === undefined) return null;
  if (typeof of.value !== "string" || of.bytes) return bytesOf(of);
  const name = encoding === undefined ? "utf8" : (string(encoding) ?? "");
  if (/^base64(?:url)?$/i.test(name)) return base64(of);
  if (/^hex$/i.test(name)) return hex(of);
  return encoded(of, encoding);
}

/** `buffer.toString("hex")` and its like write bytes as text, which hides nothing. */
export function bufferText(of: Folded, encoding: Folded | undefined): Folded | null {
  const source = string(of);
  if (source === null || !of.bytes) return null;
  const name = encoding === undefined ? "utf8" : (string(encoding) ?? "");
  if (name === "hex" || name === "base64") return text(Buffer.from(source, "latin1").toString(name), [of]);
  return textOf(of, encoding);
}
