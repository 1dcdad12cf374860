import { describe, expect, it } from "vitest";
import { parsePython } from "./index.ts";

const N = 10_000;
const nest = (open: string, inner: string, close: string): string => open.repeat(N) + inner + close.repeat(N);
const blocks = (head: string): string => Array.from({ length: 1000 }, (_, depth) => `${" ".repeat(depth)}${head}\n`).join("") + `${" ".repeat(1000)}g()\n`;

describe("hostile sources", () => {
  it.each([
    ["brackets", `x = ${nest("[", "g()", "]")}`],
    ["parentheses", `x = ${nest("(", "g()", ")")}`],
    ["braces", `x = ${nest("{", "g()", "}")}`],
    ["calls", `x = ${nest("f(", "g()", ")")}`],
    ["subscripts", `x = ${nest("a[", "g()", "]")}`],
    ["a chain", `x = g()${".b()".repeat(N)}`],
    ["a sum", `x = ${"a + ".repeat(N)}g()`],
    ["powers", `x = ${"a ** ".repeat(N)}g()`],
    ["lambdas", `x = ${"lambda: ".repeat(N)}g()`],
    ["conditions", `x = ${"a if b else ".repeat(N)}g()`],
    ["boolean operators", `x = ${"a() or ".repeat(N)}g()`],
    ["elif", `if a: b()\n${"elif c: d()\n".repeat(N)}else: g()\n`],
    ["cases", `match x:\n${"  case A(): b()\n".repeat(N)}  case _: g()\n`],
    ["targets", `${nest("(", "a", ",)")} = g()`],
    ["patterns", `match x:\n  case ${nest("[", "A()", "]")}: g()\n`],
    ["annotations", `x: ${nest("list[", "int", "]")} = g()`],
    ["format specifiers", `x = f'${"{g():".repeat(N)}${"}".repeat(N)}'`],
    ["comprehension clauses", `x = [g() ${"for a in b ".repeat(N)}]`],
    ["comprehensions", `x = ${"[".repeat(N)}g()${" for a in b]".repeat(N)}`],
    ["decorators", `${"@f\n".repeat(N)}def h(): g()\n`],
    ["if", blocks("if a:")],
    ["def", blocks("def f():")],
    ["class", blocks("class A:")],
    ["try", blocks("try:")],
  ])("10,000 %s keep their innermost call and make facts that can be written down", (_, source) => {
    const facts = parsePython(source);
    expect(facts.calls.some((call) => source.slice(...call.nameSpan) === "g")).toBe(true);
    expect(() => JSON.stringify(facts)).not.toThrow();
  });

  it("say that nesting is too deep to judge", () => {
    expect(parsePython(`x = ${nest("[", "", "]")}`).problems.map((problem) => problem.message)).toEqual([
      "Nested too deeply to be judged where it stands: split it into smaller parts.",
    ]);
  });

  it.each([
    ["a line of a megabyte", `x = '${"a".repeat(1 << 20)}'`],
    ["binary", Array.from({ length: 50_000 }, (_, index) => String.fromCharCode((index * 7919 + (index >> 3) * 31) & 0xff)).join("")],
    ["lone surrogates", "x = '\ud800' + \udc00 f()"],
    ["nothing", ""],
    ["blanks", "  \n\t\n"],
    ["a backslash", "\\"],
    ["an open string", "'"],
    ["blanks and backslashes", " \\\n".repeat(50_000)],
  ])("%s is read without a crash", (_, source) => {
    expect(parsePython(source).length).toBe(source.length);
  });
});
