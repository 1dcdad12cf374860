import type { CallId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import { functionsOf } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { bare, childrenOf, someIngredient } from "../expressions.ts";
import { memberWrites } from "../consumers.ts";
import { onceFor } from "../indexes.ts";
import { ownAttribute, ownClass } from "../selves.ts";
import { statementsIn } from "../statements.ts";
import { errorPaths } from "./paths.ts";
import type { ErrorPath } from "./paths.ts";
import { optionsOf } from "./options.ts";
import { isAskedForNothing, isNothing, recursionReplacement, replacementIn } from "./replaced.ts";
import type { Replacement } from "./replaced.ts";
import { areMadeDifferently, areTwoNames, isOtherHost, showsModel, writtenHostOf } from "./others.ts";
import { baseOf, headAt, isSameTarget, likeness } from "./same.ts";
import { lastName, outcomeOf, ownCallees, resultBindings, talkOf } from "./talks.ts";
import type { Talk } from "./talks.ts";
import { isLooseModelName, nameAlike, namesClient, namesHeaders, namesSpare, targetKind } from "./words.ts";

const MOST_TALKS = 24;

/** What error paths put in place of the model, client or address that failed. */
export function replacementsOnErrors(facts: ModuleFacts, context: RuleContext): readonly Replacement[] {
  return errorPaths(facts).flatMap((path) => {
    const found = replacementsOn(facts, context, path);
    return path.empty === true ? found.filter((each) => isAskedForNothing(facts, each)).map((each) => ({ ...each, empty: true as const })) : found;
  });
}

function replacementsOn(facts: ModuleFacts, context: RuleContext, path: ErrorPath): readonly Replacement[] {
  if (!mayRepeat(facts, path) && !mayAssign(facts, path)) return [];
  const tried = talksIn(facts, context, path.tried).filter((talk) => path.response === null || givesTo(facts, talk.call, path));
  if (tried.length === 0) return [];
  const repeated = talksIn(facts, context, path.body);
  const given = resultsOf(facts, [...tried, ...repeated]);
  const calls = repeated.flatMap((to): readonly Replacement[] => {
    if (isFromResponse(facts, path, to) || to.slots.some((slot) => slot.kind === "address" && comesFrom(facts, slot.value, given))) return [];
    for (const from of tried) {
      const found = replacementIn(facts, context, from, to) ?? givenBack(facts, context, path, from, to) ?? recursionReplacement(facts, path.function, from, to);
      if (found !== null) return [found];
    }
    return [];
  });
  return [...calls, ...assigned(facts, context, path, tried, repeated)];
}

/** Whether the error path has a call of the same name as what was tried, or of the function around it: only these do the same work. */
function mayRepeat(facts: ModuleFacts, { function: around, tried, body }: ErrorPath): boolean {
  const names = new Set<string>();
  const takesTarget = facts.functions[around]!.parameters.some(({ name }) => targetKind(name) !== null);
  if (takesTarget && body.some((statement) => statement.kind === "call" && ownCallees(facts, statement.call).includes(around))) return true;
  for (const statement of tried) if (statement.kind === "call") names.add(nameAlike(lastName(facts, facts.calls[statement.call]!.callee)));
  return body.some((statement) => statement.kind === "call" && names.has(nameAlike(lastName(facts, facts.calls[statement.call]!.callee))));
}

/** Whether the error path, or a function of the file that it calls, gives a name or attribute another target. */
function mayAssign(facts: ModuleFacts, { body }: ErrorPath): boolean {
  return body.some((statement) => statement.kind === "assign" && statement.targets.some((target) => kindOfTarget(facts, target) !== null))
    || (givesSpares(facts).any && helped(facts, body).length > 0);
}

/** Whether anything that the file gives to a member is called a spare. */
const givesSpares = onceFor((facts) => ({ any: memberWrites(facts).some(({ statement }) => namesSpare(lastName(facts, statement.value))) }));

/** What is returned where the response was to be: it stands for it, whatever either call is given. */
function givenBack(facts: ModuleFacts, context: RuleContext, path: ErrorPath, from: Talk, to: Talk): Replacement | null {
  if (path.response === null || outcomeOf(facts, to.call) !== "return") return null;
  return replacementIn(facts, context, { ...from, work: RETURNED }, { ...to, work: RETURNED });
}

const RETURNED: ReadonlySet<string> = new Set(["returned"]);

export function talksIn(facts: ModuleFacts, context: RuleContext, statements: readonly Statement[]): readonly Talk[] {
  const found: Talk[] = [];
  for (const statement of statements) {
    if (found.length >= MOST_TALKS) break;
    const talk = statement.kind === "call" ? talkOf(facts, context, statement.call) : null;
    if (talk !== null) found.push(talk);
  }
  return found;
}

/** The names that are given what calls gave: an address made of them is one that a response named. */
function resultsOf(facts: ModuleFacts, talks: readonly Talk[]): ReadonlySet<number> {
  return new Set(talks.flatMap((talk) => [...resultBindings(facts, talk.call)]));
}

/** Whether the response that the test asks comes from a call. */
export function givesTo(facts: ModuleFacts, call: CallId, { response }: ErrorPath): boolean {
  for (const binding of response!) {
    if (facts.bindings[binding]!.values.some((id) => someIngredient(facts, id, (value) => value.kind === "call" && value.call === call, 24))) return true;
  }
  return false;
}

/** An address or page that the response itself names: a redirect, the next page. */
function isFromResponse(facts: ModuleFacts, { response }: ErrorPath, to: Talk): boolean {
  return response !== null && to.slots.some((slot) => slot.kind !== "client" && comesFrom(facts, slot.value, response));
}

/** Looked for from near to far: what is far away may be anything. */
function comesFrom(facts: ModuleFacts, id: ValueId, response: ReadonlySet<number>): boolean {
  const seen = new Set<ValueId>([id]);
  for (const current of seen) {
    const value = facts.values[current]!;
    if (value.kind === "name" && response.has(value.binding)) return true;
    if (seen.size > 200) return false;
    for (const child of childrenOf(facts, value)) seen.add(child);
    if (value.kind === "name") for (const given of facts.bindings[value.binding]?.values ?? []) seen.add(given);
  }
  return false;
}

/** Names and attributes that the error path gives another target, where what was tried is tried again with them. */
function assigned(facts: ModuleFacts, context: RuleContext, path: ErrorPath, tried: readonly Talk[], repeated: readonly Talk[]): readonly Replacement[] {
  const again = [...repeated, ...talksIn(facts, context, path.later), ...(path.loop === null ? [] : tried)];
  if (again.length === 0) return [];
  return [...path.body, ...helped(facts, path.body)].flatMap((statement): readonly Replacement[] => {
    if (statement.kind !== "assign" || statement.operator !== "=" || statement.targets.length !== 1) return [];
    const [target] = statement.targets;
    const given = givenTarget(facts, context, path, target!, statement.value);
    if (given === null) return [];
    const isMember = isOwn(facts, target!);
    const to = again.find((talk) => isSameOperation(facts, path, tried, talk) && (isMember || uses(facts, talk, target!)));
    const from = tried.find((talk) => talk.operation === to?.operation) ?? tried[0];
    // Another service has deployments and engines, too.
    if (given.kind === "model" && to?.slots.some((slot) => slot.kind === "model") !== true && isLooseModelName(lastName(facts, target!))) return [];
    return from === undefined || to === undefined ? [] : [{ ...given, from, to }];
  });
}

/** The other model, address or client that a name or attribute is given; null where it is the same, or does not show what it is. */
function givenTarget(facts: ModuleFacts, context: RuleContext, path: ErrorPath, target: ValueId, value: ValueId): Pick<Replacement, "kind" | "value"> | null {
  const kind = kindOfTarget(facts, target);
  if (kind === null || isNothing(facts, value) || isKeptValue(facts, path, target, value, kind)) return null;
  const others = otherValues(facts, target, value).filter((other) => !isNothing(facts, other));
  // A name that had nothing before is no replacement.
  if (others.length === 0 && facts.values[target]?.kind === "name") return null;
  const made = madeWith(facts, value);
  if (made !== null) return isVisible(facts, made, []) && !others.some((other) => isMadeWith(facts, other, made)) ? made : null;
  // The same client made once more, with nothing that tells it from the first one.
  if (kind === "client") return areTwoNames(lastName(facts, target), lastName(facts, value)) || others.some((other) => areMadeDifferently(facts, context, other, value)) ? { kind, value } : null;
  return isVisible(facts, { kind, value }, others) ? { kind, value } : null;
}

function isVisible(facts: ModuleFacts, { kind, value }: Pick<Replacement, "kind" | "value">, others: readonly ValueId[]): boolean {
  if (kind === "model") return showsModel(facts, value);
  return others.length > 0 ? others.some((other) => isOtherHost(facts, other, value)) : writtenHostOf(facts, value) !== null || namesSpare(lastName(facts, headAt(facts, value)));
}

/** What functions of the file that an error path calls assign: `self._switch_to_fallback()`. */
function helped(facts: ModuleFacts, body: readonly Statement[]): readonly Statement[] {
  return body.flatMap((statement) => (statement.kind === "call" ? functionsOf(facts, facts.calls[statement.call]!.callee) : []))
    .slice(0, 8)
    .flatMap((id) => statementsIn(facts.functions[id]?.body ?? []).slice(0, 100))
    .filter((statement) => statement.kind === "assign" && statement.targets.some((target) => isOwn(facts, target)) && namesSpare(lastName(facts, statement.value)));
}

function kindOfTarget(facts: ModuleFacts, target: ValueId): Replacement["kind"] | null {
  const value = facts.values[target];
  // `headers["x-wait-for-model"]`, `headers["origin"]`: a header says something about a request, not where it goes.
  if (value?.kind === "member" && namesHeaders(lastName(facts, value.object))) return null;
  const name = lastName(facts, target);
  return targetKind(name) ?? (namesClient(name) ? "client" : null);
}

/** `self.model`: what later calls of the same object see without being given it. */
function isOwn(facts: ModuleFacts, target: ValueId): boolean {
  const value = facts.values[target];
  return value?.kind === "member" && ownClass(facts, value.object) >= 0;
}

function isSameOperation(facts: ModuleFacts, path: ErrorPath, tried: readonly Talk[], talk: Talk): boolean {
  return ownCallees(facts, talk.call).includes(path.function) || tried.some((each) => each.operation === talk.operation && each.operation !== "");
}

/** Whether a call is given what is assigned, or is made on it. */
function uses(facts: ModuleFacts, talk: Talk, target: ValueId): boolean {
  const asked = likeness(facts, target);
  const member = facts.values[target];
  const owner = member?.kind === "member" && ownClass(facts, member.object) < 0 ? likeness(facts, member.object) : null;
  const call = facts.calls[talk.call]!;
  return [call.callee, ...call.arguments.map((argument) => argument.value)].some((id) => someIngredient(facts, id, (_value, inner) => {
    const shape = likeness(facts, inner);
    return shape === asked || (owner !== null && shape === owner);
  }, 60));
}

/** The same host as before, a value that the response gave, or one that was kept to be put back. */
function isKeptValue(facts: ModuleFacts, path: ErrorPath, target: ValueId, value: ValueId, kind: Replacement["kind"]): boolean {
  if (path.response !== null && comesFrom(facts, value, path.response)) return true;
  if (isSameTarget(facts, target, value)) return true;
  // `url = url.rstrip("/")`: made from what it was.
  const asked = likeness(facts, target);
  if (someIngredient(facts, value, (_value, inner) => inner !== value && likeness(facts, inner) === asked, 40)) return true;
  const others = otherValues(facts, target, value);
  return kind === "address" && others.some((other) => baseOf(facts, other) === baseOf(facts, value));
}

function otherValues(facts: ModuleFacts, target: ValueId, value: ValueId): readonly ValueId[] {
  const written = facts.values[target];
  if (written?.kind === "name") return (facts.bindings[written.binding]?.values ?? []).filter((id) => id !== value);
  return ownAttribute(facts, target).filter((id) => id !== value);
}

/** Whether a client was made with the same before: it is only renewed. */
function isMadeWith(facts: ModuleFacts, client: ValueId, { kind, value }: Pick<Replacement, "kind" | "value">): boolean {
  const made = madeWith(facts, client);
  return made?.kind === kind && isSameTarget(facts, made.value, value);
}

/** Of a client made in place, the model or address that it is made with; null where it is none, or made with neither. */
function madeWith(facts: ModuleFacts, value: ValueId): Pick<Replacement, "kind" | "value"> | null {
  const made = facts.values[bare(facts, value)];
  if (made?.kind !== "call") return null;
  for (const { name, value: given } of optionsOf(facts, facts.calls[made.call]!)) {
    const kind = targetKind(name);
    if (kind !== null) return { kind, value: given };
  }
  return null;
}
