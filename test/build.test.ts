import { readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "..");
const dist = path.join(root, "packages/cli/dist");
const built = ["agentgate.js", "worker.js", ...readdirSync(path.join(dist, "chunks")).map((name) => `chunks/${name}`)];

function textOf(file: string): string {
  return readFileSync(path.join(dist, file), "utf8");
}

function json(file: string): unknown {
  return JSON.parse(readFileSync(path.join(root, file), "utf8"));
}

/** What a built file imports as it loads, without what it imports later. */
function staticImports(file: string): string[] {
  return [...textOf(file).matchAll(/^(?:import|export)\b[^"'(]*?["']([^"']+)["'];$/gm)].map((found) => found[1]!);
}

/** A built file and everything that loads with it. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const specifier of staticImports(file)) {
    if (specifier.startsWith(".")) loadedWith(path.posix.join(path.posix.dirname(file), specifier), seen);
    else seen.add(specifier);
  }
  return seen;
}

describe("the built command", () => {
  it("can be started as a program", () => {
    expect(textOf("agentgate.js")).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(statSync(path.join(dist, "agentgate.js")).mode & 0o111).toBe(0o111);
  });

  it("needs no package but those that its manifest names", () => {
    const { dependencies } = json("packages/cli/package.json") as { dependencies: Record<string, string> };
    const packages = built.flatMap(staticImports).filter((specifier) => !specifier.startsWith(".") && !specifier.startsWith("node:"));
    const names = packages.map((specifier) => specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/"));
    expect(names).toContain("commander");
    expect([...new Set(names)].filter((name) => !(name in dependencies))).toEqual([]);
  });

  it("starts without the parsers, the catalogue and YAML", () => {
    const loaded = [...loadedWith("agentgate.js")];
    expect(loaded.filter((name) => !name.startsWith("node:") && !name.endsWith(".js"))).toEqual([]);
    const size = loaded.filter((name) => name.endsWith(".js")).reduce((sum, name) => sum + textOf(name).length, 0);
    expect(size).toBeLessThan(20_000);
  });

  it("ships what it reads at run time, with the licences", () => {
    const assets = json("parsers/python/assets.json") as { file: string }[];
    const shipped = readdirSync(path.join(dist, "assets"));
    expect(assets.map((asset) => asset.file).filter((file) => !shipped.includes(file))).toEqual([]);
  });

  it("holds no path of the machine that built it", () => {
    expect(built.filter((file) => textOf(file).includes(`${root}/`))).toEqual([]);
  });
});
