import { describe, expect, it } from "vitest";
import type { Suppressed } from "./input.ts";
import { kindsBetween, weakeningsBetween } from "./testing/change.ts";
import type { ChangeSetup } from "./testing/change.ts";

const ALLOW = "# agentgate: allow no-invented-io -- needed for sync, payments\n";
const one = (fingerprint: string, line: number): Suppressed => ({ rule: "no-invented-io", fingerprint, reason: "needed for sync", owner: "payments", line });

function suppressing(base: readonly Suppressed[], head: readonly Suppressed[]): NonNullable<ChangeSetup["suppressed"]> {
  return (side) => (side === "base" ? base : head);
}

describe("our suppressions", () => {
  it("are reported where they are new, with what they suppress", async () => {
    const [found] = await weakeningsBetween({ "a.py": "import os\n" }, { "a.py": `import os\n${ALLOW}import httpx\n` }, { suppressed: suppressing([], [one("f1", 2)]) });
    expect(found).toMatchObject({ kind: "suppression-added", path: "a.py", start: { line: 2, column: 1 }, record: "a.py\0no-invented-io\0f1\0needed for sync" });
    expect(found?.message).toContain("A comment that allows no-invented-io (\"needed for sync\", payments) is new");
  });

  it.each([
    ["one that suppresses nothing yet", "x = 1\n", `${ALLOW}x = 1\n`, [], []],
    ["in a new file", null, `${ALLOW}import httpx\n`, [], [one("f1", 1)]],
    ["a second equal one", `${ALLOW}import httpx\n`, `${ALLOW}import httpx\n${ALLOW}import httpx\n`, [one("f1", 1)], [one("f1", 1), one("f1", 3)]],
    ["moved over other code", `${ALLOW}import httpx\nimport socket\n`, `import httpx\n${ALLOW}import socket\n`, [one("f1", 1)], [one("f2", 2)]],
    ["over a second finding", `${ALLOW}import httpx\n`, `${ALLOW}import httpx, socket\n`, [one("f1", 1)], [one("f1", 1), one("f2", 1)]],
    ["one that suppressed nothing until now", `${ALLOW}x = 1\n`, `${ALLOW}import httpx\n`, [], [one("f1", 1)]],
    ["with another reason", `${ALLOW}import httpx\n`, `${ALLOW.replace("sync", "demo")}import httpx\n`, [one("f1", 1)], [{ ...one("f1", 1), reason: "needed for demo" }]],
    ["in a pragma behind another", "import httpx\n", "import httpx  # noqa # agentgate: allow no-invented-io -- needed for sync, payments\n", [], [one("f1", 1)]],
  ])("reported: %s", async (_name, base, head, before, after) => {
    const found = await kindsBetween(base === null ? {} : { "a.py": base }, { "a.py": head }, { suppressed: suppressing(before, after) });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^suppression-(added|widened) a\.py:/);
  });

  it.each([
    ["moved with its code", `${ALLOW}import httpx\n`, `import os\n\n${ALLOW}import httpx\n`, [one("f1", 1)], [one("f1", 3)]],
    ["written on the line itself", `${ALLOW}import httpx\n`, `import httpx  ${ALLOW}`, [one("f1", 1)], [one("f1", 1)]],
    ["whose finding is gone", `${ALLOW}import httpx\n`, `${ALLOW}x = 1\n`, [one("f1", 1)], []],
    ["gone", `${ALLOW}import httpx\n`, "import httpx\n", [one("f1", 1)], []],
    ["without reason or owner", "x = 1\n", "# agentgate: allow no-invented-io\nx = 1\n", [], []],
    ["of a rule that cannot be suppressed", "x = 1\n", "# agentgate: allow parse-error -- x, payments\nx = 1\n", [], []],
    ["in a string", "x = 1\n", `x = """\n${ALLOW}"""\n`, [], []],
    ["with another owner", `${ALLOW}import httpx\n`, `${ALLOW.replace("payments", "platform")}import httpx\n`, [one("f1", 1)], [{ ...one("f1", 1), owner: "platform" }]],
  ])("silent: %s", async (_name, base, head, before, after) => {
    expect(await kindsBetween({ "a.py": base }, { "a.py": head }, { suppressed: suppressing(before, after) })).toEqual([]);
  });

  it("keep what they suppress when their module is renamed, not when it is copied", async () => {
    const text = `${ALLOW}import httpx\n`;
    expect(await kindsBetween({ "a.py": text }, { "b.py": `import os\n${text}` }, { renames: { "b.py": "a.py" }, suppressed: suppressing([one("f1", 1)], [one("f1", 2)]) })).toEqual([]);
    expect(await kindsBetween({ "a.py": text }, { "a.py": text, "b.py": text }, { suppressed: () => [one("f1", 1)] })).toEqual(["suppression-added b.py:1"]);
  });

  it("are told apart by the ten thousand, each at its own place", async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `${ALLOW.replace("sync", `sync ${index}`)}import m${index}\n`);
    const found = await weakeningsBetween({ "a.py": lines[0]! }, { "a.py": lines.join("") });
    expect(found).toHaveLength(9_999);
    expect(new Set(found.map(({ start }) => start.line)).size).toBe(9_999);
  });

  it("keep their record when the rest of the module changes", async () => {
    const records = await Promise.all(["x = 1\n", "x = 2\n"].map((more) => weakeningsBetween({ "a.py": more }, { "a.py": `${more}${ALLOW}import httpx\n` }, { suppressed: suppressing([], [one("f1", 2)]) })));
    expect(records[0]?.map((found) => found.record)).toEqual(records[1]?.map((found) => found.record));
  });
});

describe("comments that ESLint hears", () => {
  const code = "const x = 1;\n";
  it.each([
    ["a line", "const x = 1; // eslint-disable-line agentgate/no-invented-io\n"],
    ["the next line", `// eslint-disable-next-line agentgate/no-invented-io -- why\n${code}`],
    ["the next line, every rule", `// eslint-disable-next-line\n${code}`],
    ["a range", `/* eslint-disable agentgate/no-invented-io */\n${code}`],
    ["the file", `/* eslint-disable */\n${code}`],
    ["several rules", `/* eslint-disable no-eval, agentgate/no-dynamic-import */\n${code}`],
    ["another prefix of the plugin", `/* eslint-disable gate/no-invented-io */\n${code}`],
    ["a rule of a later version", `/* eslint-disable agentgate/no-ungated-write */\n${code}`],
    ["a configuration", `/* eslint agentgate/no-invented-io: off */\n${code}`],
    ["a configuration in JSON", `/* eslint "no-eval": 2, "agentgate/no-invented-io": ["warn"] */\n${code}`],
    ["a name in quotes", `/* eslint-disable no-var, "agentgate/no-invented-io" */\n${code}`],
    ["a name in single quotes", `// eslint-disable-next-line 'agentgate/no-invented-io' -- why\n${code}`],
    ["no name in quotes, which is every rule", `/* eslint-disable "" */\n${code}`],
    ["many lines", `/*\n * eslint-disable\n * agentgate/no-invented-io\n */\n${code}`],
  ])("reported: %s", async (_name, head) => {
    const found = await kindsBetween({ "a.ts": code }, { "a.ts": head });
    expect(found).toEqual(["eslint-suppression-added a.ts:1"]);
  });

  it.each([
    ["other rules", `/* eslint-disable no-eval */ // eslint-disable-line no-undef\n${code}`],
    ["text that ESLint does not hear", `// eslint-disable agentgate/no-invented-io\n// see eslint-disable-line\n${code}`],
    ["an error", `/* eslint agentgate/no-invented-io: "error" */\n${code}`],
    ["a string", 'const x = "/* eslint-disable */";\n'],
    ["the end of a range", `/* eslint-enable */\n${code}`],
    ["a rule named like ours, of nobody", `/* eslint-disable other/rule */\n${code}`],
  ])("silent: %s", async (_name, head) => {
    expect(await kindsBetween({ "a.ts": code }, { "a.ts": head })).toEqual([]);
  });

  it("are compared as multisets: moved is silent, a range without its end is wider", async () => {
    const range = `/* eslint-disable agentgate/no-invented-io */\n${code}/* eslint-enable agentgate/no-invented-io */\n${code}`;
    expect(await kindsBetween({ "a.ts": range }, { "a.ts": `${code}${range}` })).toEqual([]);
    expect(await kindsBetween({ "a.ts": range }, { "a.ts": range.replace(/\/\* eslint-enable.*\n/, "") })).toEqual(["eslint-suppression-added a.ts:1"]);
    expect(await kindsBetween({ "a.ts": `/* eslint-disable */\n${code}` }, { "a.ts": `/* eslint-disable agentgate/no-invented-io */\n${code}` })).toEqual([]);
    expect(await kindsBetween({ "a.ts": `// eslint-disable-next-line agentgate/no-invented-io\n${code}` }, { "a.ts": `/* eslint-disable agentgate/no-invented-io */\n${code}` })).toHaveLength(1);
  });

  it("configure no rule from inside a Python file, and are no weakening there", async () => {
    expect(await kindsBetween({ "a.py": "x = 1\n" }, { "a.py": "# eslint agentgate/no-invented-io: off\nx = 1\n" })).toEqual([]);
    expect(await kindsBetween({ "a.py": "x = 1\n" }, { "a.py": "# eslint-disable agentgate/no-invented-io\nx = 1\n" })).toEqual(["eslint-suppression-added a.py:1"]);
  });

  it("are heard in Python too", async () => {
    expect(await kindsBetween({ "a.py": "x = 1\n" }, { "a.py": "x = 1  # noqa # eslint-disable-line agentgate/no-invented-io\n" })).toEqual(["eslint-suppression-added a.py:1"]);
    expect(await kindsBetween({ "a.py": "x = 1\n" }, { "a.py": "x = 1  # eslint-disable-line 'agentgate/no-invented-io' -- why\n" })).toEqual(["eslint-suppression-added a.py:1"]);
  });
});
