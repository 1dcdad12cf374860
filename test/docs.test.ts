import path from "node:path";
import { describe, expect, it } from "vitest";
import { allDocuments } from "../tools/docs/all.ts";
import { staleDocuments } from "../tools/docs/documents.ts";

const root = path.resolve(import.meta.dirname, "..");

describe("docs", () => {
  const { documents, gaps } = allDocuments(root);

  it("has every page and every part of a page", () => {
    expect(gaps).toEqual([]);
  });

  it("is what the generator makes of the rules and the schema", () => {
    expect(staleDocuments(root, documents)).toEqual([]);
  });
});
