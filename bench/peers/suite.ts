import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type EvasionCase, type EvasionLanguage, readEvasions } from "../../tools/fixtures/evasion.ts";
import { expectationsIn } from "../../tools/fixtures/marks.ts";
import { linesThatCount, type Place } from "./places.ts";

/** One technique as it is scored. */
export interface Task {
  readonly language: EvasionLanguage;
  readonly technique: string;
  readonly rule: string;
  readonly kind: "true" | "look-alike";
  /** Where a finding counts as found; empty for a look-alike. */
  readonly places: readonly Place[];
}

export function tasksOf(fixtures: string, language: EvasionLanguage): Task[] {
  return readEvasions(fixtures, language).map(taskOf);
}

export function taskOf(evasion: EvasionCase): Task {
  const { language, technique, rule, kind } = evasion;
  const marks = evasion.files.flatMap((file) => expectationsIn(file.path, file.text)).filter((mark) => mark.rule === rule);
  const places = marks.flatMap((mark) => linesThatCount(mark, evasion.files));
  return { language, technique, rule, kind, places: places.map((place) => ({ ...place, path: `${technique}/${withoutSide(place.path)}` })) };
}

/**
 * Writes each technique into a folder of its own name. Of a change only the head is written: the peers know no base,
 * or know one of their own findings only.
 */
export function writeSuite(fixtures: string, language: EvasionLanguage, target: string): void {
  for (const { technique, files } of readEvasions(fixtures, language)) {
    for (const file of files.filter(({ path: name }) => !name.startsWith("base/"))) {
      const place = path.join(target, technique, withoutSide(file.path));
      mkdirSync(path.dirname(place), { recursive: true });
      writeFileSync(place, withoutHints(file.text));
    }
  }
}

function withoutSide(file: string): string {
  return file.replace(/^(?:base|head)\//, "");
}

const HEADER = /^(#|\/\/) (?:technique|past [a-z-]+|like [a-z-]+): .*$/gm;
const MARK = /[ \t]*(?:#|\/\/|\/\*)[ \t]*expect:.*$/gm;

/** Some tools read comments for words such as "limit": what the fixtures say of themselves is taken out, line by line. */
export function withoutHints(text: string): string {
  return text.replace(HEADER, "$1").replace(MARK, "");
}
