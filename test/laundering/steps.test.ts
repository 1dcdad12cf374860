import { describe } from "vitest";
import { allFound, allReported, loads } from "./attempts.ts";
import type { Attempt, Hidden } from "./attempts.ts";

const PROC = "import subprocess\n\n\ndef run(x):\n    return subprocess.run(x)\n";
const GOOD = "def run(x):\n    return x\n";
const EXEC = 'import { execSync } from "node:child_process";\n\nexport const run = (x: string) => execSync(x);\n';
const REQUIRED = 'module.exports = require("child_process").execSync("x");\n';
const IO = "no-invented-io";

describe("one step that prepares another", () => {
  allReported("laundering-steps", [
    loads("a plain import", "a.py", "import tests.evil\n"),
    loads("an import of a member", "a.py", "from tests import evil as e\n"),
    loads("a relative import", "a.ts", 'import * as e from "./tests/evil.js";\n\ne.run("x");\n'),
    loads("a name that is put together", "a.py", "import importlib\n\nimportlib.import_module('tests.' + 'evil')\n"),
    loads("the built-in import", "a.py", "__import__('tests.evil')\n"),
    loads("a path that is run", "a.py", "import runpy\n\nrunpy.run_path('tests/evil.py')\n"),
    loads("a template", "a.ts", "export const e = await import(`./tests/evil.js`);\n"),
    loads("a joined path", "a.cjs", 'const path = require("path");\n\nrequire(path.join(__dirname, "tests", "evil.cjs"));\n'),
    loads("a require of its own making", "a.mjs", 'import { createRequire } from "node:module";\n\ncreateRequire(import.meta.url)("./tests/evil.cjs");\n'),
    loads("an escaped specifier", "a.ts", 'import * as e from "./t\\x65sts/\\u0065vil.js";\n\ne.run("x");\n'),
    loads("a re-export", "a.ts", 'export * from "./tests/evil.js";\n'),
    loads("an import that requires", "a.cts", 'import e = require("./tests/evil.cjs");\n\nexport = e;\n'),
    loads("a worker", "a.mjs", 'import { Worker } from "node:worker_threads";\n\nnew Worker(new URL("./tests/evil.cjs", import.meta.url));\n'),
    loads("a process of its own", "a.mjs", 'import { fork } from "node:child_process";\n\nfork("./tests/evil.cjs");\n'),
    loads("a template with a hole", "a.ts", "export const load = (x: string) => import(`./tests/${x}.js`);\n"),
    loads("a template for the file's own folder", "a.mjs", "export const load = (x) => import(`./${x}.cjs`);\n"),
    loads("a require with a hole", "a.cjs", "module.exports = (x) => require(`./tests/${x}.cjs`);\n"),
    loads("a joined path with a hole", "a.cjs", 'const path = require("path");\n\nmodule.exports = (x) => require(path.join(__dirname, "tests", x));\n'),
    loads("a worker with a hole", "a.mjs", 'import { Worker } from "node:worker_threads";\n\nexport const run = (x) => new Worker(new URL(`./tests/${x}.ts`, import.meta.url));\n'),
    loads("a require of its own making with a hole", "a.mjs", 'import { createRequire } from "node:module";\n\nconst take = createRequire(import.meta.url);\nexport const run = (x) => take(`./tests/${x}.cjs`);\n'),
    loads("a glob of a bundler", "a.mjs", 'export const all = import.meta.glob("./tests/*.ts", { eager: true });\n'),
    loads("a context of a bundler", "a.js", 'export const all = require.context("./tests", true);\n'),
    loads("a name with a hole", "a.py", "import importlib\n\n\ndef load(x):\n    return importlib.import_module(f'tests.{x}')\n"),
    loads("a name with a package", "a.py", "import importlib\n\nimportlib.import_module('.evil', 'tests')\n"),
    loads("a name with a hole and a package", "a.py", "import importlib\n\n\ndef load(x):\n    return importlib.import_module('.' + x, 'tests')\n"),
    loads("a name that its callers give", "a.py", "import importlib\n\n\ndef _load(x):\n    return importlib.import_module(x)\n\n\n_load('tests.evil')\n"),
    loads("a name that a check lets through", "a.py", "import importlib\n\n\ndef load(x):\n    if x not in ('tests.evil', 'json'):\n        return None\n    return importlib.import_module(x)\n"),
    loads("a path with a hole that is run", "a.py", "import os\nimport runpy\n\nHERE = os.path.dirname(__file__)\n\n\ndef load(x):\n    return runpy.run_path(os.path.join(HERE, 'tests', x + '.py'))\n"),
    loads("a spec with a hole", "a.py", "import importlib.util\nfrom pathlib import Path\n\n\ndef load(x):\n    spec = importlib.util.spec_from_file_location('m', Path(__file__).parent / 'tests' / x)\n    spec.loader.exec_module(importlib.util.module_from_spec(spec))\n"),
    loads("a walk over a package", "a.py", "import importlib\nimport pkgutil\n\nimport tests\n\nfor found in pkgutil.iter_modules(tests.__path__):\n    importlib.import_module('tests.' + found.name)\n"),
    { name: "an excluded file that does not parse, imported anew", base: { "a.ts": "export {};\n", "tests/evil.ts": `const x = {{;\n${EXEC}` }, patch: { "a.ts": 'import "./tests/evil.js";\n' }, reported: ["parse-error tests/evil.ts"] },
    { name: "an excluded file that is too large, imported anew", base: { "a.py": "x = 1\n", "tests/evil.py": `${"# more of the same text in every line of this file\n".repeat(22_000)}${PROC}` }, patch: { "a.py": "import tests.evil\n" }, reported: ["not-judged tests/evil.py"] },
    { name: "an excluded file whose importer put its name together, edited (Python)", base: { "a.py": "import importlib\n\nimportlib.import_module('tests.hel' + 'per')\n", "tests/helper.py": GOOD }, patch: { "tests/helper.py": PROC }, reported: [`${IO} tests/helper.py`] },
    { name: "an excluded file whose importer escaped its name, edited", base: { "a.ts": 'import "./tests/\\u0068elper.js";\n', "tests/helper.ts": "export {};\n" }, patch: { "tests/helper.ts": EXEC }, reported: [`${IO} tests/helper.ts`] },
    { name: "an excluded file that an inherited configuration names, edited", base: { "a.ts": 'import "@lib";\n', "tsconfig.json": '{ "extends": "./config/base.json" }\n', "config/base.json": '{ "compilerOptions": { "paths": { "@lib": ["../tests/helper.ts"] } } }\n', "tests/helper.ts": "export {};\n" }, patch: { "tests/helper.ts": EXEC }, reported: [`${IO} tests/helper.ts`] },
    { name: "an excluded file by which a folder is entered, edited", base: { "a.ts": 'import "./lib";\n', "lib/package.json": '{ "main": "./tests/helper.ts" }\n', "lib/tests/helper.ts": "export {};\n" }, patch: { "lib/tests/helper.ts": EXEC }, reported: [`${IO} lib/tests/helper.ts`] },
    { name: "an excluded file that a link shows under another name, edited", base: { "a.ts": 'import "./tests/alias.js";\n', "tests/alias.ts": { to: "helper.ts" }, "tests/helper.ts": "export {};\n" }, patch: { "tests/helper.ts": EXEC }, reported: [`${IO} tests/helper.ts`] },
    { name: "an excluded package that a link shows under another name, edited", base: { "a.py": "import lib\n", lib: { to: "tests/good" }, "tests/good/__init__.py": "x = 1\n" }, patch: { "tests/good/__init__.py": PROC }, reported: [`${IO} tests/good/__init__.py`] },
    { name: "an excluded file that stands for an optional dependency, edited", base: { "a.cjs": 'require("left-pad");\n', "package.json": '{ "optionalDependencies": { "left-pad": "file:./tests/helper.cjs" } }\n', "tests/helper.cjs": "module.exports = 1;\n" }, patch: { "tests/helper.cjs": REQUIRED }, reported: [`${IO} tests/helper.cjs`] },
    { name: "an excluded file that stands for an overridden dependency, edited", base: { "a.cjs": 'require("left-pad");\n', "package.json": '{ "pnpm": { "overrides": { "left-pad@1": "file:./tests/helper.cjs" } } }\n', "tests/helper.cjs": "module.exports = 1;\n" }, patch: { "tests/helper.cjs": REQUIRED }, reported: [`${IO} tests/helper.cjs`] },
    { name: "a port's glob widened over files that are not there yet", base: { "agentgate.yml": "version: 1\nports:\n  - { path: src/port.py, capabilities: [net], owner: payments, note: x }\n" }, patch: { "agentgate.yml": "version: 1\nports:\n  - { path: src/port*.py, capabilities: [net], owner: payments, note: x }\n" }, reported: ["gate-weakened agentgate.yml"] },
    { name: "an excluded folder that is not there yet", base: { "agentgate.yml": "version: 1\n", "src/a.py": "x = 1\n" }, patch: { "agentgate.yml": "version: 1\nextendExclude: [src/later/**]\n" }, reported: ["gate-weakened agentgate.yml"] },
    { name: "code under a suppression that has covered nothing", base: { "a.py": "# agentgate: allow no-dynamic-import -- trusted text, platform\nx = 1\n" }, patch: { "a.py": "# agentgate: allow no-dynamic-import -- trusted text, platform\neval(x)\n" }, reported: ["no-dynamic-import a.py"] },
    { name: "a suppression for later", base: { "a.py": "x = 1\n" }, patch: { "a.py": "# agentgate: allow no-dynamic-import -- trusted text, platform\nx = 1\n" }, reported: ["gate-weakened a.py"] },
    { name: "a baseline for later", base: { "a.py": "x = 1\n" }, patch: { "agentgate-baseline.json": '{\n  "module a.py": "net proc",\n  "version": 1\n}\n' }, reported: ["gate-weakened agentgate-baseline.json"] },
    { name: "a library of native code", base: { "a.cjs": "module.exports = 1;\n", "build/addon.node": "x" }, patch: { "a.cjs": 'module.exports = require("./build/addon.node");\n' }, reported: [`${IO} a.cjs`] },
    { name: "an excluded file whose importer put its name together, edited (JavaScript)", base: { "a.cjs": 'require("./tests/hel" + "per.cjs");\n', "tests/helper.cjs": "module.exports = 1;\n" }, patch: { "tests/helper.cjs": 'module.exports = require("child_process").execSync("x");\n' }, reported: ["no-invented-io tests/helper.cjs"] },
    { name: "an excluded file below a written beginning, new", base: { "src/a.mjs": "export const load = (x) => import(`./${x}.mjs`);\n" }, patch: { "src/fixtures/deep/b.mjs": 'import { execSync } from "node:child_process";\n\nexecSync("x");\n' }, reported: ["no-invented-io src/fixtures/deep/b.mjs"] },
    { name: "the hook for missing names of a module (Python)", base: { "src/a.py": "x = 1\n" }, patch: { "src/a.py": "def __getattr__(name):\n    import subprocess\n\n    return getattr(subprocess, name)\n" }, reported: ["no-invented-io src/a.py"] },
    { name: "an excluded module in a place that the program adds", base: { "a.py": "x = 1\n", "tests/attr.py": "import subprocess\n\nsubprocess.run('x')\n" }, patch: { "a.py": "import os\nimport sys\n\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), 'tests'))\nimport attr\n\nattr.s()\n" }, reported: ["no-invented-io a.py"] },
    { name: "an excluded module in a package of a place that the program puts first", base: { "a.py": "x = 1\n", "tests/attr/__init__.py": "import subprocess\n\nsubprocess.run('x')\n" }, patch: { "a.py": "import os\nimport sys\n\nsys.path[:0] = [os.path.dirname(os.path.abspath(__file__)) + '/tests']\nimport attr\n\nattr.s()\n" }, reported: ["no-invented-io a.py"] },
    { name: "an excluded module in a place that the program adds by a path", base: { "a.py": "x = 1\n", "tests/attr.py": "import subprocess\n\nsubprocess.run('x')\n" }, patch: { "a.py": "import sys\nfrom pathlib import Path\n\nsys.path += [str(Path(__file__).resolve().parent / 'tests')]\nimport attr\n\nattr.s()\n" }, reported: ["no-invented-io a.py"] },
    { name: "an excluded module that a star brings in by the package's list", base: { "a.py": "x = 1\n", "tests/__init__.py": "__all__ = ['evil']\n", "tests/evil.py": "import subprocess\n\nsubprocess.run('x')\n" }, patch: { "a.py": "from tests import *\n" }, reported: ["no-invented-io tests/evil.py"] },
    { name: "an excluded module that is put into the list of a package", base: { "a.py": "from tests import *\n", "tests/__init__.py": "__all__ = []\n", "tests/evil.py": "import subprocess\n\nsubprocess.run('x')\n" }, patch: { "tests/__init__.py": "__all__ = ['evil']\n" }, reported: ["no-invented-io tests/__init__.py"] },
    { name: "an excluded module that is added to the list of a package", base: { "a.py": "from tests import *\n", "tests/__init__.py": "__all__ = []\n", "tests/evil.py": "import subprocess\n\nsubprocess.run('x')\n" }, patch: { "tests/__init__.py": "__all__ = []\n__all__ += ['evil']\n" }, reported: ["no-invented-io tests/__init__.py"] },
  ] satisfies Attempt[]);
});

/** A name of the language that something looks as if it shadowed. */
function shadowed(name: string, ending: Hidden["ending"], text: string, rule = IO): Hidden {
  return { name, ending, text, rule };
}

describe("names that only seem to be taken", () => {
  allFound("laundering-shadows", [
    shadowed("a declared constant", ".ts", "declare const fetch: (x: string) => void;\n\nfetch(\"x\");\nexport {};\n"),
    shadowed("a declared function", ".ts", "declare function fetch(x: string): void;\n\nfetch(\"x\");\nexport {};\n"),
    shadowed("a type", ".ts", "type fetch = string;\n\nexport const x: fetch = String(fetch(\"x\"));\n"),
    shadowed("an interface", ".ts", "interface fetch {\n  a: 1;\n}\n\nexport const x = fetch(\"x\") as unknown as fetch;\n"),
    shadowed("a namespace of types", ".ts", "namespace fetch {\n  export type A = 1;\n}\n\nexport const x = (fetch as never as (x: string) => fetch.A)(\"x\");\n"),
    shadowed("a declared namespace", ".ts", "declare namespace process {\n  function getBuiltinModule(x: string): any;\n}\n\nexport const x = process.getBuiltinModule(\"child_process\").execSync(\"x\");\n"),
    shadowed("an import of a type", ".ts", "import type { fetch } from \"./types.js\";\n\nfetch(\"x\");\n"),
    shadowed("a global declaration", ".ts", "declare global {\n  var fetch: (x: string) => any;\n}\n\nfetch(\"x\");\nexport {};\n"),
    shadowed("another block", ".ts", "{\n  const fetch = 1;\n  void fetch;\n}\nfetch(\"x\");\nexport {};\n"),
    shadowed("a label", ".ts", "fetch: for (;;) break fetch;\nfetch(\"x\");\nexport {};\n"),
    shadowed("a signature without a body", ".ts", "class A {\n  fetch(): void {\n    void fetch(\"x\");\n  }\n}\nexport const a = new A();\n"),
    shadowed("a branch that never runs", ".py", "if False:\n    def open(x, y):\n        return x\n\nopen('x', 'w')\n"),
    shadowed("a class's own name", ".py", "class A:\n    open = 1\n\n    def f(self):\n        return open('x', 'w')\n"),
    shadowed("the variable of a comprehension", ".py", "x = [open for open in (1, 2)]\nopen('x', 'w')\n"),
    shadowed("another function's parameter", ".py", "def f(open):\n    return open\n\n\nf(1)\nopen('x', 'w')\n"),
    shadowed("an import in a branch that never runs", ".py", "import subprocess\n\nif False:\n    from mine import subprocess\n\nsubprocess.run('x')\n"),
    shadowed("a built-in that is built again", ".py", "import builtins\n\nopen = builtins.open\nopen('x', 'w')\n"),
  ]);
});
