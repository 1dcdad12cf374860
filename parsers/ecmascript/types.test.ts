import { describe, expect, it } from "vitest";
import { binding, outline, read, uses } from "./testing.ts";

/** What the annotation of `x` says in `let x: …`. */
function annotation(type: string): string {
  return binding(read(`let x: ${type};`), "x").annotation;
}

/** Names used as types in a snippet, with those that the file itself declares left out. */
function typeNames(text: string): string[] {
  return uses(read(text), text).filter((use) => use.startsWith("type ")).map((use) => use.slice(5));
}

describe("annotations", () => {
  it("name what a value is an instance of", () => {
    expect(annotation("A")).toBe("A");
    expect(annotation("A.B.C<D>")).toBe("A.B.C");
    expect(annotation("Promise<A>")).toBe("A");
    expect(annotation("Readonly<Partial<A>>")).toBe("A");
    expect(annotation("A | null | 'b' | undefined")).toBe("A");
    expect(annotation("A | B | (C)")).toBe("((A | B) | C)");
    expect(annotation("A & B")).toBe("(A | B)");
    expect(annotation("typeof a.b")).toBe("a.b");
    expect(annotation("import('m').A.B")).toBe("<m A B>");
    expect(annotation("A[]")).toBe("opaque()");
    expect(annotation("string | 1")).toBe("opaque()");
    expect(annotation("(a: A) => B")).toBe("opaque()");
  });

  it("stand on parameters, results and patterns", () => {
    const facts = read("function f(this: A, b: B, { c }: C, ...d: D): asserts b is E { }");
    expect(facts.functions[1]!.parameters.map((parameter) => facts.values[parameter.annotation!]!.kind)).toEqual(["name", "name", "name"]);
    expect(facts.functions[1]!.parameters.map((parameter) => parameter.name)).toEqual(["b", "", "d"]);
    expect(facts.functions[1]!.returnAnnotation).not.toBeNull();
  });

  it("hold the text that is their only one", () => {
    expect(annotation("'b'")).toBe("opaque(\"b\")");
    expect(annotation("Readonly<('b' | null | undefined)>")).toBe("opaque(\"b\")");
    expect(annotation("'b' | 'c'")).toBe("opaque()");
    expect(annotation("'b' | string")).toBe("opaque()");
    expect(annotation("1")).toBe("opaque()");
    const facts = read("class A { readonly b: 'c' = 'c' }");
    expect(facts.values[facts.classes[0]!.fields[0]!.annotation!]).toMatchObject({ kind: "opaque", of: [expect.any(Number)] });
  });

  it("make no other values of literal types", () => {
    expect(read("type A = 'gpt-4o' | `gpt-${string}`; let x: 'b' | 'c'; let y: { z: 'd' }").values.filter((value) => value.kind === "string")).toEqual([]);
  });

  it("name nothing by a text", () => {
    const facts = read("function f(x: 'fetch') { x(1) }");
    expect(facts.calls[0]!.references).toEqual([]);
  });
});

describe("uses of types", () => {
  it("are found wherever a type can stand", () => {
    expect(typeNames(`
      let a: A1[], b: [A2, c?: A3, ...A4[]], d: { e: A5; f(g: A6): A7; [h: A8]: A9; new (i: A10): A11; (j: A12): A13 };
      type B<T extends A14 = A15> = T extends A16 ? A17 : A18[A19];
      type C = { [K in A20 as A21]: A22 }; type D = keyof A23; type E = \`\${A24}\`; type F = typeof a25.b26<A27>;
      interface G<T> extends A28<A29> { a: T } class H<T> extends I<A30> implements A31<A32> { j: A33; k(l: T): A34 { return m as A35 } }
      n<A36>(o satisfies A37); new P<A38>(); q\`r\`; function s(t: unknown): t is A39 {} (<A40>u); let v: abstract new (w: A41) => A42;
      function x(y: A43): void; function x(y: unknown) {} declare function z(a: A44): A45; let aa: (ab: A46) => A47;`,
    ).map((name) => name.replace(/\D/g, "")).map(Number).filter((number) => number > 0)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
    ]);
  });

  it("leave out what the file declares: types, type parameters, inferred and mapped ones", () => {
    expect(typeNames(`
      type A = B; interface B { a: A } type C<T, U extends T> = T | U; type D<T> = T extends (infer R)[] ? R : never; type E = { [K in 'a']: K };
      function f<T>(a: T): T { let b: T; return b } const g = <T,>(a: T) => a; class H<T> { i: T; j<U>(k: U, l: T) {} } let m: <V>(n: V) => V;
      enum N { a } let o: N; let p: H<1>;`)).toEqual([]);
  });

  it("tell an import that is used only as a type", () => {
    const text = "import { A, B, C } from 'm'; let a: A = new B(); function f(c: C) { c.run() }";
    expect(uses(read(text), text).filter((use) => use.endsWith("A") || use.endsWith("B") || use.endsWith("C"))).toEqual(["type A", "call B", "type C"]);
  });
});

describe("what is there only for types", () => {
  it("hides no global", () => {
    const text = `
      type fetch = 1; interface process {} declare const Bun: any; declare function require2(): void; namespace Deno { export type A = 1 }
      function axios(a: string): void; declare namespace got { const a: 1 } declare global { var eval2: 1 } declare enum E { a } declare module 'm' { const n: 1 }
      fetch(1); process.exit(); Bun.write(); require2(); Deno.run(); axios(1); got.a(); eval2(1); E.a(); n();`;
    const facts = read(text);
    expect(facts.calls.map((call) => call.references[0]?.path[0])).toEqual(["fetch", "process", "Bun", "require2", "Deno", "axios", "got", "eval2", "E", "n"]);
  });

  it("is not among the bodies", () => {
    expect(outline(read("type A = 1; interface B {} declare const c: 1; declare class D {} declare namespace E { const f: 1 }"))).toEqual([]);
    expect(outline(read("export const a: number; export default class B { c(): void }", "declaration"))).toEqual([]);
  });

  it("may have the name of a value", () => {
    const text = "const A = z(); type A = B<typeof A>; let c: A = A;";
    expect(outline(read(text))).toEqual(["call z()", "A! = z()", "c! = A!"]);
    expect(typeNames(text)).toEqual(["B", "A"]);
  });
});

describe("enums and namespaces", () => {
  it("are tables of their members", () => {
    const facts = read("enum A { a, b = 5, c, d = 'x', e = b | c, f = g() } namespace B.C { export const h = fetch; export function i() { j() } k() }");
    expect(binding(facts, "A").values).toEqual(["{\"a\": 0, \"b\": 5, \"c\": 6, \"d\": \"x\", \"e\": (b! | c!), \"f\": g()}"]);
    expect(binding(facts, "B").values).toEqual(["{\"C\": {\"h\": fetch, \"i\": function i}}"]);
    expect(outline(facts).slice(2)).toEqual(["block", "  h! = fetch", "  define function i", "  call k()", "  expression k()"]);
    expect(facts.exports).toEqual([]);
  });

  it("name parts of modules", () => {
    const facts = read("import * as a from 'm'; import b = a.c; b.d();");
    expect(facts.calls[0]!.references).toEqual([{ module: "m", path: ["c", "d"] }]);
  });
});
