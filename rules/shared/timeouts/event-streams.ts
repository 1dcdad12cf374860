import type { CallId, FunctionId, ModuleFacts } from "@agentgate/parsers";

const MOST_FUNCTIONS = 16;

/**
 * Whether a call stands in a function, a class or a file that is named for a stream of events (`sse.py`, `openEventStream`):
 * the next event may come in an hour, so that no limit for the answer is what is meant.
 */
export function isEventStream(facts: ModuleFacts, path: string, id: CallId): boolean {
  if (namesEventStream(path.replace(/^.*\//, "").replace(/\.[^.]*$/, ""))) return true;
  let current: FunctionId = facts.calls[id]!.function;
  for (let step = 0; step < MOST_FUNCTIONS && current > 0; step++) {
    const { name, class: owner, parent } = facts.functions[current]!;
    if (namesEventStream(name) || namesEventStream(facts.classes[owner]?.name ?? "")) return true;
    current = parent;
  }
  return false;
}

function namesEventStream(name: string): boolean {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, "$1_$2").replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1_$2").toLowerCase().split(/[^a-z\d]+/);
  return words.includes("sse") || words.some((word, index) => (word === "event" || word === "events") && ["stream", "source"].includes(words[index + 1] ?? ""));
}
