import { describe, expect, it } from "vitest";
import { COLOURED, PLAIN } from "./render/paint.ts";
import { lookOf } from "./terminal.ts";
import { kept } from "./testing/streams.ts";

describe("the look of a report", () => {
  it("has frames and colour on a terminal", () => {
    expect(lookOf(kept({ columns: 100 }), {}, true)).toEqual({ columns: 100, paint: COLOURED });
  });

  it.each([
    ["--no-color", {}, false], ["NO_COLOR", { NO_COLOR: "1" }, true], ["a dumb terminal", { TERM: "dumb" }, true],
  ])("has no colour with %s", (_what, env, color) => {
    expect(lookOf(kept({ columns: 100 }), env, color)).toEqual({ columns: 100, paint: PLAIN });
  });

  it("has colour where NO_COLOR is empty", () => {
    expect(lookOf(kept({ columns: 100 }), { NO_COLOR: "" }, true).paint).toBe(COLOURED);
  });

  it("is plain lines in a pipe", () => {
    expect(lookOf(kept(), { FORCE_COLOR: "1" }, true)).toEqual({ columns: null, paint: PLAIN });
  });

  it("is never narrower than can be read, and has a width where the terminal names none", () => {
    expect(lookOf(kept({ columns: 3 }), {}, true).columns).toBe(40);
    expect(lookOf(kept({ columns: 0 }), {}, true).columns).toBe(80);
  });
});
