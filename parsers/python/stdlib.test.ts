import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { ModuleFacts, Span } from "../facts.ts";
import { positionAt } from "../shared/positions.ts";
import { parsePython } from "./index.ts";
import { standardLibraryFiles } from "./testing-stdlib.ts";

/** What testing-ast.py prints for a file: one line for each import, name and call, sorted. */
function dumpOfAst(paths: readonly string[]): Map<string, string[]> {
  const script = fileURLToPath(new URL("testing-ast.py", import.meta.url));
  const output = execFileSync("python3", ["-W", "ignore", script], { input: paths.join("\n"), encoding: "utf8", maxBuffer: 1 << 30 });
  const dump = new Map<string, string[]>();
  for (const block of output.split("\f").slice(1)) {
    const [path = "", ...lines] = block.split("\n");
    dump.set(path, lines.filter((line) => line !== ""));
  }
  return dump;
}

function dumpOfFacts(facts: ModuleFacts): string[] {
  const at = (offset: number): string => {
    const { line, column } = positionAt(facts.lines, offset);
    return `${line}:${column - 1}`;
  };
  const both = ([start, end]: Span): string => `${at(start)} ${at(end)}`;
  const lines: string[] = [];
  for (const { form, specifier, names, span } of facts.imports) {
    const level = /^\.*/.exec(specifier)![0].length;
    // `import a, b` is one statement of CPython's and an import each here.
    const shown = form === "from" ? ` ${names.map((name) => name.imported).sort().join(",")}` : "";
    lines.push(`import ${form} ${level} ${specifier.slice(level)}${shown} ${at(span[0])}`);
  }
  for (const call of facts.calls) if (call.decorator === undefined) lines.push(`call ${both(call.span)}`);
  const names = new Set<string>();
  const isQuoted = quotedOffsets(facts);
  for (const value of facts.values) if (value.kind === "name" && isQuoted[value.span[0]] === 0) names.add(`name ${value.name} ${at(value.span[0])}`);
  return [...lines, ...names].sort();
}

/** 1 at each offset inside a string: names in the text of an annotation are no names to CPython. */
function quotedOffsets(facts: ModuleFacts): Uint8Array {
  const quoted = new Uint8Array(facts.length + 1);
  for (const value of facts.values) if (value.kind === "string") quoted.fill(1, value.span[0], value.span[1]);
  return quoted;
}

describe("the facts of the standard library", () => {
  const files = standardLibraryFiles();

  it("name the same imports, names and calls as CPython's ast", (context) => {
    if (files.length === 0) context.skip("there is no python3 of 3.10 or later here to compare with");
    const expected = dumpOfAst(files.map((file) => file.path));
    const differing: string[] = [];
    for (const { path, text } of files) {
      const facts = parsePython(text);
      const actual = dumpOfFacts(facts);
      const wanted = expected.get(path) ?? ["not read"];
      if (facts.problems.length === 0 && actual.join("\n") === wanted.join("\n")) continue;
      const onlyHere = actual.filter((line) => !wanted.includes(line)).slice(0, 5);
      const onlyThere = wanted.filter((line) => !actual.includes(line)).slice(0, 5);
      differing.push(JSON.stringify({ path, problems: facts.problems.slice(0, 3), onlyHere, onlyThere }));
    }
    expect(differing).toEqual([]);
    expect(expected.size).toBe(files.length);
  });
});
