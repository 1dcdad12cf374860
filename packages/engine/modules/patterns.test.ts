import { expect, it } from "vitest";
import type { SourceFile } from "../discovery/discover.ts";
import { Linker } from "./tree.ts";

const target = { kind: "disk", fs: "x" } as const;
const JUDGED = ["src/a.ts", "src/pages/plain.ts", "app/__init__.py", "app/a.py"];
const EXCLUDED = ["src/pages/one.test.ts", "src/pages/deep/two.test.ts", "src/pages/deep/index.test.ts", "src/pages/x.py", "app/tests/__init__.py", "app/tests/one.py", "app/tests/deep/two.py", "other/tests/one.py"];

function linker(links: ReadonlyMap<string, string> = new Map()): Linker {
  const paths = [...JUDGED, ...EXCLUDED].sort();
  const sources = paths.map((path): SourceFile => ({ path, target, dialectPath: path, excludedBy: EXCLUDED.includes(path) ? "x" : null, named: true }));
  return new Linker({ files: new Map(paths.map((path) => [path, target])), links, sources });
}

it.each([
  ["src/a.ts", "./pages/**", ["src/pages/deep/index.test.ts", "src/pages/deep/two.test.ts", "src/pages/one.test.ts"]],
  ["src/a.ts", "./pages/*.ts", ["src/pages/one.test.ts"]],
  ["src/a.ts", "./pages/**two.test.js", ["src/pages/deep/two.test.ts"]],
  ["src/a.ts", "./pages/**one.test", ["src/pages/one.test.ts"]],
  ["src/a.ts", "../../**", []],
  ["app/a.py", ".tests.**", ["app/__init__.py", "app/tests/__init__.py", "app/tests/deep/two.py", "app/tests/one.py"]],
  ["app/a.py", "app.tests.o**", ["app/__init__.py", "app/tests/__init__.py", "app/tests/one.py"]],
  ["app/a.py", "app.tests.**.two", ["app/__init__.py", "app/tests/__init__.py", "app/tests/deep/two.py"]],
  ["app/a.py", "./tests/**.py", ["app/__init__.py", "app/tests/__init__.py", "app/tests/deep/two.py", "app/tests/one.py"]],
])("finds what %s loads by %s among the excluded sources", (from, pattern, expected) => {
  expect([...linker().targets(from, [pattern])].sort()).toEqual(expected);
});

it("follows links to folders", () => {
  expect([...linker(new Map([["src/short", "src/pages/deep"]])).targets("src/a.ts", ["./short/**two.test.ts"])]).toEqual(["src/pages/deep/two.test.ts"]);
});
