import path from "node:path";
import { openFactsCache } from "../cache/facts-cache.ts";

/**
 * Entry of a process that writes to a cache: `folder extractor name flushes`. Each flush holds three records whose
 * content follows from their key, and is told on standard output with the note of the cache once it is done.
 */
const [folder, extractor, name, flushes] = process.argv.slice(2) as [string, string, string, string];

function contentOf(key: string): Uint8Array {
  return Buffer.from(`${key} `.repeat(2000));
}

const cache = await openFactsCache(folder, { root: path.dirname(process.execPath), extractor });
for (let flush = 0; flush < Number(flushes); flush++) {
  for (let index = 0; index < 3; index++) cache.put(`${name}-${flush}-${index}`, "facts", contentOf(`${name}-${flush}-${index}`));
  await cache.flush();
  process.stdout.write(`${flush} ${String(cache.note)}\n`);
}
await cache.close();
process.stdout.write("closed\n");
