import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { parseSync } from "oxc-parser";
import { Language, Parser } from "web-tree-sitter";
import type { SourceText } from "./corpus.ts";

const require = createRequire(path.resolve("package.json"));

/** A parser alone: takes a text, returns how much it made. */
export type RawParse = (source: SourceText) => number;

/** tree-sitter with the Python grammar; the tree is made and freed, not read. */
export async function rawPython(): Promise<RawParse> {
  await Parser.init();
  const grammar = require.resolve("tree-sitter-python/tree-sitter-python.wasm");
  const parser = new Parser().setLanguage(await Language.load(readFileSync(grammar)));
  return ({ text }) => {
    const tree = parser.parse(text);
    const made = tree?.rootNode.childCount ?? 0;
    tree?.delete();
    return made;
  };
}

/** oxc with its tree read into JavaScript, which it only does when asked for. */
export function rawEcmascript(source: SourceText): number {
  const lang = /\.[mc]?ts$/.test(source.path) ? "ts" : source.path.endsWith(".tsx") ? "tsx" : "jsx";
  const sourceType = lang === "jsx" ? "unambiguous" : "module";
  return parseSync(`source.${lang}`, source.text, { lang, sourceType, astType: "ts", range: true, preserveParens: false }).program.body.length;
}
