import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe } from "vitest";
import { commit, git } from "@agentgate/engine/testing";
import { allReported } from "./attempts.ts";
import type { Attempt } from "./attempts.ts";

const PROC = "import subprocess\n\n\ndef run(x):\n    return subprocess.run(x)\n";
const NET = "import httpx\n\n\ndef send(order):\n    return httpx.post('x', json=order)\n";
const SUM = "def total(orders):\n    return sum(order.cents for order in orders)\n\n\ndef count(orders):\n    return len(orders)\n";
const EXEC = 'import { execSync } from "node:child_process";\n\nexport const run = (x: string) => execSync(x);\n';
const POLICY = "version: 1\nports:\n  - { path: src/port.py, capabilities: [net], owner: payments, note: talks to the ledger }\n  - { path: src/shell.py, capabilities: [proc], owner: platform, note: runs tools }\n";
const A = "no-invented-io src/a.py";

describe("files renamed, copied and moved", () => {
  allReported("laundering-renames", [
    { name: "a rename plus an edit", base: { "src/b.py": SUM }, patch: { "src/b.py": null, "src/a.py": `import httpx\n${SUM}\n\nhttpx.get('x')\n` }, reported: [A] },
    { name: "a rename in one commit and an edit in the next", base: { "src/b.py": SUM }, patch: [{ "src/b.py": null, "src/a.py": SUM }, { "src/a.py": `${SUM}\n\nimport httpx\nhttpx.get('x')\n` }], reported: [A] },
    { name: "names of two files swapped", base: { "src/port.py": NET, "src/a.py": SUM, "agentgate.yml": POLICY }, patch: { "src/a.py": NET, "src/port.py": SUM }, reported: [A] },
    { name: "a rename in letter case alone, plus an edit", base: { "src/A.py": SUM }, patch: { "src/A.py": null, "src/a.py": `${SUM}\n\nimport httpx\nhttpx.get('x')\n` }, reported: [A] },
    { name: "a port file copied", base: { "agentgate.yml": POLICY, "src/port.py": NET }, patch: { "src/a.py": NET }, reported: [A] },
    { name: "a port file moved", base: { "agentgate.yml": POLICY, "src/port.py": NET }, patch: { "src/port.py": null, "src/a.py": NET }, reported: [A] },
    { name: "a file with the capability copied", base: { "src/b.py": NET }, patch: { "src/a.py": NET }, reported: [A] },
    { name: "a file with the capability copied, and the copy's origin deleted with another one", base: { "src/b.py": NET, "src/c.py": NET }, patch: { "src/b.py": null, "src/a.py": NET, "src/d.py": NET }, reported: ["no-invented-io src/d.py"] },
    { name: "code moved between modules with different licences", base: { "agentgate.yml": POLICY, "src/port.py": NET, "src/shell.py": PROC }, patch: { "src/port.py": SUM, "src/shell.py": NET + PROC }, reported: ["no-invented-io src/shell.py"] },
    { name: "a file out of an excluded folder", base: { "tests/helper.py": PROC }, patch: { "tests/helper.py": null, "src/a.py": PROC }, reported: [A] },
    { name: "a file into an excluded folder", base: { "src/b.py": SUM }, patch: { "src/b.py": null, "tests/b.py": `${SUM}\n\nimport httpx\nhttpx.get('x')\n` }, reported: ["gate-weakened tests/b.py"] },
    { name: "data made code by its ending", base: { "src/a.txt": PROC }, patch: { "src/a.txt": null, "src/a.py": PROC }, reported: [A] },
    { name: "JavaScript made another dialect", base: { "src/a.js": "export const x = 1;\n" }, patch: { "src/a.js": null, "src/a.mts": `export const x = 1;\n${EXEC}` }, reported: ["no-invented-io src/a.mts"] },
    { name: "a capability moved into a module that was deleted and made anew", base: { "src/a.py": SUM }, patch: [{ "src/a.py": null }, { "src/a.py": NET }], reported: [A] },
  ] satisfies Attempt[], "worktree");
});

describe("links, modes and submodules", () => {
  allReported("laundering-links", [
    { name: "a file that becomes a link to an excluded one", base: { "src/a.py": SUM, "tests/evil.py": PROC }, patch: { "src/a.py": { to: "../tests/evil.py" } }, reported: [A] },
    { name: "an edit of the excluded file that a link shows", base: { "src/a.py": { to: "../tests/a.py" }, "tests/a.py": SUM }, patch: { "tests/a.py": SUM + PROC }, reported: [A] },
    { name: "an edit of the unnamed file that a link shows", base: { "src/a.py": { to: "../data/a.txt" }, "data/a.txt": SUM }, patch: { "data/a.txt": SUM + PROC }, reported: [A] },
    { name: "a link sent to another file", base: { "src/a.py": { to: "../tests/good.py" }, "tests/good.py": SUM, "tests/evil.py": PROC }, patch: { "src/a.py": { to: "../tests/evil.py" } }, reported: [A] },
    { name: "a link through a link sent to another file", base: { "src/a.py": { to: "../data/now" }, "data/now": { to: "../tests/good.py" }, "tests/good.py": SUM, "tests/evil.py": PROC }, patch: { "data/now": { to: "../tests/evil.py" } }, reported: [A] },
    { name: "an excluded link sent to another file, which a judged module imports", base: { "src/a.ts": 'import { run } from "../tests/x.js";\nrun("x");\n', "tests/x.ts": { to: "good.ts" }, "tests/good.ts": "export const run = (x: string) => x;\n", "tests/evil.ts": EXEC }, patch: { "tests/x.ts": { to: "evil.ts" } }, reported: ["no-invented-io tests/evil.ts"] },
    { name: "a folder that becomes a link to an excluded one", base: { "src/a.py": "from lib.x import run\n", "lib/__init__.py": "", "lib/x.py": "def run(x):\n    return x\n", "tests/lib/__init__.py": "", "tests/lib/x.py": PROC }, patch: { lib: { to: "tests/lib" } }, reported: ["no-invented-io tests/lib/x.py"] },
    { name: "a link to a folder sent to another one", base: { "src/a.py": "from lib.x import run\n", lib: { to: "tests/good" }, "tests/good/__init__.py": "", "tests/good/x.py": "def run(x):\n    return x\n", "tests/evil/__init__.py": "", "tests/evil/x.py": PROC }, patch: { lib: { to: "tests/evil" } }, reported: ["no-invented-io tests/evil/x.py"] },
    { name: "a link to a folder sent to another one (TypeScript)", base: { "src/a.ts": 'import { run } from "../lib/x.js";\nrun("x");\n', lib: { to: "tests/good" }, "tests/good/x.ts": "export const run = (x: string) => x;\n", "tests/evil/x.ts": EXEC }, patch: { lib: { to: "tests/evil" } }, reported: ["no-invented-io tests/evil/x.ts"] },
    { name: "a link out of the tree", base: { "src/a.py": SUM }, patch: { "src/a.py": { to: "/usr/lib/python3/evil.py" } }, reported: ["not-judged src/a.py"] },
    { name: "a folder that is a link out of the tree", base: { "src/a.py": "from lib.x import run\n" }, patch: { lib: { to: "/usr/lib" } }, reported: ["not-judged lib"] },
    { name: "a link that leads out of the tree through another one", base: { "src/a.py": { to: "../data/now" }, "data/now": { to: "../tests/good.py" }, "tests/good.py": SUM }, patch: { "data/now": { to: "/etc/evil.py" } }, reported: ["not-judged src/a.py"] },
    { name: "a link that becomes a file", base: { "src/a.py": { to: "b.py" }, "src/b.py": SUM }, patch: { "src/a.py": PROC }, reported: [A] },
    { name: "a script that becomes executable and gets its first line", base: { "bin/run": "import subprocess\nsubprocess.run('x')\n" }, patch: { "bin/run": { executable: "#!/usr/bin/env -S uv run --script\nimport subprocess\nsubprocess.run('x')\n" } }, reported: ["no-invented-io bin/run"] },
    { name: "a new submodule", base: { "src/a.py": "from lib.x import run\n" }, patch: (root) => { submodule(root, "lib", { "x.py": PROC }); }, unscanned: ["lib"] },
    { name: "a submodule that moved on", base: { "src/a.py": "from lib.x import run\n" }, patch: [(root) => { submodule(root, "lib", { "x.py": SUM }); git(root, "branch", "--force", "main"); }, (root) => { submodule(root, "lib", { "x.py": PROC }); }], unscanned: ["lib"] },
    { name: "a folder that becomes a submodule", base: { "src/a.py": "from lib.x import run\n", "lib/x.py": SUM }, patch: [{ lib: null }, (root) => { submodule(root, "lib", { "x.py": PROC }); }], unscanned: ["lib"] },
  ] satisfies Attempt[], "worktree");
});

/** A repository inside the repository, as a submodule without its settings. */
function submodule(root: string, name: string, files: Readonly<Record<string, string>>): void {
  const folder = path.join(root, name);
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "--quiet");
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
  commit(folder, "inside");
  git(root, "-c", "advice.addEmbeddedRepo=false", "add", name);
  commit(root, "submodule");
}

const CARRIED = { "src/a.py": SUM };
const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";

describe("what git is told about files", () => {
  allReported("laundering-attributes", [
    ...["binary", "-diff", "-text", "linguist-generated", "linguist-vendored", "export-ignore", "merge=ours", "ident", "text eol=crlf"].map((attribute): Attempt => ({
      name: `the attribute ${attribute}`, base: CARRIED, patch: { ".gitattributes": `*.py ${attribute}\n`, "src/a.py": PROC }, options: { head: "HEAD" }, reported: [A],
    })),
    { name: "an encoding that git undoes", base: CARRIED, patch: { ".gitattributes": "*.py working-tree-encoding=UTF-16LE-BOM\n", "src/a.py": Buffer.from(`\ufeff${PROC}`, "utf16le") }, options: { head: "HEAD" }, reported: [A] },
    { name: "an encoding that git undoes, in the working tree", base: CARRIED, patch: { ".gitattributes": "*.py working-tree-encoding=UTF-16LE-BOM\n", "src/a.py": Buffer.from(`\ufeff${PROC}`, "utf16le") }, reported: [A] },
    { name: "a filter that shows git another file than the disk has", base: { ...CARRIED, ".gitattributes": "*.py filter=same\n" }, patch: (root) => { git(root, "config", "filter.same.clean", "git show HEAD:src/a.py"); writeFileSync(path.join(root, "src/a.py"), PROC); }, reported: [A] },
    { name: "a file that is ignored and added all the same", base: CARRIED, patch: (root) => { writeFileSync(path.join(root, ".gitignore"), "src/\n"); writeFileSync(path.join(root, "src/b.py"), PROC); git(root, "add", "--force", "src/b.py"); commit(root, "ignored"); }, reported: ["no-invented-io src/b.py"] },
    { name: "a pointer in the place of a file", base: CARRIED, patch: { "src/a.py": pointer }, reported: ["not-judged src/a.py"] },
    { name: "a pointer in the place of a file (TypeScript)", base: { "src/a.ts": "export {};\n" }, patch: { "src/a.ts": pointer }, reported: ["not-judged src/a.ts"] },
  ] satisfies Attempt[], "worktree");
});

describe("bytes that other readers take for text", () => {
  allReported("laundering-bytes", [
    { name: "a byte order mark", base: CARRIED, patch: { "src/a.py": `\ufeff${PROC}`, "src/a.ts": `\ufeff${EXEC}` }, reported: [A, "no-invented-io src/a.ts"] },
    { name: "UTF-16", base: CARRIED, patch: { "src/a.py": Buffer.from(`\ufeff${PROC}`, "utf16le"), "src/a.ts": Buffer.from(`\ufeff${EXEC}`, "utf16le") }, reported: ["parse-error src/a.py", "parse-error src/a.ts"] },
    { name: "JavaScript that is Python to its first line", base: { "run.js": "1;\n" }, patch: { "run.js": { executable: '#!/usr/bin/env python3\n1//1;__import__("os").system("x")\n' } }, reported: ["parse-error run.js"] },
    { name: "JavaScript under Python's ending", base: { "a.cjs": "module.exports = 1;\n", "tests/evil.py": 'require("child_process").execSync("x")\n' }, patch: { "a.cjs": 'require("./tests/evil.py");\n' }, reported: ["no-dynamic-import a.cjs"] },
    { name: "JavaScript under Python's ending, imported", base: { "a.cts": "export const a = 1;\n", "src/evil.py": "1;\n" }, patch: { "a.cts": 'import "./src/evil.py";\n' }, reported: ["no-dynamic-import a.cts"] },
    { name: "Python under the ending of a text", base: { "a.py": "x = 1\n", "data/evil.txt": PROC }, patch: { "a.py": "import runpy\n\nrunpy.run_path('data/evil.txt')\n" }, reported: ["no-dynamic-import a.py"] },
    { name: "Python under the ending of a text beside the file", base: { "a.py": "x = 1\n", "data/evil.txt": PROC }, patch: { "a.py": "import os\nimport runpy\n\nrunpy.run_path(os.path.join(os.path.dirname(__file__), 'data', 'evil.txt'))\n" }, reported: ["no-dynamic-import a.py"] },
    { name: "latin-1 that says so", base: CARRIED, patch: { "src/a.py": Buffer.from(`# coding: latin-1\nname = 'é'\n${PROC}`, "latin1") }, reported: [A] },
    { name: "latin-1 that does not say so", base: CARRIED, patch: { "src/a.py": Buffer.from(`name = 'é'\n${PROC}`, "latin1") }, reported: ["parse-error src/a.py", A] },
    { name: "UTF-7 that hides a line in a comment", base: CARRIED, patch: { "src/a.py": "# coding: utf-7\n# +AAo-import subprocess+AAo-subprocess.run('x')\n" }, reported: ["parse-error src/a.py"] },
    { name: "escapes that hide a line in a comment", base: CARRIED, patch: { "src/a.py": "# coding: unicode_escape\n# \\x0aimport subprocess\\x0asubprocess.run('x')\n" }, reported: ["parse-error src/a.py"] },
    { name: "an encoding that nobody knows", base: CARRIED, patch: { "src/a.py": "# coding: x-mine\nx = 1\n" }, reported: ["parse-error src/a.py"] },
    { name: "NUL bytes", base: CARRIED, patch: { "src/a.py": `x = 1\0\n${PROC}` }, reported: ["parse-error src/a.py"] },
    { name: "NUL bytes (TypeScript)", base: {}, patch: { "src/a.ts": `const x = 1;\0\n${EXEC}` }, reported: ["parse-error src/a.ts"] },
    { name: "a file that is too large", base: CARRIED, patch: { "src/a.py": `${"# more of the same text in every line of this file\n".repeat(22_000)}${PROC}` }, reported: ["not-judged src/a.py"] },
    { name: "a file that was too large before", base: { "src/a.py": "# more of the same text in every line of this file\n".repeat(22_000) }, patch: { "src/a.py": `${"# more of the same text in every line of this file\n".repeat(22_000)}${PROC}` }, reported: ["not-judged src/a.py"] },
    { name: "a file that was too large and is cut short", base: { "src/a.py": `${"# more of the same text in every line of this file\n".repeat(22_000)}${PROC}` }, patch: { "src/a.py": PROC }, reported: [A] },
    { name: "an error that hides the rest", base: CARRIED, patch: { "src/a.py": `x = (\n${PROC}` }, reported: ["parse-error src/a.py"] },
    { name: "an error that hides the rest (TypeScript)", base: { "src/a.ts": "export {};\n" }, patch: { "src/a.ts": `const x = {{;\n${EXEC}` }, reported: ["parse-error src/a.ts"] },
    { name: "an error that stood there, plus code", base: { "src/a.ts": "const x = {{;\n" }, patch: { "src/a.ts": `const x = {{;\n${EXEC}` }, reported: ["parse-error src/a.ts"] },
    { name: "a base that does not parse", base: { "src/a.ts": `const x = {{;\n${EXEC}` }, patch: { "src/a.ts": `const x = {};\n${EXEC}` }, reported: ["no-invented-io src/a.ts"] },
    { name: "a conflict left in a file", base: CARRIED, patch: { "src/a.py": `<<<<<<< HEAD\n${SUM}=======\n${PROC}>>>>>>> topic\n` }, reported: ["parse-error src/a.py"] },
    { name: "nesting beyond most parsers", base: CARRIED, patch: { "src/a.py": `x = ${"(".repeat(20_000)}1${")".repeat(20_000)}\n${PROC}` }, reported: [A] },
  ] satisfies Attempt[], "worktree");
});

describe("names of files", () => {
  const names = ["a b.py", "a\nb.py", 'a"b.py', "a'b.py", "a\\b.py", "a\u202egpj.py", "a\u200bb.py", "\u0430.py", "__proto__.py", "constructor.ts", "-rf.py", "a\tb.ts", "[a].ts", "{a,b}.py", "*.py", ":(exclude)a.py", "!a.py", "#a.py"];
  allReported("laundering-names", [
    { name: "names that other tools misread", base: {}, patch: Object.fromEntries(names.map((name) => [`src/${name}`, name.endsWith(".py") ? PROC : EXEC])), reported: names.map((name) => `no-invented-io src/${name}`) },
    { name: "a name that is no UTF-8", base: {}, patch: (root) => { writeFileSync(Buffer.concat([Buffer.from(`${root}/a`), Buffer.from([0xff]), Buffer.from(".py")]), PROC); commit(root, "name"); }, reported: ["no-invented-io a\\xff.py"] },
    { name: "a module named with a look-alike letter", base: { "src/a.py": "import оs\n" }, patch: { "оs.py": PROC }, reported: ["no-invented-io оs.py"] },
    { name: "a port's name with a look-alike letter", base: { "agentgate.yml": POLICY }, patch: { "src/pоrt.py": NET }, reported: ["no-invented-io src/pоrt.py"] },
    { name: "a port's name in another case", base: { "agentgate.yml": POLICY }, patch: { "src/Port.py": NET }, reported: ["no-invented-io src/Port.py"] },
    { name: "a file that cannot be read on the disk", base: CARRIED, patch: (root) => { writeFileSync(path.join(root, "src/a.py"), PROC); chmodSync(path.join(root, "src/a.py"), 0o000); }, reported: [process.getuid?.() === 0 ? A : "not-judged src/a.py"] },
  ] satisfies Attempt[], "worktree");
});
