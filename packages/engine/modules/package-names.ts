import { tomlEntries } from "../change/manifests/toml-entries.ts";
import { folderOf, joinTree } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import { foldersUpward } from "./manifests.ts";
import type { Manifests } from "./manifests.ts";

/** Where a pyproject.toml has its name: https://packaging.python.org/en/latest/specifications/pyproject-toml/, and Poetry's. */
const NAME_KEYS = new Set(["project.name", "tool.poetry.name"]);

/** The names of packages by module, each manifest read once and only when it is asked for. */
export class PackageNames {
  readonly #manifests: Manifests;
  readonly #pyprojects = new Map<TreePath, string | null>();

  constructor(manifests: Manifests) {
    this.#manifests = manifests;
  }

  /** What the nearest manifest above a module that names a package calls it; null where there is none. */
  of(path: TreePath, python: boolean): string | null {
    return python ? this.#pythonName(path) : this.#ecmascriptName(path);
  }

  #ecmascriptName(path: TreePath): string | null {
    for (const { json } of this.#manifests.packagesAbove(folderOf(path))) if (typeof json["name"] === "string") return json["name"];
    return null;
  }

  #pythonName(path: TreePath): string | null {
    for (const folder of foldersUpward(folderOf(path))) {
      const name = this.#nameIn(joinTree(folder, "pyproject.toml"));
      if (name !== null) return name;
    }
    return null;
  }

  #nameIn(manifest: TreePath): string | null {
    let name = this.#pyprojects.get(manifest);
    if (name === undefined) {
      name = tomlEntries(this.#manifests.text(manifest) ?? "").find(({ keys }) => NAME_KEYS.has(keys.join(".")))?.value ?? null;
      this.#pyprojects.set(manifest, name);
    }
    return name;
  }
}
