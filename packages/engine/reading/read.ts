import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { codeOf } from "../errors.ts";
import type { FsPath } from "../paths.ts";

export type ReadResult =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  | { readonly kind: "too-large"; readonly size: number }
  /** `reason` is the end of a sentence. */
  | { readonly kind: "unreadable"; readonly reason: string };

/**
 * Reads a regular file of at most `limit` bytes. Never follows a link, and never waits on a pipe: the file is judged
 * after it was opened, so that one swapped in meanwhile is not read either.
 */
export function readBounded(target: FsPath, limit: number): ReadResult {
  try {
    const file = openSync(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return readOpen(file, limit);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return { kind: "unreadable", reason: reasonOf(codeOf(error)) };
  }
}

/** What of a file is looked at for its first line, in bytes. */
export const HEAD_BYTES = 256;

/** As `readBounded`, but only the first bytes; none where they cannot be read. */
export function readHead(target: FsPath): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES);
  try {
    const file = openSync(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return fstatSync(file).isFile() ? bytes.subarray(0, readSync(file, bytes, 0, HEAD_BYTES, 0)) : Buffer.alloc(0);
    } finally {
      closeSync(file);
    }
  } catch {
    return Buffer.alloc(0);
  }
}

function readOpen(file: number, limit: number): ReadResult {
  const status = fstatSync(file);
  if (!status.isFile()) return { kind: "unreadable", reason: "it is no regular file" };
  if (status.size > limit) return { kind: "too-large", size: status.size };
  // One byte more than the limit shows a file that grows while it is read.
  const bytes = Buffer.allocUnsafe(Math.min(limit, Math.max(status.size, 4096)) + 1);
  let length = 0;
  for (;;) {
    const count = readSync(file, bytes, length, bytes.length - length, length);
    if (count === 0) return { kind: "bytes", bytes: bytes.subarray(0, length) };
    length += count;
    if (length === bytes.length) return { kind: "too-large", size: length };
  }
}

/** What a file system error means for the reader of the finding, as the end of a sentence. */
export function reasonOf(code: string): string {
  switch (code) {
    case "EACCES":
    case "EPERM":
      return "permission to read it is denied";
    case "ENOENT":
    case "ENOTDIR":
      return "it was removed while the tree was being judged";
    case "ELOOP":
      return "it became a symbolic link while the tree was being judged";
    default:
      return `reading it failed (${code === "" ? "unknown error" : code})`;
  }
}
