import { referencesOf } from "@agentgate/parsers";
import type { Call, FunctionFacts, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { wordsOf } from "./vocabulary.ts";

const MOST_MODULES = 60;

/**
 * Whether a call stands in a function that is there for others, whose name says that it installs what they name, and that
 * nothing in the tree calls but its like: `session.install("left", "right")`. Who calls it asks for the installation. One with
 * a decorator is handed to something (a tool of an agent, a task), and so may a method of a class be that derives from another.
 */
export function isOfferedInstaller(facts: ModuleFacts, context: RuleContext, call: Call): boolean {
  const subject = facts.functions[call.function];
  return subject !== undefined && isOffered(facts, subject) && isGivenPackages(facts, subject, call) && !isMentioned(facts, context, subject.name);
}

function isOffered(facts: ModuleFacts, { name, decorators, class: owner, parent }: FunctionFacts): boolean {
  if (parent !== 0 || !saysInstall(name) || decorators.length > 0) return false;
  if (owner === -1) return facts.language === "python" || facts.exports.some((entry) => entry.name === name);
  const { bases, decorators: ofClass } = facts.classes[owner]!;
  return bases.length === 0 && ofClass.length === 0;
}

/** `install`, `conda_install`. */
function saysInstall(name: string): boolean {
  const parts = wordsOf(name);
  return parts.length <= 2 && parts.at(-1) === "install" && !/^[_#]/.test(name);
}

/** Whether the command ends in all that the function is given: `*packages`. */
function isGivenPackages(facts: ModuleFacts, { parameters }: FunctionFacts, { span: [start, end] }: Call): boolean {
  const rest = parameters.filter(({ kind }) => kind === "rest").map(({ binding }) => binding);
  return rest.length > 0 && facts.values.some((value) => {
    if (value.kind !== "spread" || value.span[0] < start || value.span[1] > end) return false;
    const inner = facts.values[value.value];
    return inner?.kind === "name" && rest.includes(inner.binding);
  });
}

/** Whether a name is used in a module, or in those that load it or what loads it, by what does not install itself. */
function isMentioned(facts: ModuleFacts, { path, tree }: RuleContext, name: string): boolean {
  const seen = new Set([path]);
  const pending = [path];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const from = at;
    const module = at === path ? facts : tree.facts(at);
    if (module === null || seen.size > MOST_MODULES || uses(module, at === path, name, (specifier) => tree.resolve(from, specifier) === null)) return true;
    const importers = tree.importersOf(at);
    if (importers === null) return true;
    for (const each of importers) {
      if (seen.has(each)) continue;
      seen.add(each);
      pending.push(each);
    }
  }
  return false;
}

function uses(facts: ModuleFacts, isHome: boolean, name: string, isOutside: (specifier: string) => boolean): boolean {
  const exported = new Set(facts.exports.map(({ value }) => value));
  return facts.values.some((value, id) => {
    if (value.kind === "member" ? value.property !== name || isAnothers(facts, isHome, value.object, isOutside) : value.kind !== "name" || value.name !== name || exported.has(id)) return false;
    return !isInInstaller(facts, id);
  });
}

/** Whether the member is one of a package from outside, or of a class of another module: `self.install(…)` there. */
function isAnothers(facts: ModuleFacts, isHome: boolean, object: ValueId, isOutside: (specifier: string) => boolean): boolean {
  const value = facts.values[object];
  const given = value?.kind === "name" ? facts.values[facts.bindings[value.binding]?.values[0] ?? -1] : value;
  if (given?.kind === "self") return !isHome;
  const references = referencesOf(facts, object);
  return references.length > 0 && references.every(({ module }) => isOutside(module));
}

function isInInstaller(facts: ModuleFacts, id: ValueId): boolean {
  const { span: [start, end] } = facts.values[id]!;
  const around = facts.functions.findLast(({ span }) => span[0] <= start && end <= span[1]);
  return around !== undefined && wordsOf(around.name).includes("install");
}
