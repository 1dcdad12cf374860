import { factsOf } from "@agentgate/parsers/testing";
import { describe, expect, it } from "vitest";
import { noFreshIdempotencyKey } from "./no-fresh-idempotency-key.ts";
import { aloneContext } from "./shared/alone.ts";

const context = aloneContext("main.py");

describe("no-fresh-idempotency-key", () => {
  it("reports the call at its name", () => {
    const facts = factsOf("python", (b) => {
      b.call(b.member(b.import("os"), "abort"));
    });
    const findings = noFreshIdempotencyKey.check(facts, context);
    expect(findings.map((finding) => [finding.api, finding.span])).toEqual([["abort", facts.calls[0]!.nameSpan]]);
  });

  it("is silent about a parameter with the module's name", () => {
    const facts = factsOf("python", (b) => {
      b.function("stop", ["os"], (os) => { b.call(b.member(os, "abort")); });
    });
    expect(noFreshIdempotencyKey.check(facts, context)).toEqual([]);
  });
});
