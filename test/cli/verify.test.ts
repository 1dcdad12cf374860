import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import type { Log } from "sarif";
import { describe, expect, it } from "vitest";
import { readContractCases } from "../../tools/fixtures/contract-cases.ts";
import { agentgate, commit, emptyFolder, expectFailure, git, reportOf, repository, writeFiles } from "./harness.ts";

const CASES = readContractCases(path.resolve(import.meta.dirname, "../../fixtures"), "eval-gate");
function sarifOf(text: string): Log {
  return JSON.parse(text) as Log;
}

const NOW = ["--now", "2026-12-01T12:00:00Z"];

function filesOf(name: string): Record<string, Uint8Array> {
  const found = CASES.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no case ${name}`);
  return Object.fromEntries(found.files);
}

describe("agentgate verify", () => {
  it("exits 0 where nothing is wrong, and says what was judged", () => {
    const folder = repository(filesOf("clean-smallest"));
    writeFiles(folder, { ".env": "MODEL_ENDPOINT=https://inference.corp.example\n" });
    const head = ["--head", "5f1d7a84c6e2b0935d4f8e1a7c3b9d2065e4f1a8"];
    const ran = agentgate(folder, ["verify", ...NOW, ...head, "--environment", ".env"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toBe("eval_gate.yaml:1:1: warning: The rules of eval-gate that compare with the merge base are not judged. Give --base REF to have them judged. [eval-gate/no-base]\n1 warning · 1 file reported · 1 file judged\n");
    expect(agentgate(folder, ["verify", ...NOW, ...head, "--environment", ".env", "--fail-on", "warning"]).code).toBe(1);
    expect(agentgate(folder, ["verify", ...NOW, ...head, "--environment", ".env", "--fail-on", "warning", "--rule", "eval-gate/no-base=off"]).code).toBe(0);
  });

  it("reads an environment that an editor of Windows saved", () => {
    const folder = repository(filesOf("clean-smallest"));
    writeFiles(folder, { ".env": "\ufeffMODEL_ENDPOINT=https://inference.corp.example\r\n" });
    expect(agentgate(folder, ["verify", "eval-gate", ...NOW, "--environment", ".env"]).stdout).not.toContain("env-unset");
  });

  it("reads a workflow's long condition in no time", () => {
    const workflow = (condition: string): string => `on: push\njobs:\n  gate:\n    if: "${condition}"\n    steps:\n      - run: npx agentgate verify\n`;
    const folder = repository({ ".github/workflows/gate.yml": workflow("commit ".repeat(60_000)) });
    expect(agentgate(folder, ["verify", "wiring"]).code).toBe(0);
    writeFiles(folder, { ".github/workflows/gate.yml": workflow("commit ".repeat(60_000) + "message") });
    expect(agentgate(folder, ["verify", "wiring"]).stdout).toContain("wiring/skippable");
  });

  it("exits 1 with a document of what is wrong, the same each time", () => {
    const folder = repository(filesOf("not-blocking"));
    const ran = agentgate(folder, ["verify", "eval-gate", "--format", "json", ...NOW]);
    expect(ran.code).toBe(1);
    const report = reportOf(ran);
    expect(report).toMatchObject({ mode: "verify", base: null, error: null, summary: { files: 1 } });
    expect(report.findings.find(({ rule }) => rule === "eval-gate/not-blocking")).toMatchObject({ severity: "error", path: "eval_gate.yaml", start: { line: 8, column: 11 }, end: { line: 8, column: 16 } });
    expect(agentgate(path.join(folder, "evals"), ["verify", "eval-gate", "--format", "json", ...NOW]).stdout).toBe(ran.stdout);
  });

  it("compares receipts with the commit that is checked out", () => {
    const files = filesOf("clean-smallest");
    const folder = repository(files);
    commit(folder, "first");
    const receipt = "artifacts/eval-gate/refund-replies.json";
    const text = readFileSync(path.join(folder, receipt), "utf8");
    const rules = (): string[] => reportOf(agentgate(folder, ["verify", "--format", "json", ...NOW])).findings.map(({ rule }) => rule);
    expect(rules()).toContain("eval-gate/receipt-commit");
    writeFiles(folder, { [receipt]: text.replace(/"commit": "[0-9a-f]+"/, `"commit": "${git(folder, "rev-parse", "HEAD").trim()}"`) });
    expect(rules()).not.toContain("eval-gate/receipt-commit");
  });

  it("never reads through a link that leaves the repository", () => {
    const outside = emptyFolder();
    writeFiles(outside, { "refund.jsonl": "{\"secret\": \"of the machine\"}\n" });
    const files = filesOf("clean-smallest");
    delete files["evals/refund.jsonl"];
    const folder = repository(files);
    mkdirSync(path.join(folder, "evals"), { recursive: true });
    symlinkSync(path.join(outside, "refund.jsonl"), path.join(folder, "evals/refund.jsonl"));
    const { stdout } = agentgate(folder, ["verify", "--format", "json", ...NOW]);
    expect(stdout).toContain("eval-gate/unsafe-path");
    expect(stdout).not.toMatch(/dataset-row|"eval-gate\/digest"/);
  });

  it("judges a contract that is a link out of the repository as unreadable", () => {
    const outside = emptyFolder();
    writeFiles(outside, filesOf("clean-smallest"));
    const folder = repository({ "a.txt": "" });
    symlinkSync(path.join(outside, "eval_gate.yaml"), path.join(folder, "eval_gate.yaml"));
    const { code, stdout } = agentgate(folder, ["verify", "--format", "json", ...NOW]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/eval-gate\/syntax/);
  });

  it("takes a contract of ten megabytes for none, quickly", () => {
    const folder = repository({ "eval_gate.yaml": `eval_id: x\nnote: "${"x".repeat(10_000_000)}"\n` });
    const report = reportOf(agentgate(folder, ["verify", "--format", "json", ...NOW]));
    expect(report.findings.filter(({ severity }) => severity === "error").map(({ rule }) => rule)).toEqual(["eval-gate/syntax"]);
  });

  it("asks for a contract that is named and absent, and for none that is not", () => {
    const folder = repository({ "a.txt": "" });
    expect(agentgate(folder, ["verify"])).toMatchObject({ code: 0, stdout: "no finding · no file to judge\n" });
    const report = reportOf(agentgate(folder, ["verify", "eval-gate", "--format", "json"]));
    expect(report.findings).toMatchObject([{ rule: "eval-gate/missing", path: "eval_gate.yaml", start: { line: 1, column: 1 } }]);
  });

  it("writes SARIF", () => {
    const folder = repository(filesOf("not-blocking"));
    const { code, stdout } = agentgate(folder, ["verify", "--format", "sarif", ...NOW]);
    expect(code).toBe(1);
    const log = sarifOf(stdout);
    const result = log.runs[0]?.results?.find(({ ruleId }) => ruleId === "agentgate/eval-gate/not-blocking");
    expect(result?.locations?.[0]?.physicalLocation).toMatchObject({ artifactLocation: { uri: "eval_gate.yaml" }, region: { startLine: 8, startColumn: 11, endColumn: 16 } });
    const rule = log.runs[0]?.tool.driver.rules?.find(({ id }) => id === "agentgate/eval-gate/digest");
    expect(rule?.shortDescription?.text).toBe("The dataset's bytes are not those of dataset_sha256.");
    expect(rule?.help?.markdown).toContain("## Why it matters");
  });

  it.each([
    ["a name that is no contract", ["no-such"], /No contract is called "no-such"/],
    ["a head that is no commit id", ["--head", "main"], /--head cannot be "main"/],
    ["a time that is none", ["--pushed-at", "yesterday"], /--pushed-at cannot be "yesterday"/],
    ["an environment that is not there", ["--environment", "absent.env"], /--environment absent.env cannot be read/],
    ["a rule that the contract does not have", ["--rule", "eval-gate/digset=off"], /no rule "eval-gate\/digset"/],
  ])("exits 2 for %s", (_what, args, said) => {
    expectFailure(agentgate(emptyFolder(), ["verify", ...args]), said);
  });
});
