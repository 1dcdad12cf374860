import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { Related } from "../../rule.ts";
import { onceFor } from "../indexes.ts";
import type { Effect, Told } from "./effect.ts";
import { receiverOf } from "./chain.ts";

const ownTypes = onceFor((facts: ModuleFacts): ReadonlySet<ValueId> => new Set((facts.types ?? []).flatMap(({ value, reference }) => (reference === null ? [value] : []))));

/** Whether a type checker says that a call is made on something of the tree or the language, which no name then makes a client. */
export function isTypedInside(facts: ModuleFacts, call: Call): boolean {
  const receiver = facts.types === undefined ? null : receiverOf(facts, call);
  return receiver !== null && ownTypes(facts).has(receiver);
}

const GUESSED: ReadonlySet<Told> = new Set(["convention", "arguments", "tail"]);

/** Says beside a finding that rests on names that `--types` would settle it; nothing where types were asked or there are none. */
export function settledByTypes(facts: ModuleFacts, { told, api, span }: Pick<Effect, "told" | "api" | "span">, path?: string): Related[] {
  if (!GUESSED.has(told) || facts.types !== undefined || (facts.dialect !== "typescript" && facts.dialect !== "tsx")) return [];
  return [{ ...(path !== undefined && { path }), span, message: `${api} is told by its names alone: --types would settle what it is` }];
}
