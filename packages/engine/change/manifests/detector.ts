import { plainFinding } from "../../judging/finding.ts";
import { baseName } from "../../paths.ts";
import type { TreePath } from "../../paths.ts";
import type { Finding } from "../../report.ts";
import type { ChangedFile, Side } from "../change.ts";
import type { ChangeDetector } from "../detectors.ts";
import type { Told } from "./entry.ts";
import { toldByPackageJson } from "./package-json.ts";
import { toldByPyproject, toldByRequirements } from "./python.ts";
import { toldBySetup } from "./setup-py.ts";
import vocabulary from "./vocabulary.json" with { type: "json" };

const RULE = "no-runtime-install";

/** Findings of one file past which a reviewer reads the file itself. */
const MOST_OF_A_FILE = 50;

/**
 * What a change makes run when packages are installed or built, and names that come to stand for another package: in
 * package.json, pyproject.toml, lists of requirements and setup.py. What every merge base had is silent.
 */
export const manifestFindings: ChangeDetector = async (change) => {
  const [first, ...others] = change.comparisons;
  if (first === undefined) return [];
  const found: Finding[] = [];
  for (const file of first.difference.files) {
    if (file.status === "deleted" || !isManifest(file.path) || change.head.excludes(file.path) !== null) continue;
    const bases = [first, ...others].map(({ difference }) => ({ side: difference.base, file: difference.files.find(({ path }) => path === file.path) ?? null }));
    found.push(...await newIn(file, first.difference.head, bases));
  }
  return found;
};

interface Before {
  readonly side: Side;
  /** Null where it equals head's. */
  readonly file: ChangedFile | null;
}

async function newIn(file: ChangedFile, head: Side, bases: readonly Before[]): Promise<Finding[]> {
  const now = await toldIn(head, file.path);
  if (now.length === 0) return [];
  const before = await Promise.all(bases.map(async ({ side, file: changed }) => {
    const path = changed === null ? file.path : changed.basePath;
    return new Set(path === null ? [] : (await toldIn(side, path)).map(keyOf));
  }));
  const added = now.filter((told) => before.every((known) => !known.has(keyOf(told))));
  return added.slice(0, MOST_OF_A_FILE).map((told) => findingOf(file.path, told));
}

function keyOf({ key, value }: Told): string {
  return `${key}\0${value}`;
}

function findingOf(path: TreePath, { key, value, message, entry }: Told): Finding {
  const place = { start: { line: entry.line, column: entry.column }, end: { line: entry.line, column: entry.endColumn } };
  return plainFinding(RULE, "error", path, message, `${key}\0${value}`, place);
}

function isManifest(path: TreePath): boolean {
  const name = baseName(path);
  return name === "package.json" || name === "pyproject.toml" || name === "setup.py" || isRequirements(path) || vocabulary.implicitBuilds.files.includes(name);
}

function isRequirements(path: TreePath): boolean {
  return /(?:^|\/)requirements[^/]*\.(?:txt|in)$|(?:^|\/)requirements\/[^/]+\.(?:txt|in)$/.test(path);
}

async function toldIn(side: Side, path: TreePath): Promise<readonly Told[]> {
  const name = baseName(path);
  if (name === "setup.py") return toldBySetup(side.facts(path));
  const text = await side.text(path);
  if (text === null) return [];
  if (name === "package.json") return toldByPackageJson(text);
  if (name === "pyproject.toml") return toldByPyproject(text);
  return isRequirements(path) ? toldByRequirements(text) : implicitBuild(name);
}

/** A file that is enough for a build to run; what it says does not matter. */
function implicitBuild(name: string): readonly Told[] {
  const entry = { keys: [], value: name, line: 1, column: 1, endColumn: 1 };
  return [{ key: name, value: "", entry, message: `${name} makes npm build native code whenever the package is installed, since this change. What it does then happens outside of the program, with the rights of whoever installs. Have an owner look at it, or leave it out.` }];
}
