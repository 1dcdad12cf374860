import type { ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { bindingsIn, placeOf } from "../attempts/places.ts";
import type { Loop } from "../attempts/places.ts";
import { bare, sourceBindings } from "../expressions.ts";
import { statementsIn } from "../statements.ts";
import { givesTo, talksIn } from "./errors.ts";
import { addedTo, isGivenList } from "./given.ts";
import { errorPaths } from "./paths.ts";
import { baseOf } from "./same.ts";
import { resultBindings } from "./talks.ts";
import type { Slot, Talk } from "./talks.ts";

/** A loop over models, clients or addresses that goes on to the next one when one fails, and stops at the first that answers. */
export interface Rotation {
  /** What the loop goes through. */
  readonly list: ValueId;
  readonly kind: Slot["kind"];
  readonly to: Talk;
}

export function rotations(facts: ModuleFacts, context: RuleContext): readonly Rotation[] {
  return errorPaths(facts).flatMap((path): readonly Rotation[] => {
    const { loop } = path;
    if (loop?.form !== "each" || loop.iterable === null) return [];
    const items = bindingsIn(facts, loop.targets);
    if (items.size === 0) return [];
    const tried = talksIn(facts, context, path.tried).filter((talk) => path.response === null || givesTo(facts, talk.call, path));
    for (const talk of tried) {
      const slot = talk.slots.find((each) => isHeadedBy(facts, each.value, items));
      if (slot === undefined || isOneHost(facts, loop.iterable, slot.kind) || isSocket(facts, talk)) continue;
      if (slot.kind === "address" && isGivenList(facts, context, loop.iterable)) continue;
      if (slot.kind === "client" && isStaticMaker(talk.operation)) continue;
      if (stopsAtSuccess(facts, loop, talk)) return [{ list: loop.iterable, kind: slot.kind, to: talk }];
    }
    return [];
  });
}

/** `for cls in classes: cls.from_pretrained(name)`: the class that reads what is named, whichever of them can. */
function isStaticMaker(operation: string): boolean {
  return /^from(?:_|[A-Z])/.test(operation);
}

/** Something behind the call leaves the loop, always or where what the call gave is good. */
function stopsAtSuccess(facts: ModuleFacts, loop: Loop, talk: Talk): boolean {
  const results = resultBindings(facts, talk.call);
  for (let place = placeOf(facts, talk.call); place !== null; place = place.above) {
    const above = place.above?.body[place.above.index];
    const rest = place.body.slice(place.index + 1);
    const otherwise = above?.kind === "try" && place.body === above.body ? above.otherwise : [];
    if ([...rest, ...otherwise].some((statement) => leaves(facts, statement, results))) return true;
    if (above === loop) return false;
  }
  return false;
}

function leaves(facts: ModuleFacts, statement: Statement, results: ReadonlySet<number>): boolean {
  if (isExit(statement)) return true;
  if (statement.kind === "with" || statement.kind === "block") return statement.body.some(isExit);
  if (statement.kind !== "test") return false;
  const asked = [...sourceBindings(facts, statement.test)].some((binding) => results.has(binding));
  return asked && statementsIn([...statement.then, ...statement.else]).some(isExit);
}

function isExit(statement: Statement): boolean {
  return statement.kind === "return" || (statement.kind === "jump" && statement.to === "break");
}

/** Whether the head of an expression is one of the names: the host of an address, the model itself. */
function isHeadedBy(facts: ModuleFacts, id: ValueId, items: ReadonlySet<number>): boolean {
  const base = baseOf(facts, id);
  for (const binding of items) {
    const name = `${facts.bindings[binding]!.name}#${String(binding)}`;
    if (base === name || base.startsWith(`${name}.`)) return true;
  }
  return false;
}

/** A list of addresses that all lie on the same host. */
function isOneHost(facts: ModuleFacts, iterable: ValueId, kind: Slot["kind"]): boolean {
  if (kind !== "address") return false;
  const list = facts.values[bare(facts, iterable)];
  const written = list?.kind === "name" ? facts.values[facts.bindings[list.binding]?.values[0] ?? -1] : list;
  const items = [...(written?.kind === "list" ? written.items : []), ...(list?.kind === "name" ? addedTo(facts, list.binding) : [])];
  return items.length > 0 && new Set(items.slice(0, 64).map((item) => baseOf(facts, item))).size === 1;
}

/** The addresses that one name has: which of them answers is all the same. */
function isSocket(facts: ModuleFacts, { call }: Talk): boolean {
  return facts.calls[call]!.references.some(({ module }) => module === "socket" || module === "net" || module === "node:net" || module === "dns");
}
