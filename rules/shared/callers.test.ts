import { parseEcmascript, parsePython } from "@agentgate/parsers";
import { describe, expect, it } from "vitest";
import { givenByCallers } from "./callers.ts";

const CALLS = 200;

/** Functions of which each calls the one before it many times with what it is given, and a last one that gives constants. */
function chain(functions: number, calls: number, write: (name: string, called: string, count: number) => string, last: (called: string) => string): string {
  return [...Array.from({ length: functions }, (_, index) => write(`_f${index}`, index === 0 ? "probe" : `_f${index - 1}`, calls)), last(`_f${functions - 1}`)].join("\n");
}

const python = (functions: number, calls: number): string => chain(functions, calls, (name, called, count) => `def ${name}(x):\n${`    ${called}(x)\n`.repeat(count)}`, (called) => `${called}("a")\n`);
const ecmascript = (functions: number, calls: number): string => chain(functions, calls, (name, called, count) => `function ${name}(x) {\n${`  ${called}(x);\n`.repeat(count)}}`, (called) => `${called}("a");\n`);

describe.each([
  ["python", (functions: number, calls: number) => parsePython(python(functions, calls))],
  ["ecmascript", (functions: number, calls: number) => parseEcmascript(ecmascript(functions, calls), { dialect: "javascript" })],
] as const)("what callers give in %s", (_language, factsOf) => {
  it("is followed through functions that only hand it on", () => {
    const facts = factsOf(3, 1);
    expect(givenByCallers(facts, facts.calls[0]!.arguments[0]!.value)).toEqual(["a"]);
  });

  it("is given up where each of many callers has as many again", () => {
    const facts = factsOf(5, CALLS);
    expect(givenByCallers(facts, facts.calls[0]!.arguments[0]!.value)).toBe(null);
  });
});
