import type { ModuleFacts, ValueId } from "@agentgate/parsers";
import type { Capability } from "../catalogue/capability.ts";
import type { Loader } from "./loaders.ts";
import { described } from "./dynamic-site.ts";
import { ableToAll } from "./phrases.ts";

/** A module that a loader names, with what it brings. */
export interface NamedModule {
  readonly name: string;
  readonly capabilities: readonly Capability[];
}

/** The argument is known: what it loads, and the plain statement for it. */
export function namedMessage(api: string, modules: readonly NamedModule[], language: ModuleFacts["language"]): string {
  const names = modules.map((module) => module.name).join(", ");
  const capabilities = modules.flatMap((module) => module.capabilities);
  const brings = capabilities.length === 0 ? "" : `, which can ${ableToAll(capabilities)}`;
  return `${api} loads ${names}${brings}. A reader and every tool that reads imports look past it. ${plainStatement(modules, language)}`;
}

function plainStatement(modules: readonly NamedModule[], language: ModuleFacts["language"]): string {
  const [first] = modules;
  if (modules.length !== 1 || first === undefined) return "Import them by plain statements and choose among what they bind.";
  if (language === "python") return `Write the plain statement: import ${first.name}`;
  return `Write the plain import: import("${first.name}"), or a statement for it.`;
}

/** The argument is not known before the program runs. */
export function unknownModuleMessage(api: string, facts: ModuleFacts, argument: ValueId | null): string {
  const by = argument === null ? "" : described(facts, argument);
  const chosen = by === "" ? "a module whose name is only known at run time" : `the module that the value of ${by} names at run time`;
  return `${api} loads ${chosen}. Nobody can tell from the code what it brings. Look it up in a constant table of modules, or check the name against one first.`;
}

export function noArgumentMessage(api: string): string {
  return `${api} is called without the module's name in sight. Nobody can tell from the code what it loads. Name the module in a plain import.`;
}

export function fileMessage(api: string, facts: ModuleFacts, argument: ValueId | null): string {
  const by = argument === null ? "" : described(facts, argument);
  return `${api} runs the code in ${by === "" ? "a file that is chosen at run time" : `the file that ${by} names`}. What it does is not part of what was reviewed. Import a module of the tree, or build the path from the place of this file.`;
}

export function codeMessage(api: string): string {
  return `${api} runs text as code. What it does is decided at run time, where no reviewer sees it. Read the text as data, or choose from a constant table of functions.`;
}

export function compileMessage(api: string): string {
  return `${api} makes runnable code of text. What it does is decided at run time, where no reviewer sees it. Read the text as data, or choose from a constant table of functions.`;
}

export function dataMessage(api: string): string {
  return `${api} lets the data that it reads name what is imported and called. Whoever writes the data runs code here. Read a format that holds only data, such as JSON, or restrict what it may build.`;
}

export function handedOnMessage(api: string, kind: Loader["kind"]): string {
  const does = kind === "module" || kind === "file" ? "loads a module by name" : kind === "data" ? "lets data name what is called" : "runs text as code";
  return `${api} ${does} and is handed on here as a value. What it will be given is decided elsewhere. Call it here with a constant, or hand on a function that does one thing.`;
}

export function searchPathMessage(api: string, computed: boolean): string {
  const what = computed ? "a folder that is computed at run time" : "a folder outside this package";
  return `${api} adds ${what} to where modules are looked for. Every later import may come from there. Build the path from the place of this file, or install the package.`;
}

export function hookMessage(api: string): string {
  return `${api} changes how modules are found. Every later import may bring other code than its name says. Import what is needed by plain statements.`;
}

export function entryPointMessage(api: string): string {
  return `${api} loads whatever an installed package declares. Which code that is depends on the machine. List the plugins that are allowed by name and check against it first.`;
}

export function bindingMessage(api: string): string {
  return `${api} reaches the runtime's own internals. They have every capability and no public contract. Use the public module for it.`;
}

export function addressMessage(): string {
  return "This import is of an address that holds code or leads out of the tree. What it does is not part of what was reviewed. Import a module of the tree or a package instead.";
}

export function otherLanguageMessage(): string {
  return "The file that this loads has the ending of something else, so that nobody judged it as the code that it is here. What it does is not known. Give it the ending of this language, or load another module.";
}

export function runtimeMessage(member: string): string {
  return `${member} leads from an object into the running program, where every capability is within reach. Nobody can tell from the code what is taken. Import what is needed by plain statements.`;
}

export function memberMessage(object: string, brings: readonly Capability[], facts: ModuleFacts, key: ValueId | null): string {
  const by = key === null ? "" : described(facts, key);
  const chosen = by === "" ? "a name computed at run time" : by;
  const can = brings.length === 0 ? "It can be anything that the object holds." : `It can be anything there, and ${object} can ${ableToAll(brings)}.`;
  return `The member of ${object} is chosen by ${chosen}. ${can} Choose from a constant table of functions, or check the name against one first.`;
}

export function constructorMessage(api: string): string {
  return `${api} is the Function constructor under another name and runs text as code. What it does is decided at run time, where no reviewer sees it. Choose from a constant table of functions.`;
}

export function scriptMessage(api: string): string {
  return `${api} puts a script into the page. Its text or address is decided at run time, where no reviewer sees it. Import a module of the tree instead.`;
}

/** `hosts`: where the script comes from, as written in the code. */
export function foreignScriptMessage(api: string, hosts: readonly string[]): string {
  return `${api} puts a script from ${hosts.join(", ")} into the page. What is served there runs here and is not part of what was reviewed. Import the package instead, or keep a reviewed copy in the tree.`;
}

/** The whole text or address is written in the code, and leads to no other host. */
export function writtenScriptMessage(api: string): string {
  return `${api} puts a script into the page. Every tool that reads imports looks past what it runs. Import a module of the tree instead.`;
}
