import type { ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { bindingsIn, placeOf } from "../attempts/places.ts";
import type { Loop } from "../attempts/places.ts";
import { bare, callsApi, sourceBindings } from "../expressions.ts";
import { ownAttribute } from "../selves.ts";
import { statementsIn } from "../statements.ts";
import { givesTo, talksIn } from "./errors.ts";
import { addedTo, isGivenList } from "./given.ts";
import { listsOtherHosts } from "./others.ts";
import { errorPaths } from "./paths.ts";
import { baseOf, headAt } from "./same.ts";
import { isDropped, isProbe, lastName, resultBindings } from "./talks.ts";
import type { Slot, Talk } from "./talks.ts";
import { namesClient, namesKey, namesSpare } from "./words.ts";

/** A loop over models, clients or addresses that goes on to the next one when one fails, and stops at the first that answers. */
export interface Rotation {
  /** What the loop goes through. */
  readonly list: ValueId;
  readonly kind: Slot["kind"];
  readonly to: Talk;
  /** What brings the next one up, where that is not the list itself. */
  readonly at?: ValueId;
  /** The loop goes on where a call gave nothing. */
  readonly empty?: true;
}

export function rotations(facts: ModuleFacts, context: RuleContext): readonly Rotation[] {
  return errorPaths(facts).flatMap((path): readonly Rotation[] => {
    const { loop } = path;
    if (loop === null) return [];
    // `i++` may stand in the handler, too.
    const counters = bindingsIn(facts, loop.form === "each" ? loop.targets : updatedIn([...loop.update, ...path.body]));
    if (counters.size === 0) return [];
    const tried = talksIn(facts, context, path.tried).filter((talk) => path.response === null || givesTo(facts, talk.call, path));
    for (const talk of tried) {
      if (isSocket(facts, talk) || isProbe(facts, talk)) continue;
      const through = goneThrough(facts, loop, talk, counters).find((each) => goesThroughOthers(facts, context, each, talk, counters));
      if (through !== undefined && stopsAtSuccess(facts, loop, talk)) return [{ list: through.list, kind: through.slot.kind, to: talk, ...(path.empty === true && { empty: true }) }];
    }
    return [];
  });
}

/** A list with the slot that its items are given to. */
export interface Through {
  readonly slot: Slot;
  readonly list: ValueId;
}

/** The slots that a loop gives another item each round, and what the items are of: `for model in models`, `models[i]`. */
function goneThrough(facts: ModuleFacts, loop: Loop, talk: Talk, counters: ReadonlySet<number>): readonly Through[] {
  return talk.slots.flatMap((slot): readonly Through[] => {
    if (loop.form === "each" && loop.iterable !== null && isHeadedBy(facts, slot.value, counters)) return [{ slot, list: zippedList(facts, loop, slot.value) ?? loop.iterable }];
    const item = facts.values[headAt(facts, slot.value)];
    const place = item?.kind === "member" && item.key !== null ? facts.values[bare(facts, item.key)] : undefined;
    return item?.kind === "member" && place?.kind === "name" && counters.has(place.binding) ? [{ slot, list: item.object }] : [];
  });
}

/** Of `for client, model in zip(clients, models)` the list that an item is of. */
function zippedList(facts: ModuleFacts, { targets, iterable }: Loop, item: ValueId): ValueId | null {
  const zip = facts.values[bare(facts, iterable!)];
  const pattern = facts.values[targets[0] ?? -1];
  if (zip?.kind !== "call" || pattern?.kind !== "list" || !callsApi(facts.calls[zip.call]!, ["builtins.zip"])) return null;
  const place = pattern.items.findIndex((each) => isHeadedBy(facts, item, bindingsIn(facts, [each])));
  return place < 0 ? null : facts.calls[zip.call]!.arguments[place]?.value ?? null;
}

function updatedIn(update: readonly Statement[]): readonly ValueId[] {
  return update.flatMap((statement) => (statement.kind === "assign" && statement.operator !== "=" ? statement.targets : []));
}

/** `for cls in classes: cls.from_pretrained(name)`: the class that reads what is named, whichever of them can. */
function isStaticMaker(operation: string): boolean {
  return /^from(?:_|[A-Z])/.test(operation);
}

/** Something behind the call leaves the loop, always or where what the call gave is good. */
export function stopsAtSuccess(facts: ModuleFacts, loop: Loop, talk: Talk): boolean {
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
export function isHeadedBy(facts: ModuleFacts, id: ValueId, items: ReadonlySet<number>): boolean {
  const base = baseOf(facts, id);
  for (const binding of items) {
    const name = `${facts.bindings[binding]!.name}#${String(binding)}`;
    if (base === name || base.startsWith(`${name}.`)) return true;
  }
  return false;
}

/** Whether the list shows that its items are other models, or that they lie on several hosts. */
export function goesThroughOthers(facts: ModuleFacts, context: RuleContext, { list: iterable, slot: { kind } }: Through, talk: Talk, counters: ReadonlySet<number>): boolean {
  // What is only sent somewhere with a model's name, and gives nothing that is used, asks no model.
  if (kind === "model") return talk.capability === "model" || !isDropped(facts, talk.call);
  if (kind === "address" && takesItsKey(facts, talk, counters)) return true;
  if (kind === "address") return !isGivenList(facts, context, iterable) && listsOtherHosts(facts, iterable, itemsOf(facts, iterable));
  if (isStaticMaker(talk.operation)) return false;
  const name = lastName(facts, iterable);
  return (talk.capability === "model" && namesClient(name.replace(/s$/, ""))) || namesSpare(name);
}

/** `ask(service.url, service.api_key)`: each item is a service of its own, with a key of its own, whoever listed them. */
function takesItsKey(facts: ModuleFacts, { call }: Talk, items: ReadonlySet<number>): boolean {
  return facts.calls[call]!.arguments.some(({ value }) => {
    const member = facts.values[bare(facts, value)];
    const object = member?.kind === "member" ? facts.values[bare(facts, member.object)] : undefined;
    return member?.kind === "member" && object?.kind === "name" && items.has(object.binding) && namesKey(member.property ?? "");
  });
}

const MOST_ITEMS = 64;

/** What a list holds: written in it, spread or added to it, put into it by a method. */
function itemsOf(facts: ModuleFacts, iterable: ValueId): readonly ValueId[] {
  const found: ValueId[] = [];
  const seen = new Set<ValueId>();
  const pending: ValueId[] = [iterable];
  while (pending.length > 0 && seen.size < MOST_ITEMS) {
    const id = bare(facts, pending.pop()!);
    if (seen.has(id)) continue;
    seen.add(id);
    const value = facts.values[id];
    if (value?.kind === "list") {
      for (const item of value.items) if (facts.values[item]?.kind === "spread") pending.push(item);
        else found.push(item);
    } else if (value?.kind === "binary" || value?.kind === "logical") pending.push(value.left, value.right);
    else if (value?.kind === "conditional") pending.push(value.then, value.else);
    else if (value?.kind === "name") {
      pending.push(...(facts.bindings[value.binding]?.values ?? []));
      found.push(...addedTo(facts, value.binding));
    } else if (value?.kind === "member") pending.push(...ownAttribute(facts, id));
    else if (value?.kind === "call" && KEEPERS.has(lastName(facts, facts.calls[value.call]!.callee))) pending.push(...facts.calls[value.call]!.arguments.map((argument) => argument.value));
  }
  return found;
}

/** Functions that give the list they are given, in another order or form. */
const KEEPERS = new Set(["list", "tuple", "set", "sorted", "reversed", "enumerate", "Set", "entries", "values", "shuffle", "deque", "iter", "cycle"]);

/** The addresses that one name has: which of them answers is all the same. */
function isSocket(facts: ModuleFacts, { call }: Talk): boolean {
  return facts.calls[call]!.references.some(({ module }) => module === "socket" || module === "net" || module === "node:net" || module === "dns");
}
