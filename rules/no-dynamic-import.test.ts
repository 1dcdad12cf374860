import { factsOf } from "@agentgate/parsers/testing";
import type { FactsWriter, Operand } from "@agentgate/parsers/testing";
import { describe, expect, it } from "vitest";
import { noDynamicImport } from "./no-dynamic-import.ts";
import { noInventedIo } from "./no-invented-io.ts";
import type { RuleFinding } from "./rule.ts";
import { contextOf, lineOf, shortly } from "./shared/testing.ts";

const LANGUAGES = ["python", "ecmascript"] as const;

/** `importlib.import_module(argument)` or `import(argument)`. */
function load(b: FactsWriter, argument: Operand): number {
  const isPython = b.builder.draft.facts.language === "python";
  return b.call(isPython ? b.member(b.import("importlib"), "import_module") : b.name("import"), [argument]);
}

function judge(language: (typeof LANGUAGES)[number], write: (b: FactsWriter) => void): RuleFinding[] {
  return noDynamicImport.check(factsOf(language, write), contextOf());
}

describe.each(LANGUAGES)("no-dynamic-import on hand-written facts of %s", (language) => {
  it("reports a name that comes in, at the loader's last name, and says why and what to do", () => {
    const facts = factsOf(language, (b) => { b.function("plugin", ["name"], (name) => { load(b, name); }); });
    const [finding, ...rest] = noDynamicImport.check(facts, contextOf());
    expect(rest).toEqual([]);
    expect(finding).toMatchObject({ severity: "error", capability: "opaque" });
    const api = language === "python" ? "importlib.import_module" : "import";
    expect(finding!.message).toBe(
      `${api} loads the module that the value of name names at run time. `
      + "Nobody can tell from the code what it brings. Look it up in a constant table of modules, or check the name against one first.",
    );
    expect(finding!.span).toEqual(facts.calls.at(-1)!.nameSpan);
  });

  it("names the module where the text folds, and leaves its capability to no-invented-io", () => {
    const name = language === "python" ? "httpx" : "axios";
    const facts = factsOf(language, (b) => { load(b, b.binary(b.string(name.slice(0, 2)), "+", b.string(name.slice(2)))); });
    const [finding] = noDynamicImport.check(facts, contextOf());
    expect(finding!.message).toContain(`loads ${name}, which can reach the network`);
    expect(noInventedIo.check(facts, contextOf()).map(shortly)).toEqual([`error net ${name}`]);
  });

  it("accepts an entry of a constant table, and judges what the table names", () => {
    const facts = factsOf(language, (b) => {
      const table = b.let("TABLE", b.table({ a: b.string(language === "python" ? "httpx" : "axios"), b: b.string("./b") }));
      b.function("plugin", ["name"], (name) => { load(b, b.subscript(table, name)); });
    });
    expect(noDynamicImport.check(facts, contextOf())).toEqual([]);
    expect(noInventedIo.check(facts, contextOf())).toHaveLength(1);
  });

  it("does not accept a table that is filled at run time", () => {
    expect(judge(language, (b) => {
      const table = b.let("TABLE", b.table({ a: b.string("./a") }));
      b.function("register", ["name"], (name) => { b.call(b.member(table, "update"), [name]); });
      b.function("plugin", ["name"], (name) => { load(b, b.subscript(table, name)); });
    })).toHaveLength(1);
  });

  it("accepts a check whose other branch leaves, and no check that comes later", () => {
    const guarded = (early: boolean): RuleFinding[] => judge(language, (b) => {
      const allowed = b.let("ALLOWED", b.list(b.string("a"), b.string("b")));
      b.function("plugin", ["name"], (name) => {
        const check = (): void => b.if(b.binary(name, "not in", allowed), () => b.jump("raise"));
        if (early) check();
        load(b, name);
        if (!early) check();
      });
    });
    expect(guarded(true)).toEqual([]);
    expect(guarded(false)).toHaveLength(1);
  });

  it("accepts the branch of a check, not the one beside it", () => {
    const inBranch = (negated: boolean): RuleFinding[] => judge(language, (b) => {
      const allowed = b.let("ALLOWED", b.list(b.string("a")));
      b.function("plugin", ["name", "safe"], (name, safe) => {
        const test = b.binary(name, "in", allowed);
        b.if(b.logical(negated ? b.not(test) : test, "and", safe), () => { load(b, name); });
      });
    });
    expect(inBranch(false)).toEqual([]);
    expect(inBranch(true)).toHaveLength(1);
  });

  it("asks that the check is of the same name", () => {
    expect(judge(language, (b) => {
      const allowed = b.let("ALLOWED", b.list(b.string("a")));
      b.function("plugin", ["name", "other"], (name, other) => {
        b.if(b.binary(other, "not in", allowed), () => b.jump("raise"));
        load(b, name);
      });
    })).toHaveLength(1);
  });

  it("reports an evaluator and one that is handed on", () => {
    expect(judge(language, (b) => {
      b.function("run", ["text"], (text) => { b.call(b.name("eval"), [text]); });
      b.let("operators", b.table({ formula: b.name("eval") }));
    }).map(shortly)).toEqual(["error code eval", "error code eval"]);
  });

  it("is not overrun by ten thousand nested tests", () => {
    const facts = factsOf(language, (b) => {
      b.function("plugin", ["name"], (name) => {
        let nest = (): void => { load(b, name); };
        for (let depth = 0; depth < 50; depth++) {
          const inner = nest;
          nest = () => b.if(name, inner);
        }
        nest();
      });
    });
    // Built deeper than a recursive writer could: wrap the body again and again.
    const outer = facts.functions[1]!;
    for (let depth = 0; depth < 10_000; depth++) outer.body = [{ kind: "test", test: 0, then: outer.body, else: [], at: 0 }];
    expect(noDynamicImport.check(facts, contextOf())).toHaveLength(1);
  });
});

describe("no-dynamic-import", () => {
  it("reports __import__ with a literal always: a warning where the module is harmless", () => {
    const findings = judge("python", (b) => { b.call(b.name("__import__"), [b.string("json")]); });
    expect(findings.map(shortly)).toEqual(["warning opaque __import__"]);
    expect(findings[0]!.message).toContain("Write the plain statement: import json");
    expect(judge("python", (b) => { b.call(b.name("__import__")); }).map(shortly)).toEqual(["error opaque __import__"]);
  });

  it("takes a literal import() and require() for plain imports", () => {
    expect(judge("ecmascript", (b) => {
      b.call(b.name("import"), [b.string("./page")]);
      b.call(b.name("require"), [b.string("lodash")]);
    })).toEqual([]);
  });

  it("keeps to one finding for compile and the exec that runs its result", () => {
    const facts = factsOf("python", (b) => {
      b.function("run", ["text"], (text) => {
        const code = b.let("code", b.call(b.name("compile"), [text, b.string("x"), b.string("exec")]));
        b.call(b.name("exec"), [code]);
      });
    });
    expect(noDynamicImport.check(facts, contextOf()).map((finding) => lineOf(facts, finding))).toEqual([4]);
  });

  it("tells a syntax check from code that is kept", () => {
    const compile = (keep: boolean): RuleFinding[] => judge("python", (b) => {
      b.function("check", ["text"], (text) => {
        const code = b.call(b.name("compile"), [text, b.string("x"), b.string("exec")]);
        if (keep) b.return(code);
        else b.expression(code);
      });
    });
    expect(compile(false)).toEqual([]);
    expect(compile(true)).toHaveLength(1);
  });

  it.each([
    ["ecmascript", "import-fresh", null], ["ecmascript", "import-from", null], ["ecmascript", "import-local", null], ["ecmascript", "proxyquire", null],
    ["ecmascript", "module-alias", "addAlias"], ["python", "stevedore", "driver.DriverManager"],
  ] as const)("says of %s package %s that it loads modules, not that it runs text", (language, name, member) => {
    const [finding, ...rest] = judge(language, (b) => {
      const root = b.import(name);
      b.function("load", ["first", "second"], (first, second) => { b.call(member?.split(".").reduce<Operand>((object, part) => b.member(object, part), root) ?? root, [first, second]); });
    });
    expect(rest).toEqual([]);
    expect(finding).toMatchObject({ severity: "error", capability: "opaque" });
    expect(finding!.message).toMatch(/ (?:loads the module that|loads whatever an installed package|changes how modules are found)/);
  });

  it("judges the loader that import-lazy makes as it judges require", () => {
    const lazy = (name: (b: FactsWriter, given: Operand) => Operand): RuleFinding[] => judge("ecmascript", (b) => {
      const load = b.let("load", b.call(b.import("import-lazy"), [b.name("unused")]));
      b.function("page", ["given"], (given) => { b.call(load, [name(b, given)]); });
    });
    expect(lazy((_, given) => given).map(shortly)).toEqual(["error opaque import-lazy"]);
    expect(lazy((b) => b.string("lodash")).map(shortly)).toEqual(["warning opaque import-lazy"]);
  });
});
