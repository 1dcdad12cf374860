import { occurrencesOf } from "@agentgate/parsers";
import type { Import, ImportName, ModuleFacts, Reference, Span } from "@agentgate/parsers";
import type { Capability } from "../catalogue/capability.ts";
import { classify, isException } from "../catalogue/classify.ts";
import type { Classified } from "../catalogue/classify.ts";
import type { RuleContext } from "../rule.ts";
import type { Taken, UnclassifiedPackage } from "./acquired.ts";
import { namedInDecorators } from "./decorators.ts";
import { dynamicSites } from "./dynamic.ts";
import { statementOfImport } from "./indexes.ts";
import { lookupFor } from "./lookup.ts";
import { outsideReferences } from "./tree.ts";
import type { Resolver } from "./tree.ts";
import { importKey } from "./uses.ts";
import type { UsedSites, UsedTaken } from "./uses.ts";

interface Input {
  readonly facts: ModuleFacts;
  readonly context: RuleContext;
  readonly uses: UsedSites;
  readonly byRoot: ReadonlyMap<string, readonly UsedTaken[]>;
  readonly bySource: ReadonlyMap<string, readonly UsedTaken[]>;
}

/** What the imports of a module take: those of packages and names that are themselves I/O. */
export function importedSites(
  facts: ModuleFacts, context: RuleContext, resolver: Resolver, uses: UsedSites,
): { readonly taken: readonly Taken[]; readonly unclassified: readonly UnclassifiedPackage[] } {
  const input = { facts, context, uses, byRoot: indexed(uses.taken, (each) => each.root), bySource: indexed(uses.taken, (each) => each.source) };
  const taken: Taken[] = [];
  const unclassified = new Map<string, UnclassifiedPackage>();
  for (const entry of facts.imports) {
    if (entry.typeOnly === true || entry.typeChecking === true) continue;
    const destination = resolver.destination(context.path, entry.specifier);
    if (destination.kind !== "outside") taken.push(...binary(input, entry));
    if (destination.kind === "inside") taken.push(...namesThroughTree(input, entry));
    if (destination.kind !== "outside") continue;
    const answer = classify(facts.language, { module: destination.module, path: [] }, context.capabilities);
    if (answer.kind === "unclassified" && !unclassified.has(answer.root) && !isFolderOfTree(facts, context, resolver, entry)) {
      unclassified.set(answer.root, { root: answer.root, span: entry.specifierSpan, statement: statementOfImport(facts, entry) });
    }
    if (answer.kind === "capability" && !answer.mixed) taken.push(...wholePackage(input, entry, destination.module, answer));
    else if (answer.kind !== "unclassified") taken.push(...namesOfMixed(input, entry, destination.module));
  }
  return { taken: [...taken, ...loadedByName(input), ...reachedByName(facts, context, resolver), ...namedInDecorators(facts, context)], unclassified: [...unclassified.values()] };
}

/** `from folder import module`, where the folder has no `__init__.py` and so is no module itself. */
function isFolderOfTree(facts: ModuleFacts, context: RuleContext, resolver: Resolver, { form, specifier, names }: Import): boolean {
  if (facts.language !== "python" || form !== "from" || names.length === 0) return false;
  return names.every((name) => resolver.destination(context.path, `${specifier}.${name.imported}`).kind === "inside");
}

/** `./addon.node`: machine code, in the tree or beside it. */
function binary(input: Input, entry: Import): Taken[] {
  if (input.facts.language === "python" || !entry.specifier.endsWith(".node")) return [];
  const answer = classify("ecmascript", { module: entry.specifier, path: [] });
  return answer.kind === "capability" ? [takenAt(input, entry, entry.specifierSpan, answer, answer.capabilities)] : [];
}

function indexed(taken: readonly UsedTaken[], keyOf: (each: UsedTaken) => string): Map<string, UsedTaken[]> {
  const index = new Map<string, UsedTaken[]>();
  for (const each of taken) {
    const list = index.get(keyOf(each));
    if (list === undefined) index.set(keyOf(each), [each]);
    else list.push(each);
  }
  return index;
}

/** A package that is I/O itself: the finding stands at its name. */
function wholePackage(input: Input, entry: Import, module: string, answer: Classified): Taken[] {
  // Imported for its effects; in a `try` only to see whether it is there.
  const capabilities = entry.names.length === 0
    ? entry.optional === true ? [] : answer.capabilities
    : entry.names.filter((name) => name.typeOnly !== true).flatMap((name) => capabilitiesOfName(input, entry, name, module, answer));
  return capabilities.length === 0 ? [] : [takenAt(input, entry, entry.specifierSpan, answer, capabilities)];
}

function capabilitiesOfName(input: Input, entry: Import, name: ImportName, module: string, whole: Classified): readonly Capability[] {
  if (name.imported === "*" && name.binding === -1) return entry.optional === true ? [] : whole.capabilities;
  const wholly = name.imported === "*" || name.imported === "default";
  const own = wholly ? whole : classify(input.facts.language, { module, path: [name.imported] }, input.context.capabilities);
  if (own.kind !== "capability" || isException(input.facts.language, { module, path: [name.imported] })) return [];
  if (entry.form === "reexport" || isUnused(input, entry, name)) return own.capabilities;
  const used = (wholly ? input.byRoot.get(whole.root) : input.bySource.get(importKey(entry.specifier, name.imported))) ?? [];
  if (used.length > 0) return used.flatMap((each) => each.capabilities);
  return isOnlyAlias(input, entry, name) ? own.capabilities : [];
}

/** An unused import, unless all it does is to find out whether the package is there. */
function isUnused(input: Input, entry: Import, name: ImportName): boolean {
  return entry.optional !== true && name.binding >= 0 && occurrencesOf(input.facts, name.binding).length === 0;
}

/** Given another name and never used by it, or used in a way that left no trace. */
function isOnlyAlias(input: Input, entry: Import, name: ImportName): boolean {
  if (entry.optional === true) return false;
  const roles = input.uses.roles().get(entry.specifier)?.get(name.imported === "default" ? "*" : name.imported);
  return roles === undefined || [...roles].every((role) => role === "alias");
}

/** Of a module that is only partly I/O the imported names count, each by itself. */
function namesOfMixed(input: Input, entry: Import, module: string): Taken[] {
  return entry.names.flatMap((name): Taken[] => {
    if (name.typeOnly === true) return [];
    if (name.imported === "*" || name.imported === "default") return handedOnWhole(input, entry, name, module);
    const reference: Reference = { module, path: [name.imported] };
    const own = classify(input.facts.language, reference, input.context.capabilities);
    if (own.kind !== "capability" || own.mixed || isException(input.facts.language, reference)) return [];
    const used = input.bySource.get(importKey(entry.specifier, name.imported)) ?? [];
    const whole = entry.form === "reexport" || isUnused(input, entry, name);
    const capabilities = whole ? own.capabilities : used.flatMap((each) => each.capabilities);
    return capabilities.length === 0 ? [] : [takenAt(input, entry, name.span, own, capabilities)];
  });
}

/** `export * from "fs"`: everything that the module can do. */
function handedOnWhole(input: Input, entry: Import, name: ImportName, module: string): Taken[] {
  if (entry.form !== "reexport") return [];
  const whole = classify(input.facts.language, { module, path: [] }, input.context.capabilities);
  return whole.kind === "capability" ? [takenAt(input, entry, entry.specifierSpan, whole, whole.capabilities)] : [];
}

/** An API that another module of the tree passes on: the name is the import of it, where it is used. */
function namesThroughTree(input: Input, entry: Import): Taken[] {
  return entry.names.flatMap((name): Taken[] => {
    if (name.typeOnly === true || name.binding === -1 || name.imported === "*") return [];
    if (isHandedOn(input, entry, name)) return heldThroughTree(input, entry, name);
    const used = (input.bySource.get(importKey(entry.specifier, name.imported)) ?? []).filter((each) => each.site.through.length > 0);
    return used.map((each) => ({
      capabilities: each.capabilities, root: each.root,
      site: { ...each.site, span: name.span, statement: statementOfImport(input.facts, entry), how: "import" as const },
    }));
  });
}

/** `from .client import transport` of a package's `__init__.py`, which does nothing with it: it is there for others. */
function isHandedOn(input: Input, entry: Import, name: ImportName): boolean {
  return /(?:^|\/)__init__\.pyi?$/.test(input.context.path) && isUnused(input, entry, name);
}

function heldThroughTree(input: Input, entry: Import, name: ImportName): Taken[] {
  return lookupFor(input.facts, input.context).of({ module: entry.specifier, path: [name.imported] }).apis.flatMap(({ uncalled, through, reference }) => {
    if (uncalled === null || uncalled.mixed || through.length === 0 || isException(input.facts.language, reference)) return [];
    const capabilities = uncalled.capabilities.filter((capability) => !through.some((path) => input.context.tree.covers(path, capability)));
    const taken = takenAt(input, entry, name.span, uncalled, capabilities);
    return taken.capabilities.length === 0 ? [] : [{ ...taken, site: { ...taken.site, through } }];
  });
}

function takenAt(input: Input, entry: Import, span: Span, answer: Pick<Classified, "root" | "api">, capabilities: readonly Capability[]): Taken {
  const io = capabilities.filter((capability) => capability !== "code" && capability !== "opaque");
  return {
    capabilities: io, root: answer.root,
    site: { span, statement: statementOfImport(input.facts, entry), api: answer.api, how: "import", through: [] },
  };
}

/** Modules whose names a loader is given: as if imported there. */
function loadedByName({ facts, context, byRoot }: Input): Taken[] {
  return dynamicSites(facts, context).flatMap((site) =>
    site.loads.flatMap((module): Taken[] => {
      const answer = classify(facts.language, { module, path: [], through: "dynamic" }, context.capabilities);
      if (answer.kind !== "capability" || answer.mixed) return [];
      const used = answer.byVerb === true ? byRoot.get(answer.root) ?? [] : [];
      const capabilities = used.length > 0 ? used.flatMap((each) => each.capabilities) : answer.capabilities;
      return [{
        capabilities: capabilities.filter((capability) => capability !== "code" && capability !== "opaque"), root: answer.root,
        site: { span: site.nameSpan ?? site.span, statement: site.statement, api: answer.api, how: "import", through: [] },
      }];
    }));
}

/** Members that a table, a check or the callers let a name choose: as if used there. */
function reachedByName(facts: ModuleFacts, context: RuleContext, resolver: Resolver): Taken[] {
  return dynamicSites(facts, context).flatMap((site) =>
    (site.reaches ?? []).flatMap((reference) => outsideReferences(resolver, context.path, reference)).flatMap(({ reference, through }): Taken[] => {
      const answer = classify(facts.language, reference, context.capabilities);
      if (answer.kind !== "capability" || !answer.exact) return [];
      const capabilities = answer.capabilities.filter((capability) => capability !== "code" && capability !== "opaque");
      return [{ capabilities, root: answer.root, site: { span: site.span, statement: site.statement, api: answer.api, how: "use", through } }];
    }));
}
