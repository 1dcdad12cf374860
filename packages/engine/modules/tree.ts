import type { ModuleFacts } from "@agentgate/parsers";
import { coversCapability } from "../policy/policy.ts";
import type { PolicyPort } from "../policy/policy.ts";
import { globMatcher } from "../discovery/exclude.ts";
import type { Discovery } from "../discovery/discover.ts";
import type { Capability, Port, Tree } from "@agentgate/rules";
import { baseName, commonFolders, endingOf, foldersOf } from "../paths.ts";
import type { TreePath } from "../paths.ts";
import { EcmascriptResolver } from "./ecmascript.ts";
import { importWords, namingManifests } from "./import-words.ts";
import type { NamingManifest } from "./import-words.ts";
import { installScripts } from "./install-scripts.ts";
import { Layout } from "./layout.ts";
import type { Searches } from "./module-index.ts";
import { diskTexts } from "./manifest-texts.ts";
import type { TextOf } from "./manifest-texts.ts";
import { Manifests } from "./manifests.ts";
import { PackageNames } from "./package-names.ts";
import { LoadPatterns, isPattern } from "./patterns.ts";
import { PythonResolver } from "./python.ts";
import type { Resolution } from "./python.ts";
import { inheritedConfigs } from "./tsconfig.ts";

/** Finds what specifiers name, in the languages of the tree. Answers are kept. */
export class Linker {
  readonly #python: PythonResolver;
  readonly #ecmascript: EcmascriptResolver;
  readonly #manifests: Manifests;
  readonly #pythonPaths: ReadonlySet<TreePath>;
  readonly #links: ReadonlyMap<TreePath, TreePath>;
  readonly #judged: readonly TreePath[];
  /** By glob: whether what it matches is Python, of each judged source that it matches. */
  readonly #languages = new Map<string, ReadonlySet<boolean>>();
  readonly #known = new Map<string, Resolution>();
  readonly #patterns: LoadPatterns;
  readonly #packageNames: PackageNames;
  #naming: readonly NamingManifest[] | null = null;
  #installScripts: ReadonlySet<TreePath> | null = null;

  /** `textOf` reads the tree's manifests. */
  constructor(discovery: Pick<Discovery, "files" | "links" | "sources">, textOf: TextOf = diskTexts) {
    this.#links = discovery.links;
    const layout = new Layout(discovery.files, discovery.links);
    this.#python = new PythonResolver(layout, discovery.files.keys());
    this.#manifests = new Manifests(discovery.files, textOf);
    this.#packageNames = new PackageNames(this.#manifests);
    this.#ecmascript = new EcmascriptResolver(layout, this.#manifests);
    this.#patterns = new LoadPatterns(layout, this.#python, discovery.sources);
    this.#judged = discovery.sources.filter((file) => file.excludedBy === null).map((file) => file.path);
    this.#pythonPaths = new Set(discovery.sources.filter((file) => endingOf(file.dialectPath) === ".py").map((file) => file.path));
  }

  resolve(from: TreePath, specifier: string): Resolution {
    const key = `${from}\0${specifier}`;
    let found = this.#known.get(key);
    if (found === undefined) {
      found = this.#pythonPaths.has(from) ? this.#python.resolve(from, specifier) : this.#ecmascript.resolve(from, specifier);
      this.#known.set(key, found);
    }
    return found;
  }

  /** Texts of which a module that imports `path` must hold one, whatever manifests and links call it. */
  wordsFor(path: TreePath): readonly string[] {
    const shown = [...this.#links].flatMap(([link, end]) => (path === end ? [link] : path.startsWith(`${end}/`) ? [link + path.slice(end.length)] : []));
    return [path, ...shown].flatMap((one) => importWords(one, () => this.#naming ??= namingManifests(this.#manifests)));
  }

  /** Whether a manifest of the tree names a module as what runs when the package is installed or built. */
  runsAtInstall(path: TreePath): boolean {
    return (this.#installScripts ??= installScripts(this.#manifests)).has(path);
  }

  /** The name of the package that a module is of, by the nearest manifest that has one. */
  packageOf(path: TreePath): string | null {
    return this.#packageNames.of(path, this.#pythonPaths.has(path));
  }

  /** The names of the tree's own packages. */
  packageNames(): readonly string[] {
    return this.#manifests.all().flatMap(([path, json]) => (baseName(path) === "package.json" && typeof json["name"] === "string" ? [json["name"]] : []));
  }

  /** The configurations that a tsconfig.json takes over, whatever they are called. */
  inheritedConfigs(): ReadonlySet<TreePath> {
    return inheritedConfigs(this.#manifests);
  }

  /** The tree's files that run when `from` loads what its specifiers name; of patterns, the excluded sources among them. */
  targets(from: TreePath, specifiers: Iterable<string>): ReadonlySet<TreePath> {
    const python = this.#pythonPaths.has(from);
    const targets = new Set<TreePath>();
    for (const specifier of specifiers) {
      for (const found of this.#found(from, specifier, python)) {
        for (const path of python ? this.#python.withPackages(found) : [found]) targets.add(path);
      }
    }
    return targets;
  }

  /** Whether a glob matches modules in the language of `from`; where it matches none yet, whether it could. */
  couldHold(glob: string, from: TreePath): boolean {
    let languages = this.#languages.get(glob);
    if (languages === undefined) {
      const matches = globMatcher(glob);
      languages = new Set(this.#judged.filter((path) => matches(path)).map((path) => this.#isPython(path)));
      this.#languages.set(glob, languages);
    }
    if (languages.size > 0) return languages.has(this.#isPython(from));
    return !/\.(?:pyw?|[mc]?[jt]sx?)$/.test(glob) || /\.pyw?$/.test(glob) === this.#isPython(from);
  }

  #isPython(path: TreePath): boolean {
    return this.#pythonPaths.has(path) || /\.pyw?$/.test(path);
  }

  #found(from: TreePath, specifier: string, python: boolean): readonly TreePath[] {
    if (isPattern(specifier)) return this.#patterns.matching(from, specifier, python);
    const found = this.resolve(from, specifier);
    return found === null || found === "missing" || !("path" in found) ? [] : [found.path];
  }
}

/** The ports of a policy, with their globs ready. */
export class Ports {
  readonly all: readonly PolicyPort[];
  readonly #matchers: readonly ((path: TreePath) => boolean)[];
  readonly #byPath = new Map<TreePath, readonly PolicyPort[]>();

  constructor(ports: readonly PolicyPort[]) {
    this.all = ports;
    this.#matchers = ports.map((port) => globMatcher(port.path));
  }

  matching(path: TreePath): readonly PolicyPort[] {
    let ports = this.#byPath.get(path);
    if (ports === undefined) {
      ports = this.all.filter((_, index) => this.#matchers[index]!(path));
      this.#byPath.set(path, ports);
    }
    return ports;
  }

  /** The first port that covers a capability in a module. */
  covering(path: TreePath, capability: string): PolicyPort | null {
    return this.matching(path).find((port) => coversCapability(port.capabilities, capability)) ?? null;
  }

  /** The ports that have a capability: those of the module's own part of the tree first, then in the policy's order. */
  near(path: TreePath, capability: Capability): readonly Port[] {
    const part = foldersOf(path).slice(0, -1);
    const shared = new Map(this.all.map((port) => [port, commonFolders(part, foldersOf(port.path))]));
    return this.all.filter((port) => coversCapability(port.capabilities, capability)).sort((one, other) => shared.get(other)! - shared.get(one)!);
  }
}

/** Of the ports that have a capability those that a module could be imported from, the nearest first. */
export function importablePorts({ ports, linker }: { readonly ports: Ports; readonly linker: Linker }, path: TreePath, capability: Capability): readonly Port[] {
  return ports.near(path, capability).filter((port) => linker.couldHold(port.path, path));
}

/** The tree as rules see it. */
export function treeOf(linker: Linker, facts: (path: TreePath) => ModuleFacts | null, ports: Ports, searches: Searches, unanswered?: () => number): Tree {
  return {
    resolve: (from, specifier) => linker.resolve(from, specifier),
    facts,
    covers: (path, capability) => ports.covering(path, capability) !== null,
    definersOf: (name) => searches.definersOf(name),
    importersOf: (path) => searches.importersOf(path),
    runsAtInstall: (path) => linker.runsAtInstall(path),
    packageOf: (path) => linker.packageOf(path),
    ...(unanswered === undefined ? {} : { unanswered }),
  };
}
