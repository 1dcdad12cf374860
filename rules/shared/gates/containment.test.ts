import { parseEcmascript, parsePython } from "@agentgate/parsers";
import type { ModuleFacts } from "@agentgate/parsers";
import { describe, expect, it } from "vitest";
import type { Gate } from "../../rule.ts";
import { contextOf } from "../testing.ts";
import { containmentsFor } from "./containment.ts";

const GATE: Gate = { name: "write_gate", module: null, scope: "tree", line: 3 };
const GATE_JS: Gate = { name: "writeGate", module: null, scope: "tree", line: 3 };

interface Input {
  readonly modules: Readonly<Record<string, string>>;
  readonly gates?: readonly Gate[];
  readonly importers?: Readonly<Record<string, readonly string[] | null>>;
}

/** For each call of `send` in the module `app`: what it stands in. */
function kindsIn(language: "python" | "typescript", { modules, gates, importers = {} }: Input): string[] {
  const read = (text: string): ModuleFacts => (language === "python" ? parsePython(text) : parseEcmascript(text, { dialect: "typescript" }));
  const all = Object.fromEntries(Object.entries(modules).map(([name, text]) => [name, read(text)]));
  const context = contextOf({ modules: all, path: "app", gates: gates ?? [language === "python" ? GATE : GATE_JS] });
  const tree = { ...context.tree, importersOf: (path: string) => importers[path] === undefined ? [] : importers[path] };
  const facts = all["app"]!;
  const containments = containmentsFor({ path: "app", facts }, { ...context, tree });
  return facts.calls.flatMap((call, id) => {
    const callee = facts.values[call.callee];
    const name = callee?.kind === "member" ? callee.property : callee?.kind === "name" ? callee.name : null;
    return name === "send" ? [containments.ofCall(id).kind] : [];
  });
}

function python(app: string, more: Partial<Input> = {}): string[] {
  return kindsIn("python", { ...more, modules: { app: `from gate import write_gate\nfrom net import client\n${app}`, ...more.modules } });
}

function typescript(app: string, more: Partial<Input> = {}): string[] {
  return kindsIn("typescript", { ...more, modules: { app: `import { writeGate } from "gate";\nimport { client } from "net";\n${app}`, ...more.modules } });
}

describe("what a gate is handed", () => {
  it.each<[string, string, string[]]>([
    ["a lambda", "write_gate(lambda: client.send(1))", ["inside"]],
    ["a named function", "def run():\n    client.send(1)\nwrite_gate(run)", ["inside"]],
    ["a function under another name", "def run():\n    client.send(1)\nagain = run\nwrite_gate(again)", ["inside"]],
    ["a nested function", "def outer():\n    def run():\n        client.send(1)\n    return write_gate(run)", ["inside"]],
    ["a partial", "from functools import partial\ndef run(x):\n    client.send(x)\nwrite_gate(partial(run, 1))", ["inside"]],
    ["a bound method", "class A:\n    def run(self):\n        client.send(1)\n    def go(self):\n        write_gate(self.run)", ["inside"]],
    ["a generator", "def run():\n    client.send(1)\n    yield\nwrite_gate(run())", ["inside"]],
    ["a coroutine", "async def run():\n    client.send(1)\nwrite_gate(run())", ["inside"]],
    ["a generator expression", "write_gate(client.send(u) for u in us)", ["inside"]],
    ["a list that ran before", "write_gate([client.send(u) for u in us])", ["outside"]],
    ["a coroutine of an asynchronous client", "import httpx\nc = httpx.AsyncClient()\nwrite_gate(c.send(1))", ["inside"]],
    ["a coroutine that was awaited before", "import httpx\nc = httpx.AsyncClient()\nasync def f():\n    write_gate(await c.send(1))", ["outside"]],
    ["a call of a client that waits", "import httpx\nc = httpx.Client()\nwrite_gate(c.send(1))", ["outside"]],
    ["a coroutine function that was awaited before", "async def run():\n    client.send(1)\nasync def f():\n    write_gate(await run())", ["called"]],
    ["a keyword", "write_gate(name='x', run=lambda: client.send(1))", ["inside"]],
    ["a table", "write_gate({'run': lambda: client.send(1)})", ["inside"]],
    ["a factory's function", "def make():\n    def run():\n        client.send(1)\n    return run\nwrite_gate(make())", ["inside"]],
    ["a curried gate", "write_gate('refund')(lambda: client.send(1))", ["inside"]],
    ["a call that ran before", "write_gate(client.send(1))", ["outside"]],
    ["a call of a function that ran before", "def run():\n    client.send(1)\nwrite_gate(run())", ["called"]],
    ["another function", "write_gate(print)\nprint(lambda: client.send(1))", ["outside"]],
    ["nothing", "client.send(1)", ["outside"]],
    ["a closure inside", "def run():\n    items = [1]\n    list(map(lambda item: client.send(item), items))\nwrite_gate(run)", ["inside"]],
    ["one handed over and called too", "def run():\n    client.send(1)\nwrite_gate(run)\nrun()", ["called"]],
  ])("python: %s", (_name, app, kinds) => {
    expect(python(app)).toEqual(kinds);
  });

  it.each<[string, string, string[]]>([
    ["an arrow", "writeGate(() => client.send(1));", ["inside"]],
    ["an async arrow with a body", "await writeGate(async () => { await client.send(1); });", ["inside"]],
    ["a named function", "function run() { client.send(1); }\nwriteGate(run);", ["inside"]],
    ["a constant arrow", "const run = () => client.send(1);\nwriteGate(run);", ["inside"]],
    ["a bound function", "function run(this: unknown) { client.send(1); }\nwriteGate(run.bind(null, 1));", ["inside"]],
    ["a method", "class A { run() { client.send(1); }\n go() { return writeGate(() => this.run()); } }", ["inside"]],
    ["a generator", "function* run() { yield client.send(1); }\nwriteGate(run());", ["inside"]],
    ["options", "writeGate({ name: 'x', run: () => client.send(1) });", ["inside"]],
    ["a wrapped function", "export const save = writeGate(async (x: number) => client.send(x));", ["inside"]],
    ["a factory's function", "const make = (x: number) => () => client.send(x);\nwriteGate(make(1));", ["inside"]],
    ["a fluent gate", "writeGate('refund').run(() => client.send(1));", ["inside"]],
    ["a promise that runs already", "writeGate(client.send(1));", ["outside"]],
    ["an async function that runs already", "async function run() { client.send(1); }\nwriteGate(run());", ["called"]],
    ["a closure inside", "writeGate(async () => { await Promise.all([1].map((x) => client.send(x))); });", ["inside"]],
    ["one handed over and called too", "function run() { client.send(1); }\nwriteGate(run);\nrun();", ["called"]],
    ["one of two callers", "function run() { client.send(1); }\nexport function one() { writeGate(() => run()); }\nexport function two() { run(); }", ["called"]],
  ])("typescript: %s", (_name, app, kinds) => {
    expect(typescript(app)).toEqual(kinds);
  });
});

describe("blocks and decorators", () => {
  it.each<[string, string, string[]]>([
    ["in the block and after it", "with write_gate('x'):\n    client.send(1)\nclient.send(2)", ["inside", "outside"]],
    ["async, nested in a test", "async def go(x):\n    async with write_gate() as gate:\n        if x:\n            client.send(1)", ["inside"]],
    ["decorated", "@write_gate\ndef go():\n    client.send(1)", ["inside"]],
    ["decorated with arguments", "@write_gate('refund')\nasync def go():\n    client.send(1)", ["inside"]],
    ["decorated by something else", "@other\ndef go():\n    client.send(1)", ["outside"]],
    ["a wrapped function that only the block calls", "import functools\nfrom contextlib import contextmanager\ndef timed(run):\n    return run\nclass A:\n    @staticmethod\n    @timed\n    def go(x):\n        client.send(x)\n    def main(self):\n        with write_gate():\n            self.go(1)", ["inside"]],
    ["a function that its decorator calls", "def timed(run):\n    def inner(*given):\n        return run(*given)\n    return inner\n@timed\ndef go(x):\n    client.send(x)\ndef main():\n    with write_gate():\n        go(1)", ["inside"]],
    ["a registered function that the block calls too", "from fastapi import FastAPI\napp = FastAPI()\n@app.post('/go')\ndef go():\n    client.send(1)\ndef main():\n    with write_gate():\n        go()", ["outside"]],
    ["a function called in the block", "def go():\n    client.send(1)\ndef main():\n    with write_gate():\n        go()", ["inside"]],
  ])("python: %s", (_name, app, kinds) => {
    expect(python(app)).toEqual(kinds);
  });

  it("typescript: a decorated method", () => {
    expect(typescript("class A { @writeGate('x') run() { client.send(1); } other() { client.send(2); } }")).toEqual(["inside", "outside"]);
  });
});

describe("callers in other modules", () => {
  it("python: only from the gate", () => {
    const app = "def save():\n    client.send(1)";
    const api = "from gate import write_gate\nfrom app import save\nwrite_gate(lambda: save())\nwrite_gate(save)";
    expect(python(app, { modules: { api }, importers: { app: ["api"] } })).toEqual(["inside"]);
    expect(python(app, { modules: { api: `${api}\nsave()` }, importers: { app: ["api"] } })).toEqual(["called"]);
  });

  it("typescript: through a re-export", () => {
    const app = "export function save() { client.send(1); }";
    const modules = { "./index": 'export { save } from "app";', api: 'import { writeGate } from "gate";\nimport { save } from "./index";\nexport const go = () => writeGate(() => save());' };
    expect(typescript(app, { modules, importers: { app: ["./index"], "./index": ["api"] } })).toEqual(["inside"]);
    const raw = { ...modules, api: 'import { save } from "./index";\nexport const go = () => save();' };
    expect(typescript(app, { modules: raw, importers: { app: ["./index"], "./index": ["api"] } })).toEqual(["called"]);
  });

  it("a method of a class that is constructed there", () => {
    const app = "class Repository:\n    def save(self, row):\n        client.send(row)";
    const api = "from gate import write_gate\nfrom app import Repository\nrepository = Repository()\ndef go(row):\n    write_gate(lambda: repository.save(row))";
    expect(python(app, { modules: { api }, importers: { app: ["api"] } })).toEqual(["inside"]);
    expect(python(app, { modules: { api: `${api}\n    repository.save(row)` }, importers: { app: ["api"] } })).toEqual(["called"]);
    const typed = "export class Repository { save(row: unknown) { client.send(row); } }";
    const caller = 'import { writeGate } from "gate";\nimport { Repository } from "app";\nexport function go(repository: Repository) { return writeGate(() => repository.save(1)); }';
    expect(typescript(typed, { modules: { api: caller }, importers: { app: ["api"] } })).toEqual(["inside"]);
  });

  it("a method that a base class runs inside of the gate", () => {
    const app = "from base import Task\nclass Refund(Task):\n    def write(self):\n        client.send(1)";
    const base = "from gate import write_gate\nclass Task:\n    def run(self):\n        write_gate(lambda: self.write())";
    expect(python(app, { modules: { base } })).toEqual(["inside"]);
  });

  it("a method of a base class, called on what derives from it in a third module", () => {
    const app = "class Row:\n    def save(self, session):\n        client.send(self)";
    const modules = { rows: "from app import Row\nclass Person(Row):\n    pass", api: "from gate import write_gate\nfrom rows import Person\ndef go(session):\n    with write_gate():\n        Person().save(session)" };
    expect(python(app, { modules, importers: { app: ["rows"], rows: ["api"] } })).toEqual(["inside"]);
  });

  it("cannot be told where too many modules load the one", () => {
    const app = "def save():\n    client.send(1)";
    expect(python(app)).toEqual(["outside"]);
    expect(python(app, { importers: { app: null } })).toEqual(["untold"]);
  });
});

describe("which gate counts", () => {
  const inGate = "write_gate(lambda: client.send(1))";

  it("one of the named module only", () => {
    const gate = (module: string): Gate => ({ ...GATE, module });
    const modules = { "app.gate": "def write_gate(run):\n    return run()" };
    const app = `from app.gate import write_gate\n${inGate}`;
    expect(kindsIn("python", { modules: { app, ...modules }, gates: [gate("app.gate")] })).toEqual(["inside"]);
    expect(kindsIn("python", { modules: { app, ...modules }, gates: [gate("app.other")] })).toEqual(["outside"]);
  });

  it("none that shadows it", () => {
    expect(python(`def go():\n    def write_gate(run):\n        return run()\n    ${inGate}`)).toEqual(["outside"]);
    expect(python(`def go(write_gate):\n    ${inGate}`)).toEqual(["outside"]);
  });

  it("a method of a class", () => {
    const gates: Gate[] = [{ ...GATE, name: "Caller.call" }];
    expect(kindsIn("typescript", { gates, modules: { app: 'import { Caller } from "./caller";\nconst caller = new Caller();\ncaller.call(() => client.send(1));\ncaller.other(() => client.send(2));' } })).toEqual(["inside", "outside"]);
    expect(kindsIn("typescript", { gates, modules: { app: "class A extends Base { go() { return this.caller.call(() => client.send(1)); } }" } })).toEqual(["inside"]);
  });

  it("a class by its methods, its blocks and its calls", () => {
    const gates: Gate[] = [{ ...GATE, name: "WriteGate" }];
    const app = "from gate import WriteGate\ngate = WriteGate()\ngate.run(lambda: client.send(1))\nwith gate:\n    client.send(2)\ngate(lambda: client.send(3))\ngate.client.send(4)";
    expect(kindsIn("python", { gates, modules: { app } })).toEqual(["inside", "inside", "inside", "outside"]);
  });

  it("a client handed out of it is outside", () => {
    expect(python("made = write_gate(lambda: client)\nmade.send(1)")).toEqual(["outside"]);
    expect(typescript("const made = await writeGate(async () => client);\nmade.send(1);")).toEqual(["outside"]);
  });

  it("one under another name", () => {
    expect(kindsIn("typescript", { modules: { app: 'import guard from "./gate";\nguard(() => client.send(1));', "./gate": "export default function writeGate(run: () => void) { return run(); }" } })).toEqual(["inside"]);
  });

  it("a found one by its body", () => {
    const app = "from gate import write_gate\nwrite_gate(lambda: client.send(1))";
    expect(kindsIn("python", { gates: [], modules: { app, gate: "def write_gate(run):\n    return run()" } })).toEqual(["inside"]);
    expect(kindsIn("python", { gates: [], modules: { app, gate: "def write_gate(run):\n    print(run)" } })).toEqual(["outside"]);
  });
});

describe("hostile callers", () => {
  it("callers of each other that nobody calls", () => {
    expect(python("def one():\n    client.send(1)\n    two()\ndef two():\n    one()")).toEqual(["outside"]);
    expect(python("def one():\n    client.send(1)\n    two()\ndef two():\n    one()\nwrite_gate(one)")).toEqual(["inside"]);
  });

  it("chains of 200 and 5,000 functions", () => {
    const chain = (length: number): string => Array.from({ length }, (_, index) => `def f${String(index)}():\n    ${index === 0 ? "client.send(1)" : `f${String(index - 1)}()`}`).join("\n") + `\nwrite_gate(lambda: f${String(length - 1)}())`;
    expect(python(chain(200))).toEqual(["inside"]);
    expect(python(chain(5000))).toEqual(["inside"]);
  });

  it("names of the object prototype", () => {
    expect(python("def __proto__():\n    client.send(1)\nwrite_gate(__proto__)\nwrite_gate(constructor)")).toEqual(["inside"]);
  });
});
