/** One text of a manifest: where it stands, by keys, and on which line. */
export interface ManifestEntry {
  /** Keys from the outside to the text; items of a list have the key of the list. */
  readonly keys: readonly string[];
  readonly value: string;
  /** 1-based; columns in UTF-16 code units, of the text itself. */
  readonly line: number;
  readonly column: number;
  readonly endColumn: number;
}

/** What a detector tells of one entry; equal `key` and `value` mean that it was there before. */
export interface Told {
  readonly key: string;
  readonly value: string;
  readonly message: string;
  readonly entry: ManifestEntry;
}
