import { parseEcmascript, parsePython } from "@agentgate/parsers";
import { givenAround, givenBy, givenThrough } from "@agentgate/rules";
import { describe, expect, it } from "vitest";
import { returnsOther } from "./returns.ts";
import { breaks, driftBetween } from "./signature.ts";
import { surfaceOf } from "./surface.ts";

const python = (text: string) => surfaceOf(parsePython(text), text);
const typescript = (text: string) => surfaceOf(parseEcmascript(text, { dialect: "typescript" }), text);
const signature = (surface: ReturnType<typeof python>) => surface.names.get("f")!.signature!;

describe("contract-drift: what a module offers", () => {
  it("is every name that it exports, in Python those that others can take: what it imports, and what it keeps for itself", () => {
    const { names, isOpen } = python("from x import taken\n_own = 1\n__version__ = 1\nLIMIT = 2\n\n\nclass A:\n    def __init__(self, b):\n        pass\n\n\ndef f(a): ...\n");
    expect([...names].map(([name, { kind }]) => `${name} ${kind}`)).toEqual(["taken value", "_own value", "LIMIT value", "A class", "f function"]);
    expect(names.get("A")!.signature!.positional.map(({ name }) => name)).toEqual(["b"]);
    expect(isOpen).toBe(false);
    expect([...typescript("export const a = 1; const b = 2; export { b as c }; export default class {}; export type T = string;").names.keys()]).toEqual(["a", "c", "default"]);
  });

  it("is open where it gives names that it does not name", () => {
    for (const text of ["from x import *\n", "def __getattr__(name): ...\n"]) expect(python(text).isOpen).toBe(true);
    for (const text of ['export * from "./x";', "module.exports = make();"]) expect(typescript(text).isOpen).toBe(true);
  });

  it("is not told how it is called behind a decorator, or under a condition", () => {
    for (const text of ["@task\ndef f(a): ...\n", "if x:\n    def f(a): ...\nelse:\n    def f(b): ...\n"]) expect(python(text).names.get("f")!.signature).toBeNull();
    // Of overloads the one with a body is compared.
    expect(signature(typescript("export function f(a: string): void; export function f(a: number, b?: unknown): void {}")).positional).toHaveLength(2);
  });

  it("declares what it returns", () => {
    const returns = (text: string) => typescript(text).names.get("f")!.returns;
    expect(returns("export function f(): { a: string } | null { return null; }")).toBe("{ a: string } | null");
    expect(returns("export const f = (a = g(1)): Promise<Map<string, () => void>> => a;")).toBe("Promise<Map<string, () => void>>");
    expect(returns("export function f(a: string) { return { a }; }")).toBeNull();
    expect(python("def f(a) -> dict[str, int]: ...\n").names.get("f")!.returns).toBe("dict[str, int]");
  });
});

describe("contract-drift: two signatures", () => {
  it.each([
    ["def f(a, b): ...", "def f(a): ...", "lost"], ["def f(a, b): ...", "def f(b, a): ...", "reordered"], ["def f(a): ...", "def f(a, b): ...", "required"],
    ["def f(a, b=1): ...", "def f(a, b): ...", "required"], ["def f(a): ...", "def f(c): ...", "renamed"], ["def f(a): ...", "def f(a, *, b): ...", "required"],
    ["def f(a): ...", "def f(a, b=1, *c, **d): ...", null], ["def f(a, b): ...", "def f(*a, **b): ...", null], ["def f(a, b): ...", "def f(a, b): return 1", null],
  ])("%s and %s", (before, after, kind) => {
    expect(driftBetween(signature(python(`${before}\n`)), signature(python(`${after}\n`)))?.kind ?? null).toBe(kind);
  });

  it.each([
    ["(a: string, b: number)", "(a: string)", "lost"], ["(a: string, b: number)", "(b: number, a: string)", "reordered"], ["(a: string)", "(a: string, b: number)", "required"],
    ["(a: string, b?: number)", "(a: string, b: number)", "required"], ["(a: string)", "(c: string)", null], ["(a: string)", "(a: string, b?: number, ...c: string[])", null], ["(a: string, b: number)", "(...a: unknown[])", null],
  ])("%s and %s", (before, after, kind) => {
    expect(driftBetween(signature(typescript(`export function f${before} {}`)), signature(typescript(`export function f${after} {}`)))?.kind ?? null).toBe(kind);
  });

  it.each([
    ["f(1)", "def f(a, b): ...", true], ["f(1, 2)", "def f(a, b): ...", false], ["f(1, b=2)", "def f(a, b): ...", false], ["f(*x)", "def f(a, b): ...", false], ["f(**x)", "def f(a): ...", false], ['f(1, **{"c": 2})', "def f(a): ...", true], ["f(1, *x, c=2)", "def f(a): ...", true], ["f(1, c=2)", "def f(a, **more): ...", false], ["f(1, c=2)", "def f(a, b=0): ...", true], ["f(1, 2, 3)", "def f(a, b): ...", true],
  ])("%s of %s", (call, after, broken) => {
    const facts = parsePython(`${call}\n`);
    const now = signature(python(`${after}\n`));
    expect(breaks(givenBy(facts, facts.calls[0]!), { before: now, after: now, isNew: false })).toBe(broken);
  });
});

describe("contract-drift: what is given without a plain call", () => {
  const shown = (facts: ReturnType<typeof parsePython>, text: string) => facts.calls.map((call) => {
    const callee = facts.values[call.callee];
    const giving = callee?.kind === "member" ? givenThrough(facts, callee.property!, call) : givenAround(facts, call.arguments[0]?.value ?? -1, call) ?? givenBy(facts, call);
    return giving === null ? null : `${giving.arguments.map(({ name, value }) => `${name ?? ""} ${text.slice(...facts.values[value]!.span)}`.trim()).join(", ")}${giving.isPartial ? " …" : ""}`;
  });

  it.each([
    ["from functools import partial\ng = partial(f, 1, b=2)\ng(3)\n", ["1, b 2 …", "1, b 2, 3"]],
    ["g = make(f)\ng(3)\n", ["f", "3 …"]],
  ])("%j", (text, expected) => expect(shown(parsePython(text), text)).toEqual(expected));

  it.each([
    ["const g = f.bind(null, 1); g(2);", ["1 …", "1, 2"]], ["f.call(this, 1, ...x);", ["1 …"]], ["f.apply(null, [1, 2]);", ["1, 2"]], ["f.apply(null, x);", [null]],
  ])("%j", (text, expected) => expect(shown(parseEcmascript(text, { dialect: "typescript" }), text)).toEqual(expected));
});

describe("contract-drift: two types of an answer", () => {
  it.each([
    ["str", "str | None", true], ["Optional[str]", "str", false], ["Optional[Dict[str, int]]", "dict[str, int] | None", false], ['"Foo"', "Foo", false], ["typing.List[int]", "list[int]", false], ["t.Dict[str, t.Optional[str]]", "dict[str, None | str]", false], ["list[Union[int, str]]", "list[int | bytes]", true], ["Map<string, A | B>", "Map<string, B | A>", false], ["Promise<A | B>", "Promise<A>", true], ["Union[int, str]", "str | int", false],
    ["string", "Promise<string>", true], ["A | B", "B", false], ["{ a: string | null }", "{ a: string }", true], ["(a: string) => void | null", "(a: string) => void | null", false],
  ])("%s and %s", (before, after, other) => {
    expect(returnsOther(before, after)).toBe(other);
  });
});
