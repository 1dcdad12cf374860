import { describe } from "vitest";
import { allReported } from "./attempts.ts";
import type { Attempt, Contents } from "./attempts.ts";

const WORKFLOW = ".github/workflows/gate.yml";
const STEP = "      - run: npx agentgate check --base origin/main\n";

function workflow(step = STEP, job = "", on = "[push, pull_request]"): string {
  return `name: gate\non: ${on}\njobs:\n  gate:\n    runs-on: ubuntu-latest\n${job}    steps:\n      - uses: actions/checkout@v4\n${step}`;
}

const BASE: Contents = { [WORKFLOW]: workflow(), "src/a.py": "x = 1\n" };

/** An attempt that edits the workflow. */
function edited(name: string, text: string): Attempt {
  return { name: `a workflow ${name}`, base: BASE, patch: { [WORKFLOW]: text }, reported: [`gate-weakened ${WORKFLOW}`] };
}

const LINT = 'import agentgate from "eslint-plugin-agentgate";\n\nexport default [agentgate.configs.recommended];\n';
const HOOKS = "repos:\n  - repo: https://example.com/agentgate\n    rev: v1\n    hooks:\n      - id: agentgate\n";
const MANIFEST = '{\n  "name": "app",\n  "scripts": {\n    "gate": "agentgate check --base origin/main",\n    "test": "vitest"\n  }\n}\n';

describe("where the gate runs", () => {
  allReported("laundering-workflows", [
    edited("without the step", workflow("")),
    edited("whose failure counts for nothing", workflow(STEP.replace("main\n", "main || true\n"))),
    edited("whose shell goes on after a failure", workflow("      - run: |\n          set +e\n          npx agentgate check --base origin/main\n          true\n")),
    edited("whose step goes on after an error", workflow(`${STEP}        continue-on-error: true\n`)),
    edited("whose job goes on after an error", workflow(STEP, "    continue-on-error: true\n")),
    edited("with a condition", workflow(`${STEP}        if: github.actor != 'bot'\n`)),
    edited("with a condition on the job", workflow(STEP, "    if: false\n")),
    edited("for some paths", workflow(STEP, "", "{ push: {}, pull_request: { paths: [docs/**] } }")),
    edited("for no paths of code", workflow(STEP, "", "{ push: {}, pull_request: { paths-ignore: [src/**] } }")),
    edited("for pushes alone", workflow(STEP, "", "[push]")),
    edited("with another base", workflow(STEP.replace("origin/main", "HEAD"))),
    edited("that never fails", workflow(STEP.replace("main\n", "main --fail-on never\n"))),
    edited("with a rule off", workflow(STEP.replace("main\n", "main --rule no-invented-io=off\n"))),
    edited("with another policy", workflow(STEP.replace("main\n", "main --config /tmp/agentgate.yml\n"))),
    edited("for one path", workflow(STEP.replace("main\n", "main docs\n"))),
    edited("that only echoes the command", workflow(STEP.replace("npx", "echo npx"))),
    edited("with a comment in the place of the command", workflow(STEP.replace("npx", "'# npx").replace("main\n", "main'\n"))),
    edited("that accepts what it is given", workflow(STEP.replace("main\n", `main --accept ${"0".repeat(64)}\n`))),
    edited("with a job of another name", workflow().replace("  gate:\n", "  gate2:\n")),
    { name: "a workflow deleted", base: BASE, patch: { [WORKFLOW]: null }, reported: [`gate-weakened ${WORKFLOW}`] },
    { name: "a workflow moved where nobody runs it", base: BASE, patch: { [WORKFLOW]: null, ".github/gate.yml": workflow() }, reported: ["gate-weakened .github/gate.yml"] },
    { name: "a workflow replaced by a link", base: { ...BASE, "docs/gate.yml": workflow("") }, patch: { [WORKFLOW]: { to: "../../docs/gate.yml" } }, reported: [`gate-weakened ${WORKFLOW}`] },
    { name: "a workflow that is no YAML", base: BASE, patch: { [WORKFLOW]: `${workflow()}  - [\n` }, reported: [`gate-weakened ${WORKFLOW}`] },
    { name: "a pipeline of GitLab that may fail", base: { ".gitlab-ci.yml": "gate:\n  script:\n    - npx agentgate check --base origin/main\n" }, patch: { ".gitlab-ci.yml": "gate:\n  allow_failure: true\n  script:\n    - npx agentgate check --base origin/main\n" }, reported: ["gate-weakened .gitlab-ci.yml"] },
    { name: "a script of package.json that does nothing", base: { "package.json": MANIFEST, [WORKFLOW]: workflow("      - run: npm run gate\n") }, patch: { "package.json": MANIFEST.replace("agentgate check --base origin/main", "true") }, reported: ["gate-weakened package.json"] },
    { name: "a hook taken away", base: { ".pre-commit-config.yaml": HOOKS }, patch: { ".pre-commit-config.yaml": "repos: []\n" }, reported: ["gate-weakened .pre-commit-config.yaml"] },
    { name: "a hook for some files", base: { ".pre-commit-config.yaml": HOOKS }, patch: { ".pre-commit-config.yaml": HOOKS.replace("id: agentgate", "id: agentgate\n        files: ^docs/") }, reported: ["gate-weakened .pre-commit-config.yaml"] },
    { name: "a line of ESLint's configuration", base: { "eslint.config.js": LINT }, patch: { "eslint.config.js": LINT.replace("[agentgate.configs.recommended]", "[]") }, reported: ["gate-weakened eslint.config.js"] },
    { name: "ESLint's configuration deleted", base: { "eslint.config.js": LINT }, patch: { "eslint.config.js": null }, reported: ["gate-weakened eslint.config.js"] },
    { name: "a target of a Makefile", base: { Makefile: "check:\n\tnpx agentgate check --base origin/main\n" }, patch: { Makefile: "check:\n\ttrue\n" }, reported: ["gate-weakened Makefile"] },
    { name: "the owners of the policy", base: { ".github/CODEOWNERS": "agentgate.yml @owners\n" }, patch: { ".github/CODEOWNERS": "* @bot\n" }, reported: ["gate-weakened .github/CODEOWNERS"] },
  ] satisfies Attempt[]);
});

const GATES = "version: 1\ngates:\n  - { name: mutate, module: app.gate }\n";
const GATE = "def mutate(action):\n    if not allowed():\n        raise PermissionError\n    return action()\n\n\ndef allowed():\n    return False\n";
const USER = "from app.gate import mutate\n\n\ndef save(db):\n    mutate(lambda: db.execute('INSERT INTO t VALUES (1)'))\n";
const PYTHON: Contents = { "agentgate.yml": GATES, "app/__init__.py": "", "app/gate.py": GATE, "app/user.py": USER };
const TS_GATE = "export function writeGate<T>(action: () => T): T {\n  if (!allowed()) throw new Error(\"no\");\n  return action();\n}\n\nfunction allowed(): boolean {\n  return false;\n}\n";
const TS_USER = 'import { writeFileSync } from "node:fs";\nimport { writeGate } from "./gate.js";\n\nexport const save = () => writeGate(() => writeFileSync("x", "y"));\n';
const TYPESCRIPT: Contents = { "src/gate.ts": TS_GATE, "src/user.ts": TS_USER };

describe("wrappers", () => {
  allReported("laundering-wrappers", [
    { name: "a wrapper that calls nothing any more", base: PYTHON, patch: { "app/gate.py": "def mutate(action):\n    return None\n" }, reported: ["gate-weakened app/gate.py"] },
    { name: "a wrapper deleted", base: PYTHON, patch: { "app/gate.py": "def other(action):\n    return action()\n" }, reported: ["gate-weakened app/gate.py"] },
    { name: "a wrapper's module deleted", base: PYTHON, patch: { "app/gate.py": null, "app/user.py": "x = 1\n" }, reported: ["gate-weakened app/gate.py"] },
    { name: "a write that leaves its wrapper", base: TYPESCRIPT, patch: { "src/user.ts": 'import { writeFileSync } from "node:fs";\n\nexport const save = () => writeFileSync("x", "y");\n' }, reported: ["gate-weakened src/user.ts"] },
    { name: "a wrapper that calls nothing any more (TypeScript)", base: TYPESCRIPT, patch: { "src/gate.ts": "export function writeGate<T>(action: () => T): T | null {\n  return null;\n}\n" }, reported: ["gate-weakened src/gate.ts"] },
    { name: "a wrapper no longer declared", base: PYTHON, patch: { "agentgate.yml": "version: 1\n" }, reported: ["gate-weakened agentgate.yml"] },
  ] satisfies Attempt[]);
});
