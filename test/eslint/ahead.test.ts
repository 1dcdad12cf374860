import { execFileSync } from "node:child_process";
import { afterAll, describe, expect, it } from "vitest";
import { makeProject, removeProjects } from "./projects.ts";

afterAll(removeProjects);

/** Lints texts one after the other in one process, where all but the first of an ending are judged while ESLint parses them. */
const SCRIPT = `import { ESLint } from "eslint";
import agentgate from "eslint-plugin-agentgate";
import { readFileSync, writeFileSync } from "node:fs";
const linters = new Map();
const linterFor = (settings) => {
  const key = JSON.stringify(settings ?? null);
  if (!linters.has(key)) linters.set(key, new ESLint({ overrideConfigFile: true, overrideConfig: [...agentgate.configs.recommended, ...settings === undefined ? [] : [{ settings: { agentgate: settings } }]] }));
  return linters.get(key);
};
const told = [];
for (const { file, text, settings, policy, helper } of JSON.parse(readFileSync("texts.json", "utf8"))) {
  if (policy !== undefined) writeFileSync("agentgate.yml", policy);
  if (helper !== undefined) {
    // Somebody who types writes another file in between.
    writeFileSync(helper.file, helper.text);
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
  const [{ messages }] = await linterFor(settings).lintText(text, { filePath: file });
  told.push(messages.map(({ line, ruleId, message }) => line + " " + (ruleId ?? message.slice(0, 24)).replace("agentgate/", "")));
}
console.log(JSON.stringify(told));
`;

interface Text {
  readonly file: string;
  readonly text: string;
  readonly settings?: object;
  /** What is written to the policy file before. */
  readonly policy?: string;
  /** Another file that is written before. */
  readonly helper?: { readonly file: string; readonly text: string };
}

function lintEach(texts: readonly Text[], files: Readonly<Record<string, string>> = {}): string[][] {
  const folder = makeProject({ "lint.mjs": SCRIPT, "texts.json": JSON.stringify(texts), ...files });
  return JSON.parse(execFileSync(process.execPath, ["lint.mjs"], { cwd: folder, encoding: "utf8" })) as string[][];
}

const LANGUAGES = [
  { ending: "py", clean: "x = 1\n", loads: (line: number): string => `${"\n".repeat(line - 1)}__import__(name)\n`, net: "import httpx\nhttpx.get(url, timeout=5)\n", broken: "def (:\n" },
  { ending: "ts", clean: "export const x = 1;\n", loads: (line: number): string => `${"\n".repeat(line - 1)}await import(name);\n`, net: 'import got from "got";\nawait got(url, { timeout: { request: 500 } });\n', broken: "const = ;\n" },
] as const;

describe.each(LANGUAGES)("texts of .$ending judged ahead", ({ ending, clean, loads, net, broken }) => {
  const file = `src/a.${ending}`;

  it("are told as they are after each edit", () => {
    const texts = [clean, loads(1), clean, loads(3), `#!/usr/bin/env x\n${loads(1)}`, loads(2)].map((text) => ({ file, text }));
    const told = lintEach(ending === "py" ? texts.filter(({ text }) => !text.startsWith("#!")) : texts);
    expect(told[0]).toEqual([]);
    expect(told[1]).toEqual(["1 no-dynamic-import"]);
    expect(told[2]).toEqual([]);
    expect(told[3]).toEqual(["3 no-dynamic-import"]);
    expect(told.at(-1)).toEqual(["2 no-dynamic-import"]);
  });

  it("are judged by the settings that they have, not by those of the text before", () => {
    const ports = (path: string): object => ({ ports: [{ path, capabilities: ["net"], owner: "payments", note: "sends" }] });
    const told = lintEach([{ file, text: net, settings: ports("src/**") }, { file, text: net, settings: ports("other/**") }, { file, text: net, settings: ports("src/**") }, { file, text: net }]);
    expect(told.map((each) => each.map((one) => one.replace(/^\d+ /, "")))).toEqual([[], ["no-invented-io"], [], []]);
  });

  it("are told of the file that they are, whatever was linted before", () => {
    const told = lintEach([{ file, text: loads(1) }, { file: `vendored/a.${ending}`, text: loads(1) }, { file: `src/b.${ending}`, text: loads(2) }, { file, text: loads(1) }], { "agentgate.yml": 'version: 1\nexclude: ["vendored/**"]\n' });
    expect(told).toEqual([["1 no-dynamic-import"], [], ["2 no-dynamic-import"], ["1 no-dynamic-import"]]);
  });

  it("see a module that was written since the last one", () => {
    const [uses, helper] = ending === "py"
      ? ["from helper import send\n\n\ndef run():\n    while True:\n        try:\n            send()\n        except Exception:\n            continue\n", "import httpx\n\n\ndef send():\n    httpx.post('https://a.example', timeout=5)\n"]
      : ['import { send } from "./helper.js";\n\nexport async function run(): Promise<void> {\n  for (;;) {\n    try {\n      await send();\n    } catch {\n      continue;\n    }\n  }\n}\n', 'import got from "got";\n\nexport async function send(): Promise<void> {\n  await got.post("https://a.example", { timeout: { request: 500 } });\n}\n'];
    const told = lintEach([{ file: `a.${ending}`, text: uses }, { file: `a.${ending}`, text: uses, helper: { file: `helper.${ending}`, text: helper } }]);
    expect(told).toEqual([[], [expect.stringMatching(/ no-unbounded-loop$/)]]);
  });

  it("leave what is wrong with a policy to a text that is asked about under it", () => {
    const told = lintEach([
      { file, text: clean, settings: { base: "HEAD" }, policy: "version: 1\n" },
      { file: `src/b.${ending}`, text: clean, settings: { strict: true }, policy: "version: 1\nportss: []\n" },
      { file, text: clean, settings: { base: "HEAD" } },
    ]);
    expect(told[2]).toEqual(["1 config"]);
  });

  it("are judged on after one that is broken, and one that nests without end", () => {
    const deep = ending === "py" ? `x = ${"(".repeat(5000)}${")".repeat(5000)}\n` : `export const x = ${"[".repeat(2500)}${"]".repeat(2500)};\n`;
    const told = lintEach([clean, broken, loads(1), deep, loads(2)].map((text) => ({ file, text })));
    expect(told[1]).not.toEqual([]);
    expect([told[2], told[4]]).toEqual([["1 no-dynamic-import"], ["2 no-dynamic-import"]]);
  });
});
