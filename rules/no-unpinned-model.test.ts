import { factsOf } from "@agentgate/parsers/testing";
import type { FactsWriter, Named, Operand } from "@agentgate/parsers/testing";
import type { ModuleFacts } from "@agentgate/parsers";
import { describe, expect, it } from "vitest";
import { noUnpinnedModel } from "./no-unpinned-model.ts";
import type { RuleFinding } from "./rule.ts";
import { contextOf } from "./shared/testing.ts";
import type { TreeInput } from "./shared/testing.ts";

const LANGUAGES = ["python", "ecmascript"] as const;
type Language = (typeof LANGUAGES)[number];

function judge(language: Language, write: (b: FactsWriter) => void, tree: TreeInput = {}): RuleFinding[] {
  return noUnpinnedModel.check(factsOf(language, write), contextOf(tree));
}

const shortly = ({ severity, key }: RuleFinding): string => `${severity} ${key}`;

/** `openai.chat.completions.create(model=model)`, as each language writes it. */
function create(b: FactsWriter, model: Operand): void {
  const client = b.from("openai", b.builder.draft.facts.language === "python" ? "OpenAI" : "default", { as: "OpenAI" });
  const callee = b.member(b.call(client), "chat", "completions", "create");
  if (b.builder.draft.facts.language === "python") b.call(callee, [], { named: { model } });
  else b.call(callee, [b.table({ model })]);
}

/** `os.getenv("X") or value`, `process.env.X ?? value`. */
function environmentOr(b: FactsWriter, key: string, value: Operand): number {
  const isPython = b.builder.draft.facts.language === "python";
  const read = isPython ? b.call(b.member(b.import("os"), "getenv"), [b.string(key)]) : b.member(b.name("process"), "env", key);
  return b.logical(read, isPython ? "or" : "??", value);
}

describe.each(LANGUAGES)("no-unpinned-model on hand-written facts of %s", (language) => {
  const parameter = (b: FactsWriter, name: string, value: Operand, body: (named: Named) => void = () => undefined): Named =>
    b.function("answer", [{ name, default: value }], (named) => { body(named); });

  it("says what falls back, why that matters and what to do, at the literal", () => {
    const facts = factsOf(language, (b) => { b.let("chosen", environmentOr(b, "TEAM_MODEL", b.string("gpt-4o"))); });
    const [finding, ...rest] = noUnpinnedModel.check(facts, contextOf());
    expect(rest).toEqual([]);
    expect(finding!.message).toBe(
      "Where the environment has no TEAM_MODEL, gpt-4o runs. No date or revision in the name fixes one model, and whoever serves it can put another one behind it, so what runs can change without a change of the code. "
      + "Read the setting and fail when it is unset.",
    );
    const literal = facts.values.find((value) => value.kind === "string" && value.value === "gpt-4o")!;
    expect(finding).toMatchObject({ severity: "error", span: literal.span, key: "gpt-4o", capability: "model" });
  });

  it("says that the maker moves a name only where its own client is used and no other house is in sight", () => {
    const said = (write: (b: FactsWriter) => void): string[] => judge(language, write).map(({ message }) => message.split(". ")[1]!.split(",")[0]!);
    const moved = "OpenAI documents that it moves this name to newer versions";
    const unfixed = "No date or revision in the name fixes one model";
    expect(said((b) => { create(b, b.string("gpt-4o")); })).toEqual([moved]);
    expect(said((b) => { create(b, b.string("gpt-4.1")); })).toEqual([unfixed]);
    expect(said((b) => { create(b, b.string("openai/gpt-4o")); })).toEqual([unfixed]);
    expect(said((b) => { b.let("endpoint", b.name("AZURE_ENDPOINT")); create(b, b.string("gpt-4o")); })).toEqual([unfixed]);
    expect(said((b) => { parameter(b, "model", b.string("llama3.2:3b")); })).toEqual([unfixed]);
  });

  it("says of a pinned name no more than that it stands for one model", () => {
    const [finding] = judge(language, (b) => { parameter(b, "model", b.string("command-r-plus")); });
    expect(finding!.message).toBe("Where model is not set, command-r-plus runs. The name stands for one fixed model, but the code chooses it where the deployment should. Read the setting and fail when it is unset.");
  });

  it("takes a pinned default for a warning, and one that nobody can date for nothing", () => {
    expect(judge(language, (b) => { parameter(b, "model", b.string("gpt-4o-2024-08-06")); }).map(shortly)).toEqual(["warning gpt-4o-2024-08-06"]);
    expect(judge(language, (b) => { parameter(b, "embedding_model", b.string("text-embedding-3-small")); })).toEqual([]);
    expect(judge(language, (b) => { b.let("chosen", environmentOr(b, "EMBEDDING_MODEL", b.string("text-embedding-3-small"))); }).map(shortly)).toEqual(["warning text-embedding-3-small"]);
    expect(judge(language, (b) => { b.let("chosen", environmentOr(b, "TEAM_MODEL", b.string("northwind-7b"))); })).toEqual([]);
    expect(judge(language, (b) => { create(b, environmentOr(b, "TEAM_MODEL", b.string("northwind-7b"))); }).map(shortly)).toEqual(["warning northwind-7b"]);
  });

  it("asks for the last word of the setting's name", () => {
    for (const name of ["theme", "modelling", "model_path", "models", "remodel"]) expect([name, judge(language, (b) => { parameter(b, name, b.string("gpt-4o")); })]).toEqual([name, []]);
    for (const name of ["model", "chat_model", "modelName", "judgeLlm", "deployment", "engine"]) expect([name, judge(language, (b) => { parameter(b, name, b.string("gpt-4o")); }).length]).toEqual([name, 1]);
  });

  it("reports alias words only where a model is surely meant", () => {
    expect(judge(language, (b) => { parameter(b, "engine", b.string("auto")); })).toEqual([]);
    expect(judge(language, (b) => { parameter(b, "model", b.string("default")); })).toEqual([]);
    expect(judge(language, (b) => { parameter(b, "name", b.string("auto"), (name) => { create(b, name); }); }).map(shortly)).toEqual(["error auto"]);
    expect(judge(language, (b) => { create(b, b.string("")); }).map(shortly)).toEqual(["error "]);
    expect(judge(language, (b) => { create(b, b.string("freedom-7b")); })).toEqual([]);
  });

  it("reports a moving name at a call and lets a pinned one be", () => {
    expect(judge(language, (b) => { create(b, b.let("MODEL", b.string("o3-mini"))); }).map(shortly)).toEqual(["error o3-mini"]);
    expect(judge(language, (b) => { create(b, b.let("MODEL", b.string("o3-mini-2025-01-31"))); })).toEqual([]);
  });

  it("reports one literal once, however many calls it reaches", () => {
    const findings = judge(language, (b) => {
      const model = b.let("DEFAULT_MODEL", b.string("gpt-4o"));
      parameter(b, "model", model, (given) => { create(b, given); create(b, given); });
    });
    expect(findings.map(shortly)).toEqual(["error gpt-4o"]);
  });

  it("is silent about tables that are keyed by models", () => {
    const table = (b: FactsWriter): number => b.table(Object.fromEntries(["gpt-4o", "o3-mini", "gpt-4"].map((id) => [id, b.table({ model: b.string(id) })])));
    expect(judge(language, (b) => { b.let("DEFAULT_SETTINGS", table(b)); })).toEqual([]);
  });

  it("follows a constant to the module that holds it, which answers for what its name says", () => {
    const holder = (name: string): ModuleFacts => factsOf(language, (b) => { b.export(name, b.let(name, b.string("gpt-4o"))); });
    const user = (name: string) => (b: FactsWriter): void => { parameter(b, "model", b.from("./names", name)); };
    const tree = (name: string): TreeInput => ({ modules: { "./names": holder(name) } });
    expect(judge(language, user("DEFAULT_MODEL"), tree("DEFAULT_MODEL"))).toEqual([]);
    const [finding, ...rest] = judge(language, user("FAST"), tree("FAST"));
    expect(rest).toEqual([]);
    expect(finding).toMatchObject({ severity: "error", key: "gpt-4o", related: [{ path: "./names" }] });
    expect(noUnpinnedModel.check(holder("DEFAULT_MODEL"), contextOf())).toHaveLength(1);
    expect(noUnpinnedModel.check(holder("FAST"), contextOf())).toEqual([]);
    expect(noUnpinnedModel.influences!(holder("FAST"), contextOf()).map((influence) => influence.name)).toEqual(["FAST"]);
  });

  it("names no key that the environment does not have, and says that a name is empty", () => {
    const chosen = judge(language, (b) => { b.let("chosenModel", environmentOr(b, "TEAM_CHOICE", b.string("gpt-4o"))); });
    expect(chosen.map(({ message }) => message.split(". ")[0])).toEqual([language === "python" ? "Where chosenModel is not set, gpt-4o runs" : "Where the environment names no model, gpt-4o runs"]);
    const empty = judge(language, (b) => { create(b, b.string("")); });
    expect(empty.map(({ message }) => message.split(". ")[0])).toEqual(["create is given an empty name"]);
  });

  it("says of a deployment's name that its owner chooses the model", () => {
    const [finding] = judge(language, (b) => { parameter(b, "azure_deployment", b.string("gpt-4o")); });
    expect(finding!.message).toMatch(/^Where azure_deployment is not set, gpt-4o runs\. It is the name of a deployment, whose owner says/);
  });

  it("takes a word given to a function of the tree for a model only where a provider is known", () => {
    const write = (text: string) => (b: FactsWriter): void => {
      const ask = b.function("ask", ["settings"], (settings) => { create(b, b.member(settings, "model")); });
      const model = b.string(text);
      b.call(ask, language === "python" ? [] : [b.table({ model })], language === "python" ? { named: { model } } : {});
    };
    expect(judge(language, write("summarizer-default"))).toEqual([]);
    expect(judge(language, write("gpt-4o")).map(shortly)).toEqual(["error gpt-4o"]);
  });

  it("obeys the policy", () => {
    const write = (b: FactsWriter): void => { create(b, b.string("openai/gpt-4o-2024-08-06")); parameter(b, "model", b.string("gpt-4o")); };
    expect(judge(language, write).map(shortly)).toEqual(["error gpt-4o"]);
    expect(judge(language, write, { models: { allow: ["gpt-4o"] } })).toEqual([]);
    expect(judge(language, write, { models: { policy: "registry" } }).map(shortly)).toEqual(["error openai/gpt-4o-2024-08-06", "error gpt-4o"]);
    expect(judge(language, write, { models: { policy: "registry", inRegistry: true } })).toEqual([]);
  });

  it("names the setting that has the default, and no other one of a chain that ends with it", () => {
    const [finding, ...rest] = judge(language, (b) => {
      b.function("answer", ["profile", { name: "model", default: b.string("gpt-4o") }], (profile, model) => {
        create(b, b.logical(profile, language === "python" ? "or" : "??", model));
      });
    });
    expect(rest).toEqual([]);
    expect(finding!.message).toMatch(/^Where model is not set, gpt-4o runs\./);
  });

  it("says of an entry that options may replace that it runs where they do not", () => {
    const [finding, ...rest] = judge(language, (b) => {
      b.function("answer", ["options"], (options) => {
        const own = b.table({ model: b.string("gpt-4o") });
        const callee = b.member(b.call(b.from("openai", "OpenAI")), "chat", "completions", "create");
        if (language === "python") b.call(callee, [], { named: { "**": b.binary(own, "|", options) } });
        else b.call(callee, [b.call(b.member(b.name("Object"), "assign"), [own, options])]);
      });
    });
    expect(rest).toEqual([]);
    expect(finding!.message).toMatch(/^Where model is not set, gpt-4o runs\..* Read the setting and fail when it is unset\.$/);
  });

  it("takes only a commit id for a revision", () => {
    const module = language === "python" ? "transformers" : "@huggingface/transformers";
    const load = (revision: string | null) => (b: FactsWriter): void => {
      const options = revision === null ? {} : { revision: b.string(revision) };
      const callee = b.member(b.from(module, "AutoModel"), "from_pretrained");
      if (language === "python") b.call(callee, [b.string("acme/ranker")], { named: options });
      else b.call(callee, [b.string("acme/ranker"), b.table(options)]);
    };
    expect(judge(language, load(null)).map(shortly)).toEqual(["warning acme/ranker"]);
    expect(judge(language, load("main"))[0]!.message).toContain("at main, which is no commit id");
    expect(judge(language, load("0123456789abcdef0123456789abcdef01234567"))).toEqual([]);
  });

  it("gives up on what is defined by itself, and on long chains, without a word", () => {
    expect(judge(language, (b) => {
      const first = b.let("first", b.name("second"));
      b.let("second", first);
      create(b, first);
      let model: Named = b.let("model_0", b.string("o3-mini-2025-01-31"));
      for (let depth = 1; depth < 400; depth++) model = b.let(`model_${String(depth)}`, model);
      create(b, model);
    })).toEqual([]);
  });

  it("takes names of an object's own machinery for ordinary ones", () => {
    for (const name of ["__proto__", "constructor", "hasOwnProperty"]) {
      expect(judge(language, (b) => { parameter(b, "model", b.string(name)); create(b, b.string(name)); b.let(name, b.string("gpt-4o")); })).toEqual([]);
    }
  });
});
