import { describe, expect, it } from "vitest";
import { judgedFilesOf } from "@agentgate/engine";
import { CODE_RULES } from "@agentgate/rules";
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
  return { found, judged: judgedFilesOf(report) };
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

/** Until the rule says what of a module its importers depend on. */
const tells = CODE_RULES.some((rule) => rule.meta.id === "no-unbounded-loop" && "influences" in rule);

describe.skipIf(!tells)("a loop whose effect or cap lies in another module", () => {
  const LOOP = "from helper import send\n\n\ndef run(order):\n    while True:\n        try:\n            send(order)\n        except Exception:\n            pass\n";
  const CALM = "import httpx\n\nlimit = 3\n\n\ndef send(order):\n    return order\n";
  const NET = "import httpx\n\nlimit = 3\n\n\ndef send(order):\n    return httpx.post('https://x.example', json=order)\n";
  const base = { "agentgate.yml": POLICY, "loop.py": LOOP, "helper.py": CALM, "other.py": "from loop import run\n" };

  it("is reported on the line that brings the effect", async () => {
    const { found } = await shown("no-unbounded-loop", base, { "helper.py": NET });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^helper\.py:7 in loop\.py loop\.py:5/);
  });

  it("is reported where the cap is taken out of the helper", async () => {
    const capped = "import httpx\n\nattempts = 0\n\n\ndef send(order):\n    global attempts\n    attempts += 1\n    if attempts > 5:\n        raise RuntimeError('too often')\n    return httpx.post('https://x.example', json=order)\n";
    const loop = LOOP.replace("except Exception", "except httpx.ConnectError").replace("from helper", "import httpx\nfrom helper");
    const { found } = await shown("no-unbounded-loop", { ...base, "loop.py": loop, "helper.py": capped }, { "helper.py": capped.replace("    if attempts > 5:\n        raise RuntimeError('too often')\n", "") });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^helper\.py:\d+ in loop\.py loop\.py:6/);
  });

  it("is reached over several modules", async () => {
    const middle = { "middle.py": "from helper import send\n\n\ndef pass_on(order):\n    send(order)\n", "loop.py": LOOP.replace("from helper import send", "from middle import pass_on").replace("send(order)", "pass_on(order)") };
    const { found } = await shown("no-unbounded-loop", { ...base, ...middle }, { "helper.py": NET });
    expect(found.map((one) => one.split(" ", 3).join(" "))).toEqual(["helper.py:7 in loop.py"]);
  });

  it("has nothing judged for it by an edit that changes neither", async () => {
    for (const helper of [CALM, NET]) {
      const { found, judged } = await shown("no-unbounded-loop", { ...base, "helper.py": helper }, { "helper.py": helper.replace("limit = 3", "limit = 4") });
      expect({ found, judged }).toEqual({ found: [], judged: ["helper.py"] });
    }
  });
});
