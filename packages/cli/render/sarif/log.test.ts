import type { Finding, Report } from "@agentgate/engine";
import type { Log, Result, Run } from "sarif";
import { describe, expect, it } from "vitest";
import type { RunDetails } from "../../details.ts";
import { changeReport, details, finding, licensed, report } from "../../testing/sample.ts";
import { HAS_VALIDATOR, schemaProblems, validatorProblems } from "../../testing/sarif.ts";
import { ownProblems } from "../../testing/sarif-asserts.ts";
import { lineHashes } from "./line-hash.ts";
import { renderSarif } from "./log.ts";
import { describedRules } from "./rules.ts";

const rules = await describedRules();
const render = (document: Report, more: RunDetails = details()): string => renderSarif(document, more, rules);
const runOf = (text: string): Run => (JSON.parse(text) as Log).runs[0]!;
const resultsOf = (document: Report, more?: RunDetails): Result[] => runOf(render(document, more)).results ?? [];

const at = (line: number, column: number) => ({ start: { line, column }, end: { line, column: column + 4 } });
const related = [{ path: "src/refund.py", ...at(41, 11), message: "httpx.post" }, { path: "src/a [1](2).py", ...at(3, 1), message: "passes it on {0}" }];
const HOSTILE = ["with space.py", "[slug].ts", "a#b.ts", "100%.ts", "a:b.ts", "日本😀.py", "back\\slash.py", "[x](1).py", "{0}.py", "::error::.py", "bidi\u202ey.py", "<b>.py", "a?b.py", "lone\ud800.py"];
const hostile: readonly Finding[] = HOSTILE.map((path) => finding({ path, message: `This module can reach the network: ${path}. No port licenses net here. Move it into [net], or {0}` }));
const WEAKENED = finding({ rule: "gate-weakened", path: ".github/workflows/gate.yml", capability: null, api: null, message: "The job may fail now. Take it back." });
const INPUT = [
  finding({ rule: "parse-error", path: "bad.ts", ...at(3, 1), capability: null, api: null, message: "This cannot be read as JavaScript or TypeScript. Correct it here." }),
  finding({ rule: "not-judged", path: "big.ts", start: { line: 1, column: 1 }, end: { line: 1, column: 1 }, capability: null, api: null, message: "This file was not judged: it is too large. Split it." }),
];

const SAMPLES: readonly (readonly [string, Report, RunDetails])[] = [
  ["nothing found", report(), details()],
  ["a change with everything", changeReport({ findings: [...hostile, ...INPUT, WEAKENED, finding({ related, baseline: "new" })], unscanned: [{ path: "a.sh", reason: "unsupported", detail: "shell" }] }), details({ "src/refund.py": "import os\nimport httpx\n" }, { judgedFiles: ["src/refund.py", "src/[id].ts"] })],
  ["a gate that is weakened and nothing else", changeReport({ findings: [WEAKENED] }), details()],
  ["an incomplete run", report({ error: { message: "gone.py is not there", hint: "Name a file that is." }, findings: [finding()] }), details()],
];

describe("SARIF", () => {
  it.each(SAMPLES)("of %s is valid by the schema and by what no validator sees", (_what, document, more) => {
    const log = JSON.parse(render(document, more)) as Log;
    expect(schemaProblems(log)).toEqual([]);
    expect(ownProblems(log)).toEqual([]);
  });

  it.skipIf(!HAS_VALIDATOR)("is what code scanning takes in (the validator runs on Linux, x64 and glibc only)", () => {
    for (const [what, document, more] of SAMPLES) expect({ what, problems: validatorProblems(render(document, more)) }).toEqual({ what, problems: [] });
  });

  it.skipIf(!HAS_VALIDATOR)("is judged by a validator that sees a fault", () => {
    const log = JSON.parse(render(report({ findings: [finding()] }))) as Log;
    log.runs[0]!.results![0]!.locations![0]!.physicalLocation!.region!.startLine = 0;
    log.runs[0]!.results![0]!.message = {};
    expect(schemaProblems(log).length).toBeGreaterThan(0);
    expect(validatorProblems(JSON.stringify(log)).length).toBeGreaterThan(0);
  });

  it("is the same bytes for the same findings, whatever their order", () => {
    const [, document, more] = SAMPLES[1]!;
    expect(render({ ...document, findings: document.findings.toReversed() }, more)).toBe(render(document, more));
  });

  it("holds no byte that a terminal or a build service obeys", () => {
    expect(render(SAMPLES[1]![1])).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|^\s*::|##\[/m);
  });
});

describe("what is reported", () => {
  it("is what is new and licensed by nobody, with its level", () => {
    const document = changeReport({
      findings: [finding({ baseline: "new" }), finding({ path: "b.py", severity: "warning", baseline: "new" }), finding({ path: "c.py", baseline: "unchanged" })],
      permitted: [licensed()], suppressed: [licensed({ kind: "suppression" })],
    });
    expect(resultsOf(document).map(({ baselineState, level, ruleId, locations }) => [level, ruleId, locations?.[0]?.physicalLocation?.artifactLocation?.uri, baselineState])).toEqual([
      ["warning", "agentgate/no-invented-io", "b.py", "new"], ["error", "agentgate/no-invented-io", "src/refund.py", "new"],
    ]);
  });

  it("has no state of a baseline where the tree is judged as it lies", () => {
    expect(resultsOf(report({ findings: [finding()] }))[0]).not.toHaveProperty("baselineState");
  });

  it("is identified by our fingerprint, and by the line as the upload step identifies it", () => {
    const text = "\ufeffimport os\nimport httpx\n";
    const [result] = resultsOf(report({ findings: [finding()] }), details({ "src/refund.py": text }));
    expect(result?.partialFingerprints).toEqual({ "agentgate/v1": "0".repeat(64), primaryLocationLineHash: lineHashes(text)[1] });
    expect(resultsOf(report({ findings: [finding()] }))[0]?.partialFingerprints).toEqual({ "agentgate/v1": "0".repeat(64) });
  });

  it("links its other places, and no name makes a link or a placeholder", () => {
    const [result] = resultsOf(report({ findings: [finding({ related, message: "It reads [a](9) and {0}. Do this" })] }));
    expect(result?.message.text).toBe("It reads \\[a\\](9) and {{0}}. Do this. Also: [41:11 httpx.post](1), [src/a \\[1\\](2).py:3:1 passes it on {{0}}](2).");
    expect(result?.relatedLocations?.map(({ id }) => id)).toEqual([1, 2]);
  });

  it("lists a bounded number of other places, and counts the rest", () => {
    const many = Array.from({ length: 150 }, (_, index) => ({ ...related[0]!, ...at(index + 50, 1) }));
    const [result] = resultsOf(report({ findings: [finding({ related: many })] }));
    expect(result?.relatedLocations).toHaveLength(20);
    expect(result?.message.text).toMatch(/ and 130 more\.$/);
  });

  it("stands in a file that is there: what a deleted one has goes to the policy, else to the first changed file", () => {
    const gone = finding({ rule: "gate-weakened", path: "agent/loop budget.yml", ...at(1, 1), capability: null, api: null, message: "The contract is deleted. Restore it." });
    const changedFiles = [{ path: "agent/loop budget.yml", status: "deleted" }, { path: "src/a.py", status: "modified" }] as const;
    const placeOf = (hasPolicy: boolean): unknown => resultsOf(changeReport({ findings: [gone] }), details({}, { changedFiles, hasPolicy }))
      .map(({ locations, message }) => [locations?.[0]?.physicalLocation?.artifactLocation?.uri, locations?.[0]?.physicalLocation?.region?.startLine, message.text]);
    const message = "The contract is deleted. Restore it. It stands in 'agent/loop budget.yml', which the change deletes.";
    expect(placeOf(true)).toEqual([["agentgate.yml", 1, message]]);
    expect(placeOf(false)).toEqual([["src/a.py", 1, message]]);
  });
});

describe("what keeps it from looking clean", () => {
  it("is a result and a warning for a file that was not judged, and success all the same", () => {
    const run = runOf(render(report({ findings: INPUT })));
    expect(run.results?.map(({ ruleId }) => ruleId)).toEqual(["agentgate/parse-error", "agentgate/not-judged"]);
    expect(run.invocations?.[0]?.executionSuccessful).toBe(true);
    expect(run.invocations?.[0]?.toolExecutionNotifications?.map(({ descriptor, level }) => [descriptor?.id, level])).toEqual([["agentgate/file-not-judged", "warning"], ["agentgate/file-not-judged", "warning"]]);
  });

  it("is a failed run with the reason at exit 2, the results that there are among it", () => {
    const run = runOf(render(SAMPLES.at(-1)![1]));
    expect(run.invocations).toEqual([{ executionSuccessful: false, toolExecutionNotifications: [expect.objectContaining({ level: "error", message: { text: "gone.py is not there. Name a file that is." } })] }]);
    expect(run.results).toHaveLength(1);
  });

  it("is no list of results where nothing was judged: an empty one would close every alert", () => {
    const nothing = report({ mode: "change", error: { message: "no base", hint: "fetch it" }, summary: { ...report().summary, files: 0 } });
    expect(schemaProblems(JSON.parse(render(nothing)) as Log)).toEqual([]);
    expect(runOf(render(nothing))).not.toHaveProperty("results");
    expect(runOf(render(report())).results).toEqual([]);
  });

  it("describes every rule on a clean run, with its page", () => {
    const described = runOf(render(report())).tool.driver.rules ?? [];
    expect(described.map(({ id }) => id)).toEqual(expect.arrayContaining(["agentgate/no-invented-io", "agentgate/parse-error", "agentgate/unused-port"]));
    expect(described.find(({ id }) => id === "agentgate/no-invented-io")?.help?.markdown).toContain("## What is reported");
  });
});

describe("more results than code scanning shows", () => {
  const many = (count: number): Finding[] => Array.from({ length: count }, (_, index) => finding({ path: `m${String(index).padStart(5, "0")}.py`, severity: index % 2 === 0 ? "warning" : "error" }));
  const levels = (run: Run): string => (run.results ?? []).map(({ level }) => (level ?? "")[0]).join("").replace(/(.)\1+/g, "$1");

  it("are all written, errors first, and it is said", () => {
    const run = runOf(render(report({ findings: many(5002) })));
    expect(run.results).toHaveLength(5002);
    expect(levels(run)).toBe("ew");
    expect(run.invocations?.[0]?.toolExecutionNotifications?.[0]).toMatchObject({ level: "warning", descriptor: { id: "agentgate/results-left-out" }, message: { text: expect.stringContaining("5002 results") as unknown } });
  });

  it("are cut where the file would be refused", () => {
    const run = runOf(render(report({ findings: many(25_010) })));
    expect(run.results).toHaveLength(25_000);
    expect(run.invocations?.[0]?.toolExecutionNotifications?.[0]?.message.text).toContain("10 are left out");
    expect(run.results?.filter(({ level }) => level === "error")).toHaveLength(12_505);
  });
});
