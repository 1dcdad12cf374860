import { readFileSync, readdirSync, statSync, truncateSync } from "node:fs";
import path from "node:path";
import type { Report } from "@agentgate/engine";
import { git, makeTree } from "@agentgate/engine/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { idOf, net, proc, pure, repositoryOf } from "./repositories.ts";
import { agentgate } from "../cli/harness.ts";

/** Long enough that children parse it. */
const LONG = Array.from({ length: 500 }, (_, index) => `def f${index}(x):\n    return x + ${index}\n`).join("\n");
const LONG_TS = Array.from({ length: 500 }, (_, index) => `export function f${index}(x: number): number {\n  return x + ${index};\n}\n`).join("\n");

const POLICY = "version: 1\nports:\n  - { path: src/port.py, capabilities: [net], owner: payments, note: talks to the ledger }\n";
const BASE = {
  "agentgate.yml": POLICY, "src/__init__.py": "", "src/port.py": pure("port"), "src/client.py": net("client"), "src/use.py": pure("use"), "src/moved.py": `${net("moved")}${LONG}`, "web/long.ts": LONG_TS, "web/a.ts": "export const a = 1;\n",
  "ünï/i.py": pure("i"), "ünï/I.py": pure("I"), "tests/helper.py": proc("helper"), "run.sh": "ls\n",
};
const PATCH = {
  "agentgate.yml": POLICY.replace("[net]", "[net, proc]"), "src/port.py": net("port"), "src/use.py": `from src.client import send_client\n\n${pure("use")}\n\ndef go(order):\n    send_client(order)\n`, "src/moved.py": null, "src/to.py": `${net("moved")}${LONG}x = 1\n`,
  "src/long.py": `${LONG}\n${net("long")}${proc("long")}`, "web/long.ts": `import got from "got";\n${LONG_TS}export const answer = await got("x");\n`, "web/a.ts": 'export const a = eval("1");\nconst x = eval("2");\nimport axios from "axios";\n', "ünï/i.py": net("i"), "ünï/I.py": net("I"),
  "web/use.py": "from tests.helper import start_helper\n", "run.sh": "ls -l\n", "broken.py": "x = (\n",
};

let root: string;
beforeAll(() => { root = repositoryOf(BASE, PATCH); });

const FORMATS = ["json", "stylish", "sarif"] as const;

/** What one run writes, in every format, and its exit code. */
function run(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Readonly<Record<string, string | number | null>> {
  const folder = makeTree({});
  const revisions = ["--base", idOf(root, "main"), "--head", idOf(root, "topic")];
  const { code } = agentgate(cwd, ["check", ...revisions, "--reach", "--now", "2026-06-15T12:00:00Z", ...args, ...FORMATS.flatMap((format) => ["--format", `${format}=${path.join(folder, format)}`])], { env });
  return { code, ...Object.fromEntries(FORMATS.map((format) => [format, readFileSync(path.join(folder, format), "utf8")])) };
}

describe("the same change gives the same bytes", () => {
  let expected: ReturnType<typeof run>;
  beforeAll(() => {
    expected = run(root, ["--no-cache"]);
    expect(expected["code"]).toBe(1);
    const document = JSON.parse(String(expected["json"])) as Report;
    expect(new Set(document.findings.map(({ rule }) => rule))).toEqual(new Set(["no-invented-io", "gate-weakened", "no-dynamic-import", "parse-error", "require-timeout"]));
    expect(document.findings.map(({ path: at }) => at)).toEqual(expect.arrayContaining(["src/use.py", "src/long.py", "web/long.ts"]));
    expect([document.permitted.length, document.unscanned.length]).not.toContain(0);
  });

  const same = (cwd: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): void => { expect(run(cwd, args, env)).toEqual(expected); };

  it("with one child", () => { same(root, ["--no-cache", "--jobs", "1"]); });

  it("with four children, from a folder below, in no locale and no zone", () => {
    same(path.join(root, "src"), ["--no-cache", "--jobs", "4"], { LC_ALL: "C", LANG: "C", LANGUAGE: "de", TZ: ":nowhere" });
  });

  it("in a fresh clone, where files have other times and another order, in Turkish on the far side of the date line", () => {
    const clone = makeTree({});
    git(clone, "clone", "--quiet", "--branch", "topic", root, ".");
    git(clone, "repack", "-a", "-d", "--quiet");
    same(clone, ["--no-cache"], { LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8", TZ: "Pacific/Kiritimati", GIT_TRACE: "1" });
  });

  it("for the working tree and the index as for the revision", () => {
    for (const args of [[], ["--staged"]]) {
      const { stdout } = agentgate(root, ["check", "--base", "main", "--reach", "--no-cache", "--format", "json", ...args]);
      expect({ ...JSON.parse(stdout) as Report, base: null }).toEqual({ ...JSON.parse(String(expected["json"])) as Report, base: null });
    }
  });

  it("with an empty cache, a full one, a damaged one and one that nobody may write", () => {
    const cache = makeTree({});
    const env = { AGENTGATE_CACHE_DIR: cache };
    same(root, [], env);
    same(root, [], env);
    for (const file of filesBelow(cache)) truncateSync(file, Math.floor(statSync(file).size / 2));
    same(root, [], env);
    const blocked = path.join(makeTree({ file: "no folder\n" }), "file");
    same(root, [], { AGENTGATE_CACHE_DIR: blocked });
  });

  it("in the document of a diff and as a comment", () => {
    for (const format of ["json", "markdown"]) {
      const outputs = [[root, "1"], [path.join(root, "src"), "4"]].map(([cwd, jobs]) => agentgate(cwd!, ["diff", idOf(root, "main"), idOf(root, "topic"), "--format", format, "--jobs", jobs!]).stdout);
      expect(outputs[0]).toBe(outputs[1]);
      expect(outputs[0]).toContain("src/long.py");
    }
  });
});

describe("a cache", () => {
  it("that the base's run wrote serves a fresh clone, and is only added to", () => {
    const [shared, alone] = [makeTree({}), makeTree({})];
    const clone = makeTree({});
    git(clone, "clone", "--quiet", "--branch", "topic", root, ".");
    const base = makeTree({});
    git(base, "clone", "--quiet", "--branch", "main", root, ".");
    expect(agentgate(base, ["check"], { env: { AGENTGATE_CACHE_DIR: shared } }).code).toBe(1);
    const before = bytesBelow(shared);
    expect(before).toBeGreaterThan(0);
    const outputs = [shared, alone].map((folder) => agentgate(clone, ["check", "--base", "origin/main", "--format", "json"], { env: { AGENTGATE_CACHE_DIR: folder } }).stdout);
    expect(outputs[0]).toBe(outputs[1]);
    const grown = bytesBelow(shared) - before;
    expect(grown).toBeLessThan(bytesBelow(alone));
    // A second clone at another place finds everything.
    const second = makeTree({});
    git(second, "clone", "--quiet", "--branch", "topic", root, ".");
    expect(agentgate(second, ["check", "--base", "origin/main", "--format", "json"], { env: { AGENTGATE_CACHE_DIR: shared } }).stdout).toBe(outputs[0]);
    expect(bytesBelow(shared) - before).toBe(grown);
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

function bytesBelow(folder: string): number {
  return filesBelow(folder).reduce((sum, file) => sum + statSync(file).size, 0);
}
