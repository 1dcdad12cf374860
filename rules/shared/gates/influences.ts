import type { ModuleFacts } from "@agentgate/parsers";
import type { Influence, RuleContext } from "../../rule.ts";
import { declaredDefinitionIn, definitionIn } from "./definitions.ts";
import { gateNames } from "./gate.ts";

/**
 * What of a module decides about those that import it: the gates that it defines. Which calls it makes decides about what
 * it imports itself.
 */
export function gateInfluences(facts: ModuleFacts, context: RuleContext): readonly Influence[] {
  return gateNames(context).flatMap(({ name, declared }): Influence[] => {
    const definition = declared === null ? definitionIn(facts, name) : declaredDefinitionIn(facts, name);
    if (definition === null || (declared === null && !definition.runs)) return [];
    return [{ name, key: `gate ${name} ${definition.functions.length > 0 ? "function" : "class"} ${definition.runs ? "runs" : "keeps"}`, span: definition.span }];
  });
}
