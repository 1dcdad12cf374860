import { nameOf } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import { gitFailed, lacksPromised, objectsMissing } from "./problems.ts";
import type { Repository } from "./repository.ts";

/** Bytes of matches beyond which a search is given up: a tree that holds more was written to be searched. */
const OUTPUT_LIMIT = 64 * 1024 * 1024;

/** Names in one pattern: what git makes of it grows with them, and the fewer patterns, the fewer times all is read. */
const ONE_PATTERN = 1000;

/** Files by what was found in them, sorted; null where so much matches that git was ended. */
export type Matches = ReadonlyMap<string, readonly TreePath[]> | null;

/**
 * The files that may define a function or a method, by its name: lines of which one reads like a definition, so more
 * files than those that do. `where`: a commit (full id) or the index. `names` are plain ASCII identifiers. Throws a
 * GateError where objects are missing, or git is missing or hangs.
 */
export async function filesThatMayDefine(repository: Repository, where: string, names: readonly string[]): Promise<Matches> {
  const found = new Map<string, readonly TreePath[]>();
  for (let start = 0; start < names.length; start += ONE_PATTERN) {
    const matches = await matchesIn(repository, where, definitionPattern(names.slice(start, start + ONE_PATTERN)), (match) => {
      const name = /(?:^|[^\w$])(?:def[\s\\]+)?([A-Za-z_$][\w$]*)/.exec(match)?.[1];
      return name === undefined ? [] : [name];
    });
    if (matches === null) return null;
    for (const [name, paths] of matches) found.set(name, paths);
  }
  return found;
}

/**
 * The files that hold each of the words, letter by letter. `where`: a commit (full id) or the index. Of two words that
 * overlap in a text one alone may be found. Throws a GateError where objects are missing, or git is missing or hangs.
 */
export async function filesByWord(repository: Repository, where: string, words: readonly string[]): Promise<Matches> {
  const plain = [...new Set(words.flatMap((word) => word.split(/[\0\r\n]/)))].filter((word) => word !== "");
  if (plain.length === 0) return new Map();
  const bytes = plain.map((word) => ({ word, latin: Buffer.from(word).toString("latin1") }));
  const wordsIn = new Map<string, readonly string[]>();
  return matchesIn(repository, where, plain.map((word) => word.replaceAll(/[.[\]{}()\\*+?|^$]/g, "\\$&")).join("|"), (match) => {
    const known = wordsIn.get(match) ?? bytes.filter(({ latin }) => match.includes(latin)).map(({ word }) => word);
    wordsIn.set(match, known);
    return known;
  });
}

/**
 * A POSIX extended expression for what defines one of the names in Python, JavaScript or TypeScript: behind `def`; before
 * a bracket and not behind a dot; before an assignment or the colon of a property.
 */
function definitionPattern(names: readonly string[]): string {
  const any = `(${names.map((name) => name.replaceAll("$", "\\$")).join("|")})`;
  const python = `def([[:space:]]|\\\\)+${any}([^A-Za-z0-9_]|$)`;
  const method = `(^|[^.A-Za-z0-9_$])${any}["'\\\`]?[]]?[!?]?[[:space:]]*([(<\\\\/]|$)`;
  const assigned = `(^|[^A-Za-z0-9_$])${any}["'\\\`]?[]]?[!?]?[[:space:]]*[:=]`;
  return `${python}|${method}|${assigned}`;
}

/** `keysOf` is given a match as latin-1, and says what it stands for. */
async function matchesIn(repository: Repository, where: string, pattern: string, keysOf: (match: string) => readonly string[]): Promise<Matches> {
  const args = ["grep", "-o", "-z", "-E", "-a", "--no-color", "--no-line-number", "--no-textconv", "--no-recurse-submodules", "--full-name", "-f", "-"];
  const isIndex = where === "index";
  const output = await repository.git([...args, ...isIndex ? ["--cached"] : [where]], { input: Buffer.from(`${pattern}\n`), outputLimit: OUTPUT_LIMIT });
  if (output.cut === true) return null;
  if (lacksPromised(output.stderr) || /unable to read|could not read|bad object/i.test(output.stderr)) throw objectsMissing(isIndex ? "The index" : `The commit ${where}`, repository.promisor);
  if (output.status > 1) throw gitFailed("grep", output.stderr, repository.promisor);
  // In a commit, names come as `<commit>:<path>`.
  return pathsByKey(output.stdout, isIndex ? 0 : where.length + 1, keysOf);
}

/** Output is `path NUL match LF`; a path may hold line feeds, and a match may hold NUL. */
function pathsByKey(output: Buffer, prefix: number, keysOf: (match: string) => readonly string[]): Map<string, TreePath[]> {
  const found = new Map<string, Set<TreePath>>();
  let last: Buffer = Buffer.alloc(0);
  let path = "";
  for (let start = 0; start < output.length; ) {
    const middle = output.indexOf(0, start);
    if (middle === -1) break;
    const bytes = output.subarray(start + prefix, middle);
    if (!bytes.equals(last)) [last, path] = [bytes, nameOf(bytes)];
    const end = output.indexOf(10, middle + 1);
    const match = output.toString("latin1", middle + 1, end === -1 ? output.length : end);
    start = end === -1 ? output.length : end + 1;
    for (const key of keysOf(match)) {
      const paths = found.get(key);
      if (paths === undefined) found.set(key, new Set([path]));
      else paths.add(path);
    }
  }
  return new Map([...found].map(([key, paths]) => [key, [...paths].sort()]));
}
