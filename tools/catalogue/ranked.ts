import { isCatalogued, normalisedPackage, type Registry } from "@agentgate/rules";

export interface Ranked {
  readonly rank: number;
  readonly name: string;
}

/** Names in rank order, one a line; what follows a tab or a blank is left out, so are empty lines and `#` comments. */
export function rankedNames(text: string): Ranked[] {
  const names = text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#")).map((line) => line.split(/[\t ]/, 1)[0] ?? "");
  return names.filter((name) => name !== "").map((name, index) => ({ rank: index + 1, name }));
}

/** A record of downloads: the package of each row, by its rank. Its columns: rank, (downloads,) package, kind, name. */
export function recorded(text: string): Ranked[] {
  const rows = text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).map((line) => line.split("\t"));
  return rows.map((fields) => ({ rank: Number(fields[0]), name: fields.at(-3) ?? "" }));
}

/** Those of the names that neither the catalogue nor the record knows, by rank. */
export function missingOf(registry: Registry, names: readonly Ranked[], record: readonly Ranked[]): Ranked[] {
  const key = (name: string): string => (registry === "pypi" ? normalisedPackage(name) : name);
  const known = new Set(record.map(({ name }) => key(name)));
  return names.filter(({ name }) => !known.has(key(name)) && !isCatalogued(registry, name));
}

/** How far a record goes without a gap, and the ranks after that which it does not hold, as ranges. */
export function gapsOf(record: readonly Ranked[]): { readonly complete: number; readonly gaps: readonly (readonly [first: number, last: number])[] } {
  const ranks = [...new Set(record.map(({ rank }) => rank))].sort((left, right) => left - right);
  const gaps: [number, number][] = [];
  let before = 0;
  for (const rank of ranks) {
    if (rank > before + 1) gaps.push([before + 1, rank - 1]);
    before = rank;
  }
  return { complete: (gaps[0]?.[0] ?? before + 1) - 1, gaps };
}
