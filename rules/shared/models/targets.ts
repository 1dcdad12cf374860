import type { FunctionFacts, FunctionId, ModuleFacts, Statement, Value, ValueId } from "@agentgate/parsers";
import words from "../../data/models/words.json" with { type: "json" };
import { parentsOf } from "../expressions.ts";
import { onceFor } from "../indexes.ts";
import { bodiesOf } from "../statements.ts";
import { isTextMethod, lastName } from "./readers.ts";

/** Where an expression goes: a name, a field, an entry, an argument. */
export interface Target {
  readonly name: string;
  readonly kind: "variable" | "field" | "attribute" | "entry" | "argument" | "parameter" | "result";
}

/** An assignment with the tests that it stands under, the nearest first. */
export interface Assignment {
  readonly name: string;
  readonly value: ValueId;
  readonly operator: string;
  /** The nearest test around it; -1 where none is, or where only a handler is. */
  readonly test: ValueId;
  readonly isInBranch: boolean;
}

/** Every plain assignment to a name or member. Walks with a stack of its own. */
export const assignmentsOf = onceFor((facts): readonly Assignment[] => facts.functions.flatMap((_, id) => assignmentsIn(facts, id)));

function assignmentsIn(facts: ModuleFacts, id: FunctionId): Assignment[] {
  const found: Assignment[] = [];
  const pending: { readonly body: readonly Statement[]; readonly test: ValueId; readonly isInBranch: boolean }[] = [
    { body: facts.functions[id]!.body, test: -1, isInBranch: false },
  ];
  while (pending.length > 0) {
    const { body, test, isInBranch } = pending.pop()!;
    for (const statement of body) {
      if (statement.kind === "assign") {
        for (const target of statement.targets) {
          const name = lastName(facts, target);
          if (name !== "") found.push({ name, value: statement.value, operator: statement.operator, test, isInBranch });
        }
        continue;
      }
      const under = statement.kind === "test" ? { test: statement.test, isInBranch: true } : { test, isInBranch: isInBranch || statement.kind === "try" };
      for (const inner of bodiesOf(statement)) if (inner.length > 0) pending.push({ body: inner, ...under });
    }
  }
  return found;
}

const givenNames = onceFor((facts): ReadonlyMap<ValueId, Target> => {
  const names = new Map<ValueId, Target>();
  const note = (id: ValueId | null, name: string | undefined, kind: Target["kind"]): void => {
    if (id !== null && name !== undefined && name !== "" && !names.has(id)) names.set(id, { name, kind });
  };
  for (const { fields } of facts.classes) for (const field of fields) note(field.value, field.name, "field");
  for (const { name, value } of assignmentsOf(facts)) note(value, name, "variable");
  for (const { name, values } of facts.bindings) for (const value of values) note(value, name, "variable");
  for (const subject of facts.functions) for (const parameter of subject.parameters) note(parameter.default, parameter.name, "parameter");
  for (const value of facts.values) if (value.kind === "table") for (const entry of value.entries) note(entry.value, entry.key === null ? undefined : textOf(facts, entry.key), "entry");
  for (const call of facts.calls) for (const argument of call.arguments) note(argument.value, argument.name, "argument");
  return names;
});

/** The text of a key as written; empty where it is computed. */
export function textOf(facts: ModuleFacts, id: ValueId): string {
  const value = facts.values[id];
  return value?.kind === "string" ? value.value : "";
}

const returned = onceFor((facts): ReadonlyMap<ValueId, string> => {
  const names = new Map<ValueId, string>();
  facts.functions.forEach((subject) => {
    const pending = [subject.body];
    while (pending.length > 0) {
      for (const statement of pending.pop()!) {
        if (statement.kind === "return" && statement.value !== null) names.set(statement.value, subject.name);
        pending.push(...bodiesOf(statement));
      }
    }
  });
  return names;
});

const STEPS = new Set([...words.schemaSteps, ...words.schemaDefaults]);

/** A method whose result is the same setting: `trim`, `describe`, `default`. */
function isStep(name: string | null): boolean {
  return name !== null && (isTextMethod(name) || STEPS.has(name));
}

/** What an expression is given to, choices and text methods around it left out; null where that has no name. */
export function targetOf(facts: ModuleFacts, id: ValueId): Target | null {
  let current = id;
  for (let step = 0; step < 16; step++) {
    const given = givenNames(facts).get(current);
    if (given !== undefined) return given;
    const result = returned(facts).get(current);
    if (result !== undefined) return { name: result, kind: "result" };
    const parent = parentsOf(facts)[current] ?? -1;
    const value = facts.values[parent];
    const passes = value?.kind === "logical" || value?.kind === "conditional" || value?.kind === "await" || value?.kind === "assigned"
      || (value?.kind === "member" && isStep(value.property)) || (value?.kind === "call" && isStep(lastName(facts, facts.calls[value.call]!.callee)));
    if (!passes) return null;
    current = parent;
  }
  return null;
}

/** Whether a body is `...` alone: a signature for readers and type checkers, which nobody runs. */
export function isSignature(facts: ModuleFacts, body: FunctionFacts["body"]): boolean {
  const values = body.map((statement) => (statement.kind === "expression" ? facts.values[statement.value] : undefined));
  const isEllipsis = (value: Value | undefined): boolean => value?.kind === "opaque" && value.of.length === 0 && value.span[1] - value.span[0] === 3;
  return values.some(isEllipsis) && values.every((value) => isEllipsis(value) || (value?.kind === "string" && value.docstring === true));
}
