import { realpathSync } from "node:fs";
import path from "node:path";
import { codeOf } from "../errors.ts";
import { readBounded } from "../reading/read.ts";

/** A larger file is no policy that anybody wrote. */
export const MAX_POLICY_BYTES = 1_048_576;

/** The text of a policy file; `inside` is the folder that a link may not leave. The reason is the end of a sentence. */
export function readText(file: string, inside: string | null): string | { readonly reason: string } {
  let target: string;
  try {
    target = realpathSync(file);
  } catch (error) {
    return { reason: codeOf(error) === "ENOENT" ? "does not exist" : `cannot be read (${codeOf(error)})` };
  }
  if (inside !== null && !target.startsWith(inside.endsWith(path.sep) ? inside : inside + path.sep)) return { reason: "is a symbolic link that leaves the tree" };
  const read = readBounded(target, MAX_POLICY_BYTES);
  if (read.kind === "too-large") return { reason: `has more than ${MAX_POLICY_BYTES} bytes` };
  if (read.kind === "unreadable") return { reason: `cannot be read: ${read.reason}` };
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(read.bytes);
  } catch {
    return { reason: "is not encoded in UTF-8" };
  }
}
