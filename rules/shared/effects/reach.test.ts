import { describe, expect, test } from "vitest";
import type { ModuleFacts } from "@agentgate/parsers";
import { contextOf } from "../testing.ts";
import { effectsOf } from "./index.ts";
import { reachedPhrase } from "./phrases.ts";
import { callNamed, effectsIn, factsIn, spelledReached } from "./testing.ts";
import type { Language } from "./testing.ts";

interface Row {
  readonly technique: string;
  /** A source in which the call of `go` is asked about, then other modules. */
  readonly python: readonly [source: string, modules?: Readonly<Record<string, string>>] | null;
  readonly typescript: readonly [source: string, modules?: Readonly<Record<string, string>>] | null;
  readonly expected: readonly string[];
  /** Which paths define a name, for what nothing resolves. */
  readonly definers?: Readonly<Record<string, readonly string[]>>;
}

const POST = { python: 'import httpx\ndef post():\n    httpx.post("https://x.io/orders")\n', typescript: 'import axios from "axios";\nexport function post() { axios.post("https://x.io/orders"); }\n' };
const NET = { python: "net! httpx.post", typescript: "net! axios.post" };

const ROWS: readonly Row[] = [
  { technique: "a function of the file", python: [`${POST.python}def go(): post()\ngo()`], typescript: [`${POST.typescript}function go() { post(); }\ngo();`], expected: ["NET through go > post"] },
  { technique: "a function of another module", python: ["from .a import go\ngo()", { ".a": `${POST.python}def go(): post()` }], typescript: ['import { go } from "./a";\ngo();', { "./a": `${POST.typescript}export function go() { post(); }` }], expected: ["NET through go > post in A"] },
  { technique: "re-exported", python: ["from .b import go\ngo()", { ".b": "from .a import post as go", ".a": POST.python }], typescript: ['import { go } from "./b";\ngo();', { "./b": 'export { post as go } from "./a";', "./a": POST.typescript }], expected: ["NET through post in A"] },
  { technique: "an instance that another module makes", python: ["from .a import client\nclient.go()", { ".a": "import httpx\nclass C:\n    def go(self): httpx.post(u)\nclient = C()" }], typescript: ['import { client } from "./a";\nclient.go();', { "./a": 'import axios from "axios";\nclass C { go() { axios.post(u); } }\nexport const client = new C();' }], expected: ["NET through C.go in A"] },
  { technique: "an outside client that another module makes", python: ["from .a import session\nsession.go()", { ".a": "import stripe\nsession = stripe.Client()" }], typescript: null, expected: [] },
  { technique: "inherited from another module", python: ["from .a import Base\nclass C(Base):\n    def run(self): self.go()", { ".a": "import httpx\nclass Base:\n    def go(self): httpx.post(u)" }], typescript: ['import { Base } from "./a";\nclass C extends Base { run() { this.go(); } }', { "./a": 'import axios from "axios";\nexport class Base { go() { axios.post(u); } }' }], expected: ["NET through Base.go in A"] },
  { technique: "super", python: ["from .a import Base\nclass C(Base):\n    def go(self): super().go()", { ".a": "import httpx\nclass Base:\n    def go(self): httpx.post(u)" }], typescript: ['import { Base } from "./a";\nclass C extends Base { go() { super.go(); } }', { "./a": 'import axios from "axios";\nexport class Base { go() { axios.post(u); } }' }], expected: ["NET through Base.go in A"] },
  { technique: "an annotated receiver", python: ["from .a import C\ndef f(c: C):\n    c.go()", { ".a": "import httpx\nclass C:\n    def go(self): httpx.post(u)" }], typescript: ['import type { C } from "./a";\nfunction f(c: C) { c.go(); }', { "./a": 'import axios from "axios";\nexport class C { go() { axios.post(u); } }' }], expected: ["NET through C.go in A"] },
  { technique: "a callback that is handed in", python: [`${POST.python}def go(f): return f()\ngo(lambda: post())`], typescript: [`${POST.typescript}function go(f) { return f(); }\ngo(() => post());`], expected: ["NET through POST > post"] },
  { technique: "a callback handed to a package", python: [`${POST.python}from tenacity import go\ngo(post)`], typescript: [`${POST.typescript}import go from "p-retry";\ngo(post);`], expected: ["NET through post"] },
  { technique: "an API that is handed in, where it is called", python: ["import httpx\ndef retry(go):\n    while True:\n        go()\nretry(httpx.post)"], typescript: ['import axios from "axios";\nfunction retry(go) { while (true) go(); }\nretry(axios.post);'], expected: ["NET"] },
  { technique: "a constructor", python: ["import httpx\nclass go:\n    def __init__(self): httpx.post(u)\ngo()"], typescript: ['import axios from "axios";\nclass go { constructor() { axios.post(u); } }\nnew go();'], expected: ["NET through CONSTRUCTOR"] },
  { technique: "a table of handlers", python: [`${POST.python}def other(): pass\nTABLE = {"a": post, "b": other}\ndef f(name):\n    go = TABLE[name]\n    go()`], typescript: [`${POST.typescript}function other() {}\nconst TABLE = { a: post, b: other };\nfunction f(name) { const go = TABLE[name]; go(); }`], expected: ["NET through post"] },
  { technique: "a generator", python: [`${POST.python}def go():\n    while True:\n        yield post()\nfor x in go(): pass`], typescript: [`${POST.typescript}async function* go() { while (true) yield post(); }\nfor await (const x of go()) {}`], expected: ["NET through go > post"] },
  { technique: "a decorator that wraps", python: [`${POST.python}def wrap(f):\n    def inner(*a):\n        post()\n        return f(*a)\n    return inner\n@wrap\ndef go(): pass\ngo()`], typescript: null, expected: ["NET through go > inner > post"] },
  { technique: "the only class of the tree with the method", python: ["def f(x):\n    x.go()", { ".a": "import httpx\nclass C:\n    def go(self): httpx.post(u)" }], typescript: ["function f(x) { x.go(); }", { "./a": 'import axios from "axios";\nexport class C { go() { axios.post(u); } }' }], definers: { go: [".a", "./a"] }, expected: ["NET through C.go in A"] },
  { technique: "two classes have the method", python: ["def f(x):\n    x.go()", { ".a": "import httpx\nclass C:\n    def go(self): httpx.post(u)\nclass D:\n    def go(self): pass; self.a()" }], typescript: ["function f(x) { x.go(); }", { "./a": 'import axios from "axios";\nexport class C { go() { axios.post(u); } }\nexport class D { go() { this.a(); } }' }], definers: { go: [".a", "./a"] }, expected: [] },
  { technique: "a declared method and its only override", python: ["from .a import Base\ndef f(x: Base):\n    x.go()", { ".a": "import httpx\nclass Base:\n    def go(self):\n        raise NotImplementedError\nclass C(Base):\n    def go(self): httpx.post(u)" }], typescript: null, definers: { go: [".a"] }, expected: ["NET through C.go in A"] },
  { technique: "a handler that is only registered", python: [`${POST.python}import atexit\natexit.register(post)\ngo(1)`], typescript: [`${POST.typescript}emitter.on("x", post);\ngo(1);`], expected: [] },
  { technique: "nothing", python: ["def go(): return 1\ngo()"], typescript: ["function go() { return 1; }\ngo();"], expected: [] },
];

describe.each(["python", "typescript"] as const)("%s", (language) => {
  for (const row of ROWS) {
    const input = row[language];
    if (input === null) continue;
    test(row.technique, () => {
      const [source, modules = {}] = input;
      const { facts, effects } = effectsIn(language, source, modules, row.definers === undefined ? {} : { definers: row.definers });
      const asked = facts.calls.map((_, id) => id).filter((id) => id === lastCallOfGo(facts)).flatMap((id) => effects.reachedBy(id).map(spelledReached));
      expect(asked).toEqual(row.expected.map((text) => filled(language, text)));
    });
  }
});

function lastCallOfGo(facts: ModuleFacts): number {
  const calls = facts.calls.map((call, id) => ({ call, id })).filter(({ call }) => {
    const value = facts.values[call.callee]!;
    return (value.kind === "name" && value.name === "go") || (value.kind === "member" && value.property === "go");
  });
  return calls.at(-1)?.id ?? -1;
}

function filled(language: Language, text: string): string {
  const python = language === "python";
  return text.replace("NET", NET[language]).replace(" in A", python ? " in .a" : " in ./a").replace("CONSTRUCTOR", python ? "go.__init__" : "go.constructor").replace("POST", "an anonymous function");
}

describe.each(["python", "typescript"] as const)("%s", (language) => {
  const python = language === "python";

  test("of effects alike the nearest is told, and the nearest first", () => {
    const source = python
      ? "import httpx, subprocess\ndef a():\n    subprocess.run(x)\n    b()\ndef b():\n    httpx.post(u)\n    subprocess.run(y)\na()"
      : 'import axios from "axios"; import { execSync } from "node:child_process";\nfunction a() { execSync(x); b(); }\nfunction b() { axios.post(u); execSync(y); }\na();';
    const { facts, effects } = effectsIn(language, source);
    const reached = effects.reachedBy(facts.calls.length - 1 - [...facts.calls].reverse().findIndex((call) => call.function === 0));
    expect(reached.map(({ effect, steps }) => `${effect.capability} ${String(steps.length)}`)).toEqual(["proc 1", "net 2"]);
    expect(reachedPhrase(reached[1]!)).toBe(`a, which posts with ${NET[language].slice(5)}`);
  });

  test("recursion, mutual recursion and neither", () => {
    const { facts, effects } = effectsIn(language, python
      ? `${POST.python}def one(n): post(); one(n - 1)\ndef two(n): three(n)\ndef three(n): post(); two(n)\ndef four(n): one(n)\ndef idle(n): idle(n - 1)`
      : `${POST.typescript}function one(n) { post(); one(n - 1); }\nfunction two(n) { three(n); }\nfunction three(n) { post(); two(n); }\nfunction four(n) { one(n); }\nfunction idle(n) { idle(n - 1); }`);
    const names = facts.functions.map((each, id) => [each.name, effects.recursionOf(id).length]);
    expect(names.filter(([name]) => name !== "post").slice(1)).toEqual([["one", 1], ["two", 1], ["three", 1], ["four", 0], ["idle", 0]]);
  });

  test("recursion through another module and a method", () => {
    const facts = factsIn(language, python ? `${POST.python}from .b import next_\nclass A:\n    def step(self): post(); next_(self)` : `${POST.typescript}import { next } from "./b";\nexport class A { step() { post(); next(this); } }`);
    const other = factsIn(language, python ? "from .a import A\ndef next_(a: A): a.step()" : 'import type { A } from "./a";\nexport function next(a: A) { a.step(); }');
    const [a, b] = python ? [".a", ".b"] : ["./a", "./b"];
    const effects = effectsOf(facts, contextOf({ path: a, modules: { [a]: facts, [b]: other } }));
    expect(effects.recursionOf(facts.functions.findIndex(({ name }) => name === "step"))).toHaveLength(1);
  });

  test("a chain of 200 calls is followed in full, one of 300 is cut off and said", () => {
    const chain = (length: number): string => Array.from({ length }, (_, index) => {
      const body = index === length - 1 ? (python ? "httpx.post(u)" : "axios.post(u)") : `f${String(index + 1)}()`;
      return python ? `def f${String(index)}(): ${body}` : `function f${String(index)}() { ${body}; }`;
    }).join("\n");
    const whole = (length: number): string => `${python ? "import httpx\n" : 'import axios from "axios";\n'}${chain(length)}\ngo(f0())`;
    const short = effectsIn(language, whole(200));
    const long = effectsIn(language, whole(300));
    const [near] = short.effects.reachedBy(lastCall(short.facts, "f0"));
    expect(near?.steps).toHaveLength(200);
    expect(short.effects.cutOff).toEqual([]);
    const asked = lastCall(long.facts, "f0");
    expect(long.effects.reachedBy(asked)).toEqual([]);
    expect(long.effects.cutOff).toEqual([asked]);
    expect(long.effects.recursionOf(1)).toEqual([]);
  });

  test("a table of 5,000 handlers", () => {
    const names = Array.from({ length: 5000 }, (_, index) => `h${String(index)}`);
    const source = python
      ? `import httpx\n${names.map((name) => `def ${name}(): httpx.post(u)`).join("\n")}\nTABLE = {${names.map((name) => `"${name}": ${name}`).join(", ")}}\ndef run(k):\n    TABLE[k]()\nrun(1)`
      : `import axios from "axios";\n${names.map((name) => `function ${name}() { axios.post(u); }`).join("\n")}\nconst TABLE = { ${names.join(", ")} };\nfunction run(k) { TABLE[k](); }\nrun(1);`;
    const { facts, effects } = effectsIn(language, source);
    expect(effects.own).toHaveLength(5000);
    expect(effects.reachedBy(callNamed(facts, "run")).map(({ effect }) => effect.capability)).toEqual(["net"]);
  });

  test("answers do not depend on the order of questions", () => {
    const source = python
      ? "import httpx, subprocess\ndef a(): b(); c()\ndef b(): c(); httpx.post(u)\ndef c(): a(); subprocess.run(x)\na()\nb()\nc()"
      : 'import axios from "axios"; import { execSync } from "node:child_process";\nfunction a() { b(); c(); }\nfunction b() { c(); axios.post(u); }\nfunction c() { a(); execSync(x); }\na(); b(); c();';
    const ids = effectsIn(language, source).facts.calls.map((_, id) => id);
    const asked = (order: readonly number[]): readonly string[] => {
      const { effects } = effectsIn(language, source);
      for (const id of order) effects.reachedBy(id);
      return ids.map((id) => effects.reachedBy(id).map(spelledReached).join("; "));
    };
    expect(asked([...ids].reverse())).toEqual(asked(ids));
  });

  test("a module that is not read yet is asked for each time, and its effects are there once it is", () => {
    const facts = factsIn(language, python ? "from .b import go\ngo()" : 'import { go } from "./b";\ngo();');
    const [a, b] = python ? [".a", ".b"] : ["./a", "./b"];
    const other = factsIn(language, python ? `${POST.python}def go(): post()` : `${POST.typescript}export function go() { post(); }`);
    const base = contextOf({ path: a, modules: { [a]: facts, [b]: other } });
    const missed: string[] = [];
    let isRead = false;
    const tree = { ...base.tree, facts: (path: string) => {
      if (path !== b || isRead) return base.tree.facts(path);
      missed.push(path);
      return null;
    }, unanswered: () => missed.length };
    const reached = (): number => effectsOf(facts, { ...base, tree }).reachedBy(callNamed(facts, "go")).length;
    expect(reached()).toBe(0);
    const first = missed.length;
    expect(reached()).toBe(0);
    expect(first).toBeGreaterThan(0);
    expect(missed.length).toBeGreaterThan(first);
    isRead = true;
    expect(reached()).toBe(1);
  });
});

function lastCall(facts: ModuleFacts, name: string): number {
  const ids = facts.calls.flatMap((call, id) => {
    const value = facts.values[call.callee]!;
    return value.kind === "name" && value.name === name ? [id] : [];
  });
  return ids.at(-1) ?? -1;
}
