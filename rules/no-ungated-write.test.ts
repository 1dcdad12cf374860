import { factsOf } from "@agentgate/parsers/testing";
import { describe, expect, it } from "vitest";
import { noUngatedWrite } from "./no-ungated-write.ts";
import { aloneContext } from "./shared/alone.ts";

const context = aloneContext("main.py");

describe("no-ungated-write", () => {
  it("reports the call at its name", () => {
    const facts = factsOf("python", (b) => {
      b.call(b.member(b.import("os"), "abort"));
    });
    const findings = noUngatedWrite.check(facts, context);
    expect(findings.map((finding) => [finding.api, finding.span])).toEqual([["abort", facts.calls[0]!.nameSpan]]);
  });

  it("is silent about a parameter with the module's name", () => {
    const facts = factsOf("python", (b) => {
      b.function("stop", ["os"], (os) => { b.call(b.member(os, "abort")); });
    });
    expect(noUngatedWrite.check(facts, context)).toEqual([]);
  });
});
