import { RULE_METAS } from "@agentgate/rules";
import { expect, it } from "vitest";
import { BUILT_RULES, FIXED_RULES, LATER_RULES } from "./rule-names.ts";

it("knows exactly the rules that are built", () => {
  expect([...BUILT_RULES]).toEqual(RULE_METAS.map((meta) => meta.id).sort());
});

it("knows which severities are fixed", () => {
  const fixed = RULE_METAS.filter((meta) => !meta.configurable).map((meta) => meta.id);
  expect(FIXED_RULES.filter((rule) => BUILT_RULES.includes(rule))).toEqual(fixed.sort());
});

it("does not list a built rule as a later one", () => {
  expect(LATER_RULES.filter((rule) => BUILT_RULES.includes(rule))).toEqual([]);
});
