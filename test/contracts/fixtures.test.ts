import { verifyContracts } from "@agentgate/engine/contracts";
import { CONTRACT_SYSTEMS, WIRING, ownRulesOf, rulesOf } from "@agentgate/rules/contracts";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { CASE_HEAD, CASE_NOW, type ContractCase, readContractCases } from "../../tools/fixtures/contract-cases.ts";
import { type Observed, differencesOf } from "../../tools/fixtures/outcomes.ts";

const root = path.resolve(import.meta.dirname, "../..");
const scratch = mkdtempSync(path.join(tmpdir(), "agentgate-contracts-"));
afterAll(() => rmSync(scratch, { recursive: true }));

/** Judges a case as a tree of its own. */
async function judge({ files, name, notes, system }: ContractCase): Promise<Observed[]> {
  const folder = path.join(scratch, system, name);
  for (const [file, bytes] of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), bytes);
  }
  for (const [link, target] of Object.entries(notes.links ?? {})) {
    mkdirSync(path.dirname(path.join(folder, link)), { recursive: true });
    symlinkSync(target, path.join(folder, link));
  }
  const head = notes.head === undefined ? CASE_HEAD : notes.head;
  const report = await verifyContracts({
    version: "0.0.0", cwd: folder, systems: notes.systems ?? [], now: new Date(notes.now ?? CASE_NOW), environment: new Map(Object.entries(notes.environment ?? {})),
    ...(head === null ? {} : { head }), ...(notes.pushedAt === undefined ? {} : { pushedAt: new Date(notes.pushedAt) }),
  });
  expect(report.error).toBeNull();
  return report.findings.map((finding) => ({ ...finding, line: finding.start.line, column: finding.start.column }));
}

const JUDGED = [...CONTRACT_SYSTEMS.map((system) => [system.id, rulesOf(system)] as const), [WIRING.id, ownRulesOf(WIRING)] as const];

describe.each(JUDGED)("%s", (id, rules) => {
  const cases = readContractCases(path.join(root, "fixtures"), id);

  it("has at least four clean cases and eight that breach it", () => {
    expect(cases.filter((one) => one.isClean).length).toBeGreaterThanOrEqual(4);
    expect(cases.filter((one) => !one.isClean).length).toBeGreaterThanOrEqual(8);
  });

  it("shows every rule that it judges", () => {
    const shown = new Set([`${id}/no-base`, ...cases.flatMap((one) => one.expectations.map((expectation) => expectation.rule))]);
    expect(rules.filter((rule) => rule.needs === null && !shown.has(rule.id)).map((rule) => rule.id)).toEqual([]);
  });

  it("has no two cases that say the same", () => {
    const sentences = cases.map((one) => one.notes.shows);
    expect(sentences).toEqual([...new Set(sentences)]);
  });

  it.each(cases.map((one) => [one.name, one] as const))("%s", async (_name, one) => {
    const observed = await judge(one);
    // That nothing compares with a base is said once for each contract, and is no matter of a case.
    const judged = observed.filter(({ rule }) => !rule.endsWith("/no-base"));
    expect(differencesOf(one.expectations, judged)).toEqual({ noisy: [], missing: [] });
  });
});
