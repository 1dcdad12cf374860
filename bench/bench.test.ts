import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readCorpus } from "./corpus.ts";
import { measure } from "./measure.ts";

describe("measure", () => {
  it("interleaves the stages and keeps the best round of each", () => {
    let clock = 0;
    const order: string[] = [];
    const stage = (name: string, costs: number[]) => ({ name, run: () => { order.push(name); clock += costs.shift() ?? 0; return 7; } });
    const measured = measure([stage("a", [9e6, 3e6, 1e6]), stage("b", [9e6, 2e6, 4e6])], 2, () => clock);
    expect(order.join("")).toBe("ababab");
    expect(measured).toEqual([{ name: "a", seconds: 1, made: 7 }, { name: "b", seconds: 2, made: 7 }]);
  });

  it("refuses a stage that makes something else each time", () => {
    let made = 0;
    expect(() => measure([{ name: "drifting", run: () => made++ }], 1)).toThrow(/drifting made 0, then 1/);
  });
});

describe("readCorpus", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "agentgate-bench-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  it("takes the sources of both languages below a folder, and no declarations", () => {
    mkdirSync(path.join(folder, "inner"));
    for (const name of ["a.py", "b.ts", "c.d.ts", "inner/d.mjs", "e.txt"]) writeFileSync(path.join(folder, name), "x\n");
    const corpus = readCorpus(folder, [folder]);
    const names = (texts: readonly { path: string }[]): string[] => texts.map((text) => path.relative(folder, text.path));
    expect([names(corpus.python), names(corpus.ecmascript)]).toEqual([["a.py"], ["b.ts", "inner/d.mjs"]]);
  });
});
