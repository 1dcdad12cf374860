import { describe, expect, it } from "vitest";
import { discover } from "../discovery/discover.ts";
import { listTree } from "../discovery/list.ts";
import { makeTree } from "../testing/tree.ts";
import type { Files } from "../testing/tree.ts";
import { symlinkSync } from "node:fs";
import path from "node:path";
import { Linker } from "./tree.ts";

async function linker(files: Files, links: Readonly<Record<string, string>> = {}): Promise<(from: string, specifier: string) => unknown> {
  const root = makeTree(files);
  for (const [link, target] of Object.entries(links)) symlinkSync(target, path.join(root, link));
  const found = new Linker(discover(root, await listTree({ folder: root, git: false }, []), [], []));
  return (from, specifier) => {
    const result = found.resolve(from, specifier);
    if (result === null || result === "missing") return result;
    return "path" in result ? result.path : { alias: result.alias };
  };
}

describe("Python", () => {
  it("counts dots from the package", async () => {
    const resolve = await linker({ "a/__init__.py": "", "a/b.py": "", "a/c/__init__.py": "", "a/c/d.py": "", "a/n/e.py": "" });
    expect(resolve("a/c/d.py", ".")).toBe("a/c/__init__.py");
    expect(resolve("a/c/d.py", "..")).toBe("a/__init__.py");
    expect(resolve("a/c/d.py", "..b")).toBe("a/b.py");
    expect(resolve("a/c/__init__.py", ".d")).toBe("a/c/d.py");
    expect(resolve("a/b.py", ".c.d")).toBe("a/c/d.py");
    expect(resolve("a/b.py", ".n")).toBe("a/n");
    expect(resolve("a/b.py", ".gone")).toBe("missing");
    expect(resolve("a/b.py", "...x")).toBeNull();
  });

  it("finds a module of the ending that Windows runs without a console, after one of the usual ending", async () => {
    const resolve = await linker({ "app/__init__.py": "", "app/tray.pyw": "", "app/both.py": "", "app/both.pyw": "", "main.pyw": "" });
    expect(resolve("main.pyw", "app.tray")).toBe("app/tray.pyw");
    expect(resolve("app/tray.pyw", ".both")).toBe("app/both.py");
  });

  it("finds absolute names from the root, from src and from other packages of the tree", async () => {
    const resolve = await linker({
      "app/__init__.py": "", "app/x.py": "", "src/lib/__init__.py": "", "src/lib/y.py": "", "packages/core/pyproject.toml": "",
      "packages/core/src/core/__init__.py": "", "packages/core/src/core/z.py": "", "packages/other/other/__init__.py": "", "packages/other/setup.py": "",
    });
    expect(resolve("app/x.py", "app.x")).toBe("app/x.py");
    expect(resolve("app/x.py", "lib.y")).toBe("src/lib/y.py");
    expect(resolve("app/x.py", "core.z")).toBe("packages/core/src/core/z.py");
    expect(resolve("packages/core/src/core/z.py", "other")).toBe("packages/other/other/__init__.py");
    expect(resolve("app/x.py", "app.gone")).toBe("missing");
    expect(resolve("app/x.py", "httpx")).toBeNull();
  });

  it("lets a module beside a script or at the root take a package's place, a sibling inside a package not", async () => {
    const resolve = await linker({ "requests.py": "", "tool/run.py": "", "tool/httpx.py": "", "app/__init__.py": "", "app/boto3.py": "", "app/x.py": "" });
    expect(resolve("app/x.py", "requests")).toBe("requests.py");
    expect(resolve("tool/run.py", "httpx")).toBe("tool/httpx.py");
    expect(resolve("app/x.py", "boto3")).toBeNull();
  });

  it("never hides Python's own library behind a file that the interpreter would not find first", async () => {
    const resolve = await linker({ "os.py": "", "sys.py": "", "src/socket.py": "", "pkg/__init__.py": "", "pkg/socket.py": "", "pkg/x.py": "", "tool/ssl.py": "", "tool/run.py": "" });
    expect(resolve("pkg/x.py", "os")).toBeNull();
    expect(resolve("pkg/x.py", "sys")).toBeNull();
    expect(resolve("pkg/x.py", "socket")).toBeNull();
    expect(resolve("tool/run.py", "ssl")).toBe("tool/ssl.py");
    expect(resolve("pkg/x.py", "ssl")).toBeNull();
  });

  it("reads namespace packages, behind what is installed", async () => {
    const resolve = await linker({ "space/part/mod.py": "", "urllib/api.py": "", "x.py": "" });
    expect(resolve("x.py", "space.part.mod")).toBe("space/part/mod.py");
    expect(resolve("x.py", "space")).toBeNull();
    expect(resolve("x.py", "urllib")).toBeNull();
    expect(resolve("x.py", "urllib.api")).toBeNull();
  });

  it("finds the private modules of the tree's own part of a name that many distributions share", async () => {
    const resolve = await linker({ "google/cloud/storage/__init__.py": "", "google/cloud/storage/_helpers.py": "", "google/cloud/aio/notes.txt": "", "x.py": "" });
    expect(resolve("x.py", "google.cloud.storage._helpers")).toBe("google/cloud/storage/_helpers.py");
    for (const other of ["google.cloud.storage", "google.cloud._aio", "google.cloud.aio", "google.cloud.bigquery", "google.cloud"]) expect([other, resolve("x.py", other)]).toEqual([other, null]);
  });

  it("takes hostile names as names", async () => {
    const resolve = await linker({ "x.py": "" });
    for (const name of ["__proto__", "constructor", "", ".", "..", "a..b", "../x", "/etc/passwd", ".".repeat(5000)]) {
      expect([null, "missing", "", "x.py"]).toContain(resolve("x.py", name));
    }
  });
});

describe("ECMAScript", () => {
  it("guesses endings, folders and what TypeScript is written for", async () => {
    const resolve = await linker({ "src/a.ts": "", "src/b.tsx": "", "src/c/index.ts": "", "src/d.js": "", "src/d.ts": "", "src/e.mts": "", "src/f.json": "{}", "src/g/package.json": '{"main":"./lib/x"}', "src/g/lib/x.js": "", "index.ts": "" });
    const table = { "./a": "src/a.ts", "./a.js": "src/a.ts", "./b": "src/b.tsx", "./b.js": "src/b.tsx", "./c": "src/c/index.ts", "./c/": "src/c/index.ts", "./d.js": "src/d.js", "./d": "src/d.ts", "./e.mjs": "src/e.mts", "./f": "src/f.json", "./g": "src/g/lib/x.js", "..": "index.ts", "./gone": "missing", "../../out": null, "./a.ts?raw": "src/a.ts" };
    for (const [specifier, expected] of Object.entries(table)) expect([specifier, resolve("src/x.ts", specifier)]).toEqual([specifier, expected]);
  });

  it("leaves packages, built-ins and addresses to the catalogue", async () => {
    const resolve = await linker({ "net.ts": "", "src/socket.ts": "", "tsconfig.json": '{"compilerOptions":{"baseUrl":".","paths":{"fs":["./net.ts"],"node:fs":["./net.ts"]}}}', "src/x.ts": "" });
    for (const specifier of ["net", "fs", "node:fs", "fs/promises", "axios", "https://x.example/y.js", "data:text/javascript,1", "file:///etc/x.js", "/etc/x.js", ""]) expect([specifier, resolve("src/x.ts", specifier)]).toEqual([specifier, null]);
    expect(resolve("src/x.ts", "./socket")).toBe("src/socket.ts");
  });

  it("reads tsconfig paths as data, with comments, extends and the longest pattern", async () => {
    const resolve = await linker({
      "tsconfig.base.json": '{ /* base */ "compilerOptions": { "baseUrl": "./src", "paths": { "@/*": ["./*"], "@/deep/*": ["other/*"], "innocent": ["../node_modules/axios"], }, }, }',
      "tsconfig.json": '{ // "x"\n "extends": "./tsconfig.base" }', "src/a.ts": "", "src/other/b.ts": "", "src/bare.ts": "",
    });
    expect(resolve("src/a.ts", "@/a")).toBe("src/a.ts");
    expect(resolve("src/a.ts", "@/deep/b")).toBe("src/other/b.ts");
    expect(resolve("src/a.ts", "bare")).toBe("src/bare.ts");
    expect(resolve("src/a.ts", "innocent")).toEqual({ alias: "axios" });
    expect(resolve("src/a.ts", "@/gone")).toBeNull();
  });

  it("is not led round or out by extends", async () => {
    const web = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`c${index}.json`, JSON.stringify({ extends: Array.from({ length: 20 }, (_, other) => `./c${other}.json`) })]));
    const resolve = await linker({ ...web, "tsconfig.json": '{"extends":["./c0.json","../../../etc/passwd","/etc/x"],"compilerOptions":{"baseUrl":"/etc","paths":{"p":["../../../../etc/passwd"]}}}', "a.ts": "" });
    expect(resolve("a.ts", "p")).toBeNull();
  });

  it("resolves the imports of package.json by what runs", async () => {
    const imports = { "#a": "./src/a.js", "#b": { types: "./src/safe.ts", node: { import: "./src/b.js" }, default: "./src/safe.ts" }, "#c/*": "./src/*.js", "#net": "axios", "#list": [null, "./src/a.js"], "#toString": "./src/a.js" };
    const resolve = await linker({ "package.json": JSON.stringify({ imports }), "src/a.ts": "", "src/b.ts": "", "src/safe.ts": "" });
    expect(resolve("src/a.ts", "#a")).toBe("src/a.ts");
    expect(resolve("src/a.ts", "#b")).toBe("src/b.ts");
    expect(resolve("src/a.ts", "#c/a")).toBe("src/a.ts");
    expect(resolve("src/a.ts", "#net")).toEqual({ alias: "axios" });
    expect(resolve("src/a.ts", "#list")).toBe("src/a.ts");
    expect(resolve("src/a.ts", "#constructor")).toBe("missing");
  });

  it("sees through npm: aliases and overrides, and finds packages of the tree", async () => {
    const resolve = await linker({
      "package.json": JSON.stringify({ workspaces: ["packages/*"], dependencies: { innocent: "npm:axios@1", "@x/y": "npm:@scope/real@^2", local: "file:./local" }, overrides: { lodash: "npm:got@14" } }),
      "packages/one/package.json": JSON.stringify({ name: "@us/one", exports: { ".": { import: "./dist/index.js" }, "./sub": "./dist/sub.js" } }), "packages/one/src/index.ts": "", "packages/one/src/sub.ts": "",
      "packages/two/package.json": JSON.stringify({ name: "two", main: "lib/main.js" }), "packages/two/lib/main.js": "",
      "elsewhere/package.json": JSON.stringify({ name: "axios" }), "elsewhere/index.js": "", "local/index.js": "", "x.ts": "",
    });
    expect(resolve("x.ts", "innocent")).toEqual({ alias: "axios" });
    expect(resolve("x.ts", "innocent/lib/x")).toEqual({ alias: "axios/lib/x" });
    expect(resolve("x.ts", "@x/y")).toEqual({ alias: "@scope/real" });
    expect(resolve("packages/two/lib/main.js", "lodash")).toEqual({ alias: "got" });
    expect(resolve("x.ts", "@us/one")).toBe("packages/one/src/index.ts");
    expect(resolve("x.ts", "@us/one/sub")).toBe("packages/one/src/sub.ts");
    expect(resolve("x.ts", "two")).toBe("packages/two/lib/main.js");
    expect(resolve("x.ts", "local")).toBe("local/index.js");
    // A manifest that no manager of workspaces links takes nobody's name.
    expect(resolve("x.ts", "axios")).toBeNull();
  });

  it("reads pnpm's workspaces", async () => {
    const resolve = await linker({ "pnpm-workspace.yaml": "packages:\n  - libs/**\n", "libs/a/b/package.json": '{"name":"deep"}', "libs/a/b/index.ts": "", "x.ts": "" });
    expect(resolve("x.ts", "deep")).toBe("libs/a/b/index.ts");
  });

  it("follows links of the tree to files and folders", async () => {
    const resolve = await linker({ "real/a.ts": "", "x.ts": "" }, { "link": "real", "b.ts": "real/a.ts" });
    expect(resolve("x.ts", "./link/a")).toBe("real/a.ts");
    expect(resolve("x.ts", "./b")).toBe("real/a.ts");
  });

  it("survives manifests that are none", async () => {
    const resolve = await linker({ "package.json": '{"imports":[1],"workspaces":7,"dependencies":"x","name":3}', "tsconfig.json": "[]", "a/package.json": "{", "a/tsconfig.json": '{"compilerOptions":{"paths":{"*":"x"}}}', "a/x.ts": "" });
    expect(resolve("a/x.ts", "foo")).toBeNull();
    expect(resolve("a/x.ts", "#foo")).toBe("missing");
  });
});
