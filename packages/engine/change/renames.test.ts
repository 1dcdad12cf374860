import { describe, expect, it } from "vitest";
import { renamesBetween } from "./renames.ts";
import type { Loose } from "./renames.ts";

function file(path: string, text: string | null, blob = `${path} ${text}`): Loose {
  return { path, text, blob };
}

const BODY = Array.from({ length: 10 }, (_, index) => `line number ${index}`).join("\n");

describe("renames", () => {
  it("pair the same bytes first, under the same name where there is one", () => {
    const renames = renamesBetween([file("a/x.py", BODY, "1"), file("b/y.py", BODY, "1")], [file("c/y.py", BODY, "1"), file("c/z.py", BODY, "1")]);
    expect([...renames]).toEqual([["c/y.py", "b/y.py"], ["c/z.py", "a/x.py"]]);
  });

  it("pair what keeps half of the larger text, and nothing less", () => {
    const edited = BODY.replaceAll(/number [5-8]/g, "changed");
    expect([...renamesBetween([file("a.py", BODY)], [file("b.py", edited)])]).toEqual([["b.py", "a.py"]]);
    expect([...renamesBetween([file("a.py", BODY)], [file("b.py", `${BODY}\n${"x = 1\ny = 2\n".repeat(40)}`)])]).toEqual([]);
  });

  it("pair no two languages, no empty files and nothing that is no text", () => {
    expect([...renamesBetween([file("a.py", BODY)], [file("a.ts", `${BODY}\n`)])]).toEqual([]);
    expect([...renamesBetween([file("a/__init__.py", "", "0")], [file("b/__init__.py", "", "0")])]).toEqual([]);
    expect([...renamesBetween([file("a.py", null)], [file("b.py", null)])]).toEqual([]);
  });

  it("pair a file of JavaScript with the one of TypeScript that it became, however many become one", () => {
    const typed = BODY.replace("number 3", "three");
    expect([...renamesBetween([file("a.js", BODY)], [file("a.ts", typed)])]).toEqual([["a.ts", "a.js"]]);
    expect([...renamesBetween([file("a.jsx", BODY), file("b.mjs", BODY)], [file("b.mts", typed), file("a.tsx", typed)])]).toEqual([["a.tsx", "a.jsx"], ["b.mts", "b.mjs"]]);
    const many = Array.from({ length: 250 }, (_, index) => `src/m${index}`);
    const renames = renamesBetween(many.map((name) => file(`${name}.js`, BODY)), many.map((name) => file(`${name}.ts`, typed)));
    expect(many.filter((name) => renames.get(`${name}.ts`) !== `${name}.js`)).toEqual([]);
  });

  it("pair a module of JavaScript with the one of its name, however much was written anew", () => {
    expect([...renamesBetween([file("src/a.js", BODY), file("src/b.js", "other")], [file("src/a.mjs", "export const a = 1;\n"), file("lib/b.mjs", "export {};\n")])]).toEqual([["src/a.mjs", "src/a.js"]]);
  });

  it("are the most similar ones, whatever the order", () => {
    const near = BODY.replace("number 3", "three");
    const far = BODY.replaceAll(/number [1-4]/g, "other");
    const pairs = [["b.py", "a.py"]];
    expect([...renamesBetween([file("a.py", BODY)], [file("b.py", near), file("c.py", far)])]).toEqual(pairs);
    expect([...renamesBetween([file("a.py", BODY)], [file("c.py", far), file("b.py", near)])]).toEqual(pairs);
  });
});
