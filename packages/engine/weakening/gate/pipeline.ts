import type { Located } from "../../policy/located.ts";
import { linesOf, placeOfLine, placeOfValue } from "../place.ts";
import type { Place } from "../record.ts";
import type { GateCommand, Launchers } from "./command.ts";
import { runsIn } from "./script.ts";
import type { Setting } from "./settings.ts";

/** One place where a job runs the gate: a command of a script, or a step that uses an action. */
export interface GateRun {
  readonly at: Place;
  /** Null where an action or a called workflow runs it. */
  readonly command: GateCommand | null;
  /** What it runs and with what, without layout: equal text is the same run. */
  readonly text: string;
  readonly settings: readonly Setting[];
}

/** A job of a workflow, whether it runs the gate or not. */
export interface Job {
  readonly id: string;
  /** What a required check is called. */
  readonly checkName: string;
  readonly at: Place;
  readonly runs: readonly GateRun[];
  /** Of the job as a whole. */
  readonly settings: readonly Setting[];
}

/** A workflow file of any system. */
export interface Pipeline {
  readonly jobs: readonly Job[];
  /** Of the file as a whole: its events and filters, its environment. */
  readonly settings: readonly Setting[];
  /** Values that the runs cover, so that nobody else compares them. */
  readonly covered: ReadonlySet<Located>;
}

/** What reading a workflow needs to know of the rest of its side. */
export interface PipelineContext {
  readonly launchers: Launchers;
  /** Text of the file, for places. */
  readonly text: string;
  /** Whether an action or workflow of the tree, as `uses` names it, runs the gate. */
  readonly runsGateBy: (uses: string) => boolean;
}

/** The runs of the gate in a script that stands in a YAML value. */
export function scriptRuns(script: Located, context: PipelineContext): GateRun[] {
  if (script.kind !== "scalar" || typeof script.value !== "string") return [];
  const first = firstLineOf(script, context.text);
  const lines = first === null ? [] : linesOf(context.text);
  const placeOf = (line: number): Place => (first === null ? placeOfValue(script) : placeOfLine(lines, first + line));
  return runsIn(script.value, context.launchers, placeOf).map(({ command, settings }) => ({ at: placeOf(command.from.line), command, text: command.text, settings }));
}

/** The line on which a block scalar's text begins; null for a value on one line. */
function firstLineOf(value: Located, text: string): number | null {
  const line = lineOf(text, value.line);
  return /^[|>]/.test(line.slice(value.column - 1)) ? value.line + 1 : null;
}

function lineOf(text: string, line: number): string {
  let start = 0;
  for (let index = 1; index < line; index++) {
    const end = text.indexOf("\n", start);
    if (end === -1) return "";
    start = end + 1;
  }
  const stop = text.indexOf("\n", start);
  return text.slice(start, stop === -1 ? undefined : stop);
}
