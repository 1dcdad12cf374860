import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { decodeFacts } from "../facts-code.ts";
import { buildWorker } from "../testing/worker.ts";
import { ParserPool } from "./pool.ts";
import type { ParseJob, ParseOutcome } from "./protocol.ts";

const fake = new URL("../testing/fake-worker.mjs", import.meta.url);
const open: ParserPool[] = [];

afterEach(() => {
  for (const pool of open.splice(0)) pool.close();
});

function pool(jobs: number, worker: URL = fake, timeout = 5000): ParserPool {
  const made = new ParserPool({ worker, jobs, timeout, heapMegabytes: 64 });
  open.push(made);
  return made;
}

const job = (text: string): ParseJob => ({ dialect: "typescript", text });

/** What the fake worker says: bytes, as facts are. */
const textOf = (outcome: ParseOutcome): string => (outcome.kind === "facts" ? Buffer.from(outcome.facts).toString() : outcome.reason);

async function parse(texts: readonly string[], jobs = 2, timeout?: number): Promise<string[]> {
  const outcomes = await pool(jobs, fake, timeout).parse(texts.map(job), () => undefined);
  return outcomes.map((outcome) => (outcome.kind === "facts" ? textOf(outcome).split(" ")[0]! : outcome.reason));
}

describe("children", () => {
  it("answer for every text, in the order of the texts", async () => {
    const texts = Array.from({ length: 300 }, (_, index) => `t${index}`);
    expect(await parse(texts)).toEqual(texts);
  });

  it("lose only the text that kills them, wherever it stands", async () => {
    const texts = ["a", "crash1", "b", "c", "crash2", "crash3", "d"];
    const expected = texts.map((text) => (text.startsWith("crash") ? "reading it crashed the parser" : text));
    expect(await parse(texts, 1)).toEqual(expected);
    expect(await parse(texts, 4)).toEqual(expected);
  });

  it("lose only the text that runs out of memory", async () => {
    expect(await parse(["a", "memory", "b"], 1)).toEqual(["a", "reading it crashed the parser", "b"]);
  });

  it("are stopped when a text takes too long", async () => {
    expect(await parse(["a", "hang", "b"], 1, 300)).toEqual(["a", "reading it timed out", "b"]);
  });

  it("that leave quietly count as dead", async () => {
    expect(await parse(["a", "exit", "b"], 1)).toEqual(["a", "reading it crashed the parser", "b"]);
  });

  it("are bounded in memory and do not see the environment", async () => {
    process.env["SECRET"] = "s3cret";
    process.env["NODE_OPTIONS"] = "";
    const [outcome] = await pool(1).parse([job("a")], () => undefined);
    delete process.env["SECRET"];
    expect(outcome).toMatchObject({ kind: "facts", specifiers: { all: [], required: [] }, clean: true });
    expect(textOf(outcome!)).toBe("a --max-old-space-size=64 ");
  });

  it("report that they cannot be started", async () => {
    await expect(pool(1, new URL("./no-such-worker.js", import.meta.url)).parse([job("a")], () => undefined)).rejects.toThrow("cannot be started");
  });

  it("count every text as done once", async () => {
    let done = 0;
    await pool(2).parse(["a", "crash", "b"].map(job), (count) => (done += count));
    expect(done).toBe(3);
  });
});

describe("the worker", () => {
  let worker: URL;
  beforeAll(async () => {
    worker = await buildWorker("test-pool");
  });

  const nested: Readonly<Record<string, string>> = {
    brackets: `x = ${"[".repeat(10_000)}${"]".repeat(10_000)}`,
    open: "[".repeat(50_000),
    arrows: `x = ${"()=>".repeat(10_000)}1`,
    "else if": `if(a){}${"else if(a){}".repeat(10_000)}`,
    templates: `x = ${"`${".repeat(10_000)}1${"}`".repeat(10_000)}`,
    generics: `let x: ${"A<".repeat(10_000)}B${">".repeat(10_000)}`,
    parentheses: `x = ${"(".repeat(10_000)}1${")".repeat(10_000)}`,
  };

  it("reads both languages, with every number", async () => {
    const outcomes = await pool(1, worker).parse([job("const x = Infinity + 1e999; fetch(x);"), { dialect: "python", text: "x = 1e999\nimport httpx\n" }], () => undefined);
    const [one, other] = outcomes.map((outcome) => decodeFacts((outcome as Extract<ParseOutcome, { kind: "facts" }>).facts));
    expect(one!.language).toBe("ecmascript");
    expect(other!.imports.map((entry) => entry.specifier)).toEqual(["httpx"]);
    expect([...one!.values, ...other!.values].filter((value) => value.kind === "number").map((value) => value.value)).toContain(Infinity);
    expect("constructor" in one!.scopes[0]!.names).toBe(false);
  });

  it.each(Object.entries(nested))("that meets ten thousand nested %s takes nothing else along", async (_, text) => {
    const outcomes = await pool(1, worker).parse([job("a()"), job(text), job("b()")], () => undefined);
    expect([outcomes[0]?.kind, outcomes[2]?.kind]).toEqual(["facts", "facts"]);
    expect(["facts", "failed"]).toContain(outcomes[1]?.kind);
  });
});
