import { dialectOf, parseEcmascript, parsePython } from "@agentgate/parsers";
import { factsOf } from "@agentgate/parsers/testing";
import type { FactsWriter, Operand } from "@agentgate/parsers/testing";
import { describe, expect, it } from "vitest";
import data from "./data/timeouts.json" with { type: "json" };
import { requireTimeout } from "./require-timeout.ts";
import type { RuleFinding } from "./rule.ts";
import { contextOf, shortly } from "./shared/testing.ts";

const LANGUAGES = ["python", "ecmascript"] as const;
type Language = (typeof LANGUAGES)[number];

function isPython(b: FactsWriter): boolean {
  return b.builder.draft.facts.language === "python";
}

/** `requests.get` or `axios.get`. */
function getter(b: FactsWriter): Operand {
  return isPython(b) ? b.member(b.import("requests"), "get") : b.member(b.from("axios", "default", { as: "axios" }), "get");
}

/** A call of it with a limit, as a keyword or an option. */
function get(b: FactsWriter, limit: Operand | null = null): Operand {
  const callee = getter(b);
  if (limit === null) return b.call(callee, [b.string("u")]);
  return isPython(b) ? b.call(callee, [b.string("u")], { named: { timeout: limit } }) : b.call(callee, [b.string("u"), b.table({ timeout: limit })]);
}

/** What takes the limit away: None, or 0 milliseconds. */
function none(b: FactsWriter): Operand {
  return isPython(b) ? b.constant(null) : b.number(0);
}

function judge(language: Language, write: (b: FactsWriter) => void, strict = false): RuleFinding[] {
  return requireTimeout.check(factsOf(language, write), contextOf({ strict }));
}

describe("what an answer that never comes keeps", () => {
  const javascript = (text: string): string[] => requireTimeout.check(parseEcmascript(text, { dialect: dialectOf("a.js") }), contextOf()).map(({ message }) => message);
  const python = (text: string): string[] => requireTimeout.check(parsePython(text), contextOf()).map(({ message }) => message);

  it("is the code that waits for the promise, and nothing is said where nobody does", () => {
    expect(javascript('import axios from "axios";\naxios.get(u);')).toEqual([]);
    expect(javascript('import axios from "axios";\naxios.get(u).then(() => console.log("sent")).catch(console.error);')).toEqual([]);
    expect(javascript('import axios from "axios";\naxios.get(u).then((answer) => show(answer));')[0]).toContain("never comes holds this code for ever.");
    expect(javascript('import axios from "axios";\nawait axios.get(u);')[0]).toContain("never comes holds this code for ever.");
    expect(javascript('import axios from "axios";\nexport const load = (u) => axios.get(u);')[0]).toContain("never comes holds this code for ever.");
  });

  it("is the code until the system gives up connecting where nothing is read", () => {
    const connect = "import socket\ns = socket.socket()\ns.connect((host, 6600))\n";
    expect(python(`${connect}s.send(line)`)[0]).toContain("never comes holds this code until the system gives up connecting");
    expect(python(`${connect}line = s.recv(80)`)[0]).toContain("never comes holds this code for ever.");
    const opened = 'import net from "node:net";\nconst s = net.connect(6600, host);\n';
    expect(javascript(`${opened}s.write(line);`)[0]).toContain("never comes holds this code until the system gives up connecting");
    expect(javascript(`${opened}s.on("data", take);`)[0]).toContain("never comes holds this code for ever.");
  });
});

describe.each(LANGUAGES)("require-timeout on hand-written facts of %s", (language) => {
  const api = language === "python" ? "requests.get" : "axios.get";

  it("reports a call without a limit at its last name, and says why and what to do", () => {
    const facts = factsOf(language, (b) => { get(b); });
    const [finding, ...rest] = requireTimeout.check(facts, contextOf());
    expect(rest).toEqual([]);
    expect(finding).toMatchObject({ severity: "warning", capability: "net", api, key: api, span: facts.calls[0]!.nameSpan });
    expect(finding!.message).toBe(
      `${api} is called without a timeout and has none by itself. An answer that never comes holds this code for ever. `
      + (language === "python" ? "Give it timeout=, in seconds." : "Give it timeout, in milliseconds."),
    );
  });

  it("accepts a limit, and one that comes in", () => {
    expect(judge(language, (b) => { get(b, b.number(5)); })).toEqual([]);
    expect(judge(language, (b) => { b.function("load", ["limit"], (limit) => { get(b, limit); }); })).toEqual([]);
  });

  it("reports a limit that is taken away, by its name too", () => {
    const [finding] = judge(language, (b) => { get(b, none(b)); });
    expect(finding!.message).toContain(language === "python" ? "is given timeout=None, which takes away any limit" : "is given timeout: 0, which takes away any limit");
    expect(judge(language, (b) => { get(b, b.let("LIMIT", none(b))); })).toHaveLength(1);
  });

  it("leaves it to the other branch where only one takes the limit away", () => {
    expect(judge(language, (b) => {
      b.function("load", ["stream"], () => {
        const limit = b.let("limit", none(b));
        b.let(limit.name, b.number(30));
        get(b, limit);
      });
    }).length).toBeLessThanOrEqual(1);
  });

  it("accepts what limits it from around: a call that it is handed to, by a name too", () => {
    expect(judge(language, (b) => { b.call(b.name("with_timeout"), [get(b), b.number(5)]); })).toEqual([]);
    expect(judge(language, (b) => {
      b.call(b.name("withDeadline"), [b.lambda([], () => get(b)), b.number(5)]);
    })).toEqual([]);
    expect(judge(language, (b) => { b.call(b.name("setTimeout"), [b.lambda([], () => get(b)), b.number(5)]); })).toHaveLength(1);
  });

  it("takes a parameter of the library's name for something else", () => {
    expect(judge(language, (b) => { b.function("load", ["requests", "axios"], (requests) => { b.call(b.member(requests, "get"), [b.string("u")]); }); })).toEqual([]);
  });

  it("is not overrun by options that name each other, nor by long chains of them", () => {
    const position = (b: FactsWriter, { name }: { readonly name: string }): void => {
      const options = b.name(name);
      if (isPython(b)) b.call(getter(b), [b.string("u"), b.builder.value({ kind: "spread", value: options, span: [0, 1] })]);
      else b.call(getter(b), [b.string("u"), options]);
    };
    const chain = (length: number): RuleFinding[] => judge(language, (b) => {
      let last = b.let("options0", b.table({ headers: b.number(1) }));
      for (let index = 1; index < length; index++) last = b.let(`options${String(index)}`, last);
      position(b, last);
    });
    expect(chain(20)).toHaveLength(1);
    // Past its bound the search gives up, and what it did not see may hold a limit.
    expect(chain(5000)).toEqual([]);
    expect(judge(language, (b) => {
      const options = b.let("options", b.table({}));
      b.let("options", options);
      position(b, options);
    })).toHaveLength(1);
  });
});

describe("require-timeout", () => {
  it("asks for a signal at fetch under strict only", () => {
    const write = (b: FactsWriter): void => { b.call(b.name("fetch"), [b.string("u")]); };
    expect(judge("ecmascript", write)).toEqual([]);
    expect(judge("ecmascript", write, true).map(shortly)).toEqual(["warning net fetch"]);
  });

  it("knows libraries that have a limit by themselves, and reports only where it is taken away", () => {
    const client = (limit: boolean): RuleFinding[] => judge("python", (b) => {
      b.call(b.member(b.import("openai"), "OpenAI"), [], limit ? {} : { named: { timeout: b.constant(null) } });
    });
    expect(client(true)).toEqual([]);
    expect(client(false).map(shortly)).toEqual(["warning model openai.OpenAI"]);
  });

  it("reports a client where it is made, unless each of its calls has a limit", () => {
    const pool = (limited: boolean): RuleFinding[] => judge("python", (b) => {
      const made = b.let("pool", b.call(b.member(b.import("urllib3"), "PoolManager")));
      b.call(b.member(made, "request"), [b.string("GET"), b.string("u")], limited ? { named: { timeout: b.number(3) } } : {});
    });
    expect(pool(true)).toEqual([]);
    expect(pool(false).map(shortly)).toEqual(["warning net urllib3.PoolManager"]);
  });

  it("has a source for every default, object and wrapper", () => {
    const entries = [...data.python, ...data.ecmascript, ...Object.values(data.objects), ...data.limits.python, ...data.limits.ecmascript, ...data.runners, ...data.alarms];
    expect(entries.filter(({ source }) => !source.startsWith("https://"))).toEqual([]);
  });

  it("says of every API without a default what to do", () => {
    const entries: readonly { readonly advice?: string; readonly unit?: string; readonly instead?: string; readonly of: readonly string[] }[] = [...data.python, ...data.ecmascript];
    expect(entries.filter(({ advice, unit, instead }) => instead === undefined && (advice === undefined || unit === undefined)).map(({ of }) => of)).toEqual([]);
  });
});
