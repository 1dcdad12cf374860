import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
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
    return digest.update("\0").update(manifestOf("oxc-parser", path.dirname(file))).update(`\0${process.version}`).digest("hex");
  } catch {
    return null;
  }
}

/** The manifest of a package, looked for as a module in the folder would find it (resolving it costs 3 ms more). */
function manifestOf(name: string, folder: string): Buffer {
  for (let current = folder; ; current = path.dirname(current)) {
    try {
      return readFileSync(path.join(current, "node_modules", name, "package.json"));
    } catch (error) {
      if (path.dirname(current) === current) throw error;
    }
  }
}
