import { describe, expect, it } from "vitest";
import { constantsOf, functionsOf, referencesOf } from "./resolve.ts";
import { factsOf } from "./testing.ts";
import { factsOfSource, probed, spelled, spelledConstants, spelledReferences } from "./testing-sources.ts";

/** Lines 0 … count - 1. */
function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_item, index) => line(index)).join("\n");
}

describe("cycles are cut, and nothing on them is lost", () => {
  it.each([
    ["two names given to each other", "import os\na = os.system\na = b\nb = a\nprobe(b)", "os:system"],
    ["the other of the two", "import os\na = os.system\na = b\nb = a\nprobe(a)", "os:system"],
    ["a name made from its own member", "import os\nx = os\nx = x.path\nprobe(x.join)", "os:join | os:path.join"],
    ["names that are only each other", "a = b\nb = a\nprobe(a)", "nothing"],
    ["a function that returns its own call", "import os\ndef f(n):\n    return f(n) or os.system\nprobe(f(1))", "os:system"],
    ["a list spread into itself", "import os\nx = [os.system]\nx = [*x]\nprobe(x[0])", "os:system"],
    ["a class that is its own base", "class A(B): ...\nclass B(A): ...\nprobe(A().x)", "nothing"],
    ["an attribute given its own member", "import os\nclass A:\n    x = os\n    def f(self):\n        self.x = self.x.path\n        probe(self.x)", "os | os:path"],
  ])("%s", (_name, source, expected) => {
    expect(spelledReferences(factsOfSource("python", source)).split(" | ").sort().join(" | ")).toBe(expected);
  });

  it("answers every name of a dense cycle", () => {
    const size = 60;
    const source = `import os\nn0 = os.system\n${lines(size, (a) => lines(size, (b) => `n${a} = n${b}`))}\nprobe(n${size - 1})`;
    expect(spelledReferences(factsOfSource("python", source))).toBe("os:system");
  });
});

describe("depth costs no stack and loses nothing", () => {
  it("follows aliases through thousands of names, in either order", () => {
    const down = `import os\na0 = os.system\n${lines(5000, (index) => `a${index + 1} = a${index}`)}\nprobe(a5000)`;
    const up = `import os\nprobe(a0)\n${lines(5000, (index) => `a${index} = a${index + 1}`)}\na5000 = os.system`;
    expect(spelledReferences(factsOfSource("python", down))).toBe("os:system");
    expect(spelledReferences(factsOfSource("python", up))).toBe("os:system");
  });

  it("follows functions that return each other's result", () => {
    const source = `${lines(2000, (index) => `const f${index} = () => f${index + 1}();`)}\nconst f2000 = () => fetch;\nprobe(f0())`;
    expect(spelledReferences(factsOfSource("typescript", source))).toBe("globalThis:fetch");
  });

  it("follows chains of calls, keeping the head and the last names of a long path", () => {
    const facts = factsOfSource("python", `import m\nprobe(m${lines(200, (index) => `.a${index}()`).replaceAll("\n", "")}.last)`);
    const [reference] = referencesOf(facts, probed(facts));
    expect(reference?.path.length).toBeLessThanOrEqual(16);
    expect([reference?.path[0], reference?.path.at(-1)]).toEqual(["a0", "last"]);
  });

  it("folds ten thousand concatenated pieces", () => {
    const facts = factsOf("python", (b) => {
      let whole = b.string("a");
      for (let index = 0; index < 10_000; index++) whole = b.binary(whole, "+", b.string("b"));
      b.call(b.name("probe"), [whole]);
    });
    expect(constantsOf(facts, probed(facts))?.[0]?.value).toHaveLength(10_001);
  });

  it("gives up on text that nests to the right beyond any use, without an error", () => {
    const facts = factsOf("ecmascript", (b) => {
      let whole = b.string("a");
      for (let index = 0; index < 10_000; index++) whole = b.binary(b.string("b"), "+", whole);
      b.call(b.name("probe"), [whole]);
    });
    expect(constantsOf(facts, probed(facts))?.[0]?.value).toHaveLength(10_001);
  });
});

describe("size is bounded", () => {
  it("looks any entry of a large table up once", () => {
    const table = lines(5000, (index) => `"k${index}": f${index},`);
    const uses = lines(500, (index) => `T[x${index}]()`);
    const facts = factsOfSource("python", `import os\ndef f7(): ...\nT = {${table}\n"last": os.system}\n${uses}\nprobe(T[k])`);
    expect(referencesOf(facts, probed(facts)).map(spelled)).toContain("os:system");
    expect(functionsOf(facts, probed(facts))).toEqual([1]);
  });

  it("tells many members of one module by what they have in common", () => {
    const source = `import os\nprobe([${lines(40, (index) => `os.path.f${index},`)}][k])`;
    expect(spelledReferences(factsOfSource("python", source))).toBe("os:path[?]");
  });

  it("does not build text beyond its bound", () => {
    expect(spelledConstants(factsOfSource("python", 'probe("a" * 10**9)'))).toBe("unknown");
    const doubled = lines(40, (index) => `x${index + 1} = x${index} + x${index}`);
    expect(spelledConstants(factsOfSource("python", `x0 = "ab"\n${doubled}\nprobe(x40)`))).toBe("unknown");
    expect(spelledConstants(factsOfSource("python", `x = "{0}" * 20000\ny = "b" * 60000\nprobe(x.format(y))`))).toBe("unknown");
  });

  it("does not multiply alternatives beyond their bound", () => {
    const source = `x = "a" if c else "b"\nprobe(${Array.from({ length: 30 }, () => "x").join(" + ")})`;
    expect(spelledConstants(factsOfSource("python", source))).toBe("unknown");
  });

  it("stops comprehensions inside of comprehensions", () => {
    const source = `L = [${Array.from({ length: 4000 }, () => "1").join(",")}]\nprobe("".join(["".join([chr(a + b) for a in L]) for b in L]))`;
    expect(spelledConstants(factsOfSource("python", source))).toBe("unknown");
  });
});

describe("names of Object.prototype are names", () => {
  it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])("%s", (name) => {
    expect(spelledReferences(factsOfSource("python", `import ${name}\nclass A: ...\nT = {"x": 1}\nprobe(${name}.${name})`))).toBe(`${name}:${name}`);
    expect(spelledReferences(factsOfSource("python", `class A: ...\nprobe(A().${name})`))).toBe("nothing");
    expect(spelledReferences(factsOfSource("typescript", `const T = { x: 1 }; probe(T.${name})`))).toBe("nothing");
    expect(spelledConstants(factsOfSource("typescript", `const T = { x: 1 }; probe(T["${name}"])`))).toBe("unknown");
  });
});

describe("facts that were read from a cache", () => {
  it.each([
    ["python", 'import httpx\nclass A:\n    def __init__(self):\n        self.c = httpx.Client()\n    def f(self):\n        probe(self.c.post)'],
    ["typescript", 'import * as httpx from "httpx"; class A { c = new httpx.Client(); f() { probe(this.c.post) } }'],
  ] as const)("resolve as before: %s", (language, source) => {
    const facts = JSON.parse(JSON.stringify(factsOfSource(language, source))) as ReturnType<typeof factsOfSource>;
    expect(spelledReferences(facts)).toBe("httpx:Client.post()");
    expect(spelledReferences(JSON.parse(JSON.stringify(factsOfSource("python", "class A: ...\nprobe(A().constructor)"))) as typeof facts)).toBe("nothing");
  });
});
