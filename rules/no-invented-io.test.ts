import { factsOf } from "@agentgate/parsers/testing";
import { describe, expect, it } from "vitest";
import { inventedIo, noInventedIo } from "./no-invented-io.ts";
import { acquiredCapabilities, unclassifiedPackages } from "./shared/acquired.ts";
import { contextOf, shortly } from "./shared/testing.ts";

const LANGUAGES = ["python", "ecmascript"] as const;
const PACKAGE = { python: "httpx", ecmascript: "axios" } as const;

describe.each(LANGUAGES)("no-invented-io on hand-written facts of %s", (language) => {
  const name = PACKAGE[language];

  it("stands at the module's name, lists the uses, and says what to do in the same words", () => {
    const facts = factsOf(language, (b) => {
      const client = b.import(name);
      b.call(b.member(client, "post"), [b.string("https://example.com")]);
    });
    const port = { path: "src/adapters/**", capabilities: ["net"], owner: "payments", note: "the ledger", line: 3 };
    const [finding, ...rest] = noInventedIo.check(facts, contextOf({ ports: [port] }));
    expect(rest).toEqual([]);
    expect(finding).toMatchObject({ severity: "error", capability: "net", api: name, key: name, span: facts.imports[0]!.specifierSpan });
    expect(finding!.related).toHaveLength(1);
    expect(finding!.related[0]!.message).toBe(`${name}.post`);
    expect(finding!.message).toBe(
      `This module can reach the network: ${name}. No port licenses net here. `
      + "Move the call behind src/adapters/**, the port that has net, or have its owner license it: "
      + 'agentgate permit src/app net --owner … --note "…".',
    );
  });

  it("makes a class that the base had a warning, and what it had already nothing", () => {
    const facts = factsOf(language, (b) => {
      const client = b.import(name);
      b.call(b.member(client, "get"), [b.string("https://example.com")]);
    });
    expect(inventedIo(facts, contextOf(), [{ capability: "net", root: name }])).toEqual([]);
    const [finding] = inventedIo(facts, contextOf(), [{ capability: "net", root: "other" }]);
    expect(finding).toMatchObject({ severity: "warning" });
    expect(finding!.message).toContain(`beside other`);
  });

  it("reports an unused import and stays silent on a probe", () => {
    expect(noInventedIo.check(factsOf(language, (b) => { b.import(name); }), contextOf()).map(shortly)).toEqual([`error net ${name}`]);
    expect(noInventedIo.check(factsOf(language, (b) => { b.import(name, { optional: true }); }), contextOf())).toEqual([]);
  });

  it("stays silent on imports for types", () => {
    expect(noInventedIo.check(factsOf(language, (b) => { b.import(name, { typeOnly: true }); }), contextOf())).toEqual([]);
    expect(noInventedIo.check(factsOf(language, (b) => { b.import(name, { typeChecking: true }); }), contextOf())).toEqual([]);
  });

  it("takes a module of the tree for what it is", () => {
    const other = factsOf(language, () => undefined);
    const facts = factsOf(language, (b) => { b.call(b.member(b.import(name), "post")); });
    expect(noInventedIo.check(facts, contextOf({ modules: { [name]: other } }))).toEqual([]);
  });

  it("looks through an alias of the package", () => {
    const facts = factsOf(language, (b) => { b.call(b.member(b.import("transport"), "post")); });
    expect(noInventedIo.check(facts, contextOf({ aliases: { transport: name } })).map(shortly)).toEqual([`error net ${name}`]);
  });

  it("follows what a module of the tree passes on, unless that module is a port for it", () => {
    const inner = factsOf(language, (b) => {
      const post = b.from(name, "post");
      b.export("post", post);
    });
    const facts = factsOf(language, (b) => {
      const post = b.from("./net", "post");
      b.call(post, [b.string("x")]);
    });
    const modules = { "./net": inner };
    const [finding] = noInventedIo.check(facts, contextOf({ modules }));
    expect(finding).toMatchObject({ capability: "net", key: name });
    expect(finding!.message).toContain("passed on by ./net");
    expect(noInventedIo.check(facts, contextOf({ modules, covered: { "./net": ["net"] } }))).toEqual([]);
  });

  it("leaves an exported instance to the module that makes it", () => {
    const inner = factsOf(language, (b) => {
      const made = b.let("client", b.call(b.member(b.import(name), "create")));
      b.export("client", made);
    });
    const facts = factsOf(language, (b) => {
      const client = b.from("./clients", "client");
      b.call(b.member(client, "post"), [b.string("x")]);
    });
    expect(noInventedIo.check(facts, contextOf({ modules: { "./clients": inner } }))).toEqual([]);
  });

  it("survives modules of the tree that pass on each other's names for ever", () => {
    const inner = factsOf(language, (b) => {
      const post = b.from("./a", "post");
      b.export("post", post);
    });
    const facts = factsOf(language, (b) => { b.call(b.from("./a", "post")); });
    expect(noInventedIo.check(facts, contextOf({ modules: { "./a": inner } }))).toEqual([]);
  });

  it("takes additions of agentgate.yml, and counts packages that nobody knows", () => {
    const facts = factsOf(language, (b) => { b.call(b.member(b.import("acme_sdk"), "charge")); });
    expect(noInventedIo.check(facts, contextOf())).toEqual([]);
    expect(unclassifiedPackages(facts, contextOf()).map((each) => each.root)).toEqual(["acme_sdk"]);
    const capabilities = [{ api: "acme_sdk.charge", capability: "pay" as const }];
    expect(noInventedIo.check(facts, contextOf({ capabilities })).map(shortly)).toEqual(["error pay acme_sdk.charge"]);
  });
});

describe("no-invented-io", () => {
  it("reports a member of a mixed module at its first use, whatever stands before it", () => {
    const facts = factsOf("python", (b) => {
      const os = b.import("os");
      b.call(b.member(os, "path", "join"), [b.string("a")]);
      b.call(b.member(os, "system"), [b.string("ls")]);
      b.call(b.member(os, "system"), [b.string("ps")]);
    });
    const [finding, ...rest] = noInventedIo.check(facts, contextOf());
    expect(rest).toEqual([]);
    expect(shortly(finding!)).toBe("error proc os.system");
    expect(finding!.span).toEqual(facts.calls[1]!.nameSpan);
    expect(finding!.related).toHaveLength(1);
  });

  it("reads the mode of open, and takes one that does not fold for writing", () => {
    const opened = (mode: string | null): string[] => noInventedIo.check(factsOf("python", (b) => {
      b.function("save", ["mode"], (parameter) => {
        b.call(b.name("open"), [b.string("x"), mode === null ? parameter : b.string(mode)]);
      });
    }), contextOf()).map(shortly);
    expect(opened("r")).toEqual([]);
    expect(opened("wb")).toEqual(["error fs.write open"]);
    expect(opened(null)).toEqual(["error fs.write open"]);
  });

  it("keeps fs.read and env.read for strict, and lists them as acquired", () => {
    const facts = factsOf("ecmascript", (b) => { b.call(b.from("node:fs", "readFileSync"), [b.string("x")]); });
    expect(noInventedIo.check(facts, contextOf())).toEqual([]);
    expect(noInventedIo.check(facts, contextOf({ strict: true })).map(shortly)).toEqual(["error fs.read node:fs.readFileSync"]);
    expect(acquiredCapabilities(facts, contextOf()).map((each) => each.capability)).toEqual(["fs.read"]);
  });

  it("does not mind names of the language's own objects", () => {
    const facts = factsOf("ecmascript", (b) => {
      const proto = b.from("./x", "__proto__");
      b.call(b.member(proto, "constructor"));
      b.call(b.member(b.import("constructor"), "__proto__", "toString"));
    });
    expect(noInventedIo.check(facts, contextOf({ modules: { "./x": factsOf("ecmascript", () => undefined) } }))).toEqual([]);
  });
});
