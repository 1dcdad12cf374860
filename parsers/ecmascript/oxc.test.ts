import { describe, expect, it } from "vitest";
import { lineStarts, parseEcmascript } from "../index.ts";

/** The native libraries that this process has loaded. */
function libraries(): string[] {
  const report = process.report.getReport() as { readonly sharedObjects?: readonly string[] };
  return (report.sharedObjects ?? []).filter((file) => file.includes("oxc-parser"));
}

describe("the native parser", () => {
  it("is loaded by the first text of ours, not before", () => {
    lineStarts("", "ecmascript");
    expect(libraries()).toEqual([]);
    expect(parseEcmascript("a()", { dialect: "typescript" }).calls).toHaveLength(1);
  });
});
