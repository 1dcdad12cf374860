import { mkdirSync, readFileSync, symlinkSync, existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { agentgate, capsOf, emptyFolder, expectFailure, found, onTerminal, reportOf, repository } from "./harness.ts";

const FILES = {
  "src/adapters/ledger.py": "import httpx\n\ndef credit():\n    httpx.post('https://ledger')\n",
  "src/report.ts": 'import { writeFileSync } from "node:fs";\nwriteFileSync("a", "b");\n',
  "src/pure.ts": "export const x = 1;\n",
};

describe("caps", () => {
  it("prints what each module can do", () => {
    const document = capsOf(agentgate(repository(FILES), ["caps", "--format", "json"]));
    const seen = document.modules.filter(({ capabilities }) => capabilities.length > 0).map((module) => [module.path, module.capabilities.map(({ capability }) => capability)]);
    expect(seen).toEqual([["src/adapters/ledger.py", expect.arrayContaining(["net"])], ["src/report.ts", ["fs.write"]]]);
  });

  it("prints lines in a pipe and a table on a terminal", () => {
    const folder = repository(FILES);
    const ran = agentgate(folder, ["caps", "src/report.ts"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toMatch(/^src\/report\.ts:\d+:\d+: fs\.write /);
    const table = onTerminal(folder, ["caps", "--no-color", "src/report.ts"], 80);
    if (table !== null) expect(table.stdout).toMatch(/^src\/report\.ts\n {2}fs\.write {2}/);
  });

  it("is 2 for a missing path, in the document too", () => {
    const ran = agentgate(repository(FILES), ["caps", "gone", "--format", "json"]);
    expect(ran.code).toBe(2);
    expect(capsOf(ran).error?.message).toContain("gone");
  });
});

describe("explain", () => {
  it.each(["no-invented-io", "agentgate/no-dynamic-import", "parse-error"])("prints the page of %s", (rule) => {
    const ran = agentgate(emptyFolder(), ["explain", rule]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toContain(rule.replace("agentgate/", ""));
    expect(ran.stdout.split("\n").length).toBeGreaterThan(5);
  });

  it.each(["eval-gate", "eval-gate/digest", "agentgate/eval-gate/stale", "wiring/soft"])("prints the page of the contract for %s", (rule) => {
    const ran = agentgate(emptyFolder(), ["explain", rule]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toContain(rule.includes("wiring") ? "A workflow that runs the gate" : "eval-gate/digest");
  });

  it("suggests the contract's rule that was meant", () => {
    expectFailure(agentgate(emptyFolder(), ["explain", "eval-gate/digset"]), /eval-gate\/digset[^]*Did you mean eval-gate\/digest\?/);
  });

  it("suggests the rule that was meant", () => {
    expectFailure(agentgate(emptyFolder(), ["explain", "no-invented-oi"]), /no-invented-oi[^]*Did you mean no-invented-io\?/);
  });

  it("says that a later rule is not in this version", () => {
    expectFailure(agentgate(emptyFolder(), ["explain", "undeclared-env"]), /not in this version/);
  });

  it.each(["../../package", "\u001b[31m", "__proto__"])("does not look elsewhere for %j", (rule) => {
    expectFailure(agentgate(emptyFolder(), ["explain", "--", rule]), /there is no rule/);
  });
});

describe("init", () => {
  it("writes a policy that is in force and permits nothing, with proposals from the tree", () => {
    const folder = repository(FILES);
    const before = found(reportOf(agentgate(folder, ["check", "--format", "json"])));
    const ran = agentgate(folder, ["init"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toContain("wrote agentgate.yml");
    const policy = readFileSync(path.join(folder, "agentgate.yml"), "utf8");
    expect(policy).toContain("#  - path: src/adapters/** ");
    expect(policy).toContain("#  - path: src/report.ts\n");
    expect(found(reportOf(agentgate(folder, ["check", "--format", "json"])))).toEqual(before);
  });

  it("proposes what permits the tree once a person has named owner and reason, and not before", () => {
    const folder = repository(FILES);
    agentgate(folder, ["init", "--output", "proposed.yml"]);
    const proposed = readFileSync(path.join(folder, "proposed.yml"), "utf8").replace(/^#ports:[^]*?^$/m, (ports) => ports.replace(/^#(?! )|^#(?= {2})/gm, ""));
    const judged = (policy: string) => reportOf(agentgate(repository({ ...FILES, "agentgate.yml": policy }), ["check", "--format", "json"]));
    expect(judged(proposed).permitted).toEqual([]);
    const document = judged(proposed.replaceAll("<team>", "payments").replaceAll("<why>", "talks to the ledger"));
    expect(found(document)).toEqual([]);
    expect(document.permitted.length).toBeGreaterThan(1);
  });

  it("writes at the root, from any folder of the tree", () => {
    const folder = repository(FILES);
    expect(agentgate(path.join(folder, "src/adapters"), ["init"]).code).toBe(0);
    expect(existsSync(path.join(folder, "agentgate.yml"))).toBe(true);
  });

  it("never overwrites", () => {
    const folder = repository({ ...FILES, "agentgate.yml": "version: 1\n" });
    expectFailure(agentgate(folder, ["init"]), /never overwritten/);
    expect(readFileSync(path.join(folder, "agentgate.yml"), "utf8")).toBe("version: 1\n");
  });

  it("does not write through a link", () => {
    const folder = repository(FILES);
    const outside = emptyFolder();
    symlinkSync(path.join(outside, "owned.yml"), path.join(folder, "agentgate.yml"));
    expect(agentgate(folder, ["init"]).code).toBe(2);
    expect(existsSync(path.join(outside, "owned.yml"))).toBe(false);
  });

  it("says why it cannot write", () => {
    const folder = repository(FILES);
    mkdirSync(path.join(folder, "agentgate.yml"));
    expect(agentgate(folder, ["init"]).code).toBe(2);
  });
});
