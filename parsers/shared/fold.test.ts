import { describe, expect, it } from "vitest";
import { constantHead } from "./resolve.ts";
import { factsOfSource, probed, rowsOf, spelledConstants } from "./testing-sources.ts";
import type { Row } from "./testing-sources.ts";

const ROWS: readonly Row[] = [
  { technique: "literal", python: 'probe("os")', typescript: 'probe("os")', expected: '"os"' },
  { technique: "bytes", python: 'probe(b"os")', typescript: null, expected: 'b"os"' },
  { technique: "number", python: "probe(-3 * 2 + 1)", typescript: "probe(-3 * 2 + 1)", expected: "-5" },
  { technique: "concatenation", python: 'probe("o" + "s")', typescript: 'probe("o" + "s")', expected: '"os"' },
  { technique: "adjacent literals", python: 'probe("o" "s")', typescript: null, expected: '"os"' },
  { technique: "text with a value", python: 'x = "s"\nprobe(f"o{x}{1}")', typescript: 'const x = "s"; probe(`o${x}${1}`)', expected: '"os1"' },
  { technique: "join", python: 'probe("".join(["o", "s"]))', typescript: 'probe(["o", "s"].join(""))', expected: '"os"' },
  { technique: "format by place", python: 'probe("{}.{}".format("os", "path"))', typescript: null, expected: '"os.path"' },
  { technique: "format by number and name", python: 'probe("{1}{0}{x}{{}}".format("a", "b", x="c"))', typescript: null, expected: '"bac{}"' },
  { technique: "percent", python: 'probe("%s.%d%%" % ("os", 3))', typescript: null, expected: '"os.3%"' },
  { technique: "raw template", python: 'probe(r"a\\n")', typescript: "probe(String.raw`ab`)", expected: ['"a\\\\n"', '"ab"'] },
  { technique: "case", python: 'probe("OS".lower())', typescript: 'probe("OS".toLowerCase())', expected: '"os"' },
  { technique: "strip", python: 'probe("  os ".strip())', typescript: 'probe("  os ".trim())', expected: '"os"' },
  { technique: "replace", python: 'probe("oxs".replace("x", ""))', typescript: 'probe("oxs".replace("x", ""))', expected: '"os"' },
  { technique: "slice", python: 'probe("xosx"[1:3])', typescript: 'probe("xosx".slice(1, 3))', expected: '"os"' },
  { technique: "slice from the end", python: 'probe("xos"[-2:])', typescript: 'probe("xos".slice(-2))', expected: '"os"' },
  { technique: "character", python: 'probe("os"[1])', typescript: 'probe("os"[1])', expected: '"s"' },
  { technique: "item of a split text", python: 'probe("a,os".split(",")[1])', typescript: 'probe("a,os".split(",")[1])', expected: '"os"' },
  { technique: "unpacked", python: 'a, b = "x", "os"\nprobe(b)', typescript: 'const [a, b] = ["x", "os"]; probe(b)', expected: '"os"' },
  { technique: "several values", python: 'x = "a"\nif c: x = "b"\nprobe(x)', typescript: 'let x = "a"; if (c) x = "b"; probe(x)', expected: '"a" | "b"' },
  { technique: "conditional", python: 'probe("a" if c else "b")', typescript: 'probe(c ? "a" : "b")', expected: '"a" | "b"' },
  { technique: "alternatives multiply", python: 'x = "a" if c else "b"\nprobe(x + x)', typescript: 'const x = c ? "a" : "b"; probe(x + x)', expected: '"aa" | "ab" | "ba" | "bb"' },
  { technique: "fallback of a falsy value", python: 'probe("" or "b")', typescript: 'probe("" || "b")', expected: '"b"' },
  { technique: "fallback that is not reached", python: 'probe("a" or x)', typescript: 'probe("a" ?? x)', expected: '"a"' },
  { technique: "table by key", python: 'T = {"a": "x", "b": "y"}\nprobe(T["b"])', typescript: 'const T = { a: "x", b: "y" }; probe(T.b)', expected: '"y"' },
  { technique: "table by any key", python: 'T = {"a": "x", "b": "y"}\nprobe(T[k])', typescript: 'const T = { a: "x", b: "y" }; probe(T[k])', expected: '"x" | "y"' },
  { technique: "table asked for a key", python: 'T = {"a": "x"}\nprobe(T.get(k, "z"))', typescript: null, expected: '"x" | "z"' },
  { technique: "loop over a list", python: 'for m in ["a", "b"]:\n    probe(m)', typescript: 'for (const m of ["a", "b"]) probe(m)', expected: '"a" | "b"' },
  { technique: "table that is changed", python: 'T = {"a": "x"}\nT["a"] = y\nprobe(T["a"])', typescript: 'const T = { a: "x" }; T.a = y; probe(T["a"])', expected: "unknown" },
  { technique: "list that grows", python: 'p = []\np.append("x")\nprobe("".join(p))', typescript: 'const p = []; p.push("x"); probe(p.join(""))', expected: "unknown" },
  { technique: "name that is augmented", python: 'x = "a"\nx += y\nprobe(x)', typescript: 'let x = "a"; x += y; probe(x)', expected: "unknown" },
  { technique: "name made from itself", python: 'x = "a"\nx = x + "b"\nprobe(x)', typescript: 'let x = "a"; x = x + "b"; probe(x)', expected: "unknown" },
  { technique: "attribute", python: 'class C:\n    NAME = "os"\nprobe(C.NAME)', typescript: 'class C { static NAME = "os" } probe(C.NAME)', expected: '"os"' },
  { technique: "reversed slice", python: 'probe("so"[::-1])', typescript: 'probe("so".split("").reverse().join(""))', expected: '"os"!' },
  { technique: "reversed", python: 'probe("".join(reversed("so")))', typescript: 'probe([..."so"].reverse().join(""))', expected: '"os"!' },
  { technique: "base64", python: 'import base64\nprobe(base64.b64decode("b3M=").decode())', typescript: 'probe(Buffer.from("b3M=", "base64").toString("utf8"))', expected: '"os"!' },
  { technique: "base64 of the platform", python: 'from base64 import b64decode as d\nprobe(d(b"b3M="))', typescript: 'probe(atob("b3M="))', expected: ['b"os"!', '"os"!'] },
  { technique: "hex", python: 'probe(bytes.fromhex("6f73").decode("ascii"))', typescript: 'probe(Buffer.from("6f73", "hex").toString())', expected: '"os"!' },
  { technique: "codec", python: 'import codecs\nprobe(codecs.decode("bf", "rot13"))', typescript: 'probe(decodeURIComponent("%6f%73"))', expected: '"os"!' },
  { technique: "character codes", python: 'probe(chr(111) + chr(0x73))', typescript: "probe(String.fromCharCode(111, 0x73))", expected: '"os"!' },
  { technique: "codes one by one", python: 'probe("".join(chr(c) for c in [111, 115]))', typescript: 'probe([111, 115].map((c) => String.fromCharCode(c)).join(""))', expected: '"os"!' },
  { technique: "codes by a named function", python: 'probe("".join(map(chr, [111, 115])))', typescript: "probe(String.fromCharCode(...[111, 115]))", expected: '"os"!' },
  { technique: "codes shifted", python: 'probe("".join(chr(ord(c) ^ 1) for c in "nr"))', typescript: 'probe([..."nr"].map((c) => String.fromCharCode(c.charCodeAt(0) ^ 1)).join(""))', expected: '"os"!' },
  { technique: "list of bytes", python: "probe(bytes([111, 115]).decode())", typescript: "probe(new TextDecoder().decode(new Uint8Array([111, 115])))", expected: '"os"!' },
  { technique: "comprehension with a condition", python: 'probe("".join(c for c in "oxs" if c != "x"))', typescript: 'probe([..."oxs"].filter((c) => c !== "x").join(""))', expected: "unknown" },
  { technique: "path", python: 'import os\nprobe(os.path.join("a", "b"))', typescript: 'import path from "node:path"; probe(path.join("a", "./b"))', expected: '"a/b"' },
  { technique: "encoded and back", python: 'probe("os".encode().decode())', typescript: 'probe(Buffer.from("os").toString())', expected: '"os"' },
  { technique: "function of the file", python: 'def f():\n    return "os"\nprobe(f())', typescript: 'const f = () => "os"; probe(f())', expected: '"os"' },
  { technique: "function with arguments", python: 'probe((lambda s: s[::-1])("so"))', typescript: 'const flip = (s) => s.split("").reverse().join(""); probe(flip("so"))', expected: '"os"!' },
  { technique: "infinity", python: 'import math\nprobe(math.inf)', typescript: "probe(Infinity)", expected: "null" },
  { technique: "parameter", python: "def f(x):\n    probe(x)", typescript: "function f(x) { probe(x) }", expected: "unknown" },
  { technique: "parameter inside a text", python: 'def f(x):\n    probe("a" + x)', typescript: 'function f(x) { probe("a" + x) }', expected: "unknown" },
  { technique: "call of something else", python: "probe(input())", typescript: "probe(prompt())", expected: "unknown" },
  { technique: "function that hides a decoder", python: "def chr(x): return y\nprobe(chr(111))", typescript: 'function atob(x) { return y } probe(atob("b3M="))', expected: "unknown" },
];

describe.each(["python", "typescript"] as const)("what is known before the program runs: %s", (language) => {
  it.each(rowsOf(ROWS, language))("$technique", ({ source, expected }) => {
    expect(spelledConstants(factsOfSource(language, source))).toBe(expected);
  });
});

describe("what a text begins with", () => {
  const rows: readonly Row[] = [
    { technique: "concatenation", python: 'probe("./pages/" + x)', typescript: 'probe("./pages/" + x)', expected: "./pages/" },
    { technique: "longer concatenation", python: 'probe("a" + "b" + x + "c")', typescript: 'probe("a" + "b" + x + "c")', expected: "ab" },
    { technique: "text with a value", python: 'probe(f"./pages/{x}.js")', typescript: "probe(`./pages/${x}.js`)", expected: "./pages/" },
    { technique: "name inside", python: 'D = "./pages/"\nprobe(D + x)', typescript: 'const D = "./pages/"; probe(`${D}${x}`)', expected: "./pages/" },
    { technique: "whole", python: 'probe("a")', typescript: 'probe("a")', expected: "a" },
    { technique: "unknown", python: "probe(x + 'a')", typescript: "probe(x + 'a')", expected: "" },
    { technique: "sum", python: "probe(1 + x)", typescript: "probe(1 + x)", expected: "" },
  ];
  describe.each(["python", "typescript"] as const)("%s", (language) => {
    it.each(rowsOf(rows, language))("$technique", ({ source, expected }) => {
      const facts = factsOfSource(language, source);
      expect(constantHead(facts, probed(facts))).toBe(expected);
    });
  });
});
