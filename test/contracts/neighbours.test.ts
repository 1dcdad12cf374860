import { CONTRACT_SYSTEMS } from "@agentgate/rules/contracts";
import contractRules from "@agentgate/rules/contract-rules.json" with { type: "json" };
import path from "node:path";
import { describe, expect, it } from "vitest";
import { missingContractNeighbours } from "../../tools/contract-neighbours.ts";

const root = path.resolve(import.meta.dirname, "../..");
const [first] = CONTRACT_SYSTEMS;

describe("every contract", () => {
  it("has a module, fixtures, a page and its schemas", () => {
    expect(missingContractNeighbours(root, CONTRACT_SYSTEMS)).toEqual([]);
  });

  it("is missed where it lacks one of them", () => {
    expect(missingContractNeighbours(root, [...CONTRACT_SYSTEMS, { ...first!, id: "no-such" }])).toEqual(
      ["docs/contracts/no-such.md", "fixtures/contracts/no-such", "packages/cli/schema/no-such.schema.json", "packages/cli/schema/no-such-receipt.schema.json", "rules/contracts/no-such/index.ts"].map((file) => `no-such: ${file} is missing`),
    );
  });

  it("is listed where it has one of them", () => {
    expect(missingContractNeighbours(root, CONTRACT_SYSTEMS.slice(1))).toEqual([`${first!.id}: has a module, a page or fixtures, and rules/contracts/registry.ts does not list it`]);
  });

  it("may be spoken of by the policy, rule by rule", () => {
    expect(contractRules.filter((id) => id.startsWith(`${first!.id}/`)).length).toBeGreaterThan(10);
  });
});
