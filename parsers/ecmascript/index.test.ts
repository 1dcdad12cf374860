import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { positionAt } from "../shared/positions.ts";
import { dialectOf, factsFromEstree, moduleKindOf, parseEcmascript } from "./index.ts";
import type { Comment } from "./index.ts";
import type { Node } from "./estree.ts";

const require = createRequire(import.meta.url);

describe("dialects", () => {
  it("follow the ending", () => {
    expect(["a.ts", "a.mts", "a.cts", "a.tsx", "a.js", "a.mjs", "a.cjs", "a.jsx", "a.d.ts", "a.d.mts", "a.d.cts", "a.d.css.ts", "d.ts", "x.d/y.ts"].map(dialectOf)).toEqual([
      "typescript", "typescript", "typescript", "tsx", "javascript", "javascript", "javascript", "jsx", "declaration", "declaration", "declaration", "declaration", "typescript", "typescript",
    ]);
    expect(["a.ts", "a.mts", "a.cts", "a.js", "a.mjs", "a.cjs"].map(moduleKindOf)).toEqual([undefined, "module", "commonjs", undefined, "module", "commonjs"]);
  });

  it("of JavaScript are scripts, modules or CommonJS, as the text shows", () => {
    for (const text of ["return f()", "await f()", "import a from 'a'; f()", "var await = f()", "with (a) f()", "#!/usr/bin/env node\nf()", "new.target; f()"]) {
      expect(parseEcmascript(text, { dialect: "javascript" })).toMatchObject({ problems: [], calls: [{ nameSpan: [text.indexOf("f()"), text.indexOf("f()") + 1] }] });
    }
  });
});

describe("text that does not parse", () => {
  it("gives its first wrong token, and no body", () => {
    const facts = parseEcmascript("// agentgate: x\na();\nb(;\n", { dialect: "typescript" });
    expect(facts.problems[0]!.message).not.toBe("");
    expect(positionAt(facts.lines, facts.problems[0]!.span[0])).toEqual({ line: 3, column: 3 });
    expect([facts.calls, facts.functions[0]!.body, facts.directives.length]).toEqual([[], [], 1]);
  });

  it("may be anything", () => {
    for (const text of ["def f():\n  pass", "\u0000\u0001", "'", "`${", "<<<<<<< HEAD\n"]) {
      expect(parseEcmascript(text, { dialect: "typescript" }).problems.length).toBeGreaterThan(0);
    }
    expect(parseEcmascript("", { dialect: "typescript" }).problems).toEqual([]);
  });
});

describe("positions", () => {
  const at = (text: string): { line: number; column: number } => {
    const facts = parseEcmascript(text, { dialect: "typescript" });
    expect(facts.problems).toEqual([]);
    return positionAt(facts.lines, facts.calls.at(-1)!.nameSpan[0]);
  };

  it("count UTF-16 units from 1, whatever ends the line", () => {
    expect(at("fetch()")).toEqual({ line: 1, column: 1 });
    expect(at("\uFEFFfetch()")).toEqual({ line: 1, column: 1 });
    expect(at("\uFEFF'é𝒳';\r\n\tfetch()")).toEqual({ line: 2, column: 2 });
    expect(at("'𝒳𝒳'; fetch()")).toEqual({ line: 1, column: 9 });
    expect(at("a\rb\r\nc\nd\u2028e\u2029fetch()")).toEqual({ line: 6, column: 1 });
    expect(at("`\r\n𝒳${fetch()}`")).toEqual({ line: 2, column: 5 });
  });

  it("of directives and of problems are the same", () => {
    const facts = parseEcmascript("\uFEFF'𝒳'; // agentgate: a\r\n  /* eslint-disable x */\r\n//* eslint-env\n/** agentgate: b */ // nothing\nf('agentgate: c')", { dialect: "typescript" });
    expect(facts.directives.map(({ text, line, ownLine, span }) => [text, line, ownLine, span[1] - span[0]])).toEqual([
      [" agentgate: a", 1, false, 15], [" eslint-disable x ", 2, true, 22], ["* eslint-env", 3, true, 14], ["* agentgate: b ", 4, true, 19],
    ]);
    expect(positionAt(facts.lines, parseEcmascript("'𝒳𝒳'; ]", { dialect: "typescript" }).problems[0]!.span[0])).toEqual({ line: 1, column: 9 });
  });
});

describe("deep nesting", () => {
  const repeated = (count: number, open: string, inner: string, close = ""): string => open.repeat(count) + inner + close.repeat(count);
  const problems = (text: string): string[] => parseEcmascript(text, { dialect: "tsx" }).problems.map((problem) => problem.message);

  it("to the left is read to any length", () => {
    for (const text of [
      Array(5000).fill("a").join(" + "), Array(5000).fill("a()").join(" && "), `x${".m()".repeat(5000)}`, `x${"[0]!".repeat(5000)}`, `f${"()".repeat(5000)}`, `x${"`a`".repeat(5000)}`,
      `x${" as A".repeat(5000)}`, `let x: A${"[]".repeat(5000)}`, `let x: ${Array(5000).fill("A").join(" | ")}`, `let x: A${".B".repeat(5000)}`,
      `if (a()) {}${" else if (b()) c();".repeat(2000)}`, `switch (a) {${"case b: c();".repeat(5000)}}`, "using a = b();".replace("a", "a0") + Array.from({ length: 2000 }, (_, index) => `using b${index} = c();`).join(""),
    ]) {
      const facts = parseEcmascript(text, { dialect: "typescript" });
      expect(facts.problems).toEqual([]);
      expect(JSON.stringify(facts).length).toBeGreaterThan(100);
    }
  });

  it("inwards is read to a depth that real code does not reach", () => {
    for (const count of [100, 190]) {
      expect(problems(repeated(count, "a(", "", ")"))).toEqual([]);
      expect(problems(repeated(count, "() => ", "1"))).toEqual([]);
      expect(problems(repeated(count, "if (a) {", "b()", "}"))).toEqual([]);
    }
  });

  it("beyond that is a problem, never an overflow", () => {
    const count = 700;
    for (const text of [
      repeated(count, "[", "", "]"), repeated(count, "a(", "", ")"), `x = ${repeated(count, "a => ", "1")}`, repeated(count, "{", "a()", "}"), repeated(count, "a ? b : ", "c"),
      `x = ${repeated(count, "{a: ", "1", "}")}`, repeated(count, "function f() {", "", "}"), `x = ${repeated(count, "class { a = ", "1", "}")}`, repeated(count, "<a>", "", "</a>"),
      `x = ${repeated(count, "`${", "1", "}`")}`, repeated(count, "x = ", "1"), `let ${repeated(count, "[", "a", "]")} = b`, repeated(count, "for (;;) ", "a()"), repeated(count, "try {", "a()", "} catch {}"),
      repeated(count, "namespace a {", "b()", "}"), `x = ${repeated(count, "!", "a")}`, `(${repeated(count, "(", "a", ", b)")})`, `x = ${repeated(count, "new ", "A")}`,
    ]) expect(problems(text)).toEqual(["nested too deeply: what is inside is not judged"]);
  });
});

describe("a tree that somebody else parsed", () => {
  interface Espree { parse: (text: string, options: object) => Node & { readonly comments: readonly Comment[] } }

  it("gives the same facts without what a parser leaves out", () => {
    const text = [
      "import a, { b as c } from 'm'; // agentgate: x", "export default class extends a { #d = 1; static { e() } async f({ g = 1, ...h }, [i]) { for await (const j of k?.l) yield2(j) } }",
      "const { exec } = require('child_process'); label: for (;;) { switch (m) { case 1: break label; default: n`o${p}q` } }", "export const r = () => <S t={u}>v</S>; new.target2; import('x'); 1n; /y/u;",
    ].join("\n").replace("new.target2; ", "");
    const espree = require("espree") as Espree;
    const program = espree.parse(text, { range: true, comment: true, ecmaVersion: "latest", sourceType: "module", ecmaFeatures: { jsx: true } });
    expect(factsFromEstree(program, program.comments, text, "javascript")).toEqual(parseEcmascript(text, { dialect: "javascript" }));
  });
});
