import { blobId } from "./git/blob-id.ts";

const MARK = "\ufeff";

/**
 * The text as its file had it, byte order mark included, told by the id of the blob: of the two candidates the one with
 * exactly these bytes. Null where neither is it, as for a file in another encoding.
 */
export function rawText(text: string, blob: string): string | null {
  const format = blob.length === 64 ? "sha256" : "sha1";
  return [text, MARK + text].find((candidate) => blobId(Buffer.from(candidate), format) === blob) ?? null;
}
