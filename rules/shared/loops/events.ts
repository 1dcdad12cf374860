import { functionsOf } from "@agentgate/parsers";
import type { CallId, FunctionId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import { bare } from "../expressions.ts";
import { alwaysLeaves, bodiesOf, callPlaces } from "../statements.ts";
import { calledName, methodOf } from "./places.ts";
import { LOOPS } from "./vocabulary.ts";

const EVENTS = new Set(LOOPS.work.events);
const DEEPEST = 3;

/**
 * `self.can_run.wait()` in a loop of which each way round clears the event again: whoever sets it asks for the next round.
 * An event that a way round leaves set is waited for once.
 */
export function isClearedEvent(facts: ModuleFacts, id: CallId, object: ValueId): boolean {
  const attribute = eventAttribute(facts, object);
  const place = attribute === null ? undefined : callPlaces(facts, facts.calls[id]!.function).get(id);
  const above = place?.above ?? null;
  const loop = above?.body[above.index];
  // An error that the function swallows around its work may come before the event is cleared.
  if (attribute === null || place === undefined || loop?.kind !== "loop" || loop.body !== place.body) return false;
  return clearsUnless(facts, place.body.slice(place.index + 1), attribute) === "always";
}

/** The attribute of an object of the file, where it only ever holds an event. */
function eventAttribute(facts: ModuleFacts, id: ValueId): string | null {
  const value = facts.values[bare(facts, id)];
  if (value?.kind !== "member" || value.property === null) return null;
  const { property } = value;
  const made = facts.classes.flatMap(({ attributes }) => (Object.hasOwn(attributes, property) ? attributes[property] ?? [] : []));
  const areEvents = made.length > 0 && made.every((each) => {
    const maker = facts.values[bare(facts, each)];
    return maker?.kind === "call" && EVENTS.has(calledName(facts, facts.calls[maker.call]!));
  });
  return areEvents ? property : null;
}

/** Which runs of a body clear an event: each, each that gives back nothing that counts as true, or not all. */
type Clears = "always" | "unless-true" | "never";

interface Reading {
  readonly facts: ModuleFacts;
  readonly attribute: string;
  readonly depth: number;
  /** What the ends of the body so far say. */
  clears: Clears;
}

function clearsUnless(facts: ModuleFacts, body: readonly Statement[], attribute: string, depth = 0): Clears {
  const reading: Reading = { facts, attribute, depth, clears: "always" };
  if (walk(reading, body, false) === false) reading.clears = "never";
  return reading.clears;
}

/** Whether the event is cleared after a body; null where nothing comes after it. */
function walk(reading: Reading, body: readonly Statement[], before: boolean): boolean | null {
  let cleared: boolean | null = before;
  for (const statement of body) {
    if (cleared === null) return null;
    cleared = step(reading, statement, cleared);
  }
  return cleared;
}

function step(reading: Reading, statement: Statement, cleared: boolean): boolean | null {
  switch (statement.kind) {
    case "call":
      return cleared || clearsByCall(reading, statement.call) === "always";
    case "return":
      // A return leaves the loop itself; of what it calls, the answer may end the loop.
      if (!cleared && reading.depth > 0) note(reading, isTrue(reading.facts, statement.value) ? "unless-true" : "never");
      return null;
    case "jump":
      if (!cleared && statement.to === "continue") note(reading, "never");
      return null;
    case "test": {
      const asked = reading.facts.values[bare(reading.facts, statement.test)];
      const byAnswer = asked?.kind === "call" && clearsByCall(reading, asked.call) === "unless-true" && alwaysLeaves(statement.then);
      return joined([walk(reading, statement.then, cleared), walk(reading, statement.else, cleared || byAnswer)]);
    }
    case "try": {
      const ends = [walk(reading, statement.body, cleared), ...statement.handlers.map(({ body }) => walk(reading, body, cleared))];
      const end = joined(ends);
      return end === null ? null : walk(reading, statement.finally, end);
    }
    default:
      return bodiesOf(statement).map((inner) => walk(reading, inner, cleared)).includes(true) && statement.kind !== "loop" ? true : cleared;
  }
}

function joined(ends: readonly (boolean | null)[]): boolean | null {
  const left = ends.filter((end) => end !== null);
  return left.length === 0 ? null : left.every(Boolean);
}

function note(reading: Reading, clears: Clears): void {
  if (reading.clears !== "never") reading.clears = clears;
}

function clearsByCall({ facts, attribute, depth }: Reading, id: CallId): Clears {
  const call = facts.calls[id]!;
  const method = methodOf(facts, call);
  if (method?.name === "clear" && call.arguments.length === 0) {
    const object = facts.values[bare(facts, method.object)];
    return object?.kind === "member" && object.property === attribute ? "always" : "never";
  }
  const [only, ...others]: readonly FunctionId[] = depth < DEEPEST ? functionsOf(facts, call.callee) : [];
  return only === undefined || others.length > 0 ? "never" : clearsUnless(facts, facts.functions[only]!.body, attribute, depth + 1);
}

function isTrue(facts: ModuleFacts, id: ValueId | null): boolean {
  const value = id === null ? undefined : facts.values[id];
  return value?.kind === "constant" && value.value === true;
}
