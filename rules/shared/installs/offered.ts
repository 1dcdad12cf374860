import { referencesOf } from "@agentgate/parsers";
import type { Call, FunctionFacts, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { isExport } from "../models/unread.ts";
import { modulesAbove } from "../modules-above.ts";
import { isCalledAfterAnswer } from "./answered.ts";
import { wordsOf } from "./vocabulary.ts";

/** What the name of an installer begins with; `install` may also end it. */
const VERBS = new Set(["install", "upgrade"]);

/**
 * Whether a call stands in a function that is there for others, whose name says that it installs, and that nothing in the
 * tree calls but its like: `session.install("left", "right")`, `install_accelerator()`. Who calls it asks for the
 * installation. One with a decorator is handed to something (a tool of an agent, a task), and so may a method of a class be
 * that derives from another.
 */
export function isOfferedInstaller(facts: ModuleFacts, context: RuleContext, call: Call): boolean {
  const subject = facts.functions[call.function];
  return subject !== undefined && isOffered(facts, subject) && !isMentioned(facts, context, subject.name);
}

function isOffered(facts: ModuleFacts, { name, decorators, class: owner, parent }: FunctionFacts): boolean {
  if (parent !== 0 || !saysInstall(name) || decorators.length > 0) return false;
  if (owner === -1) return true;
  const { bases, decorators: ofClass } = facts.classes[owner]!;
  return bases.length === 0 && ofClass.length === 0;
}

/** `install`, `conda_install`, `installTheme`, `upgradePackages`; `install_and_run` does more. */
function saysInstall(name: string): boolean {
  const parts = wordsOf(name);
  return !/^[_#]/.test(name) && !parts.includes("and") && (VERBS.has(parts[0] ?? "") || parts.at(-1) === "install");
}

/**
 * Whether a name is used in a module, or in those that load it or what loads it, by what does not install itself, and not
 * where a person answered for it. What installs itself must be used by nothing else either.
 */
function isMentioned(facts: ModuleFacts, context: RuleContext, name: string): boolean {
  const modules = modulesAbove(facts, context)?.map((module): Above => (
    { facts: module.facts, isHome: module.path === context.path, isOutside: (specifier) => context.tree.resolve(module.path, specifier) === null }));
  if (modules === undefined) return true;
  const names = new Set([name]);
  for (const each of names) {
    for (const module of modules) {
      const users = usersOf(module, each);
      if (users === null) return true;
      for (const user of users) names.add(user);
    }
  }
  return false;
}

interface Above {
  readonly facts: ModuleFacts;
  readonly isHome: boolean;
  readonly isOutside: (specifier: string) => boolean;
}

/** The names of the installing functions of a module that use a name; null where something else does. */
function usersOf(module: Above, name: string): readonly string[] | null {
  const users: string[] = [];
  for (let id = 0; id < module.facts.values.length; id++) {
    if (!isUse(module, id, name) || isCalledAfterAnswer(module.facts, id)) continue;
    const user = installerAround(module.facts, id) ?? entryOf(module.facts, id);
    if (user === null) return null;
    users.push(user);
  }
  return users;
}

function isUse({ facts, isHome, isOutside }: Above, id: ValueId, name: string): boolean {
  const value = facts.values[id]!;
  if (value.kind === "member") return value.property === name && !isTakenByName(facts, id, name) && !isAnothers(facts, isHome, value.object, isOutside);
  if (value.kind !== "name" || value.name !== name) return false;
  const isDeclaration = facts.bindings[value.binding]?.span[0] === value.span[0];
  return !isDeclaration && !isExport(facts, id, name);
}

/** `const { upgradePackages } = options`: what is done with it is done by that name. */
function isTakenByName(facts: ModuleFacts, id: ValueId, name: string): boolean {
  return facts.bindings.some((binding) => binding.name === name && binding.values.includes(id));
}

/** Whether the member is one of a package from outside, or of a class of another module: `self.install(…)` there. */
function isAnothers(facts: ModuleFacts, isHome: boolean, object: ValueId, isOutside: (specifier: string) => boolean): boolean {
  const value = facts.values[object];
  const given = value?.kind === "name" ? facts.values[facts.bindings[value.binding]?.values[0] ?? -1] : value;
  if (given?.kind === "self") return !isHome;
  const references = referencesOf(facts, object);
  return references.length > 0 && references.every(({ module }) => isOutside(module));
}

function installerAround(facts: ModuleFacts, id: ValueId): string | null {
  const { span: [start, end] } = facts.values[id]!;
  const around = facts.functions.findLast(({ span }) => span[0] <= start && end <= span[1]);
  return around?.decorators.length === 0 && wordsOf(around.name).some((word) => VERBS.has(word)) ? around.name : null;
}

/** The name under which a value is handed on, where that says that it installs: `{ upgradePackages: upgraded }`. */
function entryOf(facts: ModuleFacts, id: ValueId): string | null {
  for (const value of facts.values) {
    const entry = value.kind === "table" ? value.entries.find((each) => each.value === id) : undefined;
    const key = entry?.key == null ? undefined : facts.values[entry.key];
    if (key?.kind === "string" && saysInstall(key.value)) return key.value;
  }
  return null;
}
