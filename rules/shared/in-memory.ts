import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { argumentOf } from "./arguments.ts";
import { isApi, originsOf } from "./expressions.ts";

const BUFFERS = ["io.BytesIO", "io.StringIO", "StringIO.StringIO", "cStringIO.StringIO", "_io.BytesIO", "_io.StringIO"];
const TARGETS = ["fileobj", "file", "fp", "stream", "f", "buf"];

/**
 * Whether a call that takes a file is given a buffer in memory (`image.save(buffer)`, `tarfile.open(fileobj=buffer)`),
 * or is a method of what such a call gave.
 */
export function isInMemory(facts: ModuleFacts, call: Call): boolean {
  if (facts.language !== "python") return false;
  if (takesBuffer(facts, call)) return true;
  const callee = facts.values[call.callee];
  if (callee?.kind !== "member") return false;
  const origins = originsOf(facts, callee.object).values;
  return origins.length > 0 && origins.every((origin) => {
    const value = facts.values[origin];
    return value?.kind === "call" && takesBuffer(facts, facts.calls[value.call]!);
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
