import { RULE_METAS } from "@agentgate/rules";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { missingNeighbours } from "../tools/neighbours.ts";

describe("every rule", () => {
  it("has a file, a test, fixtures and a page with its name", () => {
    expect(missingNeighbours(path.resolve(import.meta.dirname, ".."), RULE_METAS)).toEqual([]);
  });
});
