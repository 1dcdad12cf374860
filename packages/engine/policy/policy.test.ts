import { Ajv2020 } from "ajv/dist/2020.js";
import { RULE_METAS } from "@agentgate/rules";
import { describe, expect, it } from "vitest";
import { DEFAULT_EXCLUDE } from "../discovery/exclude.ts";
import { readYaml } from "./located.ts";
import { coversCapability, readPolicy } from "./policy.ts";
import type { Policy } from "./policy.ts";
import { CONTRACTS, POLICY_SCHEMA, publishedSchema } from "./schema.ts";
import { endOfDay, ownerProblem } from "./formats.ts";

function read(text: string): { readonly policy: Policy; readonly problems: readonly string[] } {
  const result = readPolicy(text);
  if ("failure" in result) throw new Error(result.failure);
  return { policy: result.policy, problems: result.problems.map((problem) => `${problem.line}: ${problem.message}`) };
}

function failure(text: string): string {
  const result = readPolicy(text);
  return "failure" in result ? result.failure : "";
}

const FULL = `version: 1
exclude: [a/**]
extendExclude: ["b/**"]
strict: true
maxFileBytes: 2048
ports:
  - path: src/adapters/ledger/**
    capabilities: [net, db.write, fs]
    owner: payments
    note: talks to the ledger API
    expires: 2027-01-31
gates:
  - name: mutate
    module: app.gate
    scope: tree
models:
  policy: registry
  registry: [src/models.ts]
  allow: []
loops:
  ceiling: 100
tools: [dispatch]
denyHosts: [lab.example]
capabilities:
  - api: acme_sdk.charges.create
    capability: pay
  - { api: "@acme/sdk", capability: pure }
contracts:
  loop-budget: { path: agent/loop-budget.yml, required: true }
rules:
  require-timeout: off
  no-invented-io: [warning, {}]
  loop-budget/over-ceiling: off
`;

describe("a policy", () => {
  it("takes every key of the command line's page", () => {
    const { policy, problems } = read(FULL);
    expect(problems).toEqual([]);
    expect(policy.exclude).toEqual(["a/**", "b/**"]);
    expect(policy).toMatchObject({ strict: true, maxFileBytes: 2048 });
    expect(policy.ports).toEqual([{
      path: "src/adapters/ledger/**", capabilities: ["net", "db.write", "fs"], owner: "payments", note: "talks to the ledger API",
      expires: { end: Date.UTC(2027, 1, 1), text: "2027-01-31" }, line: 7, column: 5,
    }]);
    expect(policy.capabilities).toEqual([{ api: "acme_sdk.charges.create", capability: "pay" }, { api: "@acme/sdk", capability: "pure" }]);
    expect([...policy.rules]).toEqual([
      ["require-timeout", { severity: "off", options: {} }], ["no-invented-io", { severity: "warning", options: {} }], ["loop-budget/over-ceiling", { severity: "off", options: {} }],
    ]);
  });

  it("excludes the default where it says nothing, and adds to it", () => {
    expect(read("version: 1\nextendExclude: [x/**]").policy.exclude).toEqual([...DEFAULT_EXCLUDE, "x/**"]);
    expect(read("version: 1\nexclude: []").policy.exclude).toEqual([]);
  });
});

describe("contracts", () => {
  it("says where they lie and which must exist", () => {
    const { policy, problems } = read("version: 1\ncontracts:\n  eval-gate: { path: gates/refund.yaml }\n  replay: { required: true }\n");
    expect([...policy.contracts]).toEqual([["eval-gate", { path: "gates/refund.yaml", required: false }], ["replay", { path: null, required: true }]]);
    expect(problems).toEqual([]);
  });

  it("takes severities of the rules that they have, and says which have none of a name", () => {
    const { policy, problems } = read("version: 1\nrules:\n  eval-gate/stale: warning\n  wiring/soft: [off]\n  eval-gate/stael: off\n");
    expect(policy.rules.get("eval-gate/stale")?.severity).toBe("warning");
    expect(policy.rules.get("wiring/soft")?.severity).toBe("off");
    expect(problems).toEqual(["5: `rules.eval-gate/stael` has no effect: the contract has no rule of that name. Correct the name, as its page under docs/contracts has it, or delete the line."]);
  });
});

describe("what rules of judgement ask a policy for", () => {
  const NOTHING = { gates: [], models: { policy: "pinned", registry: [], allow: [] }, loopCeiling: 100, tools: [], denyHosts: [] };

  function judgement(text: string): { readonly asked: unknown; readonly problems: readonly string[] } {
    const { policy, problems } = read(`version: 1\n${text}`);
    const { gates, models, loopCeiling, tools, denyHosts } = policy;
    return { asked: { gates, models, loopCeiling, tools, denyHosts }, problems };
  }

  it("has defaults", () => {
    expect(judgement("")).toEqual({ asked: NOTHING, problems: [] });
    expect(judgement("gates: []\nmodels: {}\nloops: {}\ntools: []\ndenyHosts: []\n")).toEqual({ asked: NOTHING, problems: [] });
  });

  it.each([
    ["gates:\n  - name: mutate\n  - name: Ledger.write\n    module: app.gate\n    scope: importers\n", { gates: [{ name: "mutate", module: null, scope: "tree", line: 3 }, { name: "Ledger.write", module: "app.gate", scope: "importers", line: 4 }] }],
    ["models: { policy: registry, registry: [src/models.ts, 'config/**'], allow: [house] }\n", { models: { policy: "registry", registry: ["src/models.ts", "config/**"], allow: ["house"] } }],
    ["models: { allow: [house] }\n", { models: { policy: "pinned", registry: [], allow: ["house"] } }],
    ["loops: { ceiling: 5 }\n", { loopCeiling: 5 }],
    ["tools: [invoke_skill, run.tool]\n", { tools: ["invoke_skill", "run.tool"] }],
    ["denyHosts: [lab.example.com]\n", { denyHosts: ["lab.example.com"] }],
  ])("takes %j", (text, asked) => {
    expect(judgement(text)).toEqual({ asked: { ...NOTHING, ...asked }, problems: [] });
  });

  it.each([
    ["gates:\n  - module: app.gate\n", "3"],
    ["gates:\n  - name: mutate\n    scope: all\n", "4"],
    ["gates:\n  - name: ''\n", "3"],
    ["gates: mutate\n", "2"],
    ["models:\n  policy: any\n", "3"],
    ["models:\n  registry: src/models.ts\n", "3"],
    ["models:\n  latest: true\n", "3"],
    ["loops:\n  ceiling: 0\n", "3"],
    ["loops:\n  ceiling: many\n", "3"],
    ["tools:\n  - ''\n", "3"],
    ["tools: call\n", "2"],
    ["denyHosts:\n  - 'https://x/y'\n", "3"],
  ])("says the line of what is wrong, and goes on without it: %j", (text, line) => {
    const { asked, problems } = judgement(text);
    expect(problems.map((problem) => problem.split(":")[0])).toEqual([line]);
    expect(JSON.stringify(asked)).toBe(JSON.stringify(text.includes("scope: all") ? { ...NOTHING, gates: [{ name: "mutate", module: null, scope: "tree", line: 3 }] } : NOTHING));
  });
});

describe("what is wrong in a policy", () => {
  it.each([
    ["an unknown key", "version: 1\nexcludes: []", ["2: `excludes` is no key that agentgate knows; `exclude` is"]],
    ["a key of another spelling", "version: 1\nmax-file-bytes: 1", ["2: `max-file-bytes` is no key that agentgate knows; `maxFileBytes` is"]],
    ["a hostile key", "version: 1\n__proto__: 1\nconstructor: 2", ["2: `__proto__` is no key", "3: `constructor` is no key"]],
    ["a wrong type", 'version: 1\nstrict: "yes"\nmaxFileBytes: 1.5\nports: {}', ["2: `strict` must be true or false", "3: `maxFileBytes` must be a whole number", "4: `ports` must be a list"]],
    ["yes for true", "version: 1\nstrict: yes", ["2: `strict` must be true or false"]],
    ["a lone text for a list", "version: 1\nexclude: src", ["2: `exclude` must be a list"]],
    ["a bad glob", "version: 1\nexclude:\n  - ok/**\n  - /abs/**\n  - a/../b\n  - '!x'\n  - '[a'\n  - ''", ["4: `exclude[1]` is absolute", "5: `exclude[2]` has a `.` or `..`", "6: `exclude[3]` begins with `!`", "7: `exclude[4]` never closes", "8: `exclude[5]` is blank"]],
    ["an unknown rule", "version: 1\nrules:\n  no-such: error", ["3: `rules.no-such` is no key"]],
    ["a rule that keeps its severity", "version: 1\nrules:\n  parse-error: off\n  gate-weakened: off", ["3: `rules.parse-error` has no effect", "4: `rules.gate-weakened` has no effect"]],
    ["a rule of a later version", "version: 1\nrules:\n  undeclared-env: error\n  undeclared-host: [warning, { hosts: [a] }]\n  replay/abc: error", ["3: `rules.undeclared-env` has no effect in this version", "4: `rules.undeclared-host` has no effect in this version", "5: `rules.replay/abc` has no effect in this version"]],
    ["a rule of a later version that is off", "version: 1\nrules:\n  undeclared-env: off\n  replay/abc: [off]", []],
    ["a severity that is none", "version: 1\nrules:\n  no-invented-io: warn", ['3: `rules.no-invented-io` is "warn"; it can be off, warning, error']],
    ["options that a rule does not have", "version: 1\nrules:\n  no-invented-io: [error, { x: 1 }]", ["3: `rules.no-invented-io[1].x` is no key"]],
    ["no version", "strict: true", ["1: The policy needs the key `version`. Add it."]],
  ])("%s is a problem at its line", (_, text, expected) => {
    const { problems } = read(text);
    expect(problems).toHaveLength(expected.length);
    expected.forEach((start, index) => expect(problems[index]).toContain(start));
  });

  it("counts as absent, and the rest holds", () => {
    const { policy, problems } = read("version: 1\nexclude: 7\nextendExclude: [good/**, /bad]\nstrict: true\nmaxFileBytes: -1");
    expect(problems).toHaveLength(3);
    expect(policy).toMatchObject({ strict: true, maxFileBytes: 1_048_576, exclude: [...DEFAULT_EXCLUDE, "good/**"] });
  });

  it("says which keys are taken where one is unknown, also where none is", () => {
    const { problems } = read("version: 1\nrules:\n  no-dynamic-import: [warning, { x: 1 }]\nloops: { limit: 3 }");
    expect(problems.map((problem) => problem.split("; ")[1])).toEqual([
      "none is taken here. It counts as absent until it is corrected.", "known here: ceiling. It counts as absent until it is corrected.",
    ]);
  });

  it("lists all that is taken, and only what has an effect in this version", () => {
    const listed = (text: string): string[] => read(text).problems[0]!.split("known here: ")[1]!.split(". It counts")[0]!.split(", ");
    expect(listed("version: 1\nrules:\n  no-such-rule: error").sort()).toEqual(RULE_METAS.filter((meta) => meta.configurable).map((meta) => meta.id).sort());
    expect(listed("version: 1\nnosuchkey: 1").sort()).toEqual(Object.keys(POLICY_SCHEMA.properties!).sort());
    expect(listed("version: 1\ncontracts: { nothing: {} }").sort()).toEqual([...CONTRACTS].sort());
  });

  it("leaves a port without force that lacks what a licence needs, and only that one", () => {
    const port = (fields: string): string => `\n  - { path: a/**, capabilities: [net], owner: payments, note: why${fields} }`;
    const { policy, problems } = read(`version: 1\nports:${port("")}\n  - { path: b/**, capabilities: [net], owner: bot, note: why }\n  - { path: c/**, capabilities: [net], note: why }\n  - { path: d/**, capabilities: [network, fs], owner: payments, note: why }\n  - { path: e/**, capabilities: [nothing], owner: payments, note: why }\n  - { path: f/**, capabilities: [net], owner: payments, note: why, expires: 2026-02-30 }`);
    expect(policy.ports.map((one) => [one.path, one.capabilities])).toEqual([["a/**", ["net"]], ["d/**", ["fs"]], ["f/**", ["net"]]]);
    expect(problems.map((problem) => problem.split(" ", 2).join(" "))).toEqual([
      "4: `ports[1].owner`", "5: `ports[2]`", "6: `ports[3].capabilities[0]`", "7: `ports[4].capabilities[0]`", "8: `ports[5].expires`",
    ]);
  });
});

describe("a policy that cannot be in force", () => {
  it.each([
    ["no YAML", "version: [1", "line 1"],
    ["a tab for layout", "version: 1\nports:\n\t- a", "line 3"],
    ["a repeated key", "version: 1\nstrict: true\nstrict: false", 'line 3: the key "strict"'],
    ["two documents", "version: 1\n---\nversion: 1", "more than one document"],
    ["another version", "version: 2", "reads version 1"],
    ["a version as text", 'version: "1"', "reads version 1"],
    ["a list", "- a", "no mapping"],
    ["a text", "hello", "no mapping"],
    ["a custom tag", "version: 1\nstrict: !!js/function x", "line 2"],
    ["an unknown anchor", "version: 1\nexclude: *x", "anchor"],
  ])("%s", (_, text, expected) => {
    expect(failure(text)).toContain(expected);
  });

  it("refuses aliases of aliases without end", () => {
    const levels = Array.from({ length: 12 }, (_, level) => `x${level}: &x${level} [${Array(10).fill(level === 0 ? "y" : `*x${level - 1}`).join(", ")}]`);
    expect(failure(`version: 1\n${levels.join("\n")}`)).toContain("without end");
  });

  it("refuses nesting without end", () => {
    expect(failure(`version: 1\nexclude: ${"[".repeat(5000)}${"]".repeat(5000)}`)).toContain("line 2: it is nested too deeply");
  });

  it("finds what many aliases stand for in no time", () => {
    expect(readYaml(`a: &a x\nb:\n${"- *a\n".repeat(20_000)}`)).toMatchObject({ kind: "mapping" });
  });

  it("reads plain aliases and merge keys", () => {
    const { policy, problems } = read("version: 1\nports:\n  - &a { path: a/**, capabilities: [net], owner: payments, note: why }\n  - { <<: *a, path: b/** }");
    expect(problems).toEqual([]);
    expect(policy.ports.map((port) => [port.path, port.owner])).toEqual([["a/**", "payments"], ["b/**", "payments"]]);
  });

  it("takes an empty file for one that lacks its version", () => {
    expect(read("# nothing yet\n").problems).toHaveLength(1);
  });
});

describe("the published schema", () => {
  const validate = new Ajv2020({ allErrors: true, strict: false, formats: { glob: true, owner: true, date: true, text: true, path: true, api: true, host: true, name: true } }).compile(publishedSchema());

  it("takes what the gate takes", () => {
    const policy = {
      version: 1, exclude: ["a/**"], strict: true, maxFileBytes: 1, ports: [{ path: "a", capabilities: ["fs"], owner: "payments", note: "x", expires: "2027-01-31" }],
      gates: [{ name: "x" }], models: {}, loops: { ceiling: 3 }, tools: [], denyHosts: [], capabilities: [], contracts: { replay: { required: true } },
      rules: { "no-invented-io": "off", "require-timeout": ["error", {}], "replay/missing": "warning" },
    };
    expect(validate(policy) ? [] : validate.errors).toEqual([]);
  });

  it.each([[{}], [{ version: 2 }], [{ version: 1, x: 1 }], [{ version: 1, ports: [{ path: "a" }] }], [{ version: 1, rules: { "parse-error": "off" } }], [{ version: 1, strict: "yes" }]])("refuses %j", (policy) => {
    expect(validate(policy)).toBe(false);
  });
});

describe("what a port covers", () => {
  it.each([
    [["fs"], "fs.read", true], [["fs"], "fs.delete", true], [["db"], "db.write", true], [["cloud"], "cloud.read", true], [["env"], "env.write", true],
    [["fs.write"], "fs.delete", false], [["fs.write"], "fs.write", true], [["net"], "net", true], [["net"], "model", false], [["f"], "fs.read", false], [[], "net", false],
  ])("%j covers %s: %s", (listed, capability, expected) => {
    expect(coversCapability(listed, capability)).toBe(expected);
  });
});

it.each([
  "claude", "Claude", "@claude", "claude-code", "ClaudeCode", "Claude Code", "Claude Opus 4.5", "Claude <noreply@anthropic.com>", "codex", "gpt-5", "GPT-4o", "ChatGPT", "gemini",
  "gemini-2.5-pro", "devin", "devin-ai", "cursor", "Cursor Agent", "dependabot", "AI agent", "an AI", "the assistant", "GitHub Copilot", "GitHubCopilot", "copilot-swe-agent", "root",
  "github-actions", "large language model", "robot", "ｃｌａｕｄｅ", "-", "--", "?", "42",
])("%j is a machine or nobody", (owner) => {
  expect(ownerProblem(owner)).toMatch(/^(?:is a machine or nobody|holds no letter)/);
});

it.each([
  "Claude Dupont", "claude.dupont", "Jean-Claude", "Devin Smith", "@devin-smith", "Gemini Okafor", "claude@dupont.fr", "ai-platform", "AI team", "agents", "models", "cursor-rendering",
  "root cause team", "Codex Legal", "bots-and-tools", "github-admins", "ci", "Abbot", "平台团队", "équipe-paiement",
])("%j is a person or a team", (owner) => {
  expect(ownerProblem(owner)).toBeNull();
});

it.each(["ai", "@Copilot", "renovate[bot]", "release-bot", "#team", "whoever is on call", "nobody", " ", "TODO", "<owner>", "replace_me"])("%j is no owner", (owner) => {
  expect(ownerProblem(owner)).not.toBeNull();
});

it.each(["payments", "@payments", "Ada Lovelace", "todo-service", "robot team", "abbot"])("%j is an owner", (owner) => {
  expect(ownerProblem(owner)).toBeNull();
});

it("knows the calendar", () => {
  expect(endOfDay("2026-02-28")).toBe(Date.UTC(2026, 2, 1));
  expect(["2026-02-30", "2026-13-01", "2026-1-1", "2025-02-29", "20260101", "2026-00-10"].map(endOfDay)).toEqual([null, null, null, null, null, null]);
  expect(endOfDay("2024-02-29")).not.toBeNull();
});
