import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import data from "../../data/package-installs.json" with { type: "json" };
import { bare } from "../expressions.ts";
import { testsAround } from "../statements.ts";
import { calledName, isMenu } from "./menus.ts";

const { confirms } = data.commands.menus;

type Span = readonly [number, number];

/** Whether what stands there is called only where a person answered for it: `if (await confirm("Upgrade?")) upgradePackages()`. */
export function isCalledAfterAnswer(facts: ModuleFacts, use: ValueId): boolean {
  const id = facts.calls.findIndex(({ callee }) => bare(facts, callee) === use);
  return id !== -1 && testsAround(facts, id).some(({ statement, outcome }) => outcome && readsAnswer(facts, statement.test));
}

/** Whether a test asks a person, or reads a name that was given an answer. */
function readsAnswer(facts: ModuleFacts, test: ValueId): boolean {
  const { span } = facts.values[test]!;
  const given = facts.values.flatMap((value): readonly Span[] => {
    if (value.kind !== "name" || !isWithin(value.span, span)) return [];
    const [only, ...others] = facts.bindings[value.binding]?.values ?? [];
    return only === undefined || others.length > 0 ? [] : [facts.values[only]!.span];
  });
  return facts.calls.some((call) => asksPerson(facts, call) && [span, ...given].some((around) => isWithin(call.span, around)));
}

function asksPerson(facts: ModuleFacts, call: Call): boolean {
  return confirms.includes(calledName(facts, call)) || isMenu(facts, call);
}

function isWithin([start, end]: Span, around: Span): boolean {
  return around[0] <= start && end <= around[1];
}
