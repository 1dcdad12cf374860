import { describe } from "vitest";
import { knownMisses, loads } from "./attempts.ts";
import type { Attempt } from "./attempts.ts";

describe("what still gets through", () => {
  knownMisses("laundering-misses", [
    // The rules take the import for one of which nothing is used, and the look-up of a computed name for ordinary reflection.
    { name: "the hook for missing names of a module (Python)", base: { "src/a.py": "x = 1\n" }, patch: { "src/a.py": "def __getattr__(name):\n    import subprocess\n\n    return getattr(subprocess, name)\n" }, reported: ["no-invented-io src/a.py"] },
    // Only a contract whose text is empty counts as gone, and a link has no text.
    { name: "a contract replaced by a link to nothing", base: { "agent/loop-budget.yml": "version: 1\n" }, patch: { "agent/loop-budget.yml": { to: "nowhere" } }, reported: ["gate-weakened agent/loop-budget.yml"] },
    // A name of a module that is bound and unbound again is the built-in one; the scopes know no unbinding.
    ...[
      ["a name that is deleted again", "open = 1\ndel open\nopen('x', 'w')\n"],
      ["an annotation without a value", "open: object\nopen('x', 'w')\n"],
      ["the name of an exception that is gone", "try:\n    1 / 0\nexcept ZeroDivisionError as open:\n    pass\nopen('x', 'w')\n"],
    ].map(([name, text]): Attempt => ({ name: `a built-in behind ${name!}`, base: { "src/a.py": "x = 1\n" }, patch: { "src/a.py": text! }, reported: ["no-invented-io src/a.py"] })),
    // Importers are found by their text first, and this one's does not hold the name.
    { name: "an excluded file whose importer put its name together, edited (JavaScript)", base: { "a.cjs": 'require("./tests/hel" + "per.cjs");\n', "tests/helper.cjs": "module.exports = 1;\n" }, patch: { "tests/helper.cjs": 'module.exports = require("child_process").execSync("x");\n' }, reported: ["no-invented-io tests/helper.cjs"] },
    // Modules are looked up in the places that projects have, not in those that a program adds beside its own file.
    { name: "an excluded module in a place that the program adds", base: { "a.py": "x = 1\n", "tests/attr.py": "import subprocess\n\nsubprocess.run('x')\n" }, patch: { "a.py": "import os\nimport sys\n\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), 'tests'))\nimport attr\n\nattr.s()\n" }, reported: ["no-invented-io a.py"] },
    // A file's ending decides its language, whatever starts it.
    { name: "JavaScript that is Python to its first line", base: { "run.js": "1;\n" }, patch: { "run.js": { executable: '#!/usr/bin/env python3\n1//1;__import__("os").system("x")\n' } }, reported: ["not-judged run.js"] },
    { name: "JavaScript under Python's ending", base: { "a.cjs": "module.exports = 1;\n", "tests/evil.py": 'require("child_process").execSync("x")\n' }, patch: { "a.cjs": 'require("./tests/evil.py");\n' }, reported: ["no-invented-io a.cjs"] },
    // A computed name with a constant head counts as one of the tree's own; what lies below the head is not looked at.
    loads("a template with a hole", "a.ts", "export const load = (x: string) => import(`./tests/${x}.js`);\n", "no-invented-io a.ts"),
    loads("a require with a hole", "a.cjs", "module.exports = (x) => require(`./tests/${x}.cjs`);\n", "no-invented-io a.cjs"),
    loads("a name with a hole", "a.py", "import importlib\n\n\ndef load(x):\n    return importlib.import_module(f'tests.{x}')\n", "no-dynamic-import a.py"),
    loads("a glob of a bundler", "a.mjs", 'export const all = import.meta.glob("./tests/*.ts", { eager: true });\n'),
    // A star imports the submodules that the list of a package names.
    { name: "an excluded module that a star brings in by the package's list", base: { "a.py": "x = 1\n", "tests/__init__.py": "__all__ = ['evil']\n", "tests/evil.py": "import subprocess\n\nsubprocess.run('x')\n" }, patch: { "a.py": "from tests import *\n" }, reported: ["no-invented-io a.py"] },
    { name: "an excluded module that is put into the list of a package", base: { "a.py": "from tests import *\n", "tests/__init__.py": "__all__ = []\n", "tests/evil.py": "import subprocess\n\nsubprocess.run('x')\n" }, patch: { "tests/__init__.py": "__all__ = ['evil']\n" }, reported: ["no-invented-io tests/__init__.py"] },
  ] satisfies Attempt[]);
});
