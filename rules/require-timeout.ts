import type { Rule, RuleMeta } from "./rule.ts";
import { requireTimeoutTechniques } from "./require-timeout-techniques.ts";
import { limitsForAll } from "./shared/timeouts/everywhere.ts";
import { timeoutFindings } from "./shared/timeouts/findings.ts";

const meta: RuleMeta = {
  id: "require-timeout",
  severity: "warning",
  summary: "A network or model call can hang for ever.",
  category: "code",
  suppressible: true,
  configurable: true,
  techniques: requireTimeoutTechniques,
};

/** Reports calls and clients of the network and of models that have no timeout: none by the library's default, or none by the code. */
export const requireTimeout: Rule = { meta, check: timeoutFindings, influences: limitsForAll };
