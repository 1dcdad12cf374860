import type { Call, FunctionFacts, FunctionId, ModuleFacts } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { wordsOf } from "./vocabulary.ts";

const MOST_FUNCTIONS = 16;
const MOST_MODULES = 60;

/**
 * Whether a call stands in a function that is there for others, whose name says that it installs, and that nothing in the
 * tree mentions: `install()`, `install_driver()`. Who calls it asks for the installation. One with a decorator is handed to
 * something (a tool of an agent, a task), and so may a method of a class be that derives from another.
 */
export function isOfferedInstaller(facts: ModuleFacts, context: RuleContext, call: Call): boolean {
  let current = call.function;
  for (let step = 0; step < MOST_FUNCTIONS && current > 0; step++) {
    const subject = facts.functions[current]!;
    if (subject.parent === 0) return isOffered(facts, subject, current) && !isMentioned(facts, context, subject.name);
    current = subject.parent;
  }
  return false;
}

function isOffered(facts: ModuleFacts, subject: FunctionFacts, id: FunctionId): boolean {
  const [first, ...others] = wordsOf(subject.name);
  if (first !== "install" || others.length > 1 || /^[_#]/.test(subject.name) || subject.decorators.length > 0) return false;
  if (subject.class === -1) return facts.language === "python" || facts.exports.some(({ name }) => name === subject.name);
  const owner = facts.classes[subject.class]!;
  return owner.bases.length === 0 && owner.decorators.length === 0 && !facts.functions[id]!.name.startsWith("__");
}

/** Whether a name is used in a module, or in those that load it or what loads it, for more than to pass it on. */
function isMentioned(facts: ModuleFacts, { path, tree }: RuleContext, name: string): boolean {
  const seen = new Set([path]);
  const pending = [path];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const module = at === path ? facts : tree.facts(at);
    if (module === null || seen.size > MOST_MODULES || uses(module, name)) return true;
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

function uses(facts: ModuleFacts, name: string): boolean {
  const exported = new Set(facts.exports.map(({ value }) => value));
  return facts.values.some((value, id) => (value.kind === "member" && value.property === name) || (value.kind === "name" && value.name === name && !exported.has(id)));
}
