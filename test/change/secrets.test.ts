import { sourceOf } from "@agentgate/engine";
import { branched, changeTester } from "@agentgate/engine/testing";
import { describe, expect, it } from "vitest";

const { changed, check } = changeTester("change-secrets");

const POLICY = { "agentgate.yml": "version: 1\n" };
/** Made up, in pieces, so that no reader of this file takes it for one. */
const TOKEN = ["hf", "QzWkTnLsVbXyRmPdHcJfGtKaEuYiOoSaDl"].join("_");
const KEY = ["-----BEGIN EC PRIVATE", "KEY-----\nMHcCAQEEIBv4Qk9pZ2x1cnJ5d29yZHNsaWtldGhlc2Vhcm\nVub3RyZWFsYnV0bG9va2xpa2VpdHdpdGhhbGxvZnRoZW0\n-----END EC PRIVATE", "KEY-----\n"].join(" ");

const secrets = (report: Awaited<ReturnType<typeof check>>): string[] => report.findings.filter(({ rule }) => rule === "secret-in-change").map(({ path, start, end }) => `${path}:${start.line}:${start.column}-${end.column}`);

describe("secret-in-change", () => {
  it("stands at the secret, and never shows it", async () => {
    const text = `import os\n\nname = os.environ.get("URL", "https://a.example/${TOKEN}")\nmodel = __import__("${TOKEN}")\n`;
    const report = await changed({ ...POLICY, "a.py": "import os\n" }, { "a.py": text, "deploy/key.pem": KEY });
    expect(secrets(report)).toEqual(["a.py:3:49-86", "a.py:4:21-58", "deploy/key.pem:1:1-31"]);
    expect(JSON.stringify(report)).not.toContain(TOKEN);
    expect(JSON.stringify(report)).not.toContain("MHcCAQEEIBv4Qk9p");
    const shown = sourceOf(report, "a.py")!;
    expect(shown).not.toContain(TOKEN);
    expect(shown.split("\n").map((line) => line.length)).toEqual(text.split("\n").map((line) => line.length));
  });

  it("is about what the change adds, in whatever file", async () => {
    const base = { ...POLICY, "a.py": `A = "${TOKEN}"\n`, "notes.txt": "one\n" };
    expect(secrets(await changed(base, { "a.py": `import os\n\nA = os.environ.get("A", "${TOKEN}")\n` }))).toEqual([]);
    expect(secrets(await changed(base, { "a.py": null, "b.py": `A = "${TOKEN}"\n` }))).toEqual([]);
    expect(secrets(await changed(base, { "notes.txt": `one\n${TOKEN}\n` }))).toEqual(["notes.txt:2:1-38"]);
    expect(secrets(await changed(base, { "tests/a.txt": TOKEN }))).toEqual([]);
  });

  it("takes its severity from the policy of the base, and what the baseline there holds", async () => {
    expect(secrets(await changed({ "agentgate.yml": "version: 1\nrules:\n  secret-in-change: off\n" }, { "a.txt": TOKEN }))).toEqual([]);
    const report = await changed({ "agentgate.yml": "version: 1\nrules:\n  secret-in-change: warning\n" }, { "a.txt": TOKEN });
    expect(report.findings.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual(["secret-in-change warning"]);
  });

  it("is found in the index as in the working tree", async () => {
    const root = branched(POLICY, { "a.txt": TOKEN });
    expect(secrets(await check(root, { staged: true }))).toEqual(["a.txt:1:1-38"]);
  });

  it("takes text that is made to keep a search busy", async () => {
    const seeds = ["a", "://", "://a:", "a:b@", "-----BEGIN PRIVATE KEY-----", "hf_", "AKIA", "xoxb-1-", "sk-ant-api03-", "key=", "A1", "=", "\\n", "_"];
    const files = Object.fromEntries(seeds.map((seed, index) => [`${index}.txt`, seed.repeat(Math.floor(900_000 / seed.length))]));
    expect(secrets(await changed(POLICY, files))).toEqual([]);
  });
});
