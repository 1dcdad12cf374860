import type { CallId, Handler, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import type { PlacedFunction } from "../effects/index.ts";
import { bare, childrenOf } from "../expressions.ts";
import { isConstructor } from "../gates/uses.ts";
import { onceFor } from "../indexes.ts";
import { statementsIn } from "../statements.ts";
import { attributeWrites, attributesIn } from "./attribute-writes.ts";
import { constantText } from "./numbers.ts";
import { calledName, methodOf, placeOf } from "./places.ts";
import { leavesForGood } from "./process-ends.ts";

type Body = readonly Statement[];

/** An attribute of an object of the loop, such as the number of a transaction. */
interface Attribute {
  readonly object: string;
  readonly name: string;
}

/**
 * Whether a handler goes round only where an attribute is nothing, and a method of the same object gives it before that:
 * `if not transaction.id: transaction.begin(); continue`. Nothing had begun, and the handler comes to that once.
 */
export function isBegunBy(facts: ModuleFacts, context: RuleContext, { body }: Handler, round: Body): boolean {
  return body.some((statement, index) => {
    if (statement.kind !== "test") return false;
    const rest = body.slice(index + 1);
    return [true, false].some((outcome) => {
      const [branch, other] = outcome ? [statement.then, statement.else] : [statement.else, statement.then];
      const others = leavesForGood(facts, other) || (branch.length > 0 && other.length === 0 && leavesForGood(facts, rest));
      const attribute = others ? missingAt(facts, statement.test, outcome) : null;
      return attribute !== null && isKept(facts, context, attribute, round) && (branch.length > 0 ? branch : rest).some((each) => isGivenBy(facts, context, each, attribute));
    });
  });
}

/** The attribute that is nothing where a test comes out so. */
function missingAt(facts: ModuleFacts, test: ValueId, outcome: boolean): Attribute | null {
  const id = bare(facts, test);
  const value = facts.values[id];
  if (value?.kind === "unary" && value.operator === "not") return missingAt(facts, value.value, !outcome);
  if (value?.kind === "binary" && (outcome ? SAME : OTHER).has(value.operator) && constantText(facts, value.right) === "null") return attributeAt(facts, value.left);
  return outcome ? null : attributeAt(facts, id);
}

const SAME: ReadonlySet<string> = new Set(["==", "===", "is"]);
const OTHER: ReadonlySet<string> = new Set(["!=", "!==", "is not"]);

function attributeAt(facts: ModuleFacts, id: ValueId): Attribute | null {
  const value = facts.values[bare(facts, id)];
  const object = value?.kind === "member" ? placeOf(facts, value.object) : null;
  return value?.kind !== "member" || value.property === null || object === null ? null : { object, name: value.property };
}

/** Whether the object is the same one in each round: made before the loop, or handed out by a method that keeps it. */
function isKept(facts: ModuleFacts, context: RuleContext, { object, name }: Attribute, round: Body): boolean {
  return round.every((statement) => statement.kind !== "assign" || statement.targets.every((target) => {
    const place = placeOf(facts, target);
    if (place === `${object}.${name}`) return false;
    if (place === null || (place !== object && !object.startsWith(`${place}.`))) return true;
    const value = facts.values[bare(facts, statement.value)];
    return value?.kind === "call" && handsOutItsOwn(runBy(facts, context, value.call));
  }));
}

const MOST_CALLEES = 4;

function handsOutItsOwn(callees: readonly PlacedFunction[]): boolean {
  return callees.length > 0 && callees.length <= MOST_CALLEES && callees.every(({ facts, function: id }) => {
    const returned = statementsIn(facts.functions[id]?.body ?? []).flatMap((statement) => (statement.kind === "return" && statement.value !== null ? [statement.value] : []));
    return returned.length > 0 && returned.every((value) => placeOf(facts, value)?.startsWith("self.") === true);
  });
}

/** Whether a statement calls a method of the object which leads to the attribute being given. An error of it is not swallowed. */
function isGivenBy(facts: ModuleFacts, context: RuleContext, statement: Statement, { object, name }: Attribute): boolean {
  if (statement.kind !== "call") return false;
  const call = facts.calls[statement.call]!;
  const method = methodOf(facts, call);
  if (method === null || placeOf(facts, method.object) !== object || changes(facts).lowered.has(name)) return false;
  const callees = runBy(facts, context, statement.call);
  if (callees.length > MOST_CALLEES) return false;
  const led = callees.map((callee) => leadsToGiving(context, callee, name));
  // One that goes on in a module that nobody reads does what its namesake does.
  return led.includes(true) && !led.includes(false);
}

const MOST_FUNCTIONS = 40;

/** The functions that a call runs, or all methods of that name in the tree. */
function runBy(facts: ModuleFacts, context: RuleContext, id: CallId): readonly PlacedFunction[] {
  const known = effectsOf(facts, context).callees(id);
  const { callee, function: from } = facts.calls[id]!;
  const name = known.length > 0 || facts.values[callee]?.kind !== "member" ? "" : calledName(facts, facts.calls[id]!);
  if (name === "") return known;
  return (context.tree.definersOf(name) ?? []).flatMap((path) => {
    const there = path === context.path ? facts : context.tree.facts(path);
    if (there?.language !== facts.language) return [];
    return there.functions.flatMap((each, index) => (each.class >= 0 && each.name === name && (there !== facts || index !== from) ? [{ path, facts: there, function: index }] : []));
  });
}

/**
 * Whether a method, or one that it calls, gives the attribute something, and nothing there takes it away again; null where
 * it calls what is not in the tree.
 */
function leadsToGiving(context: RuleContext, from: PlacedFunction, name: string): boolean | null {
  let isKnown = true;
  const seen = new Set<string>();
  let level: readonly PlacedFunction[] = [from];
  for (let depth = 0; depth < 5 && level.length > 0; depth++) {
    const next: PlacedFunction[] = [];
    for (const { facts, function: id, path } of level) {
      const key = `${path} ${String(id)}`;
      if (seen.has(key) || seen.size >= MOST_FUNCTIONS) continue;
      seen.add(key);
      if (changes(facts).lowered.has(name)) return false;
      if (changes(facts).given.get(id)?.has(name) === true) return true;
      const effects = effectsOf(facts, { ...context, path });
      for (const statement of statementsIn(facts.functions[id]?.body ?? [])) {
        if (statement.kind !== "call" || !isOfItself(facts, statement.call)) continue;
        const callees = effects.callees(statement.call);
        isKnown &&= callees.length > 0;
        next.push(...callees);
      }
    }
    level = next;
  }
  return isKnown ? false : null;
}

/** `self.begin()`, `super().begin()`. */
function isOfItself(facts: ModuleFacts, id: CallId): boolean {
  const method = methodOf(facts, facts.calls[id]!);
  const object = method === null ? undefined : facts.values[bare(facts, method.object)];
  return method !== null && (placeOf(facts, method.object) === "self" || object?.kind === "call");
}

interface Changes {
  /** Attributes that a function gives something. */
  readonly given: ReadonlyMap<number, ReadonlySet<string>>;
  /** Attributes that are made nothing again after they were made. */
  readonly lowered: ReadonlySet<string>;
}

const NOTHING: ReadonlySet<string> = new Set(["null", "false", "0", '""']);

const changes = onceFor((facts): Changes => {
  const given = new Map<number, Set<string>>();
  const lowered = new Set<string>();
  for (const { name, by, constant } of attributeWrites(facts)) {
    if (NOTHING.has(constant ?? "")) lowered.add(name);
    else given.set(by, (given.get(by) ?? new Set<string>()).add(name));
  }
  for (const { name, kind, body } of facts.functions) {
    if (isConstructor(name, kind)) continue;
    for (const statement of statementsIn(body)) if (statement.kind === "expression") for (const each of removed(facts, statement.value)) lowered.add(each);
  }
  return { given, lowered };
});

/** `del self.id`, `delete this.id`. */
function removed(facts: ModuleFacts, id: ValueId): readonly string[] {
  const value = facts.values[id];
  const inner = value?.kind === "unary" && value.operator === "delete" ? childrenOf(facts, value) : [id];
  return inner.flatMap((each) => attributesIn(facts, each));
}
