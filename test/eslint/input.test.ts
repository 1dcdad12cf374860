import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { eslint, makeProject, makeRepository, removeProjects } from "./projects.ts";

afterAll(removeProjects);

const config = (name: string, more = ""): string => `import agentgate from "eslint-plugin-agentgate";\nexport default [...agentgate.configs.${name}${more}];\n`;
const RECOMMENDED = { "eslint.config.js": config("recommended") };
const LOADS = "__import__(name)\n";

const TWO_NAMES = `import { Linter } from "eslint";
import agentgate from "eslint-plugin-agentgate";
const linter = new Linter();
const config = { files: ["**/*.js"], plugins: { agentgate }, rules: { "agentgate/no-dynamic-import": "error" } };
let text = "export const load = (name) => import(name);\\n";
for (const filename of ["src/a.js", "vendored/a.js", "src/a.js"]) {
  console.log(filename + ":" + linter.verify(text, [config], { filename }).map(({ ruleId }) => " " + ruleId).join(""));
  text = linter.getSourceCode();
}
`;

const settings = (text: string): Record<string, string> => ({ "eslint.config.js": config("recommended", `, { settings: { agentgate: ${text} } }`) });

describe("files that are not what they seem", () => {
  it.each([
    ["a name that nobody decodes", "a.py", `# coding: utf-7\n${LOADS}`, "1:11 agentgate/parse-error", "an encoding that cannot be judged"],
    ["a first line for another language", "a.js", "#!/usr/bin/env python3\n", "1:1 agentgate/parse-error", "has python3 run the file"],
    ["bytes of no encoding", "a.py", Buffer.from("x = '\xff'\n", "latin1"), "1:6 agentgate/parse-error", "These bytes are not UTF-8"],
    ["bytes of no encoding in TypeScript", "a.ts", Buffer.from("const x = '\xff';\n", "latin1"), "1:12 agentgate/parse-error", "These bytes are not UTF-8"],
  ])("%s are told as the command does", async (_, name, text, expected, message) => {
    const folder = makeProject(RECOMMENDED);
    writeFileSync(path.join(folder, name), text);
    const { found, messages } = await eslint(folder, [name]);
    expect(found).toContain(`${name}:${expected}`);
    expect(messages.find(({ ruleId }) => ruleId === "agentgate/parse-error")!.message).toContain(message);
  });

  it("takes a source that names the encoding it has", async () => {
    const folder = makeProject(RECOMMENDED);
    writeFileSync(path.join(folder, "a.py"), Buffer.from("# coding: latin-1\nx = '\xff'\n", "latin1"));
    writeFileSync(path.join(folder, "b.py"), "# coding: utf-8\nx = '\ufffd'\n");
    expect((await eslint(folder, ["a.py", "b.py"])).found).toEqual([]);
  });

  it("judges one text under each name that it is linted under", () => {
    const folder = makeProject({ "lint.mjs": TWO_NAMES, "agentgate.yml": "version: 1\nexclude: [\"vendored/**\"]\n" });
    const lines = execFileSync(process.execPath, ["lint.mjs"], { cwd: folder, encoding: "utf8" }).trim().split("\n");
    expect(lines).toEqual(["src/a.js: agentgate/no-dynamic-import", "vendored/a.js:", "src/a.js: agentgate/no-dynamic-import"]);
  });

  it("judges what a link in the tree shows, and says of one that leaves it that it does not", async () => {
    const outside = makeProject({ "away.py": LOADS });
    const folder = makeProject({ ...RECOMMENDED, "real/a.py": LOADS });
    symlinkSync("real/a.py", path.join(folder, "inside.py"));
    symlinkSync(path.join(outside, "away.py"), path.join(folder, "outside.py"));
    const { found, messages } = await eslint(folder, ["inside.py", "outside.py"]);
    expect(found).toEqual(["inside.py:1:1 agentgate/no-dynamic-import", "outside.py:1:1 agentgate/not-judged"]);
    expect(messages[1]!.message).toContain("leaves the tree");
  });

  it("judges a link by itself where nothing judges what it ends at, as the command does", async () => {
    const folder = makeProject({ ...RECOMMENDED, "tests/test_a.py": LOADS, "real.txt": LOADS, "src/b.py": "" });
    symlinkSync("../tests/test_a.py", path.join(folder, "src/excluded.py"));
    symlinkSync("../real.txt", path.join(folder, "src/text.py"));
    const { found } = await eslint(folder, ["src"]);
    expect(found).toEqual(["src/excluded.py:1:1 agentgate/no-dynamic-import", "src/text.py:1:1 agentgate/no-dynamic-import"]);
  });
});

describe("a tree that cannot be read", () => {
  const broken = (config: Readonly<Record<string, string>>): string => {
    const folder = makeProject({ ...config, "a.py": LOADS });
    makeRepository(folder);
    writeFileSync(path.join(folder, ".git/index"), "no index");
    return folder;
  };

  it("is told by the rule that is for it", async () => {
    const { found, messages } = await eslint(broken(RECOMMENDED), ["a.py"]);
    expect(found).toEqual(["a.py:1:1 agentgate/not-judged"]);
    expect(messages[0]!.message).toMatch(/^This file was not judged: .* What it does is not known\. /);
  });

  it("is told by another one where that is off", async () => {
    expect((await eslint(broken({ "eslint.config.js": config("recommended", ', { rules: { "agentgate/not-judged": "off" } }') }), ["a.py"])).found).toHaveLength(1);
  });
});

describe("a working directory that is no project", () => {
  it("leaves a file to its own repository", async () => {
    const folder = makeProject({ ...RECOMMENDED, "project/agentgate.yml": 'version: 1\nexclude: ["vendored/**"]\n', "project/vendored/a.py": LOADS, "project/a.py": LOADS });
    makeRepository(path.join(folder, "project"));
    expect((await eslint(folder, ["project"])).found).toEqual(["project/a.py:1:1 agentgate/no-dynamic-import"]);
  });

  it("leaves a file to the folder that has its manifest", async () => {
    const folder = makeProject({ ...RECOMMENDED, "one/pyproject.toml": "", "one/pay.py": "import httpx\n\n\ndef send():\n    httpx.post('https://a.example', timeout=5)\n", "one/app/run.py": "from pay import send\n\n\ndef run():\n    while True:\n        try:\n            send()\n        except Exception:\n            continue\n", "pay.py": "def send():\n    return 1\n" });
    expect((await eslint(folder, ["one/app/run.py"])).found).toEqual(["one/app/run.py:5:5 agentgate/no-unbounded-loop"]);
  });

  it("is not read when it holds more than anybody waits for", async () => {
    const folder = makeProject({ "eslint.config.mjs": config("recommended"), "tools/a.py": LOADS });
    rmSync(path.join(folder, "package.json"));
    mkdirSync(path.join(folder, "data"));
    for (let file = 0; file < 50_100; file++) writeFileSync(path.join(folder, "data", `${file}.txt`), "");
    expect((await eslint(folder, ["tools/a.py"])).found).toEqual(["tools/a.py:1:1 agentgate/no-dynamic-import"]);
  });
});

describe("settings", () => {
  it.each([
    ["base that is no text", "{ base: 5 }", "settings.agentgate.base is no revision"],
    ["strict that is neither", '{ strict: "yes" }', "settings.agentgate.strict is neither true nor false"],
    ["a function", "{ ports: () => [] }", "settings.agentgate.ports holds what a policy file cannot hold"],
    ["a list", "[]", "settings.agentgate is no object"],
    ["a base that is nowhere", '{ base: "origin/gone" }', "Nothing is compared with origin/gone."],
  ])("with %s are told once, and files are judged", async (_, text, expected) => {
    const folder = makeProject({ ...settings(text), "a.py": LOADS, "b.py": LOADS });
    makeRepository(folder);
    const { found, messages } = await eslint(folder, ["a.py", "b.py"]);
    // ESLint reads files as they come, so that either may be the first.
    const isTold = (one: string): boolean => one.endsWith("agentgate/config");
    expect(found.filter((one) => !isTold(one))).toEqual(["a.py:1:1 agentgate/no-dynamic-import", "b.py:1:1 agentgate/no-dynamic-import"]);
    expect(found.filter(isTold)).toEqual([expect.stringMatching(/^[ab]\.py:1:1 /)]);
    expect(messages.find(({ ruleId }) => ruleId === "agentgate/config")!.message).toContain(expected);
  });

  it("of the editor's config compare with nothing where nothing was committed", async () => {
    const folder = makeProject({ "eslint.config.js": config("editor"), "a.py": "import httpx\nhttpx.get('https://a.example', timeout=5)\n" });
    makeRepository(folder, { files: false });
    const { found, messages } = await eslint(folder, ["a.py"]);
    expect(found).toEqual(["a.py:1:1 agentgate/config"]);
    expect(messages[0]!.message).toContain("Nothing is compared with HEAD.");
  });
});
