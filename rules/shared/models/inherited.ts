import type { ClassId, FunctionFacts, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { bare, parentsOf } from "../expressions.ts";
import { statementsIn } from "../statements.ts";
import { exportedValue } from "./exported.ts";
import { lastName } from "./readers.ts";
import { textOf } from "./targets.ts";

/** Classes above one another that are looked at. */
const MOST_BASES = 4;

interface PlacedClass {
  readonly facts: ModuleFacts;
  readonly path: string;
  readonly class: ClassId;
}

/**
 * Whether a literal stands behind an attribute that the constructor of the base class has already given a default:
 * `super().__init__(cfg)` before `self.model = self.model or "…"`. What the base says runs.
 */
export function isFilledByBase(facts: ModuleFacts, context: RuleContext, literal: ValueId): boolean {
  const attribute = attributeBefore(facts, literal);
  if (attribute === "") return false;
  const [start, end] = facts.values[literal]!.span;
  const around = facts.functions.findLast(({ span }) => span[0] <= start && end <= span[1]);
  if (around?.kind !== "constructor" || !callsBase(facts, around, start)) return false;
  let current = baseOf({ facts, path: context.path, class: around.class }, context);
  for (let step = 0; current !== null && step < MOST_BASES; step++) {
    if (fills(current, attribute)) return true;
    current = baseOf(current, context);
  }
  return false;
}

/** `self.model or literal`, `this.model ?? literal`. */
function attributeBefore(facts: ModuleFacts, literal: ValueId): string {
  const choice = facts.values[parentsOf(facts)[literal] ?? -1];
  if (choice?.kind !== "logical" || choice.operator === "and" || choice.right !== literal) return "";
  const left = facts.values[bare(facts, choice.left)];
  return left?.kind === "member" && isSelf(facts, left.object) ? left.property ?? "" : "";
}

function isSelf(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  const given = value?.kind === "name" ? facts.values[facts.bindings[value.binding]?.values[0] ?? -1] : value;
  return given?.kind === "self";
}

/** A constructor of JavaScript that reads `this` has called `super(…)` before. */
function callsBase(facts: ModuleFacts, { span, class: owner }: FunctionFacts, before: number): boolean {
  if (facts.language !== "python") return (facts.classes[owner]?.bases.length ?? 0) > 0;
  return facts.calls.some((call) => span[0] <= call.span[0] && call.span[1] <= before && lastName(facts, call.callee) === "__init__");
}

function baseOf({ facts, path, class: id }: PlacedClass, context: RuleContext): PlacedClass | null {
  const [base, ...others] = facts.classes[id]?.bases ?? [];
  if (base === undefined || others.length > 0) return null;
  const own = classAt(facts, base);
  if (own !== -1) return { facts, path, class: own };
  const placed = exportedValue(facts, context, path, base);
  const elsewhere = placed === null ? -1 : classAt(placed.facts, placed.value);
  return placed === null || elsewhere === -1 ? null : { facts: placed.facts, path: placed.path, class: elsewhere };
}

function classAt(facts: ModuleFacts, id: ValueId): ClassId {
  const value = facts.values[bare(facts, id)];
  const given = value?.kind === "name" ? facts.values[facts.bindings[value.binding]?.values[0] ?? -1] : value;
  return given?.kind === "class" ? given.class : -1;
}

/** Whether every run of the constructor ends with some text in the attribute: `self.model = self.model or "…"`. */
function fills({ facts, class: id }: PlacedClass, attribute: string): boolean {
  const constructor = facts.functions.find((each) => each.kind === "constructor" && each.class === id && each.body.length > 0);
  const writes = constructor === undefined ? [] : [...statementsIn(constructor.body)].flatMap((statement) => (statement.kind === "assign" && statement.targets.some((target) => {
    const value = facts.values[target];
    return value?.kind === "member" && value.property === attribute && isSelf(facts, value.object);
  }) ? [statement] : []));
  const last = writes.at(-1);
  return last !== undefined && constructor!.body.includes(last) && endsInText(facts, last.value);
}

function endsInText(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)];
  return textOf(facts, id) !== "" || (value?.kind === "logical" && value.operator !== "and" && textOf(facts, value.right) !== "");
}
