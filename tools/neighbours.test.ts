import type { RuleMeta } from "@agentgate/rules";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { missingNeighbours } from "./neighbours.ts";

const meta: RuleMeta = { id: "some-rule", severity: "error", summary: "", category: "code", suppressible: true, configurable: true, techniques: [] };
const complete = ["rules/some-rule.ts", "rules/some-rule.test.ts", "fixtures/rules/some-rule/plain/main.py", "docs/rules/some-rule.md", "docs/rules/README.md"];

describe("missingNeighbours", () => {
  let root = "";
  beforeEach(() => (root = mkdtempSync(path.join(tmpdir(), "agentgate-neighbours-"))));
  afterEach(() => rmSync(root, { recursive: true }));

  function write(files: readonly string[], text = ""): void {
    for (const file of files) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), text);
    }
  }

  it("finds nothing to miss about a rule with all four", () => {
    write(complete);
    expect(missingNeighbours(root, [meta])).toEqual([]);
  });

  it("takes a folder with an index and tests for a rule of several files", () => {
    write([...complete.slice(2), "rules/some-rule/index.ts", "rules/some-rule/probes.test.ts"]);
    expect(missingNeighbours(root, [meta])).toEqual([]);
  });

  it.each([0, 1, 2, 3])("names the missing one: %i", (index) => {
    write(complete.filter((_, at) => at !== index));
    expect(missingNeighbours(root, [meta])).toHaveLength(1);
  });

  it("lets the engine's tests stand for what the engine reports, not for a rule about code", () => {
    write(complete.filter((file) => !file.endsWith(".test.ts")));
    write(["packages/engine/check.test.ts"], 'expect(rule).toBe("some-rule")');
    expect(missingNeighbours(root, [{ ...meta, category: "policy" }])).toEqual([]);
    expect(missingNeighbours(root, [meta])).toEqual(["some-rule: rules/some-rule.test.ts is missing"]);
  });

  it("names pages and fixtures of rules that nobody registered", () => {
    write([...complete, "docs/rules/old-rule.md"]);
    expect(missingNeighbours(root, [meta])).toEqual(["old-rule: has a page or fixtures, and rules/registry.ts does not list it"]);
  });
});
