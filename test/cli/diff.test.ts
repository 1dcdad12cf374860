import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { agentgate, changed, commit, diffOf, expectFailure, git, type Files } from "./harness.ts";

const POLICY = "version: 1\nports:\n  - path: src/adapters/**\n    capabilities: [net]\n    owner: payments\n    note: talks to the ledger\n";
const BASE: Files = { "agentgate.yml": POLICY, "src/refund.py": "x = 1\n", "src/report.ts": 'import { exec } from "node:child_process";\nexec("x");\n' };
const HEAD = { "src/refund.py": "import httpx\n\nhttpx.post('x')\n", "src/report.ts": 'import { writeFileSync } from "node:fs";\nwriteFileSync("a", "b");\n' };

describe("diff", () => {
  it("prints the review comment", () => {
    const ran = agentgate(changed(BASE, HEAD), ["diff", "main"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout.split("\n")).toEqual([
      "**New privilege:** `src/refund.py` can now reach the network (`httpx`, lines 1, 3). It could not before.",
      "**Where it belongs:** `src/adapters/**` is the port with `net` (owner `payments`).",
      "",
      expect.stringMatching(/^\*\*New privilege:\*\* `src\/report\.ts` can now write files \(`node:fs\.writeFileSync`, lines? [\d, ]+\)\. It could not before\.$/),
      expect.stringMatching(/^\*\*Where it belongs:\*\* no port has `fs\.write`\. .*`agentgate permit src\/report\.ts fs\.write --owner … --note "…"`\.$/),
      "",
      "| module | gained | lost |", "| --- | --- | --- |",
      "| `src/refund.py` | net (`httpx`) |  |",
      expect.stringMatching(/^\| `src\/report\.ts` \| fs\.write \(`node:fs\.writeFileSync`\) \| proc \(`node:child_process`\) \|$/),
      "",
      expect.stringMatching(/^Compared against `main` \(merge base `[0-9a-f]{7}`\) by agentgate \S+\.$/), "",
    ]);
  });

  it("says so where nothing was gained", () => {
    expect(agentgate(changed(BASE, { "src/refund.py": "x = 2\n" }), ["diff", "main"]).stdout).toMatch(/^\*\*No new privilege\.\*\* No module can do anything that it could not do before\.\n\nCompared/);
  });

  it("calls a further package for what the module could do no new privilege", () => {
    const { stdout } = agentgate(changed({ "a.py": "import requests\n\nrequests.get('x')\n" }, { "a.py": "import requests, httpx\n\nrequests.get('x')\nhttpx.get('y')\n" }), ["diff", "main"]);
    expect(stdout).toMatch(/^\*\*No new privilege\.\*\* Modules have further ways/);
    expect(stdout).toContain("| `a.py` | net (`httpx`) |  |");
  });

  it("says what moved", () => {
    const { stdout } = agentgate(changed({ "a.py": "import httpx\n\nhttpx.get('x')\n", "b.py": "x = 1\n" }, { "a.py": "x = 1\n", "b.py": "import httpx\n\nx = 1\nhttpx.get('x')\n" }), ["diff", "main"]);
    expect(stdout).toContain("`b.py` can now reach the network (`httpx`, lines 1, 4). It could not before. It moved here from `a.py`.");
    expect(stdout).toContain("| `b.py` | net (`httpx`, moved from `a.py`) |");
  });

  it("compares two revisions, as a document and as a page", () => {
    const folder = changed(BASE, HEAD);
    commit(folder, "gain");
    git(folder, "checkout", "--quiet", "main");
    const document = diffOf(agentgate(folder, ["diff", "main", "work", "--format", "json", "--format", "html=out.html"]));
    expect(document.modules.map((module) => [module.path, module.gained.map(({ api, capability }) => `${capability} ${api}`), module.port])).toEqual([
      ["src/refund.py", ["net httpx"], "src/adapters/**"], ["src/report.ts", ["fs.write node:fs.writeFileSync"], null],
    ]);
    expect(document.base?.mergeBase).toBe(git(folder, "rev-parse", "main").trim());
    const page = readFileSync(path.join(folder, "out.html"), "utf8");
    expect(page).toContain("<code>src/refund.py</code> can now reach the network");
    expect(page).not.toContain("<script");
    expect(diffOf(agentgate(folder, ["diff", "main", "--format", "json"])).modules).toEqual([]);
  });

  it("is 2 without a base, in the comment and in the document too", () => {
    const folder = changed(BASE, HEAD);
    const ran = agentgate(folder, ["diff", "nowhere"]);
    expectFailure(ran, /nowhere/);
    expect(ran.stdout).toMatch(/^\*\*Could not compare:\*\* `+.*nowhere/);
    expect(ran.stdout).not.toContain("No new privilege");
    expect(diffOf(agentgate(folder, ["diff", "nowhere", "--format", "json"])).error?.message).toContain("nowhere");
  });

  it("shows hostile names as names only", () => {
    const names = ["@octocat.py", "a|b.py", "`x`.py", "[x](https://evil.example).py", "<img src=x>.py", "::error::.py", "a\nb.py", "bidi\u202eyp.py", "#123.py"];
    const { code, stdout } = agentgate(changed({ "a.py": "x = 1\n" }, Object.fromEntries(names.map((name) => [name.replaceAll("/", "∕"), "import httpx\n\nhttpx.get('x')\n"]))), ["diff", "main"]);
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e]|^\s*::/m);
    const outside = stdout.replace(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, "");
    expect(outside).not.toMatch(/@|https|<|#|\[/);
    const rows = stdout.split("\n").filter((line) => line.startsWith("| `"));
    expect(rows).toHaveLength(names.length);
    for (const row of rows) expect(row.match(/\|/g)).toHaveLength(4);
  });
});
