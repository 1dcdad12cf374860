import { noRuntimeInstallTechniques } from "./no-runtime-install-techniques.ts";
import type { Rule, RuleMeta } from "./rule.ts";
import { installFindings, runningFunctions } from "./shared/installs/findings.ts";

const meta: RuleMeta = {
  id: "no-runtime-install",
  severity: "error",
  summary: "A package is installed while the program runs.",
  category: "code",
  suppressible: true,
  configurable: true,
  techniques: noRuntimeInstallTechniques,
};

/** Reports calls that install packages: a package manager started as a process, or called as a module. */
export const noRuntimeInstall: Rule = { meta, check: installFindings, influences: runningFunctions };
