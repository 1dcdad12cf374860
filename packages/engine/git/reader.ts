import { headOfDisk, readDisk } from "../snapshot/disk.ts";
import type { Reader } from "../snapshot/snapshot.ts";
import { objectsMissing } from "./problems.ts";
import type { Repository } from "./repository.ts";

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
