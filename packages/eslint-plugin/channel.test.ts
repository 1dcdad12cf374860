import { buildSync } from "esbuild";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { Channel } from "./channel.ts";

interface Question {
  readonly name: string;
  /** Milliseconds that answering takes. */
  readonly takes: number;
}

const LIMIT = 30_000;
const folder = mkdtempSync(path.join(tmpdir(), "agentgate-channel-"));
buildSync({ entryPoints: [path.join(import.meta.dirname, "answer.ts")], bundle: true, format: "esm", platform: "node", outfile: path.join(folder, "answer.mjs") });
const entry = path.join(folder, "thread.mjs");
writeFileSync(entry, `
import { setTimeout } from "node:timers/promises";
import { answerQuestions } from "./answer.mjs";
let answered = 0;
answerQuestions(async ({ name, takes }) => { if (name === "exit") process.exit(0); await setTimeout(takes); return name + " " + ++answered; });
`);

afterAll(() => { rmSync(folder, { recursive: true, force: true }); });

describe("a channel", () => {
  let channel: Channel<Question, string>;
  afterEach(() => { channel.close(); });
  const open = (): Channel<Question, string> => channel = new Channel(pathToFileURL(entry));

  it("gives each question its answer, taken in whatever order", () => {
    open();
    const tickets = ["a", "b", "c"].map((name) => channel.ask({ name, takes: 1 }));
    expect([tickets[2]!, tickets[0]!, tickets[1]!].map((ticket) => channel.take(ticket, LIMIT))).toEqual(["c 3", "a 1", "b 2"]);
  });

  it("answers while the asking thread does something else", async () => {
    const ticket = open().ask({ name: "a", takes: 1 });
    channel.take(ticket, LIMIT);
    const next = channel.ask({ name: "b", takes: 1 });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(channel.take(next, 0)).toBe("b 2");
  });

  it("gives nothing in time, and the answer later", () => {
    const ticket = open().ask({ name: "a", takes: 300 });
    expect(channel.take(ticket, 1)).toBeNull();
    expect(channel.take(ticket, LIMIT)).toBe("a 1");
  });

  it("gives an answer once, and none that was forgotten", () => {
    const [first, second] = [open().ask({ name: "a", takes: 1 }), channel.ask({ name: "b", takes: 1 })];
    expect(channel.take(first, LIMIT)).toBe("a 1");
    expect(channel.take(first, 50)).toBeNull();
    channel.forget();
    expect(channel.take(second, LIMIT)).toBeNull();
    expect(channel.take(channel.ask({ name: "c", takes: 1 }), LIMIT)).toBe("c 3");
  });

  it("waits for nothing more of a thread that was ended, and knows one that ended by itself", async () => {
    const ticket = open().ask({ name: "a", takes: 60_000 });
    channel.close();
    expect(channel.take(ticket, LIMIT)).toBeNull();
    expect(channel.isForgotten(ticket)).toBe(true);
    const ended = open();
    ended.ask({ name: "exit", takes: 0 });
    while (!ended.isOver) await new Promise((resolve) => setTimeout(resolve, 20));
  });
});
