import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { FACTS_VERSION, decodePython, dialectOf, moduleKindOf, parseEcmascript, parsePython } from "@agentgate/parsers";
import type { Argument, Binding, Call, Export, Field, FunctionFacts, Import, ImportName, ModuleFacts, Parameter, Reference, Span, Statement, Use, Value } from "@agentgate/parsers";
import { describe, expect, it } from "vitest";
import { decodeFacts, encodeFacts } from "./facts-code.ts";

const fixtures = path.join(import.meta.dirname, "../../fixtures");

/** Every field is there: one that is added to the facts makes this file fail to compile until it is here too. */
type Full<T> = T extends unknown ? Required<T> : never;
type FullOf<T, K> = Full<Extract<T, { kind: K }>>;

const span: Span = [3, 9];
const reference: Full<Reference> = { module: "m", path: ["a", "b"], through: "decoded", instance: true, computed: true };
const argument: Full<Argument> = { value: 1, name: "timeout" };
const call: Full<Call> = { callee: 1, arguments: [argument, { value: 2 }], construct: true, tagged: true, decorator: true, awaited: true, span, nameSpan: span, function: 0, statement: 4, references: [reference] };
const use: Full<Use> = { references: call.references, role: "base", call: 0, value: 5, span: [0, 300], function: 0, statement: 0 };
const binding: Full<Binding> = { name: "__proto__", scope: 0, kind: "type", span, values: [1, 200, 70_000], annotation: 0, rebound: true };
const importName: Full<ImportName> = { imported: "default", binding: -1, span, typeOnly: true };
const imported: Full<Import> = { form: "reexport", specifier: "./x", names: [importName], span, specifierSpan: span, function: 0, typeOnly: true, typeChecking: true, optional: true };
const parameter: Full<Parameter> = { name: "p", binding: 0, kind: "keyword-rest", default: 0, annotation: null, pattern: true, span };
const field: Full<Field> = { name: "f", value: null, annotation: 3, static: true, span };
const exported: Full<Export> = { name: "*", value: null, import: 0, imported: "default", span, typeOnly: true };

const values: readonly { [K in Value["kind"]]: FullOf<Value, K> }[Value["kind"]][] = [
  { kind: "string", value: "\ud800 half, “quoted” \u0000", span, bytes: true, docstring: true },
  ...[0, 1, 4294967295, 4294967296, -1, -0, 1.5, NaN, Infinity, -Infinity].map((value) => ({ kind: "number", value, span }) as const),
  ...[true, false, null].map((value) => ({ kind: "constant", value, span, undefined: true }) as const),
  { kind: "name", name: "constructor", binding: -1, span },
  { kind: "member", object: 0, property: "p", key: null, propertySpan: span, subscript: true, optional: true, span },
  { kind: "member", object: 0, property: null, key: 0, propertySpan: span, subscript: true, optional: true, span },
  { kind: "call", call: 0, span }, { kind: "function", function: 0, span }, { kind: "class", class: 0, span },
  { kind: "list", items: [0, 1], form: "set", span }, { kind: "table", entries: [{ key: null, value: 0 }, { key: 0, value: 1 }], span },
  { kind: "spread", value: 0, span }, { kind: "template", parts: [0], span, tag: 0 },
  { kind: "logical", operator: "??", left: 0, right: 1, span }, { kind: "conditional", test: 0, then: 1, else: 2, span },
  { kind: "binary", operator: "instanceof", left: 0, right: 1, span }, { kind: "unary", operator: "delete", value: 0, span },
  { kind: "await", value: 0, span }, { kind: "yield", value: null, span, delegate: true }, { kind: "assigned", value: 0, span },
  { kind: "comprehension", element: 0, iterables: [1], lazy: true, span }, { kind: "self", class: 0, span },
  { kind: "imported", import: 0, path: ["a"], span }, { kind: "parameter", function: 0, index: 1, span },
  { kind: "item", of: 0, index: null, span }, { kind: "item", of: 0, index: 0, span }, { kind: "caught", types: [0], span },
  { kind: "regex", pattern: "^a$", span }, { kind: "opaque", of: [], span: [9, 3] },
];

const leaf: Statement = { kind: "expression", value: 0, at: 0 };
const body: readonly { [K in Statement["kind"]]: FullOf<Statement, K> }[Statement["kind"]][] = [
  { kind: "assign", targets: [0], value: 1, operator: "+=", at: 0 }, { kind: "call", call: 0, at: 0 },
  { kind: "test", test: 0, then: [leaf], else: [leaf, leaf], at: 1 },
  { kind: "loop", form: "each", test: null, targets: [0], iterable: 0, before: [leaf], update: [], body: [leaf], otherwise: [], label: "l", keywordSpan: span, at: 2 },
  { kind: "try", body: [leaf], handlers: [{ types: [0], binding: -1, body: [leaf], span }], otherwise: [], finally: [leaf], at: 3 },
  { kind: "with", items: [0], body: [leaf], at: 4 }, { kind: "block", body: [leaf], label: "b", at: 5 },
  { kind: "jump", to: "raise", label: "l", value: 0, at: 6 }, { kind: "return", value: null, at: 7 }, { kind: "expression", value: 0, at: 8 },
  { kind: "define", function: 0, class: 0, at: 9 },
];

const fn: Full<FunctionFacts> = { name: "<module>", kind: "module", async: true, generator: true, static: true, parameters: [parameter], returnAnnotation: null, decorators: [0], span, nameSpan: span, parent: -1, class: -1, scope: 0, body };

function named<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  const table = Object.create(null) as Record<string, T>;
  for (const [name, value] of entries) table[name] = value;
  return table;
}

const everything: Required<ModuleFacts> = {
  version: FACTS_VERSION, language: "ecmascript", dialect: "declaration", lines: [0, 5, 700], length: 701, generated: true, types: [{ value: 0, reference: null }, { value: 1, reference: { module: "@prisma/client", path: ["PrismaClient"], instance: true, through: "annotation" } }], imports: [imported], values, bindings: [binding],
  scopes: [{ kind: "module", parent: -1, function: 0, names: named([["__proto__", 0], ["constructor", 1], ["7", 2]]) }],
  calls: [call], uses: [use], functions: [fn],
  classes: [{ name: "C", bases: [0], decorators: [], fields: [field], span, nameSpan: span, function: 0, binding: -1, attributes: named([["__proto__", [0, 1]]]) }],
  statements: [span, [700, 701]], exports: [exported], directives: [{ text: " type: ignore", span, line: 1, ownLine: false }], problems: [{ message: "odd", span }],
};

function factsOfFile(file: string): ModuleFacts {
  const bytes = readFileSync(file);
  if (file.endsWith(".py")) return parsePython(decodePython(bytes).text);
  const moduleKind = moduleKindOf(file);
  return parseEcmascript(bytes.toString(), { dialect: dialectOf(file), ...(moduleKind === undefined ? {} : { moduleKind }) });
}

const files = readdirSync(fixtures, { recursive: true, encoding: "utf8" }).filter((name) => /\.(?:py|[cm]?[jt]sx?)$/.test(name)).sort();

describe("encoded facts", () => {
  it("come back whole, every field of every kind", () => {
    const back = decodeFacts(encodeFacts(everything));
    expect(back).toStrictEqual(everything);
    expect(Object.getPrototypeOf(back.scopes[0]!.names)).toBeNull();
    expect(Object.getPrototypeOf(back.classes[0]!.attributes)).toBeNull();
  });

  it("come back whole without any optional field", () => {
    const bare = JSON.parse(JSON.stringify(everything, (_, value: unknown) => (value === true ? undefined : value))) as ModuleFacts;
    for (const scope of bare.scopes) Object.setPrototypeOf(scope.names, null);
    for (const one of bare.classes) Object.setPrototypeOf(one.attributes, null);
    const numbers = { ...bare, values: bare.values.filter(({ kind }) => kind !== "number" && kind !== "constant") };
    expect(decodeFacts(encodeFacts(numbers))).toStrictEqual(numbers);
  });

  it("come back whole from every fourth fixture of both languages", () => {
    expect(files.length).toBeGreaterThan(200);
    for (const file of files.filter((_, index) => index % 4 === 0)) {
      const facts = factsOfFile(path.join(fixtures, file));
      expect(decodeFacts(encodeFacts(facts)), file).toStrictEqual(facts);
    }
  });

  it("are the same bytes when they are encoded again", () => {
    const bytes = encodeFacts(everything);
    expect(Buffer.from(encodeFacts(decodeFacts(bytes))).equals(bytes)).toBe(true);
  });

  it("share the list of references that a call and its use have", () => {
    const back = decodeFacts(encodeFacts(everything));
    expect(back.uses[0]!.references).toBe(back.calls[0]!.references);
  });

  it("refuse what is no number of theirs", () => {
    expect(() => encodeFacts({ ...everything, length: -2 })).toThrow(RangeError);
    expect(() => encodeFacts({ ...everything, statements: [[0.5, 1]] })).toThrow(RangeError);
  });
});

describe("damaged bytes", () => {
  const bytes = encodeFacts(everything);

  it("throw where they are cut off, at any place, or go on", () => {
    for (let length = 0; length < bytes.length; length++) expect(() => decodeFacts(bytes.subarray(0, length)), `${length}`).toThrow(RangeError);
    expect(() => decodeFacts(Buffer.concat([bytes, Buffer.alloc(1)]))).toThrow(RangeError);
  });

  it("throw or are other facts, and never hang or end otherwise, whichever byte is another", () => {
    for (let at = 0; at < bytes.length; at++) {
      for (const bit of [1, 64, 128, 255]) {
        const other = Buffer.from(bytes);
        other[at]! ^= bit;
        try {
          expect(decodeFacts(other)).toHaveProperty("values");
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }
    }
  });

  it("that nest without end throw", () => {
    // One body in a body in a body, as no writer makes them.
    const nested = (depth: number): ModuleFacts => {
      let inner: Statement[] = [];
      for (let level = 0; level < depth; level++) inner = [{ kind: "block", body: inner, at: 0 }];
      return { ...everything, functions: [{ ...fn, body: inner }] };
    };
    expect(decodeFacts(encodeFacts(nested(1000)))).toStrictEqual(nested(1000));
    expect(() => decodeFacts(encodeFacts(nested(2500)))).toThrow(RangeError);
  });
});
