import { describe, expect, it } from "vitest";
import { Sample } from "./testing.ts";

const problems = (source: string): string[][] => {
  const { facts } = new Sample(source);
  return facts.problems.map(({ message, span }) => [message.replace(/[:,].*/s, "").slice(0, 40), source.slice(...span)]);
};

describe("parse problems", () => {
  it.each([
    ["x = a!\n", "!"],
    ["def f(:\n  pass\n", ":"],
    ["x = $a\n", "$"],
    ["f(1,\nimport os\n", "("],
    ["x = (\n 1, # (\n '('\n", "("],
    ["def f():\n    \"\"\"doc\n    return 1\n", '"""'],
    ["x = 'abc\ny = (2\n", "'"],
    ["x = \"it's\" + 'b\nz = 1\n", "'"],
    ["print x\n", "print"],
    ["exec 'x' in y\n", "exec"],
    ["a <> b\n", "<>"],
    ["raise A, 'b'\n", "raise A, 'b'"],
    ["x = `a`\n", "`a`"],
    ["type 1 = f()\n", "1"],
    ["import os\0\n", "\0"],
    ["def f():\n if x:\n   a\n  \\\n b\n", "\\"],
  ])("%j at its first wrong token", (source, token) => {
    expect(problems(source)[0]?.[1]).toBe(token);
  });

  it("says that a block is empty", () => {
    expect(problems("def f():\nx = 1\n")).toEqual([["A block needs a statement.", ""]]);
  });

  it.each([
    "class A[T = int, *Ts = *tuple[int, ...], **P = [int]]: pass\n", "def f[T: (int, str) = int](x: T) -> T: ...\n", "type X[T = int] = list[T]\n",
    "try:\n  pass\nexcept A, B:\n  pass\n", "x = t'a{b}'\n", "print >>f, x\n", "match = type = 1\n", "x = f'{f'{'a'}'}'\n", "try: pass\nexcept* A: pass\n",
    "def f(*args: *Ts): x[*a]\n", "with (a as b, c as d,): pass\n", "type (x).y = z()\n", "x = '''\n \\\n y'''\n", "f(a,\n \\\n b)\n", "async def f():\n  async with a, b: await c\n",
  ])("has none for %j", (source) => {
    expect(problems(source)).toEqual([]);
  });
});

describe("what is broken", () => {
  it.each([
    ["import os os.system('x')", ["os"], ["os.system('x')"]],
    ["from a import\nfoo(bar(\nimport re\n", ["a", "re"], ["bar()"]],
    ["def f(:\n  import os\n  os.system('x'\n", ["os"], ["os.system(\"x\")"]],
    ["x = '''abc\nimport os\n", ["os"], []],
    ["import os\0\nos.system(1)\n", ["os"], ["os.system(1)"]],
    ["class:\n  y = requests.get(u)\n", [], ["requests.get(u)"]],
  ])("%j is still read for what it imports and calls", (source, imports, calls) => {
    const sample = new Sample(source);
    expect(sample.facts.problems.length).toBeGreaterThan(0);
    expect(sample.facts.imports.map((entry) => entry.specifier)).toEqual(imports);
    const found = sample.calls().map((call) => call.replace(/\(.*/, ""));
    for (const call of calls) expect(found).toContain(call.replace(/\(.*/, ""));
  });

  it.each([
    ["type [print(1)] = 5", ["print(1)"]],
    ["type X[print(1)] = f()", ["f()", "print(1)"]],
    ["type (x).y = z()", ["z()", "type(x)"]],
    ["type (a, b)[c()].d = 1", ["type(a, b)", "c()"]],
  ])("%j hides no call behind the word type", (source, calls) => {
    expect(new Sample(source).calls()).toEqual(calls);
  });
});
