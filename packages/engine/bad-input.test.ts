import { chmodSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { checker, lines } from "./testing/check.ts";
import { addFiles, makeRepository, makeTree } from "./testing/tree.ts";

const { check, found } = checker("test-bad-input");

describe("bad input", () => {
  it("a missing path is an error, and the other paths are judged", async () => {
    const report = await check(makeTree({ "a.py": "import socket\n", "b.py": "import socket\n" }), { paths: ["gone", "a.py"] });
    expect(report.error).toEqual({ message: "gone does not exist.", hint: expect.stringContaining("exists") as string });
    expect(lines(report.findings)).toEqual(["a.py:1:8 error no-invented-io (net)"]);
    expect((await check(makeTree({ "a.py": "import socket\n" }), { paths: ["gone"] })).summary.files).toBe(0);
  });

  it("an empty tree is judged", async () => {
    expect((await check(makeTree({}))).summary.files).toBe(0);
    expect((await check(makeRepository({}))).error).toBeNull();
    expect(await found({ "empty.py": "", "empty.ts": "" })).toEqual([]);
  });

  it("a binary file under a source's name is a parse error", async () => {
    const binary = Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 256));
    const report = await check(makeTree({ "a.py": binary, "b.ts": binary, "c.py": "import socket\n" }));
    expect(lines(report.findings).map((line) => line.replace(/:\d+:\d+/, ""))).toEqual(["a.py error parse-error", "b.ts error parse-error", "c.py error no-invented-io (net)"]);
  });

  it("encodings are decoded, and what cannot be is said; the rest is judged", async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("fetch(1)", "utf16le")]);
    const report = await check(makeTree({
      "bom.ts": "\ufefffetch(1)", "latin.py": Buffer.from("# coding: latin-1\nx = '\u00e9'\nimport socket\n", "latin1"), "unknown.py": "# coding: klingon\nimport socket\n",
      "invalid.ts": Buffer.concat([Buffer.from('const x = "'), Buffer.from([0xc3, 0x28]), Buffer.from('";\nfetch(x);\n')]), "wide.ts": utf16,
    }));
    expect(lines(report.findings)).toEqual([
      "bom.ts:1:1 error no-invented-io (net)", "invalid.ts:1:12 error parse-error", "invalid.ts:2:1 error no-invented-io (net)", "latin.py:3:8 error no-invented-io (net)",
      "unknown.py:1:11 error parse-error", "unknown.py:2:8 error no-invented-io (net)", "wide.ts:1:1 error parse-error",
    ]);
  });

  it("a lone CR hides nothing, nor do names equal only after NFKC", async () => {
    expect(await found({ "a.py": "# comment\rimport socket\n", "b.py": "import ｓｏｃｋｅｔ\n" })).toEqual(["a.py:2:8 error no-invented-io (net)", "b.py:1:8 error no-invented-io (net)"]);
  });

  it("a file over maxFileBytes is a warning, and is not parsed", async () => {
    const files = { "agentgate.yml": "version: 1\nmaxFileBytes: 100\n", "a.py": `import socket\n#${"x".repeat(200)}`, "b.py": "import socket\n" };
    expect(await found(files)).toEqual(["a.py:1:1 warning not-judged", "b.py:1:8 error no-invented-io (net)"]);
  });

  it("a line of 50 MB is told by its size alone", async () => {
    expect(await found({ "a.js": Buffer.alloc(50_000_000, "x"), "b.py": "import socket\n" })).toEqual(["a.js:1:1 warning not-judged", "b.py:1:8 error no-invented-io (net)"]);
  });

  it("deep nesting in either language costs one file at most", async () => {
    const deep = 10_000;
    const report = await check(makeTree({
      "a.js": `x = ${"[".repeat(deep)}${"]".repeat(deep)}`, "b.ts": `x = ${"()=>".repeat(deep)}1`, "c.js": `if(a){}${"else if(a){}".repeat(deep)}`, "d.js": `x = ${"`${".repeat(deep)}1${"}`".repeat(deep)}`,
      "e.ts": `let x: ${"A<".repeat(deep)}B${">".repeat(deep)}`, "f.py": `x = ${"[".repeat(deep)}${"]".repeat(deep)}`, "g.py": `if a: pass\n${"elif a: pass\n".repeat(deep)}`, "h.py": "import socket\n", "i.ts": "fetch(1)",
    }));
    expect(lines(report.findings)).toContain("h.py:1:8 error no-invented-io (net)");
    expect(lines(report.findings)).toContain("i.ts:1:1 error no-invented-io (net)");
    expect(new Set(report.findings.filter((finding) => !/^[hi]/.test(finding.path)).map((finding) => finding.rule))).toEqual(new Set(["not-judged", "parse-error"]));
  });

  it.skipIf(process.getuid?.() === 0)("a file without permission is an error", async () => {
    const root = makeTree({ "a.py": "import socket\n", "b.py": "import socket\n" });
    chmodSync(path.join(root, "a.py"), 0);
    expect(lines((await check(root)).findings)).toEqual(["a.py:1:1 error not-judged", "b.py:1:8 error no-invented-io (net)"]);
  });

  it.skipIf(process.getuid?.() === 0)("a path behind a closed folder is an error that says so", async () => {
    const root = makeTree({ "closed/a.py": "import socket\n", "b.py": "" });
    chmodSync(path.join(root, "closed"), 0);
    expect((await check(root, { paths: ["closed/a.py"] })).error?.message).toContain("closed/a.py cannot be reached");
  });

  it("a file removed or replaced during the run is an error", async () => {
    const root = makeTree({ "tests/late.py": "import socket\n", "tests/link.py": "import socket\n", "a.py": `import tests.late, tests.link\n${"x = 1\n".repeat(30_000)}`, "tests/__init__.py": "" });
    const remove = (): void => {
      unlinkSync(path.join(root, "tests/late.py"));
      unlinkSync(path.join(root, "tests/link.py"));
      symlinkSync("/etc/passwd", path.join(root, "tests/link.py"));
    };
    let removed = false;
    const report = await check(root, {
      onProgress: () => {
        if (!removed) remove();
        removed = true;
      },
    });
    expect(lines(report.findings)).toEqual(["tests/late.py:1:1 error not-judged", "tests/link.py:1:1 error not-judged"]);
    expect(report.findings[0]?.message).toContain("removed while");
  });

  it("a link out of the tree is an error and is not followed; a loop does no harm", async () => {
    const root = makeTree({ "a/b.py": "import socket\n" });
    symlinkSync("/etc/passwd", path.join(root, "out.py"));
    symlinkSync("..", path.join(root, "a/loop"));
    const report = await check(root);
    expect(lines(report.findings)).toEqual(["a/b.py:1:8 error no-invented-io (net)", "out.py:1:1 error not-judged"]);
    expect(JSON.stringify(report)).not.toContain("root:");
  });

  it("messages have one line", async () => {
    const root = makeTree({ "a.py": "x = = 1\n", "b.ts": "let let = ;", "agentgate.yml": "version: 1\n? [a]\n: b\n" });
    const report = await check(root);
    for (const text of [...report.findings.map((finding) => finding.message), report.error?.message ?? ""]) expect(text).not.toContain("\n");
  });

  it("nothing of the tree runs", async () => {
    const root = makeTree({ "package.json": '{"type":"module","scripts":{"postinstall":"touch ran"}}', "eslint.config.js": "", "conftest.py": "", "sitecustomize.py": "open('ran','w')\n", "tsconfig.json": "{}" });
    addFiles(root, { "eslint.config.js": `import fs from "node:fs"; fs.writeFileSync("${root}/ran", ""); //${"x".repeat(3000)}` });
    await check(root);
    expect((await check(root)).unscanned.some((file) => file.path === "ran")).toBe(false);
    writeFileSync(path.join(root, "ran"), "", { flag: "wx" });
  });
});
