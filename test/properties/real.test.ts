import { CODE_RULES, aloneContext } from "@agentgate/rules";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { CONVENTIONAL } from "./conventional.ts";
import { factsOf, transformed, transformsOf } from "./transforms.ts";
import { verdictOf } from "./verdict.ts";

const root = path.resolve(import.meta.dirname, "../..");
/** Files of each language: enough for every rule to speak, few enough for half a minute. */
const MOST_FILES = 120;
const MOST_BYTES = 60_000;

function standardLibrary(): readonly string[] {
  try {
    return [execFileSync("python3", ["-c", "import sysconfig; print(sysconfig.get_path('stdlib'))"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()];
  } catch {
    return [];
  }
}

/** Every n-th source below the folders, in order of their names. */
function sample(folders: readonly string[], ending: RegExp): readonly string[] {
  const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => path.join(folder, file)))
    .filter((file) => ending.test(file) && !/site-packages|\.test\.|[/\\]tests?[/\\]/.test(file) && statSync(file).isFile() && statSync(file).size <= MOST_BYTES).sort();
  const step = Math.max(1, Math.floor(files.length / MOST_FILES));
  return files.filter((_, index) => index % step === 0);
}

function verdict(file: string, text: string, reordered: boolean): readonly string[] {
  const facts = factsOf(file, text);
  return verdictOf(CODE_RULES.flatMap((rule) => rule.check(facts, aloneContext(file)).map((finding) => ({ ...finding, rule: rule.meta.id }))), reordered);
}

describe.each([
  ["Python", standardLibrary(), /\.py$/],
  ["JavaScript", [path.join(root, "node_modules")], /(?<!\.d)\.(?:[cm]?[jt]s|[jt]sx)$/],
  ["TypeScript", ["parsers", "rules", "packages"].map((folder) => path.join(root, folder)), /(?<!\.d)\.ts$/],
] as const)("the verdict on real %s", (language, folders, ending) => {
  const files = sample(folders, ending);

  it.skipIf(files.length === 0).each(transformsOf(CONVENTIONAL).map((transform) => [transform.name, transform] as const))("is the same after %s", (name, transform) => {
    const different: unknown[] = [];
    let done = 0;
    for (const file of files) {
      const text = readFileSync(file, "utf8");
      const other = transformed(transform, file, text);
      if (other === null || other === text) continue;
      done++;
      const reordered = name.startsWith("reordering");
      const [before, after] = [verdict(file, text, reordered), verdict(file, other, reordered)];
      if (before.join("\n") !== after.join("\n")) different.push({ file: path.basename(file), gone: before.filter((line) => !after.includes(line)), more: after.filter((line) => !before.includes(line)) });
    }
    expect(different).toEqual([]);
    expect(done, `${language}: files changed`).toBeGreaterThan(5);
  });
});
