import { publishedSchema } from "@agentgate/engine";
import { describe, expect, it } from "vitest";
import { agentgate, capsOf, diffOf, emptyFolder, expectFailure, reportOf, writeFiles } from "./harness.ts";

describe("a wrong command line", () => {
  it.each([
    ["no command", [], /no command/],
    ["an unknown command", ["chek"], /chek[^]*check/],
    ["an unknown option", ["check", "--fomat", "json"], /--fomat[^]*--format/],
    ["a missing value", ["check", "--jobs"], /--jobs/],
    ["a bad --jobs", ["check", "--jobs", "0"], /--jobs[^]*whole number/],
    ["a bad --now", ["check", "--now", "yesterday"], /--now[^]*ISO 8601/],
    ["a bad --fail-on", ["check", "--fail-on", "fatal"], /--fail-on[^]*error, warning, never/],
    ["an unknown format", ["check", "--format", "jsn"], /jsn[^]*json/],
    ["an unknown rule", ["check", "--rule", "no-invented-oi=off"], /no-invented-oi[^]*no-invented-io/],
    ["a fixed rule", ["check", "--rule", "parse-error=off"], /parse-error is fixed/],
    ["two reports in one place", ["check", "--format", "json", "--format", "stylish"], /standard output/],
    ["a report that cannot be written", ["check", "--output", "no/such/folder/x"], /no\/such\/folder/],
    ["an audit that cannot be written", ["check", "--audit", "no/such/folder/x"], /no\/such\/folder/],
    ["--head without --base", ["check", "--head", "HEAD"], /--base/],
    ["--staged without --base", ["check", "--staged"], /--base/],
    ["--reach without --base", ["check", "--reach"], /--base/],
    ["--accept without --base", ["check", "--accept", "a".repeat(64)], /--base/],
    ["--require-change without --base", ["check", "--require-change"], /--base/],
    ["two heads", ["check", "--base", "main", "--head", "HEAD", "--staged"], /two different heads/],
    ["an empty --base", ["check", "--base", ""], /--base/],
    ["diff without a base", ["diff"], /base/],
    ["diff of an empty base", ["diff", ""], /base/],
    ["diff of three revisions", ["diff", "a", "b", "c"], /too many|excess/i],
    ["a format that diff has not", ["diff", "main", "--format", "sarif"], /sarif/],
    ["--stdin without its name", ["check", "--stdin"], /--stdin-filename/],
    ["a malformed --shard", ["check", "--shard", "5/4"], /--shard/],
    ["a malformed --accept", ["check", "--accept", "abc"], /--accept/],
    ["an empty --config", ["check", "--config", ""], /--config/],
    ["too many arguments", ["init", "here"], /too many|excess/i],
  ])("%s is said in two lines", (_what, args, why) => {
    const folder = emptyFolder();
    writeFiles(folder, { "a.py": "x = 1\n" });
    expectFailure(agentgate(folder, args), why);
  });

  it("never prints a hostile argument raw", () => {
    const { stderr } = agentgate(emptyFolder(), ["check", "--\u001b[31m\u202e\n::error::x"]);
     
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]|^::/m);
  });

  it.each([
    ["check", "--fomat", "x", "--format", "json"], ["check", "--format=json", "--jobs", "0"], ["check", "--format", "json", "--base", "main"],
    ["verify", "--format", "json", "--head", "main"],
  ])("%s %s %s %s still prints one document", (...args) => {
    const ran = agentgate(emptyFolder(), args.filter((word) => typeof word === "string"));
    expect(ran.code).toBe(2);
    expect(reportOf(ran).error?.message).toBeTruthy();
  });

  it.each([
    [["check", "--base", "main"], "change"], [["check", "--base=main", "--jobs", "0"], "change"], [["check", "--jobs", "0"], "tree"], [["check", "--jobs", "0", "--", "--base"], "tree"], [["verify", "--base", "main"], "verify"],
  ])("%j says in which mode it would have judged", (args, mode) => {
    const ran = agentgate(emptyFolder(), [...args.slice(0, 1), "--format", "json", ...args.slice(1)]);
    expect(ran.code).toBe(2);
    expect(reportOf(ran).mode).toBe(mode);
  });

  it("prints the document of diff for diff", () => {
    const ran = agentgate(emptyFolder(), ["diff", "main", "--format", "json", "--jobs", "x"]);
    expect(ran.code).toBe(2);
    expect(diffOf(ran).error?.message).toContain("--jobs");
  });

  it("prints the document of caps for caps", () => {
    const ran = agentgate(emptyFolder(), ["caps", "--format", "json", "--jobs", "x"]);
    expect(ran.code).toBe(2);
    expect(capsOf(ran).error?.message).toContain("--jobs");
  });
});

describe("what comes later", () => {
  it.each([
    ["verify", "--base", "main"], ["verify", "--candidate", "a.py", "--spec", "a.spec.json"],
    ["check", "--shard", "1/2"], ["check", "--stdin", "--stdin-filename", "a.py"],
    ["check", "--format", "github"], ["check", "--format", "gitlab"], ["check", "--format", "junit"],
    ["check", "--format", "markdown"], ["check", "--format", "agent=x.txt"],
    ["check", "--rule", "undeclared-host=error"],
  ])("%s %s %s is refused where silence would look like a verdict", (...args) => {
    expectFailure(agentgate(emptyFolder(), args.filter((word) => typeof word === "string")), /not in this version/);
  });

  it("accepts every other option", () => {
    const folder = emptyFolder();
    writeFiles(folder, { "a.py": "x = 1\n", "policy.yml": "version: 1\n" });
    const args = [
      "check", "a.py", "--config", "policy.yml", "--format", "json", "--output", "out.json", "--fail-on", "never", "--rule", "no-invented-io=warning",
      "--rule", "require-timeout=off", "--strict", "--jobs", "2", "--no-cache", "--now", "2026-01-31T00:00:00Z", "--no-color", "--quiet", "--all", "--audit", "audit.json",
    ];
    expect(agentgate(folder, args)).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("names all commands in the help", () => {
    const { code, stdout } = agentgate(emptyFolder(), ["--help"]);
    for (const name of ["check", "caps", "explain", "init", "verify", "diff", "permit", "baseline", "lock"]) expect(stdout).toMatch(new RegExp(`^ {2}${name}\\b`, "m"));
    expect(code).toBe(0);
  });

  it("says of --strict what the configuration says of strict", () => {
    const { stdout } = agentgate(emptyFolder(), ["check", "--help"]);
    const keys = publishedSchema()["properties"] as Readonly<Record<string, { readonly description: string }>>;
    const { description } = keys["strict"]!;
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(`--strict ${description.replace(/^Also/, "also").replace(/\.$/, "")}`);
  });

  it("names all options of check in its help", () => {
    const { code, stdout } = agentgate(emptyFolder(), ["check", "--help"]);
    const options = "config format output fail-on rule strict jobs no-cache now no-color quiet all base head staged accept reach types require-change shard stdin stdin-filename audit";
    for (const option of options.split(" ")) expect(stdout).toContain(`--${option}`);
    expect(code).toBe(0);
  });

  it("knows its version", () => {
    const ran = agentgate(emptyFolder(), ["--version"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
  });
});
