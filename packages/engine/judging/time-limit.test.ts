import { expect, it } from "vitest";
import { isTimeLimit, withTimeLimit } from "./time-limit.ts";

it("stops what goes on for ever, and goes on itself", () => {
  let caught: unknown = null;
  try {
    withTimeLimit(1_000_000, () => { for (;;); }, 100);
  } catch (error) {
    caught = error;
  }
  expect(isTimeLimit(caught)).toBe(true);
  let ran = false;
  withTimeLimit(1_000_000, () => (ran = true), 100);
  expect(ran).toBe(true);
});

it("passes on what is thrown, for short and long texts", () => {
  for (const characters of [1, 1_000_000]) {
    expect(() => withTimeLimit(characters, () => { throw new RangeError("own"); })).toThrow("own");
  }
});
