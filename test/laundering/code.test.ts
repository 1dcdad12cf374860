import { describe } from "vitest";
import { allFound, allReported } from "./attempts.ts";
import type { Attempt, Hidden } from "./attempts.ts";

const PROC = "import subprocess\n\n\ndef run(x):\n    return subprocess.run(x)\n";
const EXEC = 'import { execSync } from "node:child_process";\n\nexport const run = (x: string) => execSync(x);\n';

/** Python in a module of its own. */
function python(name: string, text: string, rule = "no-invented-io"): Hidden {
  return { name: `${name} (Python)`, ending: ".py", text, rule };
}

/** TypeScript in a module of its own. */
function typescript(name: string, text: string, rule = "no-invented-io"): Hidden {
  return { name: `${name} (TypeScript)`, ending: ".ts", text, rule };
}

describe("a capability hidden in syntax", () => {
  allFound("laundering-syntax", [
    python("a decorator", "import os\n\n\n@os.system\ndef command():\n    return 'x'\n"),
    python("a default argument", "import os\n\n\ndef f(x, run=os.system):\n    return run(x)\n"),
    python("a class attribute", "import os\n\n\nclass A:\n    run = staticmethod(os.system)\n"),
    python("a lambda in a table", "import os\n\nTABLE = {'run': lambda x: os.system(x)}\n"),
    python("a comprehension", "import os\n\nRAN = [os.system(x) for x in ('a', 'b')]\n"),
    python("a piece of text", "import os\n\ntext = f\"{os.system('x')}\"\n"),
    python("a walrus", "import os\n\nif (run := os.system):\n    run('x')\n"),
    python("a match statement", "import os\n\n\ndef f(x):\n    match x:\n        case 1:\n            return os.system('x')\n"),
    python("a context manager in an async function", "import httpx\n\n\nasync def f():\n    async with httpx.AsyncClient() as client:\n        return await client.get('x')\n"),
    python("an import after many blanks", `x = 1${" ".repeat(300)};import subprocess;subprocess.run('x')\n`),
    python("an import on two lines", "import \\\n  subprocess\nsubprocess.run('x')\n"),
    python("a conditional import", "import sys\n\nif sys.platform == 'linux':\n    import subprocess as s\n    s.run('x')\n"),
    python("a fallback import", "try:\n    import json\nexcept ImportError:\n    import subprocess\n    subprocess.run(['pip', 'install', 'x'])\n"),
    python("the other branch of a type check", "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    x = 1\nelse:\n    import subprocess\n\nsubprocess.run('x')\n"),
    python("a negated type check", "from typing import TYPE_CHECKING\n\nif not TYPE_CHECKING:\n    import subprocess\n\n    subprocess.run('x')\n"),
    python("a flag that is called as the one of type checks", "TYPE_CHECKING = True\n\nif TYPE_CHECKING:\n    import subprocess\n\nsubprocess.run('x')\n"),
    python("an alternative beside the type check", "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING or True:\n    import subprocess\n\nsubprocess.run('x')\n"),
    python("a name put together", "import importlib\n\nimportlib.import_module('sub' + 'process').run('x')\n"),
    python("the loaded modules", "import os\nimport sys\n\nsys.modules['os'].system('x')\n"),
    python("the dictionary of a module", "import os\n\nos.__dict__['system']('x')\n"),
    python("a name decoded at run time", "import base64\nimport importlib\n\nimportlib.import_module(base64.b64decode('c3VicHJvY2Vzcw==').decode())\n", "no-dynamic-import"),
    python("the built-in import", "__builtins__['__imp' + 'ort__']('subprocess').run('x')\n", "no-dynamic-import"),
    python("text run as code", "exec('import subprocess')\n", "no-dynamic-import"),
    python("a star import", "from subprocess import *\n\nrun('x')\n"),
    python("an export list", "from subprocess import run\n\n__all__ = ['run']\n"),
    python("wide letters, which the language folds", "import ｓｕｂｐｒｏｃｅｓｓ as s\n\ns.ｒｕｎ('x')\n"),
    python("a wide member", "import os\n\nos.ｓｙｓｔｅｍ('x')\n"),
    python("a form feed", "x = 1\n\fimport subprocess\nsubprocess.run('x')\n"),
    python("a lone carriage return that ends a comment", "# nothing here\rimport subprocess\rsubprocess.run('x')\n"),
    typescript("a decorator", 'import { execSync } from "node:child_process";\n\n@(execSync("x") as never)\nexport class A {}\n'),
    typescript("a default argument", "export const get = (url: string, ask = fetch) => ask(url);\n"),
    typescript("a default of a pattern", "export const get = ({ ask = fetch } = {}) => ask(\"x\");\n"),
    typescript("a static block", "export class A {\n  static {\n    void fetch(\"x\");\n  }\n}\n"),
    typescript("an initial value of an enum", 'import { execSync } from "node:child_process";\n\nexport enum E {\n  A = execSync("x").length,\n}\n'),
    typescript("a tagged template", 'import { $ } from "zx";\n\nawait $`x`;\n'),
    typescript("a getter", "export const o = {\n  get x() {\n    return fetch(\"x\");\n  },\n};\n"),
    typescript("a global that is taken apart", "const { fetch: ask } = globalThis;\n\nexport const x = ask(\"x\");\n"),
    typescript("optional calls", "export const x = globalThis?.fetch?.(\"x\");\n"),
    typescript("an escaped letter", "export const x = \\u0066etch(\"x\");\n"),
    typescript("an escaped letter in a specifier", 'import { execSync } from "child\\x5fprocess";\n\nexecSync("x");\n'),
    typescript("a name put together", 'const { execSync } = require("child_" + "process");\n\nexport const x = execSync("x");\n'),
    typescript("a built-in that the process hands out", 'export const x = process.getBuiltinModule("child_process").execSync("x");\n'),
    typescript("a module loaded late", 'export const x = async () => (await import("node:child_process")).execSync("x");\n'),
    typescript("an export from elsewhere", 'export { execSync } from "node:child_process";\n'),
    typescript("an export of everything", 'export * from "node:child_process";\n'),
    typescript("an export of everything under a name", 'export * as run from "node:child_process";\n'),
    typescript("an import that requires, exported whole", 'import run = require("child_process");\n\nexport = run;\n'),
    typescript("a type import beside a value", 'import { type ExecException, execSync } from "node:child_process";\n\nexport const x = execSync("x") as unknown as ExecException;\n'),
    typescript("text run as code", 'export const x = new Function("return fetch(\'x\')");\n', "no-dynamic-import"),
    typescript("a line separator that ends a comment", "// nothing here\u2028void fetch(\"x\");\nexport {};\n"),
    typescript("a lone carriage return that ends a comment", "// nothing here\rvoid fetch(\"x\");\rexport {};\n"),
    { name: "markup in a component (TypeScript)", ending: ".tsx", text: "export const A = () => <a onClick={() => fetch(\"x\")}>x</a>;\n", rule: "no-invented-io" },
  ]);
});

const USER = { "src/__init__.py": "", "src/a.py": "from src.helper import run\n", "src/helper.py": "def run(x):\n    return x\n" };

describe("a capability hidden in another module", () => {
  allReported("laundering-modules", [
    { name: "a type import made a value import (TypeScript)", base: { "src/a.ts": 'import type { execSync } from "node:child_process";\n\nexport type Run = typeof execSync;\n' }, patch: { "src/a.ts": 'import { execSync } from "node:child_process";\n\nexport type Run = typeof execSync;\nexecSync("x");\n' }, reported: ["no-invented-io src/a.ts"] },
    { name: "a new helper", base: { "src/a.py": "x = 1\n" }, patch: { "src/a.py": "from src.helper import run\n\nrun('x')\n", "src/helper.py": PROC }, reported: ["no-invented-io src/helper.py"] },
    { name: "an edited helper", base: USER, patch: { "src/helper.py": PROC }, reported: ["no-invented-io src/helper.py"] },
    { name: "a helper that had the capability, called anew", base: { "src/a.py": "def f(x):\n    return x\n", "src/__init__.py": "", "src/helper.py": PROC }, patch: { "src/a.py": "from src.helper import run\n\n\ndef f(x):\n    return run(x)\n" }, options: { reach: true }, reported: ["no-invented-io src/a.py"] },
    { name: "a helper that had the capability, called anew (TypeScript)", base: { "src/a.ts": "export const f = (x: string) => x;\n", "src/helper.ts": EXEC }, patch: { "src/a.ts": 'import { run } from "./helper.js";\n\nexport const f = (x: string) => run(x);\n' }, options: { reach: true }, reported: ["no-invented-io src/a.ts"] },
    { name: "the body of a package", base: USER, patch: { "src/__init__.py": "import subprocess\n\nsubprocess.run('x')\n" }, reported: ["no-invented-io src/__init__.py"] },
    { name: "a name that a package passes on", base: { ...USER, "src/a.py": "from src import run\n", "src/__init__.py": "from src.helper import run\n" }, patch: { "src/__init__.py": "from subprocess import run\n" }, reported: ["no-invented-io src/__init__.py"] },
    { name: "a name that an index passes on", base: { "src/index.ts": 'export { run } from "./helper.js";\n', "src/helper.ts": "export const run = (x: string) => x;\n", "src/a.ts": 'import { run } from "./index.js";\n\nrun("x");\n' }, patch: { "src/index.ts": 'export { execSync as run } from "node:child_process";\n' }, reported: ["no-invented-io src/index.ts"] },
    { name: "everything of another module passed on by a star", base: { ...USER, "src/a.py": "from src.helper import *\n", "src/helper.py": "x = 1\n" }, patch: { "src/helper.py": "from subprocess import *\n" }, reported: ["no-invented-io src/helper.py"] },
    { name: "a chain of modules that pass a name on", base: { ...USER, "src/b.py": "from src.a import run\n", "src/c.py": "from src.b import run\n\nrun('x')\n" }, patch: { "src/helper.py": "from os import system as run\n" }, reported: ["no-invented-io src/helper.py"] },
    { name: "an excluded file that is imported anew", base: { "src/a.py": "x = 1\n", "tests/helper.py": PROC }, patch: { "src/a.py": "from tests.helper import run\n\nrun('x')\n" }, reported: ["no-invented-io src/a.py"] },
    { name: "an excluded file that is imported anew (TypeScript)", base: { "src/a.ts": "export {};\n", "tests/helper.ts": EXEC }, patch: { "src/a.ts": 'import { run } from "../tests/helper.js";\n\nrun("x");\n' }, reported: ["no-invented-io src/a.ts"] },
    { name: "an excluded file that is imported in the same patch", base: { "src/a.py": "x = 1\n" }, patch: [{ "tests/helper.py": PROC }, { "src/a.py": "from tests.helper import run\n\nrun('x')\n" }], reported: ["no-invented-io tests/helper.py"] },
    { name: "an excluded file that was imported, edited", base: { "src/a.py": "from tests.helper import run\n", "tests/helper.py": "def run(x):\n    return x\n" }, patch: { "tests/helper.py": PROC }, reported: ["no-invented-io tests/helper.py"] },
    { name: "an excluded file behind excluded ones, edited", base: { "src/a.ts": 'import "../tests/one.js";\n', "tests/one.ts": 'import "./two.js";\n', "tests/two.ts": "export {};\n" }, patch: { "tests/two.ts": EXEC }, reported: ["no-invented-io tests/two.ts"] },
    { name: "an excluded file linked to an imported one, edited", base: { "src/a.ts": 'import "../tests/one.js";\n', "tests/one.ts": "export {};\n", "tests/two.ts": EXEC }, patch: { "tests/one.ts": 'import "./two.js";\n' }, reported: ["no-invented-io tests/one.ts"] },
    { name: "a file with a bundle's name that is imported", base: { "src/a.js": 'import "./lib.min.js";\n', "src/lib.min.js": "export {};\n" }, patch: { "src/lib.min.js": 'import{execSync}from"child_process";execSync("x")\n' }, reported: ["no-invented-io src/lib.min.js"] },
    { name: "a test folder inside the package", base: { "app/__init__.py": "", "app/a.py": "from app.tests import helper\n", "app/tests/__init__.py": "", "app/tests/helper.py": "x = 1\n" }, patch: { "app/tests/__init__.py": "import subprocess\n\nsubprocess.run('x')\n" }, reported: ["no-invented-io app/tests/__init__.py"] },
    { name: "a script without ending", base: {}, patch: { "bin/run": "#!/usr/bin/env python3\nimport subprocess\nsubprocess.run('x')\n", "bin/go": '#!/usr/bin/env node\nrequire("child_process").execSync("x");\n' }, reported: ["no-invented-io bin/run", "no-invented-io bin/go"] },
    { name: "a first line that makes a file a script", base: { "bin/run": { executable: "import subprocess\nsubprocess.run('x')\n" } }, patch: { "bin/run": { executable: "#!/usr/bin/python3\nimport subprocess\nsubprocess.run('x')\n" } }, reported: ["no-invented-io bin/run"] },
    { name: "a data file that is required as code", base: { "src/a.cjs": 'require("./table.dat");\n', "src/table.dat": "module.exports = 1;\n" }, patch: { "src/table.dat": 'module.exports = require("child_process").execSync("x");\n' }, reported: ["no-invented-io src/table.dat"] },
    { name: "a page of prose that is required as code", base: { "src/a.cjs": 'require("./notes.md");\n', "src/notes.md": "module.exports = 1;\n" }, patch: { "src/notes.md": 'module.exports = require("child_process").execSync("x");\n' }, reported: ["no-invented-io src/notes.md"] },
    { name: "a file without ending that is required as code", base: { "src/a.cjs": 'require("./helper");\n', "src/helper": "module.exports = 1;\n" }, patch: { "src/helper": 'module.exports = require("child_process").execSync("x");\n' }, reported: ["no-invented-io src/helper"] },
    { name: "a page of prose that is required anew", base: { "src/a.cjs": "module.exports = 1;\n", "src/notes.css": 'module.exports = require("child_process").execSync("x");\n' }, patch: { "src/a.cjs": 'require("./notes.css");\n' }, reported: ["no-invented-io src/a.cjs"] },
    { name: "a declaration file's neighbour", base: { "src/a.ts": 'import { run } from "./b.js";\nrun();\n', "src/b.d.ts": "export declare function run(): void;\n" }, patch: { "src/b.js": 'import { execSync } from "child_process";\nexport const run = () => execSync("x");\n' }, reported: ["no-invented-io src/b.js"] },
    { name: "a folder with a dot", base: {}, patch: { ".github/tool.py": PROC, "src/.hidden/x.ts": EXEC }, reported: ["no-invented-io .github/tool.py", "no-invented-io src/.hidden/x.ts"] },
    { name: "a package put into the tree", base: { "src/a.ts": 'import x from "left-pad";\nx();\n' }, patch: { "node_modules/left-pad/index.js": 'module.exports = () => require("child_process").execSync("x");\n' }, reported: ["no-invented-io node_modules/left-pad/index.js"] },
    { name: "an unknown package", base: { "src/a.py": "x = 1\n" }, patch: { "src/a.py": "import runner_of_all_kinds\n\nrunner_of_all_kinds.go()\n" }, reported: ["warning no-invented-io src/a.py"] },
  ] satisfies Attempt[]);
});
