import { createHash } from "node:crypto";
import type { ChangedFile } from "../change/change.ts";
import type { TreePath } from "../paths.ts";
import { comparePaths } from "../paths.ts";
import kinds from "./kinds.json" with { type: "json" };
import type { Weakening } from "./weakening.ts";

/** The closed list of `gate-weakened`. */
export type WeakeningKind = keyof typeof kinds;

/** Every kind with one sentence that says what it is. */
export const WEAKENING_KINDS: Readonly<Record<WeakeningKind, string>> = kinds;

/** A place in a file, 1-based; `length` in UTF-16 code units. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

export const FIRST_LINE: Place = { line: 1, column: 1, length: 1 };

/** What a detector says of a weakening; `fileWeakening` and `suppressionWeakening` add the record. */
export interface Change {
  readonly kind: WeakeningKind;
  readonly at: Place;
  readonly message: string;
  /** What it is about, without lines: the port, the key, the job. */
  readonly subject: string;
}

/** A weakening by the blobs of the file in which it stands. */
export function fileWeakening(file: ChangedFile, change: Change): Weakening {
  return placed(file.path, change, [change.kind, file.path, file.baseBlob ?? "", file.headBlob ?? ""]);
}

/** A weakening by a suppression: no blob, so that other edits of the module keep the record. */
export function suppressionWeakening(path: TreePath, change: Change, suppression: { readonly rule: string; readonly fingerprint: string; readonly reason: string }): Weakening {
  return placed(path, change, [path, suppression.rule, suppression.fingerprint, suppression.reason]);
}

function placed(path: TreePath, change: Change, record: readonly string[]): Weakening {
  const { line, column, length } = change.at;
  return {
    kind: change.kind,
    path,
    start: { line, column },
    end: { line, column: column + Math.max(1, length) },
    message: change.message,
    key: [change.kind, path, change.subject].map(escaped).join("\0"),
    record: record.map(escaped).join("\0"),
  };
}

/** Keeps the signs that end a field and a record out of it: paths and reasons of a hostile tree may hold them. */
function escaped(field: string): string {
  return field.replaceAll("\\", "\\\\").replaceAll("\0", "\\0").replaceAll("\n", "\\n");
}

/** In the order of the report. */
export function compareWeakenings(left: Weakening, right: Weakening): number {
  return comparePaths(left.path, right.path) || left.start.line - right.start.line || left.start.column - right.start.column
    || comparePaths(left.kind, right.kind) || comparePaths(left.key, right.key);
}

/**
 * What `--accept` takes: SHA-256 (64 lower-case hex digits) over the sorted records, each ended by a line feed. It
 * holds blobs and no commits, so it survives a rebase; any other set of weakenings has another one.
 */
export function weakeningDigest(weakenings: readonly Pick<Weakening, "record">[]): string {
  const hash = createHash("sha256");
  for (const record of weakenings.map((weakening) => weakening.record).sort(comparePaths)) hash.update(`${record}\n`);
  return hash.digest("hex");
}
