import { describe, expect, it } from "vitest";
import { outline, read, show } from "./testing.ts";

describe("branches", () => {
  it("nest `else if` in the else before", () => {
    expect(outline(read("if (a()) b(); else if (c()) d(); else e();"))).toEqual([
      "call a()", "if a()", "  call b()", "  expression b()", "else",
      "  call c()", "  if c()", "    call d()", "    expression d()", "  else", "    call e()", "    expression e()",
    ]);
  });

  it("read try, catch and finally", () => {
    expect(outline(read("try { a() } catch ({ code }) { b(code) } finally { c() }"))).toEqual([
      "try", "  call a()", "  expression a()", "catch", "  call b(code!)", "  expression b(code!)", "finally", "  call c()", "  expression c()",
    ]);
  });

  it("bind what is caught", () => {
    const facts = read("try {} catch (error) { throw error }");
    const statement = facts.functions[0]!.body[0]!;
    expect(statement.kind === "try" && facts.bindings[statement.handlers[0]!.binding]?.name).toBe("error");
    expect(outline(facts)).toEqual(["try", "catch", "  raise error!"]);
  });
});

describe("loops", () => {
  it("evaluate a test in each round", () => {
    expect(outline(read("while (await next()) { a() }"))).toEqual(["while await next()", "  call next()", "  call a()", "  expression a()"]);
    expect(outline(read("do { a() } while (b())"))).toEqual(["do b()", "  call a()", "  expression a()", "  call b()"]);
  });

  it("keep the parts of a counting loop", () => {
    expect(outline(read("for (let i = f(); i < 3; i++, g()) h(i);"))).toEqual([
      "count (i! < 3)", "before", "  call f()", "  i! = f()", "  call h(i!)", "  expression h(i!)", "update", "  i! += 1", "  call g()", "  expression g()",
    ]);
    expect(outline(read("for (;;) {}"))).toEqual(["count none"]);
  });

  it("give the variable of an iteration its items", () => {
    const facts = read("for (const [a, { b }] of c()) d(a); for await (const x of y) {} for (const k in o) {} for (z.q of w) {}");
    expect(outline(facts)).toEqual([
      "call c()", "each [a!, {\"b\": b!}] of c()", "  call d(a!)", "  expression d(a!)", "each x! of await y", "each k! of o", "each z.q of w",
    ]);
    expect(facts.bindings.map((binding) => binding.values.map((value) => show(facts, value)))).toEqual([
      ["item 0 of item any of c()"], ["item 1 of item any of c().b"], ["item any of await y"], ["opaque(o)"],
    ]);
  });

  it("stand at their keyword", () => {
    const text = "a: while (b) {} for (;;) {} do {} while (c)";
    const loops = read(text).functions[0]!.body.map((statement) => (statement.kind === "loop" ? [statement.label, text.slice(...statement.keywordSpan)] : []));
    expect(loops).toEqual([["a", "while"], [undefined, "for"], [undefined, "do"]]);
  });

  it("are left by label", () => {
    expect(outline(read("a: b: for (;;) { c: { break c } continue a } d: f();"))).toEqual([
      "block a", "  count b none", "    block c", "      break c", "    continue a", "block d", "  call f()", "  expression f()",
    ]);
  });
});

describe("switch", () => {
  it("is a chain of tests in a block that `break` leaves", () => {
    expect(outline(read("switch (a()) { case 1: b(); break; case c(): d(); break; default: e() }"))).toEqual([
      "call a()", "block switch 0",
      "  if (a() == 1)", "    call b()", "    expression b()", "    break switch 0",
      "  else", "    call c()", "    if (a() == c())", "      call d()", "      expression d()", "      break switch 0",
      "    else", "      call e()", "      expression e()",
    ]);
  });

  it("lets a case run on into the next", () => {
    expect(outline(read("switch (a) { case 1: case 2: b(); case 3: c(); break; case 4: d() }")).slice(1)).toEqual([
      "  if (((a == 1) or (a == 2)) or (a == 3))",
      "    if ((a == 1) or (a == 2))", "      call b()", "      expression b()",
      "    call c()", "    expression c()", "    break switch 0",
      "  else", "    if (a == 4)", "      call d()", "      expression d()",
    ]);
  });

  it("puts default last, with what runs into it", () => {
    expect(outline(read("switch (a) { case 1: b(); default: c(); return2(); break; case 3: d() }")).filter((line) => line.includes("if") || line.includes("else"))).toEqual([
      "  if (a == 3)", "  else", "    if (a == 1)",
    ]);
  });

  it("leaves `continue` and the breaks of loops inside alone", () => {
    expect(outline(read("for (;;) { switch (a) { case 1: for (;;) { break } continue; default: return2() } break }"))).toEqual([
      "count none", "  block switch 11", "    if (a == 1)", "      count none", "        break", "      continue",
      "    else", "      call return2()", "      expression return2()", "  break",
    ]);
  });

  it("knows branches that all leave", () => {
    const facts = read("function f(a) { switch (a) { case 1: if (b) { return 1 } else { throw c } case 2: return 2 } }");
    expect(outline(facts, facts.functions[1]!.body).filter((line) => line.includes("=="))).toEqual(["  if (a! == 1)", "    if (a! == 2)"]);
  });

  it("does not take a name that is declared in another case for a global", () => {
    const facts = read("switch (a) { case 1: let fetch = b; break; default: fetch(c) }");
    expect(facts.calls.map((call) => call.references.map((reference) => reference.path.join(".")))).toEqual([["b"]]);
  });
});

describe("using", () => {
  it("holds the rest of its block", () => {
    expect(outline(read("{ a(); using b = c(); await using d = e(); f(b) } g();"))).toEqual([
      "block", "  call a()", "  expression a()", "  call c()", "  b! = c()", "  with c()",
      "    call e()", "    d! = e()", "    with e()", "      call f(b!)", "      expression f(b!)", "call g()", "expression g()",
    ]);
  });
});

describe("statements", () => {
  it("have their header as span where they hold others", () => {
    const text = [
      "if (a) { b() }", "for (const c of d) { e() }", "while (f) {}", "try { g() } finally {}", "function h(i) { return i }",
      "class J extends K { l() { m() } n = 1 }", "switch (o) { case 1: p() }", "const q = () => { r() };",
    ].join("\n");
    expect(read(text).statements.slice(1).map((span) => text.slice(...span))).toEqual([
      "if (a)", "b()", "for (const c of d)", "e()", "while (f)", "try", "g()", "function h(i)", "return i",
      "class J extends K", "l()", "m()", "n = 1", "switch (o", "case 1", "p()", "const q = () => { r() };", "r()",
    ]);
  });

  it("are those that their calls stand in", () => {
    const text = "if (a()) { b(() => { c() }) } d(() => e());";
    const facts = read(text);
    expect(facts.calls.map((call) => text.slice(...facts.statements[call.statement]!))).toEqual([
      "if (a())", "c()", "b(() => { c() })", "d(() => e());", "d(() => e());",
    ]);
  });
});
