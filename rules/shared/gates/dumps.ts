import { constantsOf } from "@agentgate/parsers";
import type { FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { argumentFor } from "../arguments.ts";
import { callersOf } from "../callers.ts";
import type { Effect } from "../effects/index.ts";
import { originsOf } from "../expressions.ts";
import { testsAround } from "../statements.ts";
import { nameOf } from "./log-folders.ts";

/** By its last word: `debug`, `is_debug`, `debug_mode`. */
const DEBUGS = /(?:^|_)(?:debug|debugging|is_?debug|debug_?mode)$/i;

/** Whether a file is written for debugging only, where a flag that says so is off wherever the file tells: `if debug: …` of `debug=False`. */
export function isDebugDump(facts: ModuleFacts, { capability, call }: Effect): boolean {
  if (capability !== "fs.write") return false;
  return testsAround(facts, call).some(({ statement, outcome }) => outcome && DEBUGS.test(nameOf(facts, statement.test)) && isOff(facts, statement.test));
}

/** Off by default, by what it is given, or by all that the file's own calls hand over. */
function isOff(facts: ModuleFacts, test: ValueId, depth = DEEPEST): boolean {
  const { values, complete } = originsOf(facts, test);
  return depth > 0 && complete && values.length > 0 && values.every((origin) => {
    const value = facts.values[origin]!;
    return value.kind === "parameter" ? isHandedOff(facts, value.function, value.index, depth - 1) : isFalse(facts, origin);
  });
}

function isHandedOff(facts: ModuleFacts, id: FunctionId, index: number, depth: number): boolean {
  const subject = facts.functions[id]!;
  const parameter = subject.parameters[index];
  if (parameter === undefined) return false;
  const isOffByDefault = parameter.default !== null && isFalse(facts, parameter.default);
  const given = callersOf(facts, id).map((call) => argumentFor(facts, call, subject, index));
  if (!isOffByDefault && (given.length === 0 || given.includes("absent"))) return false;
  return given.every((each) => each === "absent" || (typeof each === "number" && isOff(facts, each, depth)));
}

const DEEPEST = 4;

function isFalse(facts: ModuleFacts, id: ValueId): boolean {
  const constants = constantsOf(facts, id);
  return constants !== null && constants.length > 0 && constants.every(({ value }) => value === false || value === null || value === 0);
}
