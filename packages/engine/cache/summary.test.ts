import { expect, it } from "vitest";
import { decodeSummary, encodeSummary } from "./summary.ts";

it("comes back whole", () => {
  const summary = { specifiers: { all: ["./a", "__proto__", "\u2028"], required: [] }, clean: true, undecodable: false };
  expect(decodeSummary(encodeSummary(summary))).toEqual(summary);
});

it.each(["", "null", "[]", "[true,false,[1],[]]", '[true,false,["a"]]', '[1,false,["a"],[]]', "[true,false,", "{}"])("is none for %s", (text) => {
  expect(decodeSummary(Buffer.from(text))).toBeNull();
});
