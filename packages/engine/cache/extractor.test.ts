import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { makeTree } from "../testing/tree.ts";
import { extractorId } from "./extractor.ts";

/** A worker as an installation has it. */
function installation(): { readonly root: string; readonly id: () => string | null } {
  const root = makeTree({
    "dist/worker.js": 'import "./chunks/parsers-A1B2.js";\n', "dist/assets/grammar.wasm": "grammar", "node_modules/oxc-parser/package.json": '{"version":"1.0.0"}',
  });
  return { root, id: () => extractorId(pathToFileURL(path.join(root, "dist/worker.js"))) };
}

it("is the same for the same installation in another place", () => {
  const id = installation().id();
  expect(id).toMatch(/^[0-9a-f]{64}$/);
  expect(installation().id()).toBe(id);
});

it.each(["dist/worker.js", "dist/assets/grammar.wasm", "node_modules/oxc-parser/package.json"])("is another when %s is", (file) => {
  const { root, id } = installation();
  const before = id();
  appendFileSync(path.join(root, file), " ");
  expect(id()).not.toBe(before);
});

it("is another with one more grammar, and no matter what else lies there", () => {
  const { root, id } = installation();
  const before = id();
  mkdirSync(path.join(root, "dist/assets/rules"));
  writeFileSync(path.join(root, "dist/assets/rules/page.md"), "");
  expect(id()).toBe(before);
  writeFileSync(path.join(root, "dist/assets/other.wasm"), "");
  expect(id()).not.toBe(before);
});

it("is unknown without a worker", () => {
  expect(extractorId(pathToFileURL(path.join(makeTree({}), "worker.js")))).toBeNull();
});
