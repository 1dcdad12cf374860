import type { ModuleFacts } from "@agentgate/parsers";
import { onceFor } from "./indexes.ts";

/** Every name and text that a file writes, once: what is bound, taken as a member, given as a keyword, or a string. */
const writtenIn = onceFor((facts): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const value of facts.values) {
    if (value.kind === "string") {
      if (value.docstring !== true) names.add(value.value);
    } else if (value.kind === "name") names.add(value.name);
    else if (value.kind === "member" && value.property !== null) names.add(value.property);
  }
  for (const { name } of facts.bindings) names.add(name);
  for (const { name, parameters } of facts.functions) {
    names.add(name);
    for (const parameter of parameters) names.add(parameter.name);
  }
  for (const { name, fields } of facts.classes) {
    names.add(name);
    for (const field of fields) names.add(field.name);
  }
  for (const call of facts.calls) for (const argument of call.arguments) if (argument.name !== undefined) names.add(argument.name);
  return names;
});

/** Whether some name or text that the file writes is one that `accept` takes. Texts that are put together are not seen. */
export function writesName(facts: ModuleFacts, accept: (name: string) => boolean): boolean {
  for (const name of writtenIn(facts)) if (accept(name)) return true;
  return false;
}

const textOf = onceFor((facts) => ({ text: [...writtenIn(facts)].join("\n") }));

/** As `writesName` with what `holdsOneOf` gives, asked once of all names: no word goes over the end of a name. */
export function writesWord(facts: ModuleFacts, holds: (text: string) => boolean): boolean {
  return holds(textOf(facts).text);
}

/** Whether a text holds one of some words, in any case: a cheap question before the words of a name are told apart. */
export function holdsOneOf(words: Iterable<string>): (text: string) => boolean {
  const pattern = new RegExp([...new Set(words)].map((word) => word.replaceAll(/[^\w]/g, String.raw`\$&`)).join("|"), "i");
  return (text) => pattern.test(text);
}

/** Every module from which one of some dotted names can be taken: of `a.b.c` a, a.b and a.b.c. */
export function modulesOfApis(names: Iterable<string>): ReadonlySet<string> {
  const modules = new Set<string>();
  for (const name of names) {
    for (let end = name.indexOf("."); end >= 0; end = name.indexOf(".", end + 1)) modules.add(name.slice(0, end));
    modules.add(name);
  }
  return modules;
}

/** Whether what a module outside the tree has can be among the names that `modulesOfApis` was given. */
export function isModuleOf(modules: ReadonlySet<string>, module: string): boolean {
  return modules.has(module.startsWith("node:") ? module.slice(5) : module);
}
