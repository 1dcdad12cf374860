import { describe, expect, it } from "vitest";
import { kindsBetween, weakeningsBetween } from "./testing/change.ts";
import type { Texts } from "./testing/change.ts";

const MANY = 20_000;
const repeated = (line: (index: number) => string, count = MANY): string => Array.from({ length: count }, (_, index) => line(index)).join("");

describe("files made to be expensive", () => {
  const before: Texts = {
    "agentgate.yml": "version: 1\nstrict: true\n",
    ".github/workflows/ci.yml": "on: [pull_request]\njobs:\n  gate:\n    steps:\n      - run: npx agentgate check\n",
    "eslint.config.js": 'import agentgate from "eslint-plugin-agentgate";\n',
    "package.json": '{ "devDependencies": { "@agentgate/cli": "1.0.0" } }',
    "agentgate-baseline.json": '{\n  "version": 1\n}\n',
    "Makefile": "gate:\n\tnpx agentgate check\n",
  };

  it.each<readonly [string, Texts]>([
    ["ports", { "agentgate.yml": `version: 1\nports:\n${repeated((index) => `  - { path: "a${index}/**", capabilities: [net], owner: payments, note: ledger }\n`, 4000)}` }],
    ["globs", { "agentgate.yml": `version: 1\nextendExclude:\n${repeated((index) => `  - a${index}/{b,c}/**\n`)}` }],
    ["braces", { "agentgate.yml": `version: 1\nextendExclude: ["${"{a,b}".repeat(90)}"]\n` }],
    ["deep globs", { "agentgate.yml": `version: 1\nextendExclude: ["${"**/".repeat(160)}a"]\n` }],
    ["commands", { ".github/workflows/ci.yml": `on: [pull_request]\njobs:\n  gate:\n    steps:\n      - run: |\n${repeated(() => "          cd x; npx agentgate check\n", 5000)}` }],
    ["open brackets in a script", { ".github/workflows/ci.yml": `on: [pull_request]\njobs:\n  gate:\n    steps:\n      - run: "${"$(".repeat(100_000)}"\n` }],
    ["documents in a script", { ".github/workflows/ci.yml": `on: [pull_request]\njobs:\n  gate:\n    steps:\n      - run: |\n${repeated((index) => `          cat <<E${index}\n`)}` }],
    ["jobs that need each other", { ".github/workflows/ci.yml": `on: [pull_request]\njobs:\n${repeated((index) => `  j${index}: { needs: [j${index + 1}, j0], steps: [{ run: npx agentgate check }] }\n`, 800)}` }],
    ["parts of a configuration", { "eslint.config.js": repeated((index) => `"agentgate/r${index}": 0,\n`) }],
    ["open strings", { "eslint.config.js": `import agentgate from "x${"`".repeat(100_001)}` }],
    ["dependencies", { "package.json": `{ "overrides": {\n${repeated((index) => `"agentgate${index}": "x",\n`)} "a": "b" } }` }],
    ["lines", { Makefile: repeated((index) => `\tnpx agentgate check ${index} \\\n`) }],
    ["lines of a baseline", { "agentgate-baseline.json": `{\n${repeated((index) => `  "module a${index}.py": "net",\n`)}  "version": 1\n}\n` }],
    ["nesting", { "package.json": `{ "agentgate": ${"[".repeat(50_000)}${"]".repeat(50_000)} }` }],
  ])("%s: are reported, in bounds", async (_name, edit) => {
    const found = await weakeningsBetween(before, { ...before, ...edit });
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThanOrEqual(160);
  });

  it("with names that JavaScript knows are ordinary", async () => {
    const names = ["__proto__", "constructor", "toString"];
    for (const name of names) {
      expect(await kindsBetween({ "agentgate.yml": `version: 1\ncapabilities: [{ api: ${name}, capability: net }]\n` }, { "agentgate.yml": "version: 1\n" })).toHaveLength(1);
      const job = (run: string): string => `on: [pull_request]\njobs:\n  ${name}:\n    steps:\n      - run: ${run}\n`;
      expect(await kindsBetween({ ".github/workflows/ci.yml": job("npx agentgate check") }, { ".github/workflows/ci.yml": job("'true'") })).toHaveLength(1);
      expect(await kindsBetween({ "package.json": `{ "${name}": "agentgate" }` }, { "package.json": "{}" })).toHaveLength(1);
    }
  });
});
