import { describe, expect, it } from "vitest";
import { parsePython } from "./index.ts";
import { standardLibraryFiles } from "./testing-stdlib.ts";
describe("x", () => { it("y", () => { for (const f of standardLibraryFiles()) { const facts = parsePython(f.text); if (facts.problems.length) console.log(f.path, facts.problems.slice(0,3)); } }); });
