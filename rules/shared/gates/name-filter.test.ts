import { describe, expect, it } from "vitest";
import { hashOf, NameFilter } from "./name-filter.ts";

const names = (prefix: string, count: number): readonly string[] => Array.from({ length: count }, (_, index) => `${prefix}_${String(index)}`);

describe("the names of a module", () => {
  it.each([0, 1, 7, 500, 20_000])("are all held, of %i", (count) => {
    const written = names("save", count);
    const filter = new NameFilter(new Set(written));
    expect(written.filter((name) => !filter.mayHold(hashOf(name)))).toEqual([]);
  });

  it("seem to be held by few of others", () => {
    const filter = new NameFilter(new Set(names("save", 2000)));
    expect(names("load", 2000).filter((name) => filter.mayHold(hashOf(name))).length).toBeLessThan(200);
    expect(new NameFilter(new Set()).mayHold(hashOf("save"))).toBe(false);
  });

  it("may be in any script, and those of the object prototype", () => {
    const written = ["__proto__", "constructor", "größe", "保存", "𝒔𝒂𝒗𝒆", ""];
    const filter = new NameFilter(new Set(written));
    expect(written.every((name) => filter.mayHold(hashOf(name)))).toBe(true);
  });
});
