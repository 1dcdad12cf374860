import { expect, it } from "vitest";
import { fromBandit, fromEslint, fromOxlint, fromSarif, fromSkylosDefend } from "./outputs.ts";

const ROOT = "/suite/python";

function sarif(ruleId: string, uri: string, startLine?: number, text = "said"): unknown {
  const region = startLine === undefined ? {} : { region: { startLine } };
  return { ruleId, message: { text }, locations: [{ physicalLocation: { artifactLocation: { uri }, ...region } }] };
}

it("reads SARIF with its several ways to name a file", () => {
  const runs = [{ results: [sarif("exec-builtin", `file://${ROOT}/one/one.py`, 4), sarif("RG-EXEC-001", "two/two.py"), { ruleId: "rg/none", message: { text: "of the tree" } }] }];
  expect(fromSarif(JSON.stringify({ runs }), ROOT)).toEqual([
    { check: "exec-builtin", path: "one/one.py", line: 4 },
    { check: "RG-EXEC-001", path: "two/two.py", line: 1 },
  ]);
});

it("drops the path of the settings from the name of a semgrep rule", () => {
  const runs = [{ results: [sarif("bench.peers.semgrep.py-require-timeout", "one/one.py", 2)] }];
  expect(fromSarif(JSON.stringify({ runs }), ROOT)).toEqual([{ check: "py-require-timeout", path: "one/one.py", line: 2 }]);
});

it("takes from the message of a ban for which rule the name is banned", () => {
  const runs = [{ results: [sarif("banned-api", "one/one.py", 3, "`httpx` is banned: no-invented-io")] }];
  expect(fromSarif(JSON.stringify({ runs }), ROOT)).toEqual([{ check: "banned-api no-invented-io", path: "one/one.py", line: 3 }]);
});

it("refuses SARIF that says that a rule could not be read", () => {
  const runs = [{ results: [], invocations: [{ toolExecutionNotifications: [{ descriptor: { id: "Rule parse error" }, message: { text: "es-loop" } }] }] }];
  expect(() => fromSarif(JSON.stringify({ runs }), ROOT)).toThrow("es-loop");
});

it("reads bandit's report", () => {
  const report = { errors: [], results: [{ test_id: "B102", test_name: "exec_used", filename: "./one/one.py", line_number: 7, line_range: [7, 8] }] };
  expect(fromBandit(JSON.stringify(report), ROOT)).toEqual([{ check: "B102", path: "one/one.py", line: 7 }]);
});

it("reads ESLint's report, without what is no rule's", () => {
  const messages = [
    { ruleId: "no-restricted-syntax", line: 5, message: "banned: no-unbounded-loop" },
    { ruleId: "no-eval", line: 6, message: "eval can be harmful." },
    { ruleId: null, message: "Parsing error" },
  ];
  expect(fromEslint(JSON.stringify([{ filePath: `${ROOT}/one/one.ts`, messages }]), ROOT)).toEqual([
    { check: "no-restricted-syntax no-unbounded-loop", path: "one/one.ts", line: 5 },
    { check: "no-eval", path: "one/one.ts", line: 6 },
  ]);
});

it("reads oxlint's report, whose help holds the message of a ban", () => {
  const diagnostics = [
    { code: "eslint(no-restricted-imports)", message: "'net' import is restricted.", help: "banned: no-invented-io", filename: "one/one.ts", labels: [{ span: { line: 2 } }] },
    { message: "a file of no rule", filename: "two/two.ts", labels: [] },
  ];
  expect(fromOxlint(JSON.stringify({ diagnostics }), ROOT)).toEqual([{ check: "eslint(no-restricted-imports) no-invented-io", path: "one/one.ts", line: 2 }]);
});

it("reads of skylos' guards those that are not there", () => {
  const findings = [
    { plugin_id: "model-pinned", passed: false, location: "one/one.py:9" },
    { plugin_id: "cost-controls", passed: true, location: "one/one.py:9" },
  ];
  expect(fromSkylosDefend(JSON.stringify({ findings }), ROOT)).toEqual([{ check: "defend model-pinned", path: "one/one.py", line: 9 }]);
});
