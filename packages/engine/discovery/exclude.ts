import picomatch from "picomatch";
import type { TreePath } from "../paths.ts";

/** What is left out where the policy has no `exclude`. */
export const DEFAULT_EXCLUDE: readonly string[] = [
  ...["test", "tests", "__tests__", "fixtures", "scripts"].map(anyFolder),
  "**/*.test.*", "**/*.spec.*", "**/*_test.py", "**/test_*.py", "**/conftest.py", "**/*.min.*",
  ...["vendor", "dist", "build", "generated"].map(anyFolder),
];

function anyFolder(name: string): string {
  return `**/${name}/**`;
}

/** Matches one glob of the policy: picomatch with `dot`, case-sensitive, against the path relative to the root. */
export function globMatcher(glob: string): (path: TreePath) => boolean {
  return picomatch(glob, { dot: true, nocase: false, windows: false });
}

/** The first glob that excludes a path, or null. */
export type Excludes = (path: TreePath) => string | null;

/** Answers are kept: both sides of a change ask about the same paths. */
export function excluder(globs: readonly string[]): Excludes {
  const matchers = globs.map((glob) => ({ glob, matches: globMatcher(glob) }));
  const known = new Map<TreePath, string | null>();
  return (path) => {
    let glob = known.get(path);
    if (glob === undefined) {
      glob = matchers.find((matcher) => matcher.matches(path))?.glob ?? null;
      known.set(path, glob);
    }
    return glob;
  };
}

/**
 * Why a glob is refused, or null. Besides what no pattern can mean, refused are those that never match a path of the
 * tree (absolute, `..`, backslashes) and a leading `!`, which would match everything else.
 */
export function globProblem(glob: string): string | null {
  if (glob.trim() === "" || glob !== glob.trim()) return "is blank, or begins or ends with a blank";
  if (glob.length > 500) return "is longer than 500 characters";
  if (/[\u0000-\u001f]/.test(glob)) return "holds a control character";
  if (glob.startsWith("/") || /^[A-Za-z]:/.test(glob)) return "is absolute: globs are relative to the root";
  if (glob.startsWith("!") && !glob.startsWith("!(")) return "begins with `!`: a glob says what it matches";
  if (/\\(?![[\](){}*?!+@|])/.test(glob)) return "holds a backslash that escapes nothing: globs have forward slashes";
  if (glob.split("/").some((part) => part === ".." || part === ".")) return "has a `.` or `..` segment, which matches no path";
  return unbalanced(glob) ?? uncompilable(glob);
}

function unbalanced(glob: string): string | null {
  const closers: string[] = [];
  const pairs = new Map([["(", ")"], ["[", "]"], ["{", "}"]]);
  for (const character of glob.replaceAll(/\\./g, "")) {
    if (closers.at(-1) === "]" && character !== "]") continue;
    const closer = pairs.get(character);
    if (closer !== undefined) closers.push(closer);
    else if (")]}".includes(character) && closers.pop() !== character) return `has a \`${character}\` that nothing opens`;
  }
  const open = closers.pop();
  return open === undefined ? null : `never closes with \`${open}\``;
}

function uncompilable(glob: string): string | null {
  try {
    globMatcher(glob);
    return null;
  } catch {
    return "is no glob";
  }
}
