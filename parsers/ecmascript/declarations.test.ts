import { describe, expect, it } from "vitest";
import { binding, outline, read, show, uses } from "./testing.ts";

/** What the names of a snippet's calls were looked up to: the kind of binding, or `global`. */
function kindsOfCallees(text: string): string[] {
  const facts = read(text, "jsx");
  return facts.calls.map((call) => {
    const callee = facts.values[call.callee]!;
    if (callee.kind !== "name") return callee.kind;
    return callee.binding < 0 ? "global" : `${facts.bindings[callee.binding]!.kind} ${facts.bindings[callee.binding]!.span[0]}`;
  });
}

describe("scopes", () => {
  it("hoist var and functions, not let, const and class", () => {
    expect(kindsOfCallees("f(); { var f = 1 } function g() { h(); } function h() {}")).toEqual(["variable 11", "function 50"]);
    expect(kindsOfCallees("{ let f = 1; const g = 2; class H {} function i() {} } f(); g(); H(); i();")).toEqual(["global", "global", "global", "global"]);
  });

  it("are those of blocks, loops, switches and catches", () => {
    expect(kindsOfCallees("for (const f of a) f(); f();")).toEqual(["constant 11", "global"]);
    expect(kindsOfCallees("for (let f = 0; ; f()) {} f();")).toEqual(["variable 9", "global"]);
    expect(kindsOfCallees("try {} catch (f) { f() } f();")).toEqual(["caught 14", "global"]);
    expect(kindsOfCallees("for (var f of a) {} f();")).toEqual(["variable 9"]);
  });

  it("hold parameters, and the own name of a function or class expression", () => {
    expect(kindsOfCallees("(function f(g, { h, i: [j] }, ...k) { f(); g(); h(); j(); k() }); f();")).toEqual([
      "function 10", "parameter 12", "parameter 17", "parameter 24", "parameter 33", "global",
    ]);
    expect(kindsOfCallees("x = class F { m() { F() } }; F();")).toEqual(["class 10", "global"]);
  });

  it("let a parameter or a local hide a global, wherever it is declared", () => {
    expect(kindsOfCallees("function a(fetch) { fetch() } function b() { fetch(); let c; var fetch = c } fetch()")).toEqual([
      "parameter 11", "variable 65", "global",
    ]);
  });
});

describe("what names are given", () => {
  it("by declarations and patterns", () => {
    const facts = read("const a = 1, { b, c: { d = 2 }, ['e']: f, [g]: h, ...i } = j, [k, , l = 3, ...m] = n; let o;");
    const values = Object.fromEntries(facts.bindings.map((entry) => [entry.name, entry.values.map((value) => show(facts, value))]));
    expect(values).toEqual({
      a: ["1"], b: ["j.b"], d: ["(j.c.d ?? 2)"], f: ["j.e"], h: ["j.[g]"], i: ["j"], k: ["item 0 of n"], l: ["(item 2 of n ?? 3)"], m: ["n"], o: [],
    });
  });

  it("by assignments, in source order and whatever is declared later", () => {
    const facts = read("function f() { a = 1; [a, { b: a }] = c; a ||= 2 } var a = 0; a = 3; for (a of d) {}");
    expect(binding(facts, "a").values).toEqual(["1", "item 0 of c", "item 1 of c.b", "2", "0", "3", "item any of d"]);
    expect(binding(facts, "a").rebound).toBe(false);
  });

  it("by what cannot be shown", () => {
    const facts = read("let a = 0, b = 0; a++; b += 1;");
    expect([binding(facts, "a").rebound, binding(facts, "b").rebound]).toEqual([true, true]);
    expect(binding(facts, "a").values).toEqual(["0"]);
  });

  it("by functions and their parameters", () => {
    const facts = read("function f(a, b = 1, { c = 2 } = {}, [d], ...e) {}");
    const { parameters } = facts.functions[1]!;
    expect(parameters.map((parameter) => [parameter.name, parameter.kind, show(facts, parameter.default), parameter.pattern ?? false])).toEqual([
      ["a", "positional", "none", false], ["b", "positional", "1", false], ["", "positional", "{}", true], ["", "positional", "none", true], ["e", "rest", "none", false],
    ]);
    expect(["a", "b", "c", "d", "e"].map((name) => binding(facts, name).values)).toEqual([
      ["<parameter 0>"], ["<parameter 1>"], ["(<parameter 2>.c ?? 2)"], ["item 0 of <parameter 3>"], ["<parameter 4>"],
    ]);
  });

  it("gives names to functions that have none", () => {
    const facts = read("const a = () => {}; b.c = function () {}; d = { e: () => {}, f() {}, get g() { return 1 } }; h(() => {}); class I { j = () => {}; #k() {} }");
    expect(facts.functions.map((entry) => `${entry.kind} ${entry.name}`)).toEqual([
      "module <module>", "arrow a", "function c", "arrow e", "method f", "getter g", "arrow ", "initializer ", "arrow j", "method #k",
    ]);
  });
});

describe("roles", () => {
  it("tell what names from outside are used for", () => {
    const text = "const a = fetch; b(fetch2); const { c } = axios; fetch3 = 1; delete process.env.X; process.env.Y = 2; class D extends E {} x instanceof F; const { g = fetch4 } = h(); export const i = fetch5; j ? k : l;";
    expect(uses(read(text), text)).toEqual([
      "alias fetch", "call b", "value fetch2", "alias c", "write fetch3", "write X", "write Y", "base E", "value x", "exception F", "alias g",
      "alias fetch4", "call h", "value fetch5", "value j", "value k", "value l",
    ]);
  });

  it("follow a local name through what passes the value on", () => {
    const text = "let a; a = x ? fetch : y ?? fetch2; b = await fetch3; function c(d = fetch4, { e = fetch5 }) {}";
    const found = uses(read(text), text);
    expect(found).toEqual(expect.arrayContaining(["alias fetch", "alias fetch2", "value fetch4", "value fetch5"]));
  });

  it("count no declaration and no parameter as a use", () => {
    const text = "let a; a = fetch; function f(b = fetch, { c = fetch }) {} this.x = fetch; class G { h = fetch; i() { this.h = fetch } }";
    expect(uses(read(text), text).filter((use) => !use.endsWith(" fetch"))).toEqual([]);
  });
});

describe("statements", () => {
  it("give patterns as targets", () => {
    expect(outline(read("const { a, b: [c] } = d; [e.f, g] = h;"))).toEqual(["{\"a\": a!, \"b\": [c!]} = d", "[e.f, g] = h"]);
  });

  it("evaluate defaults only where they are needed", () => {
    expect(outline(read("const { a = f() } = b;"))).toEqual(["if b.a", "else", "  call f()", "{\"a\": a!} = b"]);
    const facts = read("function f(a = g()) { h() }");
    expect(outline(facts, facts.functions[1]!.body)).toEqual(["if <parameter 0>", "else", "  call g()", "call h()", "expression h()"]);
  });
});
