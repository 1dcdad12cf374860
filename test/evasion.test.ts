import { dialectOf, type ModuleFacts, parseEcmascript, parsePython } from "@agentgate/parsers";
import { RULE_METAS } from "@agentgate/rules";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type FixtureFile, languageOf } from "../tools/fixtures/cases.ts";
import { EVASION_LANGUAGES, type EvasionCase, readEvasions, readMissed, sharedPolicy } from "../tools/fixtures/evasion.ts";
import { expectationsIn } from "../tools/fixtures/marks.ts";
import { type Outcomes, outcomesOf } from "../tools/fixtures/outcomes.ts";
import { shapeOf } from "../tools/fixtures/shape.ts";
import { isChange, judgeFiles, judgeSides, lintFolder } from "./judging.ts";

const fixtures = path.resolve(import.meta.dirname, "../fixtures");
const policy = sharedPolicy(fixtures);
const missed = readMissed(fixtures);
const rules = new Set(RULE_METAS.map((meta) => meta.id));
const scratch = mkdtempSync(path.join(tmpdir(), "agentgate-evasion-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const expectationsOf = (evasion: EvasionCase) => evasion.files.flatMap((file) => expectationsIn(file.path, file.text));

const folderOf = (evasion: EvasionCase): string => path.join(scratch, evasion.language, evasion.technique);

async function judge(evasion: EvasionCase): Promise<Outcomes> {
  const findings = isChange(evasion.files) ? await judgeSides(withPolicy(evasion, ["base/", "head/"])) : await judgeFiles(folderOf(evasion), withPolicy(evasion, [""]));
  return outcomesOf(evasion.rule, expectationsOf(evasion), findings.map((finding) => ({ ...finding, line: finding.start.line, column: finding.start.column })));
}

/** In ESLint, of the files that were judged. It tells what modules can do only where a policy has ports. */
async function lint(evasion: EvasionCase): Promise<Outcomes> {
  const folder = folderOf(evasion);
  const [own] = withPolicy(evasion, [""]).filter(({ path: name }) => name === policy.path);
  if (!own!.text.includes("\nports:")) writeFileSync(path.join(folder, policy.path), `${own!.text}\n${OTHER_PORT}`);
  return outcomesOf(evasion.rule, expectationsOf(evasion), await lintFolder(folder));
}

/** How severe a finding is, ESLint's own configuration says. */
function withoutSeverity({ noisy, missing }: Outcomes): Outcomes {
  return { noisy: noisy.map((one) => one.replace(/ (?:error|warning) /, " ")), missing };
}

const OTHER_PORT = "ports:\n  - { path: elsewhere/**, capabilities: [net], owner: payments, note: sends }\n";

function withPolicy(evasion: EvasionCase, folders: readonly string[]): FixtureFile[] {
  const own = new Set(evasion.files.map((file) => file.path));
  return [...evasion.files, ...folders.map((folder) => ({ ...policy, path: `${folder}${policy.path}` })).filter((file) => !own.has(file.path))];
}

function shape(evasion: EvasionCase): string {
  const facts = (file: FixtureFile): ModuleFacts => (file.path.endsWith(".py") ? parsePython(file.text) : parseEcmascript(file.text, { dialect: dialectOf(file.path) }));
  return `${evasion.kind} ${shapeOf(evasion.files.filter((file) => languageOf(file.path) === evasion.language).map(facts))}`;
}

function twins(evasions: readonly EvasionCase[]): string[] {
  const seen = new Map<string, string>();
  return evasions.flatMap((evasion) => {
    const twin = seen.get(shape(evasion));
    seen.set(shape(evasion), twin ?? evasion.technique);
    return twin === undefined ? [] : [`${evasion.technique} is ${twin} with other names`];
  });
}

/** Of the true ones, those that were reported as expected; of the look-alikes, those that stayed silent. */
function printFigures(language: string, evasions: readonly EvasionCase[], passed: ReadonlySet<string>): void {
  const of = (kind: string, rule?: string): string => {
    const all = evasions.filter((evasion) => evasion.kind === kind && (rule === undefined || evasion.rule === rule));
    const good = all.filter((evasion) => passed.has(evasion.technique)).length;
    return `${good}/${all.length}${all.length === 0 ? "" : ` (${(good / all.length).toFixed(2)})`}`;
  };
  const lines = [...new Set(evasions.map((evasion) => evasion.rule))].sort().map((rule) => `  ${rule}: recall ${of("true", rule)}, silence ${of("look-alike", rule)}`);
  process.stdout.write(`${[`${language}: recall ${of("true")}, silence ${of("look-alike")}`, ...lines].join("\n")}\n`);
}

describe.each(EVASION_LANGUAGES)("%s", (language) => {
  const evasions = readEvasions(fixtures, language);
  const passed = new Set<string>();
  afterAll(() => printFigures(language, evasions, passed));

  it("says of each technique what it is, and holds no two that differ in names only", () => {
    expect(evasions.filter((evasion) => !rules.has(evasion.rule)).map((evasion) => evasion.technique)).toEqual([]);
    const wrong = evasions.filter((evasion) => expectationsOf(evasion).some((mark) => mark.rule === evasion.rule) !== (evasion.kind === "true"));
    expect(wrong.map((evasion) => evasion.technique)).toEqual([]);
    expect(twins(evasions)).toEqual([]);
  });

  it("lists as missed only what is there", () => {
    const known = new Set(evasions.map((evasion) => `${evasion.technique} ${evasion.rule}`));
    expect(missed.filter((entry) => entry.language === language && !known.has(`${entry.technique} ${entry.rule}`))).toEqual([]);
  });

  it.each(evasions.map((evasion) => [evasion.technique, evasion] as const))("%s", async (technique, evasion) => {
    const outcomes = await judge(evasion);
    const clean = outcomes.noisy.length === 0 && outcomes.missing.length === 0;
    if (clean) passed.add(technique);
    // What is listed must fail: whoever mends it takes it off the list.
    const isListed = missed.some((entry) => entry.language === language && entry.technique === technique);
    if (isListed) expect(clean, "listed in missed.json, and passes").toBe(false);
    else expect(outcomes).toEqual({ noisy: [], missing: [] });
    if (!isChange(evasion.files)) expect(withoutSeverity(await lint(evasion))).toEqual(withoutSeverity(outcomes));
  });
});
