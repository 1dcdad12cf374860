import { describe } from "vitest";
import { knownMisses } from "./attempts.ts";
import type { Attempt } from "./attempts.ts";

describe("what still gets through", () => {
  knownMisses("laundering-misses", [
    // The rules take the import for one of which nothing is used, and the look-up of a computed name for ordinary reflection.
    { name: "the hook for missing names of a module (Python)", base: { "src/a.py": "x = 1\n" }, patch: { "src/a.py": "def __getattr__(name):\n    import subprocess\n\n    return getattr(subprocess, name)\n" }, reported: ["no-invented-io src/a.py"] },
    // Only a contract whose text is empty counts as gone, and a link has no text.
    { name: "a contract replaced by a link to nothing", base: { "agent/loop-budget.yml": "version: 1\n" }, patch: { "agent/loop-budget.yml": { to: "nowhere" } }, reported: ["gate-weakened agent/loop-budget.yml"] },
    // Nobody can tell whether a link out of the tree is one to a folder; those without a source's name are passed over.
    { name: "a folder that is a link out of the tree", base: { "src/a.py": "from lib.x import run\n" }, patch: { lib: { to: "/usr/lib" } }, reported: ["not-judged lib"] },
  ] satisfies Attempt[]);
});
