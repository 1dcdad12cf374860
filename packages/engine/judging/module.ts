import type { ModuleFacts } from "@agentgate/parsers";
import type { TreePath } from "../paths.ts";
import type { Decoded } from "../reading/decode.ts";

/** One module of the tree, read. */
export interface Module {
  readonly path: TreePath;
  readonly text: string;
  readonly facts: ModuleFacts;
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
