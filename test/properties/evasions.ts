import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { FixtureFile } from "../../tools/fixtures/cases.ts";
import { type EvasionLanguage, readEvasions, sharedPolicy } from "../../tools/fixtures/evasion.ts";
import { isChange, judgeFiles } from "../judging.ts";
import { CONVENTIONAL } from "./conventional.ts";
import { changed, standsAlone } from "./projects.ts";
import { transformsOf } from "./transforms.ts";
import { verdictOf } from "./verdict.ts";

/** A transform that can be done to fewer than one case of so many tests nothing. */
const LEAST = 25;

const fixtures = path.resolve(import.meta.dirname, "../../fixtures");

/** Tests that what is said of each way round the rules, right or wrong, hangs on nothing that means nothing. */
export function verdictsOverEvasions(language: EvasionLanguage): void {
  const scratch = mkdtempSync(path.join(tmpdir(), "agentgate-properties-"));
  afterAll(() => rmSync(scratch, { recursive: true }));
  const policy = sharedPolicy(fixtures);
  const cases = readEvasions(fixtures, language).filter((one) => !isChange(one.files))
    .map((one) => ({ name: one.technique, files: one.files.some((file) => file.path === policy.path) ? one.files : [...one.files, policy] }));
  const known = new Map<string, readonly string[]>();
  let folders = 0;
  const verdict = async (files: readonly FixtureFile[], reordered: boolean): Promise<readonly string[]> => verdictOf(await judgeFiles(path.join(scratch, String(folders++)), files), reordered);
  const before = async ({ name, files }: (typeof cases)[number], reordered: boolean): Promise<readonly string[]> => {
    const key = `${name} ${String(reordered)}`;
    if (!known.has(key)) known.set(key, await verdict(files, reordered));
    return known.get(key)!;
  };

  describe(`the verdict on each way round in ${language}`, () => {
    it.each(transformsOf(CONVENTIONAL).map((transform) => [transform.name, transform] as const))("is the same after %s", { timeout: 240_000 }, async (name, transform) => {
      const different: unknown[] = [];
      let done = 0;
      for (const one of cases) {
        const files = name === "wrapping in a function" && !standsAlone(one.files) ? null : changed(transform, one.files);
        if (files === null) continue;
        done++;
        const reordered = name.startsWith("reordering");
        const [plain, other] = [await before(one, reordered), await verdict(files, reordered)];
        if (plain.join("\n") !== other.join("\n")) different.push({ technique: one.name, plain, other });
      }
      expect(different).toEqual([]);
      expect(done).toBeGreaterThan(cases.length / LEAST);
    });
  });
}
