import type { TreePath } from "../paths.ts";

/** Which paths the tree has, links inside it followed. Answers from memory. */
export class Layout {
  readonly #files: ReadonlySet<TreePath>;
  readonly #links: ReadonlyMap<TreePath, TreePath>;
  readonly #folders = new Set<TreePath>();

  constructor(files: Iterable<TreePath>, links: ReadonlyMap<TreePath, TreePath>) {
    this.#files = new Set(files);
    this.#links = links;
    for (const file of this.#files) {
      for (let slash = file.lastIndexOf("/"); slash > 0; slash = file.lastIndexOf("/", slash - 1)) {
        const folder = file.slice(0, slash);
        if (this.#folders.has(folder)) break;
        this.#folders.add(folder);
      }
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
