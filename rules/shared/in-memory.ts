import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { argumentOf } from "./arguments.ts";
import { isApi, originsOf } from "./expressions.ts";

const BUFFERS = ["io.BytesIO", "io.StringIO", "StringIO.StringIO", "cStringIO.StringIO", "_io.BytesIO", "_io.StringIO"];
const TARGETS = ["fileobj", "file", "fp", "stream", "f", "buf"];

/** The device that keeps nothing; sources: Python's os.devnull, Node's os.devNull, POSIX. */
const NULL_DEVICES = ["os.devnull", "os.devNull"];
const NULL_PATHS: ReadonlySet<string> = new Set(["/dev/null", "NUL", "nul", "\\\\.\\nul"]);

/**
 * Whether a call that takes a file is given a buffer in memory (`image.save(buffer)`, `tarfile.open(fileobj=buffer)`) or
 * the null device (`open(os.devnull, "w")`), or is a method of what such a call gave.
 */
export function isInMemory(facts: ModuleFacts, call: Call): boolean {
  if (keepsNothing(facts, call)) return true;
  const callee = facts.values[call.callee];
  if (callee?.kind !== "member") return false;
  const origins = originsOf(facts, callee.object).values;
  return origins.length > 0 && origins.every((origin) => {
    const value = facts.values[origin];
    return value?.kind === "call" && keepsNothing(facts, facts.calls[value.call]!);
  });
}

function keepsNothing(facts: ModuleFacts, call: Call): boolean {
  return takesNullDevice(facts, call) || (facts.language === "python" && takesBuffer(facts, call));
}

function takesNullDevice(facts: ModuleFacts, call: Call): boolean {
  const target = argumentOf(facts, call, 0, "file");
  if (typeof target !== "number") return false;
  const { values, complete } = originsOf(facts, target);
  return complete && values.length > 0 && values.every((origin) => {
    const value = facts.values[origin];
    return value?.kind === "string" ? NULL_PATHS.has(value.value) : isApi(facts, origin, NULL_DEVICES);
  });
}

function takesBuffer(facts: ModuleFacts, call: Call): boolean {
  const named = TARGETS.map((name) => argumentOf(facts, call, null, name)).find((argument) => typeof argument === "number");
  const target = named ?? argumentOf(facts, call, 0, null);
  return typeof target === "number" && isBuffer(facts, target);
}

function isBuffer(facts: ModuleFacts, id: ValueId): boolean {
  const origins = originsOf(facts, id).values;
  return origins.length > 0 && origins.every((origin) => {
    const value = facts.values[origin];
    return value?.kind === "call" && isApi(facts, facts.calls[value.call]!.callee, BUFFERS);
  });
}
