import { functionsOf } from "@agentgate/parsers";
import type { Call, FunctionId, ModuleFacts } from "@agentgate/parsers";
import { callsApi } from "../expressions.ts";
import { idOfCall, onceFor } from "../indexes.ts";
import { isCancelled } from "./clears.ts";
import { calledName } from "./places.ts";
import { LOOPS } from "./vocabulary.ts";

/** Functions that are called in an argument of another call, or handed to it, with that call. */
const handedTo = onceFor((facts): ReadonlyMap<FunctionId, readonly Call[]> => {
  const index = new Map<FunctionId, Call[]>();
  for (const call of facts.calls) {
    for (const argument of call.arguments) {
      const value = facts.values[argument.value];
      const target = value?.kind === "call" ? facts.calls[value.call]!.callee : argument.value;
      if (value?.kind !== "call" && value?.kind !== "name" && value?.kind !== "member" && value?.kind !== "function") continue;
      for (const id of functionsOf(facts, target)) {
        const list = index.get(id);
        if (list === undefined) index.set(id, [call]);
        else list.push(call);
      }
    }
  }
  return index;
});

/** `await asyncio.wait_for(wait(), timeout=60)`: the function is ended when the time is over. */
export function isRunWithinLimit(facts: ModuleFacts, id: FunctionId): boolean {
  const calls = handedTo(facts).get(id) ?? [];
  return calls.length > 0 && calls.every((call) => callsApi(call, LOOPS.limits.runners) && call.arguments.length > 1);
}

const BACKGROUND = new Set(LOOPS.background.names);

/** `asyncio.create_task(self._refresh())`, `Thread(target=self._watch)`: it runs beside the program, and nobody waits for its end. */
export function isBackground(facts: ModuleFacts, id: FunctionId): boolean {
  return (handedTo(facts).get(id) ?? []).some((call) => BACKGROUND.has(calledName(facts, call)));
}

/** `task = asyncio.create_task(self._wait())`, and somewhere `task.cancel()`: who started it also ends it. */
export function isEndedByStarter(facts: ModuleFacts, id: FunctionId): boolean {
  const calls = (handedTo(facts).get(id) ?? []).filter((call) => BACKGROUND.has(calledName(facts, call)));
  return calls.length > 0 && calls.every((call) => isCancelled(facts, idOfCall(facts, call)));
}
