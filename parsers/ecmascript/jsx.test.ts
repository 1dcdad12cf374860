import { describe, expect, it } from "vitest";
import { outline, read, uses } from "./testing.ts";

describe("jsx", () => {
  it("uses components, and reads attributes and children", () => {
    const text = "x = <A.B c={f()} d='e' {...g} h i:j='k'><div l={m}>text {n()} {/* nothing */}</div><O /><></></A.B>;";
    const facts = read(text, "tsx");
    expect(outline(facts)).toEqual([
      "call f()", "call n()",
      "x = opaque(A.B, {\"c\": f(), \"d\": \"e\", ...g, \"h\": true, \"i:j\": \"k\"}, opaque({\"l\": m}, n()), opaque(O), opaque())",
    ]);
    expect(uses(facts, text)).toEqual(["write x", "value B", "call f", "value g", "value m", "call n", "value O"]);
  });

  it("stands in every kind of JavaScript", () => {
    expect(outline(read("x = <A/>", "javascript"))).toEqual(["x = opaque(A)"]);
    expect(outline(read("x = <A<B>/>", "tsx"))).toEqual(["x = opaque(A)"]);
  });

  it("knows `this` in a name", () => {
    const facts = read("class A { m() { return <this.b /> } }", "jsx");
    expect(outline(facts, facts.functions[1]!.body)).toEqual(["return opaque(self.b)"]);
  });
});
