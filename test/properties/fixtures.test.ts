import { CODE_RULES } from "@agentgate/rules";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readCases } from "../../tools/fixtures/cases.ts";
import type { FixtureFile } from "../../tools/fixtures/cases.ts";
import { isChange, judgeFiles } from "../judging.ts";
import { CONVENTIONAL } from "./conventional.ts";
import { changed, standsAlone } from "./projects.ts";
import { transformsOf } from "./transforms.ts";
import { verdictOf } from "./verdict.ts";

const root = path.resolve(import.meta.dirname, "../..");
const scratch = mkdtempSync(path.join(tmpdir(), "agentgate-properties-"));
afterAll(() => rmSync(scratch, { recursive: true }));
let folders = 0;

async function verdict(files: readonly FixtureFile[], reordered: boolean): Promise<readonly string[]> {
  return verdictOf(await judgeFiles(path.join(scratch, String(folders++)), files), reordered);
}

/** Projects about what a module offers to others: inside a function nothing is offered. */
const ABOUT_EXPORTS = new Set(["default-constant"]);

describe.each(CODE_RULES.map((rule) => rule.meta.id))("the verdict of %s on its fixtures", (id) => {
  const cases = readCases(path.join(root, "fixtures"), id).filter((one) => !isChange(one.files));

  it.each(transformsOf(CONVENTIONAL).map((transform) => [transform.name, transform] as const))("is the same after %s", async (name, transform) => {
    const different: unknown[] = [];
    let done = 0;
    for (const fixture of cases) {
      // What a module wraps in a function, another one cannot import.
      const files = name === "wrapping in a function" && (!standsAlone(fixture.files) || ABOUT_EXPORTS.has(fixture.name)) ? null : changed(transform, fixture.files);
      if (files === null) continue;
      done++;
      const reordered = name.startsWith("reordering");
      const [before, after] = [await verdict(fixture.files, reordered), await verdict(files, reordered)];
      if (before.join("\n") !== after.join("\n")) different.push({ fixture: fixture.name, before, after });
    }
    expect(different).toEqual([]);
    expect(done).toBeGreaterThan(cases.length / 10);
  });
});
