import type { ParseProblem } from "@agentgate/parsers";

/** A file's text without byte order mark, and what its bytes were that they should not be (offsets in the text). */
export interface Decoded {
  readonly text: string;
  readonly problems: readonly ParseProblem[];
}

/**
 * Decodes ECMAScript source: UTF-8 only. Invalid bytes become U+FFFD, as a runtime reads them, and the rest is still
 * judged; of a binary file and of UTF-16 nothing is.
 */
export function decodeEcmascript(bytes: Buffer): Decoded {
  const mark = bytes.subarray(0, 2).toString("latin1");
  if (mark === "\xff\xfe" || mark === "\xfe\xff") return unreadable("The file is encoded in UTF-16: save it as UTF-8.");
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), problems: [] };
  } catch {
    if (bytes.subarray(0, 8192).includes(0)) return unreadable("The file is binary: rename it, or put source in its place.");
    const offset = firstInvalid(bytes);
    return { text: new TextDecoder("utf-8").decode(bytes), problems: [{ message: "These bytes are not UTF-8: save the file as UTF-8.", span: [offset, offset + 1] }] };
  }
}

function unreadable(message: string): Decoded {
  return { text: "", problems: [{ message, span: [0, 0] }] };
}

/** Offset in the text (UTF-16 code units, byte order mark dropped) of the first byte that is no UTF-8. */
function firstInvalid(bytes: Buffer): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (isValidHead(bytes.subarray(0, middle))) low = middle;
    else high = middle - 1;
  }
  return new TextDecoder("utf-8").decode(bytes.subarray(0, low), { stream: true }).length;
}

function isValidHead(bytes: Buffer): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
