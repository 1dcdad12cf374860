import { factsOf } from "@agentgate/parsers/testing";
import type { FactsWriter, Operand } from "@agentgate/parsers/testing";
import { describe, expect, it } from "vitest";
import { listedTexts } from "./listed.ts";

/** The texts of the last argument of the last call that `write` makes. */
function textsIn(language: "python" | "ecmascript", write: (b: FactsWriter, load: (value: Operand) => void) => void): readonly string[] | null {
  const facts = factsOf(language, (b) => { write(b, (value) => { b.call(b.name("load"), [value]); }); });
  return listedTexts(facts, facts.calls.at(-1)!.arguments[0]!.value);
}

describe.each(["python", "ecmascript"] as const)("listedTexts in %s", (language) => {
  it("gives the values of a table, not its keys", () => {
    expect(textsIn(language, (b, load) => {
      const table = b.let("TABLE", b.table({ json: b.string("./a"), csv: b.string("./b") }));
      b.function("pick", ["kind"], (kind) => load(b.subscript(table, kind)));
    })).toEqual(["./a", "./b"]);
  });

  it("gives the items of a list that a loop runs over", () => {
    expect(textsIn(language, (b, load) => {
      const names = b.let("NAMES", b.list(b.string("x"), b.string("y")));
      b.forEach("name", names, (name) => load(name));
    })).toEqual(["x", "y"]);
  });

  it("is null for a list that is filled at run time, and for a parameter", () => {
    expect(textsIn(language, (b, load) => {
      const names = b.let("NAMES", b.list(b.string("x")));
      b.function("add", ["more"], (more) => { b.call(b.member(names, language === "python" ? "append" : "push"), [more]); });
      b.forEach("name", names, (name) => load(name));
    })).toBeNull();
    expect(textsIn(language, (b, load) => { b.function("pick", ["name"], (name) => load(name)); })).toBeNull();
  });

  it("survives a table that holds itself", () => {
    expect(textsIn(language, (b, load) => {
      const table = b.let("TABLE", b.table({ a: b.name("TABLE") }));
      b.function("pick", ["kind"], (kind) => load(b.subscript(table, kind)));
    })).toSatisfy((texts: unknown) => texts === null || Array.isArray(texts));
  });
});
