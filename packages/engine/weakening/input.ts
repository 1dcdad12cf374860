import type { RuleContext } from "@agentgate/rules";
import type { ChangedFile, Difference, Side } from "../change/change.ts";
import type { TreePath } from "../paths.ts";
import type { Policy } from "../policy/policy.ts";

/** What one directive of a module suppresses on one side. */
export interface Suppressed {
  readonly rule: string;
  /** Of the finding; empty where the directive suppresses nothing. */
  readonly fingerprint: string;
  readonly reason: string;
  readonly owner: string;
  /** Of the directive or of the finding, 1-based. */
  readonly line: number;
}

/** What the weakenings of one merge base are found in. */
export interface WeakeningInput {
  /** The merge base against head. */
  readonly difference: Difference;
  /** In force: the one at the tip of the base. It says what is judged. */
  readonly policy: Policy;
  /** Where the policy lies: `agentgate.yml`, or the file inside the tree that `--config` names. */
  readonly policyPath: TreePath;
  /** What the directives of a changed module suppress on a side. Those that suppress nothing may be left out. */
  readonly suppressed: (side: "base" | "head", path: TreePath) => readonly Suppressed[];
  /** How rules see a changed module on a side, its tree at hand; null or absent where it was not judged there: its names alone tell then. */
  readonly contextOf?: (side: "base" | "head", path: TreePath) => RuleContext | null;
  /** The text of the baseline on a side, which may be larger than what a side reads. */
  readonly baselineText?: (side: "base" | "head") => Promise<string | null>;
}

/** Where a file lay at the base. */
export function basePathOf(file: ChangedFile): TreePath {
  return file.basePath ?? file.path;
}

/** The text of a changed file at head; null also where it is deleted. */
export async function headText(head: Side, file: ChangedFile): Promise<string | null> {
  return file.status === "deleted" ? null : head.text(file.path);
}

/** The text of a changed file at the base; null also where it is added. */
export async function baseText(base: Side, file: ChangedFile): Promise<string | null> {
  return file.basePath === null ? null : base.text(file.basePath);
}
