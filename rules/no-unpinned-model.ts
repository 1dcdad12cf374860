import { onOneLine } from "@agentgate/parsers";
import type { ModuleFacts } from "@agentgate/parsers";
import { noUnpinnedModelTechniques } from "./no-unpinned-model-techniques.ts";
import type { Influence, Rule, RuleContext, RuleFinding, RuleMeta } from "./rule.ts";
import { statementAround } from "./shared/models/statement.ts";
import { exportedModels } from "./shared/models/influences.ts";
import { unpinnedModels } from "./shared/models/judged.ts";

const meta: RuleMeta = {
  id: "no-unpinned-model",
  severity: "error",
  summary: "The model that runs is decided by a default in the code or by a name that does not fix one model.",
  category: "code",
  suppressible: true,
  configurable: true,
  techniques: noUnpinnedModelTechniques,
};

function check(facts: ModuleFacts, context: RuleContext): RuleFinding[] {
  return unpinnedModels(facts, context).map(({ severity, message, key, span, related }) => ({
    severity, message, key, span: onOneLine(facts.lines, span), capability: "model", api: null, statement: statementAround(facts, span[0]), related,
  }));
}

/** Reports every literal that decides which model runs: as a default, or as a name that does not stay one model. */
export const noUnpinnedModel: Rule = {
  meta,
  check,
  influences: (facts): readonly Influence[] => exportedModels(facts),
};
