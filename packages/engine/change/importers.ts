import { ECMASCRIPT_LOADERS, folderWords } from "../modules/import-words.ts";
import { foldersUpward } from "../modules/manifests.ts";
import { folderOf } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import type { ChangeSide } from "./side.ts";

/** The files of one side that hold one of the texts. */
export type Grep = (words: readonly string[]) => Promise<readonly TreePath[]>;

/** The files of one side by each of the texts that they hold, as far as git names their content; null: too much matches. */
export type GrepEach = (words: readonly string[]) => Promise<ReadonlyMap<string, readonly TreePath[]> | null>;

/** Who imports what on one side. Importers are looked for as text first, so that a large tree need not be read. */
export class Importers {
  readonly #side: ChangeSide;
  readonly #grep: Grep;
  readonly #byWord: GrepEach;
  readonly #known = new Map<TreePath, readonly TreePath[]>();
  readonly #judged = new Map<TreePath, boolean>();
  /** Of a judged file that is excluded, a judged one that loads it. */
  readonly #loaders = new Map<TreePath, TreePath>();

  constructor(side: ChangeSide, grep: Grep, byWord: GrepEach) {
    this.#side = side;
    this.#grep = grep;
    this.#byWord = byWord;
  }

  /** The sources that hold one of the texts. */
  async holding(words: readonly string[]): Promise<readonly TreePath[]> {
    return (await this.#grep(words)).filter((path) => this.#side.sources.has(path));
  }

  /** The sources that load each path when they run. */
  async of(paths: readonly TreePath[]): Promise<ReadonlyMap<TreePath, readonly TreePath[]>> {
    const unknown = [...new Set(paths)].filter((path) => !this.#known.has(path));
    if (unknown.length > 0) await this.#find(unknown, await this.#mayLoad(unknown));
    return new Map(paths.map((path) => [path, this.#known.get(path) ?? []]));
  }

  /** As `of`; null for those that more sources than `most` may load, which are not read for it. */
  async fewOf(paths: readonly TreePath[], most: number): Promise<ReadonlyMap<TreePath, readonly TreePath[] | null>> {
    const unknown = paths.filter((path) => !this.#known.has(path));
    const may = await this.#mayLoadEach(unknown);
    const few = unknown.filter((path) => (may.get(path)?.length ?? Infinity) <= most);
    if (few.length > 0) await this.#find(few, [...new Set([...few.flatMap((path) => may.get(path) ?? []), ...this.#side.unnamed])]);
    return new Map(paths.map((path) => [path, this.#known.get(path) ?? null]));
  }

  /** The sources that may load each path; of those that nothing is told of, none. */
  async #mayLoadEach(paths: readonly TreePath[]): Promise<ReadonlyMap<TreePath, readonly TreePath[]>> {
    const words = new Map(paths.map((path) => [path, this.#side.linker.wordsFor(path)]));
    const found = paths.length === 0 ? null : await this.#byWord([...new Set([...words.values()].flat())]);
    if (found === null) return new Map();
    const each = new Map<TreePath, readonly TreePath[]>();
    for (const [path, own] of words) {
      const holding = own.flatMap((word) => word.split(/[\0\r\n]/).flatMap((line) => found.get(line) ?? [])).filter((one) => this.#side.sources.has(one));
      each.set(path, [...new Set([...holding, ...await this.#loadersAround([path])])]);
    }
    return each;
  }

  /** The sources that may load one of the paths. */
  async #mayLoad(paths: readonly TreePath[]): Promise<readonly TreePath[]> {
    const words = [...new Set(paths.flatMap((path) => this.#side.linker.wordsFor(path)))].filter((word) => word !== "");
    return [...new Set([...words.length === 0 ? [] : await this.holding(words), ...await this.#loadersAround(paths)])];
  }

  async #find(paths: readonly TreePath[], holding: readonly TreePath[]): Promise<void> {
    await this.#side.load(holding);
    const found = new Map<TreePath, TreePath[]>(paths.map((path) => [path, []]));
    for (const importer of holding) {
      const module = this.#side.module(importer);
      if (module === null) continue;
      for (const target of this.#side.targets(module)) if (target !== importer) found.get(target)?.push(importer);
    }
    for (const [path, importers] of found) this.#known.set(path, importers);
  }

  /**
   * The sources that may load an excluded file by a name that they put together: they have what loads, and name a
   * folder around the file or lie in one.
   */
  async #loadersAround(paths: readonly TreePath[]): Promise<readonly TreePath[]> {
    const excluded = paths.filter((path) => this.#side.sources.has(path) && !this.#isPlain(path));
    if (excluded.length === 0) return [];
    const loaders = await this.holding(ECMASCRIPT_LOADERS);
    const words = [...new Set(excluded.flatMap(folderWords))];
    const naming = new Set(loaders.length === 0 || words.length === 0 ? [] : await this.holding(words));
    const around = new Set(excluded.flatMap((path) => foldersUpward(folderOf(path))));
    return loaders.filter((path) => naming.has(path) || around.has(folderOf(path)));
  }

  /**
   * Which of the paths are judged: source that no glob excludes, and excluded files that a judged module imports,
   * directly or through excluded files.
   */
  async judged(paths: Iterable<TreePath>): Promise<ReadonlySet<TreePath>> {
    const wanted = [...new Set(paths)];
    const excluded = wanted.filter((path) => !this.#isPlain(path) && !this.#judged.has(path));
    if (excluded.length > 0) await this.#settle(excluded);
    return new Set(wanted.filter((path) => this.#isPlain(path) || this.#judged.get(path) === true));
  }

  /** Why an excluded file is judged, as far as `judged` found out: a judged one that loads it. */
  loaderOf(path: TreePath): TreePath | null {
    return this.#loaders.get(path) ?? null;
  }

  /** Walks from the excluded files to what imports them, until it ends, then back from the judged ones. */
  async #settle(excluded: readonly TreePath[]): Promise<void> {
    const imports = new Map<TreePath, TreePath[]>();
    const judged: TreePath[] = [];
    const seen = new Set(excluded);
    for (let frontier: readonly TreePath[] = excluded; frontier.length > 0; ) {
      const next: TreePath[] = [];
      for (const [path, importers] of await this.of(frontier)) {
        for (const importer of importers) {
          imports.set(importer, [...(imports.get(importer) ?? []), path]);
          if (seen.has(importer)) continue;
          seen.add(importer);
          if (this.#isPlain(importer)) judged.push(importer);
          else next.push(importer);
        }
      }
      frontier = next;
    }
    for (const path of seen) if (!this.#isPlain(path)) this.#judged.set(path, false);
    for (let path = judged.pop(); path !== undefined; path = judged.pop()) {
      for (const imported of imports.get(path) ?? []) {
        if (this.#judged.get(imported) !== false) continue;
        this.#judged.set(imported, true);
        this.#loaders.set(imported, path);
        judged.push(imported);
      }
    }
  }

  #isPlain(path: TreePath): boolean {
    return this.#side.sources.get(path)?.excludedBy === null;
  }
}
