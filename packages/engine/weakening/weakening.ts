import type { TreePath } from "../paths.ts";
import type { ReportPosition } from "../report.ts";

/** One way in which a change makes the gate judge less than the merge base did. */
export interface Weakening {
  /** From the closed list of `gate-weakened`. */
  readonly kind: string;
  /** Where it is reported: at head, or the old path of a deleted file. */
  readonly path: TreePath;
  readonly start: ReportPosition;
  readonly end: ReportPosition;
  /** What, why, what to do. */
  readonly message: string;
  /** What makes it the same weakening in another run: no line, no commit. */
  readonly key: string;
  /** The record that the digest is made of: `kind NUL path NUL base-blob NUL head-blob`; of a suppression path, rule, fingerprint, reason. */
  readonly record: string;
}
