import { referencesOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, Reference, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../rule.ts";
import { judgeCode, judgeSearchPathValue } from "./dynamic-code.ts";
import { functionConstructors } from "./dynamic-constructors.ts";
import { computedMembers, handlerTexts, pageScripts } from "./dynamic-members.ts";
import { addressMessage, codeMessage, handedOnMessage, otherLanguageMessage } from "./dynamic-messages.ts";
import { isAddress, isOtherLanguage, isPlaceOnDisk, judgeFile, judgeModule, judgeSpec } from "./dynamic-modules.ts";
import { runtimeReaches } from "./dynamic-runtime.ts";
import { dynamicInput, problem, siteOf } from "./dynamic-site.ts";
import type { DynamicInput, DynamicSite } from "./dynamic-site.ts";
import { memberWrites } from "./consumers.ts";
import { bare, callsApi, isApi, originsOf, parentsOf, shownName } from "./expressions.ts";
import { keptWithFacts, resultOf, statementOfImport } from "./indexes.ts";
import { holdsLoaders, isMadeSafe, loaderOf } from "./loaders.ts";
import type { Loader } from "./loaders.ts";
import { isProbe } from "./probes.ts";

const sitesByFacts = keptWithFacts<{ readonly context: RuleContext; readonly sites: readonly DynamicSite[] }>();

/** Every place of a module where what runs is chosen by text or data, safe ones too, in source order. */
export function dynamicSites(facts: ModuleFacts, context: RuleContext): readonly DynamicSite[] {
  const known = sitesByFacts.get(facts);
  if (known?.context.path === context.path && known.context.tree === context.tree) return known.sites;
  const input = dynamicInput(facts, context);
  const handed = handedOn(input);
  const found = [
    ...calledLoaders(input, new Set(handed.map((site) => site.api))), ...handed, ...writtenPaths(input), ...unpicklers(input),
    ...computedMembers(input), ...functionConstructors(input), ...pageScripts(input), ...handlerTexts(input), ...addressImports(input), ...runtimeReaches(input),
  ];
  const sites = onePerPlace(found);
  sitesByFacts.set(facts, { context, sites });
  return sites;
}

function onePerPlace(found: readonly DynamicSite[]): DynamicSite[] {
  const byPlace = new Map<number, DynamicSite>();
  for (const site of found) {
    const other = byPlace.get(site.span[0]);
    if (other === undefined || (other.problem === null && site.problem !== null)) byPlace.set(site.span[0], site);
  }
  return [...byPlace.values()].sort((one, other) => one.span[0] - other.span[0]);
}

function calledLoaders(input: DynamicInput, handed: ReadonlySet<string>): DynamicSite[] {
  const { facts, lookup } = input;
  const sites: DynamicSite[] = [];
  for (let id = 0; id < facts.calls.length; id++) {
    const call = facts.calls[id]!;
    for (const reference of call.references) {
      const known = lookup.of(reference);
      const loader = madeElsewhere(input, call, reference, known.loader) ?? (known.mayRunCode ? catalogued(input, reference, call) : null);
      if (loader === null) continue;
      if (isOutOfTable(facts, call)) break;
      const api = shownName(reference);
      if (handed.has(api) && !isNamedAt(facts, call.callee, reference)) break;
      const verdict = loader.kind === "module" ? judgeModule(input, id, call, loader, api)
        : loader.kind === "spec" ? judgeSpec(input, call, loader)
        : loader.kind === "file" ? judgeFile(input, id, call, loader, api)
          : judgeCode(input, resultOf(facts, id), call, loader, api);
      sites.push(siteOf(call, api, verdict));
      break;
    }
  }
  return sites;
}

/**
 * A `require` that another module of the tree makes and exports, or that stands at the head of a file under a bundler's
 * own names: with a written name it is a plain import.
 */
function madeElsewhere({ facts, context, resolver }: DynamicInput, call: Call, reference: Reference, loader: Loader | null): Loader | null {
  if (loader?.made !== true) return loader;
  const isPlain = resolver.destination(context.path, reference.module).kind === "inside" || isOfBundler(facts, call);
  return isPlain ? { ...loader, plain: true } : loader;
}

/** `import { createRequire as _bundlerRequire } from "module"; const require = _bundlerRequire(import.meta.url)`. */
function isOfBundler(facts: ModuleFacts, { callee }: Call): boolean {
  const named = facts.values[bare(facts, callee)];
  const made = named?.kind === "name" && named.name === "require" ? originsOf(facts, callee).values : [];
  return made.length === 1 && made.every((origin) => {
    const value = facts.values[origin];
    const maker = value?.kind === "call" ? facts.values[facts.calls[value.call]!.callee] : undefined;
    return maker?.kind === "name" && maker.name !== "createRequire" && facts.bindings[maker.binding]?.kind === "import";
  });
}

/** `OPERATIONS[name](…)`: where the evaluator was put into the table is the place to tell. */
function isOutOfTable(facts: ModuleFacts, call: Call): boolean {
  const callee = facts.values[call.callee];
  if (callee?.kind !== "member" || callee.property !== null || referencesOf(facts, callee.object).length > 0) return false;
  // `vars(builtins)["exec"]` and `f.__globals__["exec"]` are no tables of the file.
  return !originsOf(facts, callee.object).values.some((origin) => isNamespace(facts, origin));
}

const NAMESPACE = new Set(["__dict__", "__globals__", "__builtins__", "f_globals", "f_builtins"]);

function isNamespace(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id];
  if (value?.kind === "call") return isApi(facts, facts.calls[value.call]!.callee, ["builtins.vars", "builtins.globals", "builtins.locals"]);
  return value?.kind === "member" && NAMESPACE.has(value.property ?? "");
}

const BY_CATALOGUE: Loader = { kind: "code" };

/** What only the catalogue, or `capabilities:` in agentgate.yml, knows to run text or data as code. */
function catalogued(input: DynamicInput, reference: Reference, call: Call): Loader | null {
  // What a call gave is called: that call is the finding. A method of it is one of its own.
  if (reference.instance === true && reference.path.length < 2) return null;
  if (reference.computed === true || reference.through === "annotation" || reference.through === "star") return null;
  const isCode = input.lookup.of(reference).apis.some((api) => {
    const answer = input.lookup.called(api, call);
    // Of a module that is for running code every function counts, of what its calls give only the methods that are
    // listed. Where loaders are listed below it, they say which do.
    const counts = reference.instance !== true && !holdsLoaders(input.facts.language, reference.module);
    return answer !== null && (answer.exact || counts) && answer.capabilities.includes("code");
  });
  return isCode ? BY_CATALOGUE : null;
}

/** Loaders and evaluators given to other code as values: where they are named, else where a variable first hands one on. */
function handedOn(input: DynamicInput): DynamicSite[] {
  const { facts, lookup } = input;
  const found = facts.uses.flatMap((use) => {
    if (use.role !== "value") return [];
    const reference = use.references.find((each) => isHandedOn(lookup.of(each).loader));
    if (reference === undefined || isProbe(facts, use.value) || isCalledHere(facts, use.value) || isFilledSafely(facts, use.value, lookup.of(reference).loader)) return [];
    if (lookup.of(reference).loader!.kind === "entry-point" && isResult(facts, use.value)) return [];
    return [{ use, reference, isNamed: isNamedAt(facts, use.value, reference) }];
  });
  const named = new Set(found.filter((each) => each.isNamed).map((each) => shownName(each.reference)));
  return found.flatMap(({ use, reference, isNamed }) => {
    const api = shownName(reference);
    if (!isNamed && named.has(api)) return [];
    named.add(api);
    const { kind } = lookup.of(reference).loader!;
    const capability = kind === "module" || kind === "file" ? "opaque" : "code";
    return [siteOf({ nameSpan: use.span, statement: use.statement }, api, problem("error", handedOnMessage(api, kind), capability))];
  });
}

/** `partial(yaml.load, Loader=SafeLoader)`: what makes it harmless is given with it. */
function isFilledSafely(facts: ModuleFacts, id: ValueId, loader: Loader | null): boolean {
  const value = facts.values[parentsOf(facts)[id] ?? -1];
  const call = value?.kind === "call" ? facts.calls[value.call]! : undefined;
  if (loader === null || call === undefined || !callsApi(call, ["functools.partial"]) || call.arguments[0]?.value !== id) return false;
  return isMadeSafe(facts, { ...call, arguments: call.arguments.slice(1) }, loader);
}

/** `(window.execScript || run)(text)`: the call is the place to tell. */
function isCalledHere(facts: ModuleFacts, id: ValueId): boolean {
  const parent = parentsOf(facts)[id] ?? -1;
  const choice = facts.values[parent];
  if (choice?.kind !== "logical") return false;
  return facts.calls.some((call) => bare(facts, call.callee) === parent) || isCalledHere(facts, parent);
}

/** `plugins[point.name] = point.load()`: what was loaded is no loader, and its call is the finding. */
function isResult(facts: ModuleFacts, id: ValueId): boolean {
  return originsOf(facts, id).values.every((origin) => facts.values[origin]?.kind === "call");
}

function isHandedOn(loader: Loader | null): boolean {
  return loader !== null && loader.value !== false && loader.kind !== "search-path" && loader.kind !== "hook" && loader.kind !== "part" && loader.kind !== "spec";
}

/** Whether the API itself stands there, by an imported name or its own, and no variable that holds it. */
function isNamedAt(facts: ModuleFacts, id: ValueId, reference: Reference): boolean {
  const value = facts.values[id];
  if (value?.kind === "member") return value.property === reference.path.at(-1);
  if (value?.kind !== "name") return false;
  return value.binding === -1 || facts.bindings[value.binding]?.kind === "import";
}

/** `sys.path = […]`, `sys.path[:0] = […]`, `sys.path += […]`. */
function writtenPaths(input: DynamicInput): DynamicSite[] {
  const { facts } = input;
  if (!facts.uses.some((use) => use.references.some((reference) => reference.module === "sys" && reference.path[0] === "path"))) return [];
  const isSearchPath = (id: ValueId): boolean => isApi(facts, id, ["sys.path"]);
  return memberWrites(facts).flatMap(({ target, statement }) => {
    const member = facts.values[target];
    if (member?.kind !== "member") return [];
    const isEntry = member.subscript === true && originsOf(facts, member.object).values.some((origin) => isNamedPath(facts, origin) && isSearchPath(origin));
    if (!isEntry && !(member.property === "path" && isSearchPath(target))) return [];
    return [siteOf({ nameSpan: member.propertySpan, statement: statement.at }, "sys.path", judgeSearchPathValue(facts, statement.value, "sys.path"))];
  });
}

/** `sys.path` itself, not a copy of it. */
function isNamedPath(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id];
  return value?.kind === "name" || (value?.kind === "member" && value.property === "path");
}

/** `import "data:text/javascript,…"`: the address is the code, or leads out of the tree. */
function addressImports(input: DynamicInput): DynamicSite[] {
  const { facts } = input;
  return facts.imports.flatMap((entry) => {
    const isOther = isOtherLanguage(input, entry.specifier);
    const isForeign = isAddress(entry.specifier) || (entry.form === "require" && isPlaceOnDisk(entry.specifier));
    if (entry.typeOnly === true || !(isForeign || isOther)) return [];
    const api = entry.form === "require" ? "require" : "import";
    return [siteOf({ nameSpan: entry.specifierSpan, statement: statementOfImport(facts, entry) }, api, isOther ? problem("error", otherLanguageMessage(), "opaque") : problem("error", addressMessage(), "code"))];
  });
}

/** A class of this file that derives from an unpickler and does not decide itself what may be built. */
function unpicklers(input: DynamicInput): DynamicSite[] {
  const { facts } = input;
  return facts.uses.flatMap((use) => {
    if (use.role !== "base") return [];
    const loader = use.references.map((reference) => loaderOf(facts.language, reference)).find((each) => each?.overriding !== undefined);
    if (loader === undefined || loader === null) return [];
    const subclass = facts.classes.findIndex((each) => each.bases.some((base) => originsOf(facts, base).values.includes(use.value) || base === use.value));
    if (facts.functions.some((each) => each.class === subclass && each.name === loader.overriding)) return [];
    const api = shownName(use.references[0]!);
    return [siteOf({ nameSpan: use.span, statement: use.statement }, api, problem("error", codeMessage(api), "code"))];
  });
}
