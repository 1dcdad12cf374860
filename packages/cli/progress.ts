import { canRedraw, type Surroundings } from "./terminal.ts";

const DELAY = 500;
/** A tree has more files than a terminal needs redraws. */
const REDRAW = 100;
const ERASE = "\r\u001b[K";

/** A line on a terminal's standard error that says how far the work is. */
export interface Progress {
  /** `done` of `total` files are judged. */
  readonly report: (done: number, total: number) => void;
  /** Takes the line away. Safe to call twice. */
  readonly stop: () => void;
}

const SILENT: Progress = { report: () => undefined, stop: () => undefined };

/** Shows nothing for the first half second, and nothing at all where standard error is no terminal. */
export function startProgress(around: Surroundings, wanted: boolean): Progress {
  if (!wanted || !canRedraw(around.stderr, around.env)) return SILENT;
  let text = "judging…";
  let drawn: number | null = null;
  const draw = (): void => {
    drawn = Date.now();
    around.stderr.write(`${ERASE}${text}`);
  };
  const timer = setTimeout(draw, DELAY);
  timer.unref();
  return {
    report(done, total) {
      text = `judging ${done} of ${total} files`;
      if (drawn !== null && Date.now() - drawn >= REDRAW) draw();
    },
    stop() {
      clearTimeout(timer);
      if (drawn !== null) around.stderr.write(ERASE);
      drawn = null;
    },
  };
}
