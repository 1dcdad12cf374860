import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { emptyFolder } from "../cli/harness.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (name: string): string => readFileSync(path.join(ROOT, name), "utf8");

interface Step {
  readonly name: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const action = parse(read("action.yml")) as Action;
const { steps } = action.runs;
const scripts = readdirSync(path.join(ROOT, "ci")).filter((name) => name.endsWith(".sh"));
const guide = read("docs/guides/ci.md");

function parses(script: string): void {
  const { status, stderr } = spawnSync("bash", ["-n"], { input: script, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
}

describe("the action", () => {
  it("takes everything that others wrote by a full commit id", () => {
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^[\w./-]+@[0-9a-f]{40}$/);
    for (const text of [guide, read("action.yml")]) {
      for (const [uses] of text.matchAll(/^\s*(?:- )?uses: .*$/gm)) expect(uses).toMatch(/@(?:[0-9a-f]{40} # v[\d.]+|<commit id>)$/);
    }
  });

  it("puts no text of the event into a script: only variables carry it", () => {
    for (const { run, shell, uses } of steps) {
      if (run === undefined) expect(uses).toBeDefined();
      else {
        expect(run).not.toContain("${{");
        expect(shell).toBe("bash");
        parses(run);
      }
    }
  });

  it("asks for nothing but inputs that it declares, and runs only scripts that are there", () => {
    const text = read("action.yml");
    for (const [, name] of text.matchAll(/inputs\.([\w-]+)/g)) expect(Object.keys(action.inputs)).toContain(name);
    for (const [, name] of text.matchAll(/GITHUB_ACTION_PATH\/ci\/([\w.-]+)/g)) expect(scripts).toContain(name);
    for (const [, name] of text.matchAll(/steps\.(\w+)\./g)) expect(text).toContain(`id: ${name!}`);
  });

  it("hands the token to no step but the one that comments, and gives forks neither comment nor upload", () => {
    const withToken = steps.filter((step) => JSON.stringify(step).includes("github.token"));
    expect(withToken.map((step) => step.name)).toEqual(["Post the review comment"]);
    for (const name of ["Upload to code scanning", "Post the review comment"]) {
      expect(steps.find((step) => step.name === name)?.if).toContain("github.event.pull_request.head.repo.full_name == github.repository");
    }
  });

  it("ends with the verdict", () => {
    expect(steps.at(-1)).toMatchObject({ name: "Verdict" });
    for (const status of ["0", "1", "2"]) expect(spawnSync("bash", ["-c", steps.at(-1)!.run!], { env: { STATUS: status } }).status).toBe(Number(status));
    expect(spawnSync("bash", ["-c", steps.at(-1)!.run!], { env: { STATUS: "" } }).status).not.toBe(0);
  });
});

describe("the scripts", () => {
  it.each(scripts)("%s parses and stops at what fails", (name) => {
    const text = read(`ci/${name}`);
    parses(text);
    expect(text).toMatch(/^#!\/usr\/bin\/env bash\n/);
    expect(text).toContain("\nset -euo pipefail\n");
  });
});

describe("the review comment", () => {
  interface Call {
    readonly method: string;
    readonly place: string;
    readonly body: string;
  }

  /** Runs the script with a stand-in for `gh` that answers with these comments; what it was called with. */
  function post(comment: string, modules: readonly object[], comments: readonly { id: number; login: string; body: string }[]): Call[] {
    const folder = emptyFolder();
    writeFileSync(path.join(folder, "comment.md"), comment);
    writeFileSync(path.join(folder, "diff.json"), JSON.stringify({ version: 1, modules }, null, 2));
    writeFileSync(path.join(folder, "comments.json"), JSON.stringify(comments));
    mkdirSync(path.join(folder, "bin"));
    symlinkSync(process.execPath, path.join(folder, "bin/node"));
    writeFileSync(path.join(folder, "bin/gh"), `#!/usr/bin/env node
const fs = require("node:fs"), args = process.argv.slice(2), value = (name) => args[args.indexOf(name) + 1];
if (args.includes("--jq")) {
  for (const one of JSON.parse(fs.readFileSync(${JSON.stringify(path.join(folder, "comments.json"))}, "utf8"))) if (one.login === process.env.AUTHOR && one.body.startsWith(process.env.MARKER)) console.log(one.id);
} else {
  const call = { method: value("--method"), place: args.find((word) => word.startsWith("repos/")), body: fs.readFileSync(value("-F").replace("body=@", ""), "utf8") };
  fs.appendFileSync(${JSON.stringify(path.join(folder, "calls"))}, JSON.stringify(call) + "\\n");
}
`, { mode: 0o755 });
    const env = { PATH: `${path.join(folder, "bin")}:${process.env["PATH"] ?? ""}`, GH_TOKEN: "t", GITHUB_REPOSITORY: "o/r", PULL_REQUEST: "7", AGENTGATE_REPORTS: folder };
    const ran = spawnSync("bash", [path.join(ROOT, "ci/comment.sh")], { env, encoding: "utf8" });
    expect(ran).toMatchObject({ status: 0, stderr: "", stdout: "" });
    const calls = spawnSync("cat", [path.join(folder, "calls")], { encoding: "utf8" }).stdout;
    return calls.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as Call);
  }

  const GAIN = [{ path: "a.py", gained: [{}] }];
  const OURS = { id: 5, login: "github-actions[bot]", body: "<!-- agentgate -->\nold" };

  it("is posted once and then updated", () => {
    expect(post("**New privilege:** `$(id)` …\n", GAIN, [])).toEqual([{ method: "POST", place: "repos/o/r/issues/7/comments", body: "<!-- agentgate -->\n**New privilege:** `$(id)` …\n" }]);
    expect(post("now\n", GAIN, [OURS])).toEqual([{ method: "PATCH", place: "repos/o/r/issues/comments/5", body: "<!-- agentgate -->\nnow\n" }]);
  });

  it("says nothing at first where there is nothing to say, and takes back what it said", () => {
    expect(post("No new capability.\n", [], [])).toEqual([]);
    expect(post("No new capability.\n", [], [OURS])).toMatchObject([{ method: "PATCH" }]);
  });

  it("never touches what somebody else wrote", () => {
    expect(post("x\n", GAIN, [{ ...OURS, login: "mallory" }, { ...OURS, body: "as said: <!-- agentgate -->" }])).toMatchObject([{ method: "POST" }]);
  });

  it("is cut to what a comment may hold, between two characters", () => {
    const [call] = post("é💸".repeat(20_000), GAIN, []);
    expect(call!.body.length).toBeLessThan(65_536);
    expect(call!.body).not.toContain("�");
    expect(call!.body).toMatch(/cut here/);
  });
});

describe("the GitLab template", () => {
  const { agentgate } = parse(read("ci/agentgate.gitlab-ci.yml")) as { agentgate: { script: string[]; variables: Record<string, string>; artifacts: object; rules: object[] } };

  it("parses, is pinned, and keeps its report", () => {
    parses(agentgate.script.join("\n"));
    expect(agentgate.variables["AGENTGATE_VERSION"]).toBe(version());
    expect(agentgate).toMatchObject({ artifacts: { when: "always", paths: ["agentgate.sarif", "agentgate.md"] }, rules: [{ if: '$CI_PIPELINE_SOURCE == "merge_request_event"' }] });
  });
});

function version(): string {
  return (JSON.parse(read("packages/cli/package.json")) as { version: string }).version;
}

describe("the hook of pre-commit", () => {
  const [hook, ...more] = parse(read(".pre-commit-hooks.yaml")) as { id: string; entry: string; language: string; additional_dependencies: string[]; pass_filenames: boolean; always_run: boolean }[];

  it("starts the published command of this version, on the whole index", () => {
    expect(more).toEqual([]);
    expect(hook).toMatchObject({ id: "agentgate", language: "node", additional_dependencies: [`@agentgate/cli@${version()}`], pass_filenames: false, always_run: true });
    const { bin } = JSON.parse(read("packages/cli/package.json")) as { bin: Record<string, string> };
    expect(Object.keys(bin)).toEqual([hook!.entry.split(" ", 1)[0]]);
  });

  it("finds the root of this repository to be a package that packs by itself", () => {
    const folder = emptyFolder();
    // As pre-commit does: it takes all that npm prints as the name of the file.
    const packed = spawnSync("npm", ["pack", "--pack-destination", folder], { cwd: ROOT, encoding: "utf8", env: { ...process.env, npm_config_offline: "true" } });
    expect(packed.stdout.trim()).toBe(readdirSync(folder).join());
    const manifest = JSON.parse(read("package.json")) as Record<string, unknown>;
    expect(Object.keys(manifest)).not.toContain("dependencies");
    expect(Object.keys(manifest["scripts"] as object)).not.toContain("prepare");
  });

  it("installs a command that runs: what npm packs, and the packages that it names", () => {
    const folder = emptyFolder();
    const packed = spawnSync("npm", ["pack", "--pack-destination", folder], { cwd: path.join(ROOT, "packages/cli"), encoding: "utf8", env: { ...process.env, npm_config_offline: "true" } });
    expect(spawnSync("tar", ["-xzf", packed.stdout.trim()], { cwd: folder }).status).toBe(0);
    const manifest = JSON.parse(readFileSync(path.join(folder, "package/package.json"), "utf8")) as { bin: Record<string, string>; dependencies: Record<string, string> };
    for (const name of Object.keys(manifest.dependencies)) {
      mkdirSync(path.dirname(path.join(folder, "node_modules", name)), { recursive: true });
      symlinkSync(path.join(ROOT, "node_modules", name), path.join(folder, "node_modules", name));
    }
    const [command, ...args] = hook!.entry.split(" ");
    const entry = path.join(folder, "package", manifest.bin[command!]!);
    const git = (...words: readonly string[]) => expect(spawnSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...words], { cwd: tree }).status).toBe(0);
    const tree = emptyFolder();
    git("init", "--quiet");
    git("commit", "--quiet", "--allow-empty", "--no-verify", "-m", "first");
    writeFileSync(path.join(tree, "a.py"), "import httpx\n");
    expect(spawnSync(entry, args, { cwd: tree, encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
    git("add", "--all");
    expect(spawnSync(entry, args, { cwd: tree, encoding: "utf8" })).toMatchObject({ status: 1, stdout: expect.stringContaining("no-invented-io") as string });
  });
});
