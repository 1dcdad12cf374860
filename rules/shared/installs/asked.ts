import { constantsOf, functionsOf } from "@agentgate/parsers";
import type { Call, FunctionId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import data from "../../data/package-installs.json" with { type: "json" };
import { callersOf, isPrivate } from "../callers.ts";
import { bare } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { isModuleOf } from "../names.ts";
import { isChosenByCommand } from "./chosen.ts";
import { callersElsewhere } from "./elsewhere.ts";
import { installsProject, isBuildCommand } from "./manifest.ts";
import { offersChoice } from "./menus.ts";
import { isOfferedInstaller } from "./offered.ts";
import { isAskedByOption } from "./options.ts";
import { wordsOf } from "./vocabulary.ts";

/** Where a command line tool keeps its commands, what they are called that install, and the libraries that they are told to. */
const { folders, libraries, verbs, beside } = data.commands;
const LIBRARIES = new Set(libraries);
const MOST_FUNCTIONS = 16;

/** So many functions up the command is looked for. */
const MOST_CALLERS = 3;

/**
 * Whether a call is what a command of a command line tool is for: who gives the command asks for the installation. The
 * file is that command by its folder and name, or the function is, or only such functions call it, of the file or of the tree.
 */
export function isAskedFor(facts: ModuleFacts, context: RuleContext, call: Call): boolean {
  return isCommandFile(facts, context.path) || isOfferedInstaller(facts, context, call) || isOfBuild(facts, context, call) || isCallAsked(facts, context, call, MOST_CALLERS);
}

/** What a command for building or deploying needs of the project itself. */
function isOfBuild(facts: ModuleFacts, { path }: RuleContext, call: Call): boolean {
  return isBuildCommand(path) && installsProject(facts, call);
}

function isCallAsked(facts: ModuleFacts, context: RuleContext, call: Call, further: number): boolean {
  if (isAskedByOption(facts, call)) return true;
  const isTool = isInFolder(context.path) || registers(facts);
  return (isTool && isChosenByCommand(facts, call, (command) => isCommandVerb(wordsIn(command)))) || isInCommand(facts, context, call.function, further);
}

function isInFolder(path: string): boolean {
  return path.split("/").slice(0, -1).some((part) => folders.includes(part));
}

function isCommandFile(facts: ModuleFacts, path: string): boolean {
  const parts = path.split("/");
  const stem = parts.pop()!.replace(/\.[^.]*$/, "");
  const folder = parts.findIndex((part) => folders.includes(part));
  if (folder !== -1) return isHandlerOfVerb(wordsIn(stem)) || [...parts.slice(folder + 1), stem].some((part) => isVerb(wordsIn(part)));
  return registers(facts) && isVerb(wordsIn(stem));
}

function isInCommand(facts: ModuleFacts, context: RuleContext, id: FunctionId, further: number): boolean {
  const inFolder = isInFolder(context.path);
  let current = id;
  for (let step = 0; step < MOST_FUNCTIONS && current > 0; step++) {
    const command = commandsOf(facts).get(current);
    if (command !== undefined && (inFolder || registers(facts)) && isCommandVerb(wordsIn(command))) return true;
    // A person chose in a menu what to install.
    if ((inFolder || offersChoice(facts).found) && isNamedForCommand(facts, current)) return true;
    if (further > 0 && areCallersAsked(facts, context, current, further - 1)) return true;
    current = facts.functions[current]?.parent ?? -1;
  }
  return false;
}

function areCallersAsked(facts: ModuleFacts, context: RuleContext, id: FunctionId, further: number): boolean {
  const callers = callersOf(facts, id);
  const areAsked = callers.every((caller) => isCallAsked(facts, context, caller, further));
  if (!areAsked) return false;
  if (callers.length > 0 && isPrivate(facts, id, callers)) return true;
  const elsewhere = callersElsewhere(facts, context, id);
  return elsewhere !== null && elsewhere.length > 0 && elsewhere.every((caller) => {
    const at = { ...context, path: caller.path };
    return isCommandFile(caller.facts, caller.path) || isCallAsked(caller.facts, at, caller.call, further);
  });
}

/** `install`, `installCommand`, `cmd_install`, a method of `InstallCommand`. */
function isNamedForCommand(facts: ModuleFacts, id: FunctionId): boolean {
  const subject = facts.functions[id];
  if (subject === undefined) return false;
  return [subject.name, facts.classes[subject.class]?.name ?? ""].some((name) => isVerb(wordsIn(name).filter((word) => !beside.includes(word))));
}

/** `__init__` is no name that somebody chose. */
function wordsIn(name: string): readonly string[] {
  return /^__\w+__$/.test(name) ? [] : wordsOf(name);
}

/** The verb alone, or making something of a name. */
function isVerb(words: readonly string[]): boolean {
  const [first = ""] = words;
  return verbs.includes(first) && (words.length === 1 || first === "create");
}

/** The act of a command, named for it with what it is done to: `setupSearchHandler`. */
function isHandlerOfVerb(words: readonly string[]): boolean {
  return beside.includes(words.at(-1) ?? "") && isVerb(words.slice(0, 1));
}

/** Of a registered command also with what it is done to, and behind the name of its tool: `add-plugin`, `shop-sync`. */
function isCommandVerb(words: readonly string[]): boolean {
  return isVerb(words.slice(0, 1)) || (words.length === 2 && isVerb(words.slice(1)));
}

/** Whether a module is one that tells a library for command lines its commands. */
function registers(facts: ModuleFacts): boolean {
  return facts.imports.some(({ specifier }) => isModuleOf(LIBRARIES, specifier));
}

/** By function the command that it was registered for: by a decorator, `.action(…)`, `.command("…", …)`, `set_defaults(func=…)`. */
const commandsOf = onceFor((facts): ReadonlyMap<FunctionId, string> => {
  const commands = new Map<FunctionId, string>();
  facts.functions.forEach(({ decorators, name }, id) => {
    for (const decorator of decorators) {
      const value = facts.values[decorator];
      const call = value?.kind === "call" ? facts.calls[value.call] : undefined;
      if (memberName(facts, call?.callee ?? decorator) === "command") commands.set(id, textOfFirst(facts, call) ?? name);
    }
  });
  for (const call of facts.calls) {
    const member = memberName(facts, call.callee);
    if (member !== "action" && member !== "command" && member !== "set_defaults") continue;
    const text = member === "set_defaults" ? null : commandInChain(facts, call);
    for (const { value } of call.arguments) for (const id of functionsOf(facts, value)) commands.set(id, text ?? facts.functions[id]!.name);
    for (const [id, told] of commandInTable(facts, call)) commands.set(id, told);
  }
  return commands;
});

/** `yargs.command({ command: "new [folder]", handler: handled(async () => …) })`. */
function commandInTable(facts: ModuleFacts, call: Call): readonly (readonly [FunctionId, string])[] {
  const table = facts.values[bare(facts, call.arguments[0]?.value ?? -1)];
  if (table?.kind !== "table") return [];
  const entry = (name: string): ValueId | undefined => table.entries.find(({ key }) => key !== null && textOf(facts, key) === name)?.value;
  const [command, handler] = [entry("command"), entry("handler")];
  const text = command === undefined ? null : textOf(facts, command);
  if (text === null || handler === undefined) return [];
  const value = facts.values[bare(facts, handler)];
  const handed = value?.kind === "call" ? facts.calls[value.call]!.arguments.map((argument) => argument.value) : [];
  return [handler, ...handed].flatMap((each) => functionsOf(facts, each).map((id) => [id, text] as const));
}

/** `program.command("install <name>").description("…").action(…)`: the command that the chain tells. */
function commandInChain(facts: ModuleFacts, last: Call): string | null {
  let call: Call | undefined = last;
  for (let step = 0; call !== undefined && step < MOST_FUNCTIONS; step++) {
    const callee: Value | undefined = facts.values[call.callee];
    if (callee?.kind !== "member") return null;
    if (callee.property === "command") return textOfFirst(facts, call);
    const object: Value | undefined = facts.values[callee.object];
    call = object?.kind === "call" ? facts.calls[object.call] : undefined;
  }
  return null;
}

function memberName(facts: ModuleFacts, id: ValueId): string {
  const value = facts.values[id];
  return value?.kind === "member" ? value.property ?? "" : "";
}

function textOfFirst(facts: ModuleFacts, call: Call | undefined): string | null {
  const first = call?.arguments.find(({ name }) => name === undefined || name === "name");
  return first === undefined ? null : textOf(facts, first.value);
}

function textOf(facts: ModuleFacts, id: ValueId): string | null {
  const constants = constantsOf(facts, id);
  const text = constants?.length === 1 ? constants[0]!.value : null;
  return typeof text === "string" ? text : null;
}
