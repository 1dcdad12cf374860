import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { parseForESLint } from "@typescript-eslint/parser";
import { describe, expect, it } from "vitest";
import type { Dialect, ModuleFacts } from "../facts.ts";
import { dialectOf, factsFromEstree, moduleKindOf, parseEcmascript } from "./index.ts";
import type { Comment } from "./index.ts";
import type { Node } from "./estree.ts";

const MODULES = path.join(import.meta.dirname, "../../node_modules");
const SOURCE = /\.(?:[mc]?js|[mc]?ts|tsx|jsx)$/;
/** Larger files are bundles of what the small ones show. */
const MAX_BYTES = 30_000;
const WANTED = 2100;
/** About fifteen seconds of work, on a machine that may be doing other things. */
const TIMEOUT = 300_000;

/** Sources below a folder in the order of their paths. */
function* sources(folder: string): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith(".")) yield* sources(file);
    else if (entry.isFile() && SOURCE.test(entry.name) && statSync(file).size <= MAX_BYTES) yield file;
  }
}

/** The files that are compared: spread evenly over all installed packages, the same ones each time. */
function chosen(): string[] {
  const all = [...sources(MODULES)];
  return all.filter((_, index) => Math.floor((index * WANTED) / all.length) !== Math.floor(((index - 1) * WANTED) / all.length));
}

/** Facts of the tree that ESLint would have, or why there is none. */
function factsOfTypescript(text: string, dialect: Dialect): ModuleFacts | string {
  try {
    const { ast } = parseForESLint(text, {
      range: true, comment: true, sourceType: "module", ecmaFeatures: { jsx: dialect !== "typescript" && dialect !== "declaration" },
      ...(dialect === "declaration" && { filePath: "source.d.ts" }),
    });
    return factsFromEstree(ast as unknown as Node, (ast as unknown as { comments: readonly Comment[] }).comments, text, dialect);
  } catch (error) {
    return String(error);
  }
}

describe("oxc and @typescript-eslint/parser", () => {
  it("give the same facts of installed packages", { timeout: TIMEOUT }, () => {
    const different: string[] = [];
    const refused: string[] = [];
    let same = 0;
    for (const file of chosen()) {
      const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
      const dialect = dialectOf(file);
      const moduleKind = moduleKindOf(file);
      const ours = parseEcmascript(text, { dialect, ...(moduleKind !== undefined && { moduleKind }) });
      const theirs = ours.problems.length > 0 ? ours.problems[0]!.message : factsOfTypescript(text, dialect);
      if (typeof theirs === "string") refused.push(`${path.relative(MODULES, file)}: ${theirs}`);
      else if (JSON.stringify(ours) === JSON.stringify(theirs)) same++;
      else different.push(path.relative(MODULES, file));
    }
    expect(different).toEqual([]);
    expect(refused).toEqual([]);
    expect(same).toBeGreaterThanOrEqual(2000);
  });
});
