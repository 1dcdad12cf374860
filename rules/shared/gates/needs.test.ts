import { parseEcmascript, parsePython } from "@agentgate/parsers";
import { describe, expect, it } from "vitest";
import type { Gate } from "../../rule.ts";
import { contextOf } from "../testing.ts";
import { containmentsFor } from "./containment.ts";

const gate = (name: string): Gate => ({ name, module: null, scope: "tree", line: 3 });

/** What the call of `client.send` stands in, with the line of the call that tells it. */
function toldOf(language: "python" | "typescript", text: string): string {
  const facts = language === "python" ? parsePython(text) : parseEcmascript(text, { dialect: "typescript" });
  const context = contextOf({ modules: { app: facts }, path: "app", gates: [gate(language === "python" ? "write_gate" : "writeGate")] });
  const containments = containmentsFor({ path: "app", facts }, context);
  const call = facts.calls.findIndex((each) => { const callee = facts.values[each.callee]; return callee?.kind === "member" && callee.property === "send"; });
  const told = containments.ofWrite({ call, capability: "db.write" });
  return told.kind === "called" ? `called on line ${String(text.slice(0, told.place.span[0]).split("\n").length)}` : told.kind;
}

describe("Python", () => {
  it.each<[string, string, string]>([
    ["a flag that is off", "def _f(on):\n    if on:\n        client.send(1)\ndef g():\n    _f(False)", "inside"],
    ["the caller by which it happens", "def _f(on):\n    if on:\n        client.send(1)\ndef g():\n    _f(False)\n    _f(True)", "called on line 6"],
    ["a flag that nobody sets", "def _f(x, on=False):\n    if x and on:\n        client.send(1)\n_f(1)", "inside"],
    ["the same of a function that others may call", "def f(x, on=False):\n    if on:\n        client.send(1)\nf(1)", "outside"],
    ["a keyword of its own", "def _f(*, on=True):\n    if not on:\n        return\n    client.send(1)\n_f(on=False)\n_f()", "called on line 6"],
    ["a comparison", "def _f(mode):\n    if mode == 'write':\n        client.send(1)\n_f('read')", "inside"],
    ["a comparison with none", "def _f(to=None):\n    if to is None:\n        return 1\n    client.send(to)\n_f()", "inside"],
    ["a method", "class A:\n    def _f(self, on):\n        if on:\n            client.send(1)\n    def g(self):\n        self._f(False)", "inside"],
    ["a value that is not known", "def _f(on):\n    if on:\n        client.send(1)\ndef g(on):\n    _f(on)", "called on line 5"],
    ["what a star may hold", "def _f(on=False):\n    if on:\n        client.send(1)\n_f(*given)", "called on line 4"],
    ["one of two that are needed", "def _f(on, off):\n    if on or off:\n        client.send(1)\n_f(False, True)", "called on line 4"],
    ["a flag that is set anew", "def _f(on):\n    on = on or read()\n    if on:\n        client.send(1)\n_f(False)", "called on line 5"],
    ["the nearest call that no gate leads to", "def _f():\n    client.send(1)\ndef g(text):\n    if not text:\n        _f()\ndef h():\n    g('now')", "called on line 5"],
    ["the call past a gate that runs what is nearer", "from gate import write_gate\ndef _f():\n    client.send(1)\ndef g():\n    _f()\ndef h():\n    g()\nwrite_gate(g)", "called on line 7"],
    ["what runs other callbacks too", "def each(run):\n    run()\ndef g():\n    def save():\n        client.send(1)\n    each(save)\ndef h():\n    each(print)\ndef k():\n    g()", "called on line 10"],
    ["a caller that says nothing written out", "def _f(text):\n    if is_write(text):\n        client.send(text)\ndef g():\n    _f('list')\ndef h(text):\n    _f(text)", "called on line 7"],
    ["only callers that may decide", "def _f(text):\n    if is_write(text):\n        client.send(text)\ndef g():\n    _f('list')", "outside"],
    ["a query, and a statement that is handed over", "def f(text):\n    client.send(text)\ndef g():\n    query = 'SELECT * FROM users'\n    f(query)\ndef h(statement):\n    f(statement)", "called on line 7"],
    ["a caller that reads by its name", "def f(path):\n    client.send(path)\ndef get_page(path):\n    f(path)\ndef close(path):\n    f(path)", "called on line 6"],
    ["a gate by which it happens", "from gate import write_gate\ndef _f(on):\n    if on:\n        client.send(1)\n_f(False)\nwrite_gate(lambda: _f(True))", "inside"],
  ])("%s", (_name, text, told) => {
    expect(toldOf("python", text)).toBe(told);
  });
});

describe("TypeScript", () => {
  it.each<[string, string, string]>([
    ["an option that is off", "function f(options) {\n  if (options.create) client.send(1);\n}\nf({ create: false });", "inside"],
    ["an option that is left out", "function f({ create = false }) {\n  if (create) client.send(1);\n}\nf({ deep: true });", "inside"],
    ["an option that is on by itself", "function f({ create = true } = {}) {\n  if (create) client.send(1);\n}\nf();", "called on line 4"],
    ["the caller by which it happens", "function f(options) {\n  if (options.create) client.send(1);\n}\nf({ create: false });\nf({ create: true });", "called on line 5"],
    ["options that are spread", "function f(options) {\n  if (options.create) client.send(1);\n}\nf({ create: false, ...given });", "called on line 4"],
    ["a flag that nobody sets", "class A {\n  #f(force, on = false) {\n    const really = on;\n    if (really) client.send(1);\n  }\n  g() { this.#f(true); }\n}", "inside"],
    ["the same of a function that others may call", "export function f(on = false) {\n  if (on) client.send(1);\n}\nf();", "outside"],
    ["nothing where something is needed", "function f(body) {\n  if (!body) return;\n  client.send(body);\n}\nf();\nf(undefined);", "inside"],
    ["a verb that reads", "function f(method, path) {\n  client.send(path, { method });\n}\nf('GET', '/a');\nf('DELETE', '/a');", "called on line 5"],
    ["a comparison", "function f(mode) {\n  if (mode !== 'dry') client.send(1);\n}\nf('dry');", "inside"],
    ["the other branch", "function f(dry) {\n  if (dry) note();\n  else client.send(1);\n}\nf(true);", "inside"],
    ["the nearest call that no gate leads to", "function f() {\n  client.send(1);\n}\nfunction g(text) {\n  if (!text) f();\n}\nfunction h() {\n  g('now');\n}", "called on line 5"],
    ["the call past a gate that runs what is nearer", "import { writeGate } from 'gate';\nfunction f() {\n  client.send(1);\n}\nconst g = () => f();\nfunction h() {\n  g();\n}\nwriteGate(g);", "called on line 7"],
    ["what runs other callbacks too", "async function each(run) {\n  await run();\n}\nasync function g() {\n  await each(async () => {\n    await client.send(1);\n  });\n}\nfunction h() {\n  each(async () => null);\n}\nfunction k() {\n  g();\n}", "called on line 13"],
    ["a caller that says nothing written out", "function f(text) {\n  if (!isWrite(text)) return;\n  client.send(text);\n}\nfunction g() {\n  f('list');\n}\nfunction h(text) {\n  f(text);\n}", "called on line 9"],
    ["only callers that may decide", "function f(text, options) {\n  if (isWrite(text, options)) client.send(text);\n}\nfunction g(text) {\n  f(text, { mode: 'list' });\n}", "outside"],
    ["a query, and a statement that is handed over", "function f(text) {\n  client.send(text);\n}\nfunction g() {\n  f('SELECT * FROM users');\n}\nfunction h(statement) {\n  f(statement);\n}", "called on line 8"],
    ["a caller that reads by its name", "function f(path) {\n  client.send(path);\n}\nconst api = {\n  getPage(path) { return f(path); },\n  close(path) { return f(path); },\n};", "called on line 6"],
    ["a function that is handed on", "function f(on) {\n  if (on) client.send(1);\n}\nf(false);\neach(f);", "outside"],
  ])("%s", (_name, text, told) => {
    expect(toldOf("typescript", text)).toBe(told);
  });
});
