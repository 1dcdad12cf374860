import { constantsOf } from "@agentgate/parsers";
import type { CallId, FunctionId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import { bare, someIngredient } from "../expressions.ts";
import { alwaysLeaves, callPlaces, statementsIn } from "../statements.ts";
import type { Place } from "../statements.ts";
import { truthyParts } from "./held.ts";
import { placeOf } from "./places.ts";
import { testsOf } from "./witnesses.ts";

/** What surely ran before a call, and how the tests came out that let it come there. */
interface Before {
  readonly statements: readonly Statement[];
  readonly tests: readonly { readonly test: ValueId; readonly outcome: boolean }[];
}

/** What surely ran in a function before a call of it. */
export function beforeCall(facts: ModuleFacts, id: FunctionId, call: CallId): Before {
  const statements: Statement[] = [];
  const tests: Before["tests"][number][] = [];
  for (let place: Place | null = callPlaces(facts, id).get(call) ?? null; place !== null; place = place.above) {
    const before = place.body.slice(0, place.index);
    statements.push(...before);
    for (const statement of before) if (statement.kind === "test" && alwaysLeaves(statement.then) !== alwaysLeaves(statement.else)) tests.push({ test: statement.test, outcome: alwaysLeaves(statement.else) });
    const outer: Statement | undefined = place.above?.body[place.above.index];
    if (outer?.kind === "test") tests.push({ test: outer.test, outcome: place.body === outer.then });
  }
  return { statements, tests };
}

/**
 * Whether what the branch was entered for is gone before the function comes back to itself: the test asks what a method
 * made of an attribute, and the attribute is cleared. `if (grant.token) { this.token = undefined; return this.login(); }`
 */
export function takesWhatIsAsked(facts: ModuleFacts, context: RuleContext, id: FunctionId, call: CallId): boolean {
  const { statements, tests } = beforeCall(facts, id, call);
  const cleared = new Set(statements.flatMap((statement) => (statement.kind === "assign" && statement.operator === "=" && isNothing(facts, statement.value)
    ? statement.targets.map((target) => placeOf(facts, target) ?? "").filter((place) => place.startsWith("self.")) : [])));
  if (cleared.size === 0) return false;
  const held = tests.flatMap(({ test, outcome }) => truthyParts(facts, test, outcome)).filter((part) => isAskedToHold(facts, part));
  return held.some((part) => someIngredient(facts, part, (value) => value.kind === "call" && asksFor(facts, context, value.call, cleared), 40));
}

/** `grant.token`, `hasToken()`, `"token" in grant`: true as long as there is something. */
function isAskedToHold(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  return value?.kind === "name" || value?.kind === "member" || value?.kind === "call" || (value?.kind === "binary" && value.operator === "in");
}

/** Whether a method of the tree answers by what an attribute of the object holds. */
function asksFor(facts: ModuleFacts, context: RuleContext, call: CallId, places: ReadonlySet<string>): boolean {
  return effectsOf(facts, context).callees(call).some(({ facts: of, function: id }) => {
    const inside = statementsIn(of.functions[id]?.body ?? []);
    const answers = inside.flatMap((statement) => (statement.kind === "return" && statement.value !== null ? [statement.value] : []));
    return [...testsOf(null, inside), ...answers].some((value) => someIngredient(of, value, (part, at) => part.kind === "member" && places.has(placeOf(of, at) ?? ""), 60));
  });
}

const COMPARISONS: ReadonlySet<string> = new Set(["<", "<=", ">", ">=", "==", "===", "!=", "!=="]);

/**
 * Whether a number that is made from itself on the way is compared to a fixed one in a test that leaves:
 * `if self.size == SMALLEST: raise Gone`, and then `self.size = smaller(self.size)`.
 */
export function narrowsWhatIsCompared(facts: ModuleFacts, id: FunctionId, call: CallId): boolean {
  const { statements, tests } = beforeCall(facts, id, call);
  const made = new Set(statements.flatMap((statement) => (statement.kind === "assign" && statement.operator === "="
    ? statement.targets.map((target) => placeOf(facts, target) ?? "").filter((place) => place !== "" && isGivenToCall(facts, statement.value, place)) : [])));
  if (made.size === 0) return false;
  return tests.some(({ test }) => someIngredient(facts, test, (part) => part.kind === "binary" && COMPARISONS.has(part.operator)
    && ((made.has(placeOf(facts, part.left) ?? "") && isNumber(facts, part.right)) || (made.has(placeOf(facts, part.right) ?? "") && isNumber(facts, part.left))), 30));
}

/** `smaller(self.size)`: what a call makes of the place. */
function isGivenToCall(facts: ModuleFacts, id: ValueId, place: string): boolean {
  const value = facts.values[bare(facts, id)];
  return value?.kind === "call" && facts.calls[value.call]!.arguments.some((argument) => someIngredient(facts, argument.value, (_, part) => placeOf(facts, part) === place, 20));
}

/** A number, or a constant of this module or another one by its name. */
function isNumber(facts: ModuleFacts, id: ValueId): boolean {
  const constants = constantsOf(facts, id);
  if (constants !== null) return constants.length > 0 && constants.every(({ value }) => typeof value === "number");
  const value = facts.values[bare(facts, id)];
  return value?.kind === "name" && /^_?[A-Z][A-Z0-9_]*$/.test(value.name);
}

/** `{}`, `[]`, `None`, `false`, `undefined`. */
export function isNothing(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "table") return value.entries.length === 0;
  if (value?.kind === "list") return value.items.length === 0;
  if (value?.kind === "name") return value.name === "undefined" && value.binding < 0;
  return value?.kind === "constant" && !value.value;
}
