import { symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { branched, changeTester, commit, edit } from "../testing/change.ts";
import { diffRunOf } from "../runs.ts";
import { git } from "../testing/tree.ts";

const { changed, check, diff, found } = changeTester("check-change");

const PORT = "version: 1\nports:\n  - { path: src/port.py, capabilities: [net], owner: payments, note: talks to the ledger }\n";

describe("what a module newly can do", () => {
  it("reports a class that is new as an error and a further root of one as a warning", async () => {
    expect(await found({ "a.py": "x = 1\n" }, { "a.py": "import httpx\nx = 1\n" })).toEqual(["a.py:1:8 error no-invented-io (net)"]);
    expect(await found({ "a.ts": 'import axios from "axios";\naxios.get("x", { timeout: 1 });\n' }, { "a.ts": 'import axios from "axios";\nimport got from "got";\naxios.get("x", { timeout: 1 });\n' }))
      .toEqual(["a.ts:2:17 warning no-invented-io (net)"]);
  });

  it("is told of Python under either of its endings, through what imports it too", async () => {
    const [base, edits] = [{ "tray.pyw": "x = 1\n", "a.py": "import tray\n" }, { "tray.pyw": "import httpx\ndef load(name):\n    return __import__(name)\n" }];
    expect(await found(base, edits)).toEqual(["tray.pyw:1:8 error no-invented-io (net)", "tray.pyw:3:12 error no-dynamic-import (opaque)"]);
  });

  it.each([
    ["a.py", "import httpx\n\n\ndef send():\n    httpx.post('https://a.example', timeout=1)\n"],
    ["a.ts", "import axios from 'axios';\nexport const send = () => axios.post('https://a.example', {}, { timeout: 1 });\n"],
  ])("says that the line of a declared gate is one of the base: %s", async (path, text) => {
    const policy = "version: 1\ngates:\n  - name: mutate\n";
    const { findings } = await changed({ "agentgate.yml": policy, [path]: "x = 1\n" }, { "agentgate.yml": `# moved\n\n${policy}`, [path]: text });
    expect(findings.find(({ rule }) => rule === "no-ungated-write")?.message).toContain("mutate, the gate that agentgate.yml declares at the base, on line 3.");
  });

  it("is silent about what was there", async () => {
    const report = await changed({ "a.py": "import httpx\nhttpx.get('x')\n" }, { "a.py": "import httpx\n\n\ndef f():\n    httpx.get('x')\n" });
    expect(report.findings).toEqual([]);
    expect(report.summary).toMatchObject({ files: 1, unchanged: 1 });
  });

  it("stands on an added line and lists every added site", async () => {
    const report = await changed({ "a.py": "import os\nos.getcwd()\n" }, { "a.py": "import os\nos.getcwd()\nos.system('x')\nos.popen('y')\n" });
    expect(report.findings.map(({ start, related, api }) => [start.line, api, related.map((place) => place.start.line)])).toEqual([[3, "os.system", [4]]]);
  });

  it("names all that the module had a class by, and nothing that is as new", async () => {
    const before = "import os\nimport shutil\nos.mkdir('a')\nshutil.copy('a', 'b')\n";
    const further = await changed({ "a.py": before }, { "a.py": `${before}open('c', 'w')\n` });
    expect(further.findings.map(({ message }) => message.split(". ")[1])).toEqual(["This module had fs.write by os and shutil only"]);
    const fresh = await changed({ "a.py": "x = 1\n" }, { "b.py": before });
    expect(fresh.findings.map(({ severity, message }) => `${severity} ${message.split(". ", 2).join(". ")}`)).toEqual([
      "error fs.write is new here: os.mkdir. This module could not write files before",
      "warning This module can write files: shutil.copy. It is a further way beside os, and no port licenses fs.write here",
    ]);
  });

  it("says where it moved from", async () => {
    const report = await changed({ "a.py": "import httpx\nhttpx.get('x')\n", "b.py": "x = 1\n" }, { "a.py": "x = 1\n", "b.py": "import httpx\nhttpx.get('x')\nx = 1\n" });
    expect(report.findings[0]?.message).toContain("It moved here from a.py.");
  });

  it("names a renamed module by the path that it had", async () => {
    const text = "def save(p, t):\n    with open(p, 'w') as f:\n        f.write(t)\n\n\ndef total(entries):\n    return sum(e.amount for e in entries)\n";
    const [base, edits] = [{ "big.py": `import httpx\n${text}` }, { "big.py": null, "big/save.py": text, "big/net.py": "import httpx\n" }];
    const { findings } = await changed(base, edits);
    expect(findings.map(({ path, message }) => [path, /from (\S+)\. /.exec(message)?.[1]])).toEqual([["big/net.py", "big.py"]]);
    const { modules } = await diff(branched(base, edits));
    expect(modules.flatMap(({ path, moved }) => moved.map(({ from }) => [path, from]))).toEqual([["big/net.py", "big.py"]]);
  });

  it("says the same in the listing, of a package that is built twice", async () => {
    const [able, plain] = ['import "express";\n', "x;\n"];
    const base = { "a/in.js": able, "b/in.js": able, "a/out.js": plain, "b/out.js": plain };
    const edits = { "a/in.js": plain, "b/in.js": plain, "a/out.js": able, "b/out.js": able };
    expect((await changed(base, edits)).findings.map(({ message }) => /from (\S+)\. /.exec(message)?.[1])).toEqual(["a/in.js", "b/in.js"]);
    const { modules } = await diff(branched(base, edits));
    expect(modules.flatMap(({ path, moved }) => moved.map(({ from }) => [path, from]))).toEqual([["a/out.js", "a/in.js"], ["b/out.js", "b/in.js"]]);
  });

  it("counts the working tree with untracked files, the index or a revision as head", async () => {
    const root = branched({ "a.py": "x = 1\n" }, { "a.py": "import httpx\n" });
    edit(root, { "b.py": "import subprocess\n", "c.py": "import smtplib\n" });
    git(root, "add", "c.py");
    const paths = async (options = {}): Promise<string[]> => (await check(root, options)).findings.map(({ path }) => path);
    expect(await paths()).toEqual(["a.py", "b.py", "c.py"]);
    expect(await paths({ staged: true })).toEqual(["a.py", "c.py"]);
    expect(await paths({ head: "HEAD" })).toEqual(["a.py"]);
  });

  it("keeps the base of a renamed module, but not the licence of its old path", async () => {
    const code = "import httpx\n\n\ndef send(order):\n    return httpx.post('x', json=order)\n";
    expect(await found({ "a.py": code }, { "a.py": null, "b.py": code })).toEqual([]);
    expect(await found({ "agentgate.yml": PORT, "src/port.py": code }, { "src/port.py": null, "src/other.py": code })).toEqual(["src/other.py:1:8 error no-invented-io (net)"]);
  });

  it("gives a copy nothing", async () => {
    const code = "import httpx\nhttpx.get('x')\n";
    expect(await found({ "a.py": code }, { "b.py": code })).toEqual(["b.py:1:8 error no-invented-io (net)"]);
  });

  it("says of a licence that it had already nothing new, and nothing where the change did not touch the module", async () => {
    const base = { "agentgate.yml": PORT, "src/port.py": "import httpx\nfrom src import part\n", "src/part.py": "x = 1\n" };
    const touched = await changed(base, { "src/port.py": "import httpx\nfrom src import part\ny = 2\n" });
    expect(touched.permitted.map(({ path, baseline, message }) => [path, baseline, message.split(": ", 1)[0]])).toEqual([["src/port.py", "unchanged", "This module can reach the network"]]);
    expect((await changed(base, { "src/part.py": "import json\n" })).permitted).toEqual([]);
    const gained = await changed({ ...base, "src/port.py": "from src import part\n" }, { "src/port.py": base["src/port.py"] });
    expect(gained.permitted.map(({ baseline, message }) => [baseline, message.split(": ", 1)[0]])).toEqual([["new", "net is new here"]]);
  });

  it("names the port of the module's own part of the tree first", async () => {
    const port = (path: string): string => `  - { path: ${path}, capabilities: [net], owner: team, note: talks to others }\n`;
    const policy = `version: 1\nports:\n${["service/adapters/**", "service/app/main.py", "worker/src/adapters/**"].map(port).join("")}`;
    const code = { "service/app/a.py": "import httpx\n", "worker/src/b.ts": 'import "got";\n', "tool/c.py": "import httpx\n" };
    const report = await changed({ "agentgate.yml": policy }, code);
    expect(report.findings.map(({ path, message }) => [path, /behind (\S+),/.exec(message)?.[1]])).toEqual([["service/app/a.py", "service/adapters/**"], ["tool/c.py", "service/adapters/**"], ["worker/src/b.ts", "worker/src/adapters/**"]]);
    expect((await diff(branched({ "agentgate.yml": policy }, code))).modules.map(({ path, port: named }) => [path, named])).toEqual([["service/app/a.py", "service/adapters/**"], ["tool/c.py", "service/adapters/**"], ["worker/src/b.ts", "worker/src/adapters/**"]]);
  });

  it("says of a comparison what could not be read", async () => {
    const report = await diff(branched({ "a.ts": "export {};\n", "b.py": "x = 1\n" }, { "a.ts": "export const x = (;\n", "b.py": "y = 1\n" }));
    expect(report.modules).toEqual([]);
    expect(diffRunOf(report).unjudged.map(({ path }) => path)).toEqual(["a.ts"]);
  });

  it("takes no workflow with the gate's name for a policy", async () => {
    const files = { ".github/workflows/agentgate.yml": "on: push\n", "sub/.github/workflows/agentgate.yml": "on: push\n", ".github/agentgate.yml": "version: 1\n", "sub/agentgate.yml": "version: 1\n" };
    expect(await found({ "a.py": "" }, files)).toEqual([".github/agentgate.yml:1:1 error config", "sub/agentgate.yml:1:1 error config"]);
  });

  it("reads ports from the tip of the base, and not from the branch point", async () => {
    const root = branched({ "src/port.py": "x = 1\n" }, { "src/port.py": "import httpx\n" });
    git(root, "checkout", "--quiet", "main");
    edit(root, { "agentgate.yml": PORT });
    commit(root, "policy");
    git(root, "checkout", "--quiet", "topic");
    const report = await check(root);
    expect(report.findings).toEqual([]);
    expect(report.permitted.map(({ by }) => `${by.path}:${by.line} ${by.owner}`)).toEqual(["agentgate.yml:3 payments"]);
  });
});

describe("findings of other rules", () => {
  it("tells a swap from what was there", async () => {
    const base = { "a.py": "def f(x, y):\n    eval(x)\n" };
    expect(await found(base, { "a.py": "def f(x, y):\n    # moved\n\n    eval( x )\n" })).toEqual([]);
    expect(await found(base, { "a.py": "def f(z, y):\n    eval(z)\n" })).toEqual([]);
    expect(await found(base, { "a.py": "def f(x, y):\n    eval(x + 'y')\n" })).toEqual(["a.py:2:5 error no-dynamic-import (code)"]);
    expect(await found(base, { "a.py": "def f(x, y):\n    eval(x)\n    eval(x)\n" })).toEqual(["a.py:3:5 error no-dynamic-import (code)"]);
  });

  it("lets nothing new be suppressed", async () => {
    const report = await changed({ "a.py": "x = 1\n" }, { "a.py": "# agentgate: allow no-dynamic-import -- trusted text, platform\neval(x)\n" });
    expect(report.findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining(["no-dynamic-import", "gate-weakened"]));
  });

  it("keeps what was suppressed at the base", async () => {
    const code = "# agentgate: allow no-dynamic-import -- trusted text, platform\neval(x)\n";
    const report = await changed({ "a.py": code }, { "a.py": `y = 1\n${code}` });
    expect(report.findings).toEqual([]);
    expect(report.suppressed.map(({ rule, by }) => [rule, by.line])).toEqual([["no-dynamic-import", 2]]);
  });
});

describe("what comes through other files", () => {
  it("judges an excluded file that a judged module newly imports", async () => {
    const report = await changed({ "tests/helper.py": "import subprocess\nsubprocess.run('x')\n", "a.py": "x = 1\n" }, { "a.py": "from tests.helper import *\nx = 1\n" });
    expect(report.findings.map(({ path, start, message }) => [path, start.line, message.includes("tests/helper.py")])).toEqual([["a.py", 1, true]]);
  });

  it("judges an excluded file that changed and that a judged module imports", async () => {
    expect(await found({ "tests/helper.py": "def run(): pass\n", "a.py": "from tests.helper import run\n" }, { "tests/helper.py": "import subprocess\ndef run(): subprocess.run('x')\n" }))
      .toEqual(["tests/helper.py:1:8 error no-invented-io (proc)"]);
  });

  it("judges what a star import takes", async () => {
    const base = { "shared.py": "import httpx\nfrom subprocess import run\n", "u.py": "x = 1\n" };
    expect(await found(base, { "u.py": "from shared import *\n\nhttpx.get('u')\nrun('x')\n" })).toEqual(["u.py:3:7 error no-invented-io (net)", "u.py:4:1 error no-invented-io (proc)"]);
    expect(await found(base, { "u.py": "from shared import *\n\nprint(other.get('u'))\n" })).toEqual([]);
    const own = { "shared.py": "from httpx import *\n", "u.py": "from shared import post\n\npost('x')\n" };
    expect((await changed(own, { "shared.py": "from httpx import *\n\n\ndef post(x): pass\n" })).summary).toMatchObject({ files: 1, errors: 0 });
  });

  it("says why an excluded file is judged", async () => {
    const base = { "src/a.ts": "export const load = (x: string) => import(`./plugins/${x}.js`);\n", "src/plugins/b.test.ts": "export {};\n" };
    const report = await changed(base, { "src/plugins/b.test.ts": 'import "node:http";\nfetch("x");\n' });
    expect(report.findings.map(({ path: at, related }) => [at, related.at(-1)?.path, related.at(-1)?.start.line, related.at(-1)?.message])).toContainEqual(["src/plugins/b.test.ts", "src/a.ts", 1, "loads this file, which **/*.test.* excludes"]);
  });

  it("judges what a link shows when its target changed", async () => {
    const root = branched({ "tests/real.py": "x = 1\n", "a.py": "x = 1\n" }, {});
    git(root, "checkout", "--quiet", "main");
    symlinkSync("tests/real.py", path.join(root, "shown.py"));
    commit(root, "link");
    git(root, "checkout", "--quiet", "-B", "topic");
    edit(root, { "tests/real.py": "import httpx\n" });
    expect((await check(root)).findings.map(({ path: at, rule }) => `${at} ${rule}`)).toEqual(["shown.py no-invented-io"]);
  });

  it("judges the users of what a licensed module newly passes on", async () => {
    const base = { "agentgate.yml": PORT, "src/port.py": "import httpx\n\ndef send(x):\n    return httpx.post(x)\n\nget = print\n", "src/user.py": "from .port import get\nget('x')\n" };
    const report = await changed(base, { "src/port.py": "import httpx\n\ndef send(x):\n    return httpx.post(x)\n\nget = httpx.get\n" });
    expect(report.findings).toEqual([]);
    const open = await changed({ ...base, "agentgate.yml": "version: 1\n" }, { "src/port.py": "import httpx\n\ndef send(x):\n    return httpx.post(x)\n\nget = httpx.get\n" });
    expect(open.findings.map(({ path, start, message }) => [path, start.line, message.includes("In src/user.py")])).toEqual([["src/port.py", 6, true]]);
  });

  it("judges modules whose import means another package since a manifest changed", async () => {
    const base = { "package.json": '{\n  "dependencies": {\n    "left-pad": "1.0.0"\n  }\n}\n', "a.ts": 'import pad from "left-pad";\npad("x");\n' };
    const report = await changed(base, { "package.json": '{\n  "dependencies": {\n    "left-pad": "npm:axios@1.0.0"\n  }\n}\n' });
    expect(report.findings.filter(({ rule }) => rule === "no-invented-io").map(({ path, start, capability, message }) => [path, start.line, capability, message.includes("In a.ts")])).toEqual([["package.json", 3, "net", true]]);
  });

  it("warns of the first import of a package that nobody knows", async () => {
    const base = { "a.py": "import known_nowhere\n", "b.py": "x = 1\n" };
    expect(await found(base, { "b.py": "import known_nowhere\nx = 1\n" })).toEqual([]);
    expect(await found(base, { "b.py": "import other_nowhere\nx = 1\n" })).toEqual(["b.py:1:8 warning no-invented-io"]);
  });

  it("tells an alias that nothing explains from a package, once", async () => {
    const base = { "a.ts": 'import { x } from "@/lib/x";\nexport { x };\n', "b.ts": "export {};\n" };
    expect(await found(base, { "b.ts": 'import { y } from "@/other/y";\nexport { y };\n' })).toEqual([]);
    const report = await changed({ "b.ts": "export {};\n" }, { "b.ts": 'import "@/other/y";\nimport "@/lib/x";\nimport "virtual:made";\nimport "known-nowhere";\n' });
    expect(report.findings.map(({ start, api, message }) => [start.line, api, / Say it| Give it/.exec(message)?.[0].trim(), message.includes("it is no package")])).toEqual([
      [1, "@", "Give it", true], [3, "virtual:made", "Say it", true], [4, "known-nowhere", "Say it", false],
    ]);
  });

  it("asks nobody about a suppression in an excluded file, unless a judged module imports it", async () => {
    const comment = "import httpx  # agentgate: allow no-invented-io -- a fake server, qa\nfrom src.a import f\n";
    const base = { "src/a.py": "def f(): pass\n", "tests/test_a.py": "from src.a import f\n" };
    expect(await found(base, { "tests/test_a.py": comment })).toEqual([]);
    // Whoever imports a changed file that is excluded is looked for, and read.
    expect(await found(base, { "tests/helper.py": "x = 1\n", "tests/test_a.py": `${comment}import tests.helper\n` })).toEqual([]);
    expect(await found(base, { "src/b.py": "import tests.test_a\n", "tests/test_a.py": comment })).toEqual(["tests/test_a.py:1:8 error no-invented-io (net)", "tests/test_a.py:1:15 error gate-weakened"]);
  });

  it("claims nothing of an excluded file's past", async () => {
    const { findings } = await changed({ "src/a.py": "x = 1\n", "tests/helper.py": "import httpx\n" }, { "src/a.py": "import tests.helper\n" });
    expect(findings.map(({ path, message }) => [path, message.split(". ")[0]])).toEqual([["src/a.py", "This import brings in tests/helper.py, which is judged from now on: it can reach the network by httpx"]]);
  });

  it("follows added calls with reach", async () => {
    const base = { "src/http.py": "import httpx\n\ndef send(x):\n    return httpx.post(x)\n", "src/user.py": "def f(): pass\n" };
    const edits = { "src/user.py": "from src.http import send\n\ndef f():\n    send('x')\n" };
    expect(await found(base, edits)).toEqual([]);
    const report = await changed(base, edits, { reach: true });
    expect(report.findings[0]?.message).toContain("This call lets the module reach the network through");
    expect(report.findings.map(({ path, start, capability, related }) => [path, start.line, capability, related.map((place) => `${place.path}:${place.start.line}`)])).toEqual([["src/user.py", 4, "net", expect.arrayContaining(["src/http.py:4"])]]);
  });

  it("tells an import that runs something from a call", async () => {
    const base = { "src/start.py": "import httpx\nhttpx.post('x')\n\ndef send():\n    httpx.post('y')\n", "src/user.py": "x = 1\n" };
    const message = async (code: string): Promise<string | undefined> => (await changed(base, { "src/user.py": code }, { reach: true })).findings[0]?.message;
    expect(await message("import src.start\n")).toContain("This import lets the module reach the network through");
  });

  it("says one cause once: a callee that is reported itself", async () => {
    const base = { "src/http.py": "def send(x): pass\n", "src/user.py": "def f(): pass\n" };
    const edits = { "src/http.py": "import httpx\n\ndef send(x):\n    return httpx.post(x)\n", "src/user.py": "from src.http import send\n\ndef f():\n    send('x')\n" };
    expect(await found(base, edits, { reach: true })).toEqual(["src/http.py:1:8 error no-invented-io (net)"]);
  });
});

describe("what cannot be judged", () => {
  it("is said, and never passes where the change touches it", async () => {
    expect(await found({ "a.py": "x = (\n" }, { "a.py": "y = (\n" })).toEqual(["a.py:1:5 error parse-error"]);
    expect(await found({}, { "a.js": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n" })).toEqual(["a.js:1:1 error not-judged"]);
    const report = await changed({}, { "run.sh": "ls\n", "tests/a.py": "import os\n" });
    expect(report.unscanned.map(({ path, reason }) => `${path} ${reason}`)).toEqual(["run.sh unsupported", "tests/a.py excluded"]);
  });

  it("is an error where nothing changed and a change is required", async () => {
    const root = branched({ "a.py": "x = 1\n" }, {});
    git(root, "checkout", "--quiet", "main");
    edit(root, { "a.py": "x = 2\n" });
    commit(root, "ahead");
    git(root, "checkout", "--quiet", "topic");
    expect((await check(root)).error).toBeNull();
    expect((await check(root, { requireChange: true })).error?.message).toContain("no change to judge");
  });

  it("has no base: no such ref, nothing in common", async () => {
    const root = branched({ "a.py": "x = 1\n" }, {});
    expect((await check(root, { base: "nowhere" })).error).toMatchObject({ message: expect.stringContaining("nowhere") as string });
    git(root, "checkout", "--quiet", "--orphan", "other");
    commit(root, "other");
    expect((await check(root)).error).toMatchObject({ message: expect.stringMatching(/no commit|unrelated|in common/) as string });
  });
});

describe("the document of a diff", () => {
  it("lists gains, losses and moves with their sites", async () => {
    const root = branched({ "a.py": "import httpx\nhttpx.get('x')\n", "b.py": "import os\nos.getenv('x')\n" }, { "a.py": "x = 1\n", "b.py": "import httpx\nhttpx.get('x')\n" });
    const report = await diff(root);
    expect(report.modules.map(({ path, gained, lost, moved }) => [path, gained.length, lost.map(({ capability }) => capability), moved.map(({ capability, from, sites }) => [capability, from, sites.length])])).toEqual([
      ["a.py", 0, ["net"], []], ["b.py", 0, ["env.read"], [["net", "a.py", 2]]],
    ]);
  });
});
