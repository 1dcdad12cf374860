import { describe, expect, it } from "vitest";
import { agentgate, capsOf, found, onTerminal, reportOf, repository } from "./harness.ts";

const NAMES = [
  "::error file=x::owned.py", "a\n::error::b.py", "esc\u001b[2J\u001b]0;owned\u0007.py", "c1\u009b31m.py", "bidi\u202eyp.x.py", "##[error]x.py", "##vso[task.setvariable]x.py",
  "tab\tname.py", " space.py", "quote'\"`.py", "$(touch owned).py", "-rf.py", "--help.py", "日本😀.py", "back\\slash.py", "star*.py", "[brackets].py",
];
const SOURCE = 'import httpx\nx = "\u001b[31m\u202e::error::"; httpx.post(x)  # ##[error]y\u009b1m\n';
const tree = (): string => repository(Object.fromEntries(NAMES.map((name) => [`src/${name}`, SOURCE])));

/** Everything that a terminal or a build service would obey. Our own colours and line ends are taken out before. */
 
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|^\s*::|##\[|##vso\[/m;

 
const withoutColours = (text: string): string => text.replace(/\u001b\[\d+m/g, "");

describe("hostile names and sources", () => {
  it("are judged under their own names", () => {
    const judged = new Set(reportOf(agentgate(tree(), ["check", "--format", "json"])).findings.map(({ path }) => path));
    expect([...judged].sort()).toEqual(NAMES.map((name) => `src/${name}`).sort());
  });

  it.each([[["check"]], [["check", "--all"]], [["check", "--format", "json"]], [["check", "--format", "sarif"]], [["caps", "--format", "html"]], [["caps"]], [["caps", "--format", "json"]]])("%j never prints them raw in a pipe", (args) => {
    const { stderr, stdout } = agentgate(tree(), args);
    expect(stdout).not.toMatch(OBEYED);
    expect(stderr).not.toMatch(OBEYED);
  });

  it("keep one line a finding in a pipe", () => {
    const { stdout } = agentgate(tree(), ["check"]);
    expect(stdout.trimEnd().split("\n")).toHaveLength(NAMES.length + 1);
  });

  it.each(["check", "caps"])("are never printed raw on a terminal by %s", (command) => {
    const ran = onTerminal(tree(), [command], 100);
    if (ran !== null) expect(withoutColours(ran.stdout)).not.toMatch(OBEYED);
  });

  it("named on the command line are judged, or said not to be there", () => {
    const folder = tree();
    for (const name of NAMES) expect(agentgate(folder, ["check", "--", `src/${name}`]).code).toBe(1);
    expect(agentgate(folder, ["check", "--", "src/\u001b[31m\n::error::gone"]).stderr).not.toMatch(OBEYED);
  });

  it("cannot reach into the document", () => {
    const document = capsOf(agentgate(tree(), ["caps", "--format", "json"]));
    expect(document.modules).toHaveLength(NAMES.length);
  });

  it("called like parts of JavaScript's objects are ordinary", () => {
    const names = ["__proto__.py", "constructor.py", "toString.py", "__proto__/hasOwnProperty.py"];
    const document = reportOf(agentgate(repository(Object.fromEntries(names.map((name) => [name, "import httpx\n"]))), ["check", "--format", "json"]));
    expect(found(document).sort()).toEqual(names.map((name) => `no-invented-io ${name}:1`).sort());
  });
});
