import { changeTester } from "@agentgate/engine/testing";
import { describe, it } from "vitest";
import type { Contents } from "../laundering/attempts.ts";
import { expectReport, repositoryOf } from "./repositories.ts";
import type { Expected } from "./repositories.ts";

const { check } = changeTester("change-manifests");

interface ManifestCase extends Expected {
  readonly name: string;
  readonly base: Contents;
  readonly patch: Contents;
}

const INSTALL = "no-runtime-install";

/** A package.json, each key on a line of its own below the first. */
function json(...lines: readonly string[]): string {
  return `{\n${lines.map((line, index) => `  ${line}${index === lines.length - 1 ? "" : ","}`).join("\n")}\n}\n`;
}

const NAME = '"name": "shop"';
const BUILD = '[build-system]\nrequires = ["setuptools>=61"]\nbuild-backend = "setuptools.build_meta"\n';

const CASES: readonly ManifestCase[] = [
  // package.json
  { name: "an install script added", base: { "package.json": json(NAME) }, patch: { "package.json": json(NAME, '"scripts": { "postinstall": "node steal.js" }') }, found: [`${INSTALL} package.json:3`] },
  { name: "a prepare script changed", base: { "package.json": json(NAME, '"scripts": { "prepare": "husky" }') }, patch: { "package.json": json(NAME, '"scripts": { "prepare": "husky && node x.js" }') }, found: [`${INSTALL} package.json:3`] },
  { name: "a build script changed, one key a line", base: { "package.json": '{ "scripts": {\n  "test": "x",\n  "build": "tsc"\n} }\n' }, patch: { "package.json": '{ "scripts": {\n  "test": "x",\n  "build": "tsc && sh x"\n} }\n' }, found: [`${INSTALL} package.json:3`] },
  { name: "a manifest added with an install script", base: { "a.txt": "a\n" }, patch: { "lib/package.json": json(NAME, '"scripts": { "preinstall": "sh x" }') }, found: [`${INSTALL} lib/package.json:3`] },
  { name: "scripts that people run", base: { "package.json": json(NAME) }, patch: { "package.json": json(NAME, '"scripts": { "test": "vitest", "start": "node .", "lint": "eslint" }') } },
  { name: "an install script that moved down", base: { "package.json": json('"scripts": { "install": "x" }') }, patch: { "package.json": json(NAME, '"version": "1.0.0"', '"scripts": { "install": "x" }') } },
  { name: "an install script taken out", base: { "package.json": json(NAME, '"scripts": { "install": "x" }') }, patch: { "package.json": json(NAME) } },
  { name: "a key named scripts elsewhere", base: { "package.json": json(NAME) }, patch: { "package.json": json(NAME, '"jest": { "scripts": { "install": "x" } }') } },
  { name: "a manifest renamed", base: { "old/package.json": json(NAME, '"version": "1.2.3"', '"license": "MIT"', '"scripts": { "install": "x" }') }, patch: { "old/package.json": null, "new/package.json": json(NAME, '"version": "1.2.3"', '"license": "MIT"', '"scripts": { "install": "x" }') } },
  { name: "an alias of another package", base: { "package.json": json(NAME, '"dependencies": { "left-pad": "1.3.0" }') }, patch: { "package.json": json(NAME, '"dependencies": { "left-pad": "npm:evil-pad@1.3.0" }') }, found: [`${INSTALL} package.json:3`] },
  { name: "an alias in overrides and in pnpm's", base: { "package.json": json(NAME) }, patch: { "package.json": json(NAME, '"overrides": { "app": { "left-pad": "npm:evil@1" } }', '"pnpm": { "overrides": { "app>right-pad@1": "npm:evil@1" } }') }, found: [`${INSTALL} package.json:3`, `${INSTALL} package.json:4`] },
  { name: "a link to another repository", base: { "package.json": json(NAME) }, patch: { "package.json": json(NAME, '"dependencies": { "left-pad": "github:evil/right-pad#main" }') }, found: [`${INSTALL} package.json:3`] },
  { name: "an alias of itself, a fork of the same name, versions", base: { "package.json": json(NAME) }, patch: { "package.json": json(NAME, '"dependencies": { "a": "npm:a@2", "left-pad": "github:fork/left-pad", "b": "^2.0.0", "c": "workspace:*", "@std/d": "npm:@jsr/std__d@1" }') } },
  { name: "a build of native code", base: { "package.json": json(NAME) }, patch: { "binding.gyp": "{}\n" }, found: [`${INSTALL} binding.gyp:1`] },
  { name: "a manifest that cannot be read", base: { "package.json": json(NAME) }, patch: { "package.json": '{ "scripts": { "install": "x' }, found: [`${INSTALL} package.json:1`] },
  { name: "a manifest in a folder that is not judged", base: { "a.txt": "b\n" }, patch: { "tests/a/package.json": json('"scripts": { "install": "x" }') } },
  // Python
  { name: "a backend of the tree", base: { "pyproject.toml": BUILD }, patch: { "pyproject.toml": '[build-system]\nrequires = ["setuptools>=61"]\nbuild-backend = "backend"\nbackend-path = ["tools"]\n' }, found: [`${INSTALL} pyproject.toml:3`, `${INSTALL} pyproject.toml:4`] },
  { name: "a first manifest with a common backend", base: { "a.txt": "c\n" }, patch: { "pyproject.toml": BUILD } },
  { name: "a version of what builds", base: { "pyproject.toml": BUILD }, patch: { "pyproject.toml": BUILD.replace("61", "70") } },
  { name: "something else that builds", base: { "pyproject.toml": BUILD }, patch: { "pyproject.toml": BUILD.replace('"setuptools>=61"', '"setuptools>=61",\n  "evil-build",\n') }, found: [`${INSTALL} pyproject.toml:3`] },
  { name: "a build hook", base: { "pyproject.toml": "[tool.hatch.build.hooks.vcs]\nversion-file = 'a.py'\n" }, patch: { "pyproject.toml": "[tool.hatch.build.hooks.vcs]\nversion-file = 'a.py'\n\n[tool.hatch.build.hooks.custom]\npath = 'hook.py'\n" }, found: [`${INSTALL} pyproject.toml:5`] },
  { name: "a reference to another package", base: { "pyproject.toml": '[project]\ndependencies = ["requests"]\n' }, patch: { "pyproject.toml": '[project]\ndependencies = [\n  "requests @ https://example.com/evil_requests-2.0.tar.gz",\n  "flask @ git+https://github.com/pallets/flask@main",\n]\n' }, found: [`${INSTALL} pyproject.toml:3`] },
  { name: "a source of another package", base: { "pyproject.toml": '[project]\nname = "shop"\n' }, patch: { "pyproject.toml": '[project]\nname = "shop"\n\n[tool.uv.sources]\nhttpx = { git = "https://github.com/evil/httpy", rev = "a1" }\nflask = { git = "https://github.com/pallets/flask" }\n' }, found: [`${INSTALL} pyproject.toml:5`] },
  { name: "requirements", base: { "requirements.txt": "requests==2.0\n" }, patch: { "requirements.txt": "requests==2.1\nhttpx @ git+https://example.com/evil/httpy.git@main  # new\nflask @ https://example.com/Flask-2.0-py3-none-any.whl\n# httpx @ https://example.com/x.zip\n" }, found: [`${INSTALL} requirements.txt:2`] },
  { name: "a command of its own in setup.py", base: { "setup.py": 'from setuptools import setup\n\nfrom build_tools import Install\n\nsetup(name="shop")\n' }, patch: { "setup.py": 'from setuptools import setup\n\nfrom build_tools import Install\n\nsetup(name="shop", cmdclass={"install": Install})\n' }, found: [`${INSTALL} setup.py:5`] },
  { name: "a setup.py that had it", base: { "setup.py": 'from setuptools import setup\n\nfrom build_tools import Install\n\nsetup(cmdclass={"install": Install})\n' }, patch: { "setup.py": 'from setuptools import setup\n\nfrom build_tools import Install\n\nsetup(name="shop", cmdclass={"install": Install})\n' } },
];

describe("what a change makes run when packages are installed", () => {
  it.each(CASES.map((one) => [one.name, one] as const))("%s", async (_, one) => {
    expectReport(await check(repositoryOf(one.base, one.patch)), one);
  });
});

describe("the policy's say", () => {
  const alias: Contents = { "package.json": json('"dependencies": { "left-pad": "npm:evil-pad@1" }') };

  it("takes the rule's severity, and its silence", async () => {
    for (const [severity, found] of [["warning", [`warning ${INSTALL} package.json:2`]], ["off", []]] as const) {
      const root = repositoryOf({ "agentgate.yml": `version: 1\nrules:\n  ${INSTALL}: ${severity}\n` }, alias);
      expectReport(await check(root), { found });
    }
  });

  it("is silent where the policy excludes the manifest", async () => {
    expectReport(await check(repositoryOf({ "agentgate.yml": 'version: 1\nexclude: ["package.json"]\n' }, alias)), {});
  });
});
