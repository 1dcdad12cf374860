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
