import { constantHead, constantsOf, functionsOf } from "@agentgate/parsers";
import type { BindingId, Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { consumerOf, readsOf } from "./consumers.ts";
import { bindingMessage, codeMessage, compileMessage, dataMessage, entryPointMessage, hookMessage, searchPathMessage } from "./dynamic-messages.ts";
import { problem, silent } from "./dynamic-site.ts";
import type { DynamicInput, Verdict } from "./dynamic-site.ts";
import { bare, isApi, originsOf, parentsOf } from "./expressions.ts";
import { onceFor } from "./indexes.ts";
import { decidingArgument, isMadeSafe } from "./loaders.ts";
import type { Loader } from "./loaders.ts";
import { listedTexts } from "./listed.ts";
import { isFromOwnPlace } from "./own-paths.ts";

const RUNNERS = ["builtins.exec", "builtins.eval"];
const ONLY_AST = ["ast.PyCF_ONLY_AST"];

/** Judges a call that runs text (or data that names calls) as code. */
export function judgeCode(input: DynamicInput, result: ValueId, call: Call, loader: Loader, api: string): Verdict {
  const { facts } = input;
  if (isMadeSafe(facts, call, loader)) return silent();
  switch (loader.kind) {
    case "compile":
      return isSyntaxCheck(facts, result, call) || isRunHere(facts, result) ? silent() : problem("error", compileMessage(api), "code");
    case "data":
      return isCopy(facts, call, loader) ? silent() : problem("error", dataMessage(api), "code");
    case "search-path":
      return judgeSearchPath(facts, call, loader, api);
    case "hook":
      return problem("error", hookMessage(api), "opaque");
    case "entry-point":
      return problem("error", entryPointMessage(api), "opaque");
    case "part":
    case "spec":
      return silent();
    case "binding":
      return problem("error", bindingMessage(api), "opaque");
    default:
      return judgeText(facts, call, loader, api);
  }
}

function judgeText(facts: ModuleFacts, call: Call, loader: Loader, api: string): Verdict {
  const argument = decidingArgument(facts, call, loader);
  if (loader.text === true && (typeof argument !== "number" || !isText(facts, argument))) return silent();
  if (loader.script === true && (typeof argument !== "number" || !writesScript(facts, argument))) return silent();
  return problem("error", codeMessage(api), "code");
}

/** Whether an expression is surely text: written, put together, or made by `String(…)` and `.toString()`. */
export function isText(facts: ModuleFacts, id: ValueId): boolean {
  if (functionsOf(facts, id).length > 0) return false;
  return originsOf(facts, id).values.some((origin) => {
    const value = facts.values[origin];
    if (value?.kind === "string" || value?.kind === "template") return true;
    if (value?.kind === "binary" && value.operator === "+") return constantHead(facts, origin) !== "" || isText(facts, value.right);
    const callee = value?.kind === "call" ? facts.values[facts.calls[value.call]!.callee] : undefined;
    if (callee?.kind === "name") return callee.name === "String" && callee.binding === -1;
    return callee?.kind === "member" && (callee.property === "toString" || callee.property === "join");
  });
}

function writesScript(facts: ModuleFacts, id: ValueId): boolean {
  const pending = [id];
  for (let step = 0; pending.length > 0 && step < 100; step++) {
    const current = pending.pop()!;
    const value = facts.values[current];
    if (value?.kind === "string" && /<script/i.test(value.value)) return true;
    if (value?.kind === "template") pending.push(...value.parts);
    if (value?.kind === "binary") pending.push(value.left, value.right);
    if (value?.kind === "name") pending.push(...(facts.bindings[value.binding]?.values ?? []));
  }
  return false;
}

/** `compile()` whose result is dropped or never read, or that only builds a syntax tree. */
function isSyntaxCheck(facts: ModuleFacts, result: ValueId, call: Call): boolean {
  const flags = decidingArgument(facts, call, { kind: "compile", index: 3, name: "flags" });
  if (typeof flags === "number" && (isApi(facts, flags, ONLY_AST) || mentionsOnlyAst(facts, flags))) return true;
  if (parentsOf(facts)[result] !== -1) return false;
  const consumer = consumerOf(facts, result);
  if (consumer === undefined || consumer.kind === "expression") return true;
  if (consumer.kind !== "assign") return false;
  return consumer.targets.every((target) => {
    const value = facts.values[target];
    // Other modules may take a name of the module or of a class.
    return value?.kind === "name" && value.binding >= 0 && isLocal(facts, value.binding) && readsOf(facts, value.binding).length === 0;
  });
}

function isLocal(facts: ModuleFacts, binding: BindingId): boolean {
  const scope = facts.scopes[facts.bindings[binding]!.scope];
  return scope !== undefined && scope.kind !== "class" && scope.function !== 0;
}

function mentionsOnlyAst(facts: ModuleFacts, flags: ValueId): boolean {
  const value = facts.values[flags];
  return value?.kind === "binary" && value.operator === "|" && (isApi(facts, value.left, ONLY_AST) || isApi(facts, value.right, ONLY_AST));
}

/** What the `exec` and `eval` calls of the file are given. */
const runTexts = onceFor((facts) => new Set(facts.calls.flatMap((call) => {
  const [first] = call.arguments;
  return first === undefined || !isApi(facts, call.callee, RUNNERS) ? [] : originsOf(facts, first.value).values;
})));

/** Code that `exec` or `eval` of this file runs: that call is the finding. */
function isRunHere(facts: ModuleFacts, result: ValueId): boolean {
  return runTexts(facts).has(result);
}

/** `pickle.loads(pickle.dumps(x))`: reads what it just wrote. */
function isCopy(facts: ModuleFacts, call: Call, loader: Loader): boolean {
  const argument = decidingArgument(facts, call, loader);
  if (typeof argument !== "number" || loader.copies === undefined) return false;
  const { copies } = loader;
  return originsOf(facts, argument).values.every((origin) => {
    const value = facts.values[origin];
    return value?.kind === "call" && isApi(facts, facts.calls[value.call]!.callee, copies);
  });
}

function judgeSearchPath(facts: ModuleFacts, call: Call, loader: Loader, api: string): Verdict {
  const argument = decidingArgument(facts, call, loader);
  return typeof argument === "number" ? judgeSearchPathValue(facts, argument, api) : problem("warning", searchPathMessage(api, true), "opaque");
}

/** A folder made from `__file__` is the package's own; another computed one is a warning, a written one an error. */
export function judgeSearchPathValue(facts: ModuleFacts, path: ValueId, api: string): Verdict {
  if (isFromOwnPlace(facts, path)) return silent();
  const written = constantsOf(facts, bare(facts, path)) !== null || listedTexts(facts, path) !== null || facts.values[path]?.kind === "list";
  return problem(written ? "error" : "warning", searchPathMessage(api, !written), "opaque");
}
