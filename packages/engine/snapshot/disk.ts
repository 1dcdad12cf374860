import { readlinkSync } from "node:fs";
import { codeOf } from "../errors.ts";
import type { FsPath } from "../paths.ts";
import { HEAD_BYTES, readBounded, readHead, reasonOf } from "../reading/read.ts";
import type { ReadResult } from "../reading/read.ts";
import type { Reader, Target } from "./snapshot.ts";

/** No system takes a longer path. */
const LINK_BYTES = 65_536;

/** Reads what lies on the disk; for a tree without git. */
export const diskReader: Reader = {
  read: (targets, limit) => Promise.resolve(targets.map((target) => (target.kind === "disk" ? readDisk(target, limit) : { kind: "unreadable", reason: "it lies in git's objects only" }))),
  heads: (targets) => Promise.resolve(targets.map((target) => (target.kind === "disk" ? headOfDisk(target) : Buffer.alloc(0)))),
};

type DiskTarget = Extract<Target, { kind: "disk" }>;

/** Reads a file of the disk, or the text of a link. */
export function readDisk(target: DiskTarget, limit: number): ReadResult {
  return target.link === true ? readLink(target.fs, limit) : readBounded(target.fs, limit);
}

function readLink(target: FsPath, limit: number): ReadResult {
  try {
    const bytes = readlinkSync(target, { encoding: "buffer" });
    return bytes.length > limit ? { kind: "too-large", size: bytes.length } : { kind: "bytes", bytes };
  } catch (error) {
    // Where links cannot be made, git writes the text that they point to into a file.
    if (codeOf(error) === "EINVAL") return readBounded(target, limit);
    return { kind: "unreadable", reason: reasonOf(codeOf(error)) };
  }
}

/** The first bytes of a file of the disk, or of a link's text. */
export function headOfDisk(target: DiskTarget): Buffer {
  if (target.link !== true) return readHead(target.fs);
  const read = readLink(target.fs, LINK_BYTES);
  return read.kind === "bytes" ? read.bytes.subarray(0, HEAD_BYTES) : Buffer.alloc(0);
}
