import { factsOf } from "@agentgate/parsers/testing";
import type { FactsWriter, Named, Operand } from "@agentgate/parsers/testing";
import { describe, expect, it } from "vitest";
import { noUnboundedLoop } from "./no-unbounded-loop.ts";
import type { RuleFinding } from "./rule.ts";
import { contextOf } from "./shared/testing.ts";

const LANGUAGES = ["python", "ecmascript"] as const;

/** A function with a POST in it and a loop around: `body` writes what else a round does. */
function judge(language: (typeof LANGUAGES)[number], write: (b: FactsWriter, post: () => Operand) => void): RuleFinding[] {
  const facts = factsOf(language, (b) => {
    const client: Named = language === "python" ? b.import("httpx") : b.from("axios", "default", { as: "axios" });
    write(b, () => b.call(b.member(client, "post"), [b.string("https://ledger.example/entries")]));
  });
  return noUnboundedLoop.check(facts, contextOf());
}

describe.each(LANGUAGES)("no-unbounded-loop on hand-written facts of %s", (language) => {
  it("reports a loop without end around a write, at its keyword", () => {
    const [finding, ...rest] = judge(language, (b, post) => { b.while(b.constant(true), () => { b.expression(post()); }); });
    expect(rest).toEqual([]);
    expect(finding).toMatchObject({ severity: "error", capability: "net" });
    expect(finding!.message).toContain("with no bound");
  });

  it("is silent where a counter is advanced and compared on every way round", () => {
    expect(judge(language, (b, post) => {
      const attempts = b.let("attempts", b.number(0));
      b.while(b.constant(true), () => {
        b.expression(post());
        b.augment(attempts, "+=", b.number(1));
        b.if(b.binary(attempts, ">", b.number(3)), () => { b.jump("raise"); });
      });
    })).toEqual([]);
  });
});
