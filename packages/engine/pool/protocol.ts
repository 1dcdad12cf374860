import type { Dialect, ModuleKind } from "@agentgate/parsers";
import type { Specifiers } from "../judging/specifiers.ts";

/** One text to be read. */
export interface ParseJob {
  readonly dialect: Dialect;
  readonly text: string;
  /** Absent: what the text itself shows. */
  readonly moduleKind?: ModuleKind;
}

/** What became of one text. `facts` is what `encodeFacts` gives, `clean` says that all of it parsed; `reason` is a clause. */
export type ParseOutcome =
  | { readonly kind: "facts"; readonly facts: Uint8Array; readonly specifiers: Specifiers; readonly clean: boolean }
  | { readonly kind: "failed"; readonly reason: string };

/** To a child: texts to read, answered one by one in this order. */
export interface Batch {
  readonly jobs: readonly ParseJob[];
}

/** From a child: that it is ready, or the outcome of the next text. */
export type Reply = { readonly kind: "ready" } | ParseOutcome;
