import { describe, expect, it } from "vitest";
import { DEFAULT_POLICY } from "../policy/policy.ts";
import { kindsBetween, weakeningsBetween } from "./testing/change.ts";

const FINGERPRINT = "a".repeat(64);
const BASELINE = "agentgate-baseline.json";
const baseline = (...lines: readonly string[]): string => ["{", ...lines.map((line) => `  ${line},`), '  "version": 1', "}", ""].join("\n");
const module = (path: string, capabilities: string): string => `"module ${path}": "${capabilities}"`;
const finding = (path: string, count: number): string => `"finding ${path} no-dynamic-import ${FINGERPRINT}": ${count}`;

describe("the baseline", () => {
  const base = baseline(finding("a.py", 1), module("a.py", "net"));
  it.each([
    ["a capability", baseline(finding("a.py", 1), module("a.py", "net proc")), [`baseline-grown ${BASELINE}:3`]],
    ["a module", baseline(finding("a.py", 1), module("a.py", "net"), module("b.py", "net")), [`baseline-grown ${BASELINE}:4`]],
    ["one more of a finding", baseline(finding("a.py", 2), module("a.py", "net")), [`baseline-grown ${BASELINE}:2`]],
    ["a finding", baseline(finding("a.py", 1), finding("b.py", 1), module("a.py", "net")), [`baseline-grown ${BASELINE}:3`]],
    ["another fingerprint", base.replace(FINGERPRINT, "b".repeat(64)), [`baseline-grown ${BASELINE}:2`]],
    ["damage", base.replace("}", ""), [`baseline-deleted ${BASELINE}:1`]],
    ["another version", base.replace("1\n}", "2\n}"), [`baseline-deleted ${BASELINE}:1`]],
    ["no text", null, [`baseline-deleted ${BASELINE}:1`]],
  ])("reported: %s", async (_name, head, expected) => {
    expect(await kindsBetween({ [BASELINE]: base }, { [BASELINE]: head })).toEqual(expected);
  });

  it.each([
    ["fewer lines", baseline(module("a.py", "net"))],
    ["another order and CRLF", baseline(module("a.py", "net"), finding("a.py", 1)).replaceAll("\n", "\r\n")],
  ])("silent: %s", async (_name, head) => {
    expect(await kindsBetween({ [BASELINE]: base }, { [BASELINE]: head })).toEqual([]);
  });

  it("follows a renamed module", async () => {
    const moved = base.replaceAll("a.py", "b.py");
    expect(await kindsBetween({ [BASELINE]: base, "a.py": "" }, { [BASELINE]: moved, "b.py": "" }, { renames: { "b.py": "a.py" } })).toEqual([]);
    expect(await kindsBetween({ [BASELINE]: base, "a.py": "" }, { [BASELINE]: moved, "a.py": "" })).toHaveLength(2);
  });

  it("that is deleted or introduced is one finding; one without end is counted", async () => {
    expect(await kindsBetween({ [BASELINE]: base }, {})).toEqual([`baseline-deleted ${BASELINE}:1`]);
    expect(await kindsBetween({}, { [BASELINE]: base })).toEqual([`baseline-grown ${BASELINE}:1`]);
    expect(await kindsBetween({}, { [BASELINE]: baseline() })).toEqual([]);
    const many = baseline(...Array.from({ length: 70 }, (_, index) => module(`m${index}.py`, "net")));
    const found = await weakeningsBetween({ [BASELINE]: base }, { [BASELINE]: many });
    expect(found).toHaveLength(51);
    expect(found.at(-1)?.message).toContain("20 further differences");
  });
});

describe("contracts and their evidence", () => {
  const policy = { "agentgate.yml": "version: 1\ncontracts: { egress: { path: conf/egress.yml } }\n" };
  it.each([
    ["a contract in its default place", { "agent/loop-budget.yml": "x: 1" }, ["contract-deleted agent/loop-budget.yml:1"]],
    ["a contract where the policy puts it", { ...policy, "conf/egress.yml": "x: 1" }, ["contract-deleted conf/egress.yml:1"]],
    ["evidence in its default place", { "envelope.json": "{}", "observer.jsonl": "{}" }, ["evidence-deleted observer.jsonl:1"]],
  ])("reported: %s", async (_name, base, expected) => {
    const path = Object.keys(base).at(-1)!;
    const kept = Object.fromEntries(Object.entries(base).filter(([one]) => one !== path));
    expect(await kindsBetween(base, kept)).toEqual(expected);
    expect(await kindsBetween(base, { ...kept, [path]: " \n" })).toEqual(expected);
    expect(await kindsBetween(base, { ...kept, "old/x": Object.values(base).at(-1)! }, { renames: { "old/x": path } })).toEqual(expected.map((one) => one.replace(path, "old/x")));
  });

  it("reports evidence that a contract names by its path", async () => {
    const base = { "PROMOTION.yaml": "gates:\n  - { id: A, evidence: ./ops/split.txt }\n", "ops/split.txt": "STATUS: pass", "other.txt": "x" };
    expect(await kindsBetween(base, { "PROMOTION.yaml": base["PROMOTION.yaml"] })).toEqual(["evidence-deleted ops/split.txt:1"]);
  });

  it("is silent about what no contract of the tree rests on, and about edits", async () => {
    expect(await kindsBetween({ "observer.jsonl": "x", "prompts/system.md": "x" }, {})).toEqual([]);
    expect(await kindsBetween({ "envelope.json": "{}" }, { "envelope.json": '{"a":1}' })).toEqual([]);
    expect(await kindsBetween({ "envelope.json": " " }, { "envelope.json": "" })).toEqual([]);
  });
});

describe("files that move where nothing is judged", () => {
  it.each([
    ["renamed", { renames: { "tests/a.py": "src/a.py" } }],
    ["deleted and added with the same content", {}],
  ])("%s is reported", async (_name, setup) => {
    expect(await kindsBetween({ "src/a.py": "import os\n" }, { "tests/a.py": "import os\n" }, setup)).toEqual(["moved-into-excluded tests/a.py:1"]);
  });

  it("goes by the policy in force", async () => {
    const setup = { renames: { "gen/a.ts": "src/a.ts" }, policy: { ...DEFAULT_POLICY, exclude: ["gen/**"] } };
    expect(await kindsBetween({ "src/a.ts": "x" }, { "gen/a.ts": "y" }, setup)).toEqual(["moved-into-excluded gen/a.ts:1"]);
  });

  it.each([
    ["between judged paths", "src/a.py", "lib/a.py"],
    ["between excluded paths", "tests/a.py", "vendor/a.py"],
    ["out of an excluded path", "tests/a.py", "src/a.py"],
    ["of another kind", "src/a.md", "tests/a.md"],
  ])("silent: %s", async (_name, from, to) => {
    expect(await kindsBetween({ [from]: "x = 1\n" }, { [to]: "x = 1\n" }, { renames: { [to]: from } })).toEqual([]);
  });
});
