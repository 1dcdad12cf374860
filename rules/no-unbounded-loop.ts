import type { ModuleFacts } from "@agentgate/parsers";
import { noUnboundedLoopTechniques } from "./no-unbounded-loop-techniques.ts";
import type { Rule, RuleContext, RuleFinding, RuleMeta } from "./rule.ts";
import { judgedWithinBounds } from "./shared/effects/cut-off.ts";
import { loopFindings, loopInfluences } from "./shared/loops/loops.ts";

const meta: RuleMeta = {
  id: "no-unbounded-loop",
  severity: "error",
  summary: "A loop repeats a model, tool, network, process or write call with no cap that the code enforces.",
  category: "code",
  suppressible: true,
  configurable: true,
  techniques: noUnboundedLoopTechniques,
};

/** Reports what can repeat an effect without end: loops, recursion, timers and retry helpers. */
export const noUnboundedLoop: Rule = {
  meta,
  check: (facts: ModuleFacts, context: RuleContext): RuleFinding[] => judgedWithinBounds(meta.id, facts, context, (within) => loopFindings(facts, within)),
  influences: loopInfluences,
};
