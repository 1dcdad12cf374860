import { factsOf } from "@agentgate/parsers/testing";
import type { FactsWriter } from "@agentgate/parsers/testing";
import type { ModuleFacts } from "@agentgate/parsers";
import { describe, expect, it } from "vitest";
import { noUngatedWrite } from "./no-ungated-write.ts";
import type { Gate } from "./rule.ts";
import { contextOf, lineOf } from "./shared/testing.ts";
import type { TreeInput } from "./shared/testing.ts";

const gate = (name: string, more: Partial<Gate> = {}): Gate => ({ name, module: null, scope: "tree", line: 4, ...more });
const POST = { python: ["requests", "requests"], ecmascript: ["axios", "axios"] } as const;

describe.each(["python", "ecmascript"] as const)("no-ungated-write, %s", (language) => {
  const [client] = POST[language];
  const name = language === "python" ? "write_gate" : "writeGate";

  /** A module that imports the client and the gate. */
  function module(write: (b: FactsWriter, post: () => number, gated: ReturnType<FactsWriter["from"]>) => void): ModuleFacts {
    return factsOf(language, (b) => {
      const http = language === "python" ? b.import(client) : b.from(client, "default", { as: client });
      const gated = b.from("./gate", name);
      write(b, () => b.call(b.member(http, "post"), [b.string("https://x.example/orders")]), gated);
    });
  }

  /** What defines the gate. */
  const gateModule = factsOf(language, (b) => {
    const named = b.function(name, ["run"], (run) => { b.return(b.call(run)); });
    b.export(name, named);
  });

  function linesOf(facts: ModuleFacts, input: TreeInput): number[] {
    return noUngatedWrite.check(facts, contextOf(input)).map((finding) => lineOf(facts, finding));
  }

  it("reports the write at the callee's last name, with its capability and what binds the module", () => {
    const facts = module((_b, post) => { post(); });
    const [finding, ...others] = noUngatedWrite.check(facts, contextOf({ gates: [gate(name)] }));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ severity: "error", capability: "net", key: client, span: facts.calls[0]!.nameSpan });
    expect(finding!.message).toBe(`${client}.post sends a change over the network outside of ${name}, the gate that agentgate.yml declares on line 4. Nothing checks or records the write before it happens. Make the call in a callback that ${name} is given.`);
  });

  it("is silent inside of the gate, and reports what runs before it", () => {
    const facts = module((b, post, gated) => {
      b.call(gated, [b.lambda([], () => post())]);
      b.call(gated, [post()]);
    });
    const findings = noUngatedWrite.check(facts, contextOf({ gates: [gate(name)] }));
    const posts = facts.calls.filter((call) => facts.values[call.callee]!.kind === "member");
    expect(findings.map((finding) => finding.span)).toEqual([posts[1]!.nameSpan]);
  });

  it("tells who calls the function from outside of the gate", () => {
    const facts = module((b, post, gated) => {
      const send = b.function("send", [], () => { post(); });
      b.call(gated, [send]);
      b.function("hurry", [], () => { b.call(send); });
    });
    const [finding] = noUngatedWrite.check(facts, contextOf({ gates: [gate(name)] }));
    expect(finding!.related).toEqual([{ span: facts.calls.at(-1)!.nameSpan, message: "send is called here, outside of the gate" }]);
    expect(finding!.message).toContain(`send, which makes it, is called without ${name} in src/app.`);
  });

  it("is bound by a found gate only where that is taken in", () => {
    const bound = module((_b, post) => { post(); });
    const free = factsOf(language, (b) => {
      const http = language === "python" ? b.import(client) : b.from(client, "default", { as: client });
      b.call(b.member(http, "post"), [b.string("https://x.example/orders")]);
    });
    expect(linesOf(bound, { modules: { "./gate": gateModule } })).toHaveLength(1);
    expect(linesOf(free, { modules: { "./gate": gateModule } })).toEqual([]);
    expect(linesOf(free, { modules: { "./gate": gateModule }, gates: [gate(name, { scope: "importers" })] })).toEqual([]);
    expect(linesOf(free, { modules: { "./gate": gateModule }, gates: [gate(name)] })).toHaveLength(1);
  });

  it("asks for no gate where there is none, but under strict", () => {
    const facts = module((_b, post) => { post(); });
    expect(linesOf(facts, {})).toEqual([]);
    const [finding] = noUngatedWrite.check(facts, contextOf({ strict: true }));
    expect(finding!.message).toContain("no gate is declared or found");
  });

  it("is a warning where only a conventional name tells the client", () => {
    const facts = factsOf(language, (b) => {
      b.function("save", ["session", "row"], (session, row) => { b.call(b.member(session, "post"), [b.string("https://x.example/orders"), row]); });
    });
    expect(noUngatedWrite.check(facts, contextOf({ gates: [gate(name)] })).map(({ severity }) => severity)).toEqual(["warning"]);
  });

  it("is silent in the gate's own module", () => {
    const own = factsOf(language, (b) => {
      const http = language === "python" ? b.import(client) : b.from(client, "default", { as: client });
      const note = b.function("note", [], () => { b.call(b.member(http, "post"), [b.string("https://x.example/audit")]); });
      const named = b.function(name, ["run"], (run) => {
        b.call(note);
        b.return(b.call(run));
      });
      if (language === "ecmascript") b.export(name, named);
    });
    expect(linesOf(own, { gates: [gate(name)], definers: { [name]: ["src/app"] } })).toEqual([]);
    expect(linesOf(own, {})).toEqual([]);
  });

  it("says what importers depend on, and the same as long as the gate does the same", () => {
    const influences = noUngatedWrite.influences!(gateModule, contextOf({}));
    expect(influences.map((each) => [each.name, each.key])).toEqual([[name, `gate ${name} function runs`]]);
    const lost = factsOf(language, (b) => { b.function(name, ["run"], (run) => { b.return(run); }); });
    expect(noUngatedWrite.influences!(lost, contextOf({}))).toEqual([]);
  });

  it("reads a table of 5,000 callbacks and functions that call each other", () => {
    const facts = module((b, post, gated) => {
      const functions = Array.from({ length: 300 }, (_, index) => b.function(`f${String(index)}`, [], () => {
        post();
        b.call(b.name(`f${String((index + 7) % 300)}`));
        b.call(b.name(`f${String((index * 3) % 300)}`));
      }));
      b.let("table", b.table(Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${String(index)}`, functions[index % 300]!]))));
      b.call(gated, [b.name("table")]);
    });
    expect(linesOf(facts, { gates: [gate(name)] }).length).toBeLessThanOrEqual(300);
  });
});
