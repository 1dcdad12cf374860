import type { FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { isConstructor } from "../gates/uses.ts";
import { onceFor } from "../indexes.ts";
import { statementsIn } from "../statements.ts";
import { constantText } from "./numbers.ts";

/** An attribute that a function other than a constructor gives something. */
export interface AttributeWrite {
  readonly name: string;
  readonly by: FunctionId;
  /** The constant that it is given, as `constantText` has it; null for anything else. */
  readonly constant: string | null;
  readonly operator: string;
  /** It is one of several that are unpacked. */
  readonly isUnpacked: boolean;
}

/** What a file gives the attributes of its objects after they were made. */
export const attributeWrites = onceFor((facts): readonly AttributeWrite[] => facts.functions.flatMap(({ name: own, kind, body }, by) => {
  if (isConstructor(own, kind)) return [];
  return statementsIn(body).flatMap((statement) => {
    if (statement.kind !== "assign") return [];
    const constant = constantText(facts, statement.value);
    return statement.targets.flatMap((target) => attributesIn(facts, target).map((name): AttributeWrite => ({ name, by, constant, operator: statement.operator, isUnpacked: facts.values[target]!.kind === "list" })));
  });
}));

/** The attributes that a target is, or holds. */
export function attributesIn(facts: ModuleFacts, target: ValueId): readonly string[] {
  const value = facts.values[target];
  if (value?.kind === "list") return value.items.flatMap((item) => attributesIn(facts, item));
  return value?.kind === "member" && value.property !== null ? [value.property] : [];
}
