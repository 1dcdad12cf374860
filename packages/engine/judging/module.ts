import type { ModuleFacts } from "@agentgate/parsers";
import type { ReachSummary } from "@agentgate/rules/reach-summary";
import type { TreePath } from "../paths.ts";
import type { Decoded } from "../reading/decode.ts";
import type { Specifiers } from "./specifiers.ts";

/** One module of the tree, read. */
export interface Module {
  readonly path: TreePath;
  /** Id of the git blob with its bytes. */
  readonly blob: string;
  readonly text: string;
  /** Read again from their text where they were not looked at for long. */
  readonly facts: ModuleFacts;
  /** Why its facts lack types that it was to have, as the end of a sentence; null where they do not. */
  readonly untyped: string | null;
  /** What it may run, for `--reach`. */
  readonly reach: ReachSummary;
  /** By which it may load other modules. */
  readonly specifiers: Specifiers;
  /** What was wrong with its bytes. */
  readonly undecodable: Decoded["problems"];
  /** False for a module that is read only because a judged one refers to it. */
  judged: boolean;
}

/** A file that could not be read or parsed: a `not-judged` finding. `reason` is a clause, `advice` a sentence. */
export interface Failure {
  readonly path: TreePath;
  readonly severity: "error" | "warning";
  readonly reason: string;
  readonly advice: string;
}
