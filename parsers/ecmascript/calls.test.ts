import { describe, expect, it } from "vitest";
import type { Call } from "../facts.ts";
import { outline, read } from "./testing.ts";

function onlyCall(text: string): Call & { readonly name: string; readonly text: string } {
  const facts = read(text);
  const call = facts.calls.at(-1)!;
  return { ...call, name: text.slice(...call.nameSpan), text: text.slice(...call.span) };
}

describe("calls", () => {
  it("stand at the callee's last name", () => {
    expect(onlyCall("a.b.c(1)")).toMatchObject({ name: "c", text: "a.b.c(1)" });
    expect(onlyCall("x = f(1)")).toMatchObject({ name: "f", text: "f(1)" });
    expect(onlyCall("promisify(exec)(cmd)")).toMatchObject({ name: "promisify" });
    expect(onlyCall("(0, fs.rm)(x)")).toMatchObject({ name: "rm" });
    expect(onlyCall("a['b'](1)")).toMatchObject({ name: "'b'" });
    expect(onlyCall("(a!.b as any)(1)")).toMatchObject({ name: "b" });
  });

  it("say how they are made", () => {
    expect(onlyCall("new A.B(1)")).toMatchObject({ construct: true, name: "B" });
    expect(onlyCall("new A")).toMatchObject({ construct: true, arguments: [] });
    expect(onlyCall("sql`a${b}`")).toMatchObject({ tagged: true, name: "sql" });
    expect(onlyCall("await f()")).toMatchObject({ awaited: true });
    expect(onlyCall("await a?.f()")).toMatchObject({ awaited: true });
    expect(onlyCall("f()").awaited).toBeUndefined();
  });

  it("mark the awaited call and no call inside it", () => {
    const facts = read("await (await a()).b(await c(), d())");
    expect(facts.calls.map((call) => call.awaited ?? false)).toEqual([true, true, false, true]);
  });

  it("read `import(…)` as a call of import", () => {
    const facts = read("const { a } = await import('./x', { with: { type: 'json' } }); import(y);");
    expect(outline(facts)).toEqual([
      "call import(\"./x\", {\"with\": {\"type\": \"json\"}})",
      "{\"a\": a!} = await import(\"./x\", {\"with\": {\"type\": \"json\"}})",
      "call import(y)", "expression import(y)",
    ]);
    expect(facts.calls.map((call) => call.awaited ?? false)).toEqual([true, false]);
    expect(facts.imports).toEqual([]);
  });

  it("leave the error class of a throw to its role", () => {
    const text = "throw new HttpError('x'); throw make();";
    const facts = read(text);
    expect(facts.uses.map((use) => use.role)).toEqual(["exception", "call"]);
    expect(facts.calls).toHaveLength(2);
  });
});

describe("require", () => {
  const imports = (text: string): string[] =>
    read(text, "javascript").imports.map((entry) => `${entry.specifier}: ${entry.names.map((name) => name.imported).join(" ")}`);

  it("with a written text is an import", () => {
    expect(imports("const fs = require('fs')")).toEqual(["fs: *"]);
    expect(imports("const { a, b: c } = require(`m`)")).toEqual(["m: a b"]);
    expect(imports("require('side-effect')")).toEqual(["side-effect: "]);
    expect(imports("f(require('m').x)")).toEqual(["m: "]);
    expect(imports("const { a = 1 } = require('m'), { b: { c } } = require('n')")).toEqual(["m: ", "n: "]);
  });

  it("is no call then, and gives its names", () => {
    const facts = read("const { exec: run } = require('child_process'); run('x')", "javascript");
    expect(facts.calls).toHaveLength(1);
    expect(facts.calls[0]!.references).toEqual([{ module: "child_process", path: ["exec"] }]);
  });

  it("is a call where the text is not written out, or where something else is called require", () => {
    expect(imports("require(name)")).toEqual([]);
    expect(imports("require('a', 'b')")).toEqual([]);
    expect(imports("function f(require) { require('m') }")).toEqual([]);
    expect(imports("import { createRequire } from 'module'; const require = createRequire(import.meta.url); require('m')")).toEqual(["module: createRequire"]);
    expect(imports("function f() { require('m') } function require(x) {}")).toEqual([]);
  });

  it("is known through the helpers that compilers wrap around it", () => {
    const facts = read("var fs = __importStar(require('fs')); const ax = tslib_1.__importDefault(require('axios')); fs.rmSync(x); ax.default.post(y)", "javascript");
    expect(facts.calls.map((call) => call.references.map((reference) => `${reference.module} ${reference.path.join(".")}`).filter((name) => !name.includes("__import")))).toEqual([
      [], [], ["fs rmSync"], ["axios default.post"],
    ]);
  });

  it("is optional inside a try that catches, but not in functions made there", () => {
    const facts = read("try { require('a'); f(() => require('b')) } catch {} try { require('c') } finally {}", "javascript");
    expect(facts.imports.map((entry) => [entry.specifier, entry.optional ?? false])).toEqual([["a", true], ["b", false], ["c", false]]);
  });
});
