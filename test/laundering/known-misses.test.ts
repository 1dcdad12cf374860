import { describe } from "vitest";
import { knownMisses } from "./attempts.ts";
import type { Attempt } from "./attempts.ts";

describe("what still gets through", () => {
  knownMisses("laundering-misses", [
    // The rules take the import for one of which nothing is used, and the look-up of a computed name for ordinary reflection.
    { name: "the hook for missing names of a module (Python)", base: { "src/a.py": "x = 1\n" }, patch: { "src/a.py": "def __getattr__(name):\n    import subprocess\n\n    return getattr(subprocess, name)\n" }, reported: ["no-invented-io src/a.py"] },
    // A name of a module that is bound and unbound again is the built-in one; the scopes know no unbinding.
    ...[
      ["a name that is deleted again", "open = 1\ndel open\nopen('x', 'w')\n"],
      ["an annotation without a value", "open: object\nopen('x', 'w')\n"],
      ["the name of an exception that is gone", "try:\n    1 / 0\nexcept ZeroDivisionError as open:\n    pass\nopen('x', 'w')\n"],
    ].map(([name, text]): Attempt => ({ name: `a built-in behind ${name!}`, base: { "src/a.py": "x = 1\n" }, patch: { "src/a.py": text! }, reported: ["no-invented-io src/a.py"] })),
    // Modules are looked up in the places that projects have, not in those that a program adds beside its own file.
    { name: "an excluded module in a place that the program adds", base: { "a.py": "x = 1\n", "tests/attr.py": "import subprocess\n\nsubprocess.run('x')\n" }, patch: { "a.py": "import os\nimport sys\n\nsys.path.insert(0, os.path.join(os.path.dirname(__file__), 'tests'))\nimport attr\n\nattr.s()\n" }, reported: ["no-invented-io a.py"] },
  ] satisfies Attempt[]);
});
