import type { TreePath } from "../paths.ts";

/** How the state that is judged differs from the one that lies on the disk. */
export interface Overlay {
  readonly texts: ReadonlyMap<TreePath, string>;
  /** Files that lie there, and are not in it. */
  readonly gone: ReadonlySet<TreePath>;
}

/** An overlay by the names that the compiler gives files. `root` is absolute, as the compiler writes it. */
export class Laid {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #gone: ReadonlySet<string>;
  readonly #folders = new Set<string>();

  constructor(root: string, overlay: Overlay | null) {
    this.#texts = new Map([...overlay?.texts ?? []].map(([path, text]) => [`${root}/${path}`, text]));
    this.#gone = new Set([...overlay?.gone ?? []].map((path) => `${root}/${path}`));
    for (const name of this.#texts.keys()) {
      for (let end = name.lastIndexOf("/"); end > root.length; end = name.lastIndexOf("/", end - 1)) this.#folders.add(name.slice(0, end));
    }
  }

  /** Undefined: the disk tells. */
  text(name: string): string | undefined {
    return this.#texts.get(name);
  }

  isGone(name: string): boolean {
    return this.#gone.has(name);
  }

  isFolder(name: string): boolean {
    return this.#folders.has(name);
  }

  names(): string[] {
    return [...this.#texts.keys()];
  }
}
