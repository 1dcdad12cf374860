import { parseEcmascript, parsePython } from "@agentgate/parsers";
import { describe, expect, it } from "vitest";
import { noDynamicImport } from "../no-dynamic-import.ts";
import { contextOf } from "./testing.ts";

type Language = "python" | "typescript";

function judged(language: Language, source: string): string[] {
  const facts = language === "python" ? parsePython(source) : parseEcmascript(source, { dialect: "typescript" });
  return noDynamicImport.check(facts, contextOf()).map(({ api }) => api ?? "-");
}

const SILENT: readonly (readonly [string, Language, string])[] = [
  ["a file of data", "typescript", 'import path from "node:path";\nexport function version(folder: string) { return require(path.join(folder, "package.json")).version; }'],
  ["a file of data that a helper finds", "typescript", 'import * as path from "path";\nfunction found(folder: string) { if (!folder) return null; return path.resolve(folder, "package.json"); }\nexport function version(folder: string) { const file = found(folder); return require(file!).version; }'],
  ["a file of data by a template", "typescript", "export const read = async (name: string) => import(`${name}.json`);"],
  ["the module of a class in hand", "python", "import importlib\ndef config_of(found):\n    return importlib.import_module(found.__module__)"],
  ["the global object by a written text", "typescript", 'export const root = Function("return this")();'],
  ["a debugger that is given a function", "python", "import pdb\ndef debug(task):\n    pdb.runcall(task)"],
  ["a search path that is put back", "python", "import sys\nfrom copy import copy\nclass Kept:\n    def __enter__(self):\n        self.path = copy(sys.path)\n    def __exit__(self, *rest):\n        sys.path = self.path"],
  ["a search path that is put back from a slice", "python", "import sys\nsaved = sys.path[:]\ndef restore():\n    sys.path = saved"],
  ["a name that callers of callers give", "python", 'import importlib\ndef _load(name):\n    return importlib.import_module(name)\ndef _part(name):\n    return _load(name)\nPARTS = [_part("json"), _part("csv")]'],
  ["a global that callers of callers name", "typescript", 'const root: any = globalThis;\nfunction valueOf(name: string) { return root[name]; }\nfunction native(name: string) { return valueOf(name); }\nexport const parts = [native("Map"), native("Set")];'],
  ["a name that is replaced where it is none of a list", "python", 'import requests\ndef sender(method):\n    if method not in ("get", "post"):\n        method = "post"\n    return getattr(requests, method)'],
  ["a name that is replaced where a list lacks it", "typescript", 'import * as fs from "node:fs";\nexport function reader(name: string) { if (!["readFile", "stat"].includes(name)) name = "stat"; return (fs as any)[name]("a.txt"); }'],
  ["a reader that is given a safe loader with it", "python", "import functools\nimport yaml\nread = functools.partial(yaml.load, Loader=yaml.SafeLoader)"],
  ["what was just written to a buffer", "python", "import io\nimport pickle\ndef fits(value):\n    buffer = io.BytesIO()\n    pickle.dump(value, buffer)\n    buffer.seek(0)\n    pickle.load(buffer)"],
  ["restricted names that are copied", "python", "from RestrictedPython import safe_builtins\nnames = safe_builtins.copy()"],
  ["the description of a package that was found", "typescript", 'import { createRequire } from "node:module";\nexport function version(folder: string) { const load = createRequire(folder); const file = load.resolve("tool/package.json"); return load(file).version; }'],
  ["an entry of the loaded modules that is removed", "python", "import sys\ndef forget(name):\n    sys.modules.pop(name, None)\n    del sys.modules[name]"],
];

const OWN: readonly (readonly [string, string])[] = [
  ["a text filled by an operator", 'def load(name):\n    return importlib.import_module("app.parts.%s" % name)'],
  ["a text filled by a method", 'def load(name):\n    return importlib.import_module("app.parts.{}".format(name))'],
  ["the name of a module of the tree", 'import app.parts\ndef load(name):\n    return importlib.import_module(f"{app.parts.__name__}.{name}")'],
  ["the names of several modules of the tree", 'import app.parts\nimport app.other\ndef load(name):\n    for parent in (app.parts, app.other):\n        importlib.import_module(f"{parent.__name__}.{name}")'],
  ["the name of a module and a sum", 'from app import parts\ndef load(name):\n    return importlib.import_module(parts.__name__ + "." + name)'],
];

const FOREIGN: readonly (readonly [string, string])[] = [
  ["a text that ends inside a name", 'def load(name):\n    return importlib.import_module("app.parts.a%s" % name)\ndef other(name):\n    return importlib.import_module("app%s" % name)'],
  ["a text of another package", 'def load(name):\n    return importlib.import_module("foreign.parts.%s" % name)'],
  ["the name of a module of another package", 'import foreign\ndef load(name):\n    return importlib.import_module(f"{foreign.__name__}.{name}")'],
  ["the name of a module with no dot behind it", 'import app.parts\ndef load(name):\n    return importlib.import_module(f"{app.parts.__name__}{name}")'],
  ["the name of an object that comes in", 'def load(parent, name):\n    return importlib.import_module(f"{parent.__name__}.{name}")'],
];

function judgedInTree(source: string): number {
  const empty = parsePython("");
  const context = contextOf({ modules: { app: empty, "app.parts": empty, "app.other": empty } });
  return noDynamicImport.check(parsePython(`import importlib\n${source}`), context).length;
}

describe("a name that begins with a package of the tree", () => {
  it.each(OWN)("%s", (_, source) => { expect(judgedInTree(source)).toBe(0); });

  it.each(FOREIGN)("is not: %s", (_, source) => { expect(judgedInTree(source)).toBe(1); });
});

describe("a plugin that is put together", () => {
  it("is said to be what its text names", () => {
    const source = "from importlib.metadata import EntryPoint\ndef load(spec):\n    return EntryPoint(None, spec, None).load()";
    const [finding] = noDynamicImport.check(parsePython(source), contextOf());
    expect(finding!.message).toContain("loads the module that the value of spec names at run time");
  });

  it("is not, where a package declares it", () => {
    const source = 'from importlib.metadata import entry_points\ndef load():\n    return [point.load() for point in entry_points(group="tools")]';
    const [finding] = noDynamicImport.check(parsePython(source), contextOf());
    expect(finding!.message).toContain("whatever an installed package declares");
  });
});

const REPORTED: readonly (readonly [string, Language, string, readonly string[]])[] = [
  ["a name that is replaced by one that comes in", "python", 'import requests\ndef sender(method, other):\n    if method not in ("get", "post"):\n        method = other\n    return getattr(requests, method)', ["requests"]],
  ["a reader that is given an unsafe loader with it", "python", "import functools\nimport yaml\nread = functools.partial(yaml.load, Loader=yaml.Loader)", ["yaml.load"]],
  ["a buffer that something else was written to", "python", "import io\nimport pickle\ndef read(value, data):\n    buffer = io.BytesIO()\n    pickle.dump(value, buffer)\n    buffer.write(data)\n    return pickle.load(buffer)", ["pickle.load"]],
  ["a buffer that another function is given", "python", "import io\nimport pickle\ndef read(fill):\n    buffer = io.BytesIO()\n    fill(buffer)\n    return pickle.load(buffer)", ["pickle.load"]],
  ["restricted code", "python", "from RestrictedPython import compile_restricted\ndef made(text):\n    return compile_restricted(text)", ["RestrictedPython.compile_restricted"]],
  ["a hook with a written name", "typescript", 'import { register } from "node:module";\nregister("tracing/hook.mjs", import.meta.url);', ["module.register"]],
  ["a module that was found by its own name", "typescript", 'import { createRequire } from "node:module";\nexport function start(folder: string, name: string) { const load = createRequire(folder); return load(load.resolve(name)); }', ["module.createRequire"]],
  ["an attribute that other files set", "typescript", "export class Addon { main: string | null = null; load() { return require(this.main!); } }", ["require"]],
  ["a file of code beside data", "typescript", 'import path from "node:path";\nexport function load(folder: string, plain: boolean) { return require(plain ? path.join(folder, "a.json") : path.join(folder, "a.js")); }', ["require"]],
  ["a name that only ends in the letters", "typescript", "export const load = (name: string) => require(`${name}json`);", ["require"]],
  ["an ending that the file gives to another reader", "typescript", 'require.extensions[".json"] = require.extensions[".js"];\nexport const load = (name: string) => require(`${name}.json`);', ["require"]],
  ["a helper with one way that is no data", "typescript", 'import * as path from "path";\nfunction found(folder: string, given: string) { if (given) return given; return path.resolve(folder, "package.json"); }\nexport const load = (folder: string, given: string) => require(found(folder, given));', ["require"]],
  ["a module name that the file writes on a class", "python", "import importlib\ndef load(found, name):\n    found.__module__ = name\n    return importlib.import_module(found.__module__)", ["importlib.import_module"]],
  ["a member of the global object that a written text gives", "typescript", 'export const run = (name: string, text: string) => (Function("return this")() as any)[name](text);', ["the global object"]],
  ["an evaluator of the global object that a written text gives", "typescript", 'const root: any = Function("return this")();\nexport const run = (text: string) => root.eval(text);', ["eval"]],
  ["a maker of the global object that is kept", "typescript", 'export const made = Function("return this");', ["Function"]],
  ["a text that does more than name the global object", "typescript", 'export const run = Function("return this.eval")();', ["Function"]],
  ["a debugger that is given text", "python", "import pdb\ndef debug(text):\n    pdb.run(text)", ["pdb.run"]],
  ["a name that one caller of callers takes from outside", "python", 'import importlib\ndef _load(name):\n    return importlib.import_module(name)\ndef _part(name):\n    return _load(name)\ndef part(name):\n    return _part(name)\nPART = _part("json")', ["importlib.import_module"]],
  ["a global that one caller of callers takes from outside", "typescript", 'const root: any = globalThis;\nfunction valueOf(name: string) { return root[name]; }\nfunction native(name: string) { return valueOf(name); }\nexport const part = (name: string) => native(name);\nexport const map = native("Map");', ["the global object"]],
  ["a search path with a further folder", "python", "import sys\ndef use(folder):\n    sys.path = [folder] + sys.path", ["sys.path"]],
  ["an entry of the loaded modules that is taken", "python", "import sys\ndef take(name):\n    found = sys.modules.pop(name, None)\n    return found.run()", ["sys.modules"]],
  ["a plugin that is loaded, once", "python", 'from importlib.metadata import entry_points\ndef plugins():\n    found = {}\n    for point in entry_points(group="tools"):\n        tool = point.load()\n        found[point.name] = tool\n    return found', ["importlib.metadata.entry_points.load"]],
  ["a plugin's loader that is handed on", "python", 'from importlib.metadata import entry_points\ndef plugins():\n    found = {}\n    for point in entry_points(group="tools"):\n        found[point.name] = point.load\n    return found', ["importlib.metadata.entry_points.load"]],
  ["an evaluator that is called where it is chosen, once", "typescript", "export function run(data: string) { ((window as any).execScript || ((text: string) => { (window as any)[\"eval\"](text); }))(data); }", ["execScript", "eval"]],
];

describe("what only looks like code that is chosen at run time", () => {
  it.each(SILENT)("%s (%s)", (_, language, source) => {
    expect(judged(language, source)).toEqual([]);
  });

  it.each(REPORTED)("is not: %s (%s)", (_, language, source, apis) => {
    expect(judged(language, source)).toEqual(apis);
  });
});
