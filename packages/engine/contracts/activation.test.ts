import { CONTRACT_SYSTEMS } from "@agentgate/rules/contracts";
import { expect, it } from "vitest";
import { CONTRACTS } from "../policy/schema.ts";
import places from "../weakening/contract-places.json" with { type: "json" };

it("finds a contract where gate-weakened guards it", () => {
  for (const { id, place } of CONTRACT_SYSTEMS) {
    const guarded = places[id as keyof typeof places];
    expect(guarded.files.some((file) => file === place || (place.endsWith("/") && [...guarded.files, ...guarded.evidence].some((one) => one.startsWith(place)))), id).toBe(true);
  }
});

it("judges only contracts that the policy may name", () => {
  expect(CONTRACT_SYSTEMS.map(({ id }) => id).filter((id) => !CONTRACTS.includes(id))).toEqual([]);
});
