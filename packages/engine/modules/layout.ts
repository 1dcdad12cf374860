import type { TreePath } from "../paths.ts";

/** Paths that can be listed and asked for: a set, or the keys of a map. */
export interface Paths {
  keys(): Iterable<TreePath>;
  has(path: TreePath): boolean;
}

/** Which paths the tree has, links inside it followed. Answers from memory. */
export class Layout {
  readonly #files: Paths;
  readonly #links: ReadonlyMap<TreePath, TreePath>;
  readonly #folders = new Set<TreePath>();

  constructor(files: Paths, links: ReadonlyMap<TreePath, TreePath>) {
    this.#files = files;
    this.#links = links;
    let last = "";
    for (const file of files.keys()) {
      const slash = file.lastIndexOf("/");
      // Paths come sorted: most lie beside the one before.
      if (slash <= 0 || (slash === last.length && file.startsWith(last))) continue;
      last = file.slice(0, slash);
      this.#addFolders(last);
    }
  }

  #addFolders(innermost: TreePath): void {
    for (let folder = innermost; !this.#folders.has(folder); ) {
      this.#folders.add(folder);
      const slash = folder.lastIndexOf("/");
      if (slash <= 0) return;
      folder = folder.slice(0, slash);
    }
  }

  /** The file at a path, as the path under which it is judged; null where there is none. */
  file(path: TreePath): TreePath | null {
    const real = this.#followed(path);
    return this.#files.has(real) ? real : null;
  }

  /** Whether a folder with files in it lies at a path. */
  folder(path: TreePath): boolean {
    return path === "" || this.#folders.has(this.#followed(path));
  }

  /** Where the folder at a path lies in truth; null where there is none. */
  realFolder(path: TreePath): TreePath | null {
    return this.folder(path) ? this.#followed(path) : null;
  }

  /** The first of the paths that is a file. */
  firstFile(paths: readonly TreePath[]): TreePath | null {
    for (const path of paths) {
      const found = this.file(path);
      if (found !== null) return found;
    }
    return null;
  }

  #followed(path: TreePath): TreePath {
    if (this.#links.size === 0) return path;
    let current = path;
    // A link may end at a path that goes through another one; real paths end this at once, hostile ones after a few.
    for (let step = 0; step < 8; step++) {
      const next = this.#step(current);
      if (next === current) return current;
      current = next;
    }
    return current;
  }

  #step(path: TreePath): TreePath {
    for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
      const target = this.#links.get(path.slice(0, end));
      if (target !== undefined) return target === "" ? path.slice(end + 1) : target + path.slice(end);
    }
    return path;
  }
}
