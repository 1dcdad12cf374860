import { parseEcmascript, parsePython } from "@agentgate/parsers";
import type { ModuleFacts } from "@agentgate/parsers";
import { describe, expect, it } from "vitest";
import { noUngatedWrite } from "../../no-ungated-write.ts";
import { contextOf } from "../testing.ts";

type Language = "python" | "typescript";

interface Written {
  readonly app: string;
  readonly others: Readonly<Record<string, string>>;
  readonly importers: Readonly<Record<string, readonly string[] | null>>;
}

/** The clause of each finding that says what runs the write. */
function reasons(language: Language, { app, others, importers }: Written): readonly string[] {
  const read = (text: string): ModuleFacts => (language === "python" ? parsePython(text) : parseEcmascript(text, { dialect: "typescript" }));
  const facts = read(app);
  const modules = { app: facts, ...Object.fromEntries(Object.entries(others).map(([path, text]) => [path, read(text)])) };
  const context = contextOf({ modules, path: "app", gates: [{ name: language === "python" ? "write_gate" : "writeGate", module: null, scope: "tree", line: 3 }] });
  const tree = { ...context.tree, importersOf: (path: string) => (Object.hasOwn(importers, path) ? importers[path]! : []) };
  return noUngatedWrite.check(facts, { ...context, tree }).map(({ message }) => /cannot be told|is called without \w+ in \w+/.exec(message)?.[0] ?? message);
}

const SAVE: Record<Language, string> = {
  python: 'import requests\ndef save():\n    requests.post("https://a.example/orders")\n',
  typescript: 'import axios from "axios";\nexport function save() { axios.post("https://a.example/orders"); }\n',
};

/** A module that runs `save` in the gate, or beside it. */
function caller(language: Language, from: string, isGated: boolean): string {
  if (language === "python") return `from gate import write_gate\nfrom ${from} import save\ndef go():\n    ${isGated ? "write_gate(lambda: save())" : "save()"}\n`;
  return `import { writeGate } from "gate";\nimport { save } from "${from}";\nexport function go() { ${isGated ? "writeGate(() => save());" : "save();"} }\n`;
}

/** `save` with so many modules that run it in the gate; `other` is the last of them. */
function fanOut(language: Language, count: number, other = caller(language, "app", true)): Written {
  const names = Array.from({ length: count }, (_, index) => `m${String(index)}`);
  return { app: SAVE[language], others: Object.fromEntries(names.map((name, index) => [name, index === count - 1 ? other : caller(language, "app", true)])), importers: { app: names } };
}

/** Functions that run each other in a row, the first one in the gate; the last one writes. */
function chain(language: Language, length: number): Written {
  const functions = Array.from({ length: length - 1 }, (_, index) => {
    const next = index === length - 2 ? "save()" : `f${String(index + 1)}()`;
    return language === "python" ? `def f${String(index)}(): ${next}` : `function f${String(index)}() { ${next}; }`;
  });
  const gate = language === "python" ? "from gate import write_gate\nwrite_gate(lambda: f0())" : 'import { writeGate } from "gate";\nwriteGate(() => f0());';
  return { app: `${SAVE[language].replace("export ", "")}${functions.join("\n")}\n${gate}\n`, others: {}, importers: {} };
}

const WAY_ON: Record<Language, readonly [path: string, text: string]> = {
  python: ["pkg/__init__.py", "from app import save\n"],
  typescript: ["pkg", 'export { save } from "app";\n'],
};

describe.each(["python", "typescript"] as const)("callers past a bound, %s", (language) => {
  it("are told of 150 modules, and cannot be told of 300", () => {
    expect(reasons(language, fanOut(language, 150))).toEqual([]);
    expect(reasons(language, fanOut(language, 300))).toEqual(["cannot be told"]);
  });

  it("are no matter where one of those looked at stands outside", () => {
    const written = fanOut(language, 300);
    expect(reasons(language, { ...written, others: { ...written.others, m7: caller(language, "app", false) } })).toEqual([`is called without ${language === "python" ? "write_gate" : "writeGate"} in m7`]);
  });

  it("cannot be told where too many modules load the one, though the gate is handed the function", () => {
    const handed = language === "python" ? "from gate import write_gate\nwrite_gate(save)\n" : 'import { writeGate } from "gate";\nwriteGate(save);\n';
    const written: Written = { app: SAVE[language] + handed, others: {}, importers: { app: [] } };
    expect(reasons(language, written)).toEqual([]);
    expect(reasons(language, { ...written, importers: { app: null } })).toEqual(["cannot be told"]);
    expect(reasons(language, { ...written, app: SAVE[language], importers: { app: null } })).toEqual(["cannot be told"]);
  });

  it("cannot be told where what passes the function on is loaded by too many", () => {
    const [path, text] = WAY_ON[language];
    const others = { m: caller(language, "app", true), [path]: text };
    const importers = { app: ["m", path], [path]: [] };
    expect(reasons(language, { app: SAVE[language], others, importers })).toEqual([]);
    expect(reasons(language, { app: SAVE[language], others, importers: { ...importers, [path]: null } })).toEqual(["cannot be told"]);
    const another = { ...others, [path]: text.replace("save", "load") };
    expect(reasons(language, { app: SAVE[language], others: another, importers: { ...importers, [path]: null } })).toEqual([]);
  });

  it("are told of a private method, though too many modules load what passes its class on", () => {
    const [path] = WAY_ON[language];
    const [app, text] = language === "python"
      ? ['import requests\nfrom gate import write_gate\nclass Orders:\n    def go(self):\n        write_gate(lambda: self._save())\n    def _save(self):\n        requests.post("https://a.example/orders")\n', "from app import Orders\n"]
      : ['import axios from "axios";\nimport { writeGate } from "gate";\nexport class Orders {\n  go() { writeGate(() => this.#save()); }\n  #save() { axios.post("https://a.example/orders"); }\n}\n', 'export { Orders } from "app";\n'];
    const importers = { app: [path], [path]: null };
    expect(reasons(language, { app, others: { [path]: text }, importers })).toEqual([]);
    const open = app.replaceAll(/_save|#save/g, "save");
    expect(reasons(language, { app: open, others: { [path]: text }, importers })).toEqual(["cannot be told"]);
  });

  it("are followed over 20,000 functions, and cannot be told past them", () => {
    expect(reasons(language, chain(language, 200))).toEqual([]);
    // The callback is one of them.
    expect(reasons(language, chain(language, 19_999))).toEqual([]);
    expect(reasons(language, chain(language, 20_000))).toEqual(["cannot be told"]);
  });
});
