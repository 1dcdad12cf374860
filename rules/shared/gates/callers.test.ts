import { parseEcmascript, parsePython } from "@agentgate/parsers";
import type { ModuleFacts } from "@agentgate/parsers";
import { describe, expect, it } from "vitest";
import type { RuleContext, Tree } from "../../rule.ts";
import { contextOf } from "../testing.ts";
import { containmentsFor } from "./containment.ts";

/** `shop` runs what `orders` and `refunds` write, and `main` runs `shop`. */
const MODULES = {
  python: {
    orders: "from net import client\ndef order():\n    client.send(1)\n",
    refunds: "from net import client\ndef refund():\n    client.send(1)\n",
    shop: "from orders import order\nfrom refunds import refund\ndef go():\n    order()\n    refund()\n",
    main: "from shop import go\nfrom gate import write_gate\nwrite_gate(go)\n",
  },
  typescript: {
    orders: 'import { client } from "net";\nexport function order() { client.send(1); }\n',
    refunds: 'import { client } from "net";\nexport function refund() { client.send(1); }\n',
    shop: 'import { order } from "orders";\nimport { refund } from "refunds";\nexport function go() { order(); refund(); }\n',
    main: 'import { go } from "shop";\nimport { writeGate } from "gate";\nwriteGate(go);\n',
  },
} as const;

const IMPORTERS: Readonly<Record<string, readonly string[]>> = { orders: ["shop"], refunds: ["shop"], shop: ["main"] };

type Language = keyof typeof MODULES;

function treeOf(language: Language): { readonly modules: Readonly<Record<string, ModuleFacts>>; readonly context: RuleContext } {
  const read = (text: string): ModuleFacts => (language === "python" ? parsePython(text) : parseEcmascript(text, { dialect: "typescript" }));
  const modules = Object.fromEntries(Object.entries(MODULES[language]).map(([name, text]) => [name, read(text)]));
  return { modules, context: contextOf({ modules, importers: IMPORTERS, gates: [{ name: language === "python" ? "write_gate" : "writeGate", module: null, scope: "tree", line: 3 }] }) };
}

/** What the first write of a module stands in. */
function kindIn(path: string, modules: Readonly<Record<string, ModuleFacts>>, context: RuleContext): string {
  const facts = modules[path]!;
  return containmentsFor({ path, facts }, { ...context, path }).ofCall(facts.calls.findIndex((call) => facts.values[call.callee]?.kind === "member")).kind;
}

describe.each(["python", "typescript"] as const)("callers in a tree of %s", (language) => {
  it("are looked for once for all modules that they lead to", () => {
    const { modules, context } = treeOf(language);
    const asked: string[] = [];
    const tree: Tree = { ...context.tree, importersOf: (path) => {
      asked.push(path);
      return context.tree.importersOf(path);
    } };
    expect(kindIn("orders", modules, { ...context, tree })).toBe("inside");
    const before = asked.length;
    expect(kindIn("refunds", modules, { ...context, tree })).toBe("inside");
    expect(asked.slice(before).filter((path) => path !== "refunds")).toEqual([]);
  });

  it("are asked for again where a module was not read yet, so that each module that needs it is seen to", () => {
    const { modules, context } = treeOf(language);
    let misses = 0;
    const tree: Tree = { ...context.tree, unanswered: () => misses, facts: (path) => {
      if (path !== "main") return context.tree.facts(path);
      misses++;
      return null;
    } };
    expect(kindIn("orders", modules, { ...context, tree })).toBe("called");
    const before = misses;
    expect(kindIn("refunds", modules, { ...context, tree })).toBe("called");
    expect(misses).toBeGreaterThan(before);
  });

  it("are those of each policy's gates", () => {
    const { modules, context } = treeOf(language);
    expect(kindIn("orders", modules, context)).toBe("inside");
    expect(kindIn("orders", modules, { ...context, gates: [] })).toBe("called");
    expect(kindIn("orders", modules, context)).toBe("inside");
  });
});
