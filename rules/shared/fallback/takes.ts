import type { CallId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import listed from "../../data/fallbacks.json" with { type: "json" };
import { bindingsIn } from "../attempts/places.ts";
import { bare, callsApi } from "../expressions.ts";
import { givesTo, talksIn } from "./errors.ts";
import { errorPaths } from "./paths.ts";
import type { ErrorPath } from "./paths.ts";
import { goesThroughOthers, stopsAtSuccess } from "./rotations.ts";
import type { Rotation } from "./rotations.ts";
import { headAt, likeness } from "./same.ts";
import type { Slot, Talk } from "./talks.ts";

const { methods: METHODS, functions: FUNCTIONS } = listed.takes;
const MOST_TAKEN = 8;

/** A call that makes another item of a list the next one. */
interface Taken {
  readonly list: ValueId;
  readonly result: ValueId;
  /** The names that it is given to. */
  readonly names: ReadonlySet<number>;
}

/** Error paths that take the next model, client or address off a list, before the loop asks again: `models.rotate(-1)`, `model = models.shift()`. */
export function takesOnErrors(facts: ModuleFacts, context: RuleContext): readonly Rotation[] {
  return errorPaths(facts).flatMap((path): readonly Rotation[] => {
    const { loop } = path;
    const taken = loop === null ? [] : takenIn(facts, path.body);
    if (loop === null || taken.length === 0) return [];
    const tried = talksIn(facts, context, path.tried).filter((talk) => path.response === null || givesTo(facts, talk.call, path));
    return tried.flatMap((talk): readonly Rotation[] => {
      const found = taken.flatMap((each) => slotsFrom(facts, talk, each).map((slot) => ({ each, slot })))
        .find(({ each, slot }) => goesThroughOthers(facts, context, { list: each.list, slot }, talk, each.names));
      return found === undefined || !stopsAtSuccess(facts, loop, talk) ? [] : [rotation(path, talk, found.each, found.slot)];
    }).slice(0, 1);
  });
}

function rotation({ empty }: ErrorPath, to: Talk, { list, result }: Taken, { kind }: Slot): Rotation {
  return { list, kind, to, at: result, ...(empty === true && { empty: true }) };
}

function takenIn(facts: ModuleFacts, body: readonly Statement[]): readonly Taken[] {
  const results = new Map<CallId, Set<number>>();
  for (const statement of body) {
    const value = statement.kind === "assign" ? facts.values[bare(facts, statement.value)] : undefined;
    if (statement.kind === "assign" && value?.kind === "call") results.set(value.call, new Set(bindingsIn(facts, statement.targets)));
  }
  return body.flatMap((statement): readonly Taken[] => {
    const list = statement.kind === "call" ? listTakenFrom(facts, statement.call) : null;
    return statement.kind !== "call" || list === null ? [] : [{ list, result: facts.calls[statement.call]!.callee, names: results.get(statement.call) ?? new Set() }];
  }).slice(0, MOST_TAKEN);
}

/** The list that a call takes an item of, or turns: `models.pop(0)`, `next(models)`. */
function listTakenFrom(facts: ModuleFacts, id: CallId): ValueId | null {
  const call = facts.calls[id]!;
  const callee = facts.values[call.callee];
  if (callee?.kind === "member") return callee.property !== null && METHODS.includes(callee.property) ? callee.object : null;
  return callsApi(call, FUNCTIONS) ? call.arguments[0]?.value ?? null : null;
}

/** What a call is given of the list: its first item, or the name of what was taken. */
function slotsFrom(facts: ModuleFacts, { slots }: Talk, { list, names }: Taken): readonly Slot[] {
  const asked = likeness(facts, list);
  return slots.filter(({ value }) => {
    const head = facts.values[headAt(facts, value)];
    const written = facts.values[bare(facts, value)];
    if ([head, written].some((each) => each?.kind === "name" && names.has(each.binding))) return true;
    const object = head?.kind === "member" ? head.object : head?.kind === "call" ? methodObject(facts, head.call) : null;
    return object !== null && likeness(facts, object) === asked;
  });
}

/** `models.at(-1)`. */
function methodObject(facts: ModuleFacts, id: CallId): ValueId | null {
  const callee = facts.values[facts.calls[id]!.callee];
  return callee?.kind === "member" && callee.property === "at" ? callee.object : null;
}
