import type { Registry } from "@agentgate/rules";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { gapsOf, missingOf, rankedNames, recorded } from "./ranked.ts";

const USAGE = "npm run catalogue:missing -- npm|pypi [file with one package name a line, the most used first] [--top 200]";

/** The most used packages that the catalogue does not know, and how far the committed record goes. Asks no network. */
const { values, positionals } = parseArgs({ allowPositionals: true, options: { top: { type: "string", default: "200" } } });
const [registry, file] = positionals;
if (!isRegistry(registry)) throw new Error(USAGE);
const top = Number(values.top);
if (!Number.isInteger(top) || top < 1) throw new Error("--top takes a number of names");

const record = recorded(readFileSync(`rules/catalogue/downloads/${registry}.tsv`, "utf8"));
const { complete, gaps } = gapsOf(record);
console.log(`${registry}: ${record.length} packages are recorded, each of the first ${complete}; ranks without a record begin at ${gaps[0]?.[0] ?? complete + 1}`);
if (file === undefined) {
  const widest = gaps.slice(0, 10).map(([first, last]) => `${first}-${last}`).join(", ");
  console.log(`The first of them: ${widest}. Name a file of package names in rank order to see which of them the catalogue lacks.`);
} else {
  const names = rankedNames(readFileSync(file, "utf8"));
  const missing = missingOf(registry, names, record);
  console.log(`${missing.length} of ${names.length} names are not in the catalogue${missing.length > top ? `; the first ${top}:` : ":"}`);
  for (const { rank, name } of missing.slice(0, top)) console.log(`${String(rank).padStart(7)}  ${name.replace(/\p{Cc}/gu, "\uFFFD")}`);
}

function isRegistry(name: string | undefined): name is Registry {
  return name === "npm" || name === "pypi";
}
