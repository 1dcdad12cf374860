import { describe, expect, it } from "vitest";
import { Sample } from "./testing.ts";

describe("scopes", () => {
  it("hide a class's names from its methods", () => {
    expect(new Sample("class A:\n  x = 1\n  y = x\n  def f(self): return x\n").scopesOf("x")).toEqual(["class", "class", "outside"]);
  });

  it("evaluate the first iterable of a comprehension around it, and the rest inside", () => {
    expect(new Sample("class A:\n  b = []\n  c = [(b, a) for a in b for d in a]\n").scopesOf("b")).toEqual(["class", "class", "outside"]);
    expect(new Sample("x = [a for a in a]\n").scopesOf("a")).toEqual(["outside", "comprehension", "comprehension"]);
  });

  it("bind a walrus outside of the comprehension", () => {
    expect(new Sample("def f():\n  [(last := a) for a in b]\n  return last\n").scopesOf("last")).toEqual(["function", "function"]);
  });

  it("follow global and nonlocal", () => {
    const source = "def f():\n  n = 1\n  def g():\n    global a\n    nonlocal n\n    a = n = 2\n  return n\n";
    const sample = new Sample(source);
    expect(sample.scopesOf("a")).toEqual(["module"]);
    expect(sample.given("n")).toEqual([["1", "2"]]);
    expect(sample.facts.bindings.filter((binding) => binding.rebound).map((binding) => binding.name)).toEqual(["n", "a"]);
  });

  it("evaluate defaults and annotations around the function", () => {
    const sample = new Sample("def f(a, b=a, *c: d, e=e): pass\n");
    expect(sample.scopesOf("a")).toEqual(["outside"]);
    expect(sample.scopesOf("e")).toEqual(["outside"]);
  });

  it("hold type parameters between a definition and what is around it", () => {
    const sample = new Sample("class A[T: int]:\n  x: T\n  def f[U](self, y: U, z: T) -> U: return U\ntype L[V] = list[V]\n");
    expect([...sample.scopesOf("T"), ...sample.scopesOf("U"), ...sample.scopesOf("V")]).toEqual(["block", "block", "block", "block", "block", "block"]);
  });

  it("compare names after NFKC", () => {
    const sample = new Sample("import os\nｏｓ.ｓystem(x)\n");
    expect(sample.calls()).toEqual(["os.system(x)"]);
    expect(sample.facts.uses[0]?.references).toEqual([{ module: "os", path: ["system"] }]);
  });

  it("take names like __proto__ for ordinary ones", () => {
    const sample = new Sample("__proto__ = f()\nclass constructor:\n  def __init__(self): self.__proto__ = __proto__\n");
    expect(sample.given("__proto__")).toEqual([["f()"]]);
    expect(Object.entries(sample.facts.classes[0]!.attributes).map(([name, ids]) => [name, ids.map((id) => sample.show(id))])).toEqual([["__proto__", ["__proto__"]]]);
  });
});

describe("what binds", () => {
  it.each([
    ["for a, (b, *c) in d: pass", { a: ["item(item(d, null), 0)"], b: ["item(item(item(d, null), 1), 0)"], c: ["item(item(item(d, null), 1), null)"] }],
    ["a, b = f, g", { a: ["f"], b: ["g"] }],
    ["a, *b = f()", { a: ["item(f(), 0)"], b: ["item(f(), null)"] }],
    ["[a, b] = f", { a: ["item(f, 0)"], b: ["item(f, 1)"] }],
    ["a = b = f()", { a: ["f()"], b: ["f()"] }],
    ["with f() as a, g() as (b, c): pass", { a: ["f()"], b: ["item(g(), 0)"], c: ["item(g(), 1)"] }],
    ["with (f() as a, g() as b): pass", { a: ["f()"], b: ["g()"] }],
    ["try: pass\nexcept (E, F) as a: pass", { a: ["caught(E, F)"] }],
    ["import a.b, c.d as e\nfrom .. f import g as h", { a: ["a.b:"], e: ["c.d:"], h: ["..f:g"] }],
    ["match s:\n  case A(x=a) | [b, *c] if d: pass\n  case e: pass", { a: ["item(s, null)"], b: ["item(s, null)"], c: ["item(s, null)"], e: ["s"] }],
    ["def f(a, /, b: T = 1, *c, d, **e): pass", { a: ["parameter 0"], b: ["parameter 1"], c: ["parameter 2"], d: ["parameter 3"], e: ["parameter 4"] }],
    ["(a := f())", { a: ["f()"] }],
    ["class a: pass\n@b.c\ndef d(): pass", { a: ["class a"], d: ["function d"] }],
  ])("%s", (source, expected) => {
    const sample = new Sample(source);
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, sample.given(name)[0]]))).toEqual(expected);
  });

  it("marks what is written by other means", () => {
    const { facts } = new Sample("a = 1\na += 2\nb = 1\ndel b\nc = 1\n");
    expect(facts.bindings.filter((binding) => binding.rebound).map((binding) => binding.name)).toEqual(["a", "b"]);
  });

  it("exports every name of the module", () => {
    const sample = new Sample("import os\nx = 1\ndef f(): y = 2\nclass A: z = 3\n");
    expect(sample.facts.exports.map(({ name, value }) => [name, value === null ? null : sample.show(value)]))
      .toEqual([["os", "os:"], ["x", "1"], ["f", "function f"], ["A", "class A"]]);
  });
});

describe("classes", () => {
  it("know their instance, their class and what is assigned to either", () => {
    const sample = new Sample([
      "class A(B, metaclass=M):", "  n: int", "  m = 1", "  def __init__(self, p):", "    self.a = p", "    self.b, self.c = f()",
      "    def inner(): self.d = 2", "  @classmethod", "  def k(cls): cls.e = 3", "  @staticmethod", "  def s(self): self.no = 4",
      "  @property", "  def g(self): return self.a",
    ].join("\n"));
    const [facts] = sample.facts.classes;
    expect(Object.fromEntries(Object.entries(facts!.attributes).map(([name, ids]) => [name, ids.map((id) => sample.show(id)).join()])))
      .toEqual({ m: "1", a: "p", b: "item(f(), 0)", c: "item(f(), 1)", d: "2", e: "3" });
    expect(facts!.fields.map((field) => field.name)).toEqual(["n", "m"]);
    expect(facts!.bases.map((base) => sample.show(base))).toEqual(["B"]);
    expect(sample.given("self").map(([first]) => first)).toEqual(["self of A", "parameter 0", "self of A"]);
    expect(sample.facts.functions.map((entry) => entry.kind)).toEqual(["module", "constructor", "function", "method", "method", "getter"]);
  });
});
