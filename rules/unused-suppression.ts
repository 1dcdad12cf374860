import type { RuleMeta } from "./rule.ts";

export const unusedSuppression: RuleMeta = {
  id: "unused-suppression",
  severity: "warning",
  summary: "A suppression comment suppresses nothing, or cannot.",
  category: "policy",
  suppressible: true,
  configurable: true,
  techniques: [
    { name: "nothing-there", summary: "No finding of the rule on its line or the line below.", kind: "true" },
    { name: "unknown-rule", summary: "It names a rule that does not exist.", kind: "true" },
    { name: "no-reason", summary: "It gives no reason.", kind: "true" },
    { name: "no-owner", summary: "It names no person or team.", kind: "true" },
    { name: "unsuppressible", summary: "It names a rule that cannot be suppressed.", kind: "true" },
    { name: "in-a-string", summary: "The same text in a string is no comment.", kind: "look-alike" },
    { name: "part-of-the-tree", summary: "Only a part of the tree was judged.", kind: "look-alike" },
    { name: "rule-off", summary: "The rule it names is off.", kind: "look-alike" },
  ],
};
