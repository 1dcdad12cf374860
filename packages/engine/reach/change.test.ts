import { describe, expect, it } from "vitest";
import { gainsBetween, shortGains } from "./testing.ts";
import type { GainsOptions, Sources } from "./testing.ts";

async function short(base: Sources, head: Sources, options: GainsOptions = {}): Promise<string[]> {
  return shortGains(await gainsBetween(base, head, options));
}

const HTTP = { "http.ts": "export function post(x: string) { return fetch(x); }\nexport const clean = (x: string) => x;\n" };
const CALLS = 'import { post } from "./http";\nexport function f() {\n  return post("x");\n}\n';

describe("what counts as gained", () => {
  it("is silent for what the module had or reached, wherever it stands now", async () => {
    const base = { ...HTTP, "app.ts": `${CALLS}export function g() {\n  return 1;\n}\n` };
    for (const after of [
      // Moved, in a function of another name, aliased, reformatted, twice.
      'import { post } from "./http";\nexport function f() {\n  return 1;\n}\nexport function g() {\n  post("y");\n}\n',
      'import { post } from "./http";\nexport function renamed() {\n  return post("z");\n}\n',
      'import { post as send } from "./http";\nexport function f() {\n  return send("x");\n}\n',
      'import * as http from "./http.js";\nexport const f = () =>\n  http.post(\n    "x",\n  );\n',
      `${CALLS}post("y");\npost("z");\n`,
    ]) expect([after, await short(base, { ...HTTP, "app.ts": after })]).toEqual([after, []]);
    expect(await short({ ...HTTP, "app.ts": "export const f = () => fetch('x');\n" }, { ...HTTP, "app.ts": CALLS })).toEqual([]);
  });

  it("leaves what the module has itself at head to its own finding", async () => {
    expect(await short({ ...HTTP, "app.ts": "" }, { ...HTTP, "app.ts": `${CALLS}fetch("y");\n` })).toEqual([]);
  });

  it("reports a helper that moved to another module there, and a renamed module keeps its base", async () => {
    expect(await short({ ...HTTP, "a.ts": CALLS, "b.ts": "" }, { ...HTTP, "a.ts": "", "b.ts": CALLS })).toEqual(["net b.ts:3 fetch < http.ts"]);
    expect(await short({ ...HTTP, "a.ts": CALLS }, { ...HTTP, "b.ts": `${CALLS}post("y");\n` }, { renamed: { "b.ts": "a.ts" } })).toEqual([]);
  });

  it("leaves an unchanged call to the module whose function changed", async () => {
    const app = { "app.ts": 'import { save } from "./store";\nsave();\n' };
    const found = await short({ ...HTTP, ...app, "store.ts": "export function save() {\n}\n" }, { ...HTTP, ...app, "store.ts": 'import { post } from "./http";\nexport function save() {\n  post("x");\n}\n' });
    expect(found).toEqual(["net store.ts:3 fetch < http.ts"]);
  });

  it("stands at what was added where the call itself is old", async () => {
    const others = { ...HTTP, "dry.ts": "export function post(x: string) { return x; }\nexport class Client { run() {} }\n", "real.ts": 'import { post } from "./http";\nexport class Client { run() { post("x"); } }\n' };
    const swapped = await short({ ...others, "app.ts": 'import { post } from "./dry";\npost("x");\n' }, { ...others, "app.ts": 'import { post } from "./http";\npost("x");\n' });
    expect(swapped).toEqual(["net app.ts:1 fetch < http.ts"]);
    const imports = 'import { Client as Dry } from "./dry";\nimport { Client } from "./real";\n';
    const made = await short({ ...others, "app.ts": `${imports}const c = new Dry();\nc.run();\n` }, { ...others, "app.ts": `${imports}const c = new Client();\nc.run();\n` });
    expect(made).toEqual(["net app.ts:3 fetch < real.ts < http.ts"]);
    const named = await short({ ...others, "app.ts": 'import * as dry from "./dry";\nimport * as http from "./http";\nconst send = dry.post;\nsend("x");\n' }, { ...others, "app.ts": 'import * as dry from "./dry";\nimport * as http from "./http";\nconst send = http.post;\nsend("x");\n' });
    expect(named).toEqual(["net app.ts:3 fetch < http.ts"]);
    const derived = await short({ ...others, "app.ts": `${imports}export class A extends Dry {}\nnew A().run();\n` }, { ...others, "app.ts": `${imports}export class A extends Client {}\nnew A().run();\n` });
    expect(derived).toEqual(["net app.ts:3 fetch < real.ts < http.ts"]);
  });

  it("takes a new module as a whole, and each capability by itself", async () => {
    const others = { ...HTTP, "disk.ts": 'import { rmSync, writeFileSync } from "fs";\nexport const wipe = () => rmSync("x");\nexport const write = () => writeFileSync("x", "y");\n' };
    const app = 'import { post } from "./http";\nimport { wipe, write } from "./disk";\npost("x"); wipe();\nwrite();\n';
    expect(await short(others, { ...others, "app.ts": app })).toEqual([
      "net app.ts:3 fetch < http.ts", "fs.delete app.ts:3 node:fs.rmSync < disk.ts", "fs.write app.ts:4 node:fs.writeFileSync < disk.ts",
    ]);
  });
});

describe("ports", () => {
  const app = { "app.ts": 'import { save } from "./store";\nsave();\n' };
  const store = { "store.ts": 'import { post } from "./http";\nimport { rmSync } from "fs";\nexport const save = () => { post("x"); };\nexport const wipe = () => rmSync("x");\n' };

  it("end what they cover, where it is had and on the way", async () => {
    for (const path of ["http.ts", "store.ts", "app.ts"]) expect(await short({ ...HTTP, ...store }, { ...HTTP, ...store, ...app }, { ports: { [path]: ["net"] } })).toEqual([]);
    for (const path of ["http.ts", "store.ts"]) expect(await short({ ...HTTP, ...store }, { ...HTTP, ...store, ...app }, { ports: { [path]: ["fs.delete"] } })).toHaveLength(1);
  });

  it("end only the ways through them", async () => {
    const two = { ...HTTP, ...store, "other.ts": 'import { post } from "./http";\nexport const save = () => { post("x"); };\n' };
    const after = { ...two, "app.ts": 'import { save } from "./store";\nimport { save as second } from "./other";\nsave();\nsecond();\n' };
    expect(await short(two, after, { ports: { "store.ts": ["net"] } })).toEqual(["net app.ts:4 fetch < other.ts < http.ts"]);
  });

  it("end what a module passes on", async () => {
    const others = { "pass.ts": 'export { rmSync as remove } from "node:fs";\n', "use.ts": 'import { remove } from "./pass";\nexport const wipe = () => remove("x");\n' };
    const after = { ...others, "app.ts": 'import { wipe } from "./use";\nwipe();\n' };
    expect(await short(others, after)).toEqual(["fs.delete app.ts:2 node:fs.rmSync < use.ts"]);
    expect(await short(others, after, { ports: { "pass.ts": ["fs.delete"] } })).toEqual([]);
  });
});

describe("what is I/O", () => {
  async function reached(body: string, options: GainsOptions = {}): Promise<string[]> {
    const helper = { "helper.py": `import os, io, zipfile, sqlite3, boto3, logging, requests\ndef f(path, *rest):\n    ${body}\n` };
    const found = await short(helper, { ...helper, "app.py": "from helper import f\nf(1)\n" }, options);
    return found.map((line) => line.split(" ")[0]!);
  }

  it("is told by arguments", async () => {
    expect(await reached("open(path, 'w')")).toEqual(["fs.write"]);
    expect(await reached("open(path)")).toEqual([]);
    expect(await reached("open(path)", { strict: true })).toEqual(["fs.read"]);
    expect(await reached("open(path, mode='rb')")).toEqual([]);
    expect(await reached("open(path, *rest)")).toEqual(["fs.write"]);
    expect(await reached("os.open(path, os.O_RDONLY | os.O_CLOEXEC)")).toEqual([]);
    expect(await reached("os.open(path, os.O_RDWR)")).toEqual(["fs.write"]);
    expect(await reached("zipfile.ZipFile(io.BytesIO(), 'w')")).toEqual([]);
    expect(await reached("sqlite3.connect(path).execute('select 1')")).not.toContain("queue");
    expect(await reached("os.kill(path, 0)")).toEqual([]);
    expect(await reached("os.kill(path, 9)")).toEqual(["proc"]);
  });

  it("leaves out what is read, code, types, probes and exceptions", async () => {
    expect(await reached("return os.environ['X']")).toEqual([]);
    expect(await reached("return os.environ['X']", { strict: true })).toEqual(["env.read"]);
    expect(await reached("os.environ['X'] = path")).toEqual(["env.write"]);
    expect(await reached("return eval(path)")).toEqual([]);
    expect(await reached("return isinstance(path, requests.Session)")).toEqual([]);
    expect(await reached("raise requests.HTTPError()")).toEqual([]);
    expect(await reached("return hasattr(os, 'fork')")).toEqual([]);
    expect(await reached("boto3.client('s3').get_object()")).toEqual(["cloud.read"]);
    expect(await reached("boto3.client('s3').put_object()")).toEqual(["cloud.write"]);
  });

  it("follows the policy's own names", async () => {
    const helper = { "helper.py": "import bigcorp\ndef f():\n    bigcorp.go()\n" };
    const after = { ...helper, "app.py": "from helper import f\nf()\n" };
    expect(await short(helper, after)).toEqual([]);
    expect(await short(helper, after, { capabilities: [{ api: "bigcorp.go", capability: "pay" }] })).toEqual(["pay app.py:2 bigcorp.go < helper.py"]);
  });

  it("leaves a handle that was handed in to who handed it in", async () => {
    const helper = { "helper.py": "import httpx\ndef f(client: httpx.Client):\n    client.post('x')\n" };
    expect(await short(helper, { ...helper, "app.py": "from helper import f\nf(None)\n" })).toEqual([]);
  });
});

describe("what does not run", () => {
  const python = (helper: string, app: string): Promise<string[]> => {
    const others = { "helper.py": helper, "http.py": "import requests\ndef post(x):\n    requests.post(x)\n" };
    return short(others, { ...others, "app.py": app });
  };
  const script = (helper: string, app: string): Promise<string[]> => {
    const others = { ...HTTP, "helper.ts": helper };
    return short(others, { ...others, "app.ts": app });
  };

  it("below the test for a program's own start, when a module is imported", async () => {
    expect(await python("from http import post\nif __name__ == '__main__':\n    for x in [1]:\n        post(x)\n", "import helper\n")).toEqual([]);
    expect(await script('import { post } from "./http";\nif (require.main === module) post("x");\n', 'import "./helper";\n')).toEqual([]);
    expect(await script('import { post } from "./http";\nif (import.meta.main) { post("x"); }\n', 'import "./helper";\n')).toEqual([]);
    const own = await script("export {};\n", 'import { post } from "./http";\nif (require.main === module) post("x");\n');
    expect(own).toHaveLength(1);
  });

  it("what the body of a module hands to a package, which keeps it", async () => {
    expect(await script('import { post } from "./http";\nimport express from "express";\nexpress().get("/", () => post("x"));\n', 'import "./helper";\n')).not.toContainEqual(expect.stringContaining("fetch"));
    expect(await python("from http import post\nfrom dataclasses import dataclass, field\n@dataclass\nclass A:\n    x: int = field(default_factory=lambda: post(1))\n", "import helper\n")).toEqual([]);
    expect(await script('import { post } from "./http";\n["x"].forEach((x) => { post(x); });\n', 'import "./helper";\n')).toHaveLength(1);
  });

  it("what is only named, kept, or handed on whole", async () => {
    expect(await python("import requests\ndef f(keep):\n    keep(requests)\n    keep(requests.Session)\n    return requests\n", "from helper import f\nf(print)\n")).toEqual([]);
    expect(await python("from typing import cast\nfrom http import post\ndef deco(fn):\n    def inner(): post(1)\n    return cast(object, inner)\n@deco\ndef f(): pass\n", "import helper\n")).toEqual([]);
    expect(await python("from typing import cast\nfrom http import post\ndef deco(fn):\n    def inner(): post(1)\n    return cast(object, inner)\n@deco\ndef f(): pass\n", "import helper\nhelper.f()\n")).toHaveLength(1);
    expect(await script('import { promisify } from "util";\nimport { execFile } from "child_process";\nexport const run = promisify(execFile);\n', 'import "./helper";\n')).toEqual([]);
    expect(await script('import {} from "openai";\nexport const x = 1;\n', 'import "./helper";\n')).toEqual([]);
    expect(await python("import requests\nclass Late:\n    def __call__(self): requests.get(1)\ndef f(): return Late()\n", "from helper import f\nf()\n")).toEqual([]);
  });

  it("a callback that another caller hands in", async () => {
    const helper = "from http import post\ndef each(fn, xs):\n    for x in xs: fn(x)\ndef sends(xs): each(post, xs)\ndef counts(xs): each(len, xs)\n";
    expect(await python(helper, "from helper import counts\ncounts([])\n")).toEqual([]);
    expect(await python(helper, "from helper import sends\nsends([])\n")).toEqual(["net app.py:2 requests.post < helper.py < http.py"]);
  });

  it("what an answer holds, and text that is no path", async () => {
    expect(await python("import requests\nclass A:\n    def __init__(self): self.info = requests.get('x').json()\n    def f(self): return self.info.get('a')\n", "from helper import A\ndef f(a: A): a.f()\n")).toEqual([]);
    expect(await python("from pathlib import Path\ndef f(p: str | Path):\n    return p.replace('a', 'b')\ndef g(): f(Path('x').resolve())\n", "from helper import g\ng()\n")).toEqual([]);
  });

  it("methods of a class by deriving from it", async () => {
    const client = 'import { post } from "./http";\nexport class Client { run() { post("x"); } }\n';
    expect(await script(client, 'import { Client } from "./helper";\nexport class A extends Client {}\n')).toEqual([]);
  });
});

describe("shapes of graphs", () => {
  it("ends for recursion, and for cycles of functions, modules, re-exports and classes", async () => {
    const others = {
      "a.py": "from b import g\ndef f(n):\n    f(n)\n    return g(n)\n", "b.py": "from a import f\nimport requests\ndef g(n):\n    h(n)\n    return f(n)\ndef h(n):\n    g(n)\n    requests.get(n)\n",
      "c.py": "from d import *\nfrom d import lost\n", "d.py": "from c import *\nfrom c import lost\nimport c, d\n",
      "e.py": "import f\nclass A(f.B):\n    pass\n", "f.py": "import e\nclass B(e.A):\n    pass\n",
    };
    const found = await short(others, { ...others, "app.py": "import a, c, e\na.f(1)\nc.lost()\ne.A().nothing()\ne.A()\nclass X(e.A): pass\n" });
    expect(found).toEqual(["net app.py:2 requests.get < a.py < b.py"]);
  });

  it("takes hostile names and forms as names", async () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const text = `${names.map((name) => `export function ${name}() { return 1; }`).join("\n")}\nexport const t = { __proto__: { x() { fetch("x"); } }, constructor: () => 1 };\n`;
    const app = `import * as m from "./m";\n${names.map((name) => `m.${name}(); m.t.${name}();`).join("\n")}\nm.t["__proto__"]["x"]();\nm.gone.gone();\n`;
    const found = await short({ "m.ts": text }, { "m.ts": text, "app.ts": app });
    expect(found.every((line) => line.startsWith("net"))).toBe(true);
  });

  it("does not overflow on a long chain or deep nesting", async () => {
    const chain = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`m${index}.ts`, index === 2999 ? 'export const f = () => fetch("x");\n' : `import { f as g } from "./m${index + 1}";\nexport const f = () => g();\n`]));
    const found = await gainsBetween(chain, { ...chain, "app.ts": 'import { f } from "./m0";\nf();\n' });
    expect(found.gains).toHaveLength(1);
    expect(found.gains[0]!.through).toHaveLength(3000);
  });

  it("reads downward only, and each module once, whatever calls a hub", async () => {
    const callers = (count: number): Sources => Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}.ts`, 'import { hub } from "./hub";\nexport const f = () => hub();\n']));
    const hub = { "hub.ts": 'import { post } from "./http";\nexport const hub = () => post("x");\n', ...HTTP };
    const cost = async (count: number): Promise<number> => {
      const { gains, head } = await gainsBetween(hub, { ...hub, ...callers(count) });
      expect(gains).toHaveLength(count);
      return head.resolved;
    };
    const [some, many] = [await cost(500), await cost(5000)];
    expect(many).toBeLessThan(some * 11);
    const idle = { ...hub, ...callers(5000) };
    const { head, base } = await gainsBetween(idle, { ...idle, "app.ts": 'import { hub } from "./hub";\nhub();\n' });
    expect(head.loads.flat().sort()).toEqual(["app.ts", "http.ts", "hub.ts"]);
    expect(base.loads).toEqual([]);
  });
});
