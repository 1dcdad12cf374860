import { baseName, endingOf, folderOf, joinTree } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import { changedInConfig, changedInPackage, isPythonManifest, isResolutionManifest } from "./aliases.ts";
import type { ChangedFile } from "./change.ts";
import { movedLinks } from "./links.ts";
import type { Comparison, OpenChange } from "./open.ts";

/** A path with what it held; null on a side where it is not there. */
interface Place {
  readonly path: TreePath;
  readonly before: TreePath | null;
  readonly after: TreePath | null;
}

/**
 * The modules whose imports mean something else at head than at a merge base, touched or not, with the path that made
 * it so: a manifest changed, a module is gone, a package begins or ends, or a link leads elsewhere.
 */
export async function reboundModules(change: OpenChange, comparison: Comparison): Promise<ReadonlyMap<TreePath, TreePath>> {
  return new ReboundFinder(change, comparison).find();
}

class ReboundFinder {
  readonly #change: OpenChange;
  readonly #comparison: Comparison;
  readonly #found = new Map<TreePath, TreePath>();

  constructor(change: OpenChange, comparison: Comparison) {
    this.#change = change;
    this.#comparison = comparison;
  }

  async find(): Promise<ReadonlyMap<TreePath, TreePath>> {
    const { base, baseImporters, difference } = this.#comparison;
    const places = difference.files.flatMap(placesOf);
    const gone = places.filter(({ path, after }) => after === null && (base.sources.has(path) || endingOf(path) === ".json")).map(({ path }) => path);
    const importers = await baseImporters.of(gone);
    for (const path of gone) await this.#take(path, importers.get(path) ?? []);
    const configs = this.#inheritedConfigs(places);
    for (const place of places) {
      if (isResolutionManifest(place.path) || configs.has(place.path)) await this.#take(place.path, await this.#namedBy(place, configs));
      else if (baseName(place.path) === "__init__.py" && (place.before === null) !== (place.after === null)) await this.#take(place.path, this.#sources(folderOf(place.path), true));
    }
    for (const link of movedLinks(base, this.#change.head)) await this.#take(link, await this.#throughLink(link));
    return this.#found;
  }

  /** Notes the candidates that are judged and resolve an import anew. */
  async #take(cause: TreePath, candidates: Iterable<TreePath>): Promise<void> {
    const { head, headImporters } = this.#change;
    const judged = await headImporters.judged([...candidates].filter((path) => head.sources.has(path) && !this.#found.has(path)));
    await head.load(judged);
    for (const path of judged) if (this.#resolvesAnew(path)) this.#found.set(path, cause);
  }

  #resolvesAnew(path: TreePath): boolean {
    const { head } = this.#change;
    const specifiers = head.module(path)?.specifiers.all ?? [];
    return specifiers.some((specifier) => {
      const [before, now] = [this.#comparison.base.linker.resolve(path, specifier), head.linker.resolve(path, specifier)];
      return now !== "missing" && JSON.stringify(before) !== JSON.stringify(now);
    });
  }

  /** Configurations that others extend, under whatever name; asked for only where such a file may have changed. */
  #inheritedConfigs(places: readonly Place[]): ReadonlySet<TreePath> {
    const { head } = this.#change;
    const { base } = this.#comparison;
    const data = places.some(({ path }) => !head.sources.has(path) && !base.sources.has(path));
    return data ? new Set([...base.linker.inheritedConfigs(), ...head.linker.inheritedConfigs()]) : new Set();
  }

  async #namedBy({ path, before, after }: Place, configs: ReadonlySet<TreePath>): Promise<readonly TreePath[]> {
    const { head, headImporters } = this.#change;
    const { base, difference } = this.#comparison;
    // Whether the file is there decides, not what it says; the root is such a place anyway.
    if (isPythonManifest(path)) return folderOf(path) === "" || (before === null) === (after === null) ? [] : this.#sources("", true);
    const packages = (): string[] => [...base.linker.packageNames(), ...head.linker.packageNames()];
    if (baseName(path) === "pnpm-workspace.yaml") return headImporters.holding(packages());
    const [old, now] = [before === null ? null : await difference.base.text(before), after === null ? null : await difference.head.text(after)];
    if (baseName(path) !== "package.json") {
      const names = changedInConfig(old, now);
      return names === null ? this.#sources(configs.has(path) ? "" : folderOf(path), false) : headImporters.holding(names);
    }
    const { names, entry, workspaces } = changedInPackage(old, now);
    const index = joinTree(folderOf(path), "index.ts");
    return headImporters.holding([...names, ...(entry ? [...base.linker.wordsFor(index), ...head.linker.wordsFor(index)] : []), ...(workspaces ? packages() : [])]);
  }

  /** Modules that may import through a link: through one to a folder, any. */
  async #throughLink(link: TreePath): Promise<readonly TreePath[]> {
    const { head, headImporters } = this.#change;
    const ofFile = [this.#comparison.base, head].every(({ discovery }) => !discovery.links.has(link) || discovery.files.has(discovery.links.get(link)!));
    return ofFile ? headImporters.holding(head.linker.wordsFor(link)) : [...head.sources.keys()];
  }

  /** The sources of a language at head below a folder. */
  #sources(folder: TreePath, python: boolean): TreePath[] {
    const below = folder === "" ? "" : `${folder}/`;
    return [...this.#change.head.sources.values()].filter(({ path, dialectPath }) => path.startsWith(below) && (endingOf(dialectPath) === ".py") === python).map(({ path }) => path);
  }
}

/** A renamed file is gone from one path and new at another: what it says holds for where it lies. */
function placesOf({ path, basePath, status }: ChangedFile): Place[] {
  if (status === "renamed" && basePath !== null) return [{ path: basePath, before: basePath, after: null }, { path, before: null, after: path }];
  return [{ path, before: basePath, after: status === "deleted" ? null : path }];
}
