import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import picomatch from "picomatch";
import { surveyOf } from "./survey.ts";
import { policyText } from "./template.ts";

const uses = (...capabilities: string[]) => capabilities.map((capability) => ({ capability, api: "x", sites: [{ line: 1, column: 1 }] }));
const text = (modules: Parameters<typeof surveyOf>[0]["modules"]): string => policyText(surveyOf({ modules }));

/** The file as it reads once a person has kept every proposal. */
function uncommented(policy: string): { ports: { path: string; capabilities: string[]; owner: string; note: string }[] } {
  const lines = policy.split("\n").map((line) => (/^#( {2}(- path|  )|ports:)/.test(line) ? line.slice(1) : line));
  return parse(lines.join("\n")) as ReturnType<typeof uncommented>;
}

describe("a policy file for a tree", () => {
  const modules = [
    { path: "src/adapters/ledger/client.py", capabilities: uses("net", "env.read") },
    { path: "src/adapters/mail.ts", capabilities: uses("mail") },
    { path: "src/app/[id]/page.tsx", capabilities: uses("net", "net") },
    { path: "src/only-reads.ts", capabilities: uses("fs.read", "env.read") },
  ];

  it("has nothing in force but the version", () => {
    expect(parse(text(modules))).toEqual({ version: 1 });
    expect(parse(text([]))).toEqual({ version: 1 });
  });

  it("proposes the folders that hold I/O, with what they do, and the modules beside them", () => {
    expect(uncommented(text(modules)).ports.map(({ path, capabilities }) => ({ path, capabilities }))).toEqual([
      { path: "src/adapters/**", capabilities: ["mail", "net"] },
      { path: "src/app/\\[id\\]/page.tsx", capabilities: ["net"] },
    ]);
  });

  it("licenses nothing until a person has written owner and note: `<…>` is refused as a placeholder", () => {
    for (const policy of [text(modules), text([])]) {
      for (const { owner, note } of uncommented(policy).ports) expect([owner, note]).toEqual(["<team>", "<why>"]);
    }
  });

  it.each([
    "a[b].py", "a*b.py", "a{b,c}.py", "(x)/!a.py", "!a.py", 'a"b.py', "a\\b.py", "a#b: c.py", "- a.py", "日本.py", "a\nports:\n- x.py", "a\u202eb.py", "a?.py", "{{x}}.py",
  ])("writes %j as a glob for itself alone, on one line", (path) => {
    const policy = text([{ path, capabilities: uses("net") }]);
    expect(parse(policy)).toEqual({ version: 1 });
    const glob = uncommented(policy).ports[0]!.path;
    expect(picomatch.isMatch(path, glob, { dot: true })).toBe(true);
    expect(policy).not.toMatch(/\u202e/);
  });

  it("speaks of gates, models and loops where the tree writes or calls models", () => {
    const keys = (capabilities: readonly string[]): string[] => {
      const policy = text([{ path: "src/a.py", capabilities: uses(...capabilities) }]);
      expect(parse(policy)).toEqual({ version: 1 });
      return ["gates", "models", "loops"].filter((key) => policy.includes(`\n#${key}:\n`));
    };
    expect(keys(["net", "fs.read"])).toEqual([]);
    expect(keys(["fs.delete"])).toEqual(["gates", "loops"]);
    expect(keys(["model"])).toEqual(["models", "loops"]);
    const policy = text([{ path: "src/a.py", capabilities: uses("pay", "model") }]);
    const blocks = policy.split("\n\n").filter((block) => /^#(?:gates|models|loops):/m.test(block));
    const kept = blocks.flatMap((block) => block.split("\n").filter((line) => !/^# \S/.test(line)).map((line) => line.slice(1))).join("\n");
    expect(parse(kept)).toEqual({ gates: [{ name: "write_gate", module: "app.gate" }], models: { policy: "pinned", allow: [] }, loops: { ceiling: 100 } });
    expect(policy).toContain("1 module can call one");
  });

  it("names a few modules and counts the others", () => {
    const many = Array.from({ length: 15 }, (_, index) => ({ path: `src/m${index}.py`, capabilities: uses("net") }));
    expect(uncommented(text(many)).ports).toHaveLength(10);
    expect(text(many)).toContain("and 5 more modules");
  });
});
