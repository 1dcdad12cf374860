import type { ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext, Tree } from "../../rule.ts";
import { bare } from "../expressions.ts";
import { keptWithFacts } from "../indexes.ts";
import { originsOfModel } from "./origins.ts";
import type { Origin } from "./origins.ts";
import { valuesReaching } from "./reaching.ts";

interface Known {
  readonly tree: Tree;
  readonly bySource: Map<string, readonly Origin[]>;
}

const knownByFacts = keptWithFacts<Known>();

/** Equal for expressions that read the same name or the same attribute of one class. */
export function sourceOf(facts: ModuleFacts, id: ValueId): string {
  const first = bare(facts, id);
  const value = facts.values[first];
  if (value?.kind === "name" && value.binding >= 0) return `name ${String(value.binding)} ${valuesReaching(facts, first)?.join() ?? ""}`;
  if (value?.kind !== "member" || value.property === null) return `value ${String(first)}`;
  const object = facts.values[bare(facts, value.object)];
  const [owner] = object?.kind === "name" ? facts.bindings[object.binding]?.values ?? [] : [value.object];
  const self = owner === undefined ? undefined : facts.values[owner];
  return self?.kind === "self" ? `attribute ${String(self.class)} ${value.property}` : `value ${String(first)}`;
}

/** What a call's model can be; the same names and attributes are given to many calls, so each is followed once. */
export function originsAtCall(facts: ModuleFacts, context: RuleContext, id: ValueId): readonly Origin[] {
  let known = knownByFacts.get(facts);
  if (known?.tree !== context.tree) knownByFacts.set(facts, (known = { tree: context.tree, bySource: new Map() }));
  const source = sourceOf(facts, id);
  let origins = known.bySource.get(source);
  if (origins === undefined) known.bySource.set(source, (origins = originsOfModel(facts, context, id, { kind: "call", key: "" })));
  return origins;
}
