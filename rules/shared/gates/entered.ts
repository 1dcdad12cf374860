import type { FunctionId, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { bare, isApi } from "../expressions.ts";
import { MANAGERS } from "./definitions.ts";
import { endsOfValue } from "./ends.ts";
import type { Module } from "./ends.ts";
import { recogniserFor } from "./recognise.ts";
import type { Recogniser } from "./recognise.ts";

/** Whether a `with` of an expression enters a gate: it is one, or is made by a function that the gate decorates. */
export function enters(recogniser: Recogniser, item: ValueId, context: RuleContext): boolean {
  const { module } = recogniser;
  if (recogniser.gateOf(item) !== null) return true;
  const value = module.facts.values[item];
  if (value?.kind !== "call") return false;
  const { ends } = endsOfValue(context.tree, module, module.facts.calls[value.call]!.callee);
  return ends.length > 0 && ends.every(({ kind, made, id, path, facts }) => {
    if (kind !== "function" || made) return false;
    return isDecoratedManager(path === module.path ? recogniser : recogniserFor({ path, facts }, context), { path, facts }, id);
  });
}

/** `@asynccontextmanager` above the gate as a decorator: the body of the `with` runs while the gate does. */
function isDecoratedManager(recogniser: Recogniser, { facts }: Module, id: FunctionId): boolean {
  const { decorators, generator } = facts.functions[id]!;
  if (generator !== true || !decorators.some((decorator) => isApi(facts, decorator, MANAGERS))) return false;
  return decorators.some((decorator) => recogniser.gateOf(bare(facts, decorator)) !== null);
}
