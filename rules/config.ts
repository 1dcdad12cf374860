import type { RuleMeta } from "./rule.ts";

export const config: RuleMeta = {
  id: "config",
  severity: "error",
  summary: "A key of `agentgate.yml` is unknown or has a value that it cannot have, so that it counts as absent.",
  category: "policy",
  suppressible: false,
  configurable: false,
  techniques: [
    { name: "unknown-key", summary: "A key that agentgate does not know.", kind: "true" },
    { name: "wrong-type", summary: "A value of another type than the key takes.", kind: "true" },
    { name: "bad-glob", summary: "A glob that can match nothing in the tree, or is malformed.", kind: "true" },
    { name: "bad-owner", summary: "An owner that is no person or team.", kind: "true" },
    { name: "bad-date", summary: "A date that is not in the calendar.", kind: "true" },
    { name: "unknown-rule", summary: "A severity for a rule that does not exist, or that keeps its severity.", kind: "true" },
    { name: "later-rule", summary: "A severity for a rule that this version does not judge by.", kind: "true" },
    { name: "later-rule-off", summary: "A rule that this version does not judge by, switched off: it asks for nothing.", kind: "look-alike" },
    { name: "nested-policy", summary: "An `agentgate.yml` below the root.", kind: "true" },
    { name: "later-key", summary: "A key whose effect comes in a later version.", kind: "look-alike" },
  ],
};
