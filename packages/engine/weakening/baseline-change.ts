import type { ChangedFile } from "../change/change.ts";
import type { TreePath } from "../paths.ts";
import { BASELINE_FILE, Baseline, readBaseline } from "../policy/baseline.ts";
import type { BaselineEntry } from "../policy/baseline.ts";
import { basePathOf } from "./input.ts";
import type { WeakeningInput } from "./input.ts";
import { FIRST_LINE, fileWeakening } from "./record.ts";
import type { Change } from "./record.ts";
import type { Weakening } from "./weakening.ts";

const ACCEPT = "Correct the code instead, or have an owner of the baseline accept it.";

/** The baseline gone or unreadable, or grown: a capability of a module or a finding that it did not hold. */
export async function baselineWeakenings(input: Pick<WeakeningInput, "difference" | "baselineText">): Promise<Weakening[]> {
  const { base, head, files } = input.difference;
  const file = files.find((one) => one.path === BASELINE_FILE || one.basePath === BASELINE_FILE);
  if (file === undefined) return [];
  const text = input.baselineText ?? ((side) => (side === "base" ? base : head).text(BASELINE_FILE));
  const old = base.paths.has(BASELINE_FILE) ? entriesOf(await text("base")) : [];
  if (!head.paths.has(BASELINE_FILE)) return base.paths.has(BASELINE_FILE) ? [goneWeakening(file, "deleted")] : [];
  const now = entriesOf(await text("head"));
  if (now === null) return old === null ? [] : [goneWeakening(file, "no baseline that agentgate reads")];
  const grown = changesOf(now, new Baseline(old ?? []), files);
  if (!base.paths.has(BASELINE_FILE) && grown.length > 0) return [fileWeakening(file, introduced(grown.length))];
  return grown.map((change) => fileWeakening(file, change));
}

function goneWeakening(file: ChangedFile, what: string): Weakening {
  const message = `${BASELINE_FILE} is ${what}: what the tree already had can no longer be told from what the change brings. Put it back, or have an owner of the baseline accept it.`;
  return fileWeakening(file, { kind: "baseline-deleted", at: FIRST_LINE, message, subject: what });
}

function introduced(lines: number): Change {
  const message = `${BASELINE_FILE} is new and holds ${lines} line${lines === 1 ? "" : "s"}: what they name is permitted from now on. ${ACCEPT}`;
  return { kind: "baseline-grown", at: FIRST_LINE, message, subject: "introduced" };
}

function entriesOf(text: string | null): readonly BaselineEntry[] | null {
  if (text === null) return null;
  try {
    const read = readBaseline(text);
    return "failure" in read ? null : read.baseline.entries;
  } catch {
    return null;
  }
}

function changesOf(now: readonly BaselineEntry[], old: Baseline, files: readonly ChangedFile[]): Change[] {
  const before = new Map(files.filter((file) => file.status === "renamed").map((file) => [file.path, basePathOf(file)]));
  return now.flatMap((entry) => grownBy(entry, old, [entry.path, before.get(entry.path) ?? entry.path]));
}

/** `paths`: where the module lies, and where it lay: a renamed module keeps what it had. */
function grownBy(entry: BaselineEntry, old: Baseline, paths: readonly TreePath[]): Change[] {
  const at = { line: entry.line, column: 1, length: 1 };
  if (entry.kind === "module") {
    const more = entry.capabilities.filter((capability) => paths.every((path) => old.capabilityLine(path, capability) === null));
    if (more.length === 0) return [];
    const message = `The baseline now holds ${more.join(", ")} of ${entry.path}, which it did not hold. ${ACCEPT}`;
    return [{ kind: "baseline-grown", at, message, subject: `${entry.path} ${more.join(" ")}` }];
  }
  const count = Math.max(...paths.map((path) => old.findingCount(path, entry.rule, entry.fingerprint)));
  if (entry.count <= count) return [];
  const message = `The baseline now holds ${entry.count} finding${entry.count === 1 ? "" : "s"} of ${entry.rule} in ${entry.path} where it held ${count}. ${ACCEPT}`;
  return [{ kind: "baseline-grown", at, message, subject: `${entry.path} ${entry.rule} ${entry.fingerprint}` }];
}
