import { describe, expect, it } from "vitest";
import { kindsBetween, weakeningsBetween } from "./testing/change.ts";

const PORT = "  - { path: src/a.py, capabilities: [net], owner: payments, note: ledger, expires: 2027-01-31 }\n";

function policies(before: string, after: string, others: Readonly<Record<string, string>> = {}): Promise<string[]> {
  return kindsBetween({ "agentgate.yml": `version: 1\n${before}`, ...others }, { "agentgate.yml": `version: 1\n${after}`, ...others });
}

describe("a policy as a whole", () => {
  it("that the change introduces is one finding, whatever it says", async () => {
    expect(await kindsBetween({}, { "agentgate.yml": `version: 1\nstrict: false\nports:\n${PORT}` })).toEqual(["policy-introduced agentgate.yml:1"]);
    const baseline = '{\n  "module a.py": "net",\n  "version": 1\n}\n';
    expect(await kindsBetween({}, { "agentgate.yml": "version: 1\n", "agentgate-baseline.json": baseline })).toEqual(["policy-introduced agentgate.yml:1"]);
    const records = await Promise.all(["net", "proc"].map(async (capability) => (await weakeningsBetween({}, { "agentgate.yml": "version: 1\n", "agentgate-baseline.json": baseline.replace("net", capability) }))[0]!.record));
    expect(records[0]).not.toBe(records[1]);
  });

  it.each([
    ["deleted", {}],
    ["no YAML", { "agentgate.yml": "a: [" }],
    ["of another version", { "agentgate.yml": "version: 2\nstrict: true" }],
    ["no text", { "agentgate.yml": null }],
    ["a list", { "agentgate.yml": "- 1" }],
    ["two documents", { "agentgate.yml": "version: 1\n---\nversion: 1\n" }],
    ["an alias bomb", { "agentgate.yml": `version: 1\na: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\n` }],
    ["nested without end", { "agentgate.yml": `version: 1\nexclude: ${"[".repeat(50_000)}` }],
  ])("that is %s is the loosest there is", async (_name, head) => {
    expect(await kindsBetween({ "agentgate.yml": "version: 1\nstrict: true" }, head)).toEqual(["policy-unreadable agentgate.yml:1"]);
  });

  it("that moved away is gone", async () => {
    const text = "version: 1\nstrict: true\n";
    expect(await kindsBetween({ "agentgate.yml": text }, { "conf/agentgate.yml": text }, { renames: { "conf/agentgate.yml": "agentgate.yml" } }))
      .toEqual(["policy-unreadable agentgate.yml:1"]);
  });

  it("that was unreadable and is no longer is no weakening", async () => {
    expect(await kindsBetween({ "agentgate.yml": "a: [" }, { "agentgate.yml": "version: 1" })).toEqual([]);
  });

  it("is the file that --config names", async () => {
    expect(await kindsBetween({ "ci/gate.yml": "version: 1\nstrict: true" }, { "ci/gate.yml": "version: 1" }, { policyPath: "ci/gate.yml" })).toEqual(["policy-loosened ci/gate.yml:1"]);
  });

  it("says old and new value, and who accepts", async () => {
    const [found] = await weakeningsBetween({ "agentgate.yml": "version: 1\nmaxFileBytes: 5000" }, { "agentgate.yml": "version: 1\nmaxFileBytes: 10" });
    expect(found?.message).toBe("`maxFileBytes`: 5000 before, 10 now. A lower limit leaves more files unparsed. Take it back, or have an owner of agentgate.yml accept it.");
    expect(found?.start).toEqual({ line: 2, column: 1 });
    expect(found?.record).toMatch(/^policy-loosened\0agentgate\.yml\0[0-9a-f]{40}\0[0-9a-f]{40}$/);
  });
});

describe("keys of a policy", () => {
  it.each([
    ["strict", "strict: true", "strict: false", 2],
    ["strict gone", "strict: true", "", 1],
    ["strict of a wrong type counts as absent", "strict: true", "strict: yes", 1],
    ["maxFileBytes", "", "maxFileBytes: 10", 2],
    ["maxFileBytes back to the default", "maxFileBytes: 2000000", "", 1],
    ["exclude", "exclude: [vendor/**]", "exclude:\n  - vendor/**\n  - src/**", 4],
    ["exclude back to the defaults", "exclude: ['**/test/**', '**/tests/**', '**/__tests__/**', '**/fixtures/**', '**/scripts/**', '**/*.test.*', '**/*.spec.*', '**/*_test.py', '**/test_*.py', '**/conftest.py', '**/*.min.*', '**/vendor/**', '**/dist/**', '**/build/**']", "", 1],
    ["extendExclude", "", "extendExclude: [src/a.py]", 2],
    ["a wider exclude", "exclude: [src/gen/*]", "exclude: [src/gen/**]", 2],
    ["models.policy", "models: { policy: registry }", "models: { policy: pinned }", 2],
    ["models.policy gone", "models:\n  policy: registry", "models: {}", 1],
    ["models.registry", "models: { registry: [src/m.py] }", "models: { registry: [src/*.py] }", 2],
    ["models.allow", "models: { allow: [a] }", "models: { allow: [a, b] }", 2],
    ["loops.ceiling", "loops: { ceiling: 10 }", "loops: { ceiling: 11 }", 2],
    ["loops.ceiling gone", "loops: { ceiling: 10 }", "", 1],
    ["tools", "tools: [a, b]", "tools: [a]", 2],
    ["denyHosts", "denyHosts: [a.example]", "", 1],
    ["a gate removed", "gates: [{ name: mutate }]", "", 1],
    ["a gate's scope", "gates: [{ name: mutate }]", "gates: [{ name: mutate, scope: importers }]", 2],
    ["a gate beside another", "gates: [{ name: mutate }]", "gates:\n  - name: mutate\n  - name: noop", 4],
    ["a capability that is pure", "", "capabilities: [{ api: acme.send, capability: pure }]", 2],
    ["a capability that is quiet", "", "capabilities: [{ api: acme.send, capability: fs.read }]", 2],
    ["a capability of the catalogue", "", "capabilities: [{ api: httpx, capability: notify }]", 2],
    ["a capability removed", "capabilities: [{ api: acme.send, capability: net }]", "", 1],
    ["a capability changed", "capabilities: [{ api: acme.send, capability: net }]", "capabilities: [{ api: acme.send, capability: mail }]", 2],
    ["a contract's required", "contracts: { egress: { required: true } }", "contracts: { egress: { required: false } }", 2],
    ["a contract removed", "contracts: { egress: { path: a.yml } }", "", 1],
    ["a contract's path", "contracts: { egress: { path: a.yml } }", "contracts: { egress: { path: b.yml } }", 2],
    ["a severity", "rules: { no-invented-io: error }", "rules: { no-invented-io: warning }", 2],
    ["a severity off", "", "rules:\n  no-dynamic-import: off", 3],
    ["a severity back to a default", "rules: { unused-port: error }", "", 1],
    ["a severity in a list", "", "rules: { no-dynamic-import: [warning, {}] }", 2],
    ["a contract's rule", "", "rules: { loop-budget/over-ceiling: off }", 2],
    ["a key spelled wrong at head", "rules: { require-timeout: error }", "rule: { require-timeout: error }", 1],
    ["a value behind an anchor", "strict: true", "maxFileBytes: &f 1048576\nstrict: false", 3],
  ])("moved to looser: %s", async (_name, before, after, line) => {
    expect(await policies(before, after)).toEqual([`policy-loosened agentgate.yml:${line}`]);
  });

  it.each([
    ["strict", "", "strict: true"],
    ["maxFileBytes", "maxFileBytes: 10", "maxFileBytes: 20"],
    ["fewer globs", "exclude: [vendor/**, src/**]", "exclude: [vendor/**]"],
    ["a narrower glob", "exclude: [src/**]", "exclude: [src/gen/**]"],
    ["the defaults written out and fewer", "", "exclude: ['**/test/**']"],
    ["a glob in the other key", "exclude: [vendor/**]", "exclude: []\nextendExclude: [vendor/**]"],
    ["braces", "exclude: ['src/{a,b}/**']", "exclude: [src/a/**, src/b/**]"],
    ["models", "models: { policy: pinned, allow: [a] }", "models: { policy: registry, allow: [] }"],
    ["loops.ceiling", "", "loops: { ceiling: 5 }"],
    ["tools", "", "tools: [a]"],
    ["denyHosts", "", "denyHosts: [a.example]"],
    ["the first gate", "", "gates: [{ name: mutate, scope: importers }]"],
    ["a gate that binds more", "gates: [{ name: mutate, scope: importers }]", "gates: [{ name: mutate, module: app.gate }]"],
    ["a capability", "", "capabilities: [{ api: acme.send, capability: net }]"],
    ["pure gone", "capabilities: [{ api: acme.send, capability: pure }]", ""],
    ["a contract", "", "contracts: { egress: { path: a.yml, required: true } }"],
    ["severities", "rules: { no-dynamic-import: off, unused-port: warning }", "rules: { no-dynamic-import: error }"],
    ["another order, comments, quotes and anchors", "strict: true\nmaxFileBytes: 10\ntools: [a, b]", "# hello\n'maxFileBytes': 0x0a\ntools: &t\n  - \"b\"\n  - 'a'\n\n\"strict\": true # yes"],
    ["CRLF", "strict: true\ntools: [a]", "strict: true\r\ntools: [a]\r\n"],
  ])("silent: %s", async (_name, before, after) => {
    expect(await policies(before, after)).toEqual([]);
  });

  it("takes a contract's path for moved where the contract lay in its default place", async () => {
    expect(await policies("", "contracts: { egress: { path: b.yml } }", { "agent-egress.yml": "version: 1" })).toEqual(["policy-loosened agentgate.yml:2"]);
  });
});

describe("ports", () => {
  const port = (path: string, capabilities: string, more = ""): string => `  - { path: "${path}", capabilities: [${capabilities}], owner: payments, note: ledger${more} }\n`;

  it.each([
    ["added", "", port("src/a.py", "net"), ["port-added agentgate.yml:3"]],
    ["added beside another", port("src/a.py", "net"), port("src/a.py", "net") + port("src/b.py", "net"), ["port-added agentgate.yml:4"]],
    ["with a wider glob", port("src/*", "net"), port("src/**", "net"), ["port-widened agentgate.yml:3"]],
    ["with a glob that matches the same files today", port("src/a.*", "net"), port("src/*", "net"), ["port-widened agentgate.yml:3"]],
    ["with another capability", port("src/a.py", "net"), port("src/a.py", "net, proc"), ["port-widened agentgate.yml:3"]],
    ["with the family", port("src/a.py", "fs.read"), port("src/a.py", "fs"), ["port-widened agentgate.yml:3"]],
    ["with a later day", PORT, PORT.replace("2027", "2028"), ["port-extended agentgate.yml:3"]],
    ["with no day", PORT, PORT.replace(", expires: 2027-01-31", ""), ["port-extended agentgate.yml:3"]],
    ["with a day that is none", PORT, PORT.replace("2027-01-31", "2027-02-31"), ["port-extended agentgate.yml:3"]],
    ["wider and longer", port("src/a.py", "net", ", expires: 2027-01-31"), port("src/a.py", "net, proc"), ["port-widened agentgate.yml:3", "port-extended agentgate.yml:3"]],
    ["hidden behind a merge key", port("src/a.py", "net"), `${port("src/a.py", "net").replace("- {", "- &p {")}  - <<: *p\n    path: src/b.py\n`, ["port-added agentgate.yml:5"]],
    ["with an extended glob", port("src/a.py", "net"), port("src/!(b).py", "net"), ["port-widened agentgate.yml:3"]],
  ])("reported: %s", async (_name, before, after, expected) => {
    expect((await policies(`ports:\n${before}`, `ports:\n${after}`, { "src/a.py": "", "src/b.py": "" })).sort()).toEqual(expected.sort());
  });

  it.each([
    ["gone", PORT, ""],
    ["with a narrower glob", port("src/**", "net"), port("src/a.py", "net")],
    ["with fewer capabilities", port("src/a.py", "net, proc"), port("src/a.py", "proc")],
    ["with a member of the family", port("src/a.py", "fs"), port("src/a.py", "fs.read, fs.write")],
    ["with an earlier day", PORT, PORT.replace("2027", "2026")],
    ["with a day where it had none", port("src/a.py", "net"), port("src/a.py", "net", ", expires: 2027-01-31")],
    ["in another order", port("src/a.py", "net") + port("src/b.py", "proc"), port("src/b.py", "proc") + port("src/a.py", "net")],
    ["split", port("src/{a,b}.py", "net, proc"), port("src/a.py", "net") + port("src/b.py", "net") + port("src/a.py", "proc")],
    ["repeated", PORT, PORT + PORT],
    ["inside a wider one", port("src/**", "net"), port("src/**", "net") + port("src/x/*.py", "net")],
    ["of another owner", port("src/a.py", "net"), port("src/a.py", "net").replace("payments", "platform")],
  ])("silent: %s", async (_name, before, after) => {
    expect(await policies(`ports:\n${before}`, `ports:\n${after}`, { "src/a.py": "", "src/b.py": "" })).toEqual([]);
  });

  it("asks the owner at the base, not the one that the change names", async () => {
    const after = PORT.replace("payments", "mallory").replace("[net]", "[net, proc]");
    const [found] = await weakeningsBetween({ "agentgate.yml": `version: 1\nports:\n${PORT}` }, { "agentgate.yml": `version: 1\nports:\n${after}` });
    expect(found?.message).toBe("The port src/a.py covered net and now covers proc too. Take it back, or have payments accept it.");
  });
});
