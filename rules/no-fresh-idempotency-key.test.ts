import { factsOf } from "@agentgate/parsers/testing";
import type { FactsWriter, Named, Operand } from "@agentgate/parsers/testing";
import { describe, expect, it } from "vitest";
import { noFreshIdempotencyKey } from "./no-fresh-idempotency-key.ts";
import type { RuleFinding } from "./rule.ts";
import { contextOf, lineOf, shortly } from "./shared/testing.ts";
import type { TreeInput } from "./shared/testing.ts";

const LANGUAGES = ["python", "ecmascript"] as const;
type Language = (typeof LANGUAGES)[number];

const isPython = (b: FactsWriter): boolean => b.builder.draft.facts.language === "python";

/** `uuid.uuid4()`, `crypto.randomUUID()`. */
function mint(b: FactsWriter): number {
  return isPython(b) ? b.call(b.member(b.import("uuid"), "uuid4")) : b.call(b.member(b.import("node:crypto", { as: "crypto" }), "randomUUID"));
}

/** A POST with headers. */
function post(b: FactsWriter, headers: Operand): number {
  const url = b.string("https://pay.shop.example/charges");
  if (isPython(b)) return b.call(b.member(b.import("requests"), "post"), [url], { named: { headers } });
  return b.call(b.name("fetch"), [url, b.table({ method: b.string("POST"), headers })]);
}

const keyed = (b: FactsWriter, key: Operand): number => b.table({ "Idempotency-Key": key });

function judge(language: Language, write: (b: FactsWriter) => void, tree: TreeInput = {}): RuleFinding[] {
  return noFreshIdempotencyKey.check(factsOf(language, write), contextOf(tree));
}

/** `while true { try { body(); return } catch {} }` in a function. */
function attempts(b: FactsWriter, body: () => void, before: () => void = () => undefined): void {
  b.function("pay", ["order"], () => {
    before();
    b.while(b.constant(true), () => {
      b.try(() => {
        body();
        b.return(null);
      }, [{ body: () => { b.expression(b.constant(null)); } }]);
    });
  });
}

describe.each(LANGUAGES)("no-fresh-idempotency-key on hand-written facts of %s", (language) => {
  it("reports the minting call of each attempt, and says why and what to do", () => {
    const facts = factsOf(language, (b) => { attempts(b, () => { post(b, keyed(b, mint(b))); }); });
    const [finding, ...rest] = noFreshIdempotencyKey.check(facts, contextOf());
    expect(rest).toEqual([]);
    const [api, write] = language === "python" ? ["uuid.uuid4", "requests.post"] as const : ["crypto.randomUUID", "fetch"] as const;
    expect(finding!.message).toBe(
      `${api} makes a new Idempotency-Key in each attempt of the loop, so ${write} is done twice when only its answer got lost. `
      + "Make the key once before the first attempt, or derive it from what is written.",
    );
    expect(finding).toMatchObject({ severity: "error", capability: "net", api, key: "idempotency-key" });
    expect(finding!.span).toEqual(facts.calls.find((call) => call.references.some((each) => each.path.includes("uuid4") || each.path.includes("randomUUID")))!.nameSpan);
  });

  it("is silent where the key is made before the first attempt", () => {
    let key: Named | null = null;
    expect(judge(language, (b) => { attempts(b, () => { post(b, keyed(b, key!)); }, () => { key = b.let("key", mint(b)); }); })).toEqual([]);
  });

  it("follows the key through names, text and a function of the file", () => {
    expect(judge(language, (b) => {
      const fresh = b.function("fresh", [], () => { b.return(b.template("order-", mint(b))); });
      attempts(b, () => {
        const key = b.let("key", b.call(fresh));
        const headers = b.let("headers", keyed(b, key));
        post(b, headers);
      });
    }).map(shortly)).toEqual([`error net ${language === "python" ? "uuid.uuid4" : "crypto.randomUUID"}`]);
  });

  it("reports a key made inside the write, though no loop is in sight", () => {
    const findings = judge(language, (b) => { b.function("pay", [], () => { post(b, keyed(b, mint(b))); }); });
    expect(findings).toHaveLength(1);
    expect(findings[0]!.message).toContain("so nobody can give the same key again");
  });

  it("is silent where somebody else has the key, too", () => {
    expect(judge(language, (b) => {
      b.function("pay", ["store"], (store) => {
        const key = b.let("key", mint(b));
        b.call(b.member(store, "keep"), [key]);
        post(b, keyed(b, key));
      });
    })).toEqual([]);
  });

  it("lets the caller's key win, but not in an attempt", () => {
    const given = (b: FactsWriter, key: Operand): number => b.logical(key, language === "python" ? "or" : "??", mint(b));
    expect(judge(language, (b) => { b.function("pay", ["key"], (key) => { post(b, keyed(b, given(b, key))); }); })).toEqual([]);
    expect(judge(language, (b) => {
      const key = b.let("key", b.call(b.name("input")));
      attempts(b, () => { post(b, keyed(b, given(b, key))); });
    })).toHaveLength(1);
  });

  it("knows headers that are filled afterwards, and those that have a key already", () => {
    const filled = (asks: boolean): RuleFinding[] => judge(language, (b) => {
      attempts(b, () => {
        const headers = b.let("headers", b.table({}));
        const fill = (): void => { b.set(headers, "Idempotency-Key", mint(b)); };
        if (asks) b.if(b.binary(b.string("Idempotency-Key"), "not in", headers), fill);
        else fill();
        post(b, headers);
      });
    });
    expect(filled(false)).toHaveLength(1);
    expect(filled(true)).toEqual([]);
  });

  it("reports a helper of another module where it is called", () => {
    const helper = factsOf(language, (b) => {
      const signed = b.function("signed", [], () => { b.return(keyed(b, mint(b))); });
      b.export("signed", signed);
    });
    const facts = factsOf(language, (b) => {
      const signed = b.from("./signing", "signed");
      attempts(b, () => { post(b, b.call(signed)); });
    });
    const findings = noFreshIdempotencyKey.check(facts, contextOf({ modules: { "./signing": helper }, definers: { signed: ["./signing"] } }));
    expect(findings.map((finding) => [finding.api, finding.related.at(-1)!.path])).toEqual([["signed", "./signing"]]);
    expect(lineOf(facts, findings[0]!)).toBeGreaterThan(2);
  });

  it("tells importers which of its functions make a key in each call, and which take one", () => {
    const influences = (fresh: boolean): readonly string[] => noFreshIdempotencyKey.influences!(factsOf(language, (b) => {
      const signed = b.function("signed", ["order"], (order) => { b.return(keyed(b, fresh ? mint(b) : order)); });
      b.export("signed", signed);
    }), contextOf()).map((influence) => `${influence.name} ${influence.key}`);
    expect(influences(true)).toEqual(["signed fresh idempotency-key"]);
    expect(influences(false)).toEqual(["signed takes order"]);
  });

  it("leaves ids of messages and names like those of every object alone", () => {
    expect(judge(language, (b) => {
      attempts(b, () => {
        post(b, b.table({ "X-Request-Id": mint(b), "__proto__": mint(b), "constructor": mint(b) }));
      });
    })).toEqual([]);
  });

  it("stays quick on five thousand tables and a chain of two hundred functions", () => {
    const facts = factsOf(language, (b) => {
      let last: Operand = b.name("start");
      for (let level = 0; level < 200; level++) {
        const inner: Operand = last;
        last = b.function(`step${String(level)}`, [], () => { b.return(b.call(inner)); });
      }
      const entries = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`idempotency_key`.concat(index === 0 ? "" : `_${String(index)}`), b.number(index)]));
      b.let("table", b.table(entries));
      attempts(b, () => { post(b, keyed(b, b.call(last))); });
    });
    expect(noFreshIdempotencyKey.check(facts, contextOf())).toEqual([]);
  });
});
