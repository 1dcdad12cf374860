import { type Value, readJson } from "@agentgate/parsers/contract";
import { CONTRACT_SYSTEMS, type DocumentShape, checkStructure, parseDocument, schemaOf } from "@agentgate/rules/contracts";
import addFormatsModule from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readContractCases } from "../../tools/fixtures/contract-cases.ts";
import { documentsOf } from "./documents.ts";
import { withOddValues, withOtherType, withUnknownKey, withoutRequired } from "./variants.ts";

const fixtures = path.resolve(import.meta.dirname, "../../fixtures");

type Validate = (value: unknown) => boolean;

function validatorOf(shape: DocumentShape): Validate {
  const ajv = new Ajv2020({ allErrors: false, strict: true, strictTypes: false });
  addFormatsModule.default(ajv);
  ajv.addKeyword("patternErrorMessage");
  const validate = ajv.compile(schemaOf(shape));
  return (value) => validate(value);
}

/** Whether the check takes what is written in JSON. */
function takes(shape: DocumentShape, plain: unknown): boolean {
  const read = readJson(JSON.stringify(plain));
  if ("problem" in read || read.value.kind !== "mapping") return false;
  return checkStructure(shape, read.value, "file").found.every((one) => (one.severity ?? "error") === "warning");
}

/** Numbers that JSON Schema takes for whole ones though they are not written so. */
function hasOddNumber(value: Value): boolean {
  if (value.kind === "scalar") return typeof value.value === "number" && value.source !== String(value.value);
  return value.kind === "list" ? value.items.some(hasOddNumber) : value.entries.some((entry) => hasOddNumber(entry.value));
}

const documents = CONTRACT_SYSTEMS.flatMap((system) => system.documents.map((shape) => [`${system.id} ${shape.name}`, system, shape] as const));

describe.each(documents)("the schema of %s", (_name, system, shape) => {
  const validate = validatorOf(shape);
  const cases = readContractCases(fixtures, system.id);
  const own = cases.flatMap((one) => documentsOf(system, one).filter((document) => document.shape === shape).map((document) => ({ one, document })));

  it("takes what the check takes of the fixtures", () => {
    const differing = own.filter(({ document, one }) => {
      const read = parseDocument(shape.format, one.files.get(document.path)!);
      if ("problem" in read || hasOddNumber(read.value)) return false;
      const isTaken = checkStructure(shape, read.value, document.path).found.every((found) => found.severity === "warning");
      return validate(document.plain) !== isTaken;
    });
    expect(differing.map(({ one }) => one.name)).toEqual([]);
  });

  it("takes what the check takes of many variants", () => {
    const { fields } = shape;
    const variants = own.filter(({ one }) => one.isClean).flatMap(({ document: { plain } }) => [
      ...withOddValues(fields, plain), ...withoutRequired(fields, plain), ...withOtherType(fields, plain), ...withUnknownKey(fields, plain),
    ]);
    expect(variants.length).toBeGreaterThan(100);
    expect(variants.filter(({ value }) => validate(value) !== takes(shape, value)).map(({ what }) => what)).toEqual([]);
  });
});
