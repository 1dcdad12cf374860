import { describe, expect, it } from "vitest";
import { FactsBuilder } from "./builder.ts";
import { finishFacts } from "./link.ts";
import type { Value } from "../facts.ts";

function bindingOf(value: Value | undefined): number {
  if (value?.kind !== "name") throw new Error("not a name");
  return value.binding;
}

describe("names are looked up by scope", () => {
  it("finds the nearest declaration, and -1 where there is none", () => {
    const builder = new FactsBuilder("ecmascript", "javascript", [0], 100);
    const outer = builder.declare("x", "variable", [0, 1]);
    const block = builder.openScope("block");
    const inner = builder.declare("x", "variable", [10, 11], block);
    const [a, b, c] = [builder.name("x", [20, 21], block), builder.name("x", [30, 31]), builder.name("fetch", [40, 45])];
    const { values } = finishFacts(builder);
    expect([a, b, c].map((id) => bindingOf(values[id]))).toEqual([inner, outer, -1]);
  });

  it("hides a Python class's names from the functions in it", () => {
    const builder = new FactsBuilder("python", "python", [0], 100);
    const outer = builder.declare("x", "variable", [0, 1]);
    const body = builder.openScope("class");
    const field = builder.declare("x", "variable", [10, 11], body);
    const method = builder.openScope("function", body);
    const [a, b] = [builder.name("x", [20, 21], body), builder.name("x", [30, 31], method)];
    const { values } = finishFacts(builder);
    expect([a, b].map((id) => bindingOf(values[id]))).toEqual([field, outer]);
  });

  it("takes names of Object.prototype for ordinary ones", () => {
    const builder = new FactsBuilder("python", "python", [0], 100);
    const [a, b] = [builder.name("__proto__", [20, 29]), builder.name("constructor", [30, 41])];
    const declared = builder.declare("constructor", "variable", [0, 11]);
    const { values } = finishFacts(builder);
    expect([a, b].map((id) => bindingOf(values[id]))).toEqual([-1, declared]);
  });

  it("keeps finding names that many scopes declare", () => {
    const builder = new FactsBuilder("ecmascript", "javascript", [0], 100);
    const expected: number[] = [];
    const names: number[] = [];
    for (let index = 0; index < 20; index++) {
      const scope = builder.openScope("function", 0);
      expected.push(builder.declare("x", "variable", [index, index + 1], scope));
      names.push(builder.name("x", [50, 51], scope));
    }
    const { values } = finishFacts(builder);
    expect(names.map((id) => bindingOf(values[id]))).toEqual(expected);
  });
});
