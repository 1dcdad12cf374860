import { describe, expect, it } from "vitest";
import { changeTester } from "../testing/change.ts";
import { checker } from "../testing/check.ts";
import { makeTree } from "../testing/tree.ts";

const { found, check } = checker("test-unfinished");
const change = changeTester("unfinished");

/** Functions of another module that call each other in a row; the last one sends a write. */
const CHAINS = {
  python: (length: number) => ["import httpx", ...Array.from({ length }, (_, index) => `def f${index}(): ${index === length - 1 ? "httpx.post('https://a.example')" : `f${index + 1}()`}`), ""].join("\n"),
  typescript: (length: number) => ['import axios from "axios";', ...Array.from({ length }, (_, index) => `export function f${index}(): void { ${index === length - 1 ? 'void axios.post("https://a.example");' : `f${index + 1}();`} }`), ""].join("\n"),
};

const TREES = [
  ["python", "chain.py", "run.py", "from chain import f0\ndef run():\n    while True:\n        f0()\n", "    # agentgate: allow not-judged -- read by eye, payments\n    while"],
  ["typescript", "chain.ts", "run.ts", 'import { f0 } from "./chain";\nexport function run(): void {\n  for (;;) {\n    f0();\n  }\n}\n', "  // agentgate: allow not-judged -- read by eye, payments\n  for"],
] as const;

const POLICY = 'version: 1\nrules:\n  no-invented-io: off\n  require-timeout: off\n';

describe.each(TREES)("a verdict behind more calls than are followed, %s", (language, chain, run, source, directive) => {
  const files = (length: number, text: string = source): Record<string, string> => ({ "agentgate.yml": POLICY, [chain]: CHAINS[language](length), [run]: text });

  it("is a warning at its place, and names the rule and what lies there", async () => {
    const { findings, summary } = await check(makeTree(files(300)));
    expect(findings.map(({ path, start, severity, rule, capability }) => [path, start.line, severity, rule, capability])).toEqual([[run, 3, "warning", "not-judged", null]]);
    expect(findings[0]!.message).toMatch(/^What f0 runs was not followed to its end: .* it can reach the network\. Whether no-unbounded-loop would report this place is not known\. /);
    expect(findings[0]!.related.map(({ path, start }) => [path, start.line])).toEqual([[run, 4]]);
    expect(summary).toMatchObject({ errors: 0, warnings: 1 });
  });

  it("is the rule's own over 200 calls", async () => {
    expect(await found(files(200))).toEqual([expect.stringMatching(/ error no-unbounded-loop \(net\)$/)]);
  });

  it("says nothing where the rule is off, and is silenced by no directive", async () => {
    expect(await found(files(300), { rules: { "no-unbounded-loop": "off" } })).toEqual([]);
    const silenced = await found(files(300, source.replace(directive.split("\n")[1]!, directive)));
    expect(silenced.filter((line) => line.includes("not-judged"))).toEqual([expect.stringContaining(`${run}:4:`)]);
  });

  it("is an error where a change brings it, also by way of another module", async () => {
    const [near, far] = [files(200), files(300)];
    const failing = (lines: readonly string[]): readonly string[] => lines.filter((line) => line.includes("error not-judged"));
    expect(failing(await change.found({ "agentgate.yml": POLICY, [chain]: far[chain]! }, { [run]: far[run]! }))).toHaveLength(1);
    expect(failing(await change.found(near, { [chain]: far[chain]! }))).toHaveLength(1);
    expect(failing(await change.found(far, { [run]: `${source}\n` }))).toEqual([]);
  });
});
