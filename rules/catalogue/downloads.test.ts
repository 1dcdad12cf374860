import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { classify } from "./classify.ts";
import { isCatalogued, normalised, packagesOf } from "./missing.ts";

/** One package of the walk through the most downloaded ones. */
interface Counted {
  readonly rank: number;
  readonly downloads: number | null;
  readonly package: string;
  readonly kind: string;
  readonly name: string;
}

/** So many of the first are complete: the 200 most used packages that do I/O lie among them. */
const WALKED = { pypi: 1100, npm: 2000 };
const LEAST = 400;
/** The 400th of those that do I/O stands before this rank: they are among the most used, not picked from anywhere. */
const AMONG = { pypi: 1100, npm: 3600 };

function read(registry: "pypi" | "npm"): Counted[] {
  const text = readFileSync(new URL(`./downloads/${registry}.tsv`, import.meta.url), "utf8");
  const rows = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return rows.map((line) => {
    const fields = line.split("\t");
    const [kind = "", name = ""] = fields.slice(-2);
    return { rank: Number(fields[0]), downloads: registry === "npm" ? Number(fields[1]) : null, package: fields.at(-3) ?? "", kind, name };
  });
}

function kindOf(language: "python" | "ecmascript", name: string): string {
  const result = classify(language, { module: name, path: [] });
  if (result.kind === "unclassified") return "unclassified";
  return result.kind === "capability" || result.mixed ? "io" : "pure";
}

describe.each([
  ["pypi", "python"],
  ["npm", "ecmascript"],
] as const)("the most downloaded packages of %s", (registry, language) => {
  const counted = read(registry);

  test("are walked in order, none of the first left out", () => {
    expect(counted.slice(0, WALKED[registry]).map((row) => row.rank)).toEqual(Array.from({ length: WALKED[registry] }, (_, index) => index + 1));
    const ranks = counted.map((row) => row.rank);
    expect(ranks).toEqual([...ranks].sort((left, right) => left - right));
    expect(counted.slice(0, WALKED[registry]).filter((row) => row.kind === "io").length).toBeGreaterThanOrEqual(200);
  });

  it("are what the record says", () => {
    const wrong = counted.filter((row) => row.name !== "-" && kindOf(language, row.name) !== row.kind);
    expect(wrong.map((row) => `${row.name}: ${row.kind}, not ${kindOf(language, row.name)}`)).toEqual([]);
  });

  test(`at least ${String(LEAST)} that do I/O and 300 that do none are known`, () => {
    const active = counted.filter((row) => row.kind === "io");
    expect(active.length).toBeGreaterThanOrEqual(LEAST);
    expect(active[LEAST - 1]?.rank).toBeLessThan(AMONG[registry]);
    expect(counted.filter((row) => row.kind === "pure").length).toBeGreaterThanOrEqual(300);
  });

  test("every package entry has its rank recorded", () => {
    const ranked = new Set(counted.map((row) => (registry === "pypi" ? normalised(row.package) : row.package)));
    const missing = packagesOf(registry).filter((name) => !ranked.has(registry === "pypi" ? normalised(name) : name));
    expect(missing.filter((name) => !UNRANKED.has(name))).toEqual([]);
  });
});

/** In the catalogue for their use in agent code; the registry's count does not list them. */
const UNRANKED = new Set(["@modelcontextprotocol/client", "drizzle-orm", "httpx2", "httpcore2"]);

describe("isCatalogued", () => {
  test.each([
    ["npm", "@aws-sdk/client-unheard-of", true], ["npm", "stripe", true], ["npm", "@types/unheard-of", true], ["npm", "@acme/sdk", false], ["npm", "constructor", false],
    ["pypi", "Google_Cloud.Storage", true], ["pypi", "PyGithub", true], ["pypi", "azure-mgmt-unheard-of", true],
    ["pypi", "llama-index-llms-unheard-of", true], ["pypi", "requests-unheard-of", false], ["pypi", "acme-sdk", false], ["pypi", "__proto__", false],
  ] as const)("%s %s: %s", (registry, name, expected) => {
    expect(isCatalogued(registry, name)).toBe(expected);
  });
  test("finds what the record says is known", () => {
    const known = read("npm").filter((row) => row.name !== "-");
    expect(known.filter((row) => !isCatalogued("npm", row.package) && row.name === row.package).map((row) => row.package)).toEqual([]);
  });
});
