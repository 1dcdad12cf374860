import { describe } from "vitest";
import { allReported } from "./attempts.ts";
import type { Attempt, Contents } from "./attempts.ts";

const PROC = "import subprocess\n\n\ndef run(x):\n    return subprocess.run(x)\n";
const EXEC = 'import { execSync } from "node:child_process";\n\nexport const run = (x: string) => execSync(x);\n';
const GOOD = "export const run = (x: string) => x;\n";
const IO = "no-invented-io";

/** A JSON document as people write it, an entry a line. */
function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function user(specifier: string): string {
  return `import { run } from "${specifier}";\n\nrun("x");\n`;
}

/** Two modules, one harmless and one excluded and never imported, and one that imports by a name. */
function tree(specifier: string, more: Contents = {}): Contents {
  return { "src/a.ts": user(specifier), "src/lib.ts": GOOD, "tests/evil.ts": EXEC, ...more };
}

const EVIL = [`${IO} tests/evil.ts`];

describe("what a name of TypeScript stands for", () => {
  allReported("laundering-typescript", [
    { name: "paths of tsconfig.json", base: tree("@lib", { "tsconfig.json": json({ compilerOptions: { paths: { "@lib": ["./src/lib.ts"] } } }) }), patch: { "tsconfig.json": json({ compilerOptions: { paths: { "@lib": ["./tests/evil.ts"] } } }) }, reported: EVIL },
    { name: "a star in paths of tsconfig.json", base: tree("~/lib", { "tsconfig.json": json({ compilerOptions: { paths: { "~/*": ["./src/*"] } } }), "tests/lib.ts": EXEC }), patch: { "tsconfig.json": json({ compilerOptions: { paths: { "~/*": ["./tests/*"] } } }) }, reported: [`${IO} tests/lib.ts`] },
    { name: "a star alone in paths of tsconfig.json", base: tree("lib", { "tsconfig.json": json({ compilerOptions: { paths: { "*": ["./src/*"] } } }), "tests/lib.ts": EXEC }), patch: { "tsconfig.json": json({ compilerOptions: { paths: { "*": ["./tests/*"] } } }) }, reported: [`${IO} tests/lib.ts`] },
    { name: "paths of what tsconfig.json extends", base: tree("@lib", { "tsconfig.json": json({ extends: "./tsconfig.base.json" }), "tsconfig.base.json": json({ compilerOptions: { paths: { "@lib": ["./src/lib.ts"] } } }) }), patch: { "tsconfig.base.json": json({ compilerOptions: { paths: { "@lib": ["./tests/evil.ts"] } } }) }, reported: EVIL },
    { name: "paths of what tsconfig.json extends under any name", base: tree("@lib", { "tsconfig.json": json({ extends: "./config/base.json" }), "config/base.json": json({ compilerOptions: { paths: { "@lib": ["../src/lib.ts"] } } }) }), patch: { "config/base.json": json({ compilerOptions: { paths: { "@lib": ["../tests/evil.ts"] } } }) }, reported: EVIL },
    { name: "baseUrl of tsconfig.json", base: tree("lib", { "tsconfig.json": json({ compilerOptions: { baseUrl: "src" } }), "tests/lib.ts": EXEC }), patch: { "tsconfig.json": json({ compilerOptions: { baseUrl: "tests" } }) }, reported: [`${IO} tests/lib.ts`] },
    { name: "a tsconfig.json nearer to the code", base: tree("@lib", { "tsconfig.json": json({ compilerOptions: { paths: { "@lib": ["./src/lib.ts"] } } }) }), patch: { "src/tsconfig.json": json({ compilerOptions: { paths: { "@lib": ["../tests/evil.ts"] } } }) }, reported: EVIL },
    { name: "a tsconfig.json taken away from a farther one", base: tree("@lib", { "tsconfig.json": json({ compilerOptions: { paths: { "@lib": ["./tests/evil.ts"] } } }), "src/tsconfig.json": json({ compilerOptions: { paths: { "@lib": ["./lib.ts"] } } }) }), patch: { "src/tsconfig.json": null }, reported: EVIL },
    { name: "a jsconfig.json", base: tree("@lib", { "src/a.ts": "export {};\n", "src/a.js": 'import { run } from "@lib";\n\nrun("x");\n', "jsconfig.json": json({ compilerOptions: { paths: { "@lib": ["./src/lib.ts"] } } }) }), patch: { "jsconfig.json": json({ compilerOptions: { paths: { "@lib": ["./tests/evil.ts"] } } }) }, reported: EVIL },
    { name: "a package behind paths", base: tree("@lib", { "tsconfig.json": json({ compilerOptions: { paths: { "@lib": ["./src/lib.ts"] } } }) }), patch: { "tsconfig.json": json({ compilerOptions: { paths: { "@lib": ["./node_modules/execa"] } } }) }, reported: [`${IO} tsconfig.json`] },
    { name: "private imports of package.json", base: tree("#lib", { "package.json": json({ imports: { "#lib": "./src/lib.ts" } }) }), patch: { "package.json": json({ imports: { "#lib": "./tests/evil.ts" } }) }, reported: EVIL },
    { name: "a condition in private imports", base: tree("#lib", { "package.json": json({ imports: { "#lib": { default: "./src/lib.ts" } } }) }), patch: { "package.json": json({ imports: { "#lib": { node: "./tests/evil.ts", default: "./src/lib.ts" } } }) }, reported: EVIL },
    { name: "a package behind private imports", base: tree("#lib", { "package.json": json({ imports: { "#lib": "./src/lib.ts" } }) }), patch: { "package.json": json({ imports: { "#lib": "execa" } }) }, reported: [`${IO} package.json`] },
    { name: "a package.json nearer to the code", base: tree("#lib", { "package.json": json({ imports: { "#lib": "./src/lib.ts" } }) }), patch: { "src/package.json": json({ imports: { "#lib": "execa" } }) }, reported: [`${IO} src/package.json`] },
    { name: "exports of a package of the tree", base: tree("lib", { "package.json": json({ workspaces: ["packages/*"] }), "packages/lib/package.json": json({ name: "lib", exports: "./src/index.ts" }), "packages/lib/src/index.ts": GOOD, "packages/lib/tests/evil.ts": EXEC }), patch: { "packages/lib/package.json": json({ name: "lib", exports: "./tests/evil.ts" }) }, reported: [`${IO} packages/lib/tests/evil.ts`] },
    { name: "main of a package of the tree", base: tree("lib", { "package.json": json({ workspaces: ["packages/*"] }), "packages/lib/package.json": json({ name: "lib", main: "./src/index.ts" }), "packages/lib/src/index.ts": GOOD, "packages/lib/tests/evil.ts": EXEC }), patch: { "packages/lib/package.json": json({ name: "lib", main: "./tests/evil.ts" }) }, reported: [`${IO} packages/lib/tests/evil.ts`] },
    { name: "main of a folder", base: tree("./lib2", { "src/lib2/package.json": json({ main: "./good.ts" }), "src/lib2/good.ts": GOOD, "src/lib2/tests/evil.ts": EXEC }), patch: { "src/lib2/package.json": json({ main: "./tests/evil.ts" }) }, reported: [`${IO} src/lib2/tests/evil.ts`] },
    { name: "names of two packages of the tree swapped", base: tree("lib", { "package.json": json({ workspaces: ["packages/*", "tests/*"] }), "packages/lib/package.json": json({ name: "lib" }), "packages/lib/index.ts": GOOD, "tests/lib/package.json": json({ name: "other" }), "tests/lib/index.ts": EXEC }), patch: { "packages/lib/package.json": json({ name: "other" }), "tests/lib/package.json": json({ name: "lib" }) }, reported: [`${IO} tests/lib/index.ts`] },
    { name: "another folder of packages", base: tree("lib", { "package.json": json({ workspaces: ["packages/*"] }), "packages/lib/package.json": json({ name: "lib" }), "packages/lib/index.ts": GOOD, "tests/lib/package.json": json({ name: "lib" }), "tests/lib/index.ts": EXEC }), patch: { "package.json": json({ workspaces: ["tests/*"] }) }, reported: [`${IO} tests/lib/index.ts`] },
    { name: "another folder of packages, for pnpm", base: tree("lib", { "pnpm-workspace.yaml": "packages: [packages/*]\n", "packages/lib/package.json": json({ name: "lib" }), "packages/lib/index.ts": GOOD, "tests/lib/package.json": json({ name: "lib" }), "tests/lib/index.ts": EXEC }), patch: { "pnpm-workspace.yaml": "packages: [tests/*]\n" }, reported: [`${IO} tests/lib/index.ts`] },
    ...["dependencies", "devDependencies", "optionalDependencies", "overrides", "resolutions"].map((key): Attempt => ({
      name: `an alias in ${key}`, base: tree("left-pad", { "package.json": json({ dependencies: { "left-pad": "1.0.0" } }) }), patch: { "package.json": json(key === "dependencies" ? { dependencies: { "left-pad": "npm:execa@9.0.0" } } : key.endsWith("Dependencies") ? { [key]: { "left-pad": "npm:execa@9.0.0" } } : { dependencies: { "left-pad": "1.0.0" }, [key]: { "left-pad": "npm:execa@9.0.0" } }) }, reported: [`${IO} package.json`],
    })),
    { name: "an alias in the overrides of pnpm", base: tree("left-pad", { "package.json": json({ name: "app" }) }), patch: { "package.json": json({ name: "app", pnpm: { overrides: { "left-pad": "npm:execa@9.0.0" } } }) }, reported: [`${IO} package.json`] },
    ...["app>left-pad", "left-pad@^1.0.0", "**/left-pad", "app/left-pad"].map((key): Attempt => ({
      name: `an alias for ${key}`, base: tree("left-pad", { "package.json": json({ name: "app" }) }), patch: { "package.json": json({ name: "app", resolutions: { [key]: "npm:execa@9.0.0" } }) }, reported: [`${IO} package.json`],
    })),
    { name: "a manifest renamed away", base: tree("#lib", { "package.json": json({ imports: { "#lib": "./tests/evil.ts" } }), "src/package.json": json({ imports: { "#lib": "./lib.ts" }, description: "The code of the program." }) }), patch: { "src/package.json": null, "src/package.old.json": json({ imports: { "#lib": "./lib.ts" }, description: "The code of the program." }) }, reported: EVIL },
    { name: "a configuration renamed away", base: tree("@lib", { "tsconfig.json": json({ compilerOptions: { paths: { "@lib": ["./tests/evil.ts"] } } }), "src/tsconfig.json": json({ compilerOptions: { paths: { "@lib": ["./lib.ts"] } } }) }), patch: { "src/tsconfig.json": null, "src/tsconfig.old.json": json({ compilerOptions: { paths: { "@lib": ["./lib.ts"] } } }) }, reported: EVIL },
    { name: "a dependency that is a folder of the tree", base: tree("left-pad", { "package.json": json({ dependencies: { "left-pad": "1.0.0" } }) }), patch: { "package.json": json({ dependencies: { "left-pad": "file:./tests/evil.ts" } }) }, reported: EVIL },
    { name: "an alias beside its use", base: { "package.json": json({ name: "app" }), "src/a.ts": "export {};\n" }, patch: { "package.json": json({ name: "app", dependencies: { "left-pad": "npm:execa@9.0.0" } }), "src/a.ts": user("left-pad") }, reported: [`${IO} src/a.ts`] },
    { name: "an alias that stood there, used anew", base: { "package.json": json({ name: "app", dependencies: { "left-pad": "npm:execa@9.0.0" } }), "src/a.ts": "export {};\n" }, patch: { "src/a.ts": user("left-pad") }, reported: [`${IO} src/a.ts`] },
    { name: "a folder's index behind a file that is gone", base: tree("../build/lib.js", { "src/a.ts": user("../build/lib"), "build/lib.ts": GOOD, "build/lib/index.ts": EXEC }), patch: { "build/lib.ts": null }, reported: [`${IO} build/lib/index.ts`] },
    { name: "a folder's index behind data that is gone", base: tree("../build/lib", { "build/lib.json": "{}\n", "build/lib/index.ts": EXEC }), patch: { "build/lib.json": null }, reported: [`${IO} build/lib/index.ts`] },
    { name: "a local module that went before a package", base: tree("execa", { "tsconfig.json": json({ compilerOptions: { baseUrl: "src" } }), "src/execa.ts": GOOD }), patch: { "src/execa.ts": null }, reported: [`${IO} src/a.ts`] },
    { name: "a new module that goes before another one", base: tree("./lib", { "src/lib.ts": null, "src/lib/index.ts": GOOD }), patch: { "src/lib.ts": EXEC }, reported: [`${IO} src/lib.ts`] },
  ] satisfies Attempt[]);
});

const PYTHON_USER = "from helper import run\n\nrun('x')\n";
const PYTHON_GOOD = "def run(x):\n    return x\n";

describe("what a name of Python stands for", () => {
  allReported("laundering-python", [
    { name: "a local module that shadowed a package", base: { "a.py": "import requests\n\nrequests.get('x')\n", "requests.py": "def get(x):\n    return x\n" }, patch: { "requests.py": null }, reported: [`${IO} a.py`] },
    { name: "a local package that shadowed one, renamed", base: { "a.py": "import requests\n\nrequests.get('x')\n", "requests/__init__.py": "def get(x):\n    return x\n\n\ndef post(x):\n    return x\n" }, patch: { "requests/__init__.py": null, "asks/__init__.py": "def get(x):\n    return x\n\n\ndef post(x):\n    return x\n" }, reported: [`${IO} a.py`] },
    { name: "a new module that shadows a package", base: { "a.py": "import json\n\njson.loads('1')\n" }, patch: { "json.py": PROC }, reported: [`${IO} json.py`] },
    { name: "a new excluded module that an import finds", base: { "a.py": "from tests.helper import run\n\nrun('x')\n" }, patch: { "tests/helper.py": PROC }, reported: [`${IO} tests/helper.py`] },
    { name: "a package beside the module of its name", base: { "app/a.py": PYTHON_USER, "app/helper.py": PYTHON_GOOD }, patch: { "app/helper/__init__.py": PROC }, reported: [`${IO} app/helper/__init__.py`] },
    { name: "a project file that makes a folder a place of modules", base: { "a.py": PYTHON_USER, "tests/helper.py": PROC }, patch: { "tests/pyproject.toml": "[project]\nname = 'x'\n" }, reported: [`${IO} tests/helper.py`] },
    { name: "a module behind one that is gone", base: { "a.py": PYTHON_USER, "helper.py": PYTHON_GOOD, "src/helper/tests.txt": "x\n", "tests/pyproject.toml": "[project]\nname = 'x'\n", "tests/helper.py": PROC }, patch: { "helper.py": null }, reported: [`${IO} tests/helper.py`] },
    { name: "a marker of a package that moves where names are looked up", base: { "tests/app/a.py": "x = 1\n", "main.py": "from tests.app import a\n", "tests/app/helper.py": PYTHON_GOOD, "tests/helper.py": PROC, "tests/app/b.py": "x = 1\n" }, patch: { "tests/app/a.py": "from helper import run\n\nrun('x')\n", "tests/app/__init__.py": "" }, reported: [`${IO} tests/app/a.py`] },
    { name: "a package that ends where names are looked up", base: { "app/__init__.py": "", "app/a.py": "from test_helper import run\n\nrun('x')\n", "test_helper.py": PYTHON_GOOD, "app/test_helper.py": PROC }, patch: { "app/__init__.py": null }, reported: [`${IO} app/test_helper.py`] },
    { name: "a relative import made absolute", base: { "app/__init__.py": "", "app/subprocess.py": PYTHON_GOOD, "app/a.py": "from .subprocess import run\n\nrun('x')\n" }, patch: { "app/a.py": "from subprocess import run\n\nrun('x')\n" }, reported: [`${IO} app/a.py`] },
    { name: "a place of modules added while the program runs", base: { "a.py": "x = 1\n" }, patch: { "a.py": "import sys\n\nsys.path.insert(0, '/tmp/elsewhere')\nimport helper_from_elsewhere\n" }, reported: ["no-dynamic-import a.py"] },
    { name: "an interpreter's own start-up module", base: {}, patch: { "sitecustomize.py": PROC }, reported: [`${IO} sitecustomize.py`] },
    { name: "set-up code", base: {}, patch: { "setup.py": PROC }, reported: [`${IO} setup.py`] },
  ] satisfies Attempt[]);
});
