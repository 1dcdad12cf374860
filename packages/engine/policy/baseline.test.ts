import { describe, expect, it } from "vitest";
import { addFiles, makeTree } from "../testing/tree.ts";
import { checker, lines } from "../testing/check.ts";
import type { Finding } from "../report.ts";
import { BASELINE_FILE, Baseline, BaselineUse, compareBaselines, formatBaseline, readBaseline } from "./baseline.ts";

const PRINT = "a".repeat(64);

function finding(changes: Partial<Finding> = {}): Finding {
  const place = { line: 1, column: 1 };
  return {
    rule: "no-dynamic-import", severity: "error", message: "m", path: "src/a.py", start: place, end: place, capability: "opaque", api: null,
    baseline: null, related: [], fingerprint: PRINT, ...changes,
  };
}

const io = (path: string, capability: string): Finding => finding({ rule: "no-invented-io", path, capability });
const format = (...findings: Finding[]): string => formatBaseline({ findings, permitted: [] });

function read(text: string): Baseline {
  const result = readBaseline(text);
  if ("failure" in result) throw new Error(result.failure);
  return result.baseline;
}

describe("the text of a baseline", () => {
  it("is one sorted line a module and a finding, the version last", () => {
    const text = format(io("src/b.py", "net"), finding(), io("src/b.py", "fs.write"), io("src/a b.py", "proc"), io("src/b.py", "net"), finding());
    expect(text).toBe(`{
  "finding src/a.py no-dynamic-import ${PRINT}": 2,
  "module src/a b.py": "proc",
  "module src/b.py": "fs.write net",
  "version": 1
}
`);
    expect(JSON.parse(text)).toMatchObject({ version: 1 });
  });

  it("does not depend on the order of findings", () => {
    const findings = [io("a.py", "net"), io("B.py", "net"), finding({ path: "é.py" }), finding({ path: "z.py" })];
    expect(format(...findings.toReversed())).toBe(format(...findings));
  });

  it.each(["__proto__", "constructor", "a\nb.py", 'a "b".py', "a\u001b[31m.py", "a\u202eb.py", "a\u009bb.py", "a \\xff.py", "src/a.py no-dynamic-import.py", "version"])("holds a file called %j", (path) => {
    const text = format(io(path, "net"), finding({ path }));
    expect(text).toMatch(/^[\n\u0020-\u007e]*$/);
    const baseline = read(text);
    expect(baseline.findingLine(path, "no-dynamic-import", PRINT)).toBe(2);
    expect(baseline.capabilityLine(path, "net")).toBe(3);
    expect(baseline.capabilityLine(path, "__proto__")).toBeNull();
    expect(baseline.capabilityLine(`${path}x`, "net")).toBeNull();
  });

  it("holds neither what could not be read nor what is wrong with the policy", () => {
    const rules = ["parse-error", "not-judged", "config", "gate-weakened", "expired-permit", "unused-port"];
    expect(format(...rules.map((rule) => finding({ rule, capability: null })))).toBe('{\n  "version": 1\n}\n');
  });

  it("keeps what the last one held, and nothing that a port or a comment licenses", () => {
    const by = (kind: "baseline" | "port" | "suppression") => ({ kind, path: "x", line: 1, owner: "", note: "" });
    const permitted = [{ ...io("a.py", "net"), by: by("baseline") }, { ...io("b.py", "net"), by: by("port") }, { ...io("c.py", "net"), by: by("suppression") }];
    expect(formatBaseline({ findings: [], permitted })).toBe('{\n  "module a.py": "net",\n  "version": 1\n}\n');
  });

  it("keeps what it said of a file that could not be judged this time", () => {
    const previous = read(format(io("a.py", "net"), io("a.py", "proc"), finding({ path: "a.py" }), finding({ path: "a.py" }), io("gone.py", "net")));
    const findings = [finding({ rule: "not-judged", path: "a.py", capability: null }), io("a.py", "net"), finding({ path: "a.py" })];
    expect(formatBaseline({ findings, permitted: [] }, previous)).toBe(format(io("a.py", "net"), io("a.py", "proc"), finding({ path: "a.py" }), finding({ path: "a.py" })));
  });

  it("is compared in lines that hold something", () => {
    expect(compareBaselines(null, format())).toEqual({ added: 0, kept: 0, dropped: 0 });
    const before = format(io("a.py", "net"), io("b.py", "net"), io("c.py", "net"));
    const after = format(io("a.py", "net"), io("b.py", "proc"), finding());
    expect(compareBaselines(before, after)).toEqual({ added: 2, kept: 1, dropped: 2 });
    expect(compareBaselines(before.replaceAll("\n", "\r\n"), before)).toEqual({ added: 0, kept: 3, dropped: 0 });
  });
});

describe("reading a baseline", () => {
  const text = format(io("a.py", "net"), io("b.py", "fs.read"), finding());

  it("takes any order of lines, line endings of either kind and a byte order mark", () => {
    const [open, ...rest] = text.trimEnd().split("\n");
    const shuffled = [open, ...rest.slice(0, -2).toReversed(), ...rest.slice(-2), "", ""].join("\n");
    expect(read(shuffled).capabilityLine("b.py", "fs.read")).toBe(2);
    expect(read(`\uFEFF${text.replaceAll("\n", "\r\n")}`).capabilityLine("b.py", "fs.read")).toBe(4);
  });

  it("reads what git makes of two branches that each added a line", () => {
    const merged = text.replace('  "version"', '  "module z.py": "net",\n  "version"');
    expect(read(merged).capabilityLine("z.py", "net")).toBe(5);
  });

  it.each([
    ["", "is no list of entries"], ["{}", "is no list of entries"], ["[]\n", "is no list of entries"], ["{\n}\n", "has no version"],
    ['{\n  "version": 2\n}\n', "has a version that this agentgate does not read (line 2)"], ['{\n  "version": "1"\n}\n', "has a version"],
    ['{\n  "module a.py": "net",\n  "module a.py": "proc",\n  "version": 1\n}\n', "says the same twice (line 3)"],
    ['{\n  "module a.py": "net"\n  "version": 1\n}\n', "misses a comma (line 2)"], ['{\n  "version": 1,\n}\n', "ends with a comma (line 2)"],
    ['{\n<<<<<<< HEAD\n  "version": 1\n}\n', "holds a merge conflict (line 2)"],
    ['{\n  "module a.py": 1,\n  "version": 1\n}\n', "holds a line that is no entry (line 2)"], ['{\n  "other": 1,\n  "version": 1\n}\n', "no entry (line 2)"],
    [`{\n  "finding a.py b ${PRINT}": 0,\n  "version": 1\n}\n`, "no entry (line 2)"], [`{\n  "finding a.py b ${PRINT}": "1",\n  "version": 1\n}\n`, "no entry (line 2)"],
    ['{\n  "module \\x": "net",\n  "version": 1\n}\n', "no entry (line 2)"], [`{\n  "module ${"a".repeat(70_000)}": "net",\n  "version": 1\n}\n`, "no entry (line 2)"],
    ['{\n  "version": 1\n}\nmore', "is no list of entries"],
  ])("refuses %j", (broken, why) => {
    expect(readBaseline(broken)).toMatchObject({ failure: expect.stringContaining(why) as string });
  });

  it.each([
    ['"module a.py": "net flying"', '"flying" is no capability'], ['"module ../a.py": "net"', "relative to the root"], ['"module /a.py": "net"', "relative to the root"],
    [`"finding a.py parse-error ${PRINT}": 1`, "cannot be held"], [`"finding a.py no-invented-io ${PRINT}": 1`, "cannot be held"],
  ])("reports that %j can hold nothing", (line, why) => {
    expect(readBaseline(`{\n  ${line},\n  "version": 1\n}\n`)).toMatchObject({ problems: [{ line: 2, column: 3, message: expect.stringContaining(why) as string }] });
  });

  it("is quick about a large one", () => {
    const large = format(...Array.from({ length: 20_000 }, (_, index) => finding({ path: `src/${index}.py` })));
    expect(read(large).entries).toHaveLength(20_000);
  });
});

describe("what a baseline holds", () => {
  const license = (line: number) => ({ kind: "baseline", path: BASELINE_FILE, line, owner: "", note: "" });

  it("of equal findings only as many as there were", () => {
    const use = new BaselineUse(read(format(finding(), finding())));
    expect([1, 2, 3].map(() => use.take(finding()))).toEqual([license(2), license(2), null]);
    expect(use.take(finding({ path: "src/b.py" }))).toBeNull();
    expect(use.take(finding({ rule: "other" }))).toBeNull();
  });

  it("I/O by module and capability, whatever the API", () => {
    const use = new BaselineUse(read(format(io("a.py", "net"))));
    expect(use.take({ ...io("a.py", "net"), fingerprint: "b".repeat(64) })).toEqual(license(2));
    expect(use.take(io("a.py", "net"))).toEqual(license(2));
    expect(use.take(io("a.py", "proc"))).toBeNull();
  });

  it("nothing that must always be seen, though a line says so", () => {
    const use = new BaselineUse(read(`{\n  "finding a.py not-judged ${PRINT}": 9,\n  "version": 1\n}\n`));
    expect(use.take(finding({ rule: "not-judged", path: "a.py" }))).toBeNull();
  });
});

describe("a tree with a baseline", () => {
  const { check } = checker("test-baseline");
  const files = {
    "a.py": "import httpx\nimport subprocess\nsubprocess.run([])\n",
    "b.py": "def f(n):\n    eval(n)\n    eval(n)\n",
    "c.py": "import httpx  # agentgate: allow no-invented-io -- asked for, payments\n",
    "d.py": "import httpx\n",
    "agentgate.yml": "version: 1\nports:\n  - path: d.py\n    capabilities: [net]\n    owner: payments\n    note: talks to the ledger\n",
  };

  it("has no finding but what came since", async () => {
    const root = makeTree(files);
    const before = await check(root);
    const text = formatBaseline(before);
    addFiles(root, { [BASELINE_FILE]: text });
    const after = await check(root);
    expect(lines(after.findings)).toEqual([]);
    expect(after.permitted.map(({ path, by }) => `${path} ${by.kind}:${by.line}`)).toEqual(["a.py baseline:3", "a.py baseline:3", "b.py baseline:2", "b.py baseline:2", "d.py port:3"]);
    expect(after.suppressed).toHaveLength(1);
    expect(formatBaseline(after)).toBe(text);

    addFiles(root, { "a.py": "import httpx\nimport sqlite3\nsqlite3.connect('x')\n", "b.py": `${files["b.py"]}    eval(n)\n` });
    const later = await check(root);
    expect(lines(later.findings).map((line) => line.replace(/:\d+ /, " "))).toEqual([expect.stringMatching(/^a\.py:2 error no-invented-io \(db/), "b.py:4 error no-dynamic-import (code)"]);
  });

  it("that is damaged cannot be judged, and what is in force besides still is", async () => {
    const root = makeTree({ ...files, [BASELINE_FILE]: "{\n" });
    const report = await check(root);
    expect(report.error).toEqual({ message: expect.stringMatching(/^agentgate-baseline\.json is no list of entries/) as string, hint: expect.stringContaining("git") as string });
    expect(report.findings.length).toBeGreaterThan(0);
  });

  it("reports a line that can hold nothing", async () => {
    const root = makeTree({ "a.py": "x = 1\n", [BASELINE_FILE]: '{\n  "module a.py": "flying",\n  "version": 1\n}\n' });
    expect(lines((await check(root)).findings)).toEqual([`${BASELINE_FILE}:2:3 error config`]);
  });
});
