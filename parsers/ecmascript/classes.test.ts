import { describe, expect, it } from "vitest";
import { outline, read, show, uses } from "./testing.ts";

function attributes(text: string): Record<string, string[]> {
  const facts = read(text);
  return Object.fromEntries(Object.entries(facts.classes[0]!.attributes).map(([name, values]) => [name, values.map((value) => show(facts, value))]));
}

describe("classes", () => {
  it("know what is assigned to their attributes", () => {
    const text = `class A { a = 1; static b = 2; #c = 3; 'd-e' = 4; [f] = 5; g;
      constructor(private h: H, readonly i = 6, j) { this.a = 7; this.#c = 8; (() => { this.k = j })(); function l() { this.m = 9 } }
      n() { this.a ||= 10; this.o += 11; ({ p: this.p } = q) } static { this.r = 12 } }`;
    expect(attributes(text)).toEqual({
      "a": ["1", "7", "10"], "b": ["2"], "#c": ["3", "8"], "d-e": ["4"], "h": ["<parameter 0>"], "i": ["<parameter 1>"], "k": ["j!"], "p": ["q.p"], "r": ["12"],
    });
  });

  it("keep names such as __proto__", () => {
    const facts = read("class A { constructor() { this.__proto__ = a; this.constructor = b } }");
    expect(Object.keys(facts.classes[0]!.attributes)).toEqual(["__proto__", "constructor"]);
  });

  it("have members by kind", () => {
    const facts = read("abstract class A { constructor() {} a() {} static async *b() {} get c() { return 1 } set c(d) {} #e() {} [f]() {} abstract g(): void; h(): void; h(i?: 1) {} }");
    expect(facts.functions.slice(1).map((entry) => `${entry.static ? "static " : ""}${entry.async ? "async " : ""}${entry.generator ? "*" : ""}${entry.kind} ${entry.name}`)).toEqual([
      "constructor constructor", "method a", "static async *method b", "getter c", "setter c", "method #e", "method ", "method g", "method h",
    ]);
    expect(facts.functions.slice(1).every((entry) => entry.class === 0)).toBe(true);
  });

  it("run their initialisers in functions of their own", () => {
    const facts = read("class A { a = f(); static b = g(); c = h(); static { i() } }");
    expect(outline(facts)).toEqual(["define class A"]);
    expect(facts.functions.slice(1).map((entry) => [entry.kind, entry.static ?? false, outline(facts, entry.body)])).toEqual([
      ["initializer", false, ["call f()", "self.a = f()", "call h()", "self.c = h()"]],
      ["initializer", true, ["call g()", "self.b = g()", "call i()", "expression i()"]],
    ]);
  });

  it("keep fields with annotations, and parameters that are fields", () => {
    const facts = read("class A { a?: B; static readonly c: D = 1; declare e: F; constructor(private g: H) {} }");
    expect(facts.classes[0]!.fields.map((field) => [field.name, show(facts, field.annotation), show(facts, field.value), field.static ?? false])).toEqual([
      ["a", "B", "none", false], ["c", "D", "1", true], ["e", "F", "none", false], ["g", "H", "none", false],
    ]);
  });

  it("construct and reach the class above by super", () => {
    const text = "import { Client } from 'm'; class A extends Client { constructor() { super({ a: 1 }); super.post() } }";
    const facts = read(text);
    expect(facts.calls.map((call) => [call.construct ?? false, call.references[0]!.path.join(".")])).toEqual([[true, "Client"], [false, "Client.post"]]);
    expect(uses(facts, text)).toEqual(["base Client", "call super", "call post"]);
    const mixed = read("class B extends mix(C) { d() { super.e() } }");
    expect(mixed.calls.map((call) => show(mixed, call.callee))).toEqual(["mix", "mix(C).e"]);
  });

  it("look their superclass up outside", () => {
    const facts = read("class A extends A2 { m(A2) { super.x(A2) } } const A2 = B;");
    expect(show(facts, facts.calls[0]!.callee)).toBe("A2!.x");
    expect(facts.calls[0]!.references).toEqual([{ module: "globalThis", path: ["B", "x"] }]);
  });

  it("apply decorators after what they decorate, the nearest first", () => {
    const facts = read("@a @b(1) class C { @d e = 2; @f() g(@h() i) {} }");
    expect(outline(facts)).toEqual([
      "call b(1)", "call @d()", "call f()", "define function g", "call @f()(function g)", "define class C", "call @b(1)(class C)", "call @a(class C)",
    ]);
    expect(facts.classes[0]!.decorators.map((value) => show(facts, value))).toEqual(["a", "b(1)"]);
  });

  it("are of no consequence where they are only declared", () => {
    const facts = read("declare class fetch { a: B } fetch()");
    expect(facts.classes).toEqual([]);
    expect(facts.calls[0]!.references).toEqual([{ module: "globalThis", path: ["fetch"] }]);
  });
});

describe("this", () => {
  it("is the object in methods and in arrow functions inside them, and unknown in other functions", () => {
    const facts = read("class A { m() { a(this); (() => b(this))(); (function () { c(this) })(); ({ d() { e(this) } }) } } f(this)");
    const shown = facts.calls.map((call) => show(facts, call.callee) + show(facts, call.arguments[0]?.value ?? null)).filter((line) => /^[a-f](self|opaque)/.test(line));
    expect(shown).toEqual(["aself", "bself", "copaque()", "eopaque()", "fopaque()"]);
  });
});
