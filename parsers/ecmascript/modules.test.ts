import { describe, expect, it } from "vitest";
import type { Dialect } from "../facts.ts";
import { binding, read, show } from "./testing.ts";

function imports(text: string, dialect: Dialect = "typescript"): string[] {
  return read(text, dialect).imports.map((entry) => {
    const names = entry.names.map((name) => `${name.imported}${name.binding < 0 ? "" : " as"}${name.typeOnly ? " type" : ""}`);
    return `${entry.form} ${text.slice(...entry.specifierSpan)} [${names.join(", ")}]${entry.typeOnly ? " type" : ""}`;
  });
}

function exports(text: string, dialect: Dialect = "typescript"): string[] {
  const facts = read(text, dialect);
  return facts.exports.map((entry) => {
    const from = entry.import === undefined ? show(facts, entry.value) : `${facts.imports[entry.import]!.specifier} ${entry.imported}`;
    return `${entry.name}: ${from}${entry.typeOnly ? " type" : ""}`;
  });
}

describe("imports", () => {
  it("come in all forms", () => {
    expect(imports("import 'a'; import b from 'b'; import * as c from 'c'; import { d, e as f, default as g, 'h-i' as j } from \"d\"; import k, * as l from 'k'")).toEqual([
      "import 'a' []", "from 'b' [default as]", "import 'c' [* as]", "from \"d\" [d as, e as, default as, h-i as]", "from 'k' [default as, * as]",
    ]);
    expect(imports("import a = require('a'); import type b = require('b')")).toEqual(["require 'a' [* as]", "require 'b' [* as type] type"]);
    expect(imports("export { a } from 'a'; export * from 'b'; export * as c from 'c'; export type { d } from 'd'; export { type e } from 'e'")).toEqual([
      "reexport 'a' [a]", "reexport 'b' [*]", "reexport 'c' [*]", "reexport 'd' [d type] type", "reexport 'e' [e type]",
    ]);
    expect(imports("import type { a } from 'a'; import { type b, c } from 'b'; let x: import('d').E.F; let y: typeof import('g')")).toEqual([
      "from 'a' [a as type] type", "from 'b' [b as type, c as]", "from 'd' [E type] type", "from 'g' [* type] type",
    ]);
  });

  it("give their names what they import", () => {
    const facts = read("import a, { b as c } from 'm'; import * as d from 'n'");
    expect(["a", "c", "d"].map((name) => binding(facts, name).values)).toEqual([["<m default>"], ["<m b>"], ["<n>"]]);
  });

  it("are hoisted", () => {
    const facts = read("run(); import { run } from 'm'");
    expect(facts.calls[0]!.references).toEqual([{ module: "m", path: ["run"] }]);
  });

  it("of types hide no value of that name", () => {
    const facts = read("import type { fetch } from './types'; import { type WebSocket } from './types'; fetch('x' satisfies fetch); new WebSocket('y')");
    expect(facts.calls.map((call) => call.references[0])).toEqual([
      { module: "globalThis", path: ["fetch"] }, { module: "globalThis", path: ["WebSocket"] },
    ]);
    expect(facts.uses.filter((use) => use.role === "type").map((use) => use.references[0]!.module)).toEqual(["./types"]);
  });

  it("of a declaration file are all of types", () => {
    expect(imports("import a from 'a'; export { b } from 'b'; declare module 'c' { import { d } from 'd'; }", "declaration")).toEqual([
      "from 'a' [default as type] type", "reexport 'b' [b type] type", "from 'd' [d as type] type",
    ]);
  });
});

describe("exports", () => {
  it("of declarations", () => {
    expect(exports("export const a = f, { b, c: [d] } = g; export let e = 1, h; export function i() {} export class J {} export enum K { l }")).toEqual([
      "a: f", "b: g.b", "d: item 0 of g.c", "e: e!", "h: h!", "i: function i", "J: class J", "K: {\"l\": 0}",
    ]);
    expect(exports("export type A = 1; export interface B {} export declare const c: 1; export namespace D { export const e = 1 }")).toEqual([
      "A: none type", "B: none type", "c: none", "D: {\"e\": 1}",
    ]);
  });

  it("of names", () => {
    expect(exports("import { a } from 'm'; const b = 1; interface C {} export { a, b as d, b as default, a as 'e-f', C }; export type { C as G }")).toEqual([
      "a: a!", "d: b!", "default: b!", "e-f: a!", "C: C", "G: C! type",
    ]);
  });

  it("by default", () => {
    expect(exports("export default fetch")).toEqual(["default: fetch"]);
    expect(exports("export default function () {}")).toEqual(["default: function "]);
    expect(exports("export default class A {}")).toEqual(["default: class A"]);
    expect(exports("export default interface A {}")).toEqual(["default: none type"]);
    expect(exports("export = a")).toEqual(["=: a"]);
  });

  it("from elsewhere", () => {
    expect(exports("export { a, b as c } from 'm'; export * from 'n'; export * as d from 'o'")).toEqual(["a: m a", "c: m b", "*: n *", "d: o *"]);
  });

  it("of CommonJS", () => {
    expect(exports("module.exports = { a, b: 1, ...c }; exports.d = 2; module.exports.e = 3; exports['f'] = 4", "javascript")).toEqual([
      "=: {\"a\": a, \"b\": 1, ...c}", "a: a", "b: 1", "d: 2", "e: 3", "f: 4",
    ]);
    expect(exports("exports.a = exports.b = void 0; module.exports = class {}", "javascript")).toEqual(["=: class exports"]);
    const passedOn = "const m = require('m'); Object.defineProperty(exports, '__esModule', { value: true });";
    expect(exports(`${passedOn} Object.defineProperty(exports, "a", { enumerable: true, get: function () { return m.a; } })`, "javascript")).toEqual(["a: m!.a"]);
    expect(exports(`${passedOn} Object.defineProperty(exports, "b", { get: () => { log(); return m.b; } }); Object.defineProperty(other, "c", { value: 1 })`, "javascript")).toEqual([]);
    expect(exports("function f(module, exports) { module.exports = 1; exports.a = 2 }", "javascript")).toEqual([]);
  });

  it("of a name count as uses, of types as uses of a type", () => {
    const facts = read("import { exec } from 'node:child_process'; import type { T } from 'm'; export { exec, T }");
    expect(facts.uses.map((use) => [use.role, use.references[0]!.module])).toEqual([["value", "node:child_process"], ["type", "globalThis"]]);
  });
});
