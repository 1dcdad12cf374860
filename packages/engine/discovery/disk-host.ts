import { realpathSync, statSync } from "node:fs";
import { codeOf } from "../errors.ts";
import { nameOf } from "../paths.ts";
import type { FsPath } from "../paths.ts";
import { readHead } from "../reading/read.ts";
import type { DiscoveryHost, LinkEnd } from "./discover.ts";

/** Looks at the files of a tree on the disk. Links are followed by the system, and only inside `root`. */
export function diskHost(root: string): DiscoveryHost {
  return {
    link: ({ target }) => (target.kind === "disk" ? followLink(root, target.fs) : { reason: "it is a symbolic link" }),
    head: (target) => (target.kind === "disk" ? readHead(target.fs) : Buffer.alloc(0)),
  };
}

function followLink(root: string, link: FsPath): LinkEnd {
  try {
    const fs = realpathSync(link, { encoding: "buffer" });
    const name = nameOf(fs);
    const inside = root.endsWith("/") ? root : `${root}/`;
    const status = statSync(fs);
    if (name !== root && !name.startsWith(inside)) return { reason: LEAVES, folder: status.isDirectory() };
    const end = name.slice(inside.length);
    const target = { kind: "disk", fs } as const;
    if (status.isDirectory()) return { target, end, folder: true };
    return status.isFile() ? { target, end, folder: false } : { reason: "it is a symbolic link to a pipe, socket or device" };
  } catch (error) {
    return { reason: brokenLink(codeOf(error)) };
  }
}

/** Why a link that leaves the tree is not judged, as the end of a sentence. */
export const LEAVES = "it is a symbolic link that leaves the tree, and such links are not followed";

/** Why a link cannot be followed, by the code of the system's error, as the end of a sentence. */
export function brokenLink(code: string): string {
  if (code === "ELOOP") return "it is a symbolic link that leads back to itself";
  return code === "ENOENT" ? "it is a symbolic link to nothing" : `it is a symbolic link that cannot be followed (${code})`;
}
