import { describe, expect, it } from "vitest";
import { factsOf } from "./testing.ts";

describe("facts written by hand", () => {
  it("puts each statement on its own line, with its calls before it", () => {
    const facts = factsOf("python", (b) => {
      const httpx = b.import("httpx");
      b.function("send", ["url"], (url) => {
        b.return(b.call(b.member(httpx, "post"), [url]));
      });
    });
    expect(facts.imports.map((entry) => entry.specifier)).toEqual(["httpx"]);
    expect(facts.functions[1]?.body.map((statement) => statement.kind)).toEqual(["call", "return"]);
    expect(facts.statements.length).toBe(5);
  });

  it("reads parameters, attributes and later values by name", () => {
    const facts = factsOf("ecmascript", (b) => {
      const axios = b.from("axios", "default", { as: "axios" });
      b.class("Client", [], () => {
        b.method("constructor", ["http"], (self, http) => { b.set(self, "http", http); });
      });
      b.let("client", axios);
      b.call(b.name("client"));
    });
    expect(facts.classes[0]?.attributes["http"]).toHaveLength(1);
    expect(facts.calls).toHaveLength(1);
    expect(JSON.parse(JSON.stringify(facts))).toEqual(JSON.parse(JSON.stringify(facts)));
  });
});
