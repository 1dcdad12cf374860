import { createHash } from "node:crypto";

/** The hash that a repository names its objects with. */
export type ObjectFormat = "sha1" | "sha256";

/** The id that git gives to a blob with these bytes, in hex (gitformat-pack manual page: the hash of `blob <size>\0<bytes>`). */
export function blobId(bytes: Uint8Array, format: ObjectFormat): string {
  return createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** Whether the text is a complete object id, in lower case. */
export function isObjectId(text: string, format: ObjectFormat): boolean {
  return format === "sha1" ? /^[0-9a-f]{40}$/.test(text) : /^[0-9a-f]{64}$/.test(text);
}
