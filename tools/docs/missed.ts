import { readFileSync } from "node:fs";
import path from "node:path";
import { EVASION_LANGUAGES, type EvasionCase, type EvasionLanguage, type Missed, readEvasions, readMissed } from "../fixtures/evasion.ts";
import type { Document } from "./documents.ts";
import { table, withSections } from "./sections.ts";

const PAGE = "docs/missed.md";
const NAMES: Readonly<Record<EvasionLanguage, string>> = { python: "Python", ecmascript: "TypeScript and JavaScript" };

/** The page that says what is still missed, from the list that the suite of ways round the rules holds. */
export function missedDocument(root: string): Document {
  const fixtures = path.join(root, "fixtures");
  const missed = readMissed(fixtures);
  const cases = EVASION_LANGUAGES.flatMap((language) => readEvasions(fixtures, language));
  const sections = [
    { name: "figures", body: figures(cases, missed), place: "end" as const },
    { name: "missed", body: EVASION_LANGUAGES.map((language) => `## ${NAMES[language]}\n\n${listed(cases, missed.filter((one) => one.language === language))}`).join("\n\n"), place: "end" as const },
  ];
  return { path: PAGE, text: withSections(readFileSync(path.join(root, PAGE), "utf8"), sections) };
}

function figures(cases: readonly EvasionCase[], missed: readonly Missed[]): string {
  const failing = new Set(missed.map(nameOf));
  const share = (language: EvasionLanguage, kind: EvasionCase["kind"]): string => {
    const all = cases.filter((one) => one.language === language && one.kind === kind);
    const good = all.filter((one) => !failing.has(nameOf(one))).length;
    return `${good} of ${all.length}`;
  };
  const rows = EVASION_LANGUAGES.map((language) => [NAMES[language], share(language, "true"), share(language, "look-alike")]);
  return table(["language", "ways round that are found", "look-alikes that are left alone"], rows);
}

function nameOf({ language, technique, rule }: Pick<Missed, "language" | "technique" | "rule">): string {
  return `${language} ${technique} ${rule}`;
}

function listed(cases: readonly EvasionCase[], missed: readonly Missed[]): string {
  if (missed.length === 0) return "Nothing of what the suite holds.";
  const kinds = new Map(cases.map((one) => [nameOf(one), one.kind]));
  const rows = [...missed].sort((one, other) => one.rule.localeCompare(other.rule) || one.technique.localeCompare(other.technique))
    .map((one) => [`[\`${one.rule}\`](rules/${one.rule}.md)`, one.technique.replaceAll("-", " "), kinds.get(nameOf(one)) === "look-alike" ? "reported wrongly" : "missed", one.why]);
  return table(["rule", "technique", "outcome", "why"], rows);
}
