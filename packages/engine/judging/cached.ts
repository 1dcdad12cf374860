import { extractorId } from "../cache/extractor.ts";
import { openFactsCache } from "../cache/facts-cache.ts";
import type { FactsCache } from "../cache/facts-cache.ts";
import { defaultCacheFolder } from "../cache/folder.ts";
import type { CheckOptions } from "../options.ts";

/** The cache that a run asks for: none, the folder that it names, or the user's. Never rejects. */
export function openCache(root: string, { cache, worker }: Pick<CheckOptions, "cache" | "worker">): Promise<FactsCache> {
  const folder = cache === undefined ? defaultCacheFolder(process.env, process.platform) : cache;
  return openFactsCache(folder, { root, extractor: folder === null ? null : extractorId(worker) });
}
