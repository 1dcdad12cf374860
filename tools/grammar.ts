import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";

interface NodeType {
  readonly type: string;
  readonly named: boolean;
  readonly subtypes?: readonly unknown[];
  readonly fields?: Readonly<Record<string, { readonly multiple: boolean }>>;
}

/** The names of nodes, and by node its fields that can come more than once, as JSON. `text`: the grammar's own node-types.json. */
export function syntaxOf(text: string): string {
  const named = (JSON.parse(text) as NodeType[]).filter((one) => one.named && one.subtypes === undefined && one.type !== "comment");
  const multiple = named.flatMap(({ type, fields = {} }): [string, string[]][] => {
    const several = Object.keys(fields).filter((field) => fields[field]!.multiple);
    return several.length === 0 ? [] : [[type, several.sort()]];
  });
  return `${JSON.stringify({ types: [...named.map(({ type }) => type), "ERROR"].sort(), multiple: Object.fromEntries(multiple) }, null, 2)}\n`;
}

if (process.argv[1] === "tools/grammar.ts") {
  const types = createRequire(path.resolve("package.json")).resolve("tree-sitter-python/src/node-types.json");
  writeFileSync("parsers/python/syntax.json", syntaxOf(readFileSync(types, "utf8")));
}
