import { LINE_ONE, type JsonLine, type Mapping, type Place, type Value, readJsonLines, valueOf } from "@agentgate/parsers/contract";
import { type ContractContext, type Diagnostic, diagnostic, other } from "../contract.ts";
import { type Evidence, type EvidenceRule, evidence } from "../evidence.ts";
import type { Spot } from "../fields.ts";
import { intOf, numberOf, shown } from "../shared/values.ts";
import type { Budget, Tool } from "./index.ts";

type FixtureRule = "fixture-stop" | "fixture-network" | "fixture-tool" | "fixture-new-key" | "fixture-cap" | "syntax" | EvidenceRule;

const STOPS: readonly string[] = ["iteration_cap", "wall_clock_cap", "side_effect_budget"];

/** One line of the recording. */
class Line {
  readonly #path: string;
  readonly #mapping: Mapping;
  readonly at: Place;

  constructor(path: string, at: Place, mapping: Mapping) {
    this.#path = path;
    this.at = at;
    this.#mapping = mapping;
  }

  value(key: string): Value | undefined {
    return valueOf(this.#mapping, key);
  }

  /** What a key holds, where it is one value; null for a key that is absent, and for what has an inside. */
  plain(key: string): string | number | boolean | null {
    const value = this.value(key);
    return value?.kind === "scalar" ? value.value : null;
  }

  /** Where a key's value stands; the line where the key is absent. */
  spot(key: string): Spot {
    const value = this.value(key);
    return { path: this.#path, at: value?.at ?? this.at, key, value: this.plain(key) };
  }

  /** Whether a key is left out; null says the same. */
  lacks(key: string): boolean {
    const value = this.value(key);
    return value === undefined || (value.kind === "scalar" && value.value === null);
  }

  /** Whether a flag is anything but left out, null or false: `"true"` and 1 are meant to be true by whoever wrote them. */
  isSet(key: string): boolean {
    return !this.lacks(key) && this.plain(key) !== false;
  }
}

/** The recorded dry run: it met every stop, at the contract's bounds, without network, with the contract's tools alone. */
export function checkFixture(budget: Budget, context: ContractContext, isReportedTool: (name: string) => boolean): Diagnostic<FixtureRule>[] {
  const named = budget.run?.value.dry_run_fixture;
  const { found, value: file } = evidence(context, named);
  if (named === undefined || file === null) return [...found];
  const { lines, problems } = linesOf(file);
  if (problems.length > 0) return [...problems];
  const isListed = (name: string): boolean => budget.tools === undefined || budget.tools.value.has(name) || isReportedTool(name);
  return [...missingStops(lines, named, budget), ...lines.flatMap((line) => [
    ...unknownStop(line), ...network(line), ...unlistedTool(line, budget, isListed), ...newKey(line, budget), ...caps(line, budget),
  ])];
}

function linesOf({ path, text }: Evidence): { readonly lines: readonly Line[]; readonly problems: readonly Diagnostic<"syntax">[] } {
  if (text === null) return { lines: [], problems: [diagnostic("syntax", { path, at: LINE_ONE, key: "" }, "The recording holds bytes that are no UTF-8, so that two readers may see two runs. Record it in UTF-8.")] };
  const read = readJsonLines(text);
  return {
    problems: read.flatMap((line) => ("problem" in line.read ? [badLine(path, line.read.problem)] : [])),
    lines: read.flatMap(({ at, read: one }: JsonLine) => ("problem" in one ? [] : [new Line(path, at, one.value)])),
  };
}

function badLine(path: string, { at, message }: { readonly at: Place; readonly message: string }): Diagnostic<"syntax"> {
  return diagnostic("syntax", { path, at, key: "line" }, `${message} Each line of the recording is one JSON object: record the run again.`);
}

function missingStops(lines: readonly Line[], named: Spot, budget: Budget): Diagnostic<"fixture-stop">[] {
  const met = new Set(lines.map((line) => line.plain("stop_reason")));
  const wanted = STOPS.filter((stop) => stop !== "side_effect_budget" || mayWrite(budget));
  return wanted.filter((stop) => !met.has(stop)).map((stop) => ({
    ...diagnostic("fixture-stop", { ...named, value: stop }, `The dry run never stops for ${stop}, so nobody has seen that it would. Record a run that meets it.`), each: stop,
  }));
}

/** Whether the write budget can ever be spent: a loop without an unsafe_write cannot record that stop. */
function mayWrite({ tools }: Budget): boolean {
  const kinds = [...(tools?.value.values() ?? [])].map(({ value }) => value.class?.value);
  return tools === undefined || kinds.some((kind) => kind === undefined || kind === "unsafe_write");
}

function unknownStop(line: Line): Diagnostic<"fixture-stop">[] {
  const reason = line.plain("stop_reason");
  if (line.lacks("stop_reason") || (typeof reason === "string" && STOPS.includes(reason))) return [];
  return [diagnostic("fixture-stop", line.spot("stop_reason"), `This stop is none of ${STOPS.join(", ")}: the loop ended for a reason that the contract does not bound. Record the run with the contract's loop.`)];
}

function network(line: Line): Diagnostic<"fixture-network">[] {
  if (line.plain("network") === false) return [];
  const what = line.value("network") === undefined ? "does not say whether it used the network" : "does not say `network: false`";
  return [diagnostic("fixture-network", line.spot("network"), `This line ${what}, and a dry run uses none. Record the run without network.`)];
}

function toolOf(line: Line, { tools }: Budget): Tool | undefined {
  const name = line.plain("tool");
  return typeof name === "string" ? tools?.value.get(name) : undefined;
}

function unlistedTool(line: Line, { tools }: Budget, isListed: (name: string) => boolean): Diagnostic<"fixture-tool">[] {
  const name = line.plain("tool");
  if (line.lacks("tool")) return [];
  if (typeof name === "string" && isListed(name)) return [];
  const what = typeof name === "string" ? `The tool ${shown(name)}` : "This";
  return [diagnostic("fixture-tool", line.spot("tool"), `${what} is none of \`tools\`, so the run shows another loop than this one. List the tool with its class, or record the run again.`, tools === undefined ? [] : [other(tools, "the tools")])];
}

function newKey(line: Line, budget: Budget): Diagnostic<"fixture-new-key">[] {
  if (toolOf(line, budget)?.value.class?.value !== "unsafe_write" || !line.isSet("attempted") || !line.isSet("retry_with_new_key")) return [];
  return [diagnostic("fixture-new-key", line.spot("retry_with_new_key"), "An unsafe_write was attempted and tried again with a new key: the other side takes it for another write. Stop after the attempt.")];
}

/** Each stop happened where the contract says, so that a raised bound needs a new recording. */
function caps(line: Line, budget: Budget): Diagnostic<"fixture-cap">[] {
  switch (line.plain("stop_reason")) {
    case "iteration_cap":
      return iterationCap(line, budget);
    case "wall_clock_cap":
      return clockCap(line, budget);
    case "side_effect_budget":
      return writeCap(line, budget);
    default:
      return [];
  }
}

function iterationCap(line: Line, { run }: Budget): Diagnostic<"fixture-cap">[] {
  const cap = run?.value.max_iterations;
  const value = line.value("iterations");
  if (cap === undefined || (value?.kind === "scalar" && intOf(value) === cap.value)) return [];
  return [diagnostic("fixture-cap", line.spot("iterations"), `The run stopped for its turns at another number than \`run.max_iterations\`, ${cap.value}: it shows another cap. Record it again.`, [other(cap, "the cap")])];
}

function clockCap(line: Line, { run }: Budget): Diagnostic<"fixture-cap">[] {
  const cap = run?.value.max_wall_clock_seconds;
  const value = line.value("elapsed_ms");
  const elapsed = value?.kind === "scalar" ? numberOf(value) : null;
  if (cap === undefined || (elapsed !== null && elapsed >= cap.value * 1000)) return [];
  return [diagnostic("fixture-cap", line.spot("elapsed_ms"), `The run stopped for its time before \`run.max_wall_clock_seconds\`, ${cap.value}, were over: it shows another cap. Record it again.`, [other(cap, "the cap")])];
}

function writeCap(line: Line, budget: Budget): Diagnostic<"fixture-cap">[] {
  const tool = isNoUnsafeWrite(line, budget) ? [diagnostic("fixture-cap", line.spot("tool"), "The run stopped for its writes at something that is no unsafe_write, so it does not show what the budget counts. Record a run that stops at one.")] : [];
  if (line.plain("attempted") === true) return tool;
  return [...tool, diagnostic("fixture-cap", line.spot("attempted"), "The run stopped for its writes without an attempt: a write is spent on the attempt, not on its success. Record a run that counts attempts.")];
}

/** A tool that is not listed, and one whose class was reported, are no matter of the stop. */
function isNoUnsafeWrite(line: Line, budget: Budget): boolean {
  if (line.lacks("tool")) return true;
  const kind = toolOf(line, budget)?.value.class;
  return kind !== undefined && kind.value !== "unsafe_write";
}
