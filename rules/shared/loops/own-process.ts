import { referencesOf } from "@agentgate/parsers";
import type { ModuleFacts, ValueId } from "@agentgate/parsers";
import { bare } from "../expressions.ts";
import { leavesForGood } from "./process-ends.ts";
import { calledName, methodOf } from "./places.ts";
import type { LoopSite } from "./sites.ts";
import { LOOPS } from "./vocabulary.ts";
import { wordsOf } from "./words.ts";

/**
 * Whether each round of a loop looks whether a process of the program's own still lives, and leaves when it does not:
 * what waits for a server that it started ends with it. `if process.poll() is not None: raise`.
 */
export function endsWithProcess(facts: ModuleFacts, { loop }: LoopSite): boolean {
  if (loop.test !== null && saysEnded(facts, loop.test, false, 0)) return true;
  return loop.body.some((statement) => {
    if (statement.kind !== "test") return false;
    return (leavesForGood(facts, statement.then) && saysEnded(facts, statement.test, true, 0)) || (leavesForGood(facts, statement.else) && saysEnded(facts, statement.test, false, 0));
  });
}

const MAX_DEPTH = 12;
const SAME: ReadonlySet<string> = new Set(["is", "==", "==="]);
const OTHER: ReadonlySet<string> = new Set(["is not", "!=", "!=="]);

/** Whether a test comes out so as soon as the process has ended. */
function saysEnded(facts: ModuleFacts, id: ValueId, outcome: boolean, depth: number): boolean {
  const value = facts.values[bare(facts, id)];
  if (value === undefined || depth > MAX_DEPTH) return false;
  if (value.kind === "unary") return value.operator === "not" && saysEnded(facts, value.value, !outcome, depth + 1);
  if (value.kind === "call") return !outcome && wordsOf(calledName(facts, facts.calls[value.call]!)).at(-1) === "alive";
  if (value.kind === "logical") {
    const [left, right] = [saysEnded(facts, value.left, outcome, depth + 1), saysEnded(facts, value.right, outcome, depth + 1)];
    return (value.operator === "or") === outcome ? left || right : left && right;
  }
  if (value.kind !== "binary" || !isNothing(facts, value.right)) return false;
  return (outcome ? OTHER : SAME).has(value.operator) && isExitCode(facts, value.left);
}

function isNothing(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  return value?.kind === "constant" && value.value === null;
}

const CODES = new Set(LOOPS.processes.codes);
const POLLS = new Set(LOOPS.processes.polls);
const NAMED = new Set(LOOPS.processes.named);
const CLASSES = new Set(LOOPS.processes.classes);

/** `child.exitCode`, `process.poll()`, or a name for it. */
function isExitCode(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "assigned") return isExitCode(facts, value.value);
  if (value?.kind === "member") return value.property !== null && CODES.has(value.property);
  if (value?.kind === "name") {
    const given = facts.bindings[value.binding]?.values ?? [];
    return given.length === 1 && facts.values[bare(facts, given[0]!)]?.kind === "call" && isExitCode(facts, given[0]!);
  }
  const call = value?.kind === "call" ? facts.calls[value.call]! : undefined;
  const method = call === undefined ? null : methodOf(facts, call);
  return method !== null && POLLS.has(method.name) && call!.arguments.length === 0 && isProcess(facts, method.object);
}

function isProcess(facts: ModuleFacts, id: ValueId): boolean {
  if (referencesOf(facts, id).some(({ module, path }) => CLASSES.has([module, ...path].join(".")))) return true;
  const value = facts.values[bare(facts, id)];
  const name = value?.kind === "name" ? value.name : value?.kind === "member" ? value.property ?? "" : "";
  return wordsOf(name).some((word) => NAMED.has(word));
}
