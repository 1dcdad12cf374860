import { describe, expect, it } from "vitest";
import { agentgate, onTerminal, repository, start, type Ran } from "./harness.ts";

const FILES = { "src/refund.py": "from decimal import Decimal\nimport httpx\n\nhttpx.post('x')\n", "src/a.ts": 'const 名前 = "日本";\tfetch("x");\n' };
const COLOUR = /\u001b\[\d+m/;  

describe("on a terminal", () => {
  const run = (columns: number, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Ran | null => onTerminal(repository(FILES), ["check", ...args], columns, env);

  it("shows code frames in colour, and the exit code is the verdict", ({ skip }) => {
    const ran = run(100) ?? skip("no script command");
    expect(ran.stdout).toMatch(COLOUR);
    const text = ran.stdout.replace(new RegExp(COLOUR, "g"), "");
    expect(text).toContain("      2 │ import httpx\n        │        ^^^^^\n");
    expect(ran.code).toBe(1);
  });

  it.each([["--no-color", ["--no-color"], {}], ["NO_COLOR", [], { NO_COLOR: "1" }], ["TERM=dumb", [], { TERM: "dumb" }]])("has no colour with %s", (_what, args, env) => {
    const ran = run(100, args, env);
    if (ran === null) return;
    expect(ran.stdout).not.toMatch(/\u001b/);
    expect(ran.stdout).toContain("import httpx");
  });

  it.each([40, 60, 120])("keeps to %i columns", (columns) => {
    const ran = run(columns, ["--no-color"]);
    for (const line of ran?.stdout.split("\n") ?? []) {
      if (!/\S{30}/.test(line)) expect(Array.from(line).length).toBeLessThanOrEqual(columns);
    }
  });

  it("has no frame and no colour in a pipe, whatever the environment wants", () => {
    const { stdout } = agentgate(repository(FILES), ["check"], { env: { FORCE_COLOR: "1", TERM: "xterm" } });
    expect(stdout).not.toMatch(/\u001b|│/);
  });
});

describe("streams and signals", () => {
  it("keeps the verdict when the reader goes away", async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`m${index}.py`, "import httpx\nhttpx.post('x')\n"]));
    const child = start(repository(many), ["check", "--format", "json"]);
    let stderr = "";
    child.stderr?.on("data", (data: Buffer) => (stderr += data.toString()));
    child.stdout?.once("data", () => child.stdout?.destroy());
    const code = await new Promise((resolve) => child.once("exit", resolve));
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  });

  it.each(["SIGINT", "SIGTERM"] as const)("ends by %s without a trace", async (signal) => {
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`m${index}.ts`, "export const x = [1, 2, 3];\n".repeat(500)]));
    const child = start(repository(many), ["check"]);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data: Buffer) => (output += data.toString()));
    const ended = new Promise<{ code: number | null; by: string | null }>((resolve) => child.once("exit", (code, by) => resolve({ code, by })));
    await new Promise((resolve) => setTimeout(resolve, 250));
    child.kill(signal);
    const { by, code } = await ended;
    // Either the signal ended it, or it was quicker than the signal.
    if (code === null) expect({ by, output }).toEqual({ by: signal, output: "" });
    else expect(code).toBe(0);
  });
});
