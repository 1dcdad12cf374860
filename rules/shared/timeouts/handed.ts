import { functionsOf } from "@agentgate/parsers";
import type { Call, FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { argumentOf, parametersBefore } from "../arguments.ts";
import { originsOf } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { ownClass } from "../selves.ts";

const MOST_STEPS = 64;

/** The functions of the file that a call runs: also the constructor, where a class method makes an object (`cls(…)`, `new this(…)`). */
export function functionsCalled(facts: ModuleFacts, call: Call): readonly FunctionId[] {
  const functions = functionsOf(facts, call.callee);
  const owner = functions.length > 0 ? -1 : ownClass(facts, call.callee);
  return owner === -1 ? functions : facts.functions.flatMap((subject, id) => (subject.class === owner && CONSTRUCTORS.has(subject.name) ? [id] : []));
}

const CONSTRUCTORS = new Set(["__init__", "constructor"]);

/** What a call made, and the parameters of the file's functions that it is handed to. */
export function withParameters(facts: ModuleFacts, made: readonly ValueId[]): readonly ValueId[] {
  const found = new Set(made);
  for (const id of found) {
    if (found.size > MOST_STEPS) break;
    for (const parameter of parametersGiven(facts).get(id) ?? []) found.add(parameter);
  }
  return [...found];
}

/** By what is given, the parameters that stand for it inside the functions that are given it. */
const parametersGiven = onceFor((facts): ReadonlyMap<ValueId, readonly ValueId[]> => {
  const given = new Map<ValueId, ValueId[]>();
  for (const call of facts.calls) {
    if (call.arguments.length === 0) continue;
    for (const id of functionsCalled(facts, call)) {
      const subject = facts.functions[id]!;
      const before = parametersBefore(facts, subject);
      subject.parameters.forEach(({ name, binding, kind }, index) => {
        const [parameter] = facts.bindings[binding]?.values ?? [];
        const argument = kind === "positional" || kind === "keyword" ? argumentOf(facts, call, index - before, name) : "absent";
        if (parameter === undefined || typeof argument !== "number") return;
        for (const origin of originsOf(facts, argument).values) given.set(origin, [...(given.get(origin) ?? []), parameter]);
      });
    }
  }
  return given;
});
