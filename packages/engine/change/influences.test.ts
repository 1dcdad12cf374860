import { describe, expect, it, vi } from "vitest";
import { judgedFilesOf } from "../runs.ts";
import { changeTester } from "../testing/change.ts";

vi.mock(import("@agentgate/rules"), async (original) => {
  const [rules, { boomRule }] = await Promise.all([original(), import("../testing/boom-rule.ts")]);
  return { ...rules, CODE_RULES: [rules.noInventedIo, boomRule] };
});

const { changed } = changeTester("influences");

async function shown(...input: Parameters<typeof changed>): Promise<{ readonly found: string[]; readonly judged: readonly string[] }> {
  const report = await changed(...input);
  const found = report.findings.map(({ path, start, message, related }) => `${path}:${start.line} ${message} ${related.map((one) => `${one.path}:${one.start.line}`).join(" ")}`.trim());
  return { found, judged: judgedFilesOf(report) };
}

const CALLER = "from helper import send\n\nloop(send)\n";
const CALM = "x = 1\n\ndef send():\n    pass\n";
const BOOMS = "x = 1\n\ndef send():\n    boom()\n";

describe("what a change makes other for modules that it did not touch", () => {
  it("is reported on the line that made it so, and names the module", async () => {
    const { found, judged } = await shown({ "a.py": CALLER, "helper.py": CALM, "other.py": "import json\n" }, { "helper.py": "x = 1\n\ndef send():\n    print()\n    boom()\n" });
    expect(found).toEqual(["helper.py:4 In a.py: It booms. a.py:3"]);
    expect(judged).toEqual(["a.py", "helper.py"]);
  });

  it("goes from importer to importer, and comes back from a circle", async () => {
    const through = { "a.py": "from middle import pass_on\n\nloop(pass_on)\n", "middle.py": "import helper\nimport a\n\ndef pass_on():\n    helper.send()\n", "helper.py": CALM };
    const { found, judged } = await shown(through, { "helper.py": BOOMS });
    expect(found).toEqual(["helper.py:4 In a.py: It booms. a.py:3"]);
    expect(judged).toEqual(["a.py", "helper.py", "middle.py"]);
  });

  it("judges nothing more where nothing that matters differs", async () => {
    for (const [before, after] of [[CALM, "x = 2\n\ndef send():\n    print(1)\n"], [BOOMS, "x = 2\n\ndef send():\n    print(1)\n    boom()\n"]] as const) {
      const { found, judged } = await shown({ "a.py": CALLER, "helper.py": before }, { "helper.py": after });
      expect({ found, judged }).toEqual({ found: [], judged: ["helper.py"] });
    }
  });

  it("is old where it was so before, and stays where it is in a module that the change touched", async () => {
    const old = await shown({ "a.py": CALLER, "helper.py": BOOMS }, { "helper.py": `${BOOMS}\ndef more():\n    pass\n` });
    expect(old.found).toEqual([]);
    const touched = await shown({ "a.py": CALLER, "helper.py": CALM }, { "a.py": `${CALLER}y = 1\n`, "helper.py": BOOMS });
    expect(touched.found).toEqual(["a.py:3 It booms."]);
  });
});
