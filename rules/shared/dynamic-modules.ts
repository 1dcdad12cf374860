import { constantsOf } from "@agentgate/parsers";
import type { Call, CallId, ModuleFacts, Span, ValueId } from "@agentgate/parsers";
import { classify } from "../catalogue/classify.ts";
import { argumentOf } from "./arguments.ts";
import { givenByCallers } from "./callers.ts";
import { memberWrites } from "./consumers.ts";
import { isDataFile } from "./data-files.ts";
import { addressMessage, fileMessage, namedMessage, noArgumentMessage, otherLanguageMessage, unknownModuleMessage } from "./dynamic-messages.ts";
import type { NamedModule } from "./dynamic-messages.ts";
import { plainly, problem, silent } from "./dynamic-site.ts";
import type { DynamicInput, Verdict } from "./dynamic-site.ts";
import { bare, callsApi, isApi, originsOf } from "./expressions.ts";
import { guardBefore } from "./guards.ts";
import { resultOf } from "./indexes.ts";
import { listedTexts } from "./listed.ts";
import { endsOf } from "./load-patterns.ts";
import { decidingArgument } from "./loaders.ts";
import type { Loader } from "./loaders.ts";
import { headsOf, isFromOwnPlace, isOwnPackage, staysInside } from "./own-paths.ts";
import { callPlaces } from "./statements.ts";

/** Judges a call that loads the module which its argument names. */
export function judgeModule(input: DynamicInput, id: CallId, call: Call, loader: Loader, api: string): Verdict {
  const { facts } = input;
  const argument = decidingArgument(facts, call, loader);
  if (argument === "absent" || argument === "unknown") return problem("error", noArgumentMessage(api), "opaque");
  if (constantsOf(facts, argument) === null && (isDataFile(facts, argument) || isOwnModuleOf(facts, argument))) return silent();
  if (isOnlyNull(facts, argument)) return problem("error", unknownModuleMessage(api, facts, argument), "opaque");
  const listed = listedTexts(facts, argument);
  if (listed !== null && isLookedUp(facts, argument)) return silent(packagesIn(input, listed));
  if (isWrittenFile(facts, argument)) return silent();
  const names = constantNames(facts, argument);
  if (names !== null) return judgeNames(input, id, loader, api, names);
  const heads = headsOf(facts, argument);
  const isOwn = (specifier: string): boolean => isInside(input, specifier);
  if (heads?.every((head) => staysInside(head, facts.language, isOwn)) === true && !isForeignPackage(input, call, loader)) return silent();
  if (listed !== null) return silent(packagesIn(input, listed));
  const guard = guardBefore(facts, id, argument);
  if (guard !== null) return silent(packagesIn(input, guard.texts));
  const given = givenByCallers(facts, argument);
  if (given !== null) return silent(packagesIn(input, given));
  return problem("error", unknownModuleMessage(api, facts, argument), "opaque");
}

/** `import_module(found.__module__)`: the module of a class that is loaded already, unless the file names that itself. */
function isOwnModuleOf(facts: ModuleFacts, argument: ValueId): boolean {
  if (facts.language !== "python") return false;
  const { values, complete } = originsOf(facts, argument);
  const isTaken = complete && values.every((origin) => {
    const value = facts.values[origin];
    return value?.kind === "member" && value.property === "__module__" && value.subscript !== true;
  });
  return isTaken && !memberWrites(facts).some(({ target }) => isNamed(facts, target, "__module__")) && !facts.classes.some((each) => Object.hasOwn(each.attributes, "__module__"));
}

function isNamed(facts: ModuleFacts, member: ValueId, property: string): boolean {
  const value = facts.values[member];
  return value?.kind === "member" && value.property === property;
}

/** Judges a call that runs the file which its argument names. */
export function judgeFile(input: DynamicInput, id: CallId, call: Call, loader: Loader, api: string): Verdict {
  const { facts } = input;
  const argument = decidingArgument(facts, call, loader);
  if (argument === "absent" || argument === "unknown") return problem("error", fileMessage(api, facts, null), "opaque");
  if (endsOf(facts, argument).some(isNoPython)) return problem("error", otherLanguageMessage(), "opaque");
  if (isFromOwnPlace(facts, argument)) return silent();
  const written = constantsOf(facts, argument)?.map((constant) => String(constant.value));
  if (written?.some(leavesTree) === true) return problem("error", fileMessage(api, facts, argument), "opaque");
  if (listedTexts(facts, argument) !== null || guardBefore(facts, id, argument) !== null) return silent();
  return problem("error", fileMessage(api, facts, argument), "opaque");
}

const ADDRESS_TEXTS = new Set(["toString", "href"]);

/** `pathToFileURL(path.join("seed", "seed.ts")).href`: a file whose whole path stands in the code, below where the program runs. */
function isWrittenFile(facts: ModuleFacts, argument: ValueId): boolean {
  if (facts.language !== "ecmascript") return false;
  let current = bare(facts, argument);
  for (let step = 0; step < 4; step++) {
    const value = facts.values[current];
    const call = value?.kind === "call" ? facts.calls[value.call]! : undefined;
    if (call !== undefined && callsApi(call, ["url.pathToFileURL"])) return isBelow(facts, call.arguments[0]?.value);
    const member = call === undefined ? value : facts.values[call.callee];
    if (member?.kind !== "member" || !ADDRESS_TEXTS.has(member.property ?? "")) return false;
    current = bare(facts, member.object);
  }
  return false;
}

function isBelow(facts: ModuleFacts, path: ValueId | undefined): boolean {
  const texts = path === undefined ? null : constantsOf(facts, path)?.map(({ value }) => String(value)) ?? null;
  return texts !== null && texts.length > 0 && texts.every((text) => !leavesTree(text) && !text.includes("node_modules") && /\.[cm]?[jt]sx?$/.test(text));
}

/** A file that is judged as something else, or as nothing: libraries and archives are listed as such. */
function isNoPython(path: string): boolean {
  return /\.\w+$/.test(path) && !/\.(?:py[codwz]?|so|dll|dylib|zip|whl|egg)$/i.test(path);
}

/** Whether what is no Python loads a module of the tree that is judged as Python: `require` runs a file of any ending. */
export function isOtherLanguage({ facts, context, resolver }: DynamicInput, specifier: string): boolean {
  return facts.language === "ecmascript" && /\.pyw?$/.test(specifier) && resolver.destination(context.path, specifier).kind === "inside";
}

/** An absolute path, one that climbs, or an address: nothing of the tree, and so nothing that was reviewed. */
function leavesTree(path: string): boolean {
  return /^(?:[/\\~]|[a-zA-Z][\w+.-]*:|\.\.(?:[/\\]|$))/.test(path);
}

/** What `import` may mean a site's own root by, `require` takes from the machine. */
export function isPlaceOnDisk(specifier: string): boolean {
  return /^(?:[/\\]|[a-zA-Z]:[/\\])/.test(specifier);
}

/** A specifier that is itself code or names a file by its place on the machine. */
export function isAddress(specifier: string): boolean {
  return /^(?:data|blob|file):/i.test(specifier);
}

const FINDERS = ["importlib.util.find_spec", "importlib.find_loader", "pkgutil.find_loader", "importlib.machinery.PathFinder.find_spec", "importlib.machinery.BuiltinImporter.find_spec"];

/** `module_from_spec(find_spec(name))` loads what the finder was asked for; a spec made elsewhere was judged there. */
export function judgeSpec(input: DynamicInput, call: Call, loader: Loader): Verdict {
  const { facts } = input;
  const spec = decidingArgument(facts, call, loader);
  if (typeof spec !== "number") return silent();
  for (const origin of originsOf(facts, spec).values) {
    const value = facts.values[origin];
    const found = value?.kind === "call" ? facts.calls[value.call] : undefined;
    if (value?.kind !== "call" || found === undefined || !isApi(facts, found.callee, FINDERS)) continue;
    return judgeModule(input, value.call, found, { kind: "module", index: 0, name: "name", always: true }, "importlib.util.module_from_spec");
  }
  return silent();
}

/** Whether an argument is taken out of something, not written or put together. */
function isLookedUp(facts: ModuleFacts, argument: ValueId): boolean {
  return originsOf(facts, argument).values.some((origin) => {
    const kind = facts.values[origin]?.kind;
    return kind === "member" || kind === "item" || kind === "call";
  });
}

interface ConstantName {
  readonly text: string;
  /** Written out in one piece, not put together. */
  readonly literal: boolean;
}

/** An attribute that is null until somebody else sets it. */
function isOnlyNull(facts: ModuleFacts, argument: ValueId): boolean {
  const constants = constantsOf(facts, argument) ?? [];
  return constants.length > 0 && constants.every(({ value }) => value === null);
}

/** The texts that an argument is on its ways through the file, or null where one does not fold. */
function constantNames(facts: ModuleFacts, argument: ValueId): readonly ConstantName[] | null {
  const constants = constantsOf(facts, argument)?.filter((constant) => constant.value !== null) ?? [];
  if (constants.length === 0) return null;
  const written = new Set(originsOf(facts, argument).values.flatMap((origin) => {
    const value = facts.values[origin];
    return value?.kind === "string" ? [value.value] : [];
  }));
  return constants.map((constant) => ({ text: String(constant.value), literal: constant.decoded !== true && written.has(String(constant.value)) }));
}

function judgeNames(input: DynamicInput, id: CallId, loader: Loader, api: string, names: readonly ConstantName[]): Verdict {
  const call = input.facts.calls[id]!;
  const modules = names.map(({ text }) => absoluteName(input, call, loader, text));
  const outside = modules.filter((name): name is string => name !== null);
  if (input.facts.language === "ecmascript" && names.some(({ text }) => isAddress(text) || (api === "require" && isPlaceOnDisk(text)))) return problem("error", addressMessage(), "code");
  if (names.some(({ text }) => isOtherLanguage(input, text))) return problem("error", otherLanguageMessage(), "opaque");
  if (loader.always !== true) {
    if (outside.length === 0) return silent();
    const written = loader.plain === true ? writtenName(input.facts, call, loader) : null;
    if (written !== null) return isProbeImport(input.facts, id) ? silent() : plainly(outside, written);
    // A literal on every branch is a choice that the reader sees.
    if (names.length > 1 && names.every((name) => name.literal)) return silent(outside);
  }
  const named = (outside.length > 0 ? outside : names.map((name) => name.text)).map((name) => namedModule(input, name));
  const harmless = named.every((module) => module.capabilities.length === 0 && isKnownPure(input, module.name));
  return problem(harmless ? "warning" : "error", namedMessage(api, named, input.facts.language), "opaque", outside);
}

/** The name as the tree's other imports would write it; null where it stays in the tree. */
function absoluteName(input: DynamicInput, call: Call, loader: Loader, text: string): string | null {
  const packageArgument = packageOf(input.facts, call, loader);
  if (text.startsWith(".") && packageArgument !== null && !isOwnPackage(input.facts, packageArgument)) {
    const names = constantsOf(input.facts, packageArgument);
    if (names?.length === 1) return absoluteName(input, call, { kind: loader.kind }, `${String(names[0]!.value)}${text}`);
  }
  const module = input.facts.language === "python" ? text.split(":")[0]! : text;
  const destination = input.resolver.destination(input.context.path, module);
  return destination.kind === "outside" ? destination.module : null;
}

function packageOf(facts: ModuleFacts, call: Call, loader: Loader): ValueId | null {
  if (loader.package === undefined) return null;
  const argument = argumentOf(facts, call, loader.package.index, loader.package.name);
  return typeof argument === "number" ? argument : null;
}

/** `import_module("." + name, package="other")`. */
function isForeignPackage(input: DynamicInput, call: Call, loader: Loader): boolean {
  const argument = packageOf(input.facts, call, loader);
  if (argument === null || isOwnPackage(input.facts, argument)) return false;
  const names = constantsOf(input.facts, argument);
  return names?.some((name) => !isInside(input, String(name.value))) ?? false;
}

/** Where the name stands as a literal in the call itself. */
function writtenName(facts: ModuleFacts, call: Call, loader: Loader): Span | null {
  const argument = decidingArgument(facts, call, loader);
  const value = typeof argument === "number" ? facts.values[bare(facts, argument)] : undefined;
  return value?.kind === "string" ? value.span : null;
}

/** `try { await import("x"); } catch { … }`: finds out whether the package is there, and uses nothing of it. */
function isProbeImport(facts: ModuleFacts, id: CallId): boolean {
  const call = facts.calls[id]!;
  for (let place = callPlaces(facts, call.function).get(id) ?? null; place !== null; place = place.above) {
    const next = place.body[place.index + 1];
    const isDropped = next?.kind === "expression" && bare(facts, next.value) === resultOf(facts, id);
    const around = place.above?.body[place.above.index];
    if (isDropped && around?.kind === "try" && around.body === place.body && around.handlers.length > 0) return true;
  }
  return false;
}

function isInside(input: DynamicInput, specifier: string): boolean {
  return input.resolver.destination(input.context.path, specifier).kind !== "outside";
}

function namedModule(input: DynamicInput, name: string): NamedModule {
  const answer = classify(input.facts.language, { module: name, path: [], through: "dynamic" }, input.context.capabilities);
  return { name, capabilities: answer.kind === "capability" ? answer.capabilities : [] };
}

function isKnownPure(input: DynamicInput, name: string): boolean {
  if (isInside(input, name)) return true;
  const answer = classify(input.facts.language, { module: name, path: [], through: "dynamic" }, input.context.capabilities);
  return answer.kind === "pure" && !answer.mixed;
}

function packagesIn(input: DynamicInput, texts: readonly string[]): readonly string[] {
  const packages = texts.filter((text) => /^[@\w][\w./@-]*$/.test(text) && !isInside(input, text));
  return [...new Set(packages)];
}
