import { factsOf } from "@agentgate/parsers/testing";
import type { FactsWriter, Named, Operand } from "@agentgate/parsers/testing";
import { describe, expect, it } from "vitest";
import { guardBefore } from "./guards.ts";

const LANGUAGES = ["python", "ecmascript"] as const;

/** Whether a check is found before `load(name)`, which `write` puts into a function of `name`. */
function isGuarded(language: (typeof LANGUAGES)[number], write: (b: FactsWriter, name: Named, load: () => void) => void): boolean {
  const facts = factsOf(language, (b) => {
    b.function("plugin", ["name"], (name) => {
      write(b, name, () => { b.call(b.name("load"), [name]); });
    });
  });
  const id = facts.calls.findIndex((call) => {
    const callee = facts.values[call.callee];
    return callee?.kind === "name" && callee.name === "load";
  });
  return guardBefore(facts, id, facts.calls[id]!.arguments[0]!.value) !== null;
}

/** The allow list written out, or one that somebody else fills. */
function allowed(b: FactsWriter): Operand {
  return b.list(b.string("a"), b.string("b"));
}

describe.each(LANGUAGES)("guardBefore in %s", (language) => {
  it("takes a membership test whose other branch leaves", () => {
    expect(isGuarded(language, (b, name, load) => {
      b.if(b.binary(name, "not in", allowed(b)), () => b.jump("raise"));
      load();
    })).toBe(true);
  });

  it("does not take one whose other branch goes on", () => {
    expect(isGuarded(language, (b, name, load) => {
      b.if(b.binary(name, "not in", allowed(b)), () => { b.call(b.name("warn"), [name]); });
      load();
    })).toBe(false);
  });

  it("takes all parts of a conjunction that held, and of a disjunction that failed", () => {
    const tested = (operator: "and" | "or"): boolean => isGuarded(language, (b, name, load) => {
      b.if(b.logical(b.binary(name, "in", allowed(b)), operator, b.name("ready")), load);
    });
    expect(tested("and")).toBe(true);
    expect(tested("or")).toBe(false);
    expect(isGuarded(language, (b, name, load) => {
      b.if(b.logical(b.binary(name, "not in", allowed(b)), "or", b.name("closed")), () => b.return(null));
      load();
    })).toBe(true);
  });

  it("takes a comparison with a text, and none with nothing", () => {
    const compared = (other: (b: FactsWriter) => Operand): boolean => isGuarded(language, (b, name, load) => {
      b.if(b.binary(name, "!=", other(b)), () => b.return(null));
      load();
    });
    expect(compared((b) => b.string("json"))).toBe(true);
    expect(compared((b) => b.constant(null))).toBe(false);
  });

  it("takes a prefix only where it ends as a name does", () => {
    const begins = (prefix: string): boolean => isGuarded(language, (b, name, load) => {
      const method = language === "python" ? "startswith" : "startsWith";
      b.if(b.not(b.call(b.member(name, method), [b.string(prefix)])), () => b.jump("raise"));
      load();
    });
    expect(begins("app.plugins.")).toBe(true);
    expect(begins("app")).toBe(false);
  });

  it("does not take the modules that happen to be loaded for a list", () => {
    expect(isGuarded(language, (b, name, load) => {
      const loaded = language === "python" ? b.member(b.import("sys"), "modules") : b.member(b.name("process"), "env");
      b.if(b.binary(name, "in", loaded), load);
    })).toBe(false);
  });

  it("looks into a function of the file that raises or answers", () => {
    const checked = (raises: boolean): boolean => {
      const facts = factsOf(language, (b) => {
        const check = b.function("check", ["candidate"], (candidate) => {
          if (raises) b.if(b.binary(candidate, "not in", allowed(b)), () => b.jump("raise"));
          else b.return(b.binary(candidate, "in", allowed(b)));
        });
        b.function("plugin", ["name"], (name) => {
          if (raises) {
            b.call(check, [name]);
            b.call(b.name("load"), [name]);
          } else b.if(b.call(check, [name]), () => { b.call(b.name("load"), [name]); });
        });
      });
      const id = facts.calls.length - 1;
      return guardBefore(facts, id, facts.calls[id]!.arguments[0]!.value) !== null;
    };
    expect(checked(true)).toBe(true);
    expect(checked(false)).toBe(true);
  });
});
