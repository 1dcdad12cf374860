import { describe, expect, it } from "vitest";
import { kindsBetween } from "./testing/change.ts";

const PY = "def write_gate(callback):\n    check()\n    return callback()\n";
const TS = "export function writeGate<T>(callback: () => T): T {\n  check();\n  return callback();\n}\n";
const DECLARED = { "agentgate.yml": "version: 1\ngates: [{ name: mutate, module: app.gate }]\n" };

describe("a gate's definition", () => {
  it.each([
    ["emptied", "gate.py", PY, PY.replace("callback()", "None"), ["gate-emptied gate.py:1"]],
    ["emptied in TypeScript", "gate.ts", TS, TS.replace("return callback()", "return undefined as T"), ["gate-emptied gate.ts:1"]],
    ["only logging its callback", "gate.py", PY, PY.replace("return callback()", "print(callback)"), ["gate-emptied gate.py:1"]],
    ["calling another of its name", "gate.py", PY, PY.replace("return callback()", "other.callback()"), ["gate-emptied gate.py:1"]],
    ["removed", "gate.py", `x = 1\n${PY}`, "x = 1\n", ["gate-removed gate.py:2"]],
    ["renamed", "gate.ts", TS, TS.replace("writeGate", "gate"), ["gate-removed gate.ts:1"]],
    ["a decorator", "gate.py", "def write_gate(f):\n    def inner(*a):\n        return f(*a)\n    return inner\n", "def write_gate(f):\n    def inner(*a):\n        return None\n    return inner\n", ["gate-emptied gate.py:1"]],
    ["an arrow", "gate.ts", "export const writeGate = async (f: () => void) => { await f(); };\n", "export const writeGate = async (f: () => void) => { await 0; };\n", ["gate-emptied gate.ts:1"]],
    ["a class", "gate.py", "class WriteGate:\n    def __init__(self, f):\n        self.f = f\n    def run(self):\n        return self.f()\n", "class WriteGate:\n    def __init__(self, f):\n        self.f = f\n    def run(self):\n        return None\n", ["gate-emptied gate.py:1"]],
    ["by another local name", "gate.py", "def write_gate(f):\n    g = f\n    return g()\n", "def write_gate(f):\n    g = f\n    return g\n", ["gate-emptied gate.py:1"]],
  ])("reported: %s", async (_name, path, base, head, expected) => {
    expect(await kindsBetween({ [path]: base }, { [path]: head })).toEqual(expected);
  });

  it.each([
    ["reformatted", PY, PY.replace("check()", "check( )  # here")],
    ["with a stricter check", PY, PY.replace("check()", "check()\n    if not ok():\n        raise E()")],
    ["with its parameter renamed", PY, PY.replaceAll("callback", "fn")],
    ["a function of its name that calls nothing", "def write_gate(x):\n    return x\n", "x = 1\n"],
    ["another function", "def run(f):\n    return f()\n", "def run(f):\n    return 1\n"],
  ])("silent: %s", async (_name, base, head) => {
    expect(await kindsBetween({ "gate.py": base }, { "gate.py": head })).toEqual([]);
  });

  it("that moves with its body is silent, without it is reported", async () => {
    expect(await kindsBetween({ "gate.py": PY }, { "lib/gate.py": PY })).toEqual([]);
    expect(await kindsBetween({ "gate.py": PY }, { "lib/gate.py": PY.replace("callback()", "1") })).toEqual(["gate-removed gate.py:1"]);
    expect(await kindsBetween({ "gate.py": PY }, {})).toEqual(["gate-removed gate.py:1"]);
  });

  it("that the policy declares counts by its name and module", async () => {
    const base = "def mutate(gate, fn):\n    return fn()\n";
    expect(await kindsBetween({ ...DECLARED, "src/app/gate.py": base }, { ...DECLARED, "src/app/gate.py": "x = 1\n" })).toEqual(["gate-removed src/app/gate.py:1"]);
    expect(await kindsBetween({ ...DECLARED, "src/app/gate.py": base }, { ...DECLARED, "src/app/gate.py": base.replace("fn()", "1") })).toEqual(["gate-emptied src/app/gate.py:1"]);
    expect(await kindsBetween({ ...DECLARED, "src/app/other.py": base }, { ...DECLARED, "src/app/other.py": "x = 1\n" })).toEqual([]);
    expect(await kindsBetween({ ...DECLARED, "src/app/gate.py": base }, { ...DECLARED, "src/x.py": base })).toEqual(["gate-removed src/app/gate.py:1"]);
  });
});

describe("a module's gate calls", () => {
  const gated = 'import httpx\nfrom gate import write_gate\n\ndef pay():\n    write_gate(lambda: httpx.post("https://x"))\n';
  it.each([
    ["the call taken off the write", "pay.py", gated, gated.replace("write_gate(lambda: httpx.post(\"https://x\"))", 'httpx.post("https://x")'), ["gate-call-removed pay.py:5"]],
    ["in TypeScript", "pay.ts", 'import { writeFile } from "node:fs/promises";\nimport { writeGate } from "./gate";\nawait writeGate(() => writeFile("a", "b"));\n', 'import { writeFile } from "node:fs/promises";\nawait writeFile("a", "b");\n', ["gate-call-removed pay.ts:3"]],
    ["a decorator", "pay.py", "import os\nfrom gate import write_gate\n\n@write_gate\ndef go():\n    os.remove('a')\n", "import os\n\ndef go():\n    os.remove('a')\n", ["gate-call-removed pay.py:4"]],
    ["a class of it", "pay.py", "import os\nfrom gate import WriteGate\ngate = WriteGate()\ngate.run(lambda: os.remove('a'))\n", "import os\nos.remove('a')\n", ["gate-call-removed pay.py:3"]],
  ])("reported: %s", async (_name, path, base, head, expected) => {
    expect(await kindsBetween({ [path]: base }, { [path]: head })).toEqual(expected);
  });

  it.each([
    ["one of two calls", `${gated}    write_gate(lambda: 1)\n`, gated],
    ["no write left", gated, "import os\nprint(os.getcwd())\n"],
    ["a read left", gated, 'import httpx\nhttpx.get("https://x")\n'],
    ["a write that never was gated", 'import httpx\nhttpx.post("x")\n', 'import httpx\nhttpx.post("y")\n'],
  ])("silent: %s", async (_name, base, head) => {
    expect(await kindsBetween({ "pay.py": base }, { "pay.py": head })).toEqual([]);
  });
});
