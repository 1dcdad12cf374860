import { parseEcmascript, parsePython } from "@agentgate/parsers";
import type { ModuleFacts } from "@agentgate/parsers";
import { describe, expect, it } from "vitest";
import { fingerprintOf } from "./fingerprint.ts";
import { normalisedStatement } from "./tokens.ts";

interface Source {
  readonly facts: ModuleFacts;
  readonly text: string;
}

const python = (text: string): Source => ({ text, facts: parsePython(text) });
const typescript = (text: string): Source => ({ text, facts: parseEcmascript(text, { dialect: "typescript" }) });

/** The normalised statement around the first `@` mark's text. */
function statement({ facts, text }: Source, mark: string): string {
  const offset = text.indexOf(mark);
  const around = facts.statements.filter(([start, end]) => start <= offset && offset < end).sort((left, right) => left[1] - left[0] - (right[1] - right[0]));
  return normalisedStatement(facts, text, around[0]!);
}

describe("a statement without what does not matter", () => {
  it("numbers the locals of functions in order of appearance", () => {
    const one = statement(python("def f(url, body):\n    answer = httpx.post(url, json=body, t=url)\n"), "httpx");
    const other = statement(python("def g(address, payload):\n    r = httpx.post(address, json=payload, t=address)\n"), "httpx");
    expect(one).toBe(other);
    expect(one).toContain("$2 , json = $3 , t = $2");
    expect(statement(python("def g(a, b):\n    r = httpx.post(b, json=a, t=a)\n"), "httpx")).not.toBe(one);
    expect(statement(python("def g(a, b):\n    r = httpx.post(b, json=a, t=b)\n"), "httpx")).toBe(one);
  });

  it("keeps the names of the module, and of members and keywords", () => {
    const text = "LIMIT = 1\ndef f(json):\n    httpx.post(LIMIT, json=json, x=json.json)\n";
    expect(statement(python(text), "httpx")).toBe("httpx . post ( LIMIT , json = $1 , x = $1 . json )");
  });

  it("drops comments, layout and trailing commas in Python", () => {
    const one = statement(python("def f(a):\n    httpx.post(a, [1, 2])\n"), "httpx");
    const other = statement(python("def f(abc):\n\n    # x\n    httpx.post(  # why\n        abc,\n        [1, # one\n         2,],\n    )\n"), "httpx");
    expect(other.replace(" , )", " )")).toBe(one);
  });

  it("drops comments, layout, semicolons and trailing commas in TypeScript", () => {
    const one = statement(typescript("function f(a) { fetch(a, { x: 1 }); }"), "fetch");
    const other = statement(typescript("function f(b)\n{\n  // x\n  fetch(\n    b, /* y */ {\n x: 1,\n },\n  )\n}"), "fetch");
    expect(other).toBe(one);
  });

  it("numbers locals inside f-strings and templates", () => {
    expect(statement(python('def f(host):\n    httpx.get(f"https://{host}/x")\n'), "httpx")).toBe(statement(python("def f(h):\n    httpx.get(f'https://{h}/x')\n"), "httpx"));
    expect(statement(typescript("function f(host) { fetch(`https://${host}/${ {a: host}.a }`) }"), "fetch")).toBe(statement(typescript("function f(h) { fetch(`https://${ h }/${{ a: h }.a}`) }"), "fetch"));
  });

  it("does not take what is in text for a comment, nor text for layout", () => {
    expect(statement(python('def f():\n    get("a # b  c")\n'), "get")).not.toBe(statement(python('def f():\n    get("a # b c")\n'), "get"));
    expect(statement(typescript('function f() { get("http://a") }'), "get")).not.toBe(statement(typescript('function f() { get("http://b") }'), "get"));
    expect(statement(typescript("function f() { get(/[/]'\"`/, 1) }"), "get")).not.toBe(statement(typescript("function f() { get(/[/]'\"`/, 2) }"), "get"));
  });

  it("ends on text that is cut or hostile", () => {
    for (const text of ["'", '"""', "`${", "f'{", "/*", "/", "\\", "#", "\ud800", "`".repeat(5000), "${".repeat(5000), "'\\"]) {
      for (const source of [python("x = 1"), typescript("x = 1")]) expect(typeof normalisedStatement(source.facts, text, [0, text.length])).toBe("string");
    }
  });
});

describe("a fingerprint", () => {
  const source = python("def f(u):\n    httpx.get(u)\n    httpx.get(u)\n    httpx.put(u)\n");
  const finding = (statementIndex: number, key = "httpx"): string => fingerprintOf("no-invented-io", { capability: "net", key, statement: statementIndex }, source.facts, source.text);
  const indexOf = (offset: number): number => source.facts.statements.findIndex(([start]) => start === offset);

  it("is a SHA-256 that place and name do not change", () => {
    const first = finding(indexOf(source.text.indexOf("httpx")));
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(finding(indexOf(source.text.indexOf("httpx", 20)))).toBe(first);
    const moved = python("import x\n\n\ndef other(a):\n  httpx.get(a)\n");
    expect(fingerprintOf("no-invented-io", { capability: "net", key: "httpx", statement: moved.facts.statements.findIndex(([start]) => start === moved.text.indexOf("httpx")) }, moved.facts, moved.text)).toBe(first);
  });

  it("changes with the rule's key and the statement", () => {
    const first = finding(indexOf(source.text.indexOf("httpx")));
    expect(finding(indexOf(source.text.indexOf("httpx.put")))).not.toBe(first);
    expect(finding(indexOf(source.text.indexOf("httpx")), "other")).not.toBe(first);
  });

  it("takes a long statement with many findings in one pass", () => {
    const text = `x = [${"eval(a),".repeat(20_000)}]\n`;
    const facts = parsePython(text);
    const prints = new Set(Array.from({ length: 20_000 }, () => fingerprintOf("r", { capability: "code", key: "eval", statement: 1 }, facts, text)));
    expect(prints.size).toBe(1);
  });
});
