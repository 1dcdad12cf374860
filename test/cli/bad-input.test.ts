import { chmodSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { agentgate, emptyFolder, expectFailure, found, reportOf, repository, writeFiles } from "./harness.ts";

const IO = "import httpx\n";
const IO_FOUND = "no-invented-io io.py:1";
const judge = (folder: string, ...args: readonly string[]) => agentgate(folder, ["check", "--format", "json", ...args]);

/** What comes of one odd file beside an ordinary one: the ordinary one is always judged. */
function beside(files: Parameters<typeof repository>[0]): string[] {
  const ran = judge(repository({ "io.py": IO, ...files }));
  expect(ran).toMatchObject({ code: 1, stderr: "" });
  const rules = found(reportOf(ran));
  expect(rules).toContain(IO_FOUND);
  return rules.filter((rule) => rule !== IO_FOUND);
}

describe("files that cannot be judged are findings, and everything else is judged", () => {
  it("a binary named .py", () => {
    expect(beside({ "bin.py": Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 255, 254, 0, 0, 0]) })).toEqual([expect.stringMatching(/^(parse-error|not-judged) bin\.py:1$/)]);
  });

  it.each(["python-2022", "utf-7", "rot13"])("the encoding %s", (encoding) => {
    expect(beside({ "enc.py": `# -*- coding: ${encoding} -*-\nx = 1\n` })).toEqual(["parse-error enc.py:1"]);
  });

  it("a file over the size limit, however long its line", () => {
    expect(beside({ "big.py": `x = "${"a".repeat(50_000_000)}"\n`, "big.js": `x = "${"a".repeat(2_000_000)}"\n` })).toEqual(["not-judged big.js:1", "not-judged big.py:1"]);
  });

  it.each([
    ["brackets", "x = " + "[".repeat(10_000) + "]".repeat(10_000)],
    ["parentheses", "x = " + "(".repeat(10_000) + "1" + ")".repeat(10_000)],
  ])("10,000 nested %s in both languages", (_what, text) => {
    const rules = beside({ "deep.py": `${text}\n`, "deep.js": `${text}\n` });
    for (const rule of rules) expect(rule).toMatch(/^(parse-error|not-judged) deep\.(py|js):\d+$/);
  });

  it.each([
    ["arrows", "x = " + "() => ".repeat(10_000) + "1"],
    ["else if", "if (a) {} ".concat("else if (a) {} ".repeat(10_000))],
    ["templates", "x = " + "`${".repeat(10_000) + "1" + "}`".repeat(10_000)],
    ["generics", "let x: " + "A<".repeat(10_000) + "1" + ">".repeat(10_000)],
  ])("10,000 %s", (_what, text) => {
    for (const rule of beside({ "deep.ts": `${text};\n` })) expect(rule).toMatch(/^(parse-error|not-judged) deep\.ts:\d+$/);
  });

  it("an import behind a lone carriage return", () => {
    expect(beside({ "cr.py": "# comment\rimport requests\n" })).toEqual(["no-invented-io cr.py:2"]);
  });

  it("a name that is equal only after NFKC", () => {
    expect(beside({ "nfkc.py": "import ｈｔｔｐｘ\n" })).toEqual(["no-invented-io nfkc.py:1"]);
  });

  it("a syntax error, the rest of a Python file being judged", () => {
    expect(beside({ "bad.py": "def f(:\n  pass\n\nimport requests\n", "bad.ts": "const = ;\n" })).toEqual(
      expect.arrayContaining([expect.stringMatching(/^parse-error bad\.py:1$/), "no-invented-io bad.py:4", "parse-error bad.ts:1"]),
    );
  });

  it("a file and a folder without permission", () => {
    const folder = emptyFolder();
    writeFiles(folder, { "io.py": IO, "shut.py": "x = 1\n", "shut/a.py": "x = 1\n" });
    for (const name of ["shut.py", "shut"]) chmodSync(path.join(folder, name), 0);
    chmodSync(folder, 0o755);
    // Root may read everything, and may be somebody else.
    const nobody = process.getuid?.() === 0 ? { uid: 65534 } : {};
    const rules = found(reportOf(agentgate(folder, ["check", "--format", "json"], nobody)));
    chmodSync(path.join(folder, "shut"), 0o755);
    expect(rules.sort()).toEqual([IO_FOUND, "not-judged shut.py:1", "not-judged shut:1"]);
  });
});

describe("odd trees", () => {
  it.each([true, false])("an empty tree is no error and not silence (git: %s)", (git) => {
    const folder = git ? repository({}) : emptyFolder();
    expect(agentgate(folder, ["check"])).toEqual({ code: 0, stdout: "no finding · no file to judge\n", stderr: "" });
  });

  it("a missing path", () => {
    const ran = agentgate(repository({ "io.py": IO }), ["check", "gone"]);
    expectFailure(ran, /gone/);
  });

  it("paths of two trees", () => {
    const outside = repository({ "io.py": IO });
    const ran = judge(repository({ "io.py": IO }), "io.py", path.join(outside, "io.py"));
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/^agentgate: .*outside.*\n.+\n$/);
    expect(found(reportOf(ran))).toEqual([IO_FOUND]);
  });

  it.each([true, false])("a link loop and links out of the tree are never followed (git: %s)", (git) => {
    const outside = emptyFolder();
    writeFiles(outside, { "secret.py": IO, "folder/secret.py": IO });
    const folder = git ? repository({ "io.py": IO }) : emptyFolder();
    writeFiles(folder, { "io.py": IO });
    symlinkSync(path.join(outside, "secret.py"), path.join(folder, "link.py"));
    symlinkSync(path.join(outside, "folder"), path.join(folder, "linked"));
    symlinkSync("loop.py", path.join(folder, "loop.py"));
    mkdirSync(path.join(folder, "sub"));
    symlinkSync("..", path.join(folder, "sub/up"));
    symlinkSync("gone.py", path.join(folder, "dangling.py"));
    const ran = judge(folder);
    const document = reportOf(ran);
    expect(ran.stderr).toBe("");
    expect(found(document)).toContain(IO_FOUND);
    for (const { path: file, rule } of document.findings) expect(rule === "no-invented-io" ? file : "io.py").toBe("io.py");
  });

  it("a folder removed from under the command", () => {
    const folder = emptyFolder();
    const gone = path.join(folder, "gone");
    mkdirSync(gone);
    writeFiles(folder, { "run.mjs": "" });
    const script = `process.chdir(${JSON.stringify(gone)}); (await import("node:fs")).rmdirSync(${JSON.stringify(gone)});`;
    writeFiles(folder, { "run.mjs": script });
    const ran = agentgate(folder, ["check"], { env: { NODE_OPTIONS: `--import=${path.join(folder, "run.mjs")}` } });
    expectFailure(ran, /working directory/);
    rmSync(folder, { recursive: true, force: true });
  });
});

describe("agentgate.yml", () => {
  it.each([
    ["is no YAML", "version: 1\n  x: [\n"],
    ["has another version", "version: 2\n"],
    ["is no mapping", "- 1\n"],
    ["is a YAML bomb", `version: 1\na: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghi".split("").map((key, index) => `${key}: &${key} [${`*${"abcdefghi"[index] ?? "a"},`.repeat(9)}]`).join("\n")}\n`],
  ])("that %s stops with two lines or is a finding, never a crash", (_what, policy) => {
    const ran = judge(repository({ "io.py": IO, "agentgate.yml": policy }));
    expect(ran.code).not.toBe(0);
    reportOf(ran);
  });

  it("that cannot be read as YAML is exit 2", () => {
    const ran = agentgate(repository({ "io.py": IO, "agentgate.yml": "version: 1\n  x: [\n" }), ["check"]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/^agentgate: .*agentgate\.yml.*\n.+\n$/);
  });

  it("named by --config and absent is exit 2", () => {
    expectFailure(agentgate(repository({ "a.py": "x = 1\n" }), ["check", "--config", "gone.yml"]), /gone\.yml/);
  });

  it("with unknown keys, wrong types and bad values gives a finding at each line, and the rest holds", () => {
    const policy = "version: 1\nstirct: true\nmaxFileBytes: many\nports:\n  - path: io.py\n    capabilities: [net]\n    owner: payments\n    note: ledger\n  - path: b.py\n    capabilities: [nett]\n    owner: payments\n    note: x\n";
    const ran = judge(repository({ "io.py": IO, "b.py": IO, "agentgate.yml": policy }));
    expect(ran.code).toBe(1);
    const document = reportOf(ran);
    expect(found(document)).toEqual(expect.arrayContaining(["config agentgate.yml:2", "config agentgate.yml:3", "config agentgate.yml:10", "no-invented-io b.py:1"]));
    expect(document.permitted.map((finding) => finding.path)).toEqual(["io.py"]);
  });

  it("accepts every key that comes later", () => {
    const policy = "version: 1\ngates: [{ name: mutate, module: app.gate, scope: tree }]\nmodels: { policy: pinned, allow: [] }\nloops: { ceiling: 100 }\ntools: []\ndenyHosts: []\ncontracts: { loop-budget: { path: agent/loop-budget.yml, required: true } }\nrules: { require-timeout: off }\n";
    expect(found(reportOf(judge(repository({ "a.py": "x = 1\n", "agentgate.yml": policy }))))).toEqual([]);
  });
});
