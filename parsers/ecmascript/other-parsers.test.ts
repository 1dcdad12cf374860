import { expect, it } from "vitest";
import { factsFromEstree } from "./index.ts";
import { parseText } from "./oxc.ts";

type Tree = Parameters<typeof factsFromEstree>[0];

/** The tree of a text, changed into what other parsers make of a text of theirs. */
function factsOf(text: string, change: (statement: Record<string, never>) => void): ReturnType<typeof factsFromEstree> {
  const program = structuredClone(parseText(text, "typescript").program) as unknown as { readonly body: Record<string, never>[] };
  change(program.body[0]!);
  return factsFromEstree(program as unknown as Tree, [], text, "typescript");
}

it("reads the type parameters of Flow, whose names are no nodes", () => {
  const facts = factsOf("function g<T>(x: T) { eval(x); }", (statement) => {
    const [parameter] = (statement["typeParameters"] as unknown as { params: Record<string, unknown>[] }).params;
    Object.assign(parameter!, { type: "TypeParameter", name: "T", variance: null, bound: null });
  });
  expect(facts.problems).toEqual([]);
  expect(facts.calls).toHaveLength(1);
});

it("reads an export of a default by its name, and of everything beside names", () => {
  for (const [type, imported] of [["ExportDefaultSpecifier", "default"], ["ExportNamespaceSpecifier", "*"]] as const) {
    const facts = factsOf('export { v, exec } from "node:child_process";', (statement) => {
      delete (statement as Record<string, unknown>)["declaration"];
      const [first] = statement["specifiers"] as unknown as Record<string, unknown>[];
      delete first!["local"];
      Object.assign(first!, { type });
    });
    expect(facts.imports[0]?.names.map((name) => name.imported)).toEqual([imported, "exec"]);
    expect(facts.exports.map((one) => [one.name, one.imported])).toEqual([["v", imported], ["exec", "exec"]]);
  }
});

it("keeps what is inside of an operator that it does not know", () => {
  const facts = factsOf("const z = void eval(x);", (statement) => {
    const [declared] = statement["declarations"] as unknown as { init: { operator: string } }[];
    declared!.init.operator = "throw";
  });
  expect(facts.calls).toHaveLength(1);
  expect(facts.values.some(({ kind }) => kind === "opaque")).toBe(true);
});
