import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { POLICY_FILE } from "../discovery/root.ts";
import { GateError } from "../errors.ts";
import type { TreePath } from "../paths.ts";
import { BASELINE_FILE, Baseline, MAX_BASELINE_BYTES } from "../policy/baseline.ts";
import { loadedBaseline } from "../policy/baseline-load.ts";
import { failedPolicy, loadPolicy, loadedPolicy, noPolicy } from "../policy/load.ts";
import { MAX_POLICY_BYTES } from "../policy/text.ts";
import type { LoadedPolicy } from "../policy/load.ts";
import type { Reader, Snapshot } from "../snapshot/snapshot.ts";

/** What licenses and what judges, as one revision of the tree has it. */
export interface PolicyInForce {
  readonly loaded: LoadedPolicy;
  readonly baseline: Baseline;
  /** Why the policy in force cannot be read; null where it can. */
  readonly error: GateError | null;
}

/** Where the policy lies: a path of the tree, or an absolute one outside it that `--config` names. */
export type PolicyPlace = { readonly kind: "tree"; readonly path: TreePath } | { readonly kind: "outside"; readonly file: string };

/**
 * The place of the policy for a command line. A file inside the repository is read from the base, wherever it lies. No
 * link below the root is followed: the patch could have set it.
 */
export function policyPlace(root: string, cwd: string, config: string | undefined): PolicyPlace {
  if (config === undefined) return { kind: "tree", path: POLICY_FILE };
  const file = path.resolve(existsSync(cwd) ? realpathSync(cwd) : cwd, config);
  const folders = foldersAbove(file);
  const top = folders.findLast((folder) => isFolder(folder, root));
  if (top !== undefined) return { kind: "tree", path: treePath(path.relative(top, file)) };
  const real = path.join(existsSync(folders[0]!) ? realpathSync(folders[0]!) : folders[0]!, path.basename(file));
  const relative = path.relative(root, real);
  const outside = relative === "" || relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
  return outside ? { kind: "outside", file } : { kind: "tree", path: treePath(relative) };
}

/** The folders that a file lies in, the nearest first. */
function foldersAbove(file: string): string[] {
  const folders: string[] = [];
  for (let folder = path.dirname(file); folders.at(-1) !== folder; folder = path.dirname(folder)) folders.push(folder);
  return folders;
}

/** Whether a path names the folder, by whatever links. */
function isFolder(given: string, folder: string): boolean {
  return given === folder || (existsSync(given) && realpathSync(given) === folder);
}

function treePath(relative: string): TreePath {
  return relative.split(path.sep).join("/");
}

/**
 * Reads the policy of a revision: `agentgate.yml` or what `--config` names, and the baseline. `where` names the
 * revision in messages.
 */
export async function policyAt(snapshot: Snapshot, reader: Reader, place: PolicyPlace, root: string, where: string): Promise<PolicyInForce> {
  const loaded = place.kind === "outside" ? loadPolicy(root, place.file) : await policyFile(snapshot, reader, place.path, where);
  const held = await baselineFile(snapshot, reader, where);
  const missing = place.kind === "tree" && place.path !== POLICY_FILE && loaded.text === null && loaded.error === null;
  const error = missing ? new GateError(`${loaded.path} does not exist at ${where}, and the policy is read from there.`, "Name a file that the base has, or one outside the repository.") : (loaded.error ?? held.error);
  return { loaded, baseline: held.baseline, error };
}

async function policyFile(snapshot: Snapshot, reader: Reader, shown: TreePath, where: string): Promise<LoadedPolicy> {
  const bytes = await fileBytes(snapshot, reader, shown, MAX_POLICY_BYTES);
  if (bytes === null) return noPolicy(shown);
  return typeof bytes === "string" ? failedPolicy(shown, `of ${where} ${bytes}`) : loadedPolicy(bytes, shown, where);
}

async function baselineFile(snapshot: Snapshot, reader: Reader, where: string): Promise<{ readonly baseline: Baseline; readonly error: GateError | null }> {
  const bytes = await fileBytes(snapshot, reader, BASELINE_FILE, MAX_BASELINE_BYTES);
  if (bytes === null) return { baseline: new Baseline([]), error: null };
  if (typeof bytes === "string") return { baseline: new Baseline([]), error: new GateError(`${BASELINE_FILE} of ${where} ${bytes}.`, "Correct the file on the base branch first: a change is judged by what holds there.") };
  return loadedBaseline(bytes);
}

/** The text of the baseline, which may be larger than what is read of other files; null where there is none that can be read. */
export async function baselineText(snapshot: Snapshot, reader: Reader): Promise<string | null> {
  const bytes = await fileBytes(snapshot, reader, BASELINE_FILE, MAX_BASELINE_BYTES);
  try {
    return Buffer.isBuffer(bytes) ? new TextDecoder("utf-8", { fatal: true }).decode(bytes) : null;
  } catch {
    return null;
  }
}

/** The bytes of a file; null where there is none, else why it cannot be read, as the end of a sentence. */
async function fileBytes(snapshot: Snapshot, reader: Reader, shown: TreePath, limit: number): Promise<Buffer | string | null> {
  const entry = snapshot.byPath.get(shown);
  if (entry === undefined) return null;
  if (entry.type !== "file") return "is no regular file";
  const [read] = await reader.read([entry.target], limit);
  if (read?.kind === "bytes") return read.bytes;
  return read?.kind === "too-large" ? `has more than ${limit} bytes` : `cannot be read: ${read?.reason ?? "no reason given"}`;
}
