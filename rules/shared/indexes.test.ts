import { parsePython } from "@agentgate/parsers";
import { describe, expect, it } from "vitest";
import { onceFor } from "./indexes.ts";

describe("onceFor", () => {
  it("builds once for each record of facts, frozen ones too, and leaves no trace on them", () => {
    let built = 0;
    const count = onceFor(() => ({ number: built++ }));
    const plain = parsePython("import os\n");
    const frozen = Object.freeze(parsePython("import os\n"));
    const before = JSON.stringify(plain);
    expect([count(plain), count(frozen), count(plain), count(frozen)].map((each) => each.number)).toEqual([0, 1, 0, 1]);
    expect(JSON.stringify(plain)).toBe(before);
    expect(count({ ...plain }).number).toBe(2);
  });

  it("keeps the answers of different questions apart, of one first asked late too", () => {
    const facts = parsePython("x = 1\n");
    const first = onceFor(() => ["first"]);
    expect(first(facts)).toEqual(["first"]);
    const second = onceFor(() => ["second"]);
    expect([second(facts), first(facts)]).toEqual([["second"], ["first"]]);
  });
});
