import { dialectOf, type ModuleFacts, parseEcmascript, parsePython } from "@agentgate/parsers";
import { RULE_METAS } from "@agentgate/rules";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type FixtureCase, type FixtureFile, readCases } from "../tools/fixtures/cases.ts";
import { expectationsIn } from "../tools/fixtures/marks.ts";
import { type Observed, outcomesOf } from "../tools/fixtures/outcomes.ts";
import { setProblems } from "../tools/fixtures/problems.ts";
import { twinsAmong } from "../tools/fixtures/twins.ts";
import { isChange, judgeFiles, judgeSides } from "./judging.ts";

const root = path.resolve(import.meta.dirname, "..");
const scratch = mkdtempSync(path.join(tmpdir(), "agentgate-fixtures-"));
afterAll(() => rmSync(scratch, { recursive: true }));

/** Judges a case as a tree of its own, or as the change that it is. */
async function judge(fixture: FixtureCase): Promise<Observed[]> {
  const findings = isChange(fixture.files) ? await judgeSides(fixture.files) : await judgeFiles(path.join(scratch, fixture.rule, fixture.name), fixture.files);
  return findings.map((finding) => ({ ...finding, line: finding.start.line, column: finding.start.column }));
}

function factsOf(file: FixtureFile): ModuleFacts {
  return file.path.endsWith(".py") ? parsePython(file.text) : parseEcmascript(file.text, { dialect: dialectOf(file.path) });
}

describe.each(RULE_METAS.map((meta) => [meta.id, meta] as const))("%s", (id, meta) => {
  const cases = readCases(path.join(root, "fixtures"), id);

  it("has a fixture for enough techniques, none shown twice", () => {
    expect(setProblems(meta, cases)).toEqual([]);
  });

  it("has no two fixtures that differ in names only", () => {
    expect(twinsAmong(meta, cases, factsOf)).toEqual([]);
  });

  it.each(cases.map((fixture) => [fixture.name, fixture] as const))("%s", async (_name, fixture) => {
    const expected = fixture.files.flatMap((file) => expectationsIn(file.path, file.text));
    expect(outcomesOf(id, expected, await judge(fixture))).toEqual({ noisy: [], missing: [] });
  });
});
