import { factsOf } from "@agentgate/parsers/testing";
import type { FactsWriter, Named, Operand } from "@agentgate/parsers/testing";
import { describe, expect, it } from "vitest";
import { noUnboundedLoop } from "./no-unbounded-loop.ts";
import type { RuleFinding } from "./rule.ts";
import { contextOf } from "./shared/testing.ts";

const LANGUAGES = ["python", "ecmascript"] as const;

type Post = () => Operand;

/** Judges what `write` makes of a client whose POST it may call. */
function judge(language: (typeof LANGUAGES)[number], write: (b: FactsWriter, post: Post) => void): RuleFinding[] {
  const facts = factsOf(language, (b) => {
    const client: Named = language === "python" ? b.import("httpx") : b.from("axios", "default", { as: "axios" });
    write(b, () => b.call(b.member(client, "post"), [b.string("https://ledger.example/entries")]));
  });
  return noUnboundedLoop.check(facts, contextOf());
}

describe.each(LANGUAGES)("no-unbounded-loop on hand-written facts of %s", (language) => {
  it("reports a loop without end around a write, at its keyword, and says what was looked for", () => {
    const [finding, ...rest] = judge(language, (b, post) => { b.while(b.constant(true), () => { b.expression(post()); }); });
    expect(rest).toEqual([]);
    expect(finding).toMatchObject({ severity: "error", capability: "net" });
    const api = language === "python" ? "httpx.post" : "axios.post";
    expect(finding!.message).toBe(
      `This loop repeats ${api} with no bound: a counter compared to a limit, a deadline, or a check that raises was looked for and not found. `
      + "Nothing ends it but the answer. Count the rounds and leave past a limit.",
    );
    expect(finding!.key).toBe(`${language === "python" ? "httpx" : "axios"} none`);
  });

  /** `attempts = 0; while True: post(); <round>`. */
  const counted = (round: (b: FactsWriter, attempts: Named, post: Post) => void): RuleFinding[] => judge(language, (b, post) => {
    const attempts = b.let("attempts", b.number(0));
    b.while(b.constant(true), () => { round(b, attempts, post); });
  });

  it("is silent where a counter is advanced and compared on every way round", () => {
    expect(counted((b, attempts, post) => {
      b.expression(post());
      b.augment(attempts, "+=", b.number(1));
      b.if(b.binary(attempts, ">", b.number(3)), () => { b.jump("raise"); });
    })).toEqual([]);
  });

  it("names the continue that goes round without advancing", () => {
    const [finding] = counted((b, attempts, post) => {
      b.if(b.binary(post(), "==", b.number(429)), () => { b.jump("continue"); });
      b.augment(attempts, "+=", b.number(1));
      b.if(b.binary(attempts, ">", b.number(3)), () => { b.jump("raise"); });
    });
    expect(finding!.message).toContain("its bound on attempts does not hold on every way round. The continue on line 7 goes round without advancing it.");
    expect(finding!.related.map(({ message }) => message)).toContain("the way round that nothing bounds");
  });

  it("says of a handler that it swallows what may have been carried out", () => {
    const [finding] = counted((b, attempts, post) => {
      b.try(() => {
        b.expression(post());
        b.augment(attempts, "+=", b.number(1));
      }, [{ body: () => { b.expression(b.string("again")); } }]);
      b.if(b.binary(attempts, ">", b.number(3)), () => { b.jump("raise"); });
    });
    expect(finding!.message).toContain("swallows the error and goes on, so what had been carried out before the error is done twice.");
  });

  it("takes a test whose branch does not leave for none", () => {
    expect(counted((b, attempts, post) => {
      b.expression(post());
      b.augment(attempts, "+=", b.number(1));
      b.if(b.binary(attempts, ">", b.number(3)), () => { b.expression(b.string("many")); });
    })).toHaveLength(1);
  });

  it("takes a counter that is set back for none", () => {
    expect(judge(language, (b, post) => {
      b.while(b.constant(true), () => {
        const attempts = b.let("attempts", b.number(0));
        b.expression(post());
        b.augment(attempts, "+=", b.number(1));
        b.if(b.binary(attempts, ">", b.number(3)), () => { b.jump("raise"); });
      });
    })).toHaveLength(1);
  });

  it("is silent where the effect stands on no way round", () => {
    expect(judge(language, (b, post) => {
      b.function("wait", ["ready"], (ready) => {
        b.while(b.constant(true), () => {
          b.if(ready, () => {
            b.expression(post());
            b.jump("break");
          });
        });
      });
    })).toEqual([]);
  });

  it("follows a bound to the default of the parameter that it comes from", () => {
    const limited = (given: (b: FactsWriter) => Operand): RuleFinding[] => judge(language, (b, post) => {
      b.function("run", [{ name: "limit", default: given(b) }], (limit) => {
        const attempts = b.let("attempts", b.number(0));
        b.while(b.constant(true), () => {
          b.if(b.logical(b.binary(limit, "is not", b.constant(null)), "and", b.binary(attempts, ">=", limit)), () => { b.return(null); });
          b.expression(post());
          b.augment(attempts, "+=", b.number(1));
        });
      });
    });
    expect(limited((b) => b.number(5))).toEqual([]);
    expect(limited((b) => b.constant(null)).map(({ message }) => message.split(". ")[0])).toEqual([expect.stringContaining("its bound limit is off unless somebody sets it")]);
  });

  it("reports a function that calls itself again, and not one that carries its depth", () => {
    const recursive = (carriesDepth: boolean): RuleFinding[] => judge(language, (b, post) => {
      b.function("save", ["depth"], (depth) => {
        if (carriesDepth) b.if(b.binary(depth, ">", b.number(3)), () => { b.return(null); });
        b.expression(post());
        b.expression(b.call(b.name("save"), [carriesDepth ? b.binary(depth, "+", b.number(1)) : depth]));
      });
    });
    expect(recursive(true)).toEqual([]);
    expect(recursive(false).map(({ message }) => message)).toEqual([expect.stringMatching(/^save, which calls itself, repeats /)]);
  });

  it("says of a handler that calls the function again what it does after that", () => {
    const handled = (raises: boolean): string => judge(language, (b, post) => {
      b.function("save", [], () => {
        b.try(() => { b.expression(post()); }, [{ body: () => {
          b.expression(b.call(b.name("save"), []));
          if (raises) b.jump("raise");
        } }]);
      });
    })[0]!.message;
    expect(handled(true)).toContain("calls save again and raises an error after that, so what had been carried out before the error is done twice.");
    expect(handled(false)).toContain("calls save again, so what had been carried out before the error is done twice.");
  });

  it("names the call that comes back past the bound, and no bound where no test that leaves asks for the number", () => {
    const counted = (leaves: boolean): string => judge(language, (b, post) => {
      b.function("save", ["tries"], (tries) => {
        const answer = b.let("answer", post());
        b.if(b.binary(answer, "==", b.string("busy")), () => { b.return(b.call(b.name("save"), [tries])); });
        b.if(b.binary(tries, ">", b.number(3)), () => { if (leaves) b.return(null); });
        b.return(b.call(b.name("save"), [b.binary(tries, "+", b.number(1))]));
      });
    })[0]!.message;
    expect(counted(true)).toMatch(/its bound on tries does not hold on every way round\. The call on line \d+ goes round without advancing it\./);
    expect(counted(false)).toContain("with no bound: ");
  });

  it("calls no list a bound that is only asked for whether it is empty", () => {
    const [finding] = judge(language, (b, post) => {
      const rows = b.let("rows", b.list());
      b.while(b.constant(true), () => {
        b.try(() => { b.augment(rows, "+=", b.list(post())); }, [{ body: () => { b.jump("continue"); } }]);
        const size = language === "python" ? b.call(b.name("len"), [rows]) : b.member(rows, "length");
        b.if(b.binary(size, "==", b.number(0)), () => { b.jump("break"); });
      });
    });
    expect(finding?.message).toContain("with no bound: ");
  });

  it("tells the side of a helper that its argument or the default chooses", () => {
    const told = (given: (b: FactsWriter) => Operand[]): (string | null | undefined)[] => judge(language, (b, post) => {
      b.function("ask", [{ name: "method", default: b.string("GET") }], (method) => {
        b.if(b.binary(method, "==", b.string("POST")), () => { b.return(post()); });
        const client: Named = language === "python" ? b.import("httpx") : b.from("axios", "default", { as: "axios" });
        b.return(b.call(b.member(client, "get"), [b.string("https://ledger.example/entries")]));
      });
      b.while(b.constant(true), () => {
        const cursor = b.let("cursor", b.call(b.name("ask"), given(b)));
        b.if(b.binary(cursor, "==", b.string("done")), () => { b.jump("break"); });
        b.expression(b.call(b.name(language === "python" ? "sleep" : "pause"), [b.number(1)]));
      });
    }).map(({ api }) => api);
    const root = language === "python" ? "httpx" : "axios";
    expect(told(() => [])).toEqual([`${root}.get`]);
    expect(told((b) => [b.string("POST")])).toEqual([`${root}.post`]);
  });

  it("tells importers what a function repeats and counts, by nothing but what matters to them", () => {
    const keysOf = (before: number): string[] => {
      const facts = factsOf(language, (b) => {
        for (let count = 0; count < before; count++) b.let(`unused${String(count)}`, b.number(count));
        const client: Named = language === "python" ? b.import("httpx") : b.from("axios", "default", { as: "axios" });
        b.function("step", [], () => { b.expression(b.call(b.member(client, "post"), [b.string("https://ledger.example")])); });
      });
      return noUnboundedLoop.influences!(facts, contextOf()).map(({ key }) => key);
    };
    expect(keysOf(0)).toHaveLength(1);
    expect(keysOf(3)).toEqual(keysOf(0));
  });

  it("judges thousands of loops, and loops in loops, without running out", () => {
    const many = judge(language, (b, post) => { for (let count = 0; count < 5000; count++) b.while(b.constant(true), () => { b.expression(post()); }); });
    expect(many).toHaveLength(5000);
    const deep = judge(language, (b, post) => {
      const nest = (left: number): void => { b.while(b.constant(true), () => { if (left === 0) b.expression(post()); else nest(left - 1); }); };
      nest(200);
    });
    // Seen from far outside, what lies more than sixty levels deeper is not looked at.
    expect(deep.length).toBeGreaterThan(0);
    expect(deep.length).toBeLessThanOrEqual(201);
  });
});
