import { comparePaths, nameOf } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import type { Reader, Snapshot } from "../snapshot/snapshot.ts";
import { gitFailed, lacksPromised, objectsMissing } from "./problems.ts";
import { readerOver } from "./reader.ts";
import type { Repository } from "./repository.ts";
import { splitAtNul } from "./run.ts";
import { worktreeSnapshot } from "./snapshots.ts";

/** A longer file is not judged either (`maxFileBytes` of the policy, by default). */
const LIMIT = 1_048_576;
/** Files read at once. */
const BATCH = 256;

/** The lines of `words` are looked for one by one: git takes no line feed in a pattern, and no file holds a NUL in a name. */
function patternsOf(words: readonly string[]): string[] {
  return [...new Set(words.flatMap((word) => word.split(/[\0\r\n]/)))].filter((word) => word !== "");
}

/**
 * The files that hold one of the words at least, letter by letter, sorted by path; attributes play no part. `where`: a
 * commit (full id), the index, or the working tree with its untracked files. Of the working tree, files over 1 MiB
 * that differ from the index are passed over, and its snapshot is taken unless it is given. Throws a GateError where
 * objects are missing, or git is missing or hangs.
 */
export async function filesHolding(
  repository: Repository, where: string, words: readonly string[], snapshot?: Snapshot,
): Promise<readonly TreePath[]> {
  const patterns = patternsOf(words);
  if (patterns.length === 0) return [];
  if (where !== "worktree") return [...await grepObjects(repository, where, patterns)].sort(comparePaths);
  const tree = snapshot ?? await worktreeSnapshot(repository);
  const files = tree.entries.filter((entry) => entry.type === "file");
  const indexed = await grepObjects(repository, "index", patterns);
  const found = files.filter((entry) => entry.blob !== null && indexed.has(entry.path)).map((entry) => entry.path);
  const onDisk = await scan(readerOver(repository), { ...tree, entries: files.filter((entry) => entry.blob === null) }, patterns);
  return [...found, ...onDisk].sort(comparePaths);
}

async function grepObjects(repository: Repository, where: string, patterns: readonly string[]): Promise<Set<TreePath>> {
  const args = ["grep", "-l", "-z", "-F", "-a", "--no-color", "--no-textconv", "--no-recurse-submodules", "--full-name", "-f", "-"];
  const isIndex = where === "index";
  const input = Buffer.from(`${patterns.join("\n")}\n`);
  const output = await repository.git([...args, ...isIndex ? ["--cached"] : [where]], { input });
  if (lacksPromised(output.stderr) || /unable to read|could not read|bad object/i.test(output.stderr)) throw objectsMissing(isIndex ? "The index" : `The commit ${where}`, repository.promisor);
  if (output.status > 1) throw gitFailed("grep", output.stderr, repository.promisor);
  // In a commit, names come as `<commit>:<path>`.
  const start = isIndex ? 0 : where.length + 1;
  return new Set(splitAtNul(output.stdout).map((bytes) => nameOf(bytes.subarray(start))));
}

/** The files of a snapshot that hold one of the texts, in its order; those over 1 MiB are passed over. */
export async function scan(reader: Reader, { entries }: Pick<Snapshot, "entries">, patterns: readonly string[]): Promise<TreePath[]> {
  const needles = patterns.map((pattern) => Buffer.from(pattern));
  const found: TreePath[] = [];
  for (let start = 0; start < entries.length; start += BATCH) {
    const batch = entries.slice(start, start + BATCH);
    const reads = await reader.read(batch.map((entry) => entry.target), LIMIT);
    reads.forEach((read, index) => {
      if (read.kind === "bytes" && needles.some((needle) => read.bytes.includes(needle))) found.push(batch[index]!.path);
    });
  }
  return found;
}
