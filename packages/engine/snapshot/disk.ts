import { readBounded } from "../reading/read.ts";
import type { ReadResult } from "../reading/read.ts";
import { diskHost } from "../discovery/disk-host.ts";
import type { Reader, Target } from "./snapshot.ts";

/** Reads what lies on the disk; for a tree without git. */
export const diskReader: Reader = {
  read: (targets, limit) => Promise.resolve(targets.map((target) => readDisk(target, limit))),
  heads: (targets) => {
    const host = diskHost("/");
    return Promise.resolve(targets.map((target) => host.head(target)));
  },
};

function readDisk(target: Target, limit: number): ReadResult {
  return target.kind === "disk" ? readBounded(target.fs, limit) : { kind: "unreadable", reason: "it lies in git's objects only" };
}
