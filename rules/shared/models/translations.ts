import type { Call, FunctionId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import { argumentOf } from "../arguments.ts";
import { bare } from "../expressions.ts";
import { bodiesOf } from "../statements.ts";
import { settingRead } from "./readers.ts";
import { textOf } from "./targets.ts";
import { namesModel } from "./words.ts";

/**
 * What a function returns only where the model that it is given has a name: `if (model === "opus") return "…"`. It
 * stands for that name and is no default.
 */
export function translatedReturns(facts: ModuleFacts, call: Call, id: FunctionId): ReadonlySet<ValueId> {
  const found = new Set<ValueId>();
  const pending: { readonly body: readonly Statement[]; readonly isNamed: boolean }[] = [{ body: facts.functions[id]!.body, isNamed: false }];
  while (pending.length > 0) {
    const { body, isNamed } = pending.pop()!;
    for (const statement of body) {
      if (statement.kind === "return" && statement.value !== null && isNamed) found.add(statement.value);
      if (statement.kind !== "test") for (const inner of bodiesOf(statement)) pending.push({ body: inner, isNamed });
      else pending.push({ body: statement.then, isNamed: isNamed || namesInput(facts, call, statement.test) }, { body: statement.else, isNamed });
    }
  }
  return found;
}

function namesInput(facts: ModuleFacts, call: Call, test: ValueId): boolean {
  const value = facts.values[bare(facts, test)];
  if (value?.kind === "logical") {
    const sides = [namesInput(facts, call, value.left), namesInput(facts, call, value.right)];
    return value.operator === "and" ? sides.includes(true) : !sides.includes(false);
  }
  if (value?.kind !== "binary" || value.operator !== "==") return false;
  return [[value.left, value.right], [value.right, value.left]].some(([one, other]) => textOf(facts, other!) !== "" && isGivenModel(facts, call, one!));
}

/** Whether a name is a parameter that says it is a model, or that the call gives one. */
function isGivenModel(facts: ModuleFacts, call: Call, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  const [given, ...others] = value?.kind === "name" ? facts.bindings[value.binding]?.values ?? [] : [];
  const parameter = given === undefined || others.length > 0 ? undefined : facts.values[given];
  if (value?.kind !== "name" || parameter?.kind !== "parameter") return false;
  const own = facts.functions[parameter.function]!;
  const bound = facts.language === "python" && own.class !== -1 && own.static !== true ? 1 : 0;
  const argument = argumentOf(facts, call, parameter.index - bound, value.name);
  return namesModel(value.name) || (typeof argument === "number" && namesModel(settingRead(facts, argument)?.key ?? ""));
}
