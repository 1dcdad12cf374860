import { describe, expect, it } from "vitest";
import { gainsBetween, shortGains } from "./testing.ts";
import type { GainsOptions, Sources } from "./testing.ts";

/** The gains of a change that only writes one module anew. */
async function gains(others: Sources, path: string, before: string, after: string, options: GainsOptions = {}): Promise<string[]> {
  return shortGains(await gainsBetween({ ...others, [path]: before }, { ...others, [path]: after }, options));
}

const HTTP = { "pkg/__init__.py": "", "pkg/http.py": "import requests\ndef post(x):\n    requests.post(x)\ndef clean(x):\n    return x\n" };
const NET = "net pkg/app.py:3 requests.post < pkg/http.py";
const FETCH = { "src/http.ts": "export function post(x: string) { return fetch(x); }\nexport const clean = (x: string) => x;\n" };

describe("Python", () => {
  it("reports an added call of a helper that has what the module lacked", async () => {
    expect(await gains(HTTP, "pkg/app.py", "def f(x):\n", "from .http import post\ndef f(x):\n    post(x)\n")).toEqual([NET]);
    expect(await gains(HTTP, "pkg/app.py", "def f(x):\n", "from pkg import http as h\ndef f(x):\n    h.post(x)\n")).toEqual([NET]);
    expect(await gains(HTTP, "pkg/app.py", "def f(x):\n", "import pkg.http\ndef f(x):\n    pkg.http.post(x)\n")).toEqual([NET]);
  });

  it("tells the way, and further places", async () => {
    const others = { ...HTTP, "pkg/store.py": "from .http import post\ndef save(x):\n    post(x)\n" };
    const found = await gainsBetween({ ...others, "pkg/app.py": "" }, { ...others, "pkg/app.py": "from .store import save\ndef f(x):\n    save(x)\ndef g(x):\n    save(x)\n" });
    expect(found.gains).toHaveLength(1);
    const [gain] = found.gains;
    expect(gain!.related.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      "pkg/store.py: save runs post of pkg/http.py", "pkg/http.py: post uses requests.post",
    ]);
    expect(gain!.more).toHaveLength(1);
    expect(gain!.through).toEqual(["pkg/store.py", "pkg/http.py"]);
  });

  it("follows five hops, through packages, re-exports and stars", async () => {
    const others = {
      ...HTTP, "pkg/a.py": "from .b import two as one\n", "pkg/b.py": "from .c import *\n", "pkg/c/__init__.py": "from .impl import *\nfrom .impl import two\n",
      "pkg/c/impl.py": "from ..d import three\ndef two(x):\n    return three(x)\n", "pkg/d.py": "from pkg.e import four\nthree = four\n",
      "pkg/e.py": "from .http import post\ndef inner(x):\n    post(x)\ndef four(x):\n    inner(x)\n",
    };
    expect(await gains(others, "pkg/app.py", "", "from pkg.a import one\ndef f(x):\n    one(x)\n"))
      .toEqual(["net pkg/app.py:3 requests.post < pkg/c/impl.py < pkg/e.py < pkg/http.py"]);
    expect(await gains(others, "pkg/app.py", "", "from pkg.b import *\ndef f(x):\n    two(x)\n")).toHaveLength(1);
    expect(await gains(others, "pkg/app.py", "", "from pkg.c import impl\ndef f(x):\n    impl.two(x)\n")).toHaveLength(1);
  });

  const CLIENT = {
    ...HTTP,
    "pkg/client.py": [
      "from .http import post", "class Base:", "    def send(self, x):", "        post(x)", "class Client(Base):", "    def read(self): return 1", "    def run(self, x):", "        self.send(x)",
      "class Eager:", "    def __init__(self):", "        post(1)", "class Late(Eager):", "    pass", "client = Client()",
      "class Lazy:", "    @property", "    def now(self):", "        return post(1)", "class Entered:", "    def __enter__(self):", "        post(1)",
      "def made():", "    return Client()", "class Called:", "    def __call__(self):", "        post(1)", "",
    ].join("\n"),
  };

  it.each([
    ["a method", "from .client import Client\ndef f():\n    Client().run(1)\n"],
    ["an inherited method", "from .client import Client\nc = Client()\nc.send(1)\n"],
    ["a constructor", "from .client import Eager\ndef f():\n    Eager()\n"],
    ["an inherited constructor", "from .client import Late\ndef f():\n    Late()\n"],
    ["an instance of the other module", "from .client import client\ndef f():\n    client.run(1)\n"],
    ["an instance that a function makes", "from . import client as m\ndef f():\n    m.made().run(1)\n"],
    ["an annotated receiver", "from .client import Client\ndef f(c: Client):\n    c.run(1)\n"],
    ["an attribute of self", "from .client import Client\nclass A:\n    def __init__(self): self.c = Client()\n    def f(self):\n        self.c.run(1)\n"],
    ["a class that derives", "from .client import Client\nclass A(Client):\n    def f(self): self.run(1)\n"],
    ["super", "from .client import Client\nclass A(Client):\n    def run(self, x): super().run(x)\n"],
    ["a getter", "from .client import Lazy\ndef f():\n    return Lazy().now\n"],
    ["a context manager", "from .client import Entered\ndef f():\n    with Entered() as e: pass\n"],
    ["a call of an instance", "from .client import Called\ndef f():\n    Called()()\n"],
  ])("follows %s", async (_, after) => {
    const found = await gains(CLIENT, "pkg/app.py", "", after);
    expect(found.map((line) => line.replace(/:\d+/, ""))).toEqual([`net pkg/app.py requests.post < pkg/client.py < pkg/http.py`]);
  });

  it("is silent for methods and functions beside them", async () => {
    expect(await gains(CLIENT, "pkg/app.py", "", "from .client import Client\ndef f():\n    Client().read()\n")).toEqual([]);
    expect(await gains(HTTP, "pkg/app.py", "", "from .http import clean\ndef f():\n    clean(1)\n")).toEqual([]);
  });

  it.each([
    ["a decorator", "from .deco import audited\n@audited\ndef f(): pass\n"],
    ["a decorator with arguments", "from .deco import level\n@level(3)\ndef f(): pass\n"],
    ["a default argument", "from .http import post\ndef f(x=post(1)): pass\n"],
    ["a callback", "from .http import post\ndef f(xs):\n    return list(map(post, xs))\n"],
    ["a lambda", "from .http import post\ndef f(xs):\n    return sorted(xs, key=lambda x: post(x))\n"],
    ["a partial", "from functools import partial\nfrom .http import post\ndef f(xs):\n    partial(post, 1)()\n"],
    ["a nested function that is handed on", "from .http import post\ndef f(run):\n    def g(): post(1)\n    run(g)\n"],
    ["a name given before", "from .http import post\nsend = post\ndef f():\n    send(1)\n"],
    ["a literal import", "import importlib\ndef f():\n    importlib.import_module('pkg.http').post(1)\n"],
    ["an import inside", "def f():\n    from .http import post\n    post(1)\n"],
  ])("follows %s", async (_, after) => {
    const deco = "from .http import post\ndef audited(fn):\n    def inner(*a):\n        post(a)\n        return fn(*a)\n    return inner\ndef level(n):\n    def wrap(fn):\n        def inner(*a):\n            post(a)\n        return inner\n    return wrap\n";
    const found = await gains({ ...HTTP, "pkg/deco.py": deco }, "pkg/app.py", "", after);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^net pkg\/app.py:\d+ requests.post/);
  });

  it("runs the body of a module that is imported, and the packages on the way", async () => {
    const others = { "a/__init__.py": "", "a/boot.py": "import subprocess\nsubprocess.run(['x'])\n", "b/__init__.py": "from a import boot\n", "b/c.py": "def f(): pass\n", "d.py": "import subprocess\ndef unused(): subprocess.run([])\n" };
    expect(await gains(others, "app.py", "", "import a.boot\n")).toEqual(["proc app.py:1 subprocess.run < a/boot.py"]);
    expect(await gains(others, "app.py", "", "from b import c\n")).toEqual(["proc app.py:1 subprocess.run < b/__init__.py < a/boot.py"]);
    expect(await gains(others, "app.py", "", "from a import boot as x\n")).toHaveLength(1);
    expect(await gains(others, "app.py", "", "import d\n")).toEqual([]);
  });
});

describe("the API at the end of a way", () => {
  const shown = async (...body: string[]): Promise<string> => {
    const helper = { "helper.py": ["import litellm, openai, requests, subprocess, boto3", "def f(x):", ...body.map((line) => `    ${line}`), ""].join("\n") };
    const [line] = await gains(helper, "app.py", "", "from helper import f\nf(1)\n");
    return line!.split(" ")[2]!;
  };

  it("is a call that does it rather than another member of the package that is as near", async () => {
    expect(await shown("litellm._async_success_callback.remove(x)", "litellm.completion(x)")).toBe("litellm.completion");
    expect(await shown("litellm.unheard(x)", "return litellm.completion(x)")).toBe("litellm.completion");
    expect(await shown("litellm._async_success_callback.remove(x)")).toBe("litellm._async_success_callback.remove");
  });

  it("is named up to that call, whatever is done with the result", async () => {
    const two = { "llm.py": "import litellm\nanswer = litellm.completion('x')\n", "helper.py": "from llm import answer\ndef f():\n    return answer.model_dump_json().strip()\n" };
    expect(await gains(two, "app.py", "", "from helper import f\nf()\n")).toEqual(["model app.py:2 litellm.completion < helper.py"]);
    expect(await shown("return openai.OpenAI().chat.completions.create(x).choices[0].message.content.strip()")).toBe("openai.OpenAI.chat.completions.create");
    expect(await shown("boto3.client('s3').put_object(x)")).toBe("boto3.client.put_object");
    expect(await shown("requests.Session().post(x).json().get('a')")).toMatch(/^requests\.Session/);
  });
});

describe("the packages around a module of Python", () => {
  const PACKAGE = {
    "pkg/__init__.py": "from pkg.hub import start\n", "pkg/sub/__init__.py": "", "pkg/sub/late.py": "import subprocess\nsubprocess.run(['x'])\n",
    "pkg/hub.py": "import httpx\nhttpx.get('x')\ndef start(): pass\ndef send(): httpx.post('x')\n", "other/__init__.py": "",
  };

  it("ran before it, so that importing what they load is no gain", async () => {
    expect(await gains(PACKAGE, "pkg/a.py", "x = 1\n", "from pkg.hub import start\n")).toEqual([]);
    expect(await gains(PACKAGE, "pkg/sub/a.py", "x = 1\n", "from ..hub import start\n")).toEqual([]);
    expect(shortGains(await gainsBetween(PACKAGE, { ...PACKAGE, "pkg/sub/new.py": "import pkg.hub\n" }))).toEqual([]);
  });

  it("do not run what a call of it runs, nor what they do not load", async () => {
    expect(await gains(PACKAGE, "pkg/a.py", "x = 1\n", "from pkg.hub import send\nsend()\n")).toEqual(["net pkg/a.py:2 httpx.post < pkg/hub.py"]);
    expect(await gains(PACKAGE, "pkg/a.py", "x = 1\n", "from pkg.sub import late\n")).toEqual(["proc pkg/a.py:1 subprocess.run < pkg/sub/late.py"]);
    expect(await gains(PACKAGE, "other/a.py", "x = 1\n", "from pkg.hub import start\n")).toHaveLength(1);
  });

  it("do not run again where a call imports what they load, nor does what the module itself loaded", async () => {
    const lazy = { ...PACKAGE, "pkg/lazy.py": "def f():\n    import pkg.hub\ndef g():\n    from pkg.sub import late\n" };
    expect(await gains(lazy, "pkg/a.py", "x = 1\n", "from pkg.lazy import f\nf()\n")).toEqual([]);
    expect(await gains(lazy, "pkg/a.py", "x = 1\n", "from pkg.lazy import g\ng()\n")).toEqual(["proc pkg/a.py:2 subprocess.run < pkg/lazy.py < pkg/sub/late.py"]);
    expect(await gains(lazy, "pkg/a.py", "from pkg.sub import late\n", "from pkg.sub import late\nfrom pkg.lazy import g\ng()\n")).toEqual([]);
    expect(await gains(lazy, "other/a.py", "x = 1\n", "from pkg.lazy import f\nf()\n")).toHaveLength(1);
  });

  it("leave what a module does anew when it is loaded to that module", async () => {
    const before = { ...PACKAGE, "pkg/hub.py": "def start(): pass\n", "pkg/a.py": "x = 1\n" };
    const found = shortGains(await gainsBetween(before, { ...before, "pkg/hub.py": "from pkg.sub import late\ndef start(): pass\n", "pkg/a.py": "from pkg.hub import start\nstart()\n" }));
    expect(found).toEqual(["proc pkg/hub.py:1 subprocess.run < pkg/sub/late.py"]);
  });

  it("are asked at the base: what they load anew is a gain", async () => {
    const before = { ...PACKAGE, "pkg/__init__.py": "", "pkg/a.py": "x = 1\n" };
    const found = shortGains(await gainsBetween(before, { ...PACKAGE, "pkg/a.py": "from pkg.hub import start\n" }));
    expect(found.map((line) => line.split(" ")[1])).toEqual(["pkg/__init__.py:1", "pkg/a.py:1"]);
  });
});

describe("ECMAScript", () => {
  const OTHERS = {
    ...FETCH, "package.json": '{"name":"x","imports":{"#net":"./src/http.ts"}}', "tsconfig.json": '{"compilerOptions":{"paths":{"@/*":["./src/*"]}}}',
    "src/index.ts": 'export * from "./deep/index.js";\n', "src/deep/index.ts": 'export { post as send } from "../http.js";\nexport * as ns from "../http";\n',
    "src/client.ts": [
      'import { post } from "./http";', "export class Base { send(x: string) { return post(x); } }", "export class Client extends Base { read() { return 1; } run() { return this.send('x'); } static go() { post('x'); } get now() { return post('x'); } }",
      "export class Eager { x = post('x'); }", "export class Late extends Eager { y = 1; }", "export const client = new Client();", "export const api = { post, nested: { send: () => post('x') }, clean: () => 1 };",
      "export const make = () => ({ send() { post('x'); } });", "export default function () { post('x'); }", "",
    ].join("\n"),
    "src/common.cjs": 'const http = require("./http");\nmodule.exports = { send: (x) => http.post(x), clean: () => 1 };\n',
  };

  it.each([
    ["a function", 'import { post } from "./http";\nexport const f = () => post("x");\n'],
    ["a function by tsconfig paths", 'import { post } from "@/http";\nexport const f = () => post("x");\n'],
    ["a function by package imports", 'import { post } from "#net";\nexport const f = () => post("x");\n'],
    ["a barrel", 'import { send } from ".";\nexport const f = () => send("x");\n'],
    ["a namespace in a barrel", 'import { ns } from ".";\nexport const f = () => ns.post("x");\n'],
    ["a namespace", 'import * as ns from "./deep";\nexport const f = () => ns.send("x");\n'],
    ["a method", 'import { Client } from "./client";\nexport const f = () => new Client().run();\n'],
    ["a static method", 'import { Client } from "./client";\nexport const f = () => Client.go();\n'],
    ["a getter", 'import { client } from "./client";\nexport const f = () => client.now;\n'],
    ["an inherited method", 'import { Client } from "./client";\nconst c = new Client();\nexport const f = () => c.send("x");\n'],
    ["a field", 'import { Eager } from "./client";\nexport const f = () => new Eager();\n'],
    ["an inherited field", 'import { Late } from "./client";\nexport const f = () => new Late();\n'],
    ["an exported instance", 'import { client } from "./client";\nexport const f = () => client.run();\n'],
    ["an object of functions", 'import { api } from "./client";\nexport const f = () => api.nested.send();\n'],
    ["an object of functions by shorthand", 'import { api } from "./client";\nexport const f = () => api.post("x");\n'],
    ["what a factory makes", 'import { make } from "./client";\nexport const f = () => make().send();\n'],
    ["a default export", 'import send from "./client";\nexport const f = () => send();\n'],
    ["a class that derives", 'import { Client } from "./client";\nexport class A extends Client { f() { return super.run(); } }\n'],
    ["require", 'const { send } = require("./common.cjs");\nexports.f = () => send("x");\n'],
    ["a default import of CommonJS", 'import common from "./common.cjs";\nexport const f = () => common.send("x");\n'],
    ["import()", 'export const f = async () => (await import("./http")).post("x");\n'],
    ["a callback", 'import { post } from "./http";\nexport const f = (xs: string[]) => xs.map(post);\n'],
    ["a callback written in place", 'import { post } from "./http";\nexport const f = (xs: string[]) => xs.map((x) => post(x));\n'],
    ["an option", 'import { post } from "./http";\nexport const f = (run: any) => run({ onDone: post });\n'],
    ["an annotated parameter", 'import type { Client } from "./client";\nexport const f = (c: Client) => c.run();\n'],
    ["a tagged template", 'import { post } from "./http";\nexport const f = () => post`x`;\n'],
    ["a decorator", 'import { post } from "./http";\nexport class A { @post m() {} }\n'],
  ])("follows %s", async (_, after) => {
    const found = await gains(OTHERS, "src/app.ts", "", after);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^net src\/app.ts:\d+ fetch < .*src\/http.ts$/);
  });

  it("is silent for functions beside them, types, and names of other scopes", async () => {
    for (const after of [
      'import { clean } from "./http";\nclean("x");\n', 'import { api } from "./client";\napi.clean();\n', 'import common from "./common.cjs";\ncommon.clean();\n',
      'import type { Client } from "./client";\nexport let x: Client;\n', 'import { type Client } from "./client";\nexport let x: Client;\n',
      'import { post } from "./http";\nexport const f = (post: () => void) => post();\n', 'import { Client } from "./client";\nexport const f = (x: unknown) => x instanceof Client;\n',
      'import { post } from "./http";\nexport { post };\n', 'import { Client } from "./client";\nnew Client().read();\n',
    ]) expect([after, await gains(OTHERS, "src/app.ts", "", after)]).toEqual([after, []]);
  });

  it("runs the body of a module that is imported", async () => {
    const others = { "a.ts": 'import "./b";\n', "b.ts": 'import { rmSync } from "node:fs";\nrmSync("x");\n', "c.ts": 'import "dotenv/config";\n' };
    expect(await gains(others, "app.ts", "", 'import "./a";\n')).toEqual(["fs.delete app.ts:1 node:fs.rmSync < a.ts < b.ts"]);
    expect(await gains(others, "app.ts", "", 'void import("./a");\n')).toHaveLength(1);
    expect(await gains(others, "app.ts", "", 'import "./c";\n')).toEqual(["env.write app.ts:1 dotenv/config < c.ts"]);
  });
});
