import { mkdirSync } from "node:fs";
import path from "node:path";
import { describe } from "vitest";
import { commit, git } from "@agentgate/engine/testing";
import { allSilent, write } from "./attempts.ts";
import type { HonestChange } from "./attempts.ts";

const NET = "import httpx\n\n\ndef send(order):\n    reply = httpx.post('x', json=order)\n    return reply.json()\n";
const EXEC = 'import { execSync } from "node:child_process";\n\nexport const run = (x: string) => execSync(x).toString();\n';
const EVAL = "def f(text):\n    value = eval(text)\n    return value\n";
const ALLOWED = "# agentgate: allow no-dynamic-import -- trusted text, platform\n";
const POLICY = "version: 1\nports:\n  - { path: src/port.py, capabilities: [net], owner: payments, note: talks to the ledger }\n  - { path: src/adapters/**, capabilities: [net, proc], owner: platform, note: adapters do the talking }\n";
const SUM = "def total(orders):\n    return sum(order.cents for order in orders)\n\n\ndef count(orders):\n    return len(orders)\n";

describe("changes that ask for nothing new", () => {
  allSilent("honest", [
    { name: "another layout", base: { "src/a.py": NET + EVAL }, patch: { "src/a.py": `import httpx\n\n\n\ndef send(order):\n\n    reply = httpx.post(\n        'x',\n        json=order,\n    )\n    return (reply.json())\n\n\ndef f(text):\n    value = eval( text )\n    return value\n` } },
    { name: "another layout of TypeScript", base: { "src/a.ts": EXEC }, patch: { "src/a.ts": 'import {\n    execSync,\n} from "node:child_process"\n\nexport const run =\n    (x: string) =>\n        execSync(x)\n            .toString()\n' } },
    { name: "moved lines", base: { "src/a.py": NET + EVAL + SUM }, patch: { "src/a.py": `import httpx\n\n\n${SUM}\n\n${EVAL}\n\n${NET.replace("import httpx\n\n\n", "")}` } },
    { name: "renamed locals", base: { "src/a.py": NET + EVAL }, patch: { "src/a.py": (NET + EVAL).replaceAll("reply", "answer").replaceAll("value", "result").replaceAll("text", "words") } },
    { name: "a renamed function", base: { "src/a.py": NET + EVAL }, patch: { "src/a.py": (NET + EVAL).replace("def send", "def post_order").replace("def f(", "def compute(") } },
    { name: "renamed files", base: { "src/a.py": NET + EVAL, "src/b.ts": EXEC }, patch: { "src/a.py": null, "src/b.ts": null, "src/orders.py": NET + EVAL, "lib/run.ts": EXEC } },
    { name: "a renamed file with a small edit", base: { "src/a.py": NET + EVAL }, patch: { "src/a.py": null, "src/orders.py": `${NET + EVAL}\n\nLIMIT = 3\n` } },
    { name: "a renamed file that its users now import by its new name", base: { "src/a.ts": EXEC, "src/b.ts": 'import { run } from "./a.js";\n\nexport const b = run;\n' }, patch: { "src/a.ts": null, "src/runner.ts": EXEC, "src/b.ts": 'import { run } from "./runner.js";\n\nexport const b = run;\n' } },
    { name: "a renamed file with a suppression", base: { "src/a.py": `${ALLOWED}${EVAL.slice(0, 0)}x = eval(y)\n\n\n${SUM}` }, patch: { "src/a.py": null, "src/b.py": `${ALLOWED}x = eval(y)\n\n\n${SUM}` } },
    { name: "a module split where a port owns the capability", base: { "agentgate.yml": POLICY, "src/adapters/ledger.py": NET + SUM }, patch: { "src/adapters/ledger.py": SUM, "src/adapters/client.py": NET }, permitted: ["src/adapters/client.py platform"] },
    { name: "a new file that a port's glob covers", base: { "agentgate.yml": POLICY }, patch: { "src/adapters/mail.py": NET }, permitted: ["src/adapters/mail.py platform"] },
    { name: "code moved into a port", base: { "agentgate.yml": POLICY, "src/a.py": NET, "src/port.py": SUM }, patch: { "src/a.py": "from src.port import send\n", "src/port.py": NET + SUM }, permitted: ["src/port.py payments"] },
    { name: "a call of a port", base: { "agentgate.yml": POLICY, "src/port.py": NET, "src/a.py": "x = 1\n" }, patch: { "src/a.py": "from src.port import send\n\nx = send({})\n" }, options: { reach: true } },
    { name: "a further use of what a module has", base: { "src/a.py": NET }, patch: { "src/a.py": `${NET}\n\ndef get(x):\n    return httpx.get(x)\n` } },
    { name: "versions of dependencies that move", base: { "package.json": '{\n  "name": "app",\n  "dependencies": {\n    "axios": "1.0.0"\n  }\n}\n', "pyproject.toml": '[project]\nname = "app"\ndependencies = ["httpx==0.27"]\n', "src/a.ts": 'import axios from "axios";\n\nexport const get = axios.get;\n', "src/a.py": NET }, patch: { "package.json": '{\n  "name": "app",\n  "version": "2.0.0",\n  "dependencies": {\n    "axios": "1.7.0"\n  }\n}\n', "pyproject.toml": '[project]\nname = "app"\ndependencies = ["httpx==0.28"]\n' } },
    { name: "comments and docstrings", base: { "src/a.py": NET + EVAL }, patch: { "src/a.py": `"""Orders: import subprocess is not what this does."""\n\n# requests.get, eval(x), os.system\n${NET}\n\n${EVAL}` } },
    { name: "other line ends", base: { "src/a.py": NET + EVAL, "src/a.ts": EXEC }, patch: { "src/a.py": (NET + EVAL).replaceAll("\n", "\r\n"), "src/a.ts": EXEC.replaceAll("\n", "\r\n") } },
    { name: "a byte order mark that comes and goes", base: { "src/a.py": NET + EVAL, "src/a.ts": `\ufeff${EXEC}` }, patch: { "src/a.py": `\ufeff${NET}${EVAL}`, "src/a.ts": EXEC } },
    { name: "sorted imports", base: { "src/a.py": "import subprocess\nimport httpx\nimport json\n\nhttpx.get(json.dumps(subprocess.run('x')))\n", "src/a.ts": 'import got from "got";\nimport { readFileSync } from "node:fs";\nimport axios from "axios";\n\nexport const x = [got, readFileSync, axios];\n' }, patch: { "src/a.py": "import json\nimport subprocess\n\nimport httpx\n\nhttpx.get(json.dumps(subprocess.run('x')))\n", "src/a.ts": 'import axios from "axios";\nimport got from "got";\nimport { readFileSync } from "node:fs";\n\nexport const x = [got, readFileSync, axios];\n' } },
    { name: "another style of import", base: { "src/a.py": "import subprocess\n\nsubprocess.run('x')\n", "src/a.ts": 'import * as cp from "child_process";\n\ncp.execSync("x");\n' }, patch: { "src/a.py": "from subprocess import run\n\nrun('x')\n", "src/a.ts": 'import { execSync } from "node:child_process";\n\nexecSync("x");\n' } },
    { name: "imports of types", base: { "src/a.py": "x = 1\n", "src/a.ts": "export const x = 1;\n" }, patch: { "src/a.py": "from __future__ import annotations\n\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import httpx\n\n\ndef f(client: httpx.Client) -> None:\n    client.get('x')\n", "src/a.ts": 'import type { Server } from "node:http";\nimport { type Socket } from "node:net";\n\nexport type X = Server | Socket;\n' } },
    { name: "tests", base: { "src/a.py": SUM }, patch: { "tests/test_a.py": NET, "src/a.test.ts": EXEC, "src/__tests__/b.ts": EXEC, "conftest.py": NET } },
    { name: "documents, data and shell", base: { "src/a.py": SUM }, patch: { "README.md": "# Run\n\n```py\nimport subprocess\n```\n", "data/x.json": '{ "eval": "subprocess" }\n', "run.sh": "curl x | sh\n", "LICENSE": "Do what you like.\n" } },
    { name: "deleted code", base: { "src/a.py": NET + EVAL, "src/b.ts": EXEC }, patch: { "src/a.py": SUM, "src/b.ts": null } },
    { name: "a branch into which the base was merged", base: { "src/a.py": SUM }, patch: (root) => { onBranch(root, "topic", "src/b.py", SUM); onBranch(root, "main", "src/c.py", NET); git(root, "checkout", "--quiet", "topic"); git(root, "merge", "--quiet", "--no-edit", "main"); } },
    { name: "a branch rebased on the base", base: { "src/a.py": SUM }, patch: (root) => { onBranch(root, "topic", "src/b.py", SUM); onBranch(root, "main", "src/c.py", NET); git(root, "checkout", "--quiet", "topic"); git(root, "rebase", "--quiet", "main"); } },
    { name: "a branch that is behind the base", base: { "src/a.py": SUM }, patch: (root) => { onBranch(root, "main", "src/a.py", NET); git(root, "checkout", "--quiet", "topic"); } },
    { name: "code that the branch brought and took back", base: { "src/a.py": SUM }, patch: [{ "src/a.py": NET }, { "src/a.py": SUM }] },
    { name: "a merge of a merge that has what both bases have", base: { "src/a.py": NET }, patch: (root) => { onBranch(root, "topic", "src/b.py", SUM); const mine = git(root, "rev-parse", "HEAD").trim(); onBranch(root, "main", "src/c.py", SUM); const theirs = git(root, "rev-parse", "HEAD").trim(); git(root, "merge", "--quiet", "--no-edit", mine); git(root, "checkout", "--quiet", "topic"); git(root, "merge", "--quiet", "--no-edit", "--no-ff", theirs); } },
    { name: "a policy that gets stricter", base: { "agentgate.yml": POLICY }, patch: { "agentgate.yml": `${POLICY.replace("net, proc", "net")}strict: true\n` } },
    { name: "comments, order and layout of the policy", base: { "agentgate.yml": POLICY }, patch: { "agentgate.yml": `# Who may do what.\nports:\n  - path: src/adapters/**\n    owner: platform\n    note: adapters do the talking\n    capabilities: [proc, net]\n  - { path: src/port.py, capabilities: [net], owner: payments, note: talks to the ledger }\nversion: 1\n` } },
    { name: "a port taken away with its code", base: { "agentgate.yml": POLICY, "src/port.py": NET }, patch: { "agentgate.yml": POLICY.split("\n").filter((line) => !line.includes("src/port.py")).join("\n"), "src/port.py": null } },
    { name: "a suppression taken away with its code", base: { "src/a.py": `${ALLOWED}x = eval(y)\n` }, patch: { "src/a.py": "x = int(y)\n" } },
    { name: "a mode that changes", base: { "src/a.py": NET }, patch: { "src/a.py": { executable: NET } } },
    { name: "a package that begins", base: { "src/app/a.py": NET, "src/app/b.py": "from app.a import send\n\nx = send\n" }, patch: { "src/app/__init__.py": "" } },
    { name: "paths of tsconfig.json that name the same files", base: { "tsconfig.json": '{ "compilerOptions": { "paths": { "~/*": ["./src/*"] } } }\n', "src/a.ts": EXEC, "src/b.ts": 'import { run } from "~/a";\n\nrun("x");\n' }, patch: { "tsconfig.json": '{ "compilerOptions": { "strict": true, "paths": { "@/*": ["./src/*"], "~/*": ["./src/*"] } } }\n', "src/b.ts": 'import { run } from "@/a";\n\nrun("x");\n' } },
    { name: "a linked folder of the tree's own packages", base: { "package.json": '{ "workspaces": ["packages/*"] }\n', "packages/lib/package.json": '{ "name": "lib", "main": "./src/index.ts" }\n', "packages/lib/src/index.ts": EXEC, "src/a.ts": 'import { run } from "lib";\n\nrun("x");\n' }, patch: (root) => { mkdirSync(path.join(root, "node_modules")); write(root, { "node_modules/lib": { to: "../packages/lib" } }); commit(root, "link"); } },
    { name: "nothing", base: { "src/a.py": NET }, patch: {} },
  ] satisfies HonestChange[]);
});

function onBranch(root: string, branch: string, file: string, text: string): void {
  git(root, "checkout", "--quiet", branch);
  write(root, { [file]: text });
  commit(root, "change");
}
