import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { classify } from "../catalogue/classify.ts";
import type { RuleContext } from "../rule.ts";
import type { Taken } from "./acquired.ts";
import { childrenOf } from "./expressions.ts";
import { onceFor } from "./indexes.ts";

/** Settings of a decorator that name modules to be imported for the function. */
const SETTINGS = new Set(["imports", "import", "modules", "dependencies", "packages", "requires", "requirements"]);

/** I/O modules that a decorator is given by name (`@tool(imports=["requests"])`), at their names. */
export function namedInDecorators(facts: ModuleFacts, context: RuleContext): Taken[] {
  return facts.calls.flatMap((call): Taken[] => (decoratorsOf(facts).has(call) ? namesGiven(facts, call).flatMap((id) => takenAt(facts, context, call, id)) : []));
}

const decoratorsOf = onceFor((facts) => {
  const values = [...facts.functions, ...facts.classes].flatMap((each) => each.decorators);
  return new Set(values.flatMap((id) => {
    const value = facts.values[id];
    return value?.kind === "call" ? [facts.calls[value.call]!] : [];
  }));
});

/** The text values in the settings that name modules, nested lists and tables included. */
function namesGiven(facts: ModuleFacts, call: Call): ValueId[] {
  const pending = call.arguments.flatMap((argument) => (argument.name === undefined ? optionsOf(facts, argument.value) : SETTINGS.has(argument.name) ? [argument.value] : []));
  const names: ValueId[] = [];
  for (let step = 0; pending.length > 0 && step < 500; step++) {
    const id = pending.pop()!;
    const value = facts.values[id];
    if (value?.kind === "string") names.push(id);
    else if (value?.kind === "list" || value?.kind === "table") pending.push(...childrenOf(facts, value));
  }
  return names;
}

function optionsOf(facts: ModuleFacts, id: ValueId): ValueId[] {
  const table = facts.values[id];
  if (table?.kind !== "table") return [];
  return table.entries.flatMap((entry) => {
    const key = entry.key === null ? undefined : facts.values[entry.key];
    return key?.kind === "string" && SETTINGS.has(key.value) ? [entry.value] : [];
  });
}

function takenAt(facts: ModuleFacts, context: RuleContext, call: Call, id: ValueId): Taken[] {
  const value = facts.values[id];
  if (value?.kind !== "string" || value.value === "") return [];
  const answer = classify(facts.language, { module: value.value, path: [], through: "dynamic" }, context.capabilities);
  if (answer.kind !== "capability" || answer.mixed) return [];
  const capabilities = answer.capabilities.filter((capability) => capability !== "code" && capability !== "opaque");
  return [{ capabilities, root: answer.root, site: { span: value.span, statement: call.statement, api: answer.api, how: "import", through: [] } }];
}
