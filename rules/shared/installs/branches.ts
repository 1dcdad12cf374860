import type { Call, CallId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import { bare, originsOf } from "../expressions.ts";
import { testsAround } from "../statements.ts";
import { commandLines } from "./command.ts";
import { installsManifest } from "./match.ts";

/**
 * Without the calls that install in the other branch of a test what the first branch installs: `uv pip install` where it
 * is there, else `pip install`. It is one installation.
 */
export function oncePerTest(facts: ModuleFacts, installing: readonly CallId[]): ReadonlySet<CallId> {
  const kept: CallId[] = [];
  for (const id of installing) if (!kept.some((earlier) => areBranchesOfOne(facts, earlier, id))) kept.push(id);
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
