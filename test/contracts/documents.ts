import { plainValue } from "@agentgate/parsers/contract";
import { type ContractSystem, type DocumentShape, parseDocument } from "@agentgate/rules/contracts";
import picomatch from "picomatch";
import { stringify } from "yaml";
import type { ContractCase } from "../../tools/fixtures/contract-cases.ts";

/** A document of a case, as its table's kind and without places. */
export interface CaseDocument {
  readonly shape: DocumentShape;
  readonly path: string;
  readonly plain: unknown;
}

/** The documents of a case that can be parsed. */
export function documentsOf(system: ContractSystem, { files }: ContractCase): CaseDocument[] {
  return system.documents.flatMap((shape) => {
    const matches = picomatch(shape.where, { dot: true });
    return [...files].filter(([file]) => matches(file)).flatMap(([path, bytes]) => {
      const read = parseDocument(shape.format, bytes);
      return "problem" in read ? [] : [{ shape, path, plain: plainValue(read.value) }];
    });
  });
}

/** A plain document as the text of its format. */
export function written({ format }: DocumentShape, plain: unknown): string {
  return format === "json" ? `${JSON.stringify(plain, null, 2)}\n` : stringify(plain, { aliasDuplicateObjects: false });
}

/** The same document in another layout: indented otherwise, on one line, with comments where the format takes them. */
export function layouts({ format }: DocumentShape, plain: unknown): string[] {
  if (format === "json") return [JSON.stringify(plain), JSON.stringify(plain, null, 8).replaceAll("\n", "\r\n")];
  const plainText = stringify(plain, { indent: 4, lineWidth: 0, aliasDuplicateObjects: false });
  return [`# A comment.\n---\n${plainText.replaceAll("\n", " # note\n")}`.replaceAll(/^(.*[|>][-+]?) # note$/gm, "$1"), stringify(plain, { defaultStringType: "QUOTE_DOUBLE", collectionStyle: "flow", aliasDuplicateObjects: false })];
}
