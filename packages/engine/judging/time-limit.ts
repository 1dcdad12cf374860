import vm from "node:vm";
import { codeOf } from "../errors.ts";

/** A text of fewer characters cannot keep a rule busy for long. */
const HARMLESS_CHARACTERS = 32_768;
/** Wall-clock time for all rules on one module, generous for a busy machine: a hostile module is to end, not to be fast. */
const LIMIT_MILLISECONDS = 30_000;

interface Limited {
  readonly slot: { judge: () => void };
  readonly script: vm.Script;
}

let limited: Limited | null = null;

/**
 * Runs `judge`, and stops it when a module of `characters` takes too long: rules are loops over facts, and facts are
 * written by whoever wrote the module. Only a script can be stopped from inside its process; ours is a constant call,
 * and nothing of the judged tree is run.
 *
 * @throws Error where the time was not enough (`isTimeLimit`), and what `judge` throws
 */
export function withTimeLimit(characters: number, judge: () => void, limit = LIMIT_MILLISECONDS): void {
  if (characters < HARMLESS_CHARACTERS) {
    judge();
    return;
  }
  limited ??= { slot: vm.createContext({ judge }) as Limited["slot"], script: new vm.Script("judge()") };
  limited.slot.judge = judge;
  limited.script.runInContext(limited.slot, { timeout: limit });
}

/** Whether an error says that the time was not enough. */
export function isTimeLimit(error: unknown): boolean {
  return codeOf(error) === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
