import { describe, expect, it } from "vitest";
import { overall, share, verdictsOf } from "./score.ts";
import type { Task } from "./suite.ts";
import { ahead, markdownTable, withTables } from "./table.ts";

const loop: Task = { language: "python", technique: "loop", rule: "no-unbounded-loop", kind: "true", places: [{ path: "loop/loop.py", first: 4, last: 9 }] };
const counted: Task = { language: "python", technique: "counted", rule: "no-unbounded-loop", kind: "look-alike", places: [] };
const evaluated: Task = { language: "python", technique: "evaluated", rule: "no-dynamic-import", kind: "true", places: [{ path: "evaluated/evaluated.py", first: 2, last: 2 }] };
const tasks = [loop, counted, evaluated];
const checks = { W1: ["no-unbounded-loop"], W2: ["no-unbounded-loop", "require-timeout"] };

const good = (findings: Parameters<typeof verdictsOf>[1], map: Parameters<typeof verdictsOf>[2] = checks): (boolean | null)[] => verdictsOf(tasks, findings, map).map((verdict) => verdict.good);

describe("a verdict", () => {
  it("finds by a check for the rule, anywhere where it counts", () => {
    expect(good([{ check: "W2", path: "loop/loop.py", line: 9 }])).toEqual([true, true, null]);
  });

  it("does not find by another check, in another place or in a technique whose name only begins so", () => {
    expect(good([{ check: "X9", path: "loop/loop.py", line: 5 }])[0]).toBe(false);
    expect(good([{ check: "W1", path: "loop/loop.py", line: 3 }])[0]).toBe(false);
    expect(good([{ check: "W1", path: "loop-of-another/loop.py", line: 5 }])[0]).toBe(false);
  });

  it("is noise for any finding of such a check in a look-alike", () => {
    expect(good([{ check: "W1", path: "counted/helper.py", line: 1 }])[1]).toBe(false);
    expect(good([{ check: "X9", path: "counted/helper.py", line: 1 }])[1]).toBe(true);
  });

  it("is none where the tool has no check for the rule", () => {
    expect(good([], {})).toEqual([null, null, null]);
  });
});

describe("the figures", () => {
  const verdicts = verdictsOf(tasks, [{ check: "W1", path: "loop/loop.py", line: 4 }], checks);

  it("leave out of a tool's own average what it has no check for, and count it as missed in the whole", () => {
    expect(share(verdicts, "true")).toEqual({ good: 1, all: 1 });
    expect(overall(verdicts, "true")).toEqual({ good: 1, all: 2 });
    expect(overall(verdicts, "look-alike")).toEqual({ good: 1, all: 1 });
    expect(share(verdicts, "true", "no-dynamic-import")).toBeNull();
  });

  it("stand in a table with a rule a line", () => {
    const lines = markdownTable([{ name: "tool", verdicts, seconds: 1.25 }]);
    expect(lines).toContain("| no-dynamic-import | – |");
    expect(lines).toContain("| no-unbounded-loop | 1/1 · 1/1 |");
    expect(lines).toContain("| of all, in per cent | 50/100 |");
  });

  it("name what another tool does better than the first", () => {
    const ours = { name: "agentgate", verdicts: verdictsOf(tasks, [], checks), seconds: 1 };
    expect(ahead([ours, { name: "tool", verdicts, seconds: 1 }])).toEqual(["- loop (no-unbounded-loop): found by tool"]);
  });

  it("call a tool better in a look-alike only where it finds something of the rule", () => {
    const noisy = { name: "agentgate", verdicts: verdictsOf(tasks, [{ check: "W1", path: "counted/counted.py", line: 1 }, { check: "W1", path: "loop/loop.py", line: 5 }], checks), seconds: 1 };
    const dumb = { name: "dumb", verdicts: verdictsOf(tasks, [], checks), seconds: 1 };
    expect(ahead([noisy, dumb, { name: "tool", verdicts, seconds: 1 }])).toEqual(["- counted (no-unbounded-loop): silent in tool"]);
  });

  it("take the place of the last run's in the page", () => {
    expect(withTables("before\n<!-- tables -->\nold\n<!-- end of tables -->\nafter\n", ["### Python", "| $1 |"])).toBe("before\n<!-- tables -->\n\n### Python\n\n| $1 |\n\n<!-- end of tables -->\nafter\n");
    expect(() => withTables("a page without a place", [])).toThrow("no place");
  });
});
