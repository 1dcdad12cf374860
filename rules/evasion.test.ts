import { parseEcmascript, parsePython } from "@agentgate/parsers";
import { describe, expect, it } from "vitest";
import { noDynamicImport } from "./no-dynamic-import.ts";
import { noInventedIo } from "./no-invented-io.ts";
import { contextOf } from "./shared/testing.ts";

/** What both rules say of a source: `rule capability api`. */
function judged(language: "python" | "typescript", source: string): string[] {
  const facts = language === "python" ? parsePython(source) : parseEcmascript(source, { dialect: "typescript" });
  return [noDynamicImport, noInventedIo].flatMap((rule) =>
    rule.check(facts, contextOf()).map(({ capability, api }) => `${rule.meta.id} ${capability ?? "-"} ${api ?? "-"}`));
}

const io = (capability: string, api: string): string => `no-invented-io ${capability} ${api}`;
const dynamic = (capability: string, api: string): string => `no-dynamic-import ${capability} ${api}`;

const PYTHON: readonly (readonly [technique: string, source: string, expected: string])[] = [
  ["module held by another module", 'import shutil\nshutil.os.system("x")', io("proc", "os.system")],
  ["module held under a private name", 'import random\nrandom._os.system("x")', io("proc", "os.system")],
  ["held module imported by name", 'from logging import os\nos.system("x")', io("proc", "os.system")],
  ["loaded modules by way of another module", 'import typing\ntyping.sys.modules["os"].system("x")', io("proc", "os.system")],
  ["evaluator by way of another module", 'import codecs\ncodecs.builtins.eval(x)', dynamic("code", "eval")],
  ["module of a spec that was found by name", 'import importlib.util as u\ns = u.find_spec("subprocess")\nm = u.module_from_spec(s)\ns.loader.exec_module(m)\nm.run("x")', io("proc", "subprocess")],
  ["module's own loader", '__loader__.load_module("subprocess").run("x")', io("proc", "subprocess")],
  ["builtins of a function", 'def f(): ...\nf.__builtins__["eval"](x)', dynamic("code", "eval")],
  ["builtins of a frame", 'import sys\nsys._getframe(0).f_builtins["exec"](x)', dynamic("code", "exec")],
  ["builtins that a builtin belongs to", "len.__self__.eval(x)", dynamic("code", "eval")],
  ["names of another module's function", 'import json\njson.dumps.__globals__["helper"]("x")', dynamic("opaque", "__globals__")],
  ["names of any function", 'x.__init__.__globals__["system"]("x")', dynamic("opaque", "__globals__")],
  ["every class there is", '().__class__.__base__.__subclasses__()[140]("x")', dynamic("opaque", "__subclasses__")],
  ["evaluator out of a table of the builtins", 'import builtins\nvars(builtins)["ex" + "ec"](x)', dynamic("code", "exec")],
  ["evaluator by a method of the builtins", '__builtins__.__getitem__("exec")(x)', dynamic("code", "exec")],
  ["all members of a mixed module handed on by name", "import os\nclass A:\n    def __getattr__(self, name):\n        return getattr(os, name)", dynamic("opaque", "os")],
  ["code that the module keeps", 'class A:\n    code = compile(text, "", "exec")', dynamic("code", "compile")],
  ["file outside the tree", 'import runpy\nrunpy.run_path("/tmp/x.py")', dynamic("opaque", "runpy.run_path")],
  ["value set as an attribute", 'import os\nsetattr(x, "f", os.system)', io("proc", "os.system")],
  ["method that runs text", 'import trace\ntrace.Trace().run("import x")', dynamic("code", "trace.Trace.run")],
];

const TYPESCRIPT: readonly (readonly [technique: string, source: string, expected: string])[] = [
  ["constructor of a class", 'const { constructor: F } = class {}; new F("return 1")();', dynamic("code", "constructor")],
  ["constructor by a name put together", '(() => {})["constr" + "uctor"]("return 1")();', dynamic("code", "constructor")],
  ["constructor of a built-in function", 'console.log.constructor("return 1")();', dynamic("code", "constructor")],
  ["constructor read by reflection", 'Reflect.get(() => {}, "constructor")("return 1")();', dynamic("code", "constructor")],
  ["constructor called by reflection", 'Reflect.construct(Function, ["return 1"])();', dynamic("code", "constructor")],
  ["names of the global object", "for (const key of Object.keys(globalThis)) globalThis[key]();", dynamic("opaque", "the global object")],
  ["code in an address", 'import "data:text/javascript,1";', dynamic("code", "import")],
  ["code in a computed address", 'await import("data:text/javascript," + "1");', dynamic("code", "import")],
  ["file outside the tree", 'import "file:///tmp/x.mjs";', dynamic("code", "import")],
  ["file by its place on the machine", 'require("/tmp/x.js").go();', dynamic("code", "require")],
  ["require of the module class", 'const { Module } = require("module"); Module.prototype.require.call(module, "child_process").exec("x");', dynamic("opaque", "module.Module.prototype.require")],
  ["machine code beside the module", 'import addon from "./addon.node"; addon.go();', io("native", "./addon.node")],
  ["module that is for running code", 'import repl from "node:repl"; repl.start();', dynamic("code", "repl.start")],
];

describe("evasions", () => {
  it.each(PYTHON)("are seen in Python: %s", (_technique, source, expected) => {
    expect(judged("python", source)).toContain(expected);
  });

  it.each(TYPESCRIPT)("are seen in TypeScript: %s", (_technique, source, expected) => {
    expect(judged("typescript", source)).toContain(expected);
  });
});

const SILENT: readonly (readonly ["python" | "typescript", technique: string, source: string])[] = [
  ["python", "own plugins", "class Plugin: ...\nfor each in Plugin.__subclasses__(): each()"],
  ["python", "the caller's module name", 'import sys\nsys._getframe(1).f_globals.get("__name__", "x").upper()'],
  ["python", "names of a function, read", 'print(f.__globals__["x"])'],
  ["python", "a package that is only looked for", 'import importlib.util\nif importlib.util.find_spec("httpx") is None: raise RuntimeError'],
  ["python", "a member that has a module's name", "import asyncio\nasyncio.subprocess.PIPE"],
  ["python", "text compiled to check it", 'def check(text):\n    tree = compile(text, "", "exec")'],
  ["typescript", "an instance of the same class", 'function again(error: Error) { return new error.constructor("message"); }'],
  ["typescript", "keys of an own table", 'const TABLE = { a: () => 1 }; for (const key of Object.keys(TABLE)) TABLE[key]();'],
  ["typescript", "a context for code", 'import vm from "node:vm"; vm.createContext({});'],
];

describe("what looks like an evasion", () => {
  it.each(SILENT)("%s: %s", (language, _technique, source) => {
    expect(judged(language, source)).toEqual([]);
  });
});
