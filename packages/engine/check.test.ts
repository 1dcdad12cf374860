import { symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { capsOfTree, exitCodeOf, notesOf, sourceOf } from "./index.ts";
import { checker, lines } from "./testing/check.ts";
import { makeRepository, makeTree } from "./testing/tree.ts";

const { options, check, found } = checker("test-check");

const PORT = "version: 1\nports:\n  - path: src/net.py\n    capabilities: [net]\n    owner: payments\n    note: the ledger\n";

describe("the port that a message names", () => {
  const PORTS = "version: 1\nports:\n  - { path: 'web/**', capabilities: [net], owner: payments, note: pages }\n  - { path: lib/net.py, capabilities: [net], owner: payments, note: feeds }\n";
  const files = { "agentgate.yml": PORTS, "web/pages.ts": "fetch('https://a.example');\n", "lib/net.py": "import httpx\n", "web2/a.py": "import httpx\n", "lib2/a.ts": "import axios from 'axios';\n" };

  async function advised(all: typeof files): Promise<Readonly<Record<string, string | undefined>>> {
    const { findings } = await check(makeTree(all));
    return Object.fromEntries(findings.filter(({ rule }) => rule === "no-invented-io").map(({ path, message }) => [path, /behind (\S+),/.exec(message)?.[1]]));
  }

  it("holds, or could hold, modules of the same language", async () => {
    expect(await advised(files)).toEqual({ "web2/a.py": "lib/net.py", "lib2/a.ts": "web/**" });
    const others = PORTS.replace("web/**", "later/**").replace("lib/net.py", "lib/later.py");
    expect(await advised({ ...files, "agentgate.yml": others })).toMatchObject({ "lib2/a.ts": "later/**", "web/pages.ts": "later/**" });
  });

  it("is none where all are of the other language", async () => {
    expect(await advised({ ...files, "agentgate.yml": PORTS.replace(/  - \{ path: lib.*\n/, "") })).toMatchObject({ "web2/a.py": undefined, "lib2/a.ts": "web/**" });
  });
});

describe("a report", () => {
  it("has the shape that other programs are written against", async () => {
    const root = makeTree({ "a.py": "import subprocess\nsubprocess.run(['x'])\n", "run.sh": "" });
    const report = await check(root);
    expect(Object.keys(report)).toEqual(["version", "tool", "mode", "base", "error", "summary", "findings", "unscanned", "permitted", "suppressed"]);
    expect(report).toMatchObject({
      version: 1, tool: { name: "agentgate", version: "1.2.3" }, mode: "tree", base: null, error: null,
      summary: { files: 1, errors: 1, warnings: 0, unchanged: 0, suppressed: 0, permitted: 0, unscanned: 1, unclassified: 0 },
      unscanned: [{ path: "run.sh", reason: "unsupported", detail: "shell" }], permitted: [], suppressed: [],
    });
    const finding = report.findings[0]!;
    expect(Object.keys(finding)).toEqual(["rule", "severity", "message", "path", "start", "end", "capability", "api", "baseline", "related", "fingerprint"]);
    expect(finding).toMatchObject({ rule: "no-invented-io", severity: "error", path: "a.py", capability: "proc", baseline: null });
    expect(finding.start.line).toBe(finding.end.line);
    expect(finding.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(sourceOf(report, "a.py")).toContain("subprocess.run");
    expect(sourceOf(report, "b.py")).toBeNull();
  });

  it("is the same bytes for any number of children, working directory and order", async () => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`src/m${index}.${index % 2 === 0 ? "py" : "ts"}`, index % 2 === 0 ? `import socket\nx = ${index}\n` : `// ${"x".repeat(9000)}\nfetch("${index}");\n`]));
    const root = makeRepository(files);
    const reports = await Promise.all([check(root, { jobs: 1 }), check(root, { jobs: 4 }), check(path.join(root, "src"), { paths: [".."], jobs: 2 })]);
    const texts = reports.map((report) => JSON.stringify(report));
    expect(texts[1]).toBe(texts[0]);
    expect(texts[2]).toBe(texts[0]);
    expect(reports[0].findings).toHaveLength(40);
  });

  it("gives the exit code", () => {
    const summary = { files: 0, errors: 0, warnings: 1, unchanged: 0, suppressed: 0, permitted: 0, unscanned: 0, unclassified: 0 };
    const error = { message: "", hint: "" };
    expect([exitCodeOf({ error: null, summary }, "error"), exitCodeOf({ error: null, summary }, "warning"), exitCodeOf({ error: null, summary: { ...summary, errors: 1 } }, "error"), exitCodeOf({ error: null, summary: { ...summary, errors: 1 } }, "never"), exitCodeOf({ error, summary }, "never")]).toEqual([0, 1, 1, 0, 2]);
  });

  it("counts packages that the catalogue does not know once", async () => {
    const report = await check(makeTree({ "a.py": "import no_such_pkg_a\nimport no_such_pkg_a.b\n", "b.py": "import no_such_pkg_a, own\n", "own.py": "" }));
    expect(report.summary.unclassified).toBe(1);
  });
});

describe("excluded files", () => {
  it("are listed and not judged, also when they are named", async () => {
    const root = makeTree({ "tests/a.py": "import socket\n", "b.py": "" });
    expect((await check(root)).unscanned).toEqual([{ path: "tests/a.py", reason: "excluded", detail: "**/tests/**" }]);
    const named = await check(root, { paths: ["tests/a.py"] });
    expect(named.findings).toEqual([]);
    expect(named.unscanned).toHaveLength(1);
    expect(notesOf(named).join()).toContain("tests/a.py is excluded by **/tests/**");
  });

  it("that hold no code are named too, once the command line names them", async () => {
    const report = await check(makeTree({ "README.md": "# x\n", "run.sh": "", "a.py": "" }), { paths: ["README.md", "run.sh", "a.py"] });
    expect(notesOf(report)).toEqual(["README.md is no Python, TypeScript or JavaScript, and was not judged."]);
    expect(report.unscanned.map((file) => file.path)).toEqual(["run.sh"]);
  });

  it("that are links say what they end at, once the command line names them", async () => {
    const root = makeTree({ "a.py": "" });
    symlinkSync("a.py", path.join(root, "b.py"));
    expect(notesOf(await check(root, { paths: ["b.py"] }))).toEqual(["b.py is a link to a.py, which is judged by that name: name it instead."]);
  });

  it("are judged when a judged module imports them, directly or through excluded ones", async () => {
    const files = {
      "app/__init__.py": "", "app/a.py": "from tests.helper import run\n", "tests/__init__.py": "", "tests/helper.py": "from . import deep\n", "tests/deep.py": "import socket\n", "tests/other.py": "import socket\n",
      "web/x.ts": 'import "../dist/y.js";', "dist/y.js": 'require("./z.js")', "dist/z.js": "fetch(1)", "dist/unused.js": "fetch(1)",
    };
    const report = await check(makeTree(files));
    expect(lines(report.findings)).toEqual(["dist/z.js:1:1 error no-invented-io (net)", "tests/deep.py:1:8 error no-invented-io (net)"]);
    expect(report.unscanned.map((file) => file.path)).toEqual(["dist/unused.js", "tests/other.py"]);
  });

  it.each([
    ["a.js", "export const open = (x) => import(`./tests/${x}.js`);"], ["a.js", 'export const all = import.meta.glob("./tests/*.js");'],
    ["a.py", "import importlib\n\ndef load(x):\n    return importlib.import_module(f'tests.{x}')\n"], ["a.py", "from tests import *\n"],
    ["a.py", "import os, sys\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), 'tests'))\nimport c\n"],
  ])("are judged when a name with a written beginning may load them: %s %j", async (path, source) => {
    const files = { [path]: source, "tests/b.js": "fetch(1);", "tests/__init__.py": "__all__ = ['c']\n", "tests/c.py": "import socket\n" };
    expect((await found(files)).filter((line) => line.startsWith("tests/"))).toEqual([path.endsWith(".py") ? "tests/c.py:1:8 error no-invented-io (net)" : "tests/b.js:1:1 error no-invented-io (net)"]);
  });

  it.each([
    ["a.js", 'await import("./tests/b.js")'], ["a.js", 'const name = "b"; await import(`./tests/${name}.js`)'], ["a.cjs", 'require(require("path").join(__dirname, "tests", "b"))'],
    ["a.js", 'await import(new URL("./tests/b.js", import.meta.url).href)'], ["a.js", 'new Worker(new URL("./tests/b.js", import.meta.url))'],
    ["a.js", 'const PAGES = { b: "./tests/b.js" }; export const open = (name) => import(PAGES[name]);'], ["a.js", 'import "me/b"'],
  ])("are judged when they are loaded in another way: %s %s", async (path, source) => {
    const files = { [path]: source, "tests/b.js": "fetch(1)", "package.json": '{"name": "me", "exports": {"./b": "./tests/b.js"}}' };
    expect(await found(files)).toContain("tests/b.js:1:1 error no-invented-io (net)");
  });

  it.each([
    'import importlib\nimportlib.import_module("scripts.b")', 'import runpy\nrunpy.run_module("scripts.b")', 'import runpy\nrunpy.run_path("scripts/b.py")',
    'import importlib.util, os\nimportlib.util.spec_from_file_location("b", os.path.join(os.path.dirname(__file__), "scripts", "b.py"))',
    'import importlib.util as u\nu.module_from_spec(u.find_spec("scripts.b"))',
  ])("are judged when they are loaded in another way: %s", async (source) => {
    expect(await found({ "a.py": source, "scripts/b.py": "import socket\n" })).toContain("scripts/b.py:1:8 error no-invented-io (net)");
  });

  it("are judged under any name that require runs, unless they are no source", async () => {
    const files = { "a.js": 'require("./data.dat"); require("./style.css"); require("./x.json"); require("./types.d.ts")', "data.dat": "fetch(1)", "style.css": "a { color: red; }\nb > c {}", "x.json": '{"a": 1}', "types.d.ts": "declare const x: 1" };
    expect(await found(files)).toEqual(["data.dat:1:1 error no-invented-io (net)"]);
  });

  it("are not judged for a type alone", async () => {
    expect(await found({ "a.ts": 'import type { X } from "./tests/b";', "tests/b.ts": "export interface X {} fetch(1)" })).toEqual([]);
  });

  it("stay out when only part of the tree is named and nothing named imports them", async () => {
    const root = makeTree({ "a.py": "import tests.x\n", "tests/__init__.py": "", "tests/x.py": "import socket\n", "b.py": "import a\n", "c.py": "import socket\n" });
    expect(lines((await check(root, { paths: ["b.py"] })).findings)).toEqual([]);
    expect(lines((await check(root, { paths: ["a.py"] })).findings)).toEqual(["tests/x.py:1:8 error no-invented-io (net)"]);
  });
});

describe("ports", () => {
  it("permit what they list where they match, with who licensed it", async () => {
    const root = makeTree({ "agentgate.yml": PORT, "src/net.py": "import socket\nimport subprocess\n", "src/other.py": "import socket\n" });
    const report = await check(root);
    expect(lines(report.findings)).toEqual(["src/net.py:2:8 error no-invented-io (proc)", "src/other.py:1:8 error no-invented-io (net)"]);
    expect(report.permitted).toMatchObject([{ path: "src/net.py", capability: "net", by: { kind: "port", path: "agentgate.yml", line: 3, owner: "payments", note: "the ledger" } }]);
    expect(report.summary).toMatchObject({ permitted: 1, errors: 2 });
  });

  it("add up, and families cover their members", async () => {
    const policy = `${PORT}  - path: src/**\n    capabilities: [fs]\n    owner: payments\n    note: files\n`;
    expect(await found({ "agentgate.yml": policy, "src/net.py": "import socket, shutil\nshutil.rmtree('x')\nopen('x', 'w')\n" })).toEqual([]);
  });

  it("that nobody needs are reported, but only over the whole tree", async () => {
    const root = makeTree({ "agentgate.yml": PORT, "src/net.py": "import json\n" });
    expect(lines((await check(root)).findings)).toEqual(["agentgate.yml:3:5 warning unused-port"]);
    expect(lines((await check(root, { paths: ["src"] })).findings)).toEqual([]);
  });

  it("that license a read are used by a module that reads", async () => {
    const policy = PORT.replace("[net]", "[fs.read]");
    expect(await found({ "agentgate.yml": policy, "src/net.py": "open('x').read()\n" })).toEqual([]);
  });

  it("whose day is over still cover the tree as it lies, with a warning at their path", async () => {
    const root = makeTree({ "agentgate.yml": `${PORT}    expires: 2026-06-14\n`, "src/net.py": "import socket\n" });
    const report = await check(root);
    expect(lines(report.findings)).toEqual(["agentgate.yml:3:5 warning expired-permit"]);
    expect(report.permitted).toHaveLength(1);
    expect(lines((await check(root, { now: new Date("2026-06-14T23:59:59Z") })).findings)).toEqual([]);
    expect(lines((await check(root, { now: new Date("2026-06-15T00:00:00Z") })).findings)).toHaveLength(1);
  });
});

describe("suppressions", () => {
  it("move a finding aside, with who asked for it", async () => {
    const report = await check(makeTree({ "a.py": "import socket  # agentgate: allow no-invented-io -- probe only, payments\n" }));
    expect(report.findings).toEqual([]);
    expect(report.suppressed).toMatchObject([{ rule: "no-invented-io", by: { kind: "suppression", path: "a.py", line: 1, owner: "payments", note: "probe only" } }]);
  });

  it("that suppress nothing are reported over the whole tree, broken ones always", async () => {
    const root = makeTree({ "a.py": "import json  # agentgate: allow no-invented-io -- why, payments\n", "b.py": "import socket  # agentgate: allow no-invented-io\n" });
    expect(lines((await check(root)).findings)).toEqual(["a.py:1:14 warning unused-suppression", "b.py:1:8 error no-invented-io (net)", "b.py:1:16 warning unused-suppression"]);
    expect(lines((await check(root, { paths: ["a.py", "b.py"] })).findings)).toEqual(["b.py:1:8 error no-invented-io (net)", "b.py:1:16 warning unused-suppression"]);
  });

  it("of a rule that is off or comes later are left alone", async () => {
    const files = { "a.py": "x = 1  # agentgate: allow undeclared-env -- why, payments\n", "b.py": "import socket  # agentgate: allow no-invented-io -- why, payments\n" };
    expect(await found(files, { rules: { "no-invented-io": "off" } })).toEqual([]);
  });

  it("do not reach parse errors", async () => {
    const findings = await found({ "a.py": "x = (  # agentgate: allow parse-error -- why, payments\n" });
    expect(findings.map((line) => line.split(" ").at(-1))).toContain("parse-error");
  });
});

describe("severities", () => {
  it("are set by the policy, and by the command line over it", async () => {
    const root = makeTree({ "agentgate.yml": "version: 1\nrules:\n  no-invented-io: warning\n", "a.py": "import socket\n" });
    expect(lines((await check(root)).findings)).toEqual(["a.py:1:8 warning no-invented-io (net)"]);
    expect(lines((await check(root, { rules: { "no-invented-io": "off" } })).findings)).toEqual([]);
    expect(lines((await check(root, { rules: { "no-invented-io": "error" } })).findings)).toEqual(["a.py:1:8 error no-invented-io (net)"]);
  });

  it.each(["parse-error", "gate-weakened", "no-such-rule"])("of %s cannot be set", async (rule) => {
    const report = await check(makeTree({ "a.py": "import socket\n" }), { rules: { [rule]: "off" } });
    expect(report.error?.message).toContain(rule);
    expect(report.findings).toHaveLength(1);
  });

  it("under strict hold reads as well", async () => {
    const files = { "a.py": "import os\nos.getenv('X')\n" };
    expect(await found(files)).toEqual([]);
    expect(await found(files, { strict: true })).toEqual(["a.py:2:4 error no-invented-io (env.read)"]);
  });
});

describe("the policy", () => {
  it("that is wrong in places yields findings at their lines, and the rest holds", async () => {
    expect(await found({ "agentgate.yml": `${PORT}nonsense: 1\nexclude: 3\n`, "src/net.py": "import socket\n" })).toEqual(["agentgate.yml:7:1 error config", "agentgate.yml:8:1 error config"]);
  });

  it.each([["not YAML", "version: ["], ["another version", "version: 9"], ["no UTF-8", Buffer.from([0xff, 0xfe, 0x00])]])("that is %s is an error, and everything is still judged", async (_, text) => {
    const report = await check(makeTree({ "agentgate.yml": text, "a.py": "import socket\n" }));
    expect(report.error?.message).toMatch(/^agentgate\.yml /);
    expect(report.error?.hint).not.toBe("");
    expect(lines(report.findings)).toEqual(["a.py:1:8 error no-invented-io (net)"]);
  });

  it("can lie anywhere with --config, which does not move the root; an absent one is an error", async () => {
    const elsewhere = makeTree({ "policy.yml": PORT });
    const root = makeTree({ "src/net.py": "import socket\n" });
    const config = path.join(elsewhere, "policy.yml");
    expect((await check(root, { config })).permitted).toHaveLength(1);
    expect((await check(root, { config: "gone.yml" })).error?.message).toBe("gone.yml does not exist.");
  });

  it("is never read below the root, and that is said", async () => {
    const root = makeRepository({ "agentgate.yml": "version: 1\n", "src/agentgate.yml": PORT.replace("src/", ""), "src/net.py": "import socket\n", "fixtures/x/agentgate.yml": "" });
    expect(lines((await check(root)).findings)).toEqual(["src/agentgate.yml:1:1 error config", "src/net.py:1:8 error no-invented-io (net)"]);
    expect(lines((await check(path.join(root, "src"), { paths: ["."] })).findings)).toEqual(["src/agentgate.yml:1:1 error config", "src/net.py:1:8 error no-invented-io (net)"]);
  });

  it("as a link out of the tree is not read", async () => {
    const elsewhere = makeTree({ "policy.yml": PORT });
    const root = makeTree({ "src/net.py": "import socket\n" });
    symlinkSync(path.join(elsewhere, "policy.yml"), path.join(root, "agentgate.yml"));
    expect((await check(root)).error?.message).toContain("leaves the tree");
  });

  it("adds to the catalogue", async () => {
    const policy = "version: 1\ncapabilities:\n  - { api: acme_sdk.pay, capability: pay }\n";
    expect(await found({ "agentgate.yml": policy, "a.py": "import acme_sdk\nacme_sdk.pay(1)\n" })).toEqual(["a.py:2:10 error no-invented-io (pay)"]);
  });
});

describe("modules of the tree", () => {
  it("pass a capability on by name, except where they are ports for it", async () => {
    const files = { "src/net.py": "from httpx import post\n", "src/use.py": "from src.net import post\npost('x')\n", "src/__init__.py": "" };
    expect(await found(files)).toEqual(["src/net.py:1:6 error no-invented-io (net)", "src/use.py:1:21 error no-invented-io (net)"]);
    expect(await found({ ...files, "agentgate.yml": PORT })).toEqual([]);
  });

  it("shadow packages", async () => {
    expect(await found({ "requests.py": "", "a.py": "import requests\nrequests.get(1)\n", "src/socket.ts": "export const x = 1", "src/b.ts": 'import { x } from "./socket"; x.connect();' })).toEqual([]);
  });

  it("are seen through aliases of packages", async () => {
    const files = { "package.json": '{"imports":{"#http":"axios"},"dependencies":{"innocent":"npm:axios@1"}}', "a.ts": 'import x from "innocent"; x.create({ timeout: 9 });', "b.ts": 'import x from "#http"; x.create({ timeout: 9 });' };
    expect(await found(files)).toEqual(["a.ts:1:15 error no-invented-io (net)", "b.ts:1:15 error no-invented-io (net)"]);
  });
});

describe("caps", () => {
  it("lists capabilities by module, with every site", async () => {
    const root = makeTree({ "b.py": "import os\nos.getenv('A')\nos.getenv('B')\n", "a.ts": "fetch(1);", "c.py": "import json\n" });
    const caps = await capsOfTree({ ...options(), cwd: root });
    expect(caps).toMatchObject({ version: 1, tool: { name: "agentgate", version: "1.2.3" }, base: null, error: null });
    expect(caps.modules).toEqual([
      { path: "a.ts", capabilities: [{ capability: "net", api: "fetch", sites: [{ line: 1, column: 1 }] }] },
      { path: "b.py", capabilities: [{ capability: "env.read", api: "os.getenv", sites: [{ line: 2, column: 4 }, { line: 3, column: 4 }] }] },
    ]);
  });
});
