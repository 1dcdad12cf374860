import { constantHead, constantsOf, functionsOf } from "@agentgate/parsers";
import type { BindingId, Call, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { argumentOf } from "./arguments.ts";
import { consumerOf, readsOf } from "./consumers.ts";
import { bindingMessage, codeMessage, compileMessage, dataMessage, entryPointMessage, hookMessage, searchPathMessage, unknownModuleMessage } from "./dynamic-messages.ts";
import { problem, silent } from "./dynamic-site.ts";
import type { DynamicInput, Verdict } from "./dynamic-site.ts";
import { bare, callsApi, isApi, originsOf, parentsOf } from "./expressions.ts";
import { onceFor, takers } from "./indexes.ts";
import { BUILDERS, READERS, decidingArgument, isMadeSafe } from "./loaders.ts";
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
      return isCopy(facts, call, loader) || isReadBack(facts, call, loader, api) ? silent() : problem("error", dataMessage(api), "code");
    case "search-path":
      return judgeSearchPath(facts, call, loader, api);
    case "hook":
      return problem("error", hookMessage(api), "opaque");
    case "entry-point":
      return problem("error", entryMessage(facts, call, api), "opaque");
    case "part":
    case "spec":
      return silent();
    case "binding":
      return problem("error", bindingMessage(api), "opaque");
    default:
      return judgeText(facts, call, loader, api);
  }
}

const ENTRY_MAKERS = ["importlib.metadata.EntryPoint", "importlib_metadata.EntryPoint", "pkg_resources.EntryPoint.parse"];

/** `EntryPoint(None, text, None).load()` is declared by no package: the text names what is loaded. */
function entryMessage(facts: ModuleFacts, call: Call, api: string): string {
  const callee = facts.values[call.callee];
  const [made] = callee?.kind === "member" ? originsOf(facts, callee.object).values : [];
  const value = made === undefined ? undefined : facts.values[made];
  const maker = value?.kind === "call" ? facts.calls[value.call]! : undefined;
  if (maker === undefined || !callsApi(maker, ENTRY_MAKERS)) return entryPointMessage(api);
  const text = callsApi(maker, ["pkg_resources.EntryPoint.parse"]) ? argumentOf(facts, maker, 0, "src") : argumentOf(facts, maker, 1, "value");
  return typeof text === "number" ? unknownModuleMessage(api, facts, text) : entryPointMessage(api);
}

function judgeText(facts: ModuleFacts, call: Call, loader: Loader, api: string): Verdict {
  const argument = decidingArgument(facts, call, loader);
  if (loader.text === true && (typeof argument !== "number" || !isText(facts, argument))) return silent();
  if (loader.open === true && (typeof argument !== "number" || isWritten(facts, argument))) return silent();
  if (loader.given === true && (typeof argument !== "number" || !isGivenToFunction(facts, argument))) return silent();
  if (loader.read === true && (typeof argument !== "number" || !isGivenBy(facts, argument, READERS))) return silent();
  if (loader.built === true && (typeof argument !== "number" || !isGivenBy(facts, argument, BUILDERS))) return silent();
  if (loader.script === true && (typeof argument !== "number" || !writesScript(facts, argument))) return silent();
  if (typeof argument === "number" && call.arguments.length === 1 && namesGlobalObject(facts, argument) && isCalledAtOnce(facts, call)) return silent();
  return problem("error", codeMessage(api), "code", typeof argument === "number" ? modulesNamedIn(facts, argument) : []);
}

/** `Function("return this")()`: the text is written and names the global object, whose members are judged by name. */
function namesGlobalObject(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  return facts.language === "ecmascript" && value?.kind === "string" && /^\s*return\s+(?:this|globalThis)\s*;?\s*$/.test(value.value);
}

function isCalledAtOnce(facts: ModuleFacts, { span: [start, end] }: Call): boolean {
  return facts.calls.some(({ callee }) => {
    const value = facts.values[bare(facts, callee)];
    return value?.kind === "call" && value.span[0] === start && value.span[1] === end;
  });
}

/** Names by which a text that runs comes to other modules, to code or to files. */
const REACHING = /\b(?:import|__\w+__|eval|exec|compile|open|getattr|globals|locals|vars|require|Function)\b/;

/** Whether the text that runs stands in the file, for all to read, and reaches nothing. */
function isWritten(facts: ModuleFacts, id: ValueId): boolean {
  const texts = constantsOf(facts, id)?.map(({ value }) => String(value)) ?? listedTexts(facts, id);
  return texts !== null && !texts.some((text) => REACHING.test(text));
}

/** Whether an argument is what a function is given, other than by a method that goes through a list. */
function isGivenToFunction(facts: ModuleFacts, id: ValueId): boolean {
  return originsOf(facts, id).values.some((origin) => {
    const value = facts.values[origin];
    return value?.kind === "parameter" && !takers(facts).has(value.function);
  });
}

/** Whether a call of one of the APIs gave the argument. */
function isGivenBy(facts: ModuleFacts, id: ValueId, apis: readonly string[]): boolean {
  return originsOf(facts, id).values.some((origin) => {
    const value = facts.values[origin];
    const call = value?.kind === "call" ? facts.calls[value.call]! : undefined;
    // `type(x)` only tells what something is.
    return call !== undefined && callsApi(call, apis) && !(call.arguments.length === 1 && callsApi(call, ["builtins.type"]));
  });
}

const LONGEST_CODE = 20_000;
const PYTHON_IMPORTS = /(?:^|[\n;])[ \t]*(?:import|from)[ \t]+([A-Za-z_][\w.]*)/g;
const ECMASCRIPT_IMPORTS = /\b(?:require|import)\(\s*["'`]([@\w][\w./:@-]*)["'`]/g;

/** The modules that a written text imports when it runs. */
function modulesNamedIn(facts: ModuleFacts, id: ValueId): readonly string[] {
  const texts = constantsOf(facts, id)?.map(({ value }) => String(value)) ?? [];
  const pattern = facts.language === "python" ? PYTHON_IMPORTS : ECMASCRIPT_IMPORTS;
  return [...new Set(texts.flatMap((text) => [...text.slice(0, LONGEST_CODE).matchAll(pattern)].map(([, name]) => name!)))];
}

/** Whether an expression is surely text: written, put together, declared as one, or made by `String(…)` and `.toString()`. */
export function isText(facts: ModuleFacts, id: ValueId): boolean {
  if (functionsOf(facts, id).length > 0) return false;
  return originsOf(facts, id).values.some((origin) => {
    const value = facts.values[origin];
    if (value?.kind === "string" || value?.kind === "template") return true;
    if (value?.kind === "parameter") return isDeclaredText(facts, value);
    if (value?.kind === "binary" && value.operator === "+") return constantHead(facts, origin) !== "" || isText(facts, value.right);
    const callee = value?.kind === "call" ? facts.values[facts.calls[value.call]!.callee] : undefined;
    if (callee?.kind === "name") return callee.name === "String" && callee.binding === -1;
    return callee?.kind === "member" && (callee.property === "toString" || callee.property === "join");
  });
}

/** `source: str`, in Python: where a type is erased, what follows it is not in the facts. */
function isDeclaredText(facts: ModuleFacts, { function: id, index }: Extract<Value, { kind: "parameter" }>): boolean {
  const annotation = facts.functions[id]?.parameters[index]?.annotation;
  return annotation != null && isApi(facts, annotation, ["builtins.str"]);
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

/** `buffer = io.BytesIO()`, `pickle.dump(x, buffer)` and then `pickle.load(buffer)` in one function: reads what it just wrote. */
function isReadBack(facts: ModuleFacts, call: Call, loader: Loader, api: string): boolean {
  const argument = decidingArgument(facts, call, loader);
  const named = typeof argument === "number" ? facts.values[bare(facts, argument)] : undefined;
  const binding = named?.kind === "name" ? facts.bindings[named.binding] : undefined;
  if (named?.kind !== "name" || binding === undefined || !api.endsWith(".load") || facts.scopes[binding.scope]?.function !== call.function) return false;
  const isEmpty = binding.values.length === 1 && binding.values.every((value) => {
    const made = facts.values[bare(facts, value)];
    return made?.kind === "call" && callsApi(facts.calls[made.call]!, ["io.BytesIO"]) && facts.calls[made.call]!.arguments.length === 0;
  });
  const writes = facts.calls.filter((each) => each !== call && [each.callee, ...each.arguments.map(({ value }) => value)].some((value) => isNameOf(facts, value, named.binding)));
  return isEmpty && writes.length > 0 && writes.every((each) => callsApi(each, [api.replace(/load$/, "dump")]) || isMove(facts, each));
}

function isNameOf(facts: ModuleFacts, id: ValueId, binding: BindingId): boolean {
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "member") return isNameOf(facts, value.object, binding);
  return value?.kind === "name" && value.binding === binding;
}

/** `buffer.seek(0)`. */
function isMove(facts: ModuleFacts, { callee }: Call): boolean {
  const value = facts.values[callee];
  return value?.kind === "member" && (value.property === "seek" || value.property === "close" || value.property === "tell");
}

function judgeSearchPath(facts: ModuleFacts, call: Call, loader: Loader, api: string): Verdict {
  const argument = decidingArgument(facts, call, loader);
  return typeof argument === "number" ? judgeSearchPathValue(facts, argument, api) : problem("warning", searchPathMessage(api, true), "opaque");
}

const COPIES = ["copy.copy", "copy.deepcopy", "builtins.list", "sys.path.copy"];

/** `sys.path = saved`: what is put back is what the path was, or a copy of that. */
function isSavedPath(facts: ModuleFacts, path: ValueId): boolean {
  const { values, complete } = originsOf(facts, path);
  return complete && values.every((origin) => {
    const value = facts.values[origin];
    if (value?.kind === "member" && value.subscript === true) return isApi(facts, value.object, ["sys.path"]);
    if (value?.kind !== "call") return value?.kind === "member" && isApi(facts, origin, ["sys.path"]);
    const call = facts.calls[value.call]!;
    const [first] = call.arguments;
    return callsApi(call, COPIES) && (first === undefined || isApi(facts, first.value, ["sys.path"]));
  });
}

/** A folder made from `__file__` is the package's own; another computed one is a warning, a written one an error. */
export function judgeSearchPathValue(facts: ModuleFacts, path: ValueId, api: string): Verdict {
  if (isFromOwnPlace(facts, path) || isSavedPath(facts, path)) return silent();
  const written = constantsOf(facts, bare(facts, path)) !== null || listedTexts(facts, path) !== null || facts.values[path]?.kind === "list";
  return problem(written ? "error" : "warning", searchPathMessage(api, !written), "opaque");
}
