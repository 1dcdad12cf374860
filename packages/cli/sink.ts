import { writeFile } from "node:fs/promises";
import path from "node:path";
import { Failure } from "./failure.ts";
import { printable } from "./render/printable.ts";
import type { Output } from "./terminal.ts";

/**
 * Writes to a stream and waits for it. A reader that went away (`agentgate check | head`) is no fault: what is left
 * is dropped, and the exit code stays the verdict.
 */
export function writeTo(stream: Output, text: string): Promise<void> {
  if (text === "") return Promise.resolve();
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (error && (error as NodeJS.ErrnoException).code !== "EPIPE") reject(error);
      else resolve();
    });
  });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist",
  ENOTDIR: "its folder is a file",
  EISDIR: "it is a folder",
  EACCES: "there is no permission to write it",
  EPERM: "there is no permission to write it",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
};

/** Why the system refused, in words. */
export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? "";
  return REASONS[code] ?? (code === "" ? "it failed" : code);
}

/** Writes a report file, given relative to `cwd`. Returns why it could not, or `null`. */
export async function writeReport(cwd: string, file: string, text: string): Promise<Failure | null> {
  try {
    await writeFile(path.resolve(cwd, file), text);
    return null;
  } catch (error) {
    return new Failure(`cannot write ${printable(file)}: ${reasonOf(error)}`, "Name a file in a folder that exists and may be written.");
  }
}
