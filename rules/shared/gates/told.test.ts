import { parseEcmascript, parsePython } from "@agentgate/parsers";
import { expect, it } from "vitest";
import { noUngatedWrite } from "../../no-ungated-write.ts";
import { contextOf } from "../testing.ts";

/** What the message says of the call outside of the gate. */
function saidOf(language: "python" | "typescript", text: string): string {
  const head = language === "python" ? "import requests\nfrom gate import write_gate\n" : 'import axios from "axios";\nimport { writeGate } from "gate";\n';
  const facts = language === "python" ? parsePython(head + text) : parseEcmascript(head + text, { dialect: "typescript" });
  const gates = [{ name: language === "python" ? "write_gate" : "writeGate", module: null, scope: "tree" as const, line: 3 }];
  const [finding] = noUngatedWrite.check(facts, contextOf({ path: "app", modules: { app: facts }, gates }));
  const said = /send, which makes it, is called without|send is also called outside|go is also called outside|Nothing checks/.exec(finding?.message ?? "")?.[0] ?? "";
  expect(finding?.related).toHaveLength(said.startsWith("Nothing") ? 0 : 1);
  return said;
}

const SURE = "send, which makes it, is called without";
const ALSO = "send is also called outside";
const NONE = "Nothing checks";

it.each<[string, string, string]>([
  ["comes to the write on every way", "def send(x):\n    requests.post('https://x.example', x)\ndef go():\n    send(1)", SURE],
  ["may be kept from it by what it hands over", "def send(x, dry=True):\n    if not x.ready:\n        return\n    requests.post('https://x.example', x)\ndef go():\n    send(1)", NONE],
  ["may be kept from it, beside a gate that comes to it too", "def send(x):\n    if x.ready:\n        requests.post('https://x.example', x)\nwrite_gate(send)\ndef go():\n    send(1)", ALSO],
  ["comes to a loop that may be empty", "def send(xs):\n    for x in xs:\n        requests.post('https://x.example', x)\ndef go():\n    send([])", NONE],
  ["comes to what is worked out only where something holds", "def send(x):\n    return x and requests.post('https://x.example', x)\ndef go():\n    send(1)", NONE],
  ["may mean the method of a class below", "class Store:\n    def send(self, x):\n        requests.post('https://x.example', x)\nclass Far(Store):\n    def send(self, x):\n        return x\ndef go(store: Store):\n    store.send(1)", NONE],
  ["only sees to it that the write is a handler's", "def go(app):\n    @app.post('/x')\n    def send(x):\n        requests.post('https://x.example', x)\ndef main(app):\n    go(app)", NONE],
])("python: a call outside of the gate %s", (_, text, said) => {
  expect(saidOf("python", text)).toBe(said);
});

it.each<[string, string, string]>([
  ["comes to the write on every way", "function send(x) { axios.post('https://x.example', x); }\nfunction go() { send(1); }", SURE],
  ["may be kept from it by what it hands over", "function send(x, dry = true) { if (!x.ready) return; axios.post('https://x.example', x); }\nfunction go() { send(1); }", NONE],
  ["may be kept from it, beside a gate that comes to it too", "function send(x) { if (x.ready) axios.post('https://x.example', x); }\nwriteGate(send);\nfunction go() { send(1); }", ALSO],
  ["comes to a loop that may be empty", "function send(xs) { for (const x of xs) axios.post('https://x.example', x); }\nfunction go() { send([]); }", NONE],
  ["comes to what is worked out only where something holds", "function send(x) { return x && axios.post('https://x.example', x); }\nfunction go() { send(1); }", NONE],
  ["may mean the method of a class below", "class Store { send(x) { axios.post('https://x.example', x); } }\nclass Far extends Store { send(x) { return x; } }\nfunction go(store: Store) { store.send(1); }", NONE],
  ["only sees to it that the write is a handler's", "function go(app) { app.post('/x', async (x) => { await axios.post('https://x.example', x); }); }\nfunction main(app) { go(app); }", NONE],
])("typescript: a call outside of the gate %s", (_, text, said) => {
  expect(saidOf("typescript", text)).toBe(said);
});
