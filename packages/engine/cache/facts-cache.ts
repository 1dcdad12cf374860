import type { Dialect, ModuleKind } from "@agentgate/parsers";
import { FACTS_VERSION } from "@agentgate/parsers";
import { prepareFolder } from "./folder.ts";
import { PackStore } from "./store.ts";

/** What is kept of one text. `specifiers` is small and read without its facts. */
export type Section = "facts" | "specifiers" | "reach";

/** Facts of earlier runs, by the content of their text. Nothing here throws or rejects: what goes wrong is a miss. */
export interface FactsCache {
  /** One sentence: why facts are not kept, or not all of them; null where they are. May appear during the run. */
  readonly note: string | null;
  /** What was put, unharmed; null for a miss. */
  get(key: string, section: Section): Uint8Array | null;
  /** Kept in memory until `flush`; the bytes must not be changed afterwards. */
  put(key: string, section: Section, bytes: Uint8Array): void;
  flush(): Promise<void>;
  /** Flushes, tidies the folder up and lets go of it. Later calls are misses. */
  close(): Promise<void>;
}

export interface CacheOptions {
  /** The judged tree: a cache inside it could be committed by the patch that is judged. Absolute. */
  readonly root: string;
  /** `extractorId` of the worker; facts of another one are never used. Null: nothing is cached. */
  readonly extractor: string | null;
  /** Bytes that all packs together may take. Default: 512 MiB. */
  readonly maxBytes?: number;
}

/**
 * The key of a text's facts. `blob` is the id of the git blob with exactly the text's bytes, in lower-case hex.
 * What does not come from the worker alone (a reach summary) has to add the version of what made it.
 */
export function cacheKey(blob: string, job: { readonly dialect: Dialect; readonly moduleKind?: ModuleKind | undefined }): string {
  return `${blob} ${job.dialect} ${job.moduleKind ?? "-"} ${FACTS_VERSION}`;
}

/**
 * Opens the cache in a folder, which is made where it is missing. Never rejects: null, and a folder that cannot or
 * must not be used, give a cache that always misses; then `note` says why.
 */
export function openFactsCache(folder: string | null, options: CacheOptions): Promise<FactsCache> {
  if (folder === null) return Promise.resolve(new NoCache(null));
  if (options.extractor === null) return Promise.resolve(new NoCache("Facts are not cached: the installation is incomplete, and nothing says which facts are its own."));
  const prepared = prepareFolder(folder, options.root);
  if ("refused" in prepared) return Promise.resolve(new NoCache(`Facts are not cached: ${prepared.refused}.`));
  return Promise.resolve(new PackStore(prepared.folder, options.extractor, options.maxBytes ?? 512 * 1024 * 1024));
}

class NoCache implements FactsCache {
  readonly note: string | null;

  constructor(note: string | null) {
    this.note = note;
  }

  get(): null {
    return null;
  }

  put(): void {
    // Nothing is kept.
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
