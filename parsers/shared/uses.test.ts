import { describe, expect, it } from "vitest";
import { factsOfSource, spelled } from "./testing-sources.ts";
import type { Language } from "./testing-sources.ts";

function writes(language: Language, source: string): string[] {
  const { uses } = factsOfSource(language, source);
  return uses.filter(({ role }) => role === "write").flatMap(({ references }) => references.map(spelled));
}

describe("what is written", () => {
  it.each<[string, Language, string, string[]]>([
    ["a variable of the environment", "python", 'import os\nos.environ["TOKEN"] = read()\n', ["os:environ.TOKEN"]],
    ["a variable of the environment", "typescript", "process.env.TOKEN = read();", ["globalThis:process.env.TOKEN"]],
    ["a variable by a name known at run time", "python", "import os\nos.environ[key] = read()\n", ["os:environ[?]"]],
    ["a variable by a name known at run time", "typescript", "process.env[key] = read();", ["globalThis:process.env[?]"]],
    ["the environment under another name", "python", "from os import environ as e\ne['A'] = '1'\n", ["os:environ.A"]],
    ["the environment under another name", "typescript", "const e = process.env; e.A = '1';", ["globalThis:process.env.A"]],
    ["an attribute that is given what is read", "python", "import os\nclass Client:\n    def __init__(self):\n        self.key = os.getenv('KEY')\n", []],
    ["an attribute that is given what is read", "typescript", "class Client { key; constructor() { this.key = process.env.KEY; } }", []],
  ])("%s (%s)", (_, language, source, expected) => {
    expect(writes(language, source)).toEqual(expected);
  });
});

/** Each use as `role reference`, in the order of the table. */
function used(language: Language, source: string): string {
  return factsOfSource(language, source).uses.map(({ role, references }) => `${role} ${references.map(spelled).join(" | ")}`).join(", ");
}

describe("what is a use", () => {
  it.each<[string, Language, string, string]>([
    ["a call by the longest chain", "python", "import os\nos.path.join(a)\n", "call os:path.join, value builtins:a"],
    ["a call by the longest chain", "typescript", 'import * as p from "path"; p.posix.join(a);', "call path:posix.join, value globalThis:a"],
    ["a value handed on", "python", "import os\nrun(os.system)\n", "call builtins:run, value os:system"],
    ["a value handed on", "typescript", "run(fetch);", "call globalThis:run, value globalThis:fetch"],
    ["an alias and what becomes of it", "python", "import os\nf = os.system\nf('x')\n", "alias os:system, call os:system"],
    ["an alias and what becomes of it", "typescript", "const f = fetch; f('x');", "alias globalThis:fetch, call globalThis:fetch"],
    ["a type", "python", "import httpx\ndef f(c: httpx.Client): ...\n", "type httpx:Client"],
    ["a type", "typescript", 'import { Client } from "m"; function f(c: Client) {}', "type m:Client"],
    ["a base", "python", "import httpx\nclass A(httpx.Client): ...\n", "base httpx:Client"],
    ["a base", "typescript", 'import { Client } from "m"; class A extends Client {}', "base m:Client"],
    ["an error that is caught", "python", "import httpx\ntry: ...\nexcept httpx.HTTPError: ...\n", "exception httpx:HTTPError"],
    ["what is reached by text where it stands", "python", "import os\ngetattr(os, 'system')('ls')\n", "call builtins:getattr, value os, call os:system by literal-reach"],
    ["what is reached by text where it stands", "typescript", 'Reflect.get(globalThis, "fetch")("x");', "call globalThis:Reflect.get, value globalThis, call globalThis:fetch by literal-reach"],
    ["what is reached by text and handed on", "python", "import os\nrun(getattr(os, 'system'))\n", "call builtins:run, call builtins:getattr, value os, value os:system by literal-reach"],
    ["what is reached by text and given a name", "python", "import os\nf = getattr(os, 'system')\nf('ls')\n", "call builtins:getattr, value os, call os:system by literal-reach"],
    ["a handle by what it does", "python", "import httpx\nc = httpx.Client()\nc.post('x')\n", "call httpx:Client, call httpx:Client.post()"],
    ["a promise's own method is no member of a module", "typescript", 'import("fs").then((m) => m.writeFile("x"));', "call globalThis:import, call fs:writeFile"],
    ["a handle whose value says less than its annotation", "python", "import requests\ns: requests.Session = make()\ns.post('x')\n", "call builtins:make, type requests:Session, call builtins:make.post() | requests:Session.post() by annotation"],
  ])("%s (%s)", (_, language, source, expected) => {
    expect(used(language, source)).toBe(expected);
  });

  it.each<[string, Language, string]>([
    ["functions and classes of the language that only compute", "python", "print(len(sorted([1])), ValueError)\n"],
    ["functions and classes of the language that only compute", "typescript", "console.log(Math.max(1), JSON.stringify({}), new Map());"],
    ["names of the file", "python", "def f(x): return x.y\nf(1)\n"],
    ["names of the file", "typescript", "const f = (x) => x.y; f(1);"],
    ["a name that is taken away", "python", "import os\ndel os\n"],
    ["a name that is given something", "python", "import os\nx = y = 1\nfor x in []: ...\n"],
  ])("nothing: %s (%s)", (_, language, source) => {
    expect(used(language, source)).toBe("");
  });

  it("keeps what is reflective about the functions that only compute", () => {
    expect(used("python", "print.__self__.exec('x')\n")).toBe("call builtins:exec");
    expect(used("typescript", 'Object.constructor("x")();')).toBe("call globalThis:Object.constructor");
    expect(used("typescript", "Math[x]();")).toBe("value globalThis:x, call globalThis:Math[?]");
  });

  it("stands at the last name of the chain, in its function and statement", () => {
    const source = "import os\ndef f():\n    os.path.join('a')\n";
    const { uses, statements, functions } = factsOfSource("python", source);
    const [use] = uses;
    expect(source.slice(...use!.span)).toBe("join");
    expect(functions[use!.function]!.name).toBe("f");
    expect(source.slice(...statements[use!.statement]!)).toBe("os.path.join('a')");
  });
});

describe("what a call is told to be", () => {
  it("is there also where the callee is no name", () => {
    const { calls } = factsOfSource("typescript", 'require("execa")("ls"); console.log(1);');
    expect(calls.map(({ references }) => references.map(spelled).join())).toEqual(["execa", "globalThis:console.log"]);
  });
});
