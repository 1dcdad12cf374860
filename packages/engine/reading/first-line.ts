import type { ParseProblem } from "@agentgate/parsers";

const PYTHON = /^(?:i|c|j|micro)?(?:python|pypy)[\w.+-]*$/;
const ECMASCRIPT = /^(?:node|nodejs|deno|bun|bunx|tsx|ts-node|npx|zx|esno|jiti)$/;
/** What else may stand in a first line and runs the file. */
const OTHER = /^(?:(?:ba|z|da|k|fi|c|tc)?sh|perl|ruby|php|lua|awk|gawk|tclsh|pwsh|Rscript|make|osascript|uv|uvx|pipx|poetry|rye|hatch|pdm)(?:[\d.]*)$/;
const FOR_PYTHON = /^(?:uv|uvx|pipx|poetry|rye|hatch|pdm)$/;
/** The line by which a shell hands the file on to the language that its name says, written so that both can read it. */
const HANDED_ON = /^[^\n]*\n[^\n]*\bexec\b[^\n]*\b(node|nodejs|deno|bun|tsx|python[\d.]*)\b/;
/** A system reads no more of it. */
const MOST = 256;

/**
 * What is wrong with a file whose first line has another language run it than its name says (`#!/usr/bin/env python3`
 * in `run.js`), as a problem at that line; null where nothing is. Text that is both is judged as what the name says.
 */
export function contradiction(text: string, python: boolean): ParseProblem | null {
  if (!text.startsWith("#!")) return null;
  const line = text.slice(0, MOST).split(/[\r\n]/, 1)[0]!;
  const runner = runnerIn(line);
  if (runner === null || isFor(runner, python)) return null;
  const handedOn = runner.endsWith("sh") ? HANDED_ON.exec(text.slice(0, 4 * MOST))?.[1] : undefined;
  if (handedOn !== undefined && isFor(handedOn, python)) return null;
  return { message: `The first line has ${runner} run the file, which reads it as something else: name the file after what runs it.`, span: [0, line.length] };
}

function isFor(runner: string, python: boolean): boolean {
  return python ? PYTHON.test(runner) || FOR_PYTHON.test(runner) : ECMASCRIPT.test(runner);
}

/** The first program of a line that is known to run code: past `env`, its options and what only starts others. */
function runnerIn(line: string): string | null {
  const [first = "", ...others] = line.slice(2).trim().split(/\s+/);
  for (const word of [first, ...others]) {
    const name = word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1);
    if (PYTHON.test(name) || ECMASCRIPT.test(name) || OTHER.test(name)) return name;
  }
  return null;
}
