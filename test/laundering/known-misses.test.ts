import { describe } from "vitest";
import { knownMisses } from "./attempts.ts";
import type { Attempt } from "./attempts.ts";

describe("what still gets through", () => {
  knownMisses("laundering-misses", [
    // A name of a module that is bound and unbound again is the built-in one; the scopes know no unbinding.
    ...[
      ["a name that is deleted again", "open = 1\ndel open\nopen('x', 'w')\n"],
      ["an annotation without a value", "open: object\nopen('x', 'w')\n"],
      ["the name of an exception that is gone", "try:\n    1 / 0\nexcept ZeroDivisionError as open:\n    pass\nopen('x', 'w')\n"],
    ].map(([name, text]): Attempt => ({ name: `a built-in behind ${name!}`, base: { "src/a.py": "x = 1\n" }, patch: { "src/a.py": text! }, reported: ["no-invented-io src/a.py"] })),
  ] satisfies Attempt[]);
});
