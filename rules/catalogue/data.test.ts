import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { ARGUMENT_RULES } from "./arguments.ts";
import { CAPABILITIES, capabilityTable } from "./capability.ts";
import { classify } from "./classify.ts";
import { memberLists, namesIn, readEntry, verdictOf, type CatalogueFile, type RawEntry } from "./format.ts";
import { catalogueOf, globalsCatalogue } from "./load.ts";
import { allCapabilities } from "./lookup.ts";
import { ecmascript, ofEcmascript, ofGlobal, ofPython } from "./testing.ts";

const DATA = new URL("./data/", import.meta.url);
const NOT_CATALOGUES = new Set(["verbs.json", "distinctive-tails.json", "http-verbs.json", "names.json", "exceptions.json"]);
const FILES = readdirSync(DATA, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".json") && !NOT_CATALOGUES.has(path))
  .sort();

function read(path: string): { readonly text: string; readonly file: CatalogueFile } {
  const text = readFileSync(new URL(path, DATA), "utf8");
  return { text, file: JSON.parse(text) as CatalogueFile };
}

describe.each(FILES)("%s", (path) => {
  const { text, file } = read(path);
  const entries = Object.entries(file.entries);

  test("names its source, and each package its own", () => {
    expect(file.source).toMatch(/\S/);
    if (!/^(?:pypi|npm)\//.test(path)) return;
    expect(entries.filter(([, raw]) => (raw.source ?? "") === "").map(([key]) => key)).toEqual([]);
  });

  test("is sorted and lists nothing twice", () => {
    const keys = entries.map(([key]) => key);
    const pure = namesIn(file.pure);
    expect(keys).toEqual([...keys].sort(byCodePoint));
    expect(pure).toEqual([...pure].sort(byCodePoint));
    const written = [...text.matchAll(/^ {4}"([^"]+)": \{/gm)].map((match) => match[1]);
    expect(repeated([...written, ...pure])).toEqual([]);
  });

  test("every entry has a known form", () => {
    expect(entries.flatMap(([key, raw]) => problemsOf(key, raw))).toEqual([]);
  });
});

/** What is wrong with an entry, in words. */
function problemsOf(key: string, raw: RawEntry): string[] {
  const problems: string[] = [];
  if ((raw.is === undefined) === (raw.as === undefined)) problems.push("needs one of `is` and `as`");
  if (!/^[@$\w][\w.:$@/*-]*$/.test(key)) problems.push("an odd key");
  const lists = memberLists(raw);
  for (const [words, names] of lists) {
    verdictOf(words);
    for (const name of names) if (!/^\.?[$\w*<>-]+(?:\.[$\w*-]+)*$/.test(name)) problems.push(`an odd member: ${name}`);
    for (const name of names) if (name.split(".").length > 8) problems.push(`too deep to be found: ${name}`);
    if (words === "mixed") problems.push("mixed is no capability of a member");
  }
  const argued = Object.entries(raw.arguments ?? {});
  for (const [member, rule] of argued) {
    if (!ARGUMENT_RULES.includes(rule.rule)) problems.push(`an unknown rule for ${member}: ${rule.rule}`);
    if (rule.index === undefined && rule.name === undefined) problems.push(`no argument for ${member}`);
  }
  const all = [...lists.flatMap(([, names]) => names), ...argued.map(([member]) => member)];
  problems.push(...repeated(all).map((name) => `listed twice: ${name}`));
  if (raw.is === "mixed" && lists.length + argued.length === 0 && !hasBelow(key)) problems.push("mixed without members");
  readEntry(key, raw);
  return problems.map((problem) => `${key}: ${problem}`);
}

function hasBelow(key: string): boolean {
  return [...catalogueOf("python").keys()].some((other) => other.startsWith(`${key}.`));
}

function byCodePoint(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function repeated(names: readonly (string | undefined)[]): string[] {
  const seen = new Set<string>();
  return names.filter((name): name is string => name !== undefined && (seen.has(name) || (seen.add(name), false)));
}

test("no file is left out", () => {
  const shipped = [...catalogueOf("python").keys(), ...catalogueOf("ecmascript").keys(), ...globalsCatalogue().keys()];
  const known = new Set(shipped);
  const missing = FILES.flatMap((path) => [...Object.keys(read(path).file.entries), ...namesIn(read(path).file.pure)]).filter((key) => !known.has(key));
  expect(missing).toEqual([]);
});

test("a name stands in one package file only", () => {
  for (const registry of ["pypi", "npm"]) {
    const keys = FILES.filter((path) => path.startsWith(registry)).flatMap((path) => [...Object.keys(read(path).file.entries), ...namesIn(read(path).file.pure)]);
    expect(repeated(keys)).toEqual([]);
  }
});

test("what `as` names exists", () => {
  for (const path of FILES) {
    for (const raw of Object.values(read(path).file.entries)) {
      if (raw.as === undefined) continue;
      const held = catalogueOf("python").get(raw.as) ?? catalogueOf("ecmascript").get(raw.as) ?? globalsCatalogue().get(raw.as);
      expect(held, raw.as).not.toBeNull();
    }
  }
});

describe("every capability", () => {
  test("has a row in the table", () => {
    expect(capabilityTable.map((row) => row.capability)).toEqual([...CAPABILITIES]);
  });
  it.each(capabilityTable)("$capability occurs in both languages", ({ capability }) => {
    const held = (catalogue: ReturnType<typeof catalogueOf>): boolean =>
      [...catalogue.keys()].some((key) => {
        const entry = catalogue.get(key)?.entry;
        return entry !== undefined && allCapabilities(catalogue, entry).includes(capability);
      });
    expect(held(catalogueOf("python"))).toBe(true);
    expect(held(catalogueOf("ecmascript"))).toBe(true);
  });
  it.each(capabilityTable)("$capability: the table's examples classify as it", ({ capability, python: py, ecmascript: es }) => {
    for (const name of py) expect(`${name} ${name.startsWith("eval") ? ofPython(`builtins.${name}`) : ofPython(name)}`).toContain(` ${capability}`.slice(1));
    for (const name of es) expect(`${name} ${isGlobal(name) ? ofGlobal(name) : ofEcmascript(name)}`).toContain(capability);
  });
});

function isGlobal(name: string): boolean {
  return classify("ecmascript", ecmascript(name)).kind === "unclassified" || /^(?:process|eval|Function|fetch|import)\b/.test(name);
}
