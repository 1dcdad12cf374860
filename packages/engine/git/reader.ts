import { readlinkSync } from "node:fs";
import { codeOf } from "../errors.ts";
import type { FsPath } from "../paths.ts";
import { HEAD_BYTES, readBounded, readHead, reasonOf } from "../reading/read.ts";
import type { ReadResult } from "../reading/read.ts";
import type { Reader, Target } from "../snapshot/snapshot.ts";
import { objectsMissing } from "./problems.ts";
import type { Repository } from "./repository.ts";

/** No system takes a longer path. */
const LINK_BYTES = 65_536;

/**
 * Reads targets of a repository: files and links on disk, blobs through git. Rejects with a GateError where git is
 * missing or hangs, and where the repository lacks an object: that is no property of the file, and nothing that rests
 * on it could be judged.
 */
export function readerOver(repository: Repository): Reader {
  return {
    async read(targets, limit) {
      const ids = targets.flatMap((target) => (target.kind === "blob" ? [target.id] : []));
      const blobs = await repository.blobs.read(ids, limit);
      let next = 0;
      return targets.map((target) => {
        if (target.kind === "disk") return readDisk(target, limit);
        const blob = blobs[next++];
        if (blob === undefined || blob.kind === "missing") throw objectsMissing(`The file with the id ${target.id}`, repository.promisor);
        return blob;
      });
    },
    async heads(targets) {
      const ids = targets.flatMap((target) => (target.kind === "blob" ? [target.id] : []));
      const blobs = await repository.blobs.heads(ids);
      let next = 0;
      return targets.map((target) => {
        if (target.kind === "disk") return headOfDisk(target);
        const head = blobs[next++] ?? null;
        if (head === null) throw objectsMissing(`The file with the id ${target.id}`, repository.promisor);
        return head;
      });
    },
  };
}

type DiskTarget = Extract<Target, { kind: "disk" }>;

function readDisk(target: DiskTarget, limit: number): ReadResult {
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

function headOfDisk(target: DiskTarget): Buffer {
  if (target.link !== true) return readHead(target.fs);
  const read = readLink(target.fs, LINK_BYTES);
  return read.kind === "bytes" ? read.bytes.subarray(0, HEAD_BYTES) : Buffer.alloc(0);
}
