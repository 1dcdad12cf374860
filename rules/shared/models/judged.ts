import type { ModuleFacts, Span, ValueId } from "@agentgate/parsers";
import type { Related, RuleContext } from "../../rule.ts";
import { NO_TREE } from "../alone.ts";
import { someIngredient } from "../expressions.ts";
import { keptWithFacts } from "../indexes.ts";
import { isAskedAfterCall } from "./after-call.ts";
import { originsAtCall, sourceOf } from "./at-call.ts";
import { callSinks } from "./calls.ts";
import { isCatalogued } from "./catalogues.ts";
import { checkedDefaults } from "./checked.ts";
import { isCountedArgument } from "./counted.ts";
import { isPinnedByDigest } from "./digests.ts";
import { isOnlyEntry } from "./entries.ts";
import { isOnlyHanded } from "./handed.ts";
import { hubLoads } from "./hub.ts";
import { isFilledByBase } from "./inherited.ts";
import { isInstrumentation } from "./instrumentation.ts";
import { repeatedOptions } from "./option-defaults.ts";
import { JOINED, originsOfModel } from "./origins.ts";
import type { Origin } from "./origins.ts";
import { isOverwritten } from "./overwritten.ts";
import { isPlaceholder } from "./placeholders.ts";
import { lastName } from "./readers.ts";
import { isRefused } from "./refused.ts";
import { isInRegistry } from "./registries.ts";
import { isRepeatedDefault } from "./repeated.ts";
import { isDemonstration, isSample } from "./samples.ts";
import { settingSinks } from "./sinks.ts";
import type { Sink } from "./sinks.ts";
import { asTabled } from "./tabled.ts";
import { unreadConstants } from "./unread.ts";
import { isReadNowhere } from "./unread-in-tree.ts";
import { isUnreadEntry } from "./unread-entries.ts";
import { isUnreadKey } from "./unread-keys.ts";
import { verdictOn, verdictOnLoad } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

/** A literal of the judged module, or a name that stands for one of another module, that decides which model runs. */
export interface Unpinned extends Verdict {
  readonly value: ValueId;
  readonly span: Span;
  readonly related: readonly Related[];
  /** The key of the environment with the model that it falls back to. */
  readonly decision?: string;
  /** The option whose default it is. */
  readonly option?: string;
}

/** Every literal that is wrong, once, in source order. */
export function unpinnedModels(facts: ModuleFacts, context: RuleContext): readonly Unpinned[] {
  if (context.models.inRegistry || isSample(context)) return [];
  const found = new Map<ValueId, Unpinned>();
  /** What only a call is known to take. */
  const onlyCalled = new Set<ValueId>();
  const settings = isInstrumentation(context.path) ? [] : settingSinks(facts);
  for (const { sinks, atCall } of [{ sinks: callSinks(facts, context), atCall: true }, { sinks: settings, atCall: false }]) {
    const seen = new Set<string>();
    for (const sink of sinks) {
      for (const taken of originsFor(facts, context, sink, seen)) {
        const origin = asTabled(facts, taken);
        const verdict = decidesNothing(origin, context) ? null : verdictOn(origin, atCall, context.models);
        if (verdict !== null && !isPinnedAtCalls(facts, context, origin, verdict) && !isPinnedByDigest(origin, context) && !isReportedAtHome(facts, context, origin)) keepWorst(found, facts, origin, verdict, onlyCalled);
      }
    }
  }
  for (const each of [...unreadIn(facts, context, found), ...joinedOfReported(facts, found)]) found.delete(each);
  for (const load of hubLoads(facts)) {
    const verdict = verdictOnLoad(load, lastName(facts, load.call.callee), context.models.allow);
    const value = load.revision?.literal ?? load.literal;
    if (verdict !== null && !found.has(load.literal)) found.set(value, { ...verdict, value, span: facts.values[value]!.span, related: [] });
  }
  const repeated = [...checkedDefaults(facts, [...found.values()]), ...repeatedOptions(facts, [...found.values()])];
  const shown = (each: Unpinned): boolean => isDemonstration(facts, context, each.span[0]);
  return oncePerDecision([...found.values()].filter((each) => !shown(each) && !repeated.includes(each)).sort((one, other) => one.span[0] - other.span[0]));
}

/** Names that are put together from a reported one: what that one decides is said there. */
function joinedOfReported(facts: ModuleFacts, found: ReadonlyMap<ValueId, Unpinned>): readonly ValueId[] {
  return [...found.keys()].filter((value) => JOINED.has(facts.values[value]!.kind) && someIngredient(facts, value, (_, id) => id !== value && found.has(id)));
}

/** A key of the environment that is read in several places with one default is one decision: the first is reported. */
function oncePerDecision(found: readonly Unpinned[]): readonly Unpinned[] {
  const seen = new Set<string>();
  return found.filter(({ decision }) => {
    if (decision === undefined) return true;
    const isFirst = !seen.has(decision);
    seen.add(decision);
    return isFirst;
  });
}

/** Constants that are only there for others, where something else of the module makes the same model the default, or no other module reads them. */
function unreadIn(facts: ModuleFacts, context: RuleContext, found: ReadonlyMap<ValueId, Unpinned>): readonly ValueId[] {
  const unread = [...found.values()].filter(({ value }) => unreadConstants(facts).has(value));
  const deciding = new Set([...found.values()].filter((each) => !unread.includes(each)).map(({ key }) => key));
  return unread.filter(({ key, value }) => deciding.has(key) || isReadNowhere(facts, context, value)).map(({ value }) => value);
}

/** Whether a constant of the module is a pinned name at calls and no more, whatever it is called. */
function isPinnedAtCalls(facts: ModuleFacts, context: RuleContext, { how, at, facts: home }: Origin, { severity }: Verdict): boolean {
  if (severity !== "warning" || how.kind !== "constant" || home !== facts || context.models.policy === "registry") return false;
  return isOnlyHanded(facts, context, at);
}

/** Whether a name is only offered to choose from, holds a place, gives way to another before anything reads it, is never read, is refused, comes too late, repeats another, or is only counted, noted and logged. */
function decidesNothing({ facts, path, literal }: Origin, context: RuleContext): boolean {
  const at = { ...context, path };
  return isInRegistry(facts, literal) || isCatalogued(facts, literal) || isOverwritten(facts, literal) || isPlaceholder(facts, literal) || isRefused(facts, literal) || isCountedArgument(facts, literal)
    || isUnreadEntry(facts, at, literal) || isUnreadKey(facts, at, literal) || isOnlyEntry(facts, at, literal)
    || isAskedAfterCall(facts, at, literal) || isRepeatedDefault(facts, at, literal) || isFilledByBase(facts, at, literal);
}

/** What a sink is given. Sinks of one kind that are given the same name say the same of it. */
function originsFor(facts: ModuleFacts, context: RuleContext, { value, how, setting }: Sink, seen: Set<string>): readonly Origin[] {
  const source = sourceOf(facts, value);
  const key = how.kind === "call" ? `${source} ${setting ?? ""}` : `${source} ${how.kind} ${how.key}`;
  if (seen.has(key)) return [];
  seen.add(key);
  if (how.kind !== "call") return originsOfModel(facts, context, value, how);
  return originsAtCall(facts, context, value).map((origin) => (origin.how.kind === "call" ? { ...origin, how: setting === undefined ? how : { kind: "fallback", key: setting } } : origin));
}

/** An error outweighs a warning, and a default says more than a call that it reaches. */
function keepWorst(found: Map<ValueId, Unpinned>, facts: ModuleFacts, origin: Origin, verdict: Verdict, onlyCalled: Set<ValueId>): void {
  const known = found.get(origin.at);
  const replaces = known === undefined || (known.severity === "warning" && verdict.severity === "error")
    || (known.severity === verdict.severity && onlyCalled.has(origin.at) && origin.how.kind !== "call");
  if (!replaces) return;
  if (origin.how.kind === "call") onlyCalled.add(origin.at);
  else onlyCalled.delete(origin.at);
  const value = facts.values[origin.at]!;
  const related = origin.facts === facts ? [] : [{ path: origin.path, span: origin.facts.values[origin.literal]!.span, message: `${verdict.key} is written here.` }];
  const decision = origin.how.kind === "environment" && origin.how.key !== "" ? { decision: `${origin.how.key} ${verdict.key}` } : {};
  const option = origin.how.kind === "option" || origin.how.kind === "schema" ? { option: origin.how.key } : {};
  found.set(origin.at, { ...verdict, ...decision, ...option, value: origin.at, span: value.kind === "member" ? value.propertySpan : value.span, related });
}

const reportedByFacts = keptWithFacts<ReadonlySet<ValueId>>();

/** Whether the module that holds the literal is told of it by itself: then nothing is said where the name is used. */
function isReportedAtHome(facts: ModuleFacts, context: RuleContext, { facts: home, literal, path }: Origin): boolean {
  if (home === facts) return false;
  let reported = reportedByFacts.get(home);
  if (reported === undefined) {
    const alone: RuleContext = { ...context, path, tree: { ...NO_TREE, importersOf: (of) => context.tree.importersOf(of) }, models: { policy: "pinned", inRegistry: false, allow: [] } };
    reportedByFacts.set(home, (reported = new Set(unpinnedModels(home, alone).map((each) => each.value))));
  }
  return reported.has(literal);
}
