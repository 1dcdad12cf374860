import { parseEcmascript, parsePython } from "@agentgate/parsers";
import { describe, expect, it } from "vitest";
import { listedSubmodules, loadedSpecifiers, searchedSpecifiers } from "./loaded.ts";

describe("what a load with an unknown part can name", () => {
  it.each([
    ["import(`./pages/${x}.js`)", ["./pages/**.js"]],
    ["import('./pages/' + x)", ["./pages/**"]],
    ["import(['./pages', x].join('/') + '.cjs')", ["./pages/**.cjs"]],
    ["require(__dirname + '/pages/' + x)", ["./pages/**"]],
    ["import(new URL(`./pages/${x}.js`, import.meta.url))", ["./pages/**.js"]],
    ["import.meta.glob('./pages/*.ts')", ["./pages/*.ts"]],
    ["import.meta.glob(['./pages/**/*.ts', '!./pages/x.ts'])", ["./pages/**.ts"]],
    ["require.context('./pages/', true)", ["./pages/**"]],
    ["import(x)", []],
    ["import(`pages/${x}`)", []],
    ["new URL(`./pages/${x}`, import.meta.url)", []],
  ])("JavaScript: %s", (text, expected) => {
    expect(loadedSpecifiers(parseEcmascript(`const f = (x) => ${text};`, { dialect: "javascript" })).filter((one) => one.includes("*"))).toEqual(expected);
  });

  it.each([
    ["importlib.import_module(f'app.pages.{x}')", ["app.pages.**"]],
    ["importlib.import_module('app.pages.%s.views' % x)", ["app.pages.**.views"]],
    ["importlib.import_module('app.{}'.format(x))", ["app.**"]],
    ["importlib.import_module('.'.join(['app', x]))", ["app.**"]],
    ["importlib.import_module(__package__ + '.pages.' + x)", [".pages.**"]],
    ["importlib.import_module('.' + x, 'app.pages')", ["app.pages.**"]],
    ["runpy.run_path(os.path.join(os.path.dirname(__file__), 'pages', x + '.py'))", ["./pages/**.py"]],
    ["runpy.run_path(Path(__file__).parent.parent / 'pages' / x)", ["../pages/**"]],
    ["pkgutil.walk_packages(path, 'app.')", ["app.**"]],
    ["importlib.import_module(f'app.{TABLE[x]}')", ["app.pages*one", "app.pages*two"]],
    ["importlib.import_module(x)", []],
  ])("Python: %s", (text, expected) => {
    const facts = parsePython(`import importlib, os, pkgutil, runpy\nfrom pathlib import Path\nTABLE = {'a': 'pages*one', 'b': 'pages*two'}\n\ndef f(x, path):\n    return ${text}\n`);
    expect(loadedSpecifiers(facts).filter((one) => one.includes("*"))).toEqual(expected);
  });
});

it("ends on names that double each other", () => {
  const sums = Array.from({ length: 60 }, (_, index) => `const n${index + 1} = n${index} + n${index};`).join("\n");
  expect(loadedSpecifiers(parseEcmascript(`export const f = (n0) => {\n${sums}\nreturn import("./pages/" + n60);\n};`, { dialect: "javascript" }))).toContain("./pages/**");
});

describe("modules that the list of a package names", () => {
  it.each([
    ["__all__ = ['page', 'f']\ndef f(): ...\n", [".page"]],
    ["__all__ = ['page'] + other.__all__\n", [".page"]],
    ["__all__ = []\n__all__ += ['page']\n__all__.append('view')\n", [".page", ".view"]],
    ["names = ['page']\n", []],
  ])("%j", (text, expected) => {
    expect(listedSubmodules(parsePython(text))).toEqual(expected);
  });
});

describe("what imports name in folders that a file adds to the search path", () => {
  it.each([
    ["import os, sys\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), 'lib'))\nimport page\n", ["./lib/page.py*", "./lib/page/__init__.py*"]],
    ["import sys\nfrom pathlib import Path\nsys.path += [str(Path(__file__).parent.parent)]\nimport page\n", ["../page.py*", "../page/__init__.py*"]],
    ["import os, sys\nsys.path = [os.path.dirname(__file__)] + sys.path\nimport page\n", ["./page.py*", "./page/__init__.py*"]],
    ["import sys\nsys.path.append(given)\nimport page\n", []],
    ["import page\n", []],
  ])("%j", (text, expected) => {
    expect(searchedSpecifiers(parsePython(text), ["page"])).toEqual(expected);
  });
});
