import { expect, it } from "vitest";
import { nearestPath } from "./nearest.ts";

it("takes the path with the fewest folders between, of the same ending, then the first", () => {
  expect(nearestPath("dist/esm/server/express.js", ["dist/cjs/server/index.js", "dist/esm/server/index.js"])).toBe("dist/esm/server/index.js");
  expect(nearestPath("dist/esm/server/index.js", ["dist/cjs/examples/server/form.js", "dist/esm/examples/server/form.js"])).toBe("dist/esm/examples/server/form.js");
  expect(nearestPath("dist/a.mjs", ["dist/b.js", "dist/b.mjs", "dist/c.mjs"])).toBe("dist/b.mjs");
  expect(nearestPath("a.py", ["src/b.py", "c.py", "b.py"])).toBe("b.py");
  expect(nearestPath("a.py", [])).toBeNull();
});
