import { factsOf } from "@agentgate/parsers/testing";
import type { FactsWriter, Named, Operand } from "@agentgate/parsers/testing";
import { describe, expect, it } from "vitest";
import { noFallbackEndpoint } from "./no-fallback-endpoint.ts";
import type { RuleFinding } from "./rule.ts";
import { bareHostOf, denialOf, distinctiveLabels, hostOf } from "./shared/fallback/hosts.ts";
import { isForDevelopment, targetKind } from "./shared/fallback/words.ts";
import { contextOf } from "./shared/testing.ts";
import type { TreeInput } from "./shared/testing.ts";

const LANGUAGES = ["python", "ecmascript"] as const;
type Language = (typeof LANGUAGES)[number];

const isPython = (b: FactsWriter): boolean => b.builder.draft.facts.language === "python";

/** `requests.get(url)`, `fetch(url)`. */
function get(b: FactsWriter, url: Operand): number {
  return isPython(b) ? b.call(b.member(b.import("requests"), "get"), [url]) : b.call(b.name("fetch"), [url]);
}

/** A model is asked; `messages` is what it is given. */
function ask(b: FactsWriter, model: Operand, messages: Operand): number {
  const client = b.from("openai", isPython(b) ? "OpenAI" : "default", { as: "OpenAI" });
  const callee = b.member(b.call(client), "chat", "completions", "create");
  return isPython(b) ? b.call(callee, [], { named: { model, messages } }) : b.call(callee, [b.table({ model, messages })]);
}

const environment = (b: FactsWriter, key: string): number =>
  (isPython(b) ? b.call(b.member(b.import("os"), "getenv"), [b.string(key)]) : b.member(b.name("process"), "env", key));

const orElse = (b: FactsWriter, left: Operand, right: Operand): number => b.logical(left, isPython(b) ? "or" : "??", right);

function judge(language: Language, write: (b: FactsWriter) => void, tree: TreeInput = {}): RuleFinding[] {
  return noFallbackEndpoint.check(factsOf(language, write), contextOf(tree));
}

const shortly = ({ severity, key }: RuleFinding): string => `${severity} ${key}`;

/** `try { return first() } catch { return second() }`. */
function inHandler(b: FactsWriter, first: (input: Named) => number, second: (input: Named) => number): void {
  b.function("run", ["input"], (input) => {
    b.try(() => { b.return(first(input)); }, [{ body: () => { b.return(second(input)); } }]);
  });
}

describe.each(LANGUAGES)("no-fallback-endpoint on hand-written facts of %s", (language) => {
  it("reports another model in a handler at its literal, and says why and what to do", () => {
    const facts = factsOf(language, (b) => { inHandler(b, (input) => ask(b, b.string("large"), input), (input) => ask(b, b.string("small"), input)); });
    const [finding, ...rest] = noFallbackEndpoint.check(facts, contextOf());
    expect(rest).toEqual([]);
    expect(finding).toMatchObject({ severity: "error", capability: "model", key: "model small" });
    expect(finding!.message).toBe(
      "When create fails, it is repeated with another model, small. "
      + "What answers then is not what was chosen and tested. Let the error out, or retry the same model.",
    );
    const literal = facts.values.find((value) => value.kind === "string" && value.value === "small")!;
    expect(finding!.span).toEqual(literal.span);
  });

  it("takes a deployment that a request names for no model", () => {
    const read = (b: FactsWriter, id: string): number => b.call(b.member(b.import(isPython(b) ? "httpx" : "axios"), "get"), [b.string("https://flows.example/deployments"), b.name(id)]);
    expect(judge(language, (b) => { inHandler(b, () => read(b, "made_deployment_id"), () => read(b, "found_deployment_id")); })).toEqual([]);
    const through = (b: FactsWriter): void => {
      const fetched = b.function("readOne", [], () => { b.return(get(b, b.string("https://flows.example/deployments"))); });
      inHandler(b, () => b.call(fetched, [b.name("made_deployment_id")]), () => b.call(fetched, [b.name("found_deployment_id")]));
    };
    expect(judge(language, through)).toEqual([]);
  });

  it("is silent where the same model is asked again", () => {
    expect(judge(language, (b) => { inHandler(b, (input) => ask(b, b.string("large"), input), (input) => ask(b, b.string("large"), input)); })).toEqual([]);
  });

  it("tells another host from another path", () => {
    const hosts = (first: string, second: string): string[] => judge(language, (b) => {
      inHandler(b, (input) => get(b, b.template(first, input)), (input) => get(b, b.template(second, input)));
    }).map((finding) => finding.severity);
    expect(hosts("https://one.shop.example/v1/", "https://two.shop.example/v1/")).toEqual(["error"]);
    expect(hosts("https://one.shop.example/v2/", "https://one.shop.example/v1/")).toEqual([]);
  });

  it("reports the list of a loop that goes on to the next model, not one that asks them all", () => {
    const loop = (stops: boolean): string[] => judge(language, (b) => {
      b.function("run", ["models", "input"], (models, input) => {
        b.forEach("model", models, (model) => {
          b.try(() => {
            const answer = b.let("answer", ask(b, model, input));
            if (stops) b.return(answer);
          }, [{ body: () => { b.jump("continue"); } }]);
        });
      });
    }).map(shortly);
    expect(loop(true)).toEqual(["error model models"]);
    expect(loop(false)).toEqual([]);
  });

  it("reports what is replaced before the next round, not what is put back", () => {
    const handler = (again: boolean): string[] => judge(language, (b) => {
      b.function("run", ["model", "input"], (model, input) => {
        b.while(b.constant(true), () => {
          b.try(() => { b.return(ask(b, model, input)); }, [{ body: () => {
            b.let("model", b.string("small"));
            if (!again) b.jump("raise");
          } }]);
        });
      });
    }).map(shortly);
    expect(handler(true)).toEqual(["error model small"]);
    expect(handler(false)).toEqual([]);
  });

  it("warns of an address that stands in for a setting, and not of a setting that is required", () => {
    const fallsBackTo = (address: string): string[] => judge(language, (b) => { get(b, orElse(b, environment(b, "SHOP_API"), b.string(address))); }).map(shortly);
    expect(fallsBackTo("https://api.market.example")).toEqual(["warning default api.market.example"]);
    expect(fallsBackTo("https://shop.market.example")).toEqual(["warning default shop.market.example"]);
    expect(judge(language, (b) => { get(b, environment(b, "SHOP_API")); })).toEqual([]);
  });

  it("is silent where a setting falls back to the service of its own name", () => {
    const fallsBackTo = (key: string, address: string): string[] => judge(language, (b) => { get(b, orElse(b, environment(b, key), b.string(address))); }).map(shortly);
    expect(fallsBackTo("SHOP_API", "https://api.shop.example")).toEqual([]);
    expect(fallsBackTo("BOOK_SHOP_URL", "https://eu.book-shop.co.uk/v2")).toEqual([]);
    expect(fallsBackTo("OAUTH_SHOP_URL", "https://api.shop.example")).toEqual([]);
    expect(fallsBackTo("QAI_API_BASE", "https://api.q.ai")).toEqual([]);
    expect(fallsBackTo("HF_ENDPOINT", "https://huggingface.co")).toEqual([]);
    expect(fallsBackTo("SHOP_API", "https://api.shop.dev.market.example")).toEqual(["warning denied api.shop.dev.market.example"]);
  });

  it("warns of denied hosts where requests go to them, by the policy's list too", () => {
    const asked = (url: string, tree: TreeInput = {}): string[] => judge(language, (b) => { get(b, b.string(url)); }, tree).map(shortly);
    expect(asked("https://api.staging.shop.example/x")).toEqual(["warning denied api.staging.shop.example"]);
    expect(asked("https://api.shop.example/x")).toEqual([]);
    expect(asked("https://api.shop.example/x", { denyHosts: ["shop.example"] })).toEqual(["warning denied api.shop.example"]);
    expect(asked("https://api.staging.shop.example/x", { path: "tests/app" })).toEqual([]);
    expect(asked("https://api.staging.shop.example/x", { path: "third_party/app" })).toEqual([]);
    expect(judge(language, (b) => { b.let("allowed", b.list(b.string("https://app.staging.shop.example"))); })).toEqual([]);
  });

  it("leaves this machine to whoever runs the program, but for the policy's list and for what a failure leads to", () => {
    const asked = (host: string, tree: TreeInput = {}): string[] => judge(language, (b) => { get(b, b.string(`http://${host}:8080/x`)); }, tree).map(shortly);
    const own = ["localhost", "127.0.0.9", "[::1]", "0.0.0.0", "host.docker.internal", "app.localhost"];
    expect(own.flatMap((host) => asked(host))).toEqual([]);
    expect(own.flatMap((host) => asked(host, { denyHosts: [host] }))).toEqual(own.map((host) => `warning denied ${host}`));
    expect(judge(language, (b) => { get(b, orElse(b, environment(b, "SHOP_API"), b.string("http://localhost:8080"))); })).toEqual([]);
    const failing = (second: string): string[] => judge(language, (b) => {
      inHandler(b, (input) => get(b, b.template("https://shop.example/v1/", input)), (input) => get(b, b.template(second, input)));
    }).map((finding) => finding.severity);
    expect(failing("http://localhost:8080/v1/")).toEqual(["error"]);
    expect(failing("http://host.docker.internal:8080/v1/")).toEqual(["error"]);
  });

  it("is silent where a written switch chooses the address", () => {
    expect(judge(language, (b) => {
      const debug = b.let("debug", environment(b, "DEBUG"));
      get(b, b.conditional(debug, b.string("https://api.staging.shop.example"), b.string("https://api.shop.example")));
    })).toEqual([]);
  });

  it("is not overrun by deep nests, long chains and names like those of every object", () => {
    const facts = factsOf(language, (b) => {
      b.function("run", ["constructor", "__proto__"], (one, other) => {
        let chain: Operand = one;
        for (let step = 0; step < 2000; step++) chain = b.logical(chain, language === "python" ? "or" : "??", other);
        let nest = (): void => { b.return(get(b, chain)); };
        for (let depth = 0; depth < 200; depth++) {
          const inner = nest;
          nest = () => { b.try(inner, [{ body: () => { get(b, other); } }]); };
        }
        nest();
      });
    });
    expect(noFallbackEndpoint.check(facts, contextOf()).every((finding) => finding.severity === "error")).toBe(true);
  });
});

describe("hosts", () => {
  it("reads the host of an address, whatever stands around it", () => {
    expect(["https://Api.Shop.example:8443/x?y#z", "http://user:word@[::1]:80/", "wss://a.example.", "mailto:x@y", "https://", "just text"].map(hostOf))
      .toEqual(["api.shop.example", "[::1]", "a.example", null, null, null]);
    expect(["localhost:80", "a.example/x", "two words", "{host}"].map(bareHostOf)).toEqual(["localhost", "a.example", null, null]);
  });

  it("denies whole labels before the domain only", () => {
    const denied = ["api.staging.shop.example", "x.ngrok.io", "printer.local", "a.trycloudflare.com"];
    const let_ = ["overdraft.shop.example", "collab.shop.example", "notes.dev", "web.dev", "dev.azure.com", "dev.to", "ngrok.io.shop.example", "mylocalhost.example", "localhost", "127.0.0.9", "host.docker.internal"];
    expect(denied.filter((host) => denialOf(host, []) === null)).toEqual([]);
    expect(let_.filter((host) => denialOf(host, []) !== null)).toEqual([]);
  });

  it("tells whose a host is", () => {
    expect(distinctiveLabels("api.us-east.openai.com")).toEqual(["openai"]);
  });
});

describe("names", () => {
  it("tell models of providers from classes of data, and addresses from what is only told", () => {
    expect(["model", "model_id", "modelName", "response_model", "pydantic_model", "deployment"].map(targetKind)).toEqual(["model", "model", "model", null, null, "model"]);
    expect(["base_url", "baseURL", "apiBase", "host", "redirect_url", "webhookUrl", "image_url", "name"].map(targetKind))
      .toEqual(["address", "address", "address", "address", null, null, null, null]);
  });

  it("know folders of trials by whole words", () => {
    expect(["examples/a.py", "src/test_utils.py", "tests/x.ts"].map(isForDevelopment)).toEqual([true, true, true]);
    expect(["src/latest.py", "src/contest/a.ts", "app/device.ts"].map(isForDevelopment)).toEqual([false, false, false]);
  });
});
