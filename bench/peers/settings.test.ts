import { RULE_METAS } from "@agentgate/rules";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { EVASION_LANGUAGES } from "../../tools/fixtures/evasion.ts";
import { COMMANDS } from "./commands.ts";
import { readPeers } from "./install.ts";
import type { CheckMap } from "./score.ts";
import { taskOf, withoutHints } from "./suite.ts";

const rules = new Set(RULE_METAS.map(({ id }) => id));

describe.each(readPeers().map((peer) => [peer.name, peer] as const))("%s", (name, peer) => {
  it("is pinned, known to the runner, and maps its checks to rules of ours", () => {
    expect(peer.packages.filter((one) => !/[=@]\d+\.\d+\.\d+$/.test(one))).toEqual([]);
    expect(peer.languages.filter((language) => !EVASION_LANGUAGES.includes(language))).toEqual([]);
    expect(Object.keys(COMMANDS)).toContain(name);
    const checks = JSON.parse(readFileSync(path.join(import.meta.dirname, name, "checks.json"), "utf8")) as CheckMap;
    expect(Object.values(checks).flat().filter((rule) => !rules.has(rule))).toEqual([]);
  });
});

describe("a task", () => {
  const text = "# technique: eval-by-map\n# past no-dynamic-import: Mapped.\nrun = 1\nmap(eval, [])  # expect: no-dynamic-import, no-invented-io\n";

  it("expects its own rule's finding alone, in the folder of its technique", () => {
    const files = [{ path: "head/eval-by-map.py", text }];
    const task = taskOf({ language: "python", technique: "eval-by-map", rule: "no-dynamic-import", kind: "true", files });
    expect(task.places.map(({ path: file }) => file)).toContain("eval-by-map/eval-by-map.py");
    expect(task.places.every(({ first, last }) => first === 4 && last === 4)).toBe(true);
  });

  it("is written without what the fixture says of itself, line for line", () => {
    expect(withoutHints(text)).toBe("#\n#\nrun = 1\nmap(eval, [])\n");
  });
});
