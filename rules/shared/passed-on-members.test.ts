import { parseEcmascript, parsePython } from "@agentgate/parsers";
import { describe, expect, it } from "vitest";
import { noDynamicImport } from "../no-dynamic-import.ts";
import { noInventedIo } from "../no-invented-io.ts";
import { contextOf } from "./testing.ts";

function judged(language: "python" | "typescript", source: string): string[] {
  const facts = language === "python" ? parsePython(source) : parseEcmascript(source, { dialect: "typescript" });
  return [noDynamicImport, noInventedIo].flatMap((rule) => rule.check(facts, contextOf()).map(({ capability }) => `${rule.meta.id} ${capability ?? "-"}`));
}

describe("every member of a module, passed on", () => {
  it.each([
    ["a compiler's star export", "typescript", 'const m = require("crypto");\nObject.keys(m).forEach(function (k) { Object.defineProperty(exports, k, { get: function () { return m[k]; } }); });'],
    ["a loop over the names", "typescript", 'import * as m from "node:crypto";\nfor (const k of Object.keys(m)) { (exports as any)[k] = m[k]; }'],
    ["a compiler's copy of a module", "typescript", 'function copied(m: any) { if (m && m.__esModule) return m; const all: any = {}; for (const k in m) { if (k !== "default" && Object.prototype.hasOwnProperty.call(m, k)) all[k] = m[k]; } all.default = m; return all; }\nconst fs = copied(require("fs"));\nconst c = copied(require("crypto"));\nfs.existsSync("x");'],
  ] as const)("%s chooses nothing", (_, language, source) => {
    expect(judged(language, source)).not.toContain("no-dynamic-import opaque");
  });

  it("is the whole module handed on", () => {
    const found = judged("typescript", 'const fs = require("fs");\nObject.keys(fs).forEach(function (k) { exports[k] = fs[k]; });');
    expect(found).toContain("no-invented-io fs.write");
    expect(found).not.toContain("no-dynamic-import opaque");
  });

  it.each([
    ["called where it is taken", "typescript", 'import * as fs from "node:fs";\nObject.keys(fs).forEach((k) => { if (k.startsWith("wri")) fs[k]("x", "y"); });'],
    ["called in a loop over the keys", "typescript", 'import * as fs from "node:fs";\nfor (const k in fs) { if (k.startsWith("wri")) (fs as any)[k]("x", "y"); }'],
    ["named by the keys of another object", "typescript", 'import * as fs from "node:fs";\nfor (const k in names) { exports[k] = (fs as any)[k]; }'],
    ["called by another name", "typescript", 'import * as fs from "node:fs";\nfor (const k of Object.keys(fs)) { const f = fs[k]; f("x", "y"); }'],
    ["named by another object's members", "typescript", 'import * as fs from "node:fs";\nObject.keys(names).forEach((k) => { exports[k] = fs[k]; });'],
    ["called where it is taken", "python", 'import os\nfor name in dir(os):\n    getattr(os, name)("x")'],
  ] as const)("is a choice where a member is %s (%s)", (_, language, source) => {
    expect(judged(language, source)).toContain("no-dynamic-import opaque");
  });
});
