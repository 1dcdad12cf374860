import * as parsers from "@agentgate/parsers";

/** A file's text without byte order mark, and what its bytes were that they should not be. */
export interface Decoded {
  readonly text: string;
  /** `offset` is in the text. Where `fatal`, the text means nothing. */
  readonly problem: { readonly message: string; readonly offset: number } | null;
  readonly fatal: boolean;
}

/** Decodes ECMAScript source: UTF-8 only. Invalid bytes become U+FFFD, as a runtime reads them. */
export function decodeEcmascript(bytes: Buffer): Decoded {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return { text: "", problem: { message: "it is encoded in UTF-16, and source must be UTF-8", offset: 0 }, fatal: true };
  }
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), problem: null, fatal: false };
  } catch {
    const text = new TextDecoder("utf-8").decode(bytes);
    const binary = bytes.subarray(0, 8192).includes(0);
    const message = binary ? "it is binary, not source" : "it holds bytes that are no UTF-8";
    return { text: binary ? "" : text, problem: { message, offset: binary ? 0 : firstInvalid(bytes) }, fatal: binary };
  }
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

interface PythonDecoder {
  readonly decodePython?: (bytes: Buffer) => { readonly text: string; readonly problem?: { readonly message: string } | null };
}

/** Decodes Python source by its byte order mark and its encoding line. */
export function decodePythonSource(bytes: Buffer): Decoded {
  const decoded = (parsers as unknown as PythonDecoder).decodePython?.(bytes);
  if (decoded === undefined) return decodeEcmascript(bytes);
  return { text: decoded.text, problem: null, fatal: false };
}
