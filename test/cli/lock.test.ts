import { readFileSync, symlinkSync, unlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readContractCases } from "../../tools/fixtures/contract-cases.ts";
import { agentgate, emptyFolder, expectFailure, repository, writeFiles } from "./harness.ts";

const CASES = readContractCases(path.resolve(import.meta.dirname, "../../fixtures"), "eval-gate");

function filesOf(name: string): Record<string, Uint8Array> {
  return Object.fromEntries(CASES.find((one) => one.name === name)!.files);
}

const read = (folder: string, file: string): string => readFileSync(path.join(folder, file), "utf8");

describe("agentgate lock", () => {
  it("writes what differs and nothing else", () => {
    const folder = repository(filesOf("dataset-changed"));
    const before = read(folder, "eval_gate.yaml");
    const checked = agentgate(folder, ["lock", "--check"]);
    expect(checked).toMatchObject({ code: 1, stderr: "" });
    expect(checked.stdout).toMatch(/^eval_gate\.yaml:3:17: dataset_sha256 is [0-9a-f]{12}…, and evals\/refund\.jsonl is [0-9a-f]{12}…\n1 of 1 digest differ\n$/);
    expect(read(folder, "eval_gate.yaml")).toBe(before);
    expect(agentgate(folder, ["lock"])).toMatchObject({ code: 0, stderr: "" });
    const after = read(folder, "eval_gate.yaml");
    expect(after.replace(/[0-9a-f]{64}/, "")).toBe(before.replace(/[0-9a-f]{64}/, ""));
    expect(after).not.toBe(before);
    expect(agentgate(folder, ["lock", "--check"])).toEqual({ code: 0, stdout: "1 digest up to date\n", stderr: "" });
    expect(agentgate(folder, ["verify", "--format", "json"]).stdout).not.toContain('"eval-gate/digest"');
  });

  it("fills in a digest that only holds its place", () => {
    const files = filesOf("clean-smallest");
    const blank = Buffer.from(files["eval_gate.yaml"]!).toString("utf8").replace(/[0-9a-f]{64}/, "tbd");
    const folder = repository({ ...files, "eval_gate.yaml": blank });
    expect(agentgate(folder, ["lock", "eval-gate"]).code).toBe(0);
    expect(read(folder, "eval_gate.yaml")).toBe(Buffer.from(files["eval_gate.yaml"]!).toString("utf8"));
  });

  it.each([
    ["a digest that is missing", (text: string) => text.replace(/dataset_sha256.*\n/, ""), /dataset_sha256` is missing/],
    ["a digest without a value", (text: string) => text.replace(/[0-9a-f]{64}/, ""), /dataset_sha256` has no value/],
    ["a digest that is a number", (text: string) => text.replace(/[0-9a-f]{64}/, "0"), /dataset_sha256`/],
    ["a file that is not there", (text: string) => text.replace("evals/refund.jsonl", "evals/other.jsonl"), /does not exist/],
    ["a path out of the repository", (text: string) => text.replace("evals/refund.jsonl", "../refund.jsonl"), /inside the repository/],
    ["a contract that is no YAML", (text: string) => `${text}a: [\n`, /no YAML/],
  ])("calls nothing up to date that it could not compare: %s", (_what, change, said) => {
    const files = filesOf("clean-smallest");
    const text = change(Buffer.from(files["eval_gate.yaml"]!).toString("utf8"));
    const folder = repository({ ...files, "eval_gate.yaml": text });
    expectFailure(agentgate(folder, ["lock", "--check"]), said);
    expectFailure(agentgate(folder, ["lock"]), said);
    expect(read(folder, "eval_gate.yaml")).toBe(text);
  });

  it("leaves a text alone that stands for several digests", () => {
    const inventory = 'shared: &shared\n  descriptor_sha256: ""\n  owner: payments\ntools:\n  - <<: *shared\n    name: a\n  - <<: *shared\n    name: c\n';
    const folder = repository({ "tools/inventory.yaml": inventory, "tools/contracts/a.contract.yaml": "a: 1\n", "tools/contracts/c.contract.yaml": "c: 1\n" });
    expectFailure(agentgate(folder, ["lock"]), /stands for several digests/);
    expect(read(folder, "tools/inventory.yaml")).toBe(inventory);
    writeFiles(folder, { "tools/contracts/c.contract.yaml": "a: 1\n" });
    expect(agentgate(folder, ["lock"]).code).toBe(0);
    expect(read(folder, "tools/inventory.yaml").replace(/[0-9a-f]{64}/, "")).toBe(inventory);
    expect(agentgate(folder, ["lock", "--check"]).code).toBe(0);
  });

  it("says in JSON what it wrote", () => {
    const folder = repository(filesOf("dataset-changed"));
    expect(JSON.parse(agentgate(folder, ["lock", "--format", "json"]).stdout)).toMatchObject({ version: 1, error: null, written: true, looked: 1, pins: [{ path: "eval_gate.yaml", line: 3, column: 17, key: "dataset_sha256", of: "evals/refund.jsonl" }] });
  });

  it("never writes through a link", () => {
    const outside = emptyFolder();
    const files = filesOf("dataset-changed");
    writeFiles(outside, { "eval_gate.yaml": files["eval_gate.yaml"]! });
    const folder = repository(files);
    writeFiles(folder, { "real.yaml": files["eval_gate.yaml"]! });
    unlinkSync(path.join(folder, "eval_gate.yaml"));
    symlinkSync("real.yaml", path.join(folder, "eval_gate.yaml"));
    expectFailure(agentgate(folder, ["lock"]), /symbolic link/);
    unlinkSync(path.join(folder, "eval_gate.yaml"));
    symlinkSync(path.join(outside, "eval_gate.yaml"), path.join(folder, "eval_gate.yaml"));
    agentgate(folder, ["lock"]);
    expect(read(outside, "eval_gate.yaml")).toBe(Buffer.from(files["eval_gate.yaml"]!).toString("utf8"));
  });

  it.each([
    ["a name that is no contract", ["no-such"], /No contract is called "no-such"/], ["a contract that is not there", ["eval-gate"], /There is no eval-gate contract/],
  ])("exits 2 for %s", (_what, args, said) => {
    expectFailure(agentgate(emptyFolder(), ["lock", ...args]), said);
  });
});
