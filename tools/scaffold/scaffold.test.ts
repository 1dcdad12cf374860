import { ENGINE_RULES, type RuleMeta } from "@agentgate/rules";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rulePage, gapsOf } from "../docs/rule-page.ts";
import { readCases, showingsOf } from "../fixtures/cases.ts";
import { missingNeighbours } from "../neighbours.ts";
import { onlyId, registered, ScaffoldError, scaffoldRule } from "./scaffold.ts";

const root = path.resolve(import.meta.dirname, "../..");
const meta: RuleMeta = {
  id: "no-sudden-end", severity: "error", summary: "", category: "code", suppressible: true, configurable: true,
  techniques: [{ name: "plain-call", summary: "", kind: "true" }, { name: "local-of-that-name", summary: "", kind: "look-alike" }],
};

describe("scaffoldRule", () => {
  const copy = mkdtempSync(path.join(tmpdir(), "agentgate-scaffold-"));
  afterAll(() => rmSync(copy, { recursive: true }));
  beforeAll(() => {
    cpSync(path.join(root, "rules/registry.ts"), path.join(copy, "rules/registry.ts"), { recursive: true });
    scaffoldRule(copy, meta.id);
  });

  it("takes one id, and drops no word", () => {
    expect(onlyId(["no-a"])).toBe("no-a");
    expect(onlyId([])).toBe("");
    expect(() => onlyId(["no-a", "b"])).toThrow('one rule at a time: "b" is not expected after "no-a"');
  });

  it("makes every neighbour of the rule", () => {
    expect(missingNeighbours(copy, [meta])).toEqual([]);
    const lacking = missingNeighbours(copy, [...ENGINE_RULES, meta]);
    expect(lacking.filter((line) => line.startsWith(meta.id))).toEqual([]);
  });

  it("makes one true and one look-alike fixture a language", () => {
    const showings = readCases(path.join(copy, "fixtures"), meta.id).flatMap(showingsOf);
    expect(showings.map((showing) => [showing.language, showing.technique, showing.expectations.length])).toEqual([
      ["python", "local-of-that-name", 0], ["ecmascript", "local-of-that-name", 0],
      ["python", "plain-call", 1], ["ecmascript", "plain-call", 1],
    ]);
  });

  it("makes a page that lacks nothing once it is generated", () => {
    const page = readFileSync(path.join(copy, `docs/rules/${meta.id}.md`), "utf8");
    expect(gapsOf(meta, rulePage(meta, page))).toEqual([]);
  });

  it("lists the rule in the registry", () => {
    const registry = readFileSync(path.join(copy, "rules/registry.ts"), "utf8");
    expect(registry).toContain('import { noSuddenEnd } from "./no-sudden-end.ts";');
    expect(registry).toMatch(/CODE_RULES: readonly Rule\[\] = \[[^\]]*noSuddenEnd\];/);
  });

  it("overwrites nothing and takes no odd name", () => {
    expect(() => scaffoldRule(copy, meta.id)).toThrow(/is there already/);
    expect(() => scaffoldRule(copy, "../evil")).toThrow(ScaffoldError);
    expect(() => scaffoldRule(copy, "Rule")).toThrow(ScaffoldError);
  });
});

describe("registered", () => {
  it("adds to rules that are there, and says so where the list has another form", () => {
    const registry = 'import { a } from "./a.ts";\nimport { b } from "./b.ts";\n\nexport const CODE_RULES: readonly Rule[] = [\n  a,\n  b,\n];\n';
    expect(registered(registry, "no-c", "noC")).toContain('import { b } from "./b.ts";\nimport { noC } from "./no-c.ts";\n');
    expect(registered(registry, "no-c", "noC").replace(/\s+/g, " ")).toContain("[a, b, noC];");
    expect(() => registered("export {};", "no-c", "noC")).toThrow(ScaffoldError);
  });
});
