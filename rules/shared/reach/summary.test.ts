import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { factsOf } from "@agentgate/parsers/testing";
import type { ModuleFacts } from "@agentgate/parsers";
import asked from "./asked.json" with { type: "json" };
import { reachSummaryOf } from "./summary.ts";
import type { ReachEdge, ReachSummary } from "./summary.ts";

/** What a function may run, in one line each: `call ./http.post`, `pass function 2`. */
function edgesOf(summary: ReachSummary, id: number): string[] {
  const shown = ({ to: [kind, number], how, member }: ReachEdge): string => {
    const reference = kind === "reference" ? summary.references[number] : undefined;
    const target = reference === undefined ? `${kind} ${number}` : [reference.module, ...reference.path].join(".");
    return `${how} ${target}${member === undefined ? "" : ` ${member}`}`;
  };
  return summary.functions[id]!.edges.map(shown);
}

function summaryOf(language: ModuleFacts["language"], write: Parameters<typeof factsOf>[1]): ReachSummary {
  return reachSummaryOf(factsOf(language, write));
}

describe("reachSummaryOf", () => {
  it("tells what each function calls, out of the file and in it", () => {
    const summary = summaryOf("python", (b) => {
      const http = b.from(".http", "post");
      const inner = b.function("inner", [], () => { b.call(http, []); });
      b.function("outer", [], () => { b.call(inner, []); });
    });
    expect(summary.functions.map(({ name }) => name)).toEqual(["<module>", "inner", "outer"]);
    expect(edgesOf(summary, 1)).toEqual(["call .http.post"]);
    expect(edgesOf(summary, 2)).toEqual(["call function 1"]);
    expect(edgesOf(summary, 0)).toEqual([]);
  });

  it("is the same after JSON, and holds neither its path nor capabilities", () => {
    const summary = summaryOf("ecmascript", (b) => {
      const send = b.from("./http", "send");
      b.call(send, [b.string("x")]);
      b.export("__proto__", send);
    });
    expect(JSON.parse(JSON.stringify(summary))).toEqual(summary);
    expect(summary.exports.map(([name]) => name)).toContain("__proto__");
    expect(JSON.stringify(summary)).not.toMatch(/"(?:net|capabilities)"/);
  });

  it("keeps of arguments what the catalogue asks about, and asks about all that the catalogue has", () => {
    const summary = summaryOf("python", (b) => {
      b.call(b.name("open"), [b.string("p"), b.string("w")]);
      b.call(b.name("print"), [b.string("p"), b.string("w")]);
    });
    expect(summary.functions[0]!.edges.map((edge) => edge.arguments?.placed.map(({ constants }) => constants))).toContainEqual([["p"], ["w"]]);
    const { members, names, last } = askedInCatalogue();
    expect(asked.members).toEqual(members);
    expect(names.filter((name) => !asked.names.includes(name))).toEqual([]);
    expect(last).toBeLessThan(2);
  });
});

/** Members and keyword names that rules on arguments in the catalogue's data ask for, those about code left out. */
function askedInCatalogue(): { readonly members: string[]; readonly names: string[]; readonly last: number } {
  const folder = fileURLToPath(new URL("../../catalogue/data", import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
  const rules = files.flatMap((file) => {
    const { entries = {} } = JSON.parse(readFileSync(path.join(folder, file), "utf8")) as { entries?: Record<string, { arguments?: Record<string, { rule: string; index?: number; name?: string }> }> };
    return Object.values(entries).flatMap((entry) => Object.entries(entry.arguments ?? {}));
  }).filter(([, { rule }]) => !["worker", "loader", "element", "text", "safe-loader"].includes(rule));
  const members = rules.map(([name]) => name.split(".").filter((part) => part !== "" && part !== "*").at(-1)!);
  return { members: [...new Set(members)].sort(), names: rules.flatMap(([, { name }]) => name ?? []), last: Math.max(...rules.map(([, { index }]) => index ?? 0)) };
}
