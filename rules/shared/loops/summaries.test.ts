import type { ModuleFacts } from "@agentgate/parsers";
import { expect, test } from "vitest";
import { factsIn } from "../effects/testing.ts";
import { contextOf } from "../testing.ts";
import { summaryOfCall } from "./summaries.ts";

/** Each calls the next; the last one makes sure of the limit. */
const CHAIN = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh"];
const next = (method: string): string => CHAIN[CHAIN.indexOf(method) + 1]!;

const PYTHON = (methods: readonly string[]): string => `import requests
def seventh(tries):
    if tries > 5:
        raise TimeoutError()
${CHAIN.slice(0, -1).map((method) => `def ${method}(tries):
    ${next(method)}(tries)
`).join("")}
${methods.map((method) => `def run_${method}():
    tries = 0
    while True:
        tries += 1
        ${method}(tries)
        if requests.get("https://x.io").json()["done"]:
            return
`).join("")}`;

const TYPESCRIPT = (methods: readonly string[]): string => `function seventh(tries: number) {
  if (tries > 5) throw new Error();
}
${CHAIN.slice(0, -1).map((method) => `function ${method}(tries: number) { ${next(method)}(tries); }
`).join("")}
${methods.map((method) => `export async function run_${method}() {
  let tries = 0;
  while (true) {
    tries += 1;
    ${method}(tries);
    const answer = await (await fetch("https://x.io")).json();
    if (answer.done) return;
  }
}
`).join("")}`;

test.each([["python", PYTHON], ["typescript", TYPESCRIPT]] as const)("what a helper makes sure of does not depend on who asked before, in %s", (language, source) => {
  const passed = (facts: ModuleFacts, method: string, context = contextOf()): number => {
    const call = facts.calls.findIndex(({ function: id, callee }) => facts.functions[id]!.name === `run_${method}` && facts.values[callee]!.kind === "name");
    return summaryOfCall(facts, context, call).passed.size;
  };
  const alone = CHAIN.map((method) => passed(factsIn(language, source(CHAIN)), method));
  expect(alone).toEqual([0, 0, 0, 0, 1, 1, 1]);
  const [facts, context] = [factsIn(language, source(CHAIN)), contextOf()];
  expect(CHAIN.map((method) => passed(facts, method, context))).toEqual(alone);
  const [others, other] = [factsIn(language, source(CHAIN)), contextOf()];
  expect([...CHAIN].reverse().map((method) => passed(others, method, other)).reverse()).toEqual(alone);
});
