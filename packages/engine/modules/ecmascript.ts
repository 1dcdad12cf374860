import { isBuiltin } from "node:module";
import { folderOf, joinTree, normalise } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import { packageOf } from "./aliases.ts";
import { importsTarget, npmAlias, packageEntry } from "./aliases.ts";
import type { Layout } from "./layout.ts";
import type { Manifests } from "./manifests.ts";
import type { Resolution } from "./python.ts";
import { pathTargets } from "./tsconfig.ts";

/** Endings tried on a specifier without one, in the order of TypeScript and then Node. */
const ENDINGS = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json", ".d.ts"];

/** What TypeScript is written for an ending that only the output has. */
const SOURCE_OF: readonly (readonly [string, readonly string[]])[] = [
  [".js", [".ts", ".tsx", ".jsx"]], [".jsx", [".tsx"]], [".mjs", [".mts"]], [".cjs", [".cts"]],
];

/** Finds the modules that ECMAScript specifiers name. */
export class EcmascriptResolver {
  readonly #layout: Layout;
  readonly #manifests: Manifests;

  constructor(layout: Layout, manifests: Manifests) {
    this.#layout = layout;
    this.#manifests = manifests;
  }

  resolve(from: TreePath, specifier: string): Resolution {
    if (/^\.\.?(?:\/|$)/.test(specifier)) return this.#relative(folderOf(from), specifier);
    if (specifier.startsWith("#")) return this.#private(from, specifier);
    if (specifier === "" || /^[/\\]|^[a-zA-Z][\w+.-]*:/.test(specifier)) return null;
    // A built-in always goes before packages and files of its name.
    if (isBuiltin(specifier)) return null;
    return this.#mapped(from, specifier) ?? this.#itself(from, specifier) ?? this.#workspace(specifier) ?? this.#alias(from, specifier);
  }

  #relative(folder: TreePath, specifier: string): Resolution {
    const path = normalise(joinTree(folder, specifier));
    if (path === null) return null;
    const found = this.file(path) ?? this.file(path.replace(/[?#].*$/, ""));
    return found === null ? "missing" : { path: found };
  }

  /** The file that a path without or with its ending names, or the entry of the folder there. */
  file(path: TreePath): TreePath | null {
    const written = SOURCE_OF.find(([ending]) => path.endsWith(ending));
    const sources = written === undefined ? [] : written[1].map((ending) => path.slice(0, -written[0].length) + ending);
    const guesses = path === "" ? [] : [path, ...sources, ...ENDINGS.map((ending) => path + ending)];
    return this.#layout.firstFile(guesses) ?? this.#folderEntry(path);
  }

  #folderEntry(folder: TreePath): TreePath | null {
    if (!this.#layout.folder(folder)) return null;
    const main = this.#manifests.json(joinTree(folder, "package.json"))?.["main"];
    const entry = typeof main === "string" ? normalise(joinTree(folder, main)) : null;
    if (entry !== null && entry !== folder) {
      const found = this.#layout.firstFile([entry, ...ENDINGS.map((ending) => entry + ending), ...ENDINGS.map((ending) => `${entry}/index${ending}`)]);
      if (found !== null) return found;
    }
    return this.#layout.firstFile(ENDINGS.map((ending) => joinTree(folder, `index${ending}`)));
  }

  /** `#name`: the `imports` of the package around the module. */
  #private(from: TreePath, specifier: string): Resolution {
    const manifest = this.#manifests.packagesAbove(folderOf(from))[0];
    if (manifest === undefined) return this.#mapped(from, specifier) ?? "missing";
    const target = importsTarget(manifest.json["imports"], specifier);
    if (target === null) return this.#mapped(from, specifier) ?? "missing";
    if (target.startsWith("./")) return this.#relative(manifest.folder, target);
    return this.#workspace(target) ?? this.#alias(from, target) ?? { alias: target };
  }

  /** tsconfig `paths` and `baseUrl`. */
  #mapped(from: TreePath, specifier: string): Resolution {
    for (const target of pathTargets(this.#manifests, folderOf(from), specifier)) {
      const inPackages = target.lastIndexOf("node_modules/");
      if (inPackages !== -1) return { alias: target.slice(inPackages + "node_modules/".length) };
      const found = this.file(target);
      if (found !== null) return { path: found };
    }
    return null;
  }

  /** The package around the module by its own name, which Node finds where it has `exports`. */
  #itself(from: TreePath, specifier: string): Resolution {
    const { name, rest } = packageOf(specifier);
    const around = this.#manifests.packagesAbove(folderOf(from))[0];
    return around?.json["name"] === name && around.json["exports"] !== undefined ? this.#entry(around.folder, rest) : null;
  }

  #entry(folder: TreePath, rest: string): { readonly path: TreePath } | null {
    for (const target of packageEntry(this.#manifests.json(joinTree(folder, "package.json")) ?? {}, rest)) {
      const path = normalise(joinTree(folder, target));
      const found = path === null ? null : this.file(path);
      if (found !== null) return { path: found };
    }
    return null;
  }

  /** A package of the tree by its name. */
  #workspace(specifier: string): Resolution {
    const { name, rest } = packageOf(specifier);
    const folder = this.#manifests.workspace(name);
    if (folder === null) return null;
    // Where its entry is built and not there, the package is judged where its sources lie.
    return this.#entry(folder, rest) ?? { path: joinTree(folder, "package.json") };
  }

  #alias(from: TreePath, specifier: string): Resolution {
    const { name, rest } = packageOf(specifier);
    for (const manifest of this.#manifests.packagesAbove(folderOf(from))) {
      const target = npmAlias(manifest.json, name);
      if (target === null) continue;
      if (target.startsWith("npm:")) return { alias: target.slice(4) + rest };
      const path = normalise(joinTree(manifest.folder, target));
      const found = path === null ? null : this.file(path + rest);
      if (found !== null) return { path: found };
    }
    return null;
  }
}
