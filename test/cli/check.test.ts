import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { agentgate, emptyFolder, found, repository, reportOf, writeFiles } from "./harness.ts";

const IO = { "src/refund.py": "from decimal import Decimal\nimport httpx\n\ndef refund():\n    httpx.post('https://ledger')\n", "src/pure.ts": "export const x = 1;\n" };
const PORT = "version: 1\nports:\n  - path: src/refund.py\n    capabilities: [net]\n    owner: payments\n    note: talks to the ledger\n";
const json = (folder: string, ...args: readonly string[]) => reportOf(agentgate(folder, ["check", "--format", "json", ...args]));

describe("exit codes", () => {
  it("is 0 and says what was judged where nothing is found", () => {
    const ran = agentgate(repository({ "a.py": "x = 1\n", "b.ts": "export const x = 1;\n" }), ["check"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toMatch(/^no finding · 2 files judged\n$/);
  });

  it("is 1 for a finding, one line a finding in a pipe", () => {
    const { code, stderr, stdout } = agentgate(repository(IO), ["check"]);
    expect(stdout.split("\n")[0]).toMatch(/^src\/refund\.py:2:8: error: .*httpx.* \[no-invented-io\]$/);
    expect({ code, stderr, lines: stdout.trimEnd().split("\n").length }).toEqual({ code: 1, stderr: "", lines: 2 });
  });

  it("follows --fail-on", () => {
    const folder = repository(IO);
    expect(agentgate(folder, ["check", "--fail-on", "never"]).code).toBe(0);
    expect(agentgate(folder, ["check", "--rule", "no-invented-io=warning"]).code).toBe(0);
    expect(agentgate(folder, ["check", "--rule", "no-invented-io=warning", "--fail-on", "warning"]).code).toBe(1);
    expect(agentgate(folder, ["check", "--rule", "no-invented-io=off", "--fail-on", "warning"]).code).toBe(0);
  });

  it("is 2 over 1, with the report in full", () => {
    const ran = agentgate(repository(IO), ["check", "src", "gone.py", "--format", "json"]);
    expect(ran.code).toBe(2);
    const document = reportOf(ran);
    expect(found(document)).toContain("no-invented-io src/refund.py:2");
    expect(document.error?.message).toContain("gone.py");
    expect(ran.stderr).toContain("gone.py");
  });
});

describe("the report", () => {
  it("has the place, the capability, the other sites and a fingerprint", () => {
    const [finding] = json(repository(IO)).findings;
    expect(finding).toMatchObject({
      rule: "no-invented-io", severity: "error", path: "src/refund.py", start: { line: 2, column: 8 }, end: { line: 2, column: 13 }, capability: "net", baseline: null,
    });
    expect(finding?.related.map(({ start }) => start.line)).toEqual([5]);
  });

  it("names the port that permits", () => {
    const folder = repository({ ...IO, "agentgate.yml": PORT });
    const document = json(folder);
    expect(document.findings).toEqual([]);
    expect(document.permitted.map(({ by }) => by)).toEqual([{ kind: "port", path: "agentgate.yml", line: 3, owner: "payments", note: "talks to the ledger" }]);
    expect(agentgate(folder, ["check"]).stdout).toBe("no finding · 2 files judged · 1 permitted by agentgate.yml:3 (payments)\n");
  });

  it("goes to several places at once, the same bytes everywhere", () => {
    const folder = repository(IO);
    const ran = agentgate(folder, ["check", "--format", "json", "--format", "json=report.json", "--format", "stylish=report.txt", "--audit", "audit.json"]);
    expect(readFileSync(path.join(folder, "report.json"), "utf8")).toBe(ran.stdout);
    expect(readFileSync(path.join(folder, "audit.json"), "utf8")).toBe(ran.stdout);
    expect(readFileSync(path.join(folder, "report.txt"), "utf8")).toBe(agentgate(folder, ["check"]).stdout);
  });

  it("says on standard error what it wrote where nothing goes to standard output", () => {
    const ran = agentgate(repository(IO), ["check", "--format", "json", "--output", "report.json"]);
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toMatch(/^agentgate: 1 error · .* written to report\.json\n$/);
  });

  it("still reaches standard output where a file cannot be written", () => {
    const ran = agentgate(repository(IO), ["check", "--format", "json", "--format", "stylish=no/such/folder"]);
    expect(ran.code).toBe(2);
    expect(found(reportOf(ran))).toEqual(["no-invented-io src/refund.py:2"]);
  });

  it("follows --now for what expires", () => {
    const folder = repository({ ...IO, "agentgate.yml": `${PORT}    expires: 2026-06-30\n` });
    expect(found(json(folder, "--now", "2026-06-01"))).toEqual([]);
    expect(found(json(folder, "--now", "2026-07-02"))).toContainEqual(expect.stringMatching(/^expired-permit agentgate\.yml:/));
  });

  it("takes --strict and --config", () => {
    const folder = repository({ "a.py": "import os\nos.getenv('X')\n" });
    const outside = emptyFolder();
    writeFiles(outside, { "p.yml": "version: 1\nstrict: true\n" });
    expect(found(json(folder))).toEqual([]);
    expect(found(json(folder, "--strict"))).toEqual(["no-invented-io a.py:2"]);
    expect(found(json(folder, "--config", path.join(outside, "p.yml")))).toEqual(["no-invented-io a.py:2"]);
  });
});

describe("the same input gives the same bytes", () => {
  const files: Record<string, string> = Object.fromEntries(
    Array.from({ length: 40 }, (_, index): [string, string][] => [
      [`src/é${index}.py`, `import httpx, subprocess\n${"x = 1\n".repeat(index)}subprocess.run(['x'])\n`],
      [`src/Z${index}/b.ts`, `import { exec } from "node:child_process";\n${"// filler to pass the size that is judged in-process\n".repeat(60)}exec("x"); fetch("y");\n`],
    ]).flat(),
  );

  it("whatever the number of processes, the locale, the time zone and the folder", () => {
    const folder = repository(files);
    const args = ["check", "--format", "json", "--now", "2026-01-31"];
    const first = agentgate(folder, args);
    expect(reportOf(first).findings.length).toBeGreaterThan(100);
    const same = [
      agentgate(folder, [...args, "--jobs", "1"]), agentgate(folder, [...args, "--jobs", "2"]), agentgate(folder, [...args, "--jobs", "4"]),
      agentgate(folder, args, { env: { LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8", TZ: "Pacific/Kiritimati" } }),
      agentgate(folder, args, { env: { LC_ALL: "C", TZ: "America/Los_Angeles" } }),
      agentgate(path.join(folder, "src"), [...args, ".."]), agentgate(path.join(folder, "src/Z1"), args),
    ];
    for (const ran of same) expect(ran.stdout).toBe(first.stdout);
  });
});
