import { factsOf } from "@agentgate/parsers/testing";
import type { FactsWriter, Operand } from "@agentgate/parsers/testing";
import { describe, expect, it } from "vitest";
import data from "./data/package-installs.json" with { type: "json" };
import { noRuntimeInstall } from "./no-runtime-install.ts";
import type { RuleFinding } from "./rule.ts";
import { installIn, UNKNOWN, wordsOfText } from "./shared/installs/match.ts";
import { contextOf, shortly } from "./shared/testing.ts";

const LANGUAGES = ["python", "ecmascript"] as const;
type Language = (typeof LANGUAGES)[number];

function isPython(b: FactsWriter): boolean {
  return b.builder.draft.facts.language === "python";
}

/** `subprocess.run([program, …])` or `spawn(program, […])`. */
function start(b: FactsWriter, program: Operand, ...rest: readonly Operand[]): Operand {
  if (isPython(b)) return b.call(b.member(b.import("subprocess"), "run"), [b.list(program, ...rest)]);
  return b.call(b.member(b.import("node:child_process", { as: "child" }), "spawn"), [program, b.list(...rest)]);
}

/** `os.system(text)` or `execSync(text)`. */
function shell(b: FactsWriter, text: Operand): Operand {
  return isPython(b) ? b.call(b.member(b.import("os"), "system"), [text]) : b.call(b.from("node:child_process", "execSync"), [text]);
}

function judge(language: Language, write: (b: FactsWriter) => void, path = "src/app"): RuleFinding[] {
  return noRuntimeInstall.check(factsOf(language, write), contextOf({ path }));
}

describe.each(LANGUAGES)("no-runtime-install on hand-written facts of %s", (language) => {
  it("reports a package manager that is started, at the call, and says why and what to do", () => {
    const facts = factsOf(language, (b) => { start(b, b.string("pip"), b.string("install"), b.string("left-pad")); });
    const [finding, ...rest] = noRuntimeInstall.check(facts, contextOf());
    expect(rest).toEqual([]);
    expect(finding).toMatchObject({ severity: "error", capability: "proc", key: "pip install", span: facts.calls[0]!.nameSpan });
    expect(finding!.message).toBe(
      `${finding!.api!} runs pip install while the program runs. What it brings was not reviewed or locked, and runs with the rights of this program. `
      + "Declare the package as a dependency, and fail with a message where it is missing.",
    );
  });

  it("says of what a project lists itself when to install it", () => {
    const [finding] = judge(language, (b) => { start(b, b.string("yarn"), b.string("install")); });
    expect(finding!.message).toMatch(/Install what the project lists before it starts, and fail with a message where it is missing\.$/);
    const [named] = judge(language, (b) => {
      b.function("bring", ["names"], (names) => { start(b, b.string("yarn"), b.string("install"), b.spread(names)); });
    });
    expect(named!.message).toContain("Declare the package as a dependency");
  });

  it("does not say of what a lock file fixes that it is not locked", () => {
    const [finding] = judge(language, (b) => { start(b, b.string("npm"), b.string("ci")); });
    expect(finding!.message).toContain("runs npm ci while the program runs. What it brings is locked, but is fetched then and runs with the rights of this program.");
    const [frozen] = judge(language, (b) => { shell(b, b.string("uv sync --no-dev --frozen")); });
    expect(frozen!.message).toContain("runs uv sync --frozen while the program runs. What it brings is locked, but is fetched then");
  });

  it("says of pip's own copy in Python where it comes from", () => {
    const [finding] = judge(language, (b) => { start(b, b.string("python"), b.string("-m"), b.string("ensurepip")); });
    expect(finding!.message).toContain("runs ensurepip while the program runs. What it brings comes with Python, is in no lock file, and runs with the rights of this program.");
  });

  it("reads command text, put together too", () => {
    expect(judge(language, (b) => { shell(b, b.string("cd app && npm install")); })).toHaveLength(1);
    expect(judge(language, (b) => { b.function("add", ["name"], (name) => { shell(b, b.binary(b.string("npm install "), "+", name)); }); })).toHaveLength(1);
    expect(judge(language, (b) => { b.function("add", ["name"], (name) => { shell(b, b.template("cd ", name, " && yarn add ", name)); }); })).toHaveLength(1);
  });

  it("is silent about what installs nothing, and about text that nothing runs", () => {
    expect(judge(language, (b) => {
      start(b, b.string("pip"), b.string("list"));
      start(b, b.string("npm"), b.string("run"), b.string("install"));
      shell(b, b.string("git add install"));
      b.call(b.name("print"), [b.string("pip install left-pad")]);
    })).toEqual([]);
  });

  it("sees through a function that runs what it is given", () => {
    const judged = (name: string): string[] => judge(language, (b) => {
      const run = b.function(name, ["command"], (command) => { shell(b, command); });
      b.call(run, [b.string("npm install left-pad")]);
    }).map(shortly);
    expect(judged("runCommand")).toEqual(["error proc runCommand"]);
    expect(judged("explain")).toEqual([]);
  });

  it("is silent in a set-up script", () => {
    const write = (b: FactsWriter): void => { shell(b, b.string("npm install")); };
    expect(judge(language, write, "scripts/postinstall.js")).toEqual([]);
    expect(judge(language, write, "src/postinstall.js")).toHaveLength(1);
  });

  it("is not overrun by a command of five thousand pieces, nor by one that is made of itself", () => {
    expect(judge(language, (b) => {
      let text: Operand = b.string("npm install");
      for (let piece = 0; piece < 5000; piece++) text = b.binary(text, "+", b.name("more"));
      shell(b, text);
    }).length).toBeLessThanOrEqual(1);
    expect(judge(language, (b) => {
      const text = b.let("text", b.string("npm install"));
      b.let("text", b.binary(text, "+", text));
      shell(b, text);
    }).length).toBeLessThanOrEqual(1);
  });
});

describe("the installing command of a command line", () => {
  it.each([
    ["pip install x", "pip install"], ["pip3.11 install x", "pip install"], ["/venv/bin/pip install x", "pip install"], ["pip --quiet install x", "pip install"],
    ["sudo -E apt-get install -y x", "apt-get install"], ["PIP_USER=1 pip install x", "pip install"], ["env A=1 npm ci", "npm ci"], ["yarn", "yarn install"],
    ["yarn --cwd app add x", "yarn add"], ["uv pip install x", "uv pip install"], ["uv --quiet pip --python x install y", "uv pip install"], ["bash -c 'pip install x'", "pip install"],
    ["python -m pip install x", "pip install"], ["python3 -mpip install x", "pip install"], ["python -m ensurepip", "ensurepip"], ["npx -y x", "npx -y"], ["uvx x", "uvx"], ["pipx run x", "pipx run"],
    ["pacman -S x", "pacman -S"], ["true || npm i x", "npm i"], [`pip install ${UNKNOWN}`, "pip install"], [`${UNKNOWN}/bin/pip install x`, "pip install"], ["(npm install)", "npm install"],
    ["conda env create -f x", "conda env create"], ["npm.cmd install", "npm install"], ["C:\\node\\npm.cmd install", "npm install"],
  ])("of %j is %j", (text, command) => {
    expect(installIn(wordsOfText(text))).toBe(command);
  });

  it.each([
    "pip list", "pip", "pip show install", "npm run install", "npm test", "npm view x", "npx x", "yarn run add", "git add x", "echo pip install x", "python -m venv x", "python setup.py install",
    "pip install --help", "npm install --package-lock-only", "pip install --dry-run x", `${UNKNOWN} install x`, "", "&&", "go test ./...", "cargo build", "docker run x pip install y", "uv run x", "bash",
  ])("is not there in %j", (text) => {
    expect(installIn(wordsOfText(text))).toBeNull();
  });

  it("has a source for every program and every call", () => {
    const entries = [...Object.values(data.tools), ...data.calls.python, ...data.calls.ecmascript];
    expect(entries.filter(({ source }) => !source.startsWith("https://"))).toEqual([]);
  });
});
