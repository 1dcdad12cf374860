import path from "node:path";
import { Failure, notInThisVersion } from "../failure.ts";
import { printable } from "../render/printable.ts";
import { closest } from "./suggest.ts";

/** One report of a run: a format, and a file or standard output. */
export interface OutputTarget<F extends string> {
  readonly format: F;
  readonly file: string | null;
}

export interface Formats<F extends string> {
  readonly built: readonly F[];
  readonly later: readonly string[];
  /** What is used when no format is named. */
  readonly usual: F;
}

export const CHECK_FORMATS = {
  built: ["stylish", "json", "sarif"],
  later: ["github", "gitlab", "junit", "markdown", "agent"],
  usual: "stylish",
} as const satisfies Formats<string>;

export const CAPS_FORMATS = { built: ["table", "json", "html"], later: [], usual: "table" } as const satisfies Formats<string>;

export const DIFF_FORMATS = { built: ["markdown", "json", "html"], later: [], usual: "markdown" } as const satisfies Formats<string>;

/** `explain` and `init` print prose only. */
export const TEXT_FORMATS = { built: ["stylish"], later: [], usual: "stylish" } as const satisfies Formats<string>;

function formatOf<F extends string>(name: string, formats: Formats<F>): F {
  const built = formats.built.find((format) => format === name);
  if (built !== undefined) return built;
  const all = [...formats.built, ...formats.later];
  if (formats.later.includes(name)) throw notInThisVersion(`the format ${name}`, `Use one of: ${formats.built.join(", ")}.`);
  const near = closest(name, all);
  throw new Failure(
    `there is no format "${printable(name)}" here`,
    near === null ? `Use one of: ${formats.built.join(", ")}.` : `Did you mean ${near}?`,
  );
}

function targetOf<F extends string>(value: string, output: string | null, formats: Formats<F>): OutputTarget<F> {
  const at = value.indexOf("=");
  if (at < 0) return { format: formatOf(value, formats), file: output };
  const file = value.slice(at + 1);
  if (file === "" || file.includes("\0")) throw new Failure(`--format ${printable(value)} names no file`, "Write --format json=report.json, or leave out the =.");
  return { format: formatOf(value.slice(0, at), formats), file };
}

/**
 * The reports of a run, from `--format` (repeatable, `name` or `name=FILE`) and `--output`, which takes the place of
 * standard output.
 *
 * @throws Failure for a format that is unknown or not built, and for two reports in one place
 */
export function outputsOf<F extends string>(values: readonly string[], output: string | null, formats: Formats<F>, cwd: string): OutputTarget<F>[] {
  const targets = (values.length === 0 ? [formats.usual] : values).map((value) => targetOf(value, output, formats));
  if (output !== null && targets.every((target) => target.file !== output)) {
    throw new Failure(`--output ${printable(output)} has no report to hold: every --format names its own file`, "Leave out --output, or the =FILE of one format.");
  }
  const places = new Set<string>();
  for (const { format, file } of targets) {
    const place = file === null ? "" : path.resolve(cwd, file);
    if (places.has(place)) {
      throw new Failure(`two reports go to ${file === null ? "standard output" : printable(file)}`, `Give one of them a file of its own: --format ${format}=FILE.`);
    }
    places.add(place);
  }
  return targets;
}
