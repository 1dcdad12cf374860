import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { gapsOf, missingOf, rankedNames, recorded } from "./ranked.ts";

describe("rankedNames", () => {
  it("counts names, not lines, and takes the first column", () => {
    expect(rankedNames("# by use\nstripe\t12\tpays\n\nacme-sdk 7\r\n")).toEqual([{ rank: 1, name: "stripe" }, { rank: 2, name: "acme-sdk" }]);
  });
});

describe("missingOf", () => {
  it("lists what neither the catalogue nor the record knows, by rank", () => {
    const names = rankedNames("stripe\nacme-sdk\nAcme_Stubs\ngoogle-cloud-unheard-of\nother-sdk\n");
    expect(missingOf("pypi", names, [{ rank: 1, name: "acme-stubs" }])).toEqual([{ rank: 2, name: "acme-sdk" }, { rank: 5, name: "other-sdk" }]);
  });
});

describe("gapsOf", () => {
  it("says how far the record is complete, and where it is not", () => {
    const record = [1, 2, 3, 6, 7, 9].map((rank) => ({ rank, name: "x" }));
    expect(gapsOf(record)).toEqual({ complete: 3, gaps: [[4, 5], [8, 8]] });
    expect(gapsOf([])).toEqual({ complete: 0, gaps: [] });
  });
  test.each([["npm", 2000], ["pypi", 1100]] as const)("the record of %s is complete to %i", (registry, least) => {
    expect(gapsOf(recorded(readFileSync(`rules/catalogue/downloads/${registry}.tsv`, "utf8"))).complete).toBeGreaterThanOrEqual(least);
  });
});
