import { describe, expect, it } from "vitest";
import { CAPS_FORMATS, CHECK_FORMATS, DIFF_FORMATS, outputsOf } from "./outputs.ts";

const outputs = (formats: readonly string[], output: string | null = null) => outputsOf(formats, output, CHECK_FORMATS, "/work");

describe("--format and --output", () => {
  it("prints stylish by default", () => {
    expect(outputs([])).toEqual([{ format: "stylish", file: null }]);
  });

  it("takes several reports of one run", () => {
    expect(outputs(["json=a.json", "stylish"])).toEqual([{ format: "json", file: "a.json" }, { format: "stylish", file: null }]);
  });

  it("puts the file in the place of standard output", () => {
    expect(outputs(["json"], "a.json")).toEqual([{ format: "json", file: "a.json" }]);
  });

  it("keeps a file name with an equals sign", () => {
    expect(outputs(["json=a=b.json"])).toEqual([{ format: "json", file: "a=b.json" }]);
  });

  it.each([
    ["two reports on standard output", ["json", "stylish"], null],
    ["two reports in one file", ["json=a", "stylish=./a"], null],
    ["an output that nothing goes to", ["json=a"], "b"],
    ["an empty file name", ["json="], null],
    ["an unknown format", ["xml"], null],
  ])("refuses %s", (_what, formats, output) => {
    expect(() => outputs(formats, output)).toThrow();
  });

  it.each(["github", "gitlab", "junit", "markdown", "agent", "agent=x.txt"])("says that %s is not in this version", (format) => {
    expect(() => outputs([format])).toThrow("not in this version");
  });

  it("suggests the format that was meant", () => {
    expect(() => outputs(["jsn"])).toThrow(expect.objectContaining({ hint: "Did you mean json?" }));
  });

  it("takes SARIF into a file beside the report for people", () => {
    expect(outputs(["stylish", "sarif=a.sarif"])).toEqual([{ format: "stylish", file: null }, { format: "sarif", file: "a.sarif" }]);
  });

  it("prints a review comment for diff by default", () => {
    expect(outputsOf([], null, DIFF_FORMATS, "/")).toEqual([{ format: "markdown", file: null }]);
    expect(() => outputsOf(["sarif"], null, DIFF_FORMATS, "/")).toThrow("no format");
  });

  it("knows the formats of caps", () => {
    expect(outputsOf([], null, CAPS_FORMATS, "/")).toEqual([{ format: "table", file: null }]);
    expect(outputsOf(["html=a.html"], null, CAPS_FORMATS, "/")).toEqual([{ format: "html", file: "a.html" }]);
    expect(() => outputsOf(["stylish"], null, CAPS_FORMATS, "/")).toThrow("no format");
  });
});
