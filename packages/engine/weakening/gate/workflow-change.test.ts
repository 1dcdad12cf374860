import { describe, expect, it } from "vitest";
import { kindsBetween, weakeningsBetween } from "../testing/change.ts";
import type { Texts } from "../testing/change.ts";

const CI = ".github/workflows/ci.yml";
const BASE = `name: ci
on:
  pull_request:
    branches: [main]
  push:
jobs:
  gate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - name: gate
        run: |
          npm ci
          npx agentgate check --base origin/main --strict
`;

async function kinds(head: string, base = BASE, others: Texts = {}): Promise<string[]> {
  return (await kindsBetween({ [CI]: base, ...others }, { [CI]: head, ...others })).map((one) => one.replace(` ${CI}`, ""));
}

const edited = (from: string, to: string): Promise<string[]> => {
  expect(BASE).toContain(from);
  return kinds(BASE.replace(from, () => to));
};

describe("a workflow that runs the gate", () => {
  const run = "npx agentgate check --base origin/main --strict";
  const step = "      - name: gate\n";

  it.each([
    ["continue-on-error", step, `${step}        continue-on-error: true\n`, ["workflow-softened:12"]],
    ["continue-on-error by an expression", step, `${step}        continue-on-error: \${{ true }}\n`, ["workflow-softened:12"]],
    ["continue-on-error of the job", "    runs-on", "    continue-on-error: 'true'\n    runs-on", ["workflow-softened:8"]],
    ["|| true", run, `${run} || true`, ["workflow-softened:14"]],
    ["|| : on the next line", run, `${run} \\\n            || :`, ["workflow-softened:14"]],
    ["|| exit 0", run, `${run} || exit 0`, ["workflow-softened:14"]],
    ["; exit 0", run, `${run}; exit 0`, ["workflow-softened:14"]],
    ["exit before it", run, `exit 0\n          ${run}`, ["workflow-softened:14"]],
    ["set +e", "          npm ci", "          set +e\n          npm ci", ["workflow-softened:13"]],
    ["set +o errexit", "          npm ci", "          set +o errexit\n          npm ci", ["workflow-softened:13"]],
    ["a trap", "          npm ci", "          trap 'exit 0' EXIT\n          npm ci", ["workflow-softened:13"]],
    ["a pipe", run, `${run} | tee out`, ["workflow-softened:14"]],
    ["the background", run, `${run} &`, ["workflow-softened:14"]],
    ["a condition of its status", run, `if ${run}; then echo ok; fi`, ["workflow-softened:14"]],
    ["a negation", run, `! ${run}`, ["workflow-softened:14"]],
    ["a branch never taken", run, `if false; then\n          ${run}\n          fi`, ["workflow-condition-added:15"]],
    ["&& after a test", run, `test -f x && ${run}`, ["workflow-condition-added:14"]],
    ["a function in place of npx", "          npm ci", "          npx() { :; }\n          npm ci", ["workflow-softened:13"]],
    ["an alias", "          npm ci", "          alias npx=true\n          npm ci", ["workflow-softened:13"]],
    ["if of the step", step, `${step}        if: github.actor != 'x'\n`, ["workflow-condition-added:12"]],
    ["if: false of the job", "    runs-on", "    if: false\n    runs-on", ["workflow-condition-added:8"]],
    ["paths", "    branches: [main]", "    branches: [main]\n    paths: ['docs/**']", ["workflow-filter-added:5"]],
    ["paths-ignore", "    branches: [main]", "    branches: [main]\n    paths-ignore: ['src/**']", ["workflow-filter-added:5"]],
    ["another branch", "[main]", "[release]", ["workflow-filter-added:4"]],
    ["a branch that is denied", "[main]", "['main', '!main']", ["workflow-filter-added:4"]],
    ["an event gone", "  push:\n", "", ["workflow-filter-added:5"]],
    ["pull_request_target", "  pull_request:", "  pull_request_target:", ["workflow-filter-added:3"]],
    ["--fail-on never", "--strict", "--strict --fail-on never", ["workflow-flags-weakened:14"]],
    ["--fail-on by a variable", "--strict", "--strict --fail-on=$LEVEL", ["workflow-flags-weakened:14"]],
    ["--rule off", "--strict", "--strict --rule no-invented-io=off", ["workflow-flags-weakened:14"]],
    ["--strict gone", " --strict", "", ["workflow-flags-weakened:14"]],
    ["--base gone", " --base origin/main", "", ["workflow-flags-weakened:14"]],
    ["another base", "origin/main", "HEAD", ["workflow-flags-weakened:14"]],
    ["--config", "--strict", "--strict --config ci/loose.yml", ["workflow-flags-weakened:14"]],
    ["--accept", "--strict", `--strict --accept ${"a".repeat(64)}`, ["workflow-flags-weakened:14"]],
    ["a part of the tree", "--strict", "--strict docs", ["workflow-flags-weakened:14"]],
    ["a flag nobody knows", "--strict", "--strict --no-ports", ["workflow-flags-weakened:14"]],
    ["--shard", "--strict", "--strict --shard 1/100", ["workflow-flags-weakened:14"]],
    ["another version", "npx agentgate", "npx agentgate@0.0.1", ["gate-line-edited:14"]],
    ["another launcher", "npx agentgate", "npx -y agentgate", ["gate-line-edited:14"]],
    ["a format", "--strict", "--strict --format sarif=out.sarif", ["gate-line-edited:14"]],
    ["a command that judges nothing", "check --base origin/main --strict", "--version", ["workflow-step-removed:14"]],
    ["echo", run, `echo ${run}`, ["workflow-step-removed:14"]],
    ["a comment", run, `# ${run}`, ["workflow-step-removed:14"]],
    ["a document", run, `cat <<'EOF'\n          ${run}\n          EOF`, ["workflow-step-removed:14"]],
    ["an install", run, "npm install agentgate", ["workflow-step-removed:14"]],
    ["the step gone", `${step}        run: |\n          npm ci\n          ${run}\n`, "", ["workflow-step-removed:10"]],
    ["the job gone", /  gate:[^]*$/.exec(BASE)![0], "  other:\n    runs-on: ubuntu-latest\n", ["workflow-step-removed:7"]],
    ["the job renamed", "  gate:\n", "  gates:\n", ["workflow-job-renamed:7"]],
    ["the job's name", "    runs-on", "    name: Gate\n    runs-on", ["workflow-job-renamed:7"]],
    ["an environment variable", step, `${step}        env: { AGENTGATE_ACCEPT: abc }\n`, ["workflow-environment:12"]],
    ["NODE_OPTIONS for the workflow", "name: ci\n", "name: ci\nenv:\n  NODE_OPTIONS: --require ./x.js\n", ["workflow-environment:3"]],
    ["env by an expression", step, `${step}        env: \${{ fromJSON(vars.X) }}\n`, ["workflow-environment:12"]],
    ["a variable for the command", run, `AGENTGATE_X=1 ${run}`, ["workflow-environment:14"]],
    ["an export", "          npm ci", "          export PATH=./fake:$PATH\n          npm ci", ["workflow-environment:13"]],
    ["another shell", step, `${step}        shell: bash {0}\n`, ["workflow-environment:12"]],
    ["another folder", step, `${step}        working-directory: docs\n`, ["workflow-environment:12"]],
    ["cd", "          npm ci", "          cd docs\n          npm ci", ["workflow-environment:13"]],
    ["a command that writes over the gate", "          npm ci", "          npm ci\n          cp /bin/true node_modules/.bin/agentgate", ["gate-line-edited:14"]],
    ["another step that writes over it", "      - name: gate", "      - run: ln -sf /bin/true node_modules/.bin/agentgate\n      - name: gate", ["gate-line-edited:11"]],
    ["no YAML", BASE, "a: [", ["workflow-removed:1"]],
    ["an alias bomb", BASE, `a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\n`, ["workflow-removed:1"]],
  ])("reported: %s", async (_name, from, to, expected) => {
    expect(await edited(from, to)).toEqual(expected);
  });

  it.each([
    ["other quotes and layout", "        run: |\n          npm ci\n          npx agentgate check --base origin/main --strict\n", "        run: 'npm ci; npx   agentgate check --base \"origin/main\" --strict # now'\n"],
    ["a line continuation", "--base origin/main --strict", "\\\n            --base origin/main \\\n            --strict"],
    ["options in another order", "--base origin/main --strict", "--strict --base=origin/main"],
    ["a step between", "      - name: gate", "      - run: npm test || true\n      - name: gate"],
    ["another job", "jobs:\n", "jobs:\n  docs:\n    if: false\n    continue-on-error: true\n    steps:\n      - run: npm run docs || true\n"],
    ["more branches", "[main]", "[main, dev]"],
    ["a filter less", "    branches: [main]\n", ""],
    ["another event", "  push:\n", "  push:\n  merge_group:\n"],
    ["events in a list of another form", "  push:\n", "  push: {}\n"],
    ["another runner", "ubuntu-latest", "ubuntu-24.04"],
    ["if: always()", "      - name: gate\n", "      - name: gate\n        if: always()\n"],
    ["continue-on-error: false", "      - name: gate\n", "      - name: gate\n        continue-on-error: false\n"],
    ["|| exit 1", "--strict", "--strict || { echo no; exit 1; }"],
    ["another variable", "      - name: gate\n", "      - name: gate\n        env: { CI: 1 }\n"],
    ["the step's name", "name: gate\n        run", "name: the gate\n        run"],
    ["comments", "jobs:", "# the gate, || true\njobs:"],
    ["a second run of the gate", "--strict\n", "--strict\n      - run: npx agentgate verify\n"],
    ["needs", "    runs-on", "    needs: []\n    runs-on"],
  ])("silent: %s", async (_name, from, to) => {
    expect(await edited(from, to)).toEqual([]);
  });

  it("reads conditions behind anchors and merge keys", async () => {
    const head = BASE.replace("jobs:", "x-soft: &soft { continue-on-error: true }\njobs:").replace("      - name: gate\n", "      - <<: *soft\n        name: gate\n");
    expect((await kinds(head)).map((one) => one.split(":")[0])).toEqual(["workflow-softened"]);
  });

  it("takes a condition that changes for a new one, and its end for none", async () => {
    const always = BASE.replace("      - name: gate\n", "      - name: gate\n        if: always()\n");
    const odd = BASE.replace("      - name: gate\n", "      - name: gate\n        if: github.actor == 'x'\n");
    expect(await kinds(always.replace("always()", "false"), always)).toEqual(["workflow-condition-added:12"]);
    expect(await kinds(odd.replace("'x'", "'y'"), odd)).toEqual(["workflow-condition-added:12"]);
    expect(await kinds(BASE, odd)).toEqual([]);
  });

  it("reports a needed job whose condition skips it", async () => {
    const head = BASE.replace("    runs-on", "    needs: never\n    runs-on").replace("jobs:\n", "jobs:\n  never:\n    if: false\n");
    expect(await kinds(head)).toEqual(["workflow-condition-added:10"]);
  });

  it("reports a second job under the gate's name, in whatever workflow", async () => {
    const other = "on: [pull_request]\njobs:\n  x:\n    name: gate\n    steps: [{ run: 'true' }]\n";
    expect(await kindsBetween({ [CI]: BASE }, { [CI]: BASE, ".github/workflows/x.yml": other })).toEqual(["workflow-job-renamed .github/workflows/x.yml:3"]);
  });

  it("reports a workflow that is deleted, renamed or switched off by its name", async () => {
    expect(await kindsBetween({ [CI]: BASE }, {})).toEqual([`workflow-removed ${CI}:1`]);
    expect(await kindsBetween({ [CI]: BASE }, { "x.yml": BASE }, { renames: { "x.yml": CI } })).toEqual(["workflow-removed x.yml:1"]);
    expect(await kindsBetween({ [CI]: BASE }, { ".github/workflows/a.yml": BASE }, { renames: { ".github/workflows/a.yml": CI } })).toEqual(["workflow-removed .github/workflows/a.yml:1"]);
    expect(await kindsBetween({ [CI]: "jobs: {}" }, {})).toEqual([]);
  });

  it("follows scripts of package.json, actions of the tree and shells", async () => {
    const manifest = JSON.stringify({ scripts: { gate: "agentgate check", ci: "npm run gate" } });
    for (const way of ["npm run ci", "bash -ec 'npx agentgate check'", "timeout 60 npx --no-install agentgate check", "./node_modules/.bin/agentgate check", "node packages/cli/dist/agentgate.js check"]) {
      const base = BASE.replace(/npx agentgate.*/, way);
      expect(await kinds(base.replace(way, "true"), base, { "package.json": manifest }), way).toEqual(["workflow-step-removed:14"]);
    }
    const action = "runs:\n  using: composite\n  steps:\n    - run: npx agentgate check\n      shell: bash\n";
    const uses = BASE.replace("actions/checkout@v4", "./ci/gate").replace(/ {6}- name: gate[^]*/, "");
    expect(await kinds(uses.replace("./ci/gate", "./ci/none"), uses, { "ci/gate/action.yml": action })).toEqual(["workflow-step-removed:10"]);
    expect(await kindsBetween({ "ci/gate/action.yml": action }, { "ci/gate/action.yml": action.replace("check", "check || true") })).toEqual(["workflow-softened ci/gate/action.yml:4"]);
  });

  it("compares what our action is given", async () => {
    const base = BASE.replace("actions/checkout@v4", "acme/agentgate@v1\n        with: { base: origin/main }");
    expect(await kinds(base.replace("origin/main }", "HEAD }"), base)).toEqual(["gate-line-edited:10"]);
    expect(await kinds(base.replace("@v1", "@v2"), base)).toEqual(["gate-line-edited:10"]);
    expect(await kinds(base.replace("{ base: origin/main }", "\n          'base': \"origin/main\""), base)).toEqual([]);
  });

  it("names the old and the new value and who accepts", async () => {
    const [found] = await weakeningsBetween({ [CI]: BASE }, { [CI]: BASE.replace("--strict", "--fail-on never") });
    expect(found?.message).toBe("In the job gate the gate runs with weaker flags: --strict became no --strict (it reports less), no --fail-on became --fail-on never (what it reports no longer fails). Take it back, or have an owner of the workflow accept it.");
  });
});

describe("a pipeline of GitLab", () => {
  const GITLAB = ".gitlab-ci.yml";
  const base = ".node:\n  image: node:20\ngate:\n  extends: .node\n  script:\n    - npm ci\n    - npx agentgate check --base origin/main\n";
  const pipeline = async (from: string, to: string): Promise<string[]> => (await kindsBetween({ [GITLAB]: base }, { [GITLAB]: base.replace(from, () => to) })).map((one) => one.replace(` ${GITLAB}`, ""));

  it.each([
    ["allow_failure", "  script:", "  allow_failure: true\n  script:", ["workflow-softened:5"]],
    ["allow_failure by what it extends", "  image: node:20", "  image: node:20\n  allow_failure: { exit_codes: 1 }", ["workflow-softened:3"]],
    ["rules", "  script:", "  rules: [{ if: $X }]\n  script:", ["workflow-condition-added:5"]],
    ["when: manual", "  script:", "  when: manual\n  script:", ["workflow-condition-added:5"]],
    ["|| true", "origin/main", "origin/main || true", ["workflow-softened:7"]],
    ["set +e in a line before", "    - npm ci", "    - set +e", ["workflow-softened:7"]],
    ["a template instead of a job", "\ngate:", "\n.gate:", ["workflow-step-removed:3"]],
    ["the script gone", "    - npx agentgate check --base origin/main\n", "", ["workflow-step-removed:6"]],
  ])("reported: %s", async (_name, from, to, expected) => {
    expect(await pipeline(from, to)).toEqual(expected);
  });

  it.each([
    ["another image", "node:20", "node:22"],
    ["another job", "gate:", "docs:\n  allow_failure: true\n  script: [make]\ngate:"],
    ["another line", "npm ci", "npm ci --ignore-scripts"],
  ])("silent: %s", async (_name, from, to) => {
    expect(await pipeline(from, to)).toEqual([]);
  });
});
