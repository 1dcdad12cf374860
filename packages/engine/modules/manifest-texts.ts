import { baseName, folderOf, joinTree, normalise } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import { readBounded } from "../reading/read.ts";
import type { ReadResult } from "../reading/read.ts";
import type { Reader, Target } from "../snapshot/snapshot.ts";
import { readJsonWithComments } from "./jsonc.ts";
import type { Json } from "./manifests.ts";

/** The text of a manifest; null where it cannot be read. */
export type TextOf = (target: Target) => string | null;

const MAX_MANIFEST_BYTES = 1_048_576;
const MANIFEST = /^(?:package\.json|[jt]sconfig[^/]*\.json|pnpm-workspace\.yaml|pyproject\.toml)$/;
/** A chain of `extends` longer than this is no configuration that anybody wrote. */
const MOST_EXTENDS = 16;

/** Reads manifests that lie on the disk when they are asked for. */
export const diskTexts: TextOf = (target) => (target.kind === "disk" ? decoded(readBounded(target.fs, MAX_MANIFEST_BYTES)) : null);

/** Reads at once the manifests of a side that lie in git's objects, with what their `extends` name; those on the disk when they are asked for. */
export async function manifestTexts(files: ReadonlyMap<TreePath, Target>, reader: Reader): Promise<TextOf> {
  const texts = new Map<string, string | null>();
  let wanted = [...files.keys()].filter((path) => MANIFEST.test(baseName(path)));
  for (let round = 0; round <= MOST_EXTENDS && wanted.length > 0; round++) {
    const blobs = wanted.flatMap((path) => {
      const target = files.get(path);
      return target?.kind === "blob" && !texts.has(target.id) ? [{ path, target }] : [];
    });
    const reads = await reader.read(blobs.map(({ target }) => target), MAX_MANIFEST_BYTES);
    blobs.forEach(({ target }, index) => texts.set(target.id, decoded(reads[index]!)));
    wanted = blobs.flatMap(({ path, target }) => extended(path, texts.get(target.id) ?? null));
  }
  return (target) => (target.kind === "disk" ? diskTexts(target) : (texts.get(target.id) ?? null));
}

function decoded(read: ReadResult): string | null {
  return read.kind === "bytes" ? new TextDecoder("utf-8").decode(read.bytes) : null;
}

/** The files that a tsconfig extends, written with and without their ending. */
function extended(path: TreePath, text: string | null): TreePath[] {
  if (text === null || !baseName(path).endsWith(".json") || baseName(path) === "package.json") return [];
  const json = readJsonWithComments(text);
  const value: Json | undefined = typeof json === "object" && json !== null && !Array.isArray(json) ? (json as Readonly<Record<string, Json>>)["extends"] : undefined;
  const names = typeof value === "string" ? [value] : Array.isArray(value) ? (value as readonly Json[]) : [];
  return names.flatMap((name) => {
    const target = typeof name === "string" && name.startsWith(".") ? normalise(joinTree(folderOf(path), name)) : null;
    return target === null ? [] : [target, `${target}.json`];
  });
}
