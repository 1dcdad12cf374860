import { readBounded, readHead } from "../reading/read.ts";
import type { ReadResult } from "../reading/read.ts";
import type { Reader, Target } from "./snapshot.ts";

/** Reads what lies on the disk; for a tree without git. */
export const diskReader: Reader = {
  read: (targets, limit) => Promise.resolve(targets.map((target) => readDisk(target, limit))),
  heads: (targets) => Promise.resolve(targets.map((target) => (target.kind === "disk" ? readHead(target.fs) : Buffer.alloc(0)))),
};

function readDisk(target: Target, limit: number): ReadResult {
  return target.kind === "disk" ? readBounded(target.fs, limit) : { kind: "unreadable", reason: "it lies in git's objects only" };
}
