import { describe, expect, it } from "vitest";
import { Sample } from "./testing.ts";

describe("statements", () => {
  it.each([
    ["if a(): b()\nelif c(): d()\nelse: e()", "call a(); test a() then {call b(); b()} else {call c(); test c() then {call d(); d()} else {call e(); e()}}"],
    ["while a(): b()\nelse: c()", "while a() {call a(); call b(); b()} else {call c(); c()}"],
    ["for i in a(): break\nelse: b()", "call a(); each i in a() {break} else {call b(); b()}"],
    ["try: a()\nexcept E: b()\nexcept* F: continue\nelse: c()\nfinally: d()", "try {call a(); a()} except E {call b(); b()} except F {continue} else {call c(); c()} finally {call d(); d()}"],
    ["with a() as b: c()", "call a(); b = a(); with a() {call c(); c()}"],
    ["x = a() or b() or c()", "call a(); test a() else {call b()}; test (a() or b()) else {call c()}; x = ((a() or b()) or c())"],
    ["x = a() and b", "call a(); x = (a() and b)"],
    ["x = a() if b() else c()", "call b(); test b() then {call a()} else {call c()}; x = (a() if b() else c())"],
    ["assert a(), b()", "call a(); test a() else {call b(); raise b()}"],
    ["raise E(x) from y", "call E(x); raise E(x)"],
    ["x = [e(a) for a in b() if c(a) for d in a()]", "call b(); each a in b() {call c(a); test c(a) then {call a(); each d in a() {call e(a)}}}; x = comprehension(e(a); b(), a())"],
    ["@a\n@b(c)\ndef f(): pass", "call b(c); define f; call @b(c)(function f); call @a(function f)"],
    ["match a():\n  case B() if c(): d()\n  case 'x' | -1: e()\n  case _: f()", "call a(); call c(); test ((a() match opaque(B)) and c()) then {call d(); d()} else {test (a() match set(\"x\", 1)) then {call e(); e()} else {test (a() match opaque()) then {call f(); f()}}}"],
    ["a.b += c", "a.b += c"],
    ["a: B = c()", "call c(); a = c()"],
    ["async def f():\n  pass\ndel a[b()]", "define f; call b(); a[b()]"],
    ["class A(B()):\n  x = c()", "call B(); call c(); x = c(); define A"],
  ])("%j", (source, expected) => {
    expect(new Sample(source).outline()).toBe(expected);
  });

  it.each([
    ["from contextlib import suppress\nwith suppress(E, F): a()", ["E", "F"]],
    ["import contextlib as c\nwith b(), c.suppress(E): a()", ["E"]],
    ["def suppress(e): pass\nwith suppress(E): a()", null],
    ["from contextlib import closing as suppress\nwith suppress(e): a()", null],
  ])("%j goes on behind the block where an error is suppressed", (source, types) => {
    const sample = new Sample(source);
    const within = sample.facts.functions[0]!.body.at(-1);
    const [first] = within?.kind === "with" ? within.body : [];
    expect(first?.kind === "try" ? first.handlers.map((handler) => [handler.types.map((type) => sample.show(type)), handler.body]) : null).toEqual(types === null ? null : [[types, []]]);
  });

  it("awaits what an async for walks over, as `for await` does", () => {
    const { facts } = new Sample("async def f(a):\n  async for i in a: pass\n  for j in a: pass\n");
    const loops = facts.functions[1]!.body.flatMap((statement) => (statement.kind === "loop" ? [facts.values[statement.iterable!]!.kind] : []));
    expect(loops).toEqual(["await", "name"]);
  });

  it("describe functions", () => {
    const { facts } = new Sample("async def f(a, /, b, *, c=1, **d): yield\nlambda *e: 0\n");
    expect(facts.functions.map(({ kind, async: isAsync, generator, parameters }) => [kind, isAsync, generator, parameters.map((parameter) => parameter.kind).join()])).toEqual([
      ["module", undefined, undefined, ""],
      ["function", true, true, "positional,positional,keyword,keyword-rest"],
      ["lambda", undefined, undefined, "rest"],
    ]);
  });

  it("span compound statements up to their colon", () => {
    const source = "if a and (\n  b):\n  c()\nfor x in y: d()\n";
    const { facts } = new Sample(source);
    expect(facts.statements.slice(1).map((span) => source.slice(...span))).toEqual(["if a and (\n  b):", "c()", "for x in y:", "d()"]);
    const [loop] = facts.functions[0]!.body.filter((statement) => statement.kind === "loop");
    expect(source.slice(...loop!.keywordSpan)).toBe("for");
  });
});

describe("roles", () => {
  it.each([
    ["x = httpx.Client", "alias"],
    ["x, y = httpx.Client, 1", "alias"],
    ["f(httpx.Client)", "value"],
    ["class A:\n  x = httpx.Client", "value"],
    ["def f(x=httpx.Client): pass", "value"],
    ["httpx.Client()", "call"],
    ["httpx.Client.x = 1", "write"],
    ["del httpx.Client", "write"],
    ["x: httpx.Client", "type"],
    ["def f(x: list['httpx.Client']): pass", "type"],
    ["isinstance(x, (httpx.Client, A))", "type"],
    ["match x:\n  case httpx.Client(): pass", "type"],
    ["try: pass\nexcept (A, httpx.Client): pass", "exception"],
    ["raise httpx.Client('x')", "exception"],
    ["raise httpx.Client", "exception"],
    ["class A(httpx.Client): pass", "base"],
    ["@httpx.Client\ndef f(): pass", "call"],
  ])("%j is of role %s", (source, role) => {
    const { facts } = new Sample(`import httpx\n${source}\n`);
    const uses = facts.uses.filter(({ references }) => references.some((reference) => reference.module === "httpx" && reference.path[0] === "Client"));
    expect(uses.map((use) => use.role)).toEqual([role]);
  });
});
