import { JAVASCRIPT_GLOBALS, NODE_LIBRARY, NODE_PACKAGES, PYTHON_LIBRARY, PYTHON_PACKAGES } from "./data/index.ts";
import { namesIn, readEntry, type CatalogueFile, type Entry, type RawEntry } from "./format.ts";
import type { CatalogueName, Language } from "./names.ts";

export type Origin = "library" | "global" | "package";

/** An entry, and what of a name it covers. */
export interface Found {
  readonly entry: Entry;
  readonly origin: Origin;
  /** The part of the name that the key stands for: `google.cloud.storage` for `google.cloud.*`. */
  readonly named: string;
  readonly members: readonly string[];
  /** False where only the package of a subpath is known (`axios/lib/x`). */
  readonly whole: boolean;
}

interface Held {
  readonly raw: RawEntry | null;
  readonly origin: Origin;
  entry?: Entry;
}

/** Entries by key; each is made ready when it is first asked for. */
export class Catalogue {
  readonly #held = new Map<string, Held>();
  readonly #aliases: Catalogue | null;

  /** `aliases` is where `as` looks first. */
  constructor(aliases?: Catalogue) {
    this.#aliases = aliases ?? null;
  }

  add(files: readonly CatalogueFile[], origin: Origin): this {
    for (const file of files) {
      for (const name of namesIn(file.pure)) this.#held.set(name, { raw: null, origin });
      for (const [key, raw] of Object.entries(file.entries)) this.#held.set(key, { raw, origin });
    }
    return this;
  }

  keys(): IterableIterator<string> {
    return this.#held.keys();
  }

  get(key: string): { readonly entry: Entry; readonly origin: Origin } | null {
    const held = this.#held.get(key);
    if (held === undefined) return null;
    held.entry ??= this.#read(key, held.raw);
    return { entry: held.entry, origin: held.origin };
  }

  /** The entry with the longest key; `a.b.*` and `@scope/*` stand for one more segment. */
  find(name: CatalogueName): Found | null {
    const least = name.keys[0]?.[1].length ?? 0;
    for (const [index, [key, members]] of name.keys.entries()) {
      const found = this.get(key) ?? this.#wildcard(key);
      if (found === null) continue;
      const folded = name.keys[0]?.[0] === `${key}/promises`;
      return { ...found, members, named: key, whole: index === 0 || folded || members.length > least };
    }
    return null;
  }

  #wildcard(key: string): { readonly entry: Entry; readonly origin: Origin } | null {
    const end = Math.max(key.lastIndexOf("."), key.lastIndexOf("/"));
    return end < 0 ? null : this.get(`${key.slice(0, end + 1)}*`);
  }

  #read(key: string, raw: RawEntry | null): Entry {
    if (raw === null) return readEntry(key, { is: "pure" });
    if (raw.as === undefined) return readEntry(key, raw);
    // Elsewhere first: the global `process` says what the module `process` says.
    const elsewhere = this.#aliases?.get(raw.as)?.entry;
    const target = elsewhere ?? readEntry(key, this.#held.get(raw.as)?.raw ?? { is: "pure" });
    return extended(target, readEntry(key, raw));
  }
}

/** What `as` names, with the members that the entry itself lists on top. */
function extended(target: Entry, own: Entry): Entry {
  if (own.members.size === 0 && own.patterns.length === 0) return target;
  return { ...target, key: own.key, members: new Map([...target.members, ...own.members]), patterns: [...own.patterns, ...target.patterns] };
}

const loaded = new Map<string, Catalogue>();

function once(name: string, make: () => Catalogue): Catalogue {
  const catalogue = loaded.get(name) ?? make();
  loaded.set(name, catalogue);
  return catalogue;
}

/** The shipped catalogue of a language: its library and packages. Built when first asked for. */
export function catalogueOf(language: Language): Catalogue {
  if (language === "ecmascript") {
    return once("ecmascript", () => new Catalogue().add(NODE_PACKAGES, "package").add(NODE_LIBRARY, "library"));
  }
  return once("python", () => new Catalogue().add(PYTHON_PACKAGES, "package").add(PYTHON_LIBRARY, "library"));
}

/** JavaScript's globals. One that is a module too (`process`) says what the module says. */
export function globalsCatalogue(): Catalogue {
  return once("globals", () => new Catalogue(catalogueOf("ecmascript")).add(JAVASCRIPT_GLOBALS, "global"));
}
