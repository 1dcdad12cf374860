import { Readable } from "node:stream";
import type { Output, Surroundings } from "../terminal.ts";

/** A stream that keeps what is written to it. */
export interface Kept extends Output {
  readonly written: string[];
}

export function kept(terminal: { readonly columns: number } | null = null): Kept {
  const written: string[] = [];
  return {
    written,
    ...(terminal === null ? {} : { isTTY: true, columns: terminal.columns }),
    write(text, done) {
      written.push(text);
      done?.();
      return true;
    },
  };
}

export function surroundings(changes: Partial<Surroundings> = {}): Surroundings & { readonly stdout: Output; readonly stderr: Output } {
  return { stdout: kept(), stderr: kept(), stdin: Readable.from([]), env: {}, cwd: "/work", ...changes };
}
