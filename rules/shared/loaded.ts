import { constantsOf } from "@agentgate/parsers";
import type { BindingId, Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { argumentOf } from "./arguments.ts";
import { givenByCallers } from "./callers.ts";
import { constantTexts } from "./containers.ts";
import { apiName, someIngredient, sourceBindings } from "./expressions.ts";
import { onceFor } from "./indexes.ts";
import { listedTexts } from "./listed.ts";
import { globPattern, patternsOf } from "./load-patterns.ts";
import { decidingArgument, loaderOf } from "./loaders.ts";
import { isFromOwnPlace } from "./own-paths.ts";

/** What runs, or finds, the code that its first argument names and is no loader to be reported. */
const RUNNERS = new Set([
  "globalThis.Worker", "globalThis.SharedWorker", "worker_threads.Worker", "child_process.fork", "globalThis.URL",
  "importlib.util.find_spec", "importlib.find_loader", "pkgutil.find_loader",
]);
const MOST_CALLS = 2000;

/**
 * The modules and files that calls of a file name by text, as specifiers of its language: `import("./page")`,
 * `import_module("app.page")`, `run_path("scripts/page.py")`, `require(path.join(__dirname, "page"))`. Where only the
 * beginning is written, what follows is `**`: `./pages/**` may be anything below `pages`, `./pages/*` any file in it.
 */
export function loadedSpecifiers(facts: ModuleFacts): readonly string[] {
  return [...new Set(loadsOf(facts).map(({ specifier }) => specifier))];
}

/** As `loadedSpecifiers`, with the calls that load. */
export function loadsOf(facts: ModuleFacts): readonly Load[] {
  return [...specifiersLoadedBy(facts), ...loadedPatterns(facts), ...globbed(facts)];
}

interface Load {
  readonly call: Call;
  readonly specifier: string;
}

function loadedPatterns(facts: ModuleFacts): Load[] {
  return namingCalls(facts).flatMap(({ call, argument }) => {
    // Most files that are found by a part of a URL are read, not run: what runs one takes the URL.
    if (call.references.every((reference) => apiName(reference) === "globalThis.URL")) return [];
    if (textsOf(facts, argument).length > 0 && !isFromOwnPlace(facts, argument)) return [];
    return patternsOf(facts, argument).map((pattern) => ({ call, specifier: inPackage(facts, call, pattern) }));
  });
}

const GLOBBERS = new Set(["globalThis.import.meta.glob", "globalThis.import.meta.globEager", "globalThis.require.context"]);
const LISTERS = new Set(["pkgutil.iter_modules", "pkgutil.walk_packages"]);

/** What a bundler puts in the place of `import.meta.glob("./pages/*.ts")`, and what `walk_packages(…, "app.")` imports. */
function globbed(facts: ModuleFacts): Load[] {
  return facts.calls.flatMap((call) => globsOf(facts, call).map((specifier) => ({ call, specifier })));
}

function globsOf(facts: ModuleFacts, call: Call): string[] {
  const apis = call.references.map(apiName);
  const isLister = apis.some((api) => LISTERS.has(api));
  if (!isLister && !apis.some((api) => GLOBBERS.has(api))) return [];
  const argument = argumentOf(facts, call, isLister ? 1 : 0, isLister ? "prefix" : null);
  if (typeof argument !== "number") return [];
  const texts = textsIn(facts, argument);
  if (isLister) return texts.filter((text) => text !== "").map((text) => `${text}**`);
  return texts.flatMap((text) => (apis.includes("globalThis.require.context") ? [`${text.replace(/\/+$/, "")}/**`] : globPattern(text) ?? []));
}

export { searchedSpecifiers } from "./search-path.ts";

/** The modules below a package that its own `__all__` names: a star import of the package runs them. */
export function listedSubmodules(facts: ModuleFacts): readonly string[] {
  const scope = facts.scopes[facts.functions[0]?.scope ?? -1];
  if (facts.language !== "python" || scope === undefined || !Object.hasOwn(scope.names, "__all__")) return [];
  const lists = facts.bindings[scope.names["__all__"]!]?.values ?? [];
  const names = [...lists, ...addedToList(facts, scope.names["__all__"]!)].flatMap((list) => constantTexts(facts, list) ?? listedIn(facts, list));
  return [...new Set(names)].filter((name) => !Object.hasOwn(scope.names, name)).map((name) => `.${name}`);
}

/** What `__all__ += […]`, `__all__.append(…)` and `__all__.extend(…)` bring. */
function addedToList(facts: ModuleFacts, binding: number): ValueId[] {
  const isList = (id: ValueId): boolean => {
    const value = facts.values[id];
    return value?.kind === "name" && value.binding === binding;
  };
  const added = facts.functions[0]!.body.flatMap((statement) =>
    (statement.kind === "assign" && statement.operator === "+=" && statement.targets.some(isList) ? [statement.value] : []));
  const called = facts.calls.flatMap((call) => {
    const callee = facts.values[call.callee];
    return callee?.kind === "member" && isList(callee.object) ? call.arguments.map((argument) => argument.value) : [];
  });
  return [...added, ...called];
}

/** The texts of a list that has other things in it too, and a text alone. */
function listedIn(facts: ModuleFacts, list: ValueId): string[] {
  const texts: string[] = [];
  someIngredient(facts, list, (value) => {
    if (value.kind === "string") texts.push(value.value);
    return false;
  });
  return texts;
}

/** As the written ones of `loadedSpecifiers`, with the calls that name them. */
export function specifiersLoadedBy(facts: ModuleFacts): readonly Load[] {
  return namingCalls(facts).flatMap(({ call, argument }) => {
    const specifiers = new Set(textsOf(facts, argument).flatMap((text) => specifiersFor(facts, inPackage(facts, call, text))));
    return [...specifiers].map((specifier) => ({ call, specifier }));
  });
}

function namingCalls(facts: ModuleFacts): readonly { readonly call: Call; readonly argument: ValueId }[] {
  const found: { readonly call: Call; readonly argument: ValueId }[] = [];
  for (const call of facts.calls) {
    const argument = namingArgument(facts, call);
    if (argument !== null) found.push({ call, argument });
    if (found.length >= MOST_CALLS) break;
  }
  return found;
}

/** `import_module(".page", "app")` as `app.page`. */
function inPackage(facts: ModuleFacts, call: Call, text: string): string {
  if (facts.language !== "python" || !text.startsWith(".") || text.includes("/")) return text;
  for (const reference of call.references) {
    const place = loaderOf("python", reference)?.package;
    const argument = place === undefined ? "absent" : argumentOf(facts, call, place.index, place.name);
    const names = typeof argument === "number" ? constantsOf(facts, argument) : null;
    if (names?.length === 1) return `${String(names[0]!.value)}${text}`;
  }
  return text;
}

function namingArgument(facts: ModuleFacts, call: Call): ValueId | null {
  for (const reference of call.references) {
    const loader = loaderOf(facts.language, reference);
    const names = loader?.kind === "module" || loader?.kind === "file";
    if (!names && (reference.instance === true || !RUNNERS.has(apiName(reference)))) continue;
    const argument = names ? decidingArgument(facts, call, loader) : call.arguments[0]?.value;
    if (typeof argument === "number") return argument;
  }
  return null;
}

function textsOf(facts: ModuleFacts, argument: ValueId): readonly string[] {
  const constants = constantsOf(facts, argument)?.map((constant) => String(constant.value)) ?? listedTexts(facts, argument) ?? givenByCallers(facts, argument) ?? comparedTexts(facts, argument);
  if (constants !== null) return constants;
  return isFromOwnPlace(facts, argument) ? [ownPath(facts, argument)] : [];
}

const MOST_COMPARED = 20;
const COMPARISONS = new Set(["==", "!=", "is", "in", "not in"]);
const ASKING = new Set(["includes", "has", "indexOf", "hasOwnProperty"]);

/** What each name of the file is compared with anywhere. */
const compared = onceFor((facts) => {
  const found = new Map<BindingId, ValueId[]>();
  const add = (id: ValueId | undefined, other: ValueId): void => {
    const value = id === undefined ? undefined : facts.values[id];
    if (value?.kind !== "name" || value.binding === -1) return;
    const others = found.get(value.binding) ?? [];
    if (others.length < MOST_COMPARED) found.set(value.binding, [...others, other]);
  };
  for (const value of facts.values) {
    if (value.kind === "binary" && COMPARISONS.has(value.operator)) add(value.left, value.right);
    const call = value.kind === "call" ? facts.calls[value.call] : undefined;
    const callee = call === undefined ? undefined : facts.values[call.callee];
    if (callee?.kind === "member" && ASKING.has(callee.property ?? "")) add(call?.arguments[0]?.value, callee.object);
  }
  return found;
});

/** The texts that a name is compared with: it is one of them where a check lets nothing else through. */
function comparedTexts(facts: ModuleFacts, argument: ValueId): readonly string[] | null {
  const texts = [...sourceBindings(facts, argument)].flatMap((binding) => (compared(facts).get(binding) ?? []).flatMap((id) => textsIn(facts, id)));
  return texts.length === 0 ? null : texts;
}

function textsIn(facts: ModuleFacts, id: ValueId): readonly string[] {
  return constantTexts(facts, id) ?? constantsOf(facts, id)?.map((constant) => String(constant.value)) ?? [];
}

/** The texts of a path that starts at the file's own place, in the order in which they are written. */
function ownPath(facts: ModuleFacts, path: ValueId): string {
  const parts = new Map<number, string>();
  someIngredient(facts, path, (value) => {
    if (value.kind === "string") parts.set(value.span[0], value.value);
    return false;
  });
  const written = [...parts].sort(([one], [other]) => one - other).map(([, text]) => text).join("/");
  return written.startsWith(".") ? written : `./${written}`;
}

function specifiersFor({ language }: ModuleFacts, text: string): readonly string[] {
  if (language === "ecmascript") return [text];
  if (!/\.pyw?$|\//.test(text)) return [text.split(":")[0]!];
  // A path is from the file's own folder, or from where the program is started.
  const dotted = text.replace(/^(?:\.\/)+/, "").replace(/\.pyw?$/, "").replaceAll("/", ".");
  return dotted.startsWith(".") ? [] : [`.${dotted}`, dotted];
}
