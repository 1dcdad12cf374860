import type { Readable } from "node:stream";
import { COLOURED, PLAIN, type Paint } from "./render/paint.ts";

/** The part of a stream that a report needs. */
export interface Output {
  write(text: string, done?: (error?: Error | null) => void): boolean;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Where the command runs: everything it takes from outside its arguments. */
export interface Surroundings {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: Readable;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** How a report is to look: `null` columns mean a pipe or a file, one line a finding. */
export interface Look {
  readonly columns: number | null;
  readonly paint: Paint;
}

export const PIPE: Look = { columns: null, paint: PLAIN };

const NARROWEST = 40;
const USUAL = 80;

function isDumb(env: Surroundings["env"]): boolean {
  return env.TERM === "dumb";
}

/** The look of a report on this stream. `NO_COLOR` counts when it is set to anything but the empty string. */
export function lookOf(stream: Output, env: Surroundings["env"], color: boolean): Look {
  if (stream.isTTY !== true) return PIPE;
  const columns = Math.max(NARROWEST, stream.columns === undefined || stream.columns === 0 ? USUAL : stream.columns);
  const coloured = color && !isDumb(env) && (env.NO_COLOR ?? "") === "";
  return { columns, paint: coloured ? COLOURED : PLAIN };
}

/** Whether a line on this stream may be drawn over. */
export function canRedraw(stream: Output, env: Surroundings["env"]): boolean {
  return stream.isTTY === true && !isDumb(env);
}
