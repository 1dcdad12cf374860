import { constantsOf, instancesOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, Reference, ValueId } from "@agentgate/parsers";
import { argumentOf } from "./arguments.ts";
import { apiName, isApi, originsOf } from "./expressions.ts";
import data from "./loaders.json" with { type: "json" };

/** An argument that makes a call harmless. */
interface Condition {
  readonly index?: number;
  readonly name?: string;
  readonly absent?: boolean;
  readonly equals?: readonly unknown[];
  /** The argument is one of these APIs, or a class of this file that derives from one. */
  readonly apis?: readonly string[];
}

/**
 * An API that lets text or data decide what runs.
 * - `module`: the text at `index` names a module · `file`: a path of code · `code`: runs text · `compile`: makes code
 *   of text · `data`: rebuilds objects, and so calls what the data names · `search-path`, `hook`: where imports look
 * - `entry-point`: what installed packages declare · `binding`: internals of the runtime
 * - `spec`: makes the module of a spec, which may have been found by name
 * - `part`: a step of something that another place decides (`createElement`)
 */
export interface Loader {
  readonly kind: "module" | "file" | "code" | "compile" | "data" | "search-path" | "hook" | "entry-point" | "binding" | "part" | "spec";
  readonly index?: number;
  readonly name?: string;
  readonly package?: { readonly index: number; readonly name: string };
  /** Reported with a written name too. */
  readonly always?: boolean;
  /** With a written name it is a plain import. */
  readonly plain?: boolean;
  /** The API makes the loader: its result is what loads. */
  readonly made?: boolean;
  /** False: handing it on says nothing. */
  readonly value?: boolean;
  /** An assignment to it counts. */
  readonly write?: boolean;
  /** Only where the argument is text. */
  readonly text?: boolean;
  /** Only where what the argument says is not written in the file. */
  readonly open?: boolean;
  /** Only where the argument is a parameter of a function that is no callback: what the program is given from outside. */
  readonly given?: boolean;
  /** Only where the argument is what was read from data: `json.loads(text)`. */
  readonly read?: boolean;
  /** Only where the argument is a class that the file makes when it runs. */
  readonly built?: boolean;
  /** Only where the argument writes a script element. */
  readonly script?: boolean;
  /** Writers whose output, read back at once, only copies. */
  readonly copies?: readonly string[];
  /** A class with this method decides itself what may be built. */
  readonly overriding?: string;
  readonly safe?: readonly Condition[];
}

const LOADERS: Record<ModuleFacts["language"], ReadonlyMap<string, Loader>> = {
  python: new Map(Object.entries(data.python as Record<string, Loader>)),
  ecmascript: new Map(Object.entries(data.ecmascript as Record<string, Loader>)),
};

const HOLDERS: Record<ModuleFacts["language"], ReadonlySet<string>> = {
  python: modulesOf(LOADERS.python),
  ecmascript: modulesOf(LOADERS.ecmascript),
};

/** APIs that make data of text, and those that make classes when the program runs. */
export const READERS: readonly string[] = data.readers;
export const BUILDERS: readonly string[] = data.builders;

/** Every dotted beginning of the loaders' names. */
function modulesOf(loaders: ReadonlyMap<string, Loader>): ReadonlySet<string> {
  return new Set([...loaders.keys()].flatMap((name) => name.split(".").map((_, index, parts) => parts.slice(0, index).join("."))));
}

/** Whether a loader may be found below a module. */
export function holdsLoaders(language: ModuleFacts["language"], module: string): boolean {
  return HOLDERS[language].has(module.startsWith("node:") ? module.slice(5) : module);
}

/** The loader that a reference is, or null. */
export function loaderOf(language: ModuleFacts["language"], reference: Reference): Loader | null {
  if (reference.computed === true) return null;
  const loader = LOADERS[language].get(apiName(reference)) ?? null;
  if (loader === null || loader.kind === "entry-point") return loader;
  // What a loader gave is no loader; what makes one gives one.
  return (loader.made === true) === (reference.instance === true) ? loader : null;
}

/** Whether a reference is a loader that a call made: what `createRequire` gave. */
export function isLoaderMade(language: ModuleFacts["language"], reference: Reference): boolean {
  return reference.instance === true && loaderOf(language, reference)?.made === true;
}

/** Whether the call's other arguments make it harmless (`Loader=SafeLoader`, `weights_only=True`). */
export function isMadeSafe(facts: ModuleFacts, call: Call, loader: Loader): boolean {
  return loader.safe?.some((condition) => holds(facts, call, condition)) ?? false;
}

function holds(facts: ModuleFacts, call: Call, condition: Condition): boolean {
  const argument = argumentOf(facts, call, condition.index ?? null, condition.name ?? null);
  if (argument === "unknown") return false;
  if (argument === "absent") return condition.absent === true;
  const { apis } = condition;
  if (apis !== undefined) return originsOf(facts, argument).values.every((origin) => isOneOf(facts, origin, apis));
  const constants = constantsOf(facts, argument);
  return constants?.every((constant) => condition.equals?.includes(constant.value)) ?? false;
}

function isOneOf(facts: ModuleFacts, value: ValueId, apis: readonly string[]): boolean {
  if (isApi(facts, value, apis)) return true;
  const written = facts.values[value];
  const classes = written?.kind === "class" ? [written.class] : instancesOf(facts, value);
  return classes.some((id) => facts.classes[id]?.bases.some((base) => isApi(facts, base, apis)) ?? false);
}

/** The argument that decides what runs: a value, `"absent"` or `"unknown"`. Index -1 is the last one. */
export function decidingArgument(facts: ModuleFacts, call: Call, loader: Loader): ValueId | "absent" | "unknown" {
  if (loader.index === -1) {
    const last = call.arguments.at(-1);
    if (last === undefined) return "absent";
    return facts.values[last.value]?.kind === "spread" ? "unknown" : last.value;
  }
  return argumentOf(facts, call, loader.index ?? null, loader.name ?? null);
}
