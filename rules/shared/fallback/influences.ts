import type { ModuleFacts } from "@agentgate/parsers";
import type { Influence, RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";

/** What importers' fallbacks depend on: functions that talk to a model or a host, and the names of what they take. */
export function talkInfluences(facts: ModuleFacts, context: RuleContext): readonly Influence[] {
  const effects = effectsOf(facts, context);
  return facts.functions.flatMap((subject, id): readonly Influence[] => {
    if (id === 0 || subject.name === "") return [];
    const capabilities = new Set(effects.reachedByFunction(id).map(({ effect }) => effect.capability).filter((capability) => capability === "net" || capability === "model"));
    if (capabilities.size === 0) return [];
    const parameters = subject.parameters.map((parameter) => parameter.name).join();
    return [{ name: subject.name, key: `${[...capabilities].sort().join()} ${parameters}`, span: subject.nameSpan }];
  });
}
