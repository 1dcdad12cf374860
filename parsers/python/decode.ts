import type { ParseProblem } from "../facts.ts";

/** A source file as text. The byte order mark is dropped; `problems` say what could not be decoded. */
export interface DecodedSource {
  readonly text: string;
  readonly problems: ParseProblem[];
}

/** PEP 263: where an encoding is named, in the first two lines. */
const COOKIE = /^[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)/;
const BLANK = /^[ \t\f]*(?:#[^\n]*)?$/;
const UTF_8 = "utf-8";

/**
 * Decodes the bytes of a Python source: UTF-8 unless one of the first two lines names another encoding. UTF-8, ASCII,
 * Latin-1 and what `TextDecoder` knows are decoded; anything else is a problem and is read as UTF-8, so that the rest
 * is still judged.
 */
export function decodePython(bytes: Uint8Array): DecodedSource {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const content = hasMark ? bytes.subarray(3) : bytes;
  const readings = findCookies(content);
  const encodings = [...new Set(readings.map((cookie) => (cookie === null ? UTF_8 : canonicalName(cookie.name))))];
  const [encoding = UTF_8] = encodings;
  const problem = (message: string): DecodedSource => {
    const span = readings.find((cookie) => cookie !== null)?.span ?? [0, 0] as const;
    const { text, problems } = decodeAs(UTF_8, content);
    return { text, problems: [{ message, span }, ...problems] };
  };
  if (encodings.length > 1) return problem("The first lines name one encoding or another, as they are counted: end them alike.");
  if (hasMark && encoding !== UTF_8) return problem("The file starts with a UTF-8 byte order mark but names another encoding.");
  if (!isKnown(encoding)) return problem("The source names an encoding that cannot be judged: save it as UTF-8.");
  return decodeAs(encoding, content);
}

interface Cookie {
  readonly name: string;
  readonly span: readonly [number, number];
}

/**
 * The encoding named in the first two lines, by lines that end at LF and by lines that end at CR as well: versions of
 * CPython differ, and a second reading must not go unseen. Null: none is named.
 */
function findCookies(bytes: Uint8Array): (Cookie | null)[] {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString("latin1");
  return [/\n/g, /\r\n|\r|\n/g].map((ends) => findCookie(head, ends));
}

function findCookie(head: string, ends: RegExp): Cookie | null {
  let start = 0;
  for (let line = 0; line < 2; line++) {
    ends.lastIndex = start;
    const end = ends.exec(head);
    const text = head.slice(start, end?.index ?? head.length);
    const match = COOKIE.exec(text);
    if (match !== null) return { name: match[1]!, span: [start + match[0].length - match[1]!.length, start + match[0].length] };
    if (end === null || !BLANK.test(text.replace(/\r$/, ""))) return null;
    start = end.index + end[0].length;
  }
  return null;
}

/** As CPython shortens the names of the encodings that it decodes itself. */
function canonicalName(name: string): string {
  const lower = name.toLowerCase().replaceAll("_", "-");
  if (/^utf-?8(?:-|$)/.test(lower) || lower === "u8") return UTF_8;
  if (/^(?:latin-1|iso-8859-1|iso-latin-1)(?:-|$)/.test(lower) || ["latin1", "l1", "iso8859-1"].includes(lower)) return "latin-1";
  return ["ascii", "us-ascii", "646"].includes(lower) ? "ascii" : lower;
}

/**
 * Encodings whose bytes may hide ASCII from another decoder: escape sequences switch the meaning of what follows, and
 * the wide ones name no source that Python reads.
 */
const REFUSED = /^(?:utf-?16|utf-?32|ucs|iso-2022|replacement|x-user-defined|hz)/;

function isKnown(encoding: string): boolean {
  if (encoding === UTF_8 || encoding === "latin-1" || encoding === "ascii") return true;
  if (REFUSED.test(encoding)) return false;
  try {
    return !REFUSED.test(new TextDecoder(encoding).encoding);
  } catch {
    return false;
  }
}

function decodeAs(encoding: string, bytes: Uint8Array): DecodedSource {
  if (encoding === "latin-1") return { text: Buffer.from(bytes).toString("latin1"), problems: [] };
  const label = encoding === "ascii" ? UTF_8 : encoding;
  const text = new TextDecoder(label, { ignoreBOM: true }).decode(bytes);
  const wrong = encoding === "ascii" ? bytes.findIndex((byte) => byte > 127) : -1;
  if (wrong >= 0) return { text, problems: [undecodable("ascii", wrong)] };
  if (isDecodable(label, bytes)) return { text, problems: [] };
  return { text, problems: [undecodable(encoding === UTF_8 ? "UTF-8" : encoding, Math.max(0, text.indexOf("\ufffd")))] };
}

function isDecodable(label: string, bytes: Uint8Array): boolean {
  try {
    new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function undecodable(encoding: string, offset: number): ParseProblem {
  return { message: `These bytes are not ${encoding}: save the file as UTF-8.`, span: [offset, offset + 1] };
}
