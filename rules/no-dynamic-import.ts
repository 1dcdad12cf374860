import type { Rule, RuleFinding, RuleMeta } from "./rule.ts";
import { dynamicSites } from "./shared/dynamic.ts";
import { noDynamicImportTechniques } from "./no-dynamic-import-techniques.ts";

const meta: RuleMeta = {
  id: "no-dynamic-import",
  severity: "error",
  summary: "Which module or code runs is chosen at run time.",
  category: "code",
  suppressible: true,
  configurable: true,
  licensedByPorts: true,
  techniques: noDynamicImportTechniques,
};

/** Reports every place where text or data decides what is imported or run, unless the code itself shows that it is safe. */
export const noDynamicImport: Rule = {
  meta,
  check: (facts, context) =>
    dynamicSites(facts, context).flatMap((site): RuleFinding[] => {
      if (site.problem === null) return [];
      const { severity, message } = site.problem;
      return [{ severity, message, span: site.span, capability: site.capability, api: site.api, key: site.api, statement: site.statement, related: site.related }];
    }),
};
