import type { SourceFile } from "../discovery/discover.ts";
import { endingOf, folderOf, joinTree, normalise } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import type { Layout } from "./layout.ts";
import type { PythonResolver } from "./python.ts";

/** Whether a part of a specifier is chosen at run time: no module has a star in its name. */
export function isPattern(specifier: string): boolean {
  return specifier.includes("*");
}

/**
 * Finds the excluded sources that a load with a written beginning can name: `./pages/**.js`, `app.pages.**`. All other
 * sources are judged anyway. Answers are kept.
 */
export class LoadPatterns {
  readonly #layout: Layout;
  readonly #python: PythonResolver;
  readonly #sources: readonly SourceFile[];
  readonly #known = new Map<string, readonly TreePath[]>();

  constructor(layout: Layout, python: PythonResolver, sources: readonly SourceFile[]) {
    this.#layout = layout;
    this.#python = python;
    this.#sources = sources;
  }

  /** `from` is the module that loads; its language decides how the pattern is read. */
  matching(from: TreePath, pattern: string, python: boolean): readonly TreePath[] {
    const isDotted = python && !pattern.includes("/");
    const key = `${folderOf(from)}\0${String(python)}\0${pattern}`;
    let found = this.#known.get(key);
    if (found === undefined) {
      found = isDotted ? this.#dotted(from, pattern) : this.#paths(from, pattern, python);
      this.#known.set(key, found);
    }
    return found;
  }

  #dotted(from: TreePath, pattern: string): readonly TreePath[] {
    const { head, tail } = partsOf(pattern);
    const end = head.lastIndexOf(".") + 1;
    const dots = /^\.*/.exec(head)![0];
    const folder = this.#python.packageFolder(from, end <= dots.length ? dots : head.slice(0, end - 1));
    return folder === null ? [] : this.#below(folder, true, (path) => fits(path.replace(/(?:\/__init__)?\.pyw?$/, "").replaceAll("/", "."), head.slice(end), tail));
  }

  #paths(from: TreePath, pattern: string, python: boolean): readonly TreePath[] {
    const { head, tail, deep } = partsOf(pattern);
    const end = head.lastIndexOf("/") + 1;
    const place = normalise(joinTree(folderOf(from), head.slice(0, end)));
    const folder = place === null ? null : this.#layout.realFolder(place);
    return folder === null ? [] : this.#below(folder, python, (path) =>
      (deep || !path.includes("/")) && spellingsOf(path, python).some((spelling) => fits(spelling, head.slice(end), tail)));
  }

  /** The excluded sources of a language below a folder of which `accepts` says so; it gets the path from there. */
  #below(folder: TreePath, python: boolean, accepts: (path: string) => boolean): TreePath[] {
    const start = folder === "" ? "" : `${folder}/`;
    const found: TreePath[] = [];
    for (let index = this.#firstFrom(start); index < this.#sources.length; index++) {
      const file = this.#sources[index]!;
      if (!file.path.startsWith(start)) break;
      // Whether globs leave a path out is asked last: it takes the longest.
      if ((endingOf(file.dialectPath) === ".py") === python && accepts(file.path.slice(start.length)) && file.excludedBy !== null) found.push(file.path);
    }
    return found;
  }

  /** Where the paths that begin with a text would begin: sources are sorted by path. */
  #firstFrom(start: string): number {
    let [low, high] = [0, this.#sources.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#sources[middle]!.path < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

interface Parts {
  readonly head: string;
  readonly tail: string;
  /** What stands between may hold separators. */
  readonly deep: boolean;
}

function partsOf(pattern: string): Parts {
  const first = pattern.indexOf("*");
  const last = pattern.lastIndexOf("*");
  return { head: pattern.slice(0, first), tail: pattern.slice(last + 1), deep: last > first };
}

function fits(text: string, head: string, tail: string): boolean {
  return text.length >= head.length + tail.length && text.startsWith(head) && text.endsWith(tail);
}

/** How a specifier may write a path: with its ending, that of its output, or none, and a folder for its entry. */
function spellingsOf(path: string, python: boolean): readonly string[] {
  if (python) return [path];
  const bare = path.slice(0, path.length - endingOf(path).length);
  const output = /\.([mc]?)tsx?$/.exec(path);
  const outputs = output === null ? [] : [`${bare}.${output[1]!}js`, `${bare}.jsx`];
  return [path, bare, ...outputs, bare.replace(/\/index$/, ""), bare.replace(/\/index$/, "/")];
}
