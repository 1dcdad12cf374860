import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { judgePackage, policyFor, type Judged, type TrialFinding } from "./judged.ts";
import { shown, table } from "./print.ts";
import { draw } from "./sample.ts";

const folder = mkdtempSync(path.join(tmpdir(), "agentgate-trial-"));
afterAll(() => rmSync(folder, { recursive: true }));

function finding(file: string, line: number): TrialFinding {
  return { rule: "no-unbounded-loop", severity: "error", message: `Loop in ${file}.`, path: file, start: { line, column: 1 }, fingerprint: `${file}#${line}` };
}

function judged(name: string, findings: readonly TrialFinding[]): Judged {
  return { name, folder: path.join(folder, name), lines: 2000, files: 2, findings };
}

const many = judged("many", Array.from({ length: 30 }, (_, index) => finding("big.py", index + 1)));
const few = judged("few", [finding("a.js", 1), finding("a.mjs", 1), finding("b.js", 2)]);
const names = (seed: string, size: number): string[] => draw([many, few], "no-unbounded-loop", size, seed).map((drawn) => drawn.finding.fingerprint);

describe("draw", () => {
  it("draws the same by the same seed, and something else by another", () => {
    expect(names("1", 10)).toEqual(names("1", 10));
    expect(names("1", 10)).not.toEqual(names("2", 10));
  });
  it("takes one of each package in turn, so that none fills the sample", () => {
    expect(names("1", 4).filter((name) => name.startsWith("big.py"))).toHaveLength(2);
  });
  it("takes all where there are fewer, and a twin of a build once", () => {
    const all = names("1", 100);
    expect(all).toHaveLength(32);
    expect(all.filter((name) => name.startsWith("a."))).toHaveLength(1);
    expect(draw([many], "require-timeout", 40, "1")).toEqual([]);
  });
  it("leaves the rest of the draw as it was when a finding goes", () => {
    const before = draw([many], "no-unbounded-loop", 5, "1").map((drawn) => drawn.finding.fingerprint);
    const without = { ...many, findings: many.findings.filter((one) => one.fingerprint !== before[0]) };
    expect(draw([without], "no-unbounded-loop", 4, "1").map((drawn) => drawn.finding.fingerprint)).toEqual(before.slice(1));
  });
});

describe("what is printed", () => {
  it("counts per package and rule, and the sum", () => {
    const lines = table([many, few], ["no-unbounded-loop"]).map((line) => line.split(/ +/).join(" "));
    expect(lines).toEqual([
      "package rule findings lines per 1,000", "many no-unbounded-loop 30 2000 15.000", "few no-unbounded-loop 3 2000 1.500",
      "all no-unbounded-loop 33 4000 8.250",
    ]);
  });
  it("marks the line among its neighbours, and lets no control character through", () => {
    mkdirSync(path.join(folder, "few"), { recursive: true });
    writeFileSync(path.join(folder, "few/b.js"), "one\nwhile (true) {} // \u001B[2J\nthree\n");
    const lines = shown({ judged: few, finding: few.findings[2]! }, 1);
    expect(lines.filter((line) => line.startsWith(">"))).toEqual([">      2 | while (true) {} // \uFFFD[2J"]);
    expect(lines).toContain("       3 | three");
  });
});

describe("judgePackage", () => {
  const command = path.resolve("packages/cli/dist/agentgate.js");

  it("counts the lines that were judged, and finds what the command finds", () => {
    const root = path.join(folder, "pack-1.2.3");
    mkdirSync(root);
    writeFileSync(path.join(root, "a.py"), "import sys\nimport httpx\nhttpx.get(sys.argv[1], timeout=5)\n");
    writeFileSync(path.join(root, "a.test.js"), "1;\n2;\n");
    writeFileSync(path.join(root, "types.d.ts"), "export {};\n");
    const one = judgePackage(root, { command, config: "bench/trial/policies", off: ["no-dynamic-import"] });
    expect([one.name, one.files, one.lines, one.findings.map((found) => found.rule)]).toEqual(["pack-1.2.3", 1, 3, ["no-invented-io"]]);
  });
  it("takes a package's own policy, else the default one, else the one that is given", () => {
    const policies = path.join(folder, "policies");
    mkdirSync(policies);
    writeFileSync(path.join(policies, "pack.yml"), "version: 1\n");
    expect(policyFor("pack-1.2.3", policies)).toBe(path.join(policies, "pack.yml"));
    expect(policyFor("other", policies)).toBe(path.resolve("bench/trial/policies/default.yml"));
    writeFileSync(path.join(policies, "default.yml"), "version: 1\n");
    expect(policyFor("other", policies)).toBe(path.join(policies, "default.yml"));
    expect(policyFor("other", path.join(policies, "pack.yml"))).toBe(path.join(policies, "pack.yml"));
  });
});
