import { describe, expect, it } from "vitest";
import { branched, changeTester, commit, edit } from "@agentgate/engine/testing";

const { check } = changeTester("laundering-accept");

const POLICY = "version: 1\nports:\n  - { path: src/port.py, capabilities: [net], owner: payments, note: talks to the ledger }\n";
const WIDER = POLICY.replace("src/port.py", "src/*.py");
const BASE = { "agentgate.yml": POLICY, "src/a.py": "x = 1\n", "src/b.py": "y = 1\n" };
const NET = "import httpx\n\nhttpx.get('x')\n";
const ALLOWED = "# agentgate: allow no-dynamic-import -- trusted text, platform\n";

/** The digest that a report offers for its weakenings. */
async function digestOf(root: string): Promise<string> {
  const report = await check(root);
  const digest = report.findings.map(({ message }) => /--accept ([0-9a-f]{64})/.exec(message)?.[1]).find((one) => one !== undefined);
  expect(digest).toBeDefined();
  return digest!;
}

async function found(root: string, accept: string): Promise<string[]> {
  return (await check(root, { accept })).findings.map(({ rule, path }) => `${rule} ${path}`);
}

describe("a digest that an owner accepted", () => {
  it("licenses what was shown", async () => {
    const root = branched(BASE, { "agentgate.yml": WIDER, "src/a.py": NET });
    expect(await found(root, await digestOf(root))).toEqual([]);
  });

  it("licenses no port that was added since", async () => {
    const root = branched(BASE, { "agentgate.yml": WIDER });
    const digest = await digestOf(root);
    edit(root, { "agentgate.yml": WIDER.replace("[net]", "[net, proc]"), "src/a.py": "import subprocess\n\nsubprocess.run('x')\n" });
    commit(root, "more");
    expect(await found(root, digest)).toEqual(expect.arrayContaining(["gate-weakened agentgate.yml", "no-invented-io src/a.py"]));
  });

  it("licenses nothing that its policy does not", async () => {
    const root = branched(BASE, { "agentgate.yml": WIDER });
    const digest = await digestOf(root);
    edit(root, { "src/a.py": "import subprocess\n\nsubprocess.run('x')\n" });
    expect(await found(root, digest)).toEqual(["no-invented-io src/a.py"]);
  });

  it("licenses no suppression that was added since", async () => {
    const root = branched(BASE, { "src/a.py": `${ALLOWED}x = 1\n` });
    const digest = await digestOf(root);
    edit(root, { "src/b.py": `${ALLOWED}y = 1\n` });
    commit(root, "more");
    expect(await found(root, digest)).toEqual(expect.arrayContaining(["gate-weakened src/a.py", "gate-weakened src/b.py"]));
  });

  it("puts the suppressions in force that it stands for", async () => {
    const root = branched(BASE, { "src/a.py": `${ALLOWED}eval(x)\n`, "src/b.py": "# agentgate: allow no-invented-io -- sync for now, platform\nimport httpx\n" });
    const report = await check(root, { accept: await digestOf(root) });
    expect(report.findings).toEqual([]);
    expect(report.suppressed.map(({ rule, path, by }) => `${rule} ${path} ${by.owner}`)).toEqual(["no-dynamic-import src/a.py platform", "no-invented-io src/b.py platform"]);
  });

  it("licenses no finding that was put under an accepted suppression since", async () => {
    const root = branched(BASE, { "src/a.py": `${ALLOWED}x = 1\n` });
    const digest = await digestOf(root);
    edit(root, { "src/a.py": `${ALLOWED}eval(x)\n` });
    commit(root, "more");
    expect(await found(root, digest)).toEqual(expect.arrayContaining(["gate-weakened src/a.py", "no-dynamic-import src/a.py"]));
  });

  it("stands for one content of the policy", async () => {
    const root = branched(BASE, { "agentgate.yml": WIDER });
    const digest = await digestOf(root);
    const other = branched(BASE, { "agentgate.yml": POLICY.replace("src/port.py", "'**'") });
    expect(await found(other, digest)).toEqual(["gate-weakened agentgate.yml"]);
  });

  it("is none where it is cut short or in capitals", async () => {
    const root = branched(BASE, { "agentgate.yml": WIDER });
    const digest = await digestOf(root);
    expect(await found(root, digest.slice(0, 12))).toEqual(["gate-weakened agentgate.yml"]);
    expect(await found(root, digest.toUpperCase())).toEqual(["gate-weakened agentgate.yml"]);
  });

  it("survives a rebase, and no other base of the policy", async () => {
    const root = branched(BASE, { "agentgate.yml": WIDER });
    const digest = await digestOf(root);
    const rebased = branched({ ...BASE, "src/c.py": "z = 1\n" }, { "agentgate.yml": WIDER });
    expect(await found(rebased, digest)).toEqual([]);
    const tightened = branched({ ...BASE, "agentgate.yml": `${POLICY}strict: true\n` }, { "agentgate.yml": WIDER });
    expect(await found(tightened, digest)).toEqual(expect.arrayContaining(["gate-weakened agentgate.yml"]));
  });
});
