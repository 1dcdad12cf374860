import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findWorker } from "../pool/worker-file.ts";

/**
 * What the facts of a text depend on beside the text: 64 hex digits over the built worker, the grammars beside it, the
 * parser that it loads and the runtime. Nobody has to remember to raise a number: the built worker names its chunks by
 * their content, so it changes whenever any code that it runs does.
 *
 * @param given The built worker; default: the one beside the command.
 * @returns Null where there is no built worker: then nothing says which facts belong together.
 */
export function extractorId(given: URL | undefined): string | null {
  const worker = given ?? findWorker();
  if (worker === null) return null;
  try {
    const file = fileURLToPath(worker);
    const digest = createHash("sha256").update(readFileSync(file));
    const assets = path.join(path.dirname(file), "assets");
    for (const entry of readdirSync(assets, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1))) {
      if (entry.isFile()) digest.update(`\0${entry.name}\0`).update(readFileSync(path.join(assets, entry.name)));
    }
    const parser = createRequire(worker).resolve("oxc-parser/package.json");
    return digest.update("\0").update(readFileSync(parser)).update(`\0${process.version}`).digest("hex");
  } catch {
    return null;
  }
}
