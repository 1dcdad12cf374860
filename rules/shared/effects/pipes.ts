import { referencesOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { originsOf } from "../expressions.ts";
import { chainEnd, receiverOf } from "./chain.ts";
import { answerFor } from "./answers.ts";
import type { Asked } from "./own.ts";

const RUNS = new Set(["invoke", "ainvoke", "stream", "astream", "batch", "abatch"]);
const MOST_PARTS = 32;

/** The model in a pipe that a call runs: `(prompt | model).invoke(x)`, `prompt.pipe(model).invoke(x)`. */
export function pipedModel(facts: ModuleFacts, call: Call, asked: Asked): { readonly api: string; readonly root: string } | null {
  const receiver = RUNS.has(chainEnd(facts, call.callee)) ? receiverOf(facts, call) : null;
  if (receiver === null) return null;
  const pending: ValueId[] = [receiver];
  const seen = new Set<ValueId>();
  while (pending.length > 0 && seen.size < MOST_PARTS) {
    for (const origin of originsOf(facts, pending.pop()!).values) {
      if (seen.has(origin)) continue;
      seen.add(origin);
      const parts = partsOf(facts, origin);
      pending.push(...parts);
      const model = parts.length > 0 || origin === receiver ? null : modelOf(facts, origin, asked);
      if (model !== null && seen.size > 1) return model;
    }
  }
  return null;
}

function partsOf(facts: ModuleFacts, id: ValueId): readonly ValueId[] {
  const value = facts.values[id];
  if (value?.kind === "binary" && value.operator === "|") return [value.left, value.right];
  const piped = value?.kind === "call" ? facts.calls[value.call]! : undefined;
  const callee = piped === undefined ? undefined : facts.values[piped.callee];
  if (piped === undefined || callee?.kind !== "member" || callee.property !== "pipe") return [];
  return [callee.object, ...piped.arguments.map((argument) => argument.value)];
}

function modelOf(facts: ModuleFacts, id: ValueId, asked: Asked): { readonly api: string; readonly root: string } | null {
  for (const reference of referencesOf(facts, id)) {
    if (reference.instance !== true) continue;
    for (const each of asked.ends(reference).outside) {
      const answer = answerFor(facts, null, each, asked);
      if (typeof answer !== "string" && answer.capabilities.includes("model")) return { api: answer.api, root: answer.root };
    }
  }
  return null;
}
