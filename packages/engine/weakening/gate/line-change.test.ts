import { describe, expect, it } from "vitest";
import { kindsBetween, weakeningsBetween } from "../testing/change.ts";

async function lines(path: string, base: string | null, head: string | null): Promise<number[]> {
  const found = await kindsBetween(base === null ? {} : { [path]: base }, head === null ? {} : { [path]: head });
  expect(found.every((one) => one.startsWith("gate-line-edited "))).toBe(true);
  return found.map((one) => Number(one.split(":").at(-1)));
}

describe("package.json", () => {
  const base = `{
  "scripts": { "gate": "agentgate check", "test": "vitest" },
  "devDependencies": {
    "@agentgate/cli": "^1.2.0",
    "vitest": "^4"
  }
}`;
  it.each([
    ["a version", base.replace("^1.2.0", "^0.1.0"), [4]],
    ["a version by an alias", base.replace("^1.2.0", "npm:evil@1"), [4]],
    ["the dependency gone", base.replace('    "@agentgate/cli": "^1.2.0",\n', ""), [4]],
    ["the script", base.replace("agentgate check", "agentgate check || true"), [2]],
    ["the script gone", base.replace('"gate": "agentgate check", ', ""), [2]],
    ["an override", base.replace('"scripts"', '"overrides": { "@agentgate/cli": "file:./x" }, "scripts"'), [2]],
    ["a local package of the bin's name", base.replace('"vitest"', '"agentgate": "file:./x", "vitest"'), [5]],
    ["a key of ours", base.replace('"scripts"', '"agentgate": { "strict": false }, "scripts"'), [2]],
    ["a script in npx's place", base.replace('"test"', '"agentgate": "true", "test"'), [2]],
    ["no JSON", "{", [1]],
    ["deleted", null, [1]],
  ])("reported: %s", async (_name, head, expected) => {
    const changed = head === base.replace('"vitest"', '"agentgate": "file:./x", "vitest"') ? base.replace('    "vitest": ', '    "agentgate": "file:./x", "vitest": ') : head;
    const found = await lines("package.json", base, changed);
    expect(head === null || head === "{" ? [...new Set(found)] : found).toEqual(expected);
  });

  it.each([
    ["other dependencies and scripts", base.replace("^4", "^5").replace('"test": "vitest"', '"test": "vitest run"')],
    ["order and layout", JSON.stringify({ devDependencies: { vitest: "^4", "@agentgate/cli": "^1.2.0" }, scripts: { test: "vitest", gate: "agentgate check" } })],
    ["a further run", base.replace('"test"', '"gate:all": "agentgate check --all", "test"')],
    ["the ESLint plugin for the first time", base.replace('"vitest": "^4"', '"eslint-plugin-agentgate": "^1.0.0"')],
    ["tabs", base.replaceAll("  ", "\t")],
  ])("silent: %s", async (_name, head) => {
    expect(await lines("package.json", base, head)).toEqual([]);
  });

  it.each(["^1.0.0", "1", "1.x", "*", "latest", "next", ">=0.1.0", ">=1.0.0 <3", "^1.0.0 || ^2", "1.0.0 - 2.1.0", "1.0.0-beta.1", "v1.2.3"])("is silent about our own packages from the registry: %j", async (version) => {
    const head = JSON.stringify({ devDependencies: { "@agentgate/cli": version, "eslint-plugin-agentgate": version } });
    expect(await lines("package.json", '{ "devDependencies": { "eslint": "10.0.0" } }', head)).toEqual([]);
  });

  it.each(["file:../plugin", "file:/srv/plugin.tgz", "link:./plugin", "./plugin", "npm:evil@1", "acme/agentgate", "git+https://host/x", "workspace:*", "https://host/x.tgz", "", "1.0.0 file:./x"])("says that a package of ours from elsewhere can stand in for the gate: %j", async (source) => {
    const found = await weakeningsBetween({ "package.json": "{}" }, { "package.json": JSON.stringify({ devDependencies: { "eslint-plugin-agentgate": source } }) });
    expect(found.map((one) => one.message)).toEqual([
      `devDependencies.eslint-plugin-agentgate: ${JSON.stringify(source)} is new, does not come from the registry by a version, and can stand in the place of the gate. Name a version of the registry, or have an owner of package.json accept it.`,
    ]);
  });

  it("is silent where the gate is adopted, unless something else takes its name", async () => {
    expect(await lines("package.json", "{}", base)).toEqual([]);
    expect(await lines("package.json", "{}", '{ "devDependencies": { "agentgate": "file:./fake" } }')).toEqual([1]);
  });
});

describe("eslint.config", () => {
  const base = `import agentgate from "eslint-plugin-agentgate";
export default [
  { plugins: { agentgate }, rules: { "agentgate/no-invented-io": "error" } },
];
`;
  it.each([
    ["a rule off", base.replace('"error"', '"off"'), [3]],
    ["a rule gone", base.replace('"agentgate/no-invented-io": "error"', ""), [3]],
    ["a rule commented out", base.replace('"agentgate/no-invented-io": "error"', '/* "agentgate/no-invented-io": "error" */'), [3]],
    ["a block commented out", base.replace("  { plugins", "/*\n  { plugins").replace("},\n]", "},\n*/\n]"), [3, 3]],
    ["an override at the end", base.replace("},\n]", '},\n  { rules: { "agentgate/no-invented-io": 0 } },\n]'), [4]],
    ["another plugin by its name", base.replace('"eslint-plugin-agentgate"', '"./fake.js"'), [1]],
    ["severity on a line of its own", base.replace('"error"', '[\n"warn"\n]'), [3]],
    ["deleted", null, [1, 1, 1]],
  ])("reported: %s", async (_name, head, expected) => {
    expect(await lines("eslint.config.js", base, head)).toEqual(expected);
  });

  it.each([
    ["quotes and layout", base.replaceAll('"', "'").replace("{ plugins", "{\n    plugins").replace("'error'", "\n'error'\n")],
    ["other rules", base.replace('"error" }', '"error", eqeqeq: "off" }')],
    ["comments", `// agentgate is here\n${base}/* agentgate off */`],
  ])("silent: %s", async (_name, head) => {
    expect(await lines("eslint.config.js", base, head)).toEqual([]);
  });

  it("is silent where it is adopted", async () => {
    expect(await lines("eslint.config.js", "export default [];", base)).toEqual([]);
  });

  it("reads .eslintrc.json by its keys", async () => {
    expect(await lines(".eslintrc.json", '{"rules":{"agentgate/a":"error"}}', '{"rules":{"agentgate/a":"off"}}')).toEqual([1]);
    expect(await lines(".eslintrc.json", '{"rules":{"agentgate/a":"error"}}', '{ "rules": {\n "agentgate/a": "error" } }')).toEqual([]);
  });
});

describe("hooks and build files", () => {
  const hooks = "repos:\n  - repo: https://github.com/acme/agentgate\n    rev: v1.0.0\n    hooks:\n      - id: agentgate\n        args: [--base, origin/main]\n  - repo: https://github.com/x/y\n    rev: v1\n    hooks: [{ id: y }]\n";
  it.each([
    ["a revision", hooks.replace("v1.0.0", "v0.1.0"), [2]],
    ["arguments", hooks.replace("origin/main", "HEAD"), [2]],
    ["stages", hooks.replace("        args", "        stages: [manual]\n        args"), [2]],
    ["the hook gone", hooks.slice(hooks.indexOf("  - repo: https://github.com/x"), Infinity).replace(/^/, "repos:\n"), [2]],
  ])("reported in pre-commit: %s", async (_name, head, expected) => {
    expect(await lines(".pre-commit-config.yaml", hooks, head)).toEqual(expected);
  });

  it("is silent in pre-commit about other hooks, layout and adoption", async () => {
    expect(await lines(".pre-commit-config.yaml", hooks, hooks.replace("rev: v1\n", "rev: v2\n"))).toEqual([]);
    expect(await lines(".pre-commit-config.yaml", hooks, hooks.replace("[--base, origin/main]", "\n          - --base\n          - 'origin/main'"))).toEqual([]);
    expect(await lines(".pre-commit-config.yaml", "repos: []", hooks)).toEqual([]);
  });

  it.each([
    [".husky/pre-push", "npx agentgate check\n", "npx agentgate check || true\n", [1]],
    [".husky/pre-push", "npx agentgate check\n", "# npx agentgate check\n", [1]],
    ["Makefile", "gate:\n\tnpx agentgate check \\\n\t--strict\n", "gate:\n\tnpx agentgate check\n", [2]],
    ["lefthook.yml", "pre-push:\n  commands:\n    agentgate:\n      run: npx agentgate check\n", "pre-push:\n  commands:\n    agentgate:\n      skip: true\n      run: npx agentgate check\n", [3]],
    [".github/CODEOWNERS", "agentgate.yml @sec\n", "* @all\n", [1]],
    ["Makefile", "gate:\n\tnpx agentgate check\n", "gate:\n\tnpx  agentgate   check\nother:\n\ttrue\n", []],
  ])("%s", async (path, base, head, expected) => {
    expect(await lines(path, base, head)).toEqual(expected);
  });

  it("compares by lines what it cannot read as data on either side", async () => {
    const base = "gate:\n  rules: [!reference [.rules, x]]\n  script: [npx agentgate check]\n";
    expect(await lines(".gitlab-ci.yml", base, base.replace("check", "check || true"))).toEqual([3]);
    expect(await lines(".gitlab-ci.yml", base, base.replace("x]]", "y]]"))).toEqual([]);
  });
});
