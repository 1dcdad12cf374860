import { expect, it } from "vitest";
import { closest } from "./suggest.ts";

const RULES = ["no-invented-io", "no-dynamic-import", "parse-error", "unused-port"];

it.each([
  ["no-invented-oi", "no-invented-io"], ["invented", "no-invented-io"], ["dynamic import", "no-dynamic-import"], ["parse_error", "parse-error"],
  ["NO-INVENTED-IO", "no-invented-io"], ["unused-prot", "unused-port"],
])("takes %s for %s", (asked, meant) => {
  expect(closest(asked, RULES)).toBe(meant);
});

it.each(["", "zzzzzzzz", "x".repeat(100_000), "__proto__"])("does not guess where nothing is near", (asked) => {
  expect(closest(asked, RULES)).toBeNull();
});
