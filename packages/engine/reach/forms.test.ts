import { describe, expect, it } from "vitest";
import { gainsBetween } from "./testing.ts";
import type { Sources } from "./testing.ts";

/** The capabilities that a new module reaches. */
async function reached(others: Sources, path: string, text: string): Promise<string[]> {
  const { gains } = await gainsBetween(others, { ...others, [path]: text });
  return gains.map(({ capability }) => capability);
}

describe("further forms", () => {
  const TYPESCRIPT = {
    "src/http.ts": "export function post(x: string) { return fetch(x); }\n",
    "src/client.ts": 'import { post } from "./http";\nexport default class Client { send = async (x: string) => post(x); static of() { return new Client(); } async *rows() { yield post("x"); } }\nexport class Service { #c = new Client(); run() { return this.#c.send("x"); } }\nexport class Injected { constructor(private readonly c: Client) {} run() { return this.c.send("x"); } }\n',
    "src/names.ts": 'export { default as Made } from "./client";\nexport { default } from "./client";\nimport http = require("./http");\nexport const again = http.post;\n',
    "src/old.ts": 'import { post } from "./http";\nfunction send() { post("x"); }\nexport = send;\n',
    "src/space.ts": 'import { post } from "./http";\nexport namespace Out { export function send() { post("x"); } }\n',
    "src/reg.ts": 'import { post } from "./http";\nexport const handlers = { send: () => post("x") };\nexport function run(name: keyof typeof handlers) { return handlers[name](); }\n',
  };

  it.each([
    ["an arrow in a field", 'import Client from "./client";\nnew Client().send("x");\n'],
    ["a static factory", 'import Client from "./client";\nClient.of().send("x");\n'],
    ["a generator", 'import Client from "./client";\nfor await (const r of new Client().rows()) { void r; }\n'],
    ["a private field", 'import { Service } from "./client";\nnew Service().run();\n'],
    ["a parameter property", 'import { Injected } from "./client";\nexport const f = (i: Injected) => i.run();\n'],
    ["default as a name", 'import { Made } from "./names";\nnew Made().send("x");\n'],
    ["default of a default", 'import Made from "./names";\nnew Made().send("x");\n'],
    ["a name of import =", 'import { again } from "./names";\nagain("x");\n'],
    ["export =", 'import send from "./old";\nsend();\n'],
    ["import = of export =", 'import send = require("./old");\nsend();\n'],
    ["a namespace", 'import { Out } from "./space";\nOut.send();\n'],
    ["a table looked up in its module", 'import { run } from "./reg";\nrun("send");\n'],
    ["unpacking import()", 'const { post } = await import("./http");\npost("x");\n'],
    ["a promise's callback", 'import { post } from "./http";\nPromise.resolve("x").then(post);\n'],
    ["then of import()", 'void import("./http").then((m) => m.post("x"));\n'],
    ["a default parameter", 'import { post } from "./http";\nexport const f = (send = post) => send("x");\n'],
    ["a choice", 'import { post } from "./http";\nexport const f = (send?: typeof post) => (send ?? post)("x");\n'],
    ["call and bind", 'import { post } from "./http";\npost.call(null, "x");\n'],
    ["re-export and use", 'export { post } from "./http";\nimport { post } from "./http";\npost("x");\n'],
  ])("of TypeScript: %s", async (_, text) => {
    expect(await reached(TYPESCRIPT, "src/app.ts", text)).toEqual(["net"]);
  });

  const PYTHON = {
    "pkg/__init__.py": "from .http import post as send\nfrom . import http\n", "pkg/http.py": "import requests\ndef post(x):\n    return requests.post(x)\n",
    "pkg/client.py": "from dataclasses import dataclass\nfrom .http import post\nclass Client:\n    @classmethod\n    def of(cls): return cls()\n    @staticmethod\n    def now(): post(1)\n    def run(self): post(1)\n    async def __aenter__(self):\n        post(1)\n@dataclass\nclass Service:\n    client: Client\n    def run(self): self.client.run()\n",
    "pkg/fast.py": "try:\n    from .missing import post\nexcept ImportError:\n    from .http import post\n", "src/other/__init__.py": "from other.deep import send\n", "src/other/deep.py": "from pkg import send\n",
  };

  it.each([
    ["a name of the package", "import pkg\npkg.send(1)\n"],
    ["a module of the package", "import pkg\npkg.http.post(1)\n"],
    ["a class method", "from pkg.client import Client\nClient.of().run()\n"],
    ["a static method", "from pkg.client import Client\nClient.now()\n"],
    ["a field of a dataclass", "from pkg.client import Service\ndef f(s: Service): s.run()\n"],
    ["a fallback", "from pkg.fast import post\npost(1)\n"],
    ["a src layout", "from other import send\nsend(1)\n"],
    ["an async context", "from pkg.client import Client\nasync def f():\n    async with Client(): pass\n"],
    ["a thread", "import threading\nfrom pkg.http import post\nthreading.Thread(target=post).start()\n"],
    ["asyncio.run", "import asyncio\nfrom pkg.http import post\nasync def main(): post(1)\nasyncio.run(main())\n"],
    ["a comprehension", "from pkg.http import post\ndef f(xs): return [post(x) for x in xs]\n"],
    ["getattr by text", "from pkg import http\ngetattr(http, 'post')(1)\n"],
    ["a global given later", "post = None\ndef load():\n    global post\n    from pkg.http import post\ndef f(): post(1)\n"],
    ["a class variable", "from pkg.http import post\nclass A:\n    send = staticmethod(post)\ndef f(): A.send(1)\n"],
    ["a conditional definition", "from pkg.http import post\nif True:\n    def g(): post(1)\nelse:\n    def g(): pass\ng()\n"],
  ])("of Python: %s", async (_, text) => {
    expect(await reached(PYTHON, "app.py", text)).toEqual(["net"]);
  });
});
