import type { Span } from "@agentgate/parsers";
import type { ReachEdge, ReachImport, ReachModule } from "@agentgate/rules/reach";

/** Where a finding of something that was added can stand. */
export interface AddedPlace {
  readonly span: Span;
  readonly statement: number;
}

/** One thing that a changed module newly does. */
export interface Added extends AddedPlace {
  readonly edge: ReachEdge | null;
  readonly entry: ReachImport | null;
}

/**
 * What a change added to a module: calls and imports on added lines, and calls on old lines of what an added line
 * imports, gives that name, makes or derives from. A class that derives calls nothing by that; one that the module had
 * `before` may be called from anywhere, so that a new base is.
 */
export function addedIn(module: ReachModule, before: ReachModule | null, isAdded: (span: Span) => boolean): Added[] {
  const mentions = mentionsIn(module, isAdded);
  const added: Added[] = [];
  module.summary.functions.forEach(({ edges }, id) => {
    for (const edge of edges) {
      // What the body of a module only names does not run.
      if (edge.how === "value" && id === 0) continue;
      if (edge.how === "derive" && !derivedBy(module, edge).some((name) => before?.summary.classes.some((each) => each.name === name) === true)) continue;
      const place = isAdded(edge.span) ? edge : mentioned(module, edge, mentions);
      if (place !== null) added.push({ span: place.span, statement: Math.max(place.statement, 0), edge, entry: null });
    }
  });
  for (const entry of module.summary.imports) {
    const named = [entry, ...entry.names].find(({ span }) => isAdded(span));
    if (named !== undefined) added.push({ span: named.span, statement: entry.statement, edge: null, entry });
  }
  return added;
}

/** The names of the classes of a module that an edge of kind `derive` is of. */
export function derivedBy({ summary }: ReachModule, { to }: ReachEdge): string[] {
  return summary.classes.flatMap(({ name, bases }) => (bases.some(([kind, id]) => kind === to[0] && id === to[1]) ? [name] : []));
}

/** Names of modules on added lines. */
interface Mentions {
  /** Imports and aliases: what is reached by them, itself included. */
  readonly names: ReadonlyMap<string, AddedPlace>;
  /** Calls: what is reached through them. */
  readonly makers: ReadonlyMap<string, AddedPlace>;
}

function keyOf(module: string, path: readonly string[]): string {
  return JSON.stringify([module, ...path]);
}

function mentionsIn({ summary }: ReachModule, isAdded: (span: Span) => boolean): Mentions {
  const names = new Map<string, AddedPlace>();
  const makers = new Map<string, AddedPlace>();
  for (const { specifier, names: imported, span, statement } of summary.imports) {
    if (imported.length === 0 && isAdded(span)) names.set(keyOf(specifier, []), { span, statement });
    for (const name of imported) {
      const place = [name.span, span].find(isAdded);
      if (place === undefined) continue;
      names.set(keyOf(specifier, name.name === "*" ? [] : [name.name]), { span: place, statement });
      // `import a.b` of Python makes `a` known.
      const [first, ...rest] = specifier.split(".");
      if (name.name === "*" && summary.language === "python" && first !== "") names.set(keyOf(first!, rest), { span: place, statement });
    }
  }
  for (const { reference, span, statement } of summary.aliases) {
    const { module, path } = summary.references[reference]!;
    if (isAdded(span)) names.set(keyOf(module, path), { span, statement });
  }
  for (const { edges } of summary.functions) {
    for (const { to: [kind, id], span, statement } of edges) {
      if (kind !== "reference" || !isAdded(span)) continue;
      const { module, path } = summary.references[id]!;
      if (!makers.has(keyOf(module, path))) makers.set(keyOf(module, path), { span, statement: Math.max(statement, 0) });
    }
  }
  return { names, makers };
}

/** The added place that a call on an old line owes what it calls to. */
function mentioned(module: ReachModule, edge: ReachEdge, { names, makers }: Mentions): AddedPlace | null {
  if (names.size === 0 && makers.size === 0) return null;
  for (const { module: specifier, path } of referencesOf(module, edge)) {
    for (let length = path.length; length >= 0; length--) {
      const key = keyOf(specifier, path.slice(0, length));
      const place = names.get(key) ?? (length < path.length ? makers.get(key) : undefined);
      if (place !== undefined) return place;
    }
  }
  return null;
}

const MOST_BASES = 32;

/** The references that an edge goes by; for a class of the module, those that it derives from. */
function referencesOf({ summary }: ReachModule, { to }: ReachEdge): { readonly module: string; readonly path: readonly string[] }[] {
  const found: { readonly module: string; readonly path: readonly string[] }[] = [];
  const pending = [to];
  for (let step = 0; step < MOST_BASES && pending.length > 0; step++) {
    const [kind, id] = pending.pop()!;
    if (kind === "reference") found.push(summary.references[id]!);
    else if (kind === "class" || kind === "instance") pending.push(...(summary.classes[id]?.bases ?? []));
  }
  // A base is had whole.
  return to[0] === "reference" ? found : found.map(({ module, path }) => ({ module, path: [...path, ""] }));
}
