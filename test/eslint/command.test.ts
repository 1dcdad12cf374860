import { symlinkSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { eslint, makeProject, makeRepository, removeProjects, VERSIONS, write } from "./projects.ts";
import type { Version } from "./projects.ts";

afterAll(removeProjects);

const PYTHON = "import httpx\n\n\ndef pay(name):\n    module = __import__(name)\n    while True:\n        try:\n            httpx.post('https://a.example', json={})\n        except Exception:\n            continue\n    return module\n";
const TYPESCRIPT = 'import axios from "axios";\n\nexport async function pay(): Promise<void> {\n  for (;;) {\n    try {\n      await axios.post("https://a.example", {});\n    } catch {\n      continue;\n    }\n  }\n}\n';
const JAVASCRIPT = "export const load = (name) => import(name);\n";

const SOURCES = { "src/a.py": PYTHON, "src/b.ts": TYPESCRIPT, "src/c.js": JAVASCRIPT };
const config = (name: string, more = ""): string => `import agentgate from "eslint-plugin-agentgate";\nexport default [...agentgate.configs.${name}${more}];\n`;
const PORT = 'version: 1\nports:\n  - { path: "src/b.ts", capabilities: [net], owner: payments, note: sends the money }\n';

const RECOMMENDED = ["src/a.py:5:14 agentgate/no-dynamic-import", "src/a.py:6:5 agentgate/no-unbounded-loop", "src/b.ts:4:3 agentgate/no-unbounded-loop", "src/b.ts:6:19 agentgate/require-timeout", "src/c.js:1:31 agentgate/no-dynamic-import"];

describe.each(Object.keys(VERSIONS) as Version[])("%s", (version) => {
  it("lints Python, TypeScript and JavaScript with the recommended config", async () => {
    const { found, status } = await eslint(makeProject({ ...SOURCES, "eslint.config.js": config("recommended") }, { version }), ["."]);
    expect(found.filter((one) => !one.startsWith("eslint.config"))).toEqual(RECOMMENDED);
    expect(status).toBe(1);
  });

  it("lints them with the configuration that is shipped, in folders below too", async () => {
    const { found } = await eslint(makeProject(SOURCES, { version }), ["-c", "node_modules/eslint-plugin-agentgate/config.js", "."]);
    expect(found).toEqual(RECOMMENDED);
  });

  it("lints by --plugin and --rule alone", async () => {
    const { found, status } = await eslint(makeProject(SOURCES, { version }), ["--no-config-lookup", "--plugin", "agentgate", "--rule", "agentgate/no-dynamic-import: error", "src/c.js"]);
    expect(found).toEqual(["src/c.js:1:31 agentgate/no-dynamic-import"]);
    expect(status).toBe(1);
  });

  it("reports what modules can do under a policy with ports, and what it licenses not", async () => {
    const { found } = await eslint(makeProject({ ...SOURCES, "agentgate.yml": PORT, "eslint.config.js": config("recommended") }, { version }), ["src"]);
    expect(found.filter((one) => one.endsWith("no-invented-io"))).toEqual(["src/a.py:1:8 agentgate/no-invented-io"]);
  });

  it("always reports it with the strict config", async () => {
    const { found } = await eslint(makeProject({ ...SOURCES, "eslint.config.js": config("strict") }, { version }), ["src"]);
    expect(found.filter((one) => one.endsWith("no-invented-io"))).toEqual(["src/a.py:1:8 agentgate/no-invented-io", "src/b.ts:1:19 agentgate/no-invented-io"]);
  });

  it("reports what it could not do at HEAD with the editor's config", async () => {
    const folder = makeProject({ ...SOURCES, "eslint.config.js": config("editor") }, { version });
    makeRepository(folder);
    write(folder, { "src/a.py": `import subprocess\n${PYTHON}`, "src/d.ts": 'import fs from "node:fs";\nfs.rmSync("x");\n' });
    const { found } = await eslint(folder, ["src"]);
    expect(found.filter((one) => one.endsWith("no-invented-io"))).toEqual(["src/a.py:1:8 agentgate/no-invented-io", "src/d.ts:2:4 agentgate/no-invented-io"]);
  });

  it("compares with HEAD whichever rule asks first", async () => {
    const first = `import agentgate from "eslint-plugin-agentgate";\nexport default agentgate.configs.editor.map((one) => (one.rules === undefined ? one : { ...one, rules: { "agentgate/not-judged": "warn", ...one.rules } }));\n`;
    const folder = makeProject({ ...SOURCES, "agentgate.yml": PORT.replace("src/b.ts", "src/other.ts"), "eslint.config.js": first }, { version });
    makeRepository(folder);
    const { found } = await eslint(folder, ["src"]);
    expect(found.filter((one) => one.endsWith("no-invented-io"))).toEqual([]);
  });

  it("honours comments of agentgate and of ESLint, and tells broken ones", async () => {
    const python = "import importlib\n# agentgate: allow no-dynamic-import -- read from a checked table, core\nimportlib.import_module(name)\nimportlib.import_module(name)  # type: ignore  # eslint-disable-line agentgate/no-dynamic-import -- reviewed\n# agentgate: allow no-dynamic-import\nimportlib.import_module(name)\n";
    const script = "// agentgate: allow no-dynamic-import -- read from a checked table, core\nawait import(name);\n/* agentgate: allow no-dynamic-import */\nawait import(name);\n";
    const { found } = await eslint(makeProject({ "a.py": python, "b.js": script, "eslint.config.js": config("recommended") }, { version }), ["a.py", "b.js"]);
    expect(found).toEqual(["a.py:5:1 agentgate/unused-suppression", "a.py:6:11 agentgate/no-dynamic-import", "b.js:3:1 agentgate/unused-suppression", "b.js:4:7 agentgate/no-dynamic-import"]);
  });

  it("takes the policy of the settings, and says once that it is another one than the file's", async () => {
    const settings = ', { settings: { agentgate: { ports: [{ path: "src/a.py", capabilities: ["net"], owner: "payments", note: "sends" }] } } }';
    const { messages, found } = await eslint(makeProject({ ...SOURCES, "agentgate.yml": PORT, "eslint.config.js": config("recommended", settings) }, { version }), ["src"]);
    expect(found.filter((one) => one.endsWith("no-invented-io"))).toEqual(["src/b.ts:1:19 agentgate/no-invented-io"]);
    expect(messages.filter(({ ruleId }) => ruleId === "agentgate/config").map(({ message }) => message)).toEqual([expect.stringContaining("settings.agentgate and agentgate.yml differ")]);
  });

  it("judges Python under either of its endings", async () => {
    const { found } = await eslint(makeProject({ "tray.pyw": "__import__(name)\n", "main.py": "__import__(name)\n", "eslint.config.js": config("recommended") }, { version }), ["."]);
    expect(found).toEqual(["main.py:1:1 agentgate/no-dynamic-import", "tray.pyw:1:1 agentgate/no-dynamic-import"]);
  });

  it("judges what it can of broken, empty and large files", async () => {
    const large = `x = 1\n${"# a comment that goes on for a while\n".repeat(150_000)}`;
    const files = { "broken.py": "import importlib\nimportlib.import_module(name)\ndef (:\n", "empty.py": "", "empty.js": "", "large.py": large, "eslint.config.js": config("recommended") };
    const { found, messages } = await eslint(makeProject(files, { version }), ["broken.py", "empty.py", "empty.js", "large.py"]);
    expect(found).toEqual(["broken.py:2:11 agentgate/no-dynamic-import", "broken.py:3:5 agentgate/parse-error", "large.py:1:1 fatal"]);
    expect(messages.at(-1)?.message).toMatch(/^Parsing error: This file has \d+ characters, more than the \d+ that are read in an editor\. Split it\.$/);
  });

  it("finds what a function of another module does", async () => {
    const files = { "pay.py": "import httpx\n\n\ndef send():\n    httpx.post('https://a.example', timeout=5)\n", "run.py": "from pay import send\n\n\ndef run():\n    while True:\n        try:\n            send()\n        except Exception:\n            continue\n", "eslint.config.js": config("recommended") };
    expect((await eslint(makeProject(files, { version }), ["run.py"])).found).toEqual(["run.py:5:5 agentgate/no-unbounded-loop"]);
  });

  it("sees a change of the policy through ESLint's cache", async () => {
    const folder = makeProject({ ...SOURCES, "agentgate.yml": PORT, "eslint.config.js": config("recommended") }, { version });
    const invented = async (): Promise<string[]> => (await eslint(folder, ["--cache", "src"])).found.filter((one) => one.endsWith("no-invented-io"));
    expect(await invented()).toEqual(["src/a.py:1:8 agentgate/no-invented-io"]);
    write(folder, { "agentgate.yml": PORT.replace("src/b.ts", "src/*") });
    expect(await invented()).toEqual([]);
  });

  it("says once that TypeScript is left out where its parser is not installed", async () => {
    const { found, stderr, status } = await eslint(makeProject({ "src/c.js": JAVASCRIPT, "src/a.py": PYTHON, "eslint.config.js": config("recommended") }, { version, packages: [] }), ["src"]);
    // The workspace that the plugin is linked from has the parser; a packed one is tried in packed.test.ts.
    expect(status).toBe(1);
    expect(found).toContain("src/c.js:1:31 agentgate/no-dynamic-import");
    expect(stderr.match(/AgentgateWarning/g)?.length ?? 0).toBeLessThanOrEqual(1);
  });

  it("judges JSX", async () => {
    const { found } = await eslint(makeProject({ "a.jsx": "export const Page = ({ name }) => <div>{import(name)}</div>;\n", "eslint.config.js": config("recommended") }, { version }), ["a.jsx"]);
    expect(found).toEqual(["a.jsx:1:41 agentgate/no-dynamic-import"]);
  });

  it("tells of a policy that is one word, and judges by the default", async () => {
    const { found, messages } = await eslint(makeProject({ "a.py": "__import__(name)\n", "agentgate.yml": "hello", "eslint.config.js": config("recommended") }, { version }), ["a.py"]);
    expect(found).toEqual(["a.py:1:1 agentgate/no-dynamic-import", "a.py:1:1 agentgate/config"]);
    expect(messages.at(-1)?.message).toContain("Correct the file, or write a policy into settings.agentgate");
    expect(messages.map(({ message }) => message).join("\n")).not.toMatch(/--config|agentgate init/);
    expect(messages[1]!.message).toContain("no mapping");
  });

  it("does not follow a policy out of the tree, however much there is to read", async () => {
    const folder = makeProject({ "a.py": "__import__(name)\n", "eslint.config.js": config("recommended") }, { version });
    symlinkSync("/dev/zero", path.join(folder, "agentgate.yml"));
    const { found, messages } = await eslint(folder, ["a.py"]);
    expect(found).toEqual(["a.py:1:1 agentgate/no-dynamic-import", "a.py:1:1 agentgate/config"]);
    expect(messages[1]!.message).toContain("symbolic link that leaves the tree");
  });

  it("walks the folders where git knows nothing of them", async () => {
    const folder = makeProject({ "a.py": "__import__(name)\n", ".git": "gitdir: /nowhere\n", "eslint.config.js": config("recommended") }, { version });
    const { found, messages } = await eslint(folder, ["a.py"]);
    expect(found).toEqual(["a.py:1:1 agentgate/no-dynamic-import", "a.py:1:1 agentgate/config"]);
    expect(messages[1]!.message).toContain("The folders are walked instead");
  });

  it("can be required by a CommonJS configuration", async () => {
    const files = { ...SOURCES, "eslint.config.cjs": 'const agentgate = require("eslint-plugin-agentgate");\nmodule.exports = [...agentgate.configs.recommended];\n' };
    expect((await eslint(makeProject(files, { version }), ["src"])).found).toEqual(RECOMMENDED);
  });
});

describe("ESLint 10", () => {
  it.each([
    ["a key that is none", "version: 1\nportss: []\n", /^agentgate\.yml:2: `portss` is no key/],
    ["a capability that is none", 'version: 1\nports:\n  - { path: "src/b.ts", capabilities: [nett], owner: payments, note: sends }\n', /^agentgate\.yml:3: .*"nett"/],
    ["no YAML", "version: [1\n", /^agentgate\.yml is no YAML that agentgate reads: line \d+: .* Until then no policy is in force\.$/],
  ])("tells of a policy with %s at its line, and judges on", async (_name, policy, expected) => {
    const { messages } = await eslint(makeProject({ ...SOURCES, "agentgate.yml": policy, "eslint.config.js": config("recommended") }), ["src"]);
    const told = messages.filter(({ ruleId }) => ruleId === "agentgate/config");
    expect(told.map(({ message, severity }) => [message, severity])).toEqual([[expect.stringMatching(expected), 2]]);
    expect(messages.some(({ ruleId }) => ruleId === "agentgate/no-dynamic-import")).toBe(true);
  });

  it("tells of an unknown capability in the settings", async () => {
    const settings = ', { settings: { agentgate: { ports: [{ path: "src/a.py", capabilities: ["nett"], owner: "payments", note: "sends" }] } } }';
    const { messages } = await eslint(makeProject({ ...SOURCES, "eslint.config.js": config("recommended", settings) }), ["src"]);
    expect(messages.filter(({ ruleId }) => ruleId === "agentgate/config").map(({ message }) => message)).toEqual([expect.stringMatching(/^settings\.agentgate: .*"nett"/)]);
  });

  it("lints in several threads with the same answer", async () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`src/m${index}.py`, PYTHON]));
    const folder = makeProject({ ...many, "eslint.config.js": config("recommended") });
    const alone = await eslint(folder, ["src"]);
    expect((await eslint(folder, ["--concurrency", "2", "src"])).found).toEqual(alone.found);
    expect(alone.found).toHaveLength(24);
  });

  it("keeps what was there under bulk suppressions", async () => {
    const folder = makeProject({ ...SOURCES, "eslint.config.js": config("recommended") });
    await eslint(folder, ["--suppress-all", "src"]);
    expect((await eslint(folder, ["src"])).found.filter((one) => !one.endsWith("require-timeout"))).toEqual([]);
    write(folder, { "src/c.js": `${JAVASCRIPT}export const other = (name) => import(name);\n` });
    expect((await eslint(folder, ["src"])).found.filter((one) => one.startsWith("src/c.js"))).toHaveLength(2);
  });

  it("refuses a rule on a language that it knows nothing of", async () => {
    const files = { "a.json": "{}", "eslint.config.js": 'import agentgate from "eslint-plugin-agentgate";\nimport yml from "eslint-plugin-yml";\nexport default [{ files: ["**/*.yml"], language: "yml/yaml", plugins: { yml, agentgate }, rules: { "agentgate/no-dynamic-import": "error" } }];\n', "a.yml": "a: 1\n" };
    const { status, stderr } = await eslint(makeProject(files, { packages: ["eslint-plugin-yml"] }), ["a.yml"]);
    expect([status, stderr]).toEqual([2, expect.stringContaining("no-dynamic-import")]);
  });

  it("tells in the policy's own text what is wrong with it, at its line", async () => {
    const files = { "agentgate.yml": "version: 1\nportss: []\n", "deep/agentgate.yml": "version: 1\n", "eslint.config.js": 'import agentgate from "eslint-plugin-agentgate";\nimport yml from "eslint-plugin-yml";\nexport default [{ files: ["**/*.yml"], language: "yml/yaml", plugins: { yml, agentgate }, rules: { "agentgate/config": "error" } }];\n' };
    const { found } = await eslint(makeProject(files, { packages: ["eslint-plugin-yml"] }), ["."]);
    expect(found).toEqual(["agentgate.yml:2:1 agentgate/config", "deep/agentgate.yml:1:1 agentgate/config"]);
  });
});
