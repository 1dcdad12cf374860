import type { BindingId, Call, CallId, FunctionId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import { bare, originsOf } from "../expressions.ts";
import { callPlaces, testsAround } from "../statements.ts";
import { commandLines } from "./command.ts";
import { installsManifest } from "./match.ts";

/**
 * Without the calls that install in the other branch of a test what the first branch installs: `uv pip install` where it
 * is there, else `pip install`. Neither are those told that install the same by another program where the first fails. It is one installation.
 */
export function oncePerTest(facts: ModuleFacts, installing: readonly CallId[]): ReadonlySet<CallId> {
  const kept: CallId[] = [];
  for (const id of installing) if (!kept.some((earlier) => areBranchesOfOne(facts, earlier, id) || isSameInHandler(facts, earlier, id))) kept.push(id);
  return new Set(kept);
}

function areBranchesOfOne(facts: ModuleFacts, first: CallId, second: CallId): boolean {
  const [one, other] = [facts.calls[first]!, facts.calls[second]!];
  if (one.function !== other.function) return false;
  const what = installedBy(facts, one);
  if (what === null || what !== installedBy(facts, other)) return false;
  const branches = branchesAround(facts, first);
  return [...branchesAround(facts, second)].some(([test, branch]) => branches.has(test) && branches.get(test) !== branch);
}

/** Whether the second is called where the first fails, with the same list of words. */
function isSameInHandler(facts: ModuleFacts, first: CallId, second: CallId): boolean {
  const [one, other] = [facts.calls[first]!, facts.calls[second]!];
  if (one.function !== other.function) return false;
  const lists = new Set(listsNamed(facts, one));
  return listsNamed(facts, other).some((binding) => lists.has(binding)) && isTriedBefore(facts, one.function, first, second);
}

/** The names of lists that a call is given by place, spread or whole. */
function listsNamed(facts: ModuleFacts, { arguments: given }: Call): readonly BindingId[] {
  const words = given.flatMap(({ name, value }) => {
    const argument = facts.values[bare(facts, value)];
    return name !== undefined ? [] : argument?.kind === "list" ? argument.items : [value];
  });
  return words.flatMap((word) => {
    const value = facts.values[bare(facts, word)];
    const item = value?.kind === "spread" ? facts.values[bare(facts, value.value)] : value;
    if (item?.kind !== "name" || item.binding < 0) return [];
    return facts.bindings[item.binding]!.values.some((each) => facts.values[each]?.kind === "list") ? [item.binding] : [];
  });
}

function isTriedBefore(facts: ModuleFacts, owner: FunctionId, first: CallId, second: CallId): boolean {
  const places = callPlaces(facts, owner);
  const tried = new Set<Statement>();
  for (let at = places.get(first) ?? null; at !== null; at = at.above) {
    const above = at.above?.body[at.above.index];
    if (above?.kind === "try" && above.body === at.body) tried.add(above);
  }
  for (let at = places.get(second) ?? null; at !== null; at = at.above) {
    const { body } = at;
    const above = at.above?.body[at.above.index];
    if (above?.kind === "try" && tried.has(above) && above.handlers.some((handler) => handler.body === body)) return true;
  }
  return false;
}

/** The tests around a call, and whether it stands in the first branch. */
function branchesAround(facts: ModuleFacts, id: CallId): ReadonlyMap<Statement, boolean> {
  return new Map(testsAround(facts, id).map(({ statement, outcome }) => [statement, outcome]));
}

/** The manifest where no package is named, else what stands last in the command, by which two commands are told to install the same; null where that is not plain. */
function installedBy(facts: ModuleFacts, call: Call): string | null {
  if (commandLines(facts, call).some((line) => installsManifest(line))) return "manifest";
  const given = call.arguments.map(({ value }) => listGiven(facts, value));
  const command = given.find((list) => list !== null) ?? call.arguments[0]?.value;
  return command === undefined ? null : lastPart(facts, command);
}

/** The words as a list, also by the only name that they were given. */
function listGiven(facts: ModuleFacts, id: ValueId): ValueId | null {
  const { values, complete } = originsOf(facts, id);
  const [only, ...others] = values;
  return complete && only !== undefined && others.length === 0 && facts.values[only]?.kind === "list" ? only : null;
}

function lastPart(facts: ModuleFacts, id: ValueId): string | null {
  const value = facts.values[bare(facts, id)];
  switch (value?.kind) {
    case "list":
      return value.items.length === 0 ? null : lastPart(facts, value.items.at(-1)!);
    case "spread":
      return lastPart(facts, value.value);
    case "template": {
      const last = value.parts.findLast((part) => !isEmpty(facts, part));
      return last === undefined ? null : lastPart(facts, last);
    }
    case "binary":
      return value.operator === "+" ? lastPart(facts, value.right) : null;
    case "name":
      return value.binding < 0 ? null : `name ${String(value.binding)}`;
    case "string":
      return value.value.split(/\s+/).at(-1) ?? null;
    default:
      return null;
  }
}

function isEmpty(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id];
  return value?.kind === "string" && value.value === "";
}
