import { changeTester } from "@agentgate/engine/testing";
import { describe, expect, it } from "vitest";
import { repositoryOf } from "./repositories.ts";

const { check } = changeTester("change-far-causes");

/** What a change brings of one rule: `path:line` of each finding. */
async function broughtBy(rule: string, base: Readonly<Record<string, string>>, patch: Readonly<Record<string, string>>): Promise<string[]> {
  const report = await check(repositoryOf(base, patch));
  expect(report.error).toBeNull();
  return report.findings.filter((finding) => finding.rule === rule).map(({ path, start }) => `${path}:${String(start.line)}`);
}

describe("a verdict that another module changed", () => {
  it("is given again where a limit for a whole library is taken out", async () => {
    const pages = 'import urllib.request\n\nimport settings\n\n\ndef page(name):\n    return urllib.request.urlopen(settings.BASE + name).read()\n';
    expect(await broughtBy("require-timeout",
      { "settings.py": 'import socket\n\nsocket.setdefaulttimeout(5)\nBASE = "https://pages.example/"\n', "pages.py": pages },
      { "settings.py": 'BASE = "https://pages.example/"\n' },
    )).toEqual(["pages.py:7"]);
  });

  it("is given again where a function starts to run what it is given", async () => {
    const site = 'import { runCommand } from "./shell.ts";\n\nexport const prepare = () => runCommand("npm install");\n';
    const [found, ...others] = await broughtBy("no-runtime-install",
      { "shell.ts": "export function runCommand(text: string) {\n  return text;\n}\n", "site.ts": site },
      { "shell.ts": 'import { execSync } from "node:child_process";\n\nexport function runCommand(text: string) {\n  return execSync(text);\n}\n' },
    );
    expect(others).toEqual([]);
    expect(found).toMatch(/^shell\.ts:\d$/);
  });
});
