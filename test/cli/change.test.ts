import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { agentgate, changed, commit, emptyFolder, expectFailure, found, git, onTerminal, reportOf, writeFiles, type Files } from "./harness.ts";

const POLICY = "version: 1\nports:\n  - path: src/adapters/**\n    capabilities: [net]\n    owner: payments\n    note: talks to the ledger\n";
const BASE: Files = { "agentgate.yml": POLICY, "src/refund.py": "from decimal import Decimal\n\nx = 1\n", "src/old.py": "import subprocess\n\nsubprocess.run(['x'])\n" };
const GAIN = { "src/refund.py": "from decimal import Decimal\nimport httpx\n\nhttpx.post('x')\n" };

const check = (folder: string, ...args: readonly string[]) => agentgate(folder, ["check", "--base", "main", ...args]);
const json = (folder: string, ...args: readonly string[]) => reportOf(check(folder, "--format", "json", ...args));

describe("check --base", () => {
  it("reports what is new and nothing else, one line a finding in a pipe", () => {
    const ran = check(changed(BASE, GAIN));
    expect(ran).toMatchObject({ code: 1, stderr: "" });
    expect(ran.stdout.split("\n")).toEqual([
      expect.stringMatching(/^src\/refund\.py:2:8: error: net is new here: httpx\. .* \(also 4:7\) \[no-invented-io\]$/), expect.stringMatching(/^1 error · 1 file reported · 1 file judged/), "",
    ]);
  });

  it("names the base in the document", () => {
    const folder = changed(BASE, GAIN);
    const tip = git(folder, "rev-parse", "main").trim();
    const document = json(folder);
    expect(document).toMatchObject({ mode: "change", base: { ref: "main", tip, mergeBase: tip }, error: null });
    expect(document.findings.map(({ baseline, rule }) => [rule, baseline])).toEqual([["no-invented-io", "new"]]);
  });

  it("judges the working tree, the index or a revision", () => {
    const folder = changed(BASE, GAIN);
    expect(found(json(folder))).toEqual(["no-invented-io src/refund.py:2"]);
    expect(found(json(folder, "--staged"))).toEqual([]);
    git(folder, "add", "--all");
    expect(found(json(folder, "--staged"))).toEqual(["no-invented-io src/refund.py:2"]);
    expect(found(json(folder, "--head", "HEAD"))).toEqual([]);
    commit(folder, "gain");
    writeFiles(folder, { "src/refund.py": "x = 1\n" });
    expect(found(json(folder, "--head", "HEAD"))).toEqual(["no-invented-io src/refund.py:2"]);
    expect(found(json(folder))).toEqual([]);
  });

  it("says of a clean change what it judged, and who permitted what", () => {
    expect(check(changed(BASE, { "src/refund.py": "y = 2\n" })).stdout).toMatch(/^no new capability, no finding · 1 file judged\b.*\n$/);
    const permitted = check(changed(BASE, { "src/adapters/ledger.py": "import httpx\n\nhttpx.post('x')\n" }));
    expect(permitted).toMatchObject({ code: 0, stdout: expect.stringContaining("no new capability, no finding · 1 file judged · 1 permitted by agentgate.yml:3 (payments)") as unknown });
  });

  it("counts what was there before, and lists it on demand", () => {
    const folder = changed(BASE, { "src/old.py": "import subprocess\n\nsubprocess.run(['y'])\n", ...GAIN });
    const ran = check(folder);
    expect(ran.stdout).not.toContain("src/old.py");
    expect(ran.stdout).toMatch(/1 unchanged finding not shown \(--all\)/);
    const all = check(folder, "--all");
    expect(all.stdout).toMatch(/^src\/old\.py:1:8: (error|warning): .* \(unchanged\) \[no-invented-io\]$/m);
    expect(all.stdout).toContain("1 error · 1 file reported · 2 files judged · 1 unchanged finding");
    expect(all.code).toBe(1);
    expect(json(folder, "--all").summary).toMatchObject({ errors: 1, unchanged: 1 });
    expect(check(folder, "--all", "--quiet").stdout).not.toContain("src/old.py");
  });

  it("says on its first line that base and head are equal, and is 2 with --require-change", () => {
    const folder = changed(BASE, {});
    const ran = check(folder);
    expect(ran.stdout.split("\n")).toEqual([expect.stringMatching(/^agentgate \S+ · change against main \(merge base [0-9a-f]{7}\), which is head itself: nothing to compare · 0 files changed, none judged$/), "no new capability, no finding · no file to judge", ""]);
    expect(ran.code).toBe(0);
    expectFailure(check(folder, "--require-change"), /no change to judge/);
    expect(check(changed(BASE, GAIN), "--require-change").code).toBe(1);
  });

  it("is 2 with why and what to do where there is no base, the mode in the document", () => {
    const folder = changed(BASE, GAIN);
    expectFailure(agentgate(folder, ["check", "--base", "origin/nowhere"]), /origin\/nowhere/);
    const ran = agentgate(folder, ["check", "--base", "origin/nowhere", "--format", "json"]);
    expect(reportOf(ran)).toMatchObject({ mode: "change", base: null, findings: [] });
    const outside = emptyFolder();
    writeFiles(outside, { "a.py": "x = 1\n" });
    expectFailure(agentgate(outside, ["check", "--base", "main"]), /git/i);
  });

  it("takes --no-cache, and gives the same bytes with and without", () => {
    const folder = changed(BASE, GAIN);
    const cache = emptyFolder();
    const runs = [[], [], ["--no-cache"]].map((args) => agentgate(folder, ["check", "--base", "main", "--format", "json", ...args], { env: { XDG_CACHE_HOME: cache } }).stdout);
    expect(new Set(runs).size).toBe(1);
  });

  it("never prints a ref raw", () => {
    const { stderr } = agentgate(changed(BASE, {}), ["check", "--base", "\u001b[31m\n::error::x"]);
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f]|^::/m);
  });
});

describe("a weakened gate", () => {
  const WEAKER = { "agentgate.yml": POLICY.replace("[net]", "[net, proc]"), "src/adapters/run.py": "import subprocess\n\nsubprocess.run(['x'])\n" };

  it("is reported, and what accepts it is said once", () => {
    const { code, stdout } = check(changed(BASE, { ...WEAKER, "agentgate.yml": POLICY.replace("[net]", "[net, proc, mail]") }));
    const digests = [...stdout.matchAll(/[0-9a-f]{64}/g)];
    expect({ code, digests: digests.length }).toEqual({ code: 1, digests: 1 });
    expect(stdout).toMatch(/^accept {2}whoever owns the gate accepts exactly th(is|ese) .*weakenings? of it with --accept [0-9a-f]{64}$/m);
    expect(stdout).toMatch(/^agentgate\.yml:4:\d+: error: .* \[gate-weakened\]$/m);
  });

  it("is permitted by exactly its digest, and head's policy is in force then", () => {
    const folder = changed(BASE, WEAKER);
    const digest = /--accept ([0-9a-f]{64})/.exec(check(folder).stdout)?.[1] ?? "";
    const accepted = check(folder, "--accept", digest);
    expect(accepted.code).toBe(0);
    expect(accepted.stdout).toMatch(/1 permitted by --accept\b/);
    expect(json(folder, "--accept", digest.toUpperCase()).permitted.map(({ by }) => by.kind)).toContain("accept");
    expect(found(json(folder, "--accept", "0".repeat(64)))).toEqual(found(json(folder)));
  });
});

describe("a change on a terminal", () => {
  it("says on its first line what is compared, and marks the added lines", ({ skip }) => {
    const ran = onTerminal(changed(BASE, GAIN), ["check", "--base", "main", "--no-color"], 110) ?? skip("no script command");
    expect(ran.stdout).toMatch(/^agentgate \S+ · change against main \(merge base [0-9a-f]{7}\) · 1 file changed, 1 judged\n\nsrc\/refund\.py\n/);
    expect(ran.stdout).toContain("      1 │ from decimal import Decimal\n    + 2 │ import httpx\n        │        ^^^^^\n    also  4:7  httpx.post\n");
  });
});

describe("SARIF of a change", () => {
  it("has what is new, beside the report for people", () => {
    const folder = changed(BASE, GAIN);
    const ran = check(folder, "--format", "stylish", "--format", "sarif=out.sarif");
    expect(ran).toMatchObject({ code: 1, stderr: "" });
    const log = JSON.parse(readFileSync(path.join(folder, "out.sarif"), "utf8")) as { runs: { results: { ruleId: string; baselineState: string }[]; artifacts: { location: { uri: string } }[] }[] };
    expect(log.runs[0]?.results).toMatchObject([{ ruleId: "agentgate/no-invented-io", baselineState: "new" }]);
    expect(log.runs[0]?.artifacts.map(({ location }) => location.uri)).toContain("src/refund.py");
    expect(readFileSync(path.join(folder, "out.sarif"), "utf8")).not.toContain(folder);
  });

  it("identifies lines by the bytes of the file, its byte order mark and its line ends among them", () => {
    const texts = { "bom.py": "\ufeffimport httpx\r\nhttpx.get('x')\r\n", "latin.py": Buffer.from("# coding: latin-1\nimport httpx\nhttpx.get('\xe9')\n", "latin1"), "plain.py": "import httpx\nhttpx.get('😀')\n" };
    const folder = changed(BASE, texts);
    const log = JSON.parse(check(folder, "--format", "sarif").stdout) as { runs: { results: { locations: { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }[]; partialFingerprints: Record<string, string> }[] }[] };
    const hashes = (log.runs[0]?.results ?? []).map(({ locations: [place], partialFingerprints }) => [place?.physicalLocation.artifactLocation.uri, partialFingerprints["primaryLocationLineHash"]]);
    expect(hashes).toEqual([["bom.py", "265b952aa9c9f242:1"], ["latin.py", undefined], ["plain.py", "3e0deafae6bf63cc:1"]]);
  });

  it("puts a deleted file's finding on the policy", () => {
    const folder = changed({ ...BASE, "agentgate-baseline.json": '{\n  "version": 1,\n  "modules": [],\n  "findings": []\n}\n' }, { "agentgate-baseline.json": null });
    const log = JSON.parse(check(folder, "--format", "sarif").stdout) as { runs: { results: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[]; message: { text: string } }[] }[] };
    const [result] = log.runs[0]?.results ?? [];
    expect(result?.locations[0]?.physicalLocation.artifactLocation.uri).toBe("agentgate.yml");
    expect(result?.message.text).toContain("'agentgate-baseline.json'");
  });

  it("has no results at exit 2 where nothing was judged, and says why", () => {
    const ran = agentgate(changed(BASE, GAIN), ["check", "--base", "nowhere", "--format", "sarif"]);
    expect(ran.code).toBe(2);
    const [run] = (JSON.parse(ran.stdout) as { runs: Record<string, unknown>[] }).runs;
    expect(run).not.toHaveProperty("results");
    expect(run).toMatchObject({ invocations: [{ executionSuccessful: false, toolExecutionNotifications: [{ level: "error" }] }] });
  });
});
