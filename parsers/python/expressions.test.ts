import { describe, expect, it } from "vitest";
import { Sample } from "./testing.ts";

describe("expressions", () => {
  it.each([
    ["a.b(c, *d, e=f, **g).h", "a.b(c, spread(d), e=f, **=spread(g)).h"],
    ["a['k'][0][i][1:n, ::2]", "a[\"k\"][0][i][tuple((1 : n), ((null : null) : 2))]"],
    ["(a + b) * -c ** d", "((a + b) * -((c ** d)))"],
    ["a < b <= c not in d", "(((a < b) and (b <= c)) and (c not in d))"],
    ["a is  not b", "(a is not b)"],
    ["a or b and not c", "(a or (b and not(c)))"],
    ["x if t else y", "(x if t else y)"],
    ["[1, 2.5, 0xff, 1_000, None, True, ...]", "list(1, 2.5, 255, 1000, null, true, opaque())"],
    ["(1,), {1}, {'a': 1, **b}", "tuple(tuple(1), set(1), table(\"a\": 1, **: b))"],
    ["99999999999999999999", "NaN"],
    ["1j", "opaque()"],
    ["(y := f())", "assigned(f())"],
    ["[e(a) for a in b if c]", "comprehension(e(a); b)"],
    ["{k: v for k, v in d}", "comprehension(table(k: v); d)"],
    ["f(x for x in y)", "f(lazy comprehension(x; y))"],
    ["lambda p, q=r: p", "function "],
    ["print(a, *b.c.d())", "print(a, spread(b.c.d()))"],
  ])("%s", (source, expected) => {
    expect(new Sample(`z = ${source}`).assigned()).toBe(expected);
  });

  it("keeps what is inside of what it has no word for", () => {
    expect(new Sample("def f():\n  x = yield a()\n  yield from b()\n  await c()").outline(new Sample("def f():\n  x = yield a()\n  yield from b()\n  await c()").facts.functions[1]!.body))
      .toBe("call a(); x = yield(a()); call b(); yield from(b()); call await c(); await(await c())");
  });

  it("names the last name of a callee, in UTF-16 units", () => {
    const sample = new Sample("x = '😀'; a.b.\\\n  post('é')");
    const [call] = sample.facts.calls;
    expect(sample.source.slice(...call!.nameSpan)).toBe("post");
    expect(sample.source.slice(...call!.span)).toBe("a.b.\\\n  post('é')");
  });
});

describe("strings", () => {
  it.each([
    [String.raw`'a\x41\u00e9\U0001F600\101\n\\\'\q'`, "aAé😀A\n\\'\\q"],
    [String.raw`r'a\n' `, "a\\n"],
    [String.raw`b'\xff\u0041'`, "\xff\\u0041"],
    [String.raw`u'x'`, "x"],
    ["'''a\\\nb\nc'''", "ab\nc"],
    ["'''a\r\nb'''", "a\nb"],
    ["f'{{}}'", "{}"],
    ["''", ""],
  ])("%j is %j", (source, expected) => {
    expect(new Sample(`z = ${source}`).assigned()).toBe(JSON.stringify(expected));
  });

  it.each([
    ["f'a{b}c'", 'template("a", b, "c")'],
    ["f'{b!s}'", "template(b)"],
    ["f'{b!r:>{w}}'", "template(opaque(b, w))"],
    ["f'{b=}'", "template(opaque(b))"],
    ["f'{b:=6}'", "template(opaque(b))"],
    ["f'{f'{a}'}'", "template(template(a))"],
    ["f'{x['k']}'", 'template(x["k"])'],
    ["'a' f'{b}' \"c\"", 'template("a", b, "c")'],
    [String.raw`'o\N{LATIN SMALL LETTER S}x'`, 'template("o", opaque(), "x")'],
  ])("%s", (source, expected) => {
    expect(new Sample(`z = ${source}`).assigned()).toBe(expected);
  });

  it("marks what documents a module, class or function, and nothing else", () => {
    const { facts } = new Sample("'''m'''\nclass A:\n  'a'\n  def f(self):\n    # note\n    'f' 'g'\n    'no'\n'no'\n");
    const marked = facts.values.flatMap((value) => (value.kind === "string" && value.docstring ? [value.value] : []));
    expect(marked).toEqual(["m", "a", "f", "g"]);
  });
});
