import { describe } from "vitest";
import { commit, git } from "@agentgate/engine/testing";
import { allReported, write } from "./attempts.ts";
import type { Attempt } from "./attempts.ts";

const NET = "import httpx\n\nhttpx.get('x')\n";
const PROC = "import subprocess\n\nsubprocess.run('x')\n";
const IO = "no-invented-io src/a.py";
const WEAKENED = "gate-weakened agentgate.yml";

function port(path: string, capabilities: string, more = ""): string {
  return `version: 1\nports:\n  - { path: ${path}, capabilities: [${capabilities}], owner: payments, note: talks to the ledger${more} }\n`;
}

const PORT = port("src/port.py", "net");
const BASE = { "agentgate.yml": PORT, "src/port.py": NET, "src/a.py": "x = 1\n" };

describe("the policy in the patch", () => {
  allReported("laundering-policy", [
    { name: "a permit inside the patch", base: BASE, patch: { "agentgate.yml": `${PORT}  - { path: src/a.py, capabilities: [net], owner: me, note: needed }\n`, "src/a.py": NET }, reported: [IO, WEAKENED] },
    { name: "a permit in an earlier commit of the branch", base: BASE, patch: [{ "agentgate.yml": `${PORT}  - { path: src/a.py, capabilities: [net], owner: me, note: needed }\n` }, { "src/a.py": NET }], reported: [IO, WEAKENED] },
    { name: "a port's glob widened", base: BASE, patch: { "agentgate.yml": port("src/*.py", "net"), "src/a.py": NET }, reported: [IO, WEAKENED] },
    { name: "a port's glob widened by braces", base: BASE, patch: { "agentgate.yml": port('"src/{port,a}.py"', "net"), "src/a.py": NET }, reported: [IO, WEAKENED] },
    { name: "a port's capabilities widened", base: BASE, patch: { "agentgate.yml": port("src/port.py", "net, proc"), "src/port.py": NET + PROC }, reported: ["no-invented-io src/port.py", WEAKENED] },
    { name: "a port given another path", base: BASE, patch: { "agentgate.yml": port("src/a.py", "net"), "src/a.py": NET }, reported: [IO, WEAKENED] },
    { name: "a site added under a port whose day is over", base: { ...BASE, "agentgate.yml": port("src/port.py", "net", ", expires: 2026-01-31") }, patch: { "src/port.py": `${NET}httpx.post('y')\n` }, reported: ["no-invented-io src/port.py"] },
    { name: "the day of a port moved out", base: { ...BASE, "agentgate.yml": port("src/port.py", "net", ", expires: 2026-01-31") }, patch: { "agentgate.yml": port("src/port.py", "net", ", expires: 2027-01-31"), "src/port.py": `${NET}httpx.post('y')\n` }, reported: ["no-invented-io src/port.py", WEAKENED] },
    { name: "the day of a port taken away", base: { ...BASE, "agentgate.yml": port("src/port.py", "net", ", expires: 2026-12-31") }, patch: { "agentgate.yml": PORT }, reported: [WEAKENED] },
    { name: "a policy where there was none", base: { "src/a.py": "x = 1\n" }, patch: { "agentgate.yml": port("**", "net"), "src/a.py": NET }, reported: [IO, WEAKENED] },
    { name: "a policy nested beside the code", base: BASE, patch: { "src/agentgate.yml": port("**", "net"), "src/a.py": NET }, reported: [IO, "config src/agentgate.yml"] },
    { name: "a policy under another ending", base: { "src/a.py": "x = 1\n" }, patch: { "agentgate.yaml": port("**", "net"), "src/a.py": NET }, reported: [IO] },
    { name: "the policy deleted", base: { ...BASE, "agentgate.yml": "version: 1\nstrict: true\n", "src/port.py": "x = 1\n" }, patch: { "agentgate.yml": null }, reported: [WEAKENED] },
    { name: "the policy moved", base: { ...BASE, "agentgate.yml": "version: 1\nstrict: true\n", "src/port.py": "x = 1\n" }, patch: { "agentgate.yml": null, "config/agentgate.yml": "version: 1\nstrict: true\n" }, reported: [WEAKENED] },
    { name: "the policy replaced by a link to a looser one", base: { ...BASE, "ports.yml": port("**", "net") }, patch: { "agentgate.yml": { to: "ports.yml" }, "src/a.py": NET }, reported: [IO, WEAKENED] },
    { name: "the policy emptied", base: { ...BASE, "agentgate.yml": "version: 1\nstrict: true\n" }, patch: { "agentgate.yml": "" }, reported: [WEAKENED] },
    { name: "the policy set to a version that nobody reads", base: { ...BASE, "agentgate.yml": "version: 1\nstrict: true\n" }, patch: { "agentgate.yml": "version: 2\nstrict: true\n" }, reported: [WEAKENED] },
    { name: "the policy no longer YAML", base: { ...BASE, "agentgate.yml": "version: 1\nstrict: true\n" }, patch: { "agentgate.yml": "version: [1\n" }, reported: [WEAKENED] },
    { name: "the policy in UTF-16", base: { ...BASE, "agentgate.yml": "version: 1\nstrict: true\n" }, patch: { "agentgate.yml": Buffer.from("\ufeffversion: 1\n", "utf16le") }, reported: [WEAKENED] },
    { name: "a second key of the same name", base: BASE, patch: { "agentgate.yml": `${PORT}ports:\n  - { path: "**", capabilities: [net], owner: me, note: needed }\n`, "src/a.py": NET }, reported: [IO, WEAKENED] },
    { name: "a port through an anchor", base: BASE, patch: { "agentgate.yml": `version: 1\nports:\n  - &port { path: src/port.py, capabilities: [net], owner: payments, note: talks to the ledger }\n  - { <<: *port, path: src/a.py }\n`, "src/a.py": NET }, reported: [IO] },
    { name: "a port through a repeated alias", base: BASE, patch: { "agentgate.yml": `version: 1\nports:\n  - { path: src/port.py, capabilities: &all [net, proc], owner: payments, note: talks to the ledger }\n  - { path: src/a.py, capabilities: *all, owner: me, note: needed }\n`, "src/a.py": NET }, reported: [IO, WEAKENED] },
    { name: "an excluded path added", base: BASE, patch: { "agentgate.yml": `${PORT}extendExclude: [src/a.py]\n`, "src/a.py": NET }, reported: [IO, WEAKENED] },
    { name: "`exclude` in the place of the default", base: BASE, patch: { "agentgate.yml": `${PORT}exclude: ["**"]\n`, "src/a.py": NET }, reported: [IO, WEAKENED] },
    { name: "a rule turned off", base: BASE, patch: { "agentgate.yml": `${PORT}rules:\n  no-invented-io: off\n`, "src/a.py": NET }, reported: [IO, WEAKENED] },
    { name: "a rule made a warning", base: BASE, patch: { "agentgate.yml": `${PORT}rules:\n  no-invented-io: warning\n`, "src/a.py": NET }, reported: [IO, WEAKENED] },
    { name: "the largest file made smaller", base: BASE, patch: { "agentgate.yml": `${PORT}maxFileBytes: 10\n`, "src/a.py": NET }, reported: [IO, WEAKENED] },
    { name: "`strict` turned off", base: { "agentgate.yml": "version: 1\nstrict: true\n", "src/a.py": "x = 1\n" }, patch: { "agentgate.yml": "version: 1\nstrict: false\n", "src/a.py": "import os\n\nos.getenv('x')\n" }, reported: [IO, WEAKENED] },
    { name: "a package called pure", base: BASE, patch: { "agentgate.yml": `${PORT}capabilities:\n  - { api: httpx, capability: pure }\n`, "src/a.py": NET }, reported: [IO, WEAKENED] },
    { name: "a capability of ours dropped", base: { ...BASE, "agentgate.yml": `${PORT}capabilities:\n  - { api: acme.charge, capability: pay }\n` }, patch: { "agentgate.yml": PORT, "src/a.py": "import acme\n\nacme.charge()\n" }, reported: [IO, WEAKENED] },
    { name: "a file inside the tree that --config names", base: { ...BASE, "gate/ports.yml": PORT }, options: { config: "gate/ports.yml" }, patch: { "gate/ports.yml": port("**", "net"), "src/a.py": NET }, reported: [IO, "gate-weakened gate/ports.yml"] },
    { name: "a file of the patch that --config names", base: BASE, options: { config: "gate/ports.yml" }, patch: { "gate/ports.yml": port("**", "net"), "src/a.py": NET }, refused: /does not exist at main/ },
    { name: "a digest that nobody accepted", base: BASE, options: { accept: "0".repeat(64) }, patch: { "agentgate.yml": port("**", "net"), "src/a.py": NET }, reported: [IO, WEAKENED] },
    { name: "a branch point older than the policy", base: { "src/a.py": "x = 1\n" }, patch: [{ "src/a.py": NET }, (root) => { onMain(root, { "agentgate.yml": PORT }); }], reported: [IO] },
    { name: "a branch point at which the policy still had the port", base: { ...BASE, "agentgate.yml": port("src/**", "net") }, patch: [{ "src/a.py": NET }, (root) => { onMain(root, { "agentgate.yml": PORT }); }], reported: [IO] },
    { name: "a branch point at which the file was still excluded", base: { ...BASE, "agentgate.yml": `${PORT}extendExclude: [src/a.py]\n` }, patch: [{ "src/a.py": NET }, (root) => { onMain(root, { "agentgate.yml": PORT }); }], reported: [IO] },
  ] satisfies Attempt[]);
});

const LOOP = "version: 1\nloops:\n  - { id: retry, max: 3 }\n";
const HELD = '"module src/a.py": "net"';
const FINDING = `"finding src/a.py no-dynamic-import ${"0".repeat(64)}": 1`;
const OTHER = '"module src/b.py": "net"';
/** More than is read of any other file. */
const LARGE = Array.from({ length: 12_000 }, (_, index) => `"module ${"folder/".repeat(12)}${index}.py": "net"`);

function baseline(...lines: readonly string[]): string {
  return `{\n${lines.map((line) => `  ${line},\n`).join("")}  "version": 1\n}\n`;
}

describe("baseline and contracts", () => {
  allReported("laundering-held", [
    { name: "a contract replaced by a link to nothing", base: { "agent/loop-budget.yml": "version: 1\n" }, patch: { "agent/loop-budget.yml": { to: "nowhere" } }, reported: ["gate-weakened agent/loop-budget.yml"] },
    { name: "a contract replaced by a link to a file", base: { "agent/loop-budget.yml": "version: 1\n", "other.yml": "version: 1\n" }, patch: { "agent/loop-budget.yml": { to: "../other.yml" } }, reported: ["gate-weakened agent/loop-budget.yml"] },
    { name: "a contract made unreadable", base: { "agent/loop-budget.yml": "version: 1\n" }, patch: { "agent/loop-budget.yml": Buffer.from("\u00ff\u00fe\0\u0001", "latin1") }, reported: ["gate-weakened agent/loop-budget.yml"] },
    { name: "a baseline that the patch brings", base: BASE, patch: { "agentgate-baseline.json": baseline(HELD), "src/a.py": NET }, reported: [IO, "gate-weakened agentgate-baseline.json"] },
    { name: "a baseline that grew", base: { ...BASE, "src/b.py": NET, "agentgate-baseline.json": baseline(OTHER) }, patch: { "agentgate-baseline.json": baseline(HELD, OTHER), "src/a.py": NET }, reported: [IO, "gate-weakened agentgate-baseline.json"] },
    { name: "a capability more in a line of the baseline", base: { ...BASE, "src/a.py": NET, "agentgate-baseline.json": baseline(HELD) }, patch: { "agentgate-baseline.json": baseline(HELD.replace('"net"', '"net proc"')), "src/a.py": NET + PROC }, reported: [IO, "gate-weakened agentgate-baseline.json"] },
    { name: "a large baseline that grew", base: { ...BASE, "agentgate-baseline.json": baseline(...LARGE) }, patch: { "agentgate-baseline.json": baseline(...LARGE, HELD), "src/a.py": NET }, reported: [IO, "gate-weakened agentgate-baseline.json"] },
    { name: "more equal findings in a line of the baseline", base: { ...BASE, "agentgate-baseline.json": baseline(FINDING) }, patch: { "agentgate-baseline.json": baseline(FINDING.replace(": 1", ": 9")) }, reported: ["gate-weakened agentgate-baseline.json"] },
    { name: "the baseline deleted", base: { ...BASE, "src/a.py": NET, "agentgate-baseline.json": baseline(HELD) }, patch: { "agentgate-baseline.json": null }, reported: ["gate-weakened agentgate-baseline.json"] },
    { name: "the baseline made unreadable", base: { ...BASE, "src/a.py": NET, "agentgate-baseline.json": baseline(HELD) }, patch: { "agentgate-baseline.json": "{" }, reported: ["gate-weakened agentgate-baseline.json"] },
    { name: "a new module where a held one was moved away", base: { ...BASE, "src/a.py": `${NET}\n\ndef total(orders):\n    return sum(order.cents for order in orders)\n`, "agentgate-baseline.json": baseline(HELD) }, patch: { "src/b.py": `${NET}\n\ndef total(orders):\n    return sum(order.cents for order in orders)\n`, "src/a.py": "from urllib.request import urlopen\n\nurlopen('https://elsewhere.example')\n" }, reported: ["no-invented-io src/b.py"] },
    { name: "a contract deleted", base: { ...BASE, "agent/loop-budget.yml": LOOP }, patch: { "agent/loop-budget.yml": null }, reported: ["gate-weakened agent/loop-budget.yml"] },
    { name: "a contract moved", base: { ...BASE, "agent/loop-budget.yml": LOOP }, patch: { "agent/loop-budget.yml": null, "docs/loop-budget.yml": LOOP }, reported: ["gate-weakened docs/loop-budget.yml"] },
    { name: "a contract emptied", base: { ...BASE, "agent/loop-budget.yml": LOOP }, patch: { "agent/loop-budget.yml": "\n" }, reported: ["gate-weakened agent/loop-budget.yml"] },
    { name: "a contract's evidence deleted", base: { ...BASE, "agent-lock.json": "{}\n", "prompts/system.md": "Be careful.\n" }, patch: { "prompts/system.md": null }, reported: ["gate-weakened prompts/system.md"] },
    { name: "a contract looked for elsewhere", base: { ...BASE, "agent/loop-budget.yml": LOOP, "other.yml": LOOP }, patch: { "agentgate.yml": `${PORT}contracts:\n  loop-budget: { path: other.yml }\n` }, reported: [WEAKENED] },
  ] satisfies Attempt[]);
});

const ALLOWED = "# agentgate: allow no-dynamic-import -- trusted text, platform\n";
const DYNAMIC = "no-dynamic-import src/a.py";

describe("suppressions in the patch", () => {
  allReported("laundering-suppressions", [
    { name: "a suppression with the code", base: BASE, patch: { "src/a.py": `${ALLOWED}eval(x)\n` }, reported: [DYNAMIC, "gate-weakened src/a.py"] },
    { name: "a suppression with the code in TypeScript", base: { "src/a.ts": "export {};\n" }, patch: { "src/a.ts": "// agentgate: allow no-dynamic-import -- trusted text, platform\neval(globalThis.text);\n" }, reported: ["no-dynamic-import src/a.ts", "gate-weakened src/a.ts"] },
    { name: "a suppression of a capability", base: BASE, patch: { "src/a.py": `# agentgate: allow no-invented-io -- needed here, platform\n${NET}` }, reported: [IO, "gate-weakened src/a.py"] },
    { name: "a suppression over code that stood there", base: { "src/a.py": "eval(x)\n" }, patch: { "src/a.py": `${ALLOWED}eval(x)\n` }, reported: ["gate-weakened src/a.py"] },
    { name: "an edit under a suppression", base: { "src/a.py": `${ALLOWED}eval(x)\n` }, patch: { "src/a.py": `${ALLOWED}eval(x + input())\n` }, reported: [DYNAMIC] },
    { name: "a second finding under a suppression", base: { "src/a.py": `${ALLOWED}eval(x)\n` }, patch: { "src/a.py": `${ALLOWED}eval(x); exec(y)\n` }, reported: [DYNAMIC] },
    { name: "an equal finding under a suppression", base: { "src/a.py": `${ALLOWED}eval(x)\n` }, patch: { "src/a.py": `${ALLOWED}eval(x); eval(x)\n` }, reported: [DYNAMIC] },
    { name: "a suppression copied with its code", base: { ...BASE, "src/b.py": `${ALLOWED}eval(x)\n` }, patch: { "src/a.py": `${ALLOWED}eval(x)\n` }, reported: [DYNAMIC, "gate-weakened src/a.py"] },
    { name: "a suppression moved to another finding", base: { "src/a.py": `${ALLOWED}eval(x)\n\n\nexec(y)\n` }, patch: { "src/a.py": `eval(x)\n\n\n${ALLOWED}exec(y)\n` }, reported: ["gate-weakened src/a.py"] },
    { name: "an edit under the suppression of a renamed file", base: { "src/b.py": `${ALLOWED}eval(x)\n\n\ndef total(orders):\n    return sum(order.cents for order in orders)\n` }, patch: { "src/b.py": null, "src/a.py": `${ALLOWED}eval(x or y)\n\n\ndef total(orders):\n    return sum(order.cents for order in orders)\n` }, reported: [DYNAMIC] },
    { name: "a suppression in a string", base: BASE, patch: { "src/a.py": 'note = """\n# agentgate: allow no-dynamic-import -- trusted text, platform"""; eval(x)\n' }, reported: [DYNAMIC] },
    { name: "a suppression without an owner", base: BASE, patch: { "src/a.py": "# agentgate: allow no-dynamic-import -- trusted text\neval(x)\n" }, reported: [DYNAMIC] },
    { name: "a suppression of everything", base: BASE, patch: { "src/a.py": "# agentgate: allow * -- trusted text, platform\neval(x)\n" }, reported: [DYNAMIC] },
    { name: "a suppression of what cannot be suppressed", base: BASE, patch: { "src/a.py": "# agentgate: allow parse-error -- old syntax, platform\nx = (\n" }, reported: ["parse-error src/a.py"] },
    { name: "the words of other linters", base: BASE, patch: { "src/a.py": "eval(x)  # nosec  # noqa  # nosemgrep\n" }, reported: [DYNAMIC] },
    { name: "a comment that takes ESLint's view", base: { "src/a.ts": "export {};\n" }, patch: { "src/a.ts": "/* eslint-disable agentgate/no-dynamic-import */\nexport {};\n" }, reported: ["gate-weakened src/a.ts"] },
    { name: "one finding fixed and one of the same rule added", base: { "src/a.py": "def f(x):\n    eval(x)\n\n\ndef g(x):\n    return x\n" }, patch: { "src/a.py": "def f(x):\n    return x\n\n\ndef g(x):\n    exec(x)\n" }, reported: [DYNAMIC] },
    { name: "one finding swapped for another on its line", base: { "src/a.ts": "export const f = (x: string) => eval(x);\n" }, patch: { "src/a.ts": "export const f = (x: string) => new Function(x);\n" }, reported: ["no-dynamic-import src/a.ts"] },
    { name: "one capability swapped for another", base: { "src/a.py": NET }, patch: { "src/a.py": PROC }, reported: [IO] },
    { name: "one root of a capability swapped for another", base: { "src/a.py": NET }, patch: { "src/a.py": "import smtplib\n\nsmtplib.SMTP('x')\n" }, reported: [IO] },
  ] satisfies Attempt[]);
});

function onMain(root: string, contents: Parameters<typeof write>[1]): void {
  git(root, "checkout", "--quiet", "main");
  write(root, contents);
  commit(root, "policy");
  git(root, "checkout", "--quiet", "topic");
}
