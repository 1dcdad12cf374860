import { randomBytes } from "node:crypto";
import { closeSync, constants, fchmodSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import path from "node:path";
import { GateError, codeOf } from "../errors.ts";
import { readBounded } from "../reading/read.ts";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist", ENOTDIR: "its folder is a file", EACCES: "there is no permission to write there", EPERM: "there is no permission to write there",
  EROFS: "the file system is read-only", ENOSPC: "the disk is full", EDQUOT: "the disk quota is used up", EBUSY: "another program holds it", EXDEV: "it is a mount point",
};

/**
 * Replaces a text file as a whole: a reader sees the old text or the new, also where this process is killed. Never
 * writes through a symbolic link, and keeps the file's mode.
 *
 * @param before the text that the new one was made from, null for none: another one that lies there now is kept
 * @param shown how messages call the file
 * @throws GateError where it cannot be written; then nothing has changed
 */
export function replaceFile(file: string, before: string | null, after: string, shown: string): void {
  const mode = modeOf(file, before, shown);
  const temporary = path.join(path.dirname(file), `.agentgate-${randomBytes(6).toString("hex")}.tmp`);
  try {
    writeWhole(temporary, after, mode);
    requireSame(file, before, shown);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    if (error instanceof GateError) throw error;
    const code = codeOf(error);
    throw new GateError(`${shown} cannot be written: ${REASONS[code] ?? (code === "" ? "it failed" : code)}.`, "Run it where the root of the tree may be written.");
  }
}

/** The permission bits of the file that is there, null for none. */
function modeOf(file: string, before: string | null, shown: string): number | null {
  let status;
  try {
    status = lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw new GateError(`${shown} cannot be reached (${codeOf(error)}).`, "Run it where the root of the tree may be written.");
  }
  if (status === undefined) return before === null ? null : changed(shown);
  if (status.isSymbolicLink()) throw new GateError(`${shown} is a symbolic link, and is never written through one.`, "Put a file in its place and run the command again.");
  if (!status.isFile()) throw new GateError(`${shown} is no regular file.`, "Move it away and run the command again.");
  return status.mode & 0o777;
}

function writeWhole(file: string, text: string, mode: number | null): void {
  const opened = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, mode ?? 0o666);
  try {
    const bytes = Buffer.from(text, "utf8");
    for (let written = 0; written < bytes.length; ) written += writeSync(opened, bytes, written);
    // The umask takes bits from what `open` is asked for.
    if (mode !== null) fchmodSync(opened, mode);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

function requireSame(file: string, before: string | null, shown: string): void {
  const status = lstatSync(file, { throwIfNoEntry: false });
  if (before === null) return status === undefined ? undefined : changed(shown);
  const now = readBounded(file, Buffer.byteLength(before, "utf8"));
  if (now.kind !== "bytes" || now.bytes.toString("utf8") !== before) changed(shown);
}

function changed(shown: string): never {
  throw new GateError(`${shown} was changed meanwhile by another program.`, "Run the command again.");
}
