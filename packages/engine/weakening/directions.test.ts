import { RULE_METAS } from "@agentgate/rules";
import { describe, expect, it } from "vitest";
import { POLICY_SCHEMA } from "../policy/schema.ts";
import { POLICY_DIRECTIONS, schemaPaths } from "./directions.ts";

describe("the directions of the policy's keys", () => {
  it("name every key of the schema and no other", () => {
    expect([...POLICY_DIRECTIONS.keys()].sort()).toEqual(schemaPaths(POLICY_SCHEMA));
  });

  it("say in a sentence which way loosens", () => {
    for (const [key, { loosens }] of POLICY_DIRECTIONS) expect(loosens, key).toMatch(/^[A-Z].*\.$/);
  });

  it("are enough while no rule has options: any change of options counts as looser", () => {
    expect(RULE_METAS.filter((meta) => meta.options !== undefined).map((meta) => meta.id)).toEqual([]);
  });
});
