import { CONTRACT_SYSTEMS, type ContractFinding, type ContractSystem, judgeContract } from "@agentgate/rules/contracts";
import { contextOver, memoryTree } from "@agentgate/rules/contracts/testing";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type ContractCase, readContractCases } from "../../tools/fixtures/contract-cases.ts";
import { type CaseDocument, documentsOf, layouts, written } from "./documents.ts";
import { reordered, type Variant, withOtherType, withUnknownKey, withoutRequired } from "./variants.ts";

const fixtures = path.resolve(import.meta.dirname, "../../fixtures");

/** What is found in one document of a case when its text is another one. */
function found(system: ContractSystem, { files, notes }: ContractCase, document: CaseDocument, text: string): ContractFinding[] {
  const tree = memoryTree(new Map<string, string | Uint8Array>([...files, [document.path, text]]));
  const context = contextOver(tree, { path: system.place.replace(/\/$/, ""), environment: new Map(Object.entries(notes.environment ?? {})), ...(notes.now === undefined ? {} : { now: new Date(notes.now) }) });
  return judgeContract(system, context).filter((one) => one.path === document.path);
}

function keysOf(findings: readonly ContractFinding[]): string[] {
  return findings.map((one) => `${one.severity} ${one.rule} ${one.key}`).sort();
}

/** The variants in which nothing more is found than in the document as it lies. */
function silent(system: ContractSystem, one: ContractCase, document: CaseDocument, variants: readonly Variant[], counts: (finding: ContractFinding) => boolean): string[] {
  const before = new Set(keysOf(found(system, one, document, written(document.shape, document.plain))));
  return variants.filter(({ value }) => {
    const now = found(system, one, document, written(document.shape, value)).filter(counts);
    return keysOf(now).every((key) => before.has(key));
  }).map(({ what }) => `${one.name}: ${document.path}: ${what}`);
}

const isError = (finding: ContractFinding): boolean => finding.severity === "error";

describe.each(CONTRACT_SYSTEMS.map((system) => [system.id, system] as const))("%s", (id, system) => {
  // A case that moves its contract is judged where it lies; the properties need it in its place.
  const clean = readContractCases(fixtures, id).filter((one) => one.isClean && !one.files.has("agentgate.yml"));
  const documents = clean.flatMap((one) => documentsOf(system, one).map((document) => ({ one, document })));

  it("reports every required key that is deleted", () => {
    expect(documents.flatMap(({ document, one }) => silent(system, one, document, withoutRequired(document.shape.fields, document.plain), isError))).toEqual([]);
  });

  it("reports every value of another type", () => {
    expect(documents.flatMap(({ document, one }) => silent(system, one, document, withOtherType(document.shape.fields, document.plain), isError))).toEqual([]);
  });

  it("reports every unknown key where keys are not free", () => {
    const known = documents.filter(({ document }) => document.shape.unknown !== "free");
    expect(known.flatMap(({ document, one }) => silent(system, one, document, withUnknownKey(document.shape.fields, document.plain), ({ rule }) => rule === `${id}/unknown-key`))).toEqual([]);
  });

  it("finds the same in whatever order, layout and with whatever comments", () => {
    for (const { document, one } of documents) {
      const before = keysOf(found(system, one, document, written(document.shape, document.plain)));
      for (const text of [written(document.shape, reordered(document.plain)), ...layouts(document.shape, document.plain)]) {
        expect(keysOf(found(system, one, document, text)), `${one.name}: ${text}`).toEqual(before);
      }
    }
  });
});
