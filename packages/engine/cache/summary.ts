import type { Specifiers } from "../judging/specifiers.ts";

/** What the search for modules needs of a text before anybody asks for its facts. Kept as section `specifiers`. */
export interface TextSummary {
  readonly specifiers: Specifiers;
  /** All of it parsed. */
  readonly clean: boolean;
  /** Some of its bytes could not be decoded. */
  readonly undecodable: boolean;
}

export function encodeSummary({ specifiers: { all, required }, clean, undecodable }: TextSummary): Uint8Array {
  return Buffer.from(JSON.stringify([clean, undecodable, all, required]));
}

/** Null where the bytes are not what `encodeSummary` writes. */
export function decodeSummary(bytes: Uint8Array): TextSummary | null {
  try {
    const [clean, undecodable, all, required] = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()) as unknown[];
    if (typeof clean !== "boolean" || typeof undecodable !== "boolean" || !areTexts(all) || !areTexts(required)) return null;
    return { specifiers: { all, required }, clean, undecodable };
  } catch {
    return null;
  }
}

function areTexts(list: unknown): list is string[] {
  return Array.isArray(list) && list.every((item) => typeof item === "string");
}
