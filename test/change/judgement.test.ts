import { describe, expect, it } from "vitest";
import { judgedFilesOf } from "@agentgate/engine";
import { changeTester } from "@agentgate/engine/testing";

const { changed } = changeTester("judgement");

const POLICY = "version: 1\nports: [{ path: '**', capabilities: [net], owner: team, note: all of it talks }]\ngates: [{ name: write_gate }]\nrules: { require-timeout: off }\n";

interface Shown {
  readonly found: string[];
  readonly judged: readonly string[];
}

/** Findings of one rule as `path:line In module? rule`, with their related places, and what was judged. */
async function shown(rule: string, ...[base, edits]: Parameters<typeof changed>): Promise<Shown> {
  const report = await changed(base, edits);
  const found = report.findings.filter((finding) => finding.rule === rule).map(({ path, start, message, related }) => {
    const module = /^In (\S+): /.exec(message)?.[1];
    return [`${path}:${start.line}`, ...module === undefined ? [] : [`in ${module}`], ...related.map((one) => `${one.path}:${one.start.line}`)].join(" ");
  });
  return { found, judged: judgedFilesOf(report) ?? [] };
}

const GATE = "def write_gate(run):\n    check()\n    return run()\n";
const LEDGER = "import os\n\n\ndef drop(path):\n    os.remove(path)\n";
const GATED = "from gate import write_gate\nfrom ledger import drop\n\n\ndef clean(path):\n    write_gate(lambda: drop(path))\n";

describe("a write that is gated by who calls its function", () => {
  const policy = POLICY.replace("[net]", "[net, proc]");
  const base = { "agentgate.yml": policy, "gate.py": GATE, "ledger.py": LEDGER, "clean.py": GATED, "other.py": "from ledger import drop\n" };

  it("is reported where the change calls it beside the gate, though its module stays as it was", async () => {
    const { found, judged } = await shown("no-ungated-write", base, { "other.py": "from ledger import drop\n\nx = 1\ndrop('a')\n" });
    expect(found).toEqual(["other.py:4 in ledger.py ledger.py:5"]);
    expect(judged).toContain("ledger.py");
  });

  it("is reported where the change takes the gate from around the only call", async () => {
    const { found } = await shown("no-ungated-write", base, { "clean.py": GATED.replace("write_gate(lambda: drop(path))", "drop(path)") });
    expect(found).toEqual(["clean.py:6 in ledger.py ledger.py:5"]);
  });

  it("stays silent where calls are gated, and where it was reported before", async () => {
    expect((await shown("no-ungated-write", base, { "other.py": "from ledger import drop\nfrom gate import write_gate\n\nwrite_gate(lambda: drop('a'))\n" })).found).toEqual([]);
    const ungated = { ...base, "other.py": "from ledger import drop\ndrop('a')\n" };
    expect((await shown("no-ungated-write", ungated, { "clean.py": `${GATED}x = 1\n` })).found).toEqual([]);
  });
});
