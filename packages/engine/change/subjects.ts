import type { Span } from "@agentgate/parsers";
import type { PassedOn } from "@agentgate/rules";
import { loadsOf } from "@agentgate/rules/loaded";
import type { TreePath } from "../paths.ts";
import type { ChangedFile } from "./change.ts";
import { calledWriters } from "./called.ts";
import { influenceChange } from "./influences.ts";
import { movedLinks } from "./links.ts";
import type { OpenChange } from "./open.ts";
import { reboundModules } from "./rebound.ts";
import { viewsOf } from "./view.ts";
import type { View } from "./view.ts";

/** Why a module that the change did not touch is judged, and where the change did that. */
export interface Cause {
  readonly kind: "imported" | "passed-on" | "influenced" | "called" | "renamed-import";
  readonly path: TreePath;
  /** In that file, the most telling first; empty where it is no module. */
  readonly spans: readonly Span[];
}

/** A module whose abilities may have changed. */
export interface Subject {
  readonly path: TreePath;
  readonly cause: Cause | null;
  readonly view: View | null;
  /** What it was at each merge base; null where there was nothing that was judged. */
  readonly bases: readonly (BaseModule | null)[];
}

export interface BaseModule {
  readonly path: TreePath;
  readonly view: View;
}

/** Everything that a change may have let do more, and what it took away. */
export interface Subjects {
  readonly subjects: readonly Subject[];
  /** Judged modules that are gone, by their old path, at the first merge base. */
  readonly gone: ReadonlyMap<TreePath, View>;
  /** Changes that reach more modules than are judged for it. */
  readonly cutOff: readonly Cause[];
}

/** Finds the modules to be judged and judges both sides of each. */
export async function subjectsOf(change: OpenChange): Promise<Subjects> {
  return new SubjectFinder(change).find();
}

class SubjectFinder {
  readonly #change: OpenChange;
  readonly #causes = new Map<TreePath, Cause | null>();
  readonly #views = new Map<TreePath, View>();
  readonly #cutOff: Cause[] = [];
  #influenced = 0;
  readonly #bases: readonly Map<TreePath, View>[];
  readonly #files: readonly ReadonlyMap<TreePath, ChangedFile>[];

  constructor(change: OpenChange) {
    this.#change = change;
    this.#bases = change.comparisons.map(() => new Map());
    this.#files = change.comparisons.map(({ difference }) => new Map(difference.files.map((file) => [file.path, file])));
  }

  async find(): Promise<Subjects> {
    const { head, headImporters } = this.#change;
    const changed = [...new Set(this.#change.comparisons.flatMap(({ difference }) => difference.files))].filter((file) => file.status !== "deleted" && head.entries.get(file.path)?.type !== "folder");
    const paths = new Set(changed.map((file) => file.path));
    const moved = new Set(this.#change.comparisons.flatMap(({ base }) => movedLinks(base, head)));
    const shown = [...head.discovery.links].filter(([link, end]) => head.sources.has(link) && (paths.has(end) || moved.has(link))).map(([link]) => link);
    const judged = await headImporters.judged([...paths, ...shown].filter((path) => head.sources.has(path) || !couldNotRun(path)));
    let pending: TreePath[] = [];
    for (const path of judged) if (head.sources.get(path)?.named !== false) pending.push(...this.#add(path, null));
    pending.push(...await this.#reboundImports());
    while (pending.length > 0) {
      for (const [path, view] of await viewsOf(head, pending, this.#change.policy)) this.#views.set(path, view);
      await this.#judgeBases(pending);
      pending = [...await this.#newlyImported(pending), ...await this.#takers(pending), ...await this.#calledWriters(pending)];
    }
    return { subjects: this.#subjects(), gone: await this.#gone(), cutOff: this.#cutOff };
  }

  #add(path: TreePath, cause: Cause | null): TreePath[] {
    if (this.#causes.has(path)) return [];
    this.#causes.set(path, cause);
    return [path];
  }

  /** The path of a module at a merge base; null where it is new there. */
  #basePath(index: number, path: TreePath): TreePath | null {
    const file = this.#files[index]!.get(path);
    return file === undefined ? path : file.basePath;
  }

  async #judgeBases(paths: readonly TreePath[]): Promise<void> {
    for (const [index, { base, baseImporters }] of this.#change.comparisons.entries()) {
      const old = paths.flatMap((path) => this.#basePath(index, path) ?? []).filter((path) => base.discovery.files.has(path));
      const judged = await baseImporters.judged(old);
      for (const [path, view] of await viewsOf(base, judged, this.#change.policy)) this.#bases[index]!.set(path, view);
    }
  }

  #baseView(index: number, path: TreePath): View | null {
    const old = this.#basePath(index, path);
    return old === null ? null : (this.#bases[index]!.get(old) ?? null);
  }

  /** Excluded files that a judged module imports and that no judged module imported before. */
  async #newlyImported(paths: readonly TreePath[]): Promise<TreePath[]> {
    const { head, comparisons } = this.#change;
    const importers = new Map<TreePath, TreePath>();
    for (const path of paths) for (const target of this.#excludedTargets(path)) if (!importers.has(target)) importers.set(target, path);
    if (importers.size === 0) return [];
    const before = await Promise.all(comparisons.map(({ base, baseImporters }) => baseImporters.judged([...importers.keys()].filter((target) => base.discovery.files.has(target)))));
    const news = [...importers].filter(([target]) => !before.every((judged) => judged.has(target)));
    await head.load(news.map(([target]) => target));
    return news.flatMap(([target, path]) => {
      if (head.module(target) === null && head.failure(target) === null) return [];
      return this.#add(target, { kind: "imported", path, spans: listed(importSpan(this.#change, path, target)) });
    });
  }

  /** What a module imports that globs leave out, unless it did so at every merge base too. */
  #excludedTargets(path: TreePath): TreePath[] {
    const { head, comparisons } = this.#change;
    const module = head.module(path);
    if (module === null) return [];
    const old = comparisons.map(({ base }, index) => {
      const view = this.#baseView(index, path);
      return view === null ? null : base.targets(view.module);
    });
    return [...head.targets(module)].filter((target) =>
      !this.#causes.has(target) && head.sources.get(target)?.excludedBy !== null && !couldNotRun(target) && !old.every((targets) => targets?.has(target) === true));
  }

  /** Modules below changed ones on whose writes a call of theirs decides, at head or at a merge base. */
  async #calledWriters(paths: readonly TreePath[]): Promise<TreePath[]> {
    const { head, headImporters, comparisons, policy } = this.#change;
    const changed = paths.filter((path) => this.#causes.get(path) === null);
    if (changed.length === 0) return [];
    const called = new Map(await calledWriters(head, changed, policy));
    for (const [index, { base }] of comparisons.entries()) {
      const old = new Map(changed.flatMap((path) => {
        const before = this.#basePath(index, path);
        return before === null ? [] : [[before, path] as const];
      }));
      for (const [path, from] of await calledWriters(base, [...old.keys()], policy)) if (!called.has(path)) called.set(path, old.get(from)!);
    }
    const judged = await headImporters.judged([...called.keys()].filter((path) => head.sources.has(path)));
    return [...called].flatMap(([path, from]) => (judged.has(path) ? this.#add(path, { kind: "called", path: from, spans: [] }) : []));
  }

  /** Modules that use what others newly pass on to them, or whose verdict depends on what became other in them. */
  async #takers(paths: readonly TreePath[]): Promise<TreePath[]> {
    const { head, headImporters } = this.#change;
    const causes = paths.flatMap((path): Cause[] => this.#causeFor(path) ?? []);
    if (causes.length === 0) return [];
    const importers = await headImporters.of(causes.map(({ path }) => path));
    const judged = await headImporters.judged([...importers.values()].flat());
    return causes.flatMap((cause) => this.#addTakers(cause, (importers.get(cause.path) ?? []).filter((importer) => judged.has(importer) && head.sources.has(importer))));
  }

  #addTakers(cause: Cause, importers: readonly TreePath[]): TreePath[] {
    const origin = this.#causeOf(cause.path) ?? cause;
    return importers.flatMap((importer) => {
      if (cause.kind === "influenced" && this.#influenced >= MOST_INFLUENCED && !this.#causes.has(importer)) {
        if (!this.#cutOff.some(({ path }) => path === origin.path)) this.#cutOff.push(origin);
        return [];
      }
      const added = this.#add(importer, origin);
      if (cause.kind === "influenced") this.#influenced += added.length;
      return added;
    });
  }

  /** What importers of a module are to be judged for; null where nothing that matters to them became other. */
  #causeFor(path: TreePath): Cause[] | null {
    const view = this.#views.get(path);
    if (view === undefined) return null;
    const more = this.#passesOnMore(path);
    if (more !== null) return [{ kind: "passed-on", path, spans: [more.span] }];
    const spans = influenceChange(view, this.#bases.map((_, index) => this.#baseView(index, path)));
    return spans === null ? null : [{ kind: "influenced", path, spans }];
  }

  /** Where the change itself lies, however many modules pass it on. */
  #causeOf(path: TreePath): Cause | null {
    return this.#causes.get(path) ?? null;
  }

  #passesOnMore(path: TreePath): PassedOn | null {
    const view = this.#views.get(path);
    if (view === undefined) return null;
    for (const index of this.#bases.keys()) {
      const old = new Set((this.#baseView(index, path)?.passedOn ?? []).flatMap(({ name, apis }) => apis.map((api) => `${name}\0${api}`)));
      const more = view.passedOn.find(({ name, apis }) => apis.some((api) => !old.has(`${name}\0${api}`)));
      if (more !== undefined) return more;
    }
    return null;
  }

  /** Modules whose imports mean something else, though nobody may have touched them. */
  async #reboundImports(): Promise<TreePath[]> {
    const found: TreePath[] = [];
    for (const comparison of this.#change.comparisons) {
      for (const [path, cause] of await reboundModules(this.#change, comparison)) found.push(...this.#add(path, { kind: "renamed-import", path: cause, spans: [] }));
    }
    return found;
  }

  #subjects(): Subject[] {
    return [...this.#causes].map(([path, cause]) => ({
      path, cause, view: this.#views.get(path) ?? null,
      bases: this.#bases.map((_, index) => {
        const view = this.#baseView(index, path);
        return view === null ? null : { path: view.module.path, view };
      }),
    }));
  }

  async #gone(): Promise<ReadonlyMap<TreePath, View>> {
    const [comparison] = this.#change.comparisons;
    if (comparison === undefined) return new Map();
    const deleted = comparison.difference.files.filter((file) => file.status === "deleted" && comparison.base.sources.has(file.path)).map((file) => file.path);
    return viewsOf(comparison.base, await comparison.baseImporters.judged(deleted), this.#change.policy);
  }
}

/** Modules that are judged for what became other in those that they import; a change that reaches more is said to. */
const MOST_INFLUENCED = 1000;

function listed(span: Span | null): readonly Span[] {
  return span === null ? [] : [span];
}

/** What no loader takes for a program. Prose and styles are none of it: `require` runs a file of any other ending. */
function couldNotRun(path: TreePath): boolean {
  return /\.(?:json|node|wasm|pyi)$|\.d\.[mc]?ts$/.test(path);
}

/** Where a module imports or loads another one; null where it cannot be told. */
export function importSpan({ head }: OpenChange, path: TreePath, target: TreePath): Span | null {
  const facts = head.module(path)?.facts;
  if (facts === undefined) return null;
  const isIt = (specifiers: readonly string[]): boolean => head.linker.targets(path, specifiers).has(target);
  const found = facts.imports.find((entry) => isIt([entry.specifier, ...entry.names.filter((name) => name.imported !== "*").map((name) => `${entry.specifier}${entry.specifier.endsWith(".") ? "" : "."}${name.imported}`)]));
  return found?.specifierSpan ?? loadsOf(facts).find(({ specifier }) => isIt([specifier]))?.call.nameSpan ?? null;
}
