import type { CallId, ModuleFacts, Span } from "@agentgate/parsers";
import type { Capability } from "../../catalogue/capability.ts";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import { shownName } from "../expressions.ts";
import type { Carried } from "./carriers.ts";
import { readsLikeWrite } from "./names.ts";
import type { KeyName } from "./names.ts";

/** A call that is given a key. */
export interface Write {
  readonly call: CallId;
  /** As shown: `httpx.post`, `client.payments.create`. */
  readonly api: string;
  readonly capability: Capability | null;
  readonly span: Span;
  /** It surely sends a write; false of calls that only cost something when repeated. */
  readonly sends: boolean;
}

/** What a receiver outside can take for a second one. A row or a file with a key in it is where the key is kept. */
const SENT: ReadonlySet<Capability> = new Set<Capability>(["net", "pay", "queue", "mail", "notify", "cloud.write"]);
const REPEATED: ReadonlySet<Capability> = new Set<Capability>(["model", "tool"]);

/** The write that a call is, as far as a key of that name matters for it; null where nothing outside sees the key. */
export function writeOf(facts: ModuleFacts, context: RuleContext, call: CallId, name: KeyName): Write | null {
  const { nameSpan: span, references } = facts.calls[call]!;
  const effects = effectsOf(facts, context);
  const found = [...effects.ofCall(call), ...effects.reachedBy(call).map((reached) => reached.effect)];
  const path = calleePath(facts, call);
  if (name.onlyFor !== undefined) {
    const { capabilities, roots } = name.onlyFor;
    const own = found.find((effect) => capabilities.includes(effect.capability) || roots.includes(effect.root));
    const named = references.find((reference) => roots.includes(reference.module) || roots.some((root) => reference.module.startsWith(`${root}.`)));
    if (own === undefined && named === undefined) return null;
    return { call, api: own?.api ?? shownName(named!), capability: own?.capability ?? null, span, sends: true };
  }
  const sent = found.find((effect) => effect.writes && SENT.has(effect.capability)) ?? found.find((effect) => REPEATED.has(effect.capability));
  if (sent !== undefined) return { call, api: path.length > 0 ? path.join(".") : sent.api, capability: sent.capability, span, sends: SENT.has(sent.capability) };
  if (found.length > 0 || !readsLikeWrite(path)) return null;
  return { call, api: path.join("."), capability: null, span, sends: true };
}

/** Whether a name that tells little by itself lies in the data that a call is given: an id of a record, which no receiver compares. */
export function isIdOfData(facts: ModuleFacts, { call, argument, fields }: Carried, { onlyFor }: KeyName): boolean {
  if (onlyFor === undefined || argument < 0) return false;
  if (fields.length > 0) return !fields.every((field) => onlyFor.inside?.includes(field) === true);
  if (onlyFor.options !== true) return false;
  const { arguments: given } = facts.calls[call]!;
  const index = given.findIndex(({ value }) => value === argument);
  if (index < 0 || facts.values[argument]?.kind === "spread") return false;
  if (facts.language === "python") return true;
  return index !== 2 && !(index === 1 && facts.values[given[0]!.value]?.kind === "table");
}

const LONGEST = 8;

/** The names of a call path as written: `client`, `payments`, `create`. */
function calleePath(facts: ModuleFacts, call: CallId): readonly string[] {
  const names: string[] = [];
  let value = facts.values[facts.calls[call]!.callee];
  for (let step = 0; step < LONGEST; step++) {
    if (value?.kind === "name") return [value.name, ...names];
    if (value?.kind === "self") return ["self", ...names];
    if (value?.kind !== "member" || value.property === null) return names;
    names.unshift(value.property);
    value = facts.values[value.object];
  }
  return names;
}
