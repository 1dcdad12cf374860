import { classify, isNamespace, isPythonLibrary } from "@agentgate/rules";
import { baseName, folderOf, joinTree } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import type { Layout } from "./layout.ts";
import { foldersUpward } from "./manifests.ts";

export type Resolution = { readonly path: TreePath } | { readonly alias: string } | null | "missing";

/**
 * Modules that the interpreter holds before the first line of a program runs, or has built in: no file of a tree can
 * take their place.
 */
const ALWAYS_LOADED = new Set([
  "sys", "builtins", "os", "io", "abc", "codecs", "stat", "site", "posix", "nt", "posixpath", "ntpath", "genericpath", "marshal", "time",
  "_thread", "_io", "zipimport", "encodings", "importlib",
]);

const PROJECT_FILES: readonly string[] = ["pyproject.toml", "setup.py", "setup.cfg"];

/** Finds the modules that Python specifiers name. */
export class PythonResolver {
  readonly #layout: Layout;
  /** Folders with a project file, and their `src`. */
  readonly #projects: readonly TreePath[];
  /** `#bases` by the folder that holds the outermost package: many modules share it. */
  readonly #basesAround = new Map<TreePath, ReadonlySet<TreePath>>();

  constructor(layout: Layout, files: Iterable<TreePath>) {
    this.#layout = layout;
    const projects = new Set<TreePath>(["", "src"]);
    for (const file of files) {
      if (!PROJECT_FILES.some((name) => file.endsWith(name)) || !PROJECT_FILES.includes(baseName(file))) continue;
      projects.add(folderOf(file)).add(joinTree(folderOf(file), "src"));
    }
    this.#projects = [...projects].sort();
  }

  /** `specifier` as in facts: dots first where it is relative, then names. */
  resolve(from: TreePath, specifier: string): Resolution {
    const dots = /^\.*/.exec(specifier)![0].length;
    const names = specifier.slice(dots).split(".").filter((name) => name !== "");
    return dots > 0 ? this.#relative(from, dots, names) : this.#absolute(from, names);
  }

  /** The folder of the package that a specifier names, as its modules are looked for; null where there is none. */
  packageFolder(from: TreePath, specifier: string): TreePath | null {
    const dots = /^\.*/.exec(specifier)![0].length;
    const path = specifier.slice(dots).replaceAll(".", "/");
    let own = folderOf(from);
    for (let level = 1; level < dots; level++) own = folderOf(own);
    const folders = dots > 0 ? [joinTree(own, path)] : [...this.#bases(from)].map((base) => joinTree(base, path));
    const known = folders.filter((folder) => this.#layout.folder(folder));
    const found = known.find((folder) => this.#layout.file(joinTree(folder, "__init__.py")) !== null) ?? known[0];
    return found === undefined ? null : this.#layout.realFolder(found);
  }

  /** Everything that runs when a module is imported: the packages around it and itself. */
  withPackages(path: TreePath): TreePath[] {
    return [...foldersUpward(folderOf(path)).flatMap((folder) => this.#layout.file(joinTree(folder, "__init__.py")) ?? []), path];
  }

  #relative(from: TreePath, dots: number, names: readonly string[]): Resolution {
    let folder = folderOf(from);
    for (let level = 1; level < dots; level++) {
      if (folder === "") return null;
      folder = folderOf(folder);
    }
    const found = names.length === 0 ? this.#package(folder) : this.#below(folder, names);
    return found === null ? "missing" : { path: found };
  }

  #absolute(from: TreePath, names: readonly string[]): Resolution {
    const top = names[0];
    if (top === undefined || ALWAYS_LOADED.has(top)) return null;
    for (const base of isPythonLibrary(top) ? this.#firstBases(from) : this.#bases(from)) {
      if (this.#regular(base, top) === null) continue;
      const found = this.#below(base, names);
      return found === null ? "missing" : { path: found };
    }
    // Without `__init__.py` an installed package of the name goes first.
    if (names.length < 2) return null;
    if (classify("python", { module: names.join("."), path: [] }).kind !== "unclassified") return this.#portion(from, names);
    for (const base of this.#bases(from)) {
      const found = this.#layout.folder(joinTree(base, top)) ? this.#below(base, names) : null;
      if (found !== null) return { path: found };
    }
    return null;
  }

  /**
   * A private module of the tree below a name that many distributions share, such as `google.cloud`: the folders of all
   * of them are one package, and the tree's is looked in first. What the catalogue says of a client is meant for the
   * client's public names, also where the tree is the client itself.
   */
  #portion(from: TreePath, names: readonly string[]): Resolution {
    if (!isNamespace(names[0]!) || !names.some((name) => name.startsWith("_"))) return null;
    for (const base of this.#bases(from)) {
      const found = this.#regular(folderOf(joinTree(base, names.join("/"))), names.at(-1)!);
      if (found !== null) return { path: found };
    }
    return null;
  }

  /** The folders that go before Python's own library: where the program starts, which is the package's or the root. */
  #firstBases(from: TreePath): Iterable<TreePath> {
    return new Set([this.#outermost(from), ""]);
  }

  /**
   * The folders in which an absolute import looks, the nearest first: the one that holds the outermost package around
   * the module, those above it, and the tree's projects.
   */
  #bases(from: TreePath): Iterable<TreePath> {
    const outermost = this.#outermost(from);
    let bases = this.#basesAround.get(outermost);
    if (bases === undefined) {
      bases = new Set([...foldersUpward(outermost).flatMap((folder) => [folder, joinTree(folder, "src")]), ...this.#projects]);
      this.#basesAround.set(outermost, bases);
    }
    return bases;
  }

  /** The folder that holds the outermost package around a module. */
  #outermost(from: TreePath): TreePath {
    let base = folderOf(from);
    while (base !== "" && this.#layout.file(joinTree(base, "__init__.py")) !== null) base = folderOf(base);
    return base;
  }

  #regular(base: TreePath, name: string): TreePath | null {
    const path = joinTree(base, name);
    // Windows finds a module with the second ending too, after the first.
    return this.#layout.firstFile([joinTree(path, "__init__.py"), `${path}.py`, `${path}.pyw`]);
  }

  /** A folder as a package: its `__init__.py`, else the folder itself where it holds anything. */
  #package(folder: TreePath): TreePath | null {
    return this.#layout.file(joinTree(folder, "__init__.py")) ?? (this.#layout.folder(folder) ? folder : null);
  }

  #below(base: TreePath, names: readonly string[]): TreePath | null {
    const path = joinTree(base, names.join("/"));
    const last = names.at(-1)!;
    return this.#regular(folderOf(path), last) ?? (this.#layout.folder(path) ? path : null);
  }
}
