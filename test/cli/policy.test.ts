import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { agentgate, expectFailure, repository } from "./harness.ts";

const BASELINE = "agentgate-baseline.json";

describe("agentgate baseline", () => {
  it("lets a tree adopt the gate, and says what came and went", () => {
    const folder = repository({ "io.py": "import httpx\n", "bad.ts": "const = ;\n" });
    expect(agentgate(folder, ["baseline"])).toEqual({
      code: 0, stderr: "", stdout: `wrote ${BASELINE}: 1 line added, 0 kept, 0 dropped\nnot recorded, since no baseline holds it: 1 parse-error\n`,
    });
    const checked = agentgate(folder, ["check", "io.py"]);
    expect(checked).toMatchObject({ code: 0, stderr: "" });
    expect(checked.stdout).toContain(`1 permitted by ${BASELINE}:2`);
  });

  it("prints a document", () => {
    const folder = repository({ "io.py": "import httpx\n" });
    const ran = agentgate(folder, ["baseline", "--format", "json"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(ran.stdout)).toMatchObject({ version: 1, error: null, path: BASELINE, lines: { added: 1, kept: 0, dropped: 0 }, unheld: [] });
  });

  it("takes no paths, and writes nothing where the tree cannot be judged", () => {
    const folder = repository({ "io.py": "import httpx\n", "agentgate.yml": "version: 7\n" });
    expectFailure(agentgate(folder, ["baseline", "io.py"]), /whole tree/);
    expectFailure(agentgate(folder, ["baseline"]), /agentgate\.yml/);
    expect(existsSync(path.join(folder, BASELINE))).toBe(false);
  });

  it("is refused where the last one is damaged, and so is check", () => {
    const folder = repository({ "io.py": "import httpx\n", [BASELINE]: "<<<<<<< HEAD\n" });
    for (const command of ["baseline", "check"]) {
      const ran = agentgate(folder, [command]);
      expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(BASELINE) as string });
      expect(ran.stderr.trim().split("\n")).toHaveLength(2);
    }
    expect(readFileSync(path.join(folder, BASELINE), "utf8")).toBe("<<<<<<< HEAD\n");
  });
});

describe("agentgate permit", () => {
  const args = ["permit", "io.py", "net", "--owner", "payments", "--note", "talks to the ledger"];

  it("writes a port, and says where it counts", () => {
    const folder = repository({ "io.py": "import httpx\n" });
    const ran = agentgate(folder, [...args, "--expires", "2099-01-31"]);
    expect(ran).toEqual({ code: 0, stderr: "", stdout: `wrote agentgate.yml:5: io.py may use net, owner payments, until 2099-01-31
A change is judged by the policy of its base: this licence counts once it is there, and a change that brings it is reported by gate-weakened.
` });
    expect(agentgate(folder, ["check"])).toMatchObject({ code: 0, stdout: "no finding · 1 file judged · 1 permitted by agentgate.yml:5 (payments)\n" });
    const before = readFileSync(path.join(folder, "agentgate.yml"), "utf8");
    expect(agentgate(folder, [...args, "--expires", "2099-01-31"]).stdout).toBe("agentgate.yml:5 licenses that already, owner payments\n");
    expect(readFileSync(path.join(folder, "agentgate.yml"), "utf8")).toBe(before);
  });

  it("prints a document, and warns of a path that nothing matches", () => {
    const folder = repository({ "io.py": "import httpx\n" });
    const ran = agentgate(folder, ["permit", "later.py", "net", "fs", "--owner", "payments", "--note", "a", "--format", "json"]);
    expect(ran).toMatchObject({ code: 0, stderr: "agentgate: No file of the tree matches later.py yet.\n" });
    expect(JSON.parse(ran.stdout)).toMatchObject({ version: 1, error: null, written: "created", path: "agentgate.yml", port: { path: "later.py", capabilities: ["net", "fs"] } });
  });

  it.each([
    [["permit", "io.py", "fs.wirte", "--owner", "x", "--note", "y"], /Did you mean fs\.write\?/], [["permit", "io.py", "net,proc", "--owner", "x", "--note", "y"], /blanks/],
    [["permit", "io.py", "--owner", "x", "--note", "y"], /capability/], [["permit", "io.py", "net", "--note", "y"], /--owner/], [["permit", "io.py", "net", "--owner", "x"], /--note/],
    [["permit", "io.py", "net", "--owner", "bot", "--note", "y"], /machine/], [["permit", "..", "net", "--owner", "x", "--note", "y"], /\.\./],
  ])("%j is refused in two lines, and nothing is written", (wrong, why) => {
    const folder = repository({ "io.py": "import httpx\n" });
    expectFailure(agentgate(folder, wrong), why);
    expect(existsSync(path.join(folder, "agentgate.yml"))).toBe(false);
  });

  it("a name with power over a terminal is printed without it", () => {
    const folder = repository({ "\u001b[31m\u202ex.py": "import httpx\n" });
    const ran = agentgate(folder, ["permit", "\u001b[31m\u202ex.py", "net", "--owner", "x", "--note", "y"]);
    expect(`${ran.stdout}${ran.stderr}`).not.toMatch(/[\u001b\u202e]/);
    expect(ran.code).toBe(2);
  });
});
