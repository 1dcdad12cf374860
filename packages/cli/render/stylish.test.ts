import { describe, expect, it } from "vitest";
import { NO_DETAILS } from "../details.ts";
import { changeReport, details, finding, licensed, report } from "../testing/sample.ts";
import { COLOURED, PLAIN } from "./paint.ts";
import { sourceText } from "./source.ts";
import { renderStylish, type StylishOptions } from "./stylish.ts";
import { widthOf } from "./width.ts";

const SOURCE = "from decimal import Decimal\nimport httpx\n";
const related = [{ path: "src/refund.py", start: { line: 41, column: 11 }, end: { line: 41, column: 15 }, message: "httpx.post" }];

function options(changes: Partial<StylishOptions> = {}): StylishOptions {
  return {
    look: { columns: 110, paint: PLAIN }, quiet: false, all: false, details: NO_DETAILS, decides: ({ severity }) => severity === "error",
    sourceOf: (path) => (path === "src/refund.py" ? sourceText(path, SOURCE) : null), ...changes,
  };
}

const PIPE = options({ look: { columns: null, paint: PLAIN } });

describe("on a terminal", () => {
  it("shows what, where, what else and what to do", () => {
    const text = renderStylish(report({ findings: [finding({ related })] }), options());
    expect(text).toBe(
      [
        "agentgate 1.0.0 · the tree as it lies · 5 files judged",
        "",
        "src/refund.py",
        `  2:8  error    net is used here: httpx. No port covers it.${" ".repeat(37)}no-invented-io`,
        "      1 │ from decimal import Decimal",
        "      2 │ import httpx",
        "        │        ^^^^^",
        "    also  41:11  httpx.post",
        "    next  Move the call behind src/adapters/ledger/client.py, the port that has net.",
        "",
        "1 error · 1 file reported · 5 files judged",
        "",
      ].join("\n"),
    );
  });

  it.each([40, 60, 80, 200])("keeps to %i columns", (columns) => {
    const long = finding({ message: `${"words that go on ".repeat(12)}. Then ${"more of them ".repeat(9)}`, related });
    for (const line of renderStylish(report({ findings: [long] }), options({ look: { columns, paint: PLAIN } })).split("\n")) {
      expect(widthOf(line)).toBeLessThanOrEqual(columns);
    }
  });

  it("says the same words with and without colour", () => {
    const whole = report({ findings: [finding({ related }), finding({ severity: "warning", path: "b.ts" })] });
     
    const bare = renderStylish(whole, options({ look: { columns: 110, paint: COLOURED } })).replace(/\u001b\[\d+m/g, "");
    expect(bare).toBe(renderStylish(whole, options()));
  });

  it("lists a few other places, and all of them on demand", () => {
    const many = Array.from({ length: 30 }, () => related[0]!);
    const one = report({ findings: [finding({ related: many })] });
    expect(renderStylish(one, options())).toContain("and 25 more (--all)");
    expect(renderStylish(one, options({ all: true })).match(/httpx\.post/g)).toHaveLength(30);
  });
});

describe("in a pipe", () => {
  it("prints one line a finding and the summary", () => {
    const text = renderStylish(report({ findings: [finding({ related }), finding({ severity: "warning", path: "b.ts", message: "Say so." })] }), PIPE);
    expect(text.split("\n")).toEqual([
      "src/refund.py:2:8: error: net is used here: httpx. No port covers it. Move the call behind src/adapters/ledger/client.py, the port that has net. (also 41:11) [no-invented-io]",
      "b.ts:2:8: warning: Say so. [no-invented-io]",
      "1 error · 1 warning · 2 files reported · 5 files judged",
      "",
    ]);
  });

  it("keeps hostile names on their line", () => {
    const hostile = finding({ path: "::error::a\n\u001b[2Jb.py", message: "x\n::warning::y", related: [{ ...related[0]!, path: "##[error]\r" }] });
    const text = renderStylish(report({ findings: [hostile] }), PIPE);
    expect(text.split("\n")).toHaveLength(3);
     
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]|^::|##\[/m);
  });
});

describe("the last line", () => {
  const last = (changes: Parameters<typeof report>[0], more: Partial<StylishOptions> = {}): string =>
    renderStylish(report(changes), { ...PIPE, ...more }).trimEnd().split("\n").at(-1) ?? "";

  it("says what a clean run judged, and who permitted what", () => {
    expect(last({ permitted: [licensed()] })).toBe("no finding · 5 files judged · 1 permitted by agentgate.yml:6 (payments)");
  });

  it("says what was suppressed, and sums up many licences", () => {
    const suppressed = [3, 3, 5, 7, 9].map((line) => licensed({ kind: "suppression", path: "a.py", line, owner: "" }));
    expect(last({ suppressed })).toBe("no finding · 5 files judged · 2 suppressed by a.py:3 · 1 suppressed by a.py:5 · 1 suppressed by a.py:7 · 1 more suppressed");
  });

  it("says what was not judged", () => {
    const unscanned = [
      { path: "deploy/run.sh", reason: "unsupported", detail: "shell" },
      { path: "tests/a.py", reason: "excluded", detail: "tests" },
    ] as const;
    expect(last({ unscanned })).toBe("no finding · 5 files judged · not judged: deploy/run.sh (shell) · 1 file excluded");
    expect(last({ unscanned }, { all: true })).toContain("excluded: tests/a.py (tests)");
  });

  it("is never silence, not for an empty tree either", () => {
    expect(last({ summary: { ...report().summary, files: 0 } })).toBe("no finding · no file to judge");
  });

  it("does not speak of a clean run where something could not be judged", () => {
    expect(last({ error: { message: "m", hint: "h" } })).toBe("not everything could be judged · 5 files judged");
  });
});

describe("a change", () => {
  const DIGEST = "ab".repeat(32);
  const weakened = (path: string, message = `The port ${path} now covers proc too. Take it back. To accept exactly this: --accept ${DIGEST}.`): ReturnType<typeof finding> =>
    finding({ rule: "gate-weakened", path, message, capability: null, api: null, baseline: "new" });
  const changedFiles = [{ path: "src/refund.py", status: "modified" }, { path: "b.py", status: "added" }] as const;

  it("says on the first line what is compared, and marks added lines", () => {
    const text = renderStylish(changeReport({ findings: [finding({ baseline: "new" })] }), options({ details: details({}, { changedFiles, addedLinesOf: () => new Set([2]) }) }));
    expect(text).toMatch(/^agentgate 1\.0\.0 · change against origin\/main \(merge base 3f9c2a1\) · 2 files changed, 5 judged\n/);
    expect(text).toContain("      1 │ from decimal import Decimal\n    + 2 │ import httpx\n");
  });

  it("names a commit by as much of its id as people do", () => {
    const base = { ref: "ab".repeat(20), tip: "ab".repeat(20), mergeBase: "cd".repeat(20) };
    expect(renderStylish(changeReport({ base, findings: [finding()] }), options())).toContain("change against abababa (merge base cdcdcdc)");
  });

  it.each([110, null])("says that there is nothing to compare (%j columns)", (columns) => {
    const text = renderStylish(changeReport(), options({ look: { columns, paint: PLAIN }, details: details({}, { changedFiles: [], equalsBase: true }) }));
    expect(text.replaceAll(/\s+/g, " ")).toMatch(/^agentgate 1\.0\.0 · change against origin\/main \(merge base 3f9c2a1\), which is head itself: nothing to compare · 0 files changed/);
  });

  it("lists unchanged findings as such and does not count their files", () => {
    const text = renderStylish(changeReport({ findings: [finding({ baseline: "new" }), finding({ path: "old.py", baseline: "unchanged" })] }), { ...PIPE, all: true });
    expect(text).toMatch(/^old\.py:2:8: error: .* \(unchanged\) \[no-invented-io\]$/m);
    expect(text).toContain("1 error · 1 file reported · 5 files judged · 1 unchanged finding\n");
    expect(renderStylish(changeReport({ summary: { ...report().summary, unchanged: 3 } }), PIPE)).toBe("no new capability, no finding · 5 files judged · 3 unchanged findings not shown (--all)\n");
  });

  it.each([110, null])("says once what accepts a weakened gate (%j columns)", (columns) => {
    const text = renderStylish(changeReport({ findings: [weakened("a.yml"), weakened("b.yml")] }), options({ look: { columns, paint: PLAIN } }));
    expect(text.split(DIGEST)).toHaveLength(2);
    expect(text).toContain("accept  whoever owns the gate accepts exactly these 2 weakenings of it with --accept");
    expect(text).toContain("Take it back.");
  });

  it("leaves messages as they are where digests differ, or where the digest is all they say", () => {
    const two = [weakened("a.yml"), weakened("b.yml", `Take it back. To accept exactly this: --accept ${"cd".repeat(32)}.`)];
    expect(renderStylish(changeReport({ findings: two }), PIPE)).toMatch(/--accept (ab)+\.[^]*--accept (cd)+\./);
    expect(renderStylish(changeReport({ findings: [weakened("a.yml", `Accept ${DIGEST}.`)] }), PIPE)).toContain(`error: Accept ${DIGEST}.`);
    expect(renderStylish(changeReport({ findings: [finding({ message: `Reads ${DIGEST}. Stop.` })] }), PIPE)).not.toContain("accept  ");
  });

  it("says what was accepted", () => {
    const accepted = [3, 9].map((line) => licensed({ kind: "accept", path: "agentgate.yml", line, owner: "", note: DIGEST }));
    expect(renderStylish(changeReport({ permitted: accepted }), PIPE)).toBe("no new capability, no finding · 5 files judged · 2 permitted by --accept\n");
  });
});

describe("--quiet", () => {
  it("lists what decides the exit code only", () => {
    const text = renderStylish(report({ findings: [finding(), finding({ severity: "warning", path: "b.ts" })] }), { ...PIPE, quiet: true });
    expect(text).not.toContain("b.ts");
    expect(text).toContain("1 warning");
  });
});
