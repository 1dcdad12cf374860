import { createHash } from "node:crypto";

/** The hash that a repository names its objects by. */
export type ObjectFormat = "sha1" | "sha256";

/** The id under which git stores a file with these bytes, in lower-case hex. */
export function blobId(bytes: Uint8Array, format: ObjectFormat = "sha1"): string {
  return createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
