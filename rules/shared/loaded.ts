import { constantsOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { apiName, someIngredient } from "./expressions.ts";
import { listedTexts } from "./listed.ts";
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
 * `import_module("app.page")`, `run_path("scripts/page.py")`, `require(path.join(__dirname, "page"))`.
 */
export function loadedSpecifiers(facts: ModuleFacts): readonly string[] {
  return [...new Set(specifiersLoadedBy(facts).map(({ specifier }) => specifier))];
}

/** As `loadedSpecifiers`, with the calls that name them. */
export function specifiersLoadedBy(facts: ModuleFacts): readonly { readonly call: Call; readonly specifier: string }[] {
  const loaded: { readonly call: Call; readonly specifier: string }[] = [];
  let looked = 0;
  for (const call of facts.calls) {
    const argument = namingArgument(facts, call);
    if (argument === null) continue;
    if (looked++ >= MOST_CALLS) break;
    const specifiers = new Set(textsOf(facts, argument).flatMap((text) => specifiersFor(facts, text)));
    for (const specifier of specifiers) loaded.push({ call, specifier });
  }
  return loaded;
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
  const constants = constantsOf(facts, argument)?.map((constant) => String(constant.value)) ?? listedTexts(facts, argument);
  if (constants !== null) return constants;
  return isFromOwnPlace(facts, argument) ? [ownPath(facts, argument)] : [];
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
  if (!/\.py$|\//.test(text)) return [text.split(":")[0]!];
  // A path is from the file's own folder, or from where the program is started.
  const dotted = text.replace(/^(?:\.\/)+/, "").replace(/\.py$/, "").replaceAll("/", ".");
  return dotted.startsWith(".") ? [] : [`.${dotted}`, dotted];
}
