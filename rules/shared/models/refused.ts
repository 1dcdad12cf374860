import { constantsOf } from "@agentgate/parsers";
import type { FunctionFacts, FunctionId, ModuleFacts, Statement, ValueId } from "@agentgate/parsers";
import { callsWrittenIn, onceFor, takesMember } from "../indexes.ts";
import { statementsIn } from "../statements.ts";
import { modelArgument, modelEntries } from "./given.ts";
import { isTextMethod, lastName } from "./readers.ts";
import { textOf } from "./targets.ts";
import { namesModel } from "./words.ts";

/** A function that makes a request, and raises for every model whose name begins with none of these. */
interface Screen {
  readonly subject: FunctionFacts;
  readonly heads: readonly string[];
}

const STARTS = ["startswith", "startsWith"];

/** `if model.startswith("x"): … elif model.startswith("y"): … else: raise`, which every run of the function comes to. */
const screensOf = onceFor((facts): readonly Screen[] => (!takesMember(facts, STARTS) ? [] : facts.functions.flatMap((subject, id): Screen[] => {
  for (const statement of subject.body) {
    const heads = statement.kind === "test" ? headsAsked(facts, statement) : null;
    if (heads !== null) return makesRequest(facts, id) ? [{ subject, heads }] : [];
    // What has left the function before with an answer is not asked.
    if (statementsIn([statement]).some((each) => each.kind === "return" && each.value !== null && !isWritten(facts, each.value))) return [];
  }
  return [];
})));

/** `return "", ""`: no answer of a model. */
function isWritten(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id];
  if (value?.kind === "list") return value.items.every((item) => facts.values[item]?.kind === "string" || facts.values[item]?.kind === "constant");
  return value?.kind === "string" || value?.kind === "constant" || value?.kind === "number";
}

/** Whether the function itself names the model to something: a method that only counts may refuse what another one sends. */
function makesRequest(facts: ModuleFacts, id: FunctionId): boolean {
  const { span } = facts.functions[id]!;
  return callsWrittenIn(facts, id).some((call) => modelArgument(facts, facts.calls[call]!) !== null)
    || [...modelEntries(facts).keys()].some((entry) => span[0] <= facts.values[entry]!.span[0] && facts.values[entry]!.span[1] <= span[1]);
}

const LONGEST_CHAIN = 16;

/** What a chain of tests asks a model's name for, where its last branch raises; null for other tests. */
function headsAsked(facts: ModuleFacts, first: Extract<Statement, { kind: "test" }>): readonly string[] | null {
  const heads: string[] = [];
  let statement: Statement | undefined = first;
  for (let step = 0; step < LONGEST_CHAIN && statement?.kind === "test"; step++) {
    const asked = headsIn(facts, statement.test);
    if (asked === null) return null;
    heads.push(...asked.heads);
    if (asked.isNegated) return step === 0 && raises(statement.then) ? heads : null;
    if (raises(statement.else)) return heads;
    // The calls that the next test makes stand before it.
    statement = statement.else.find(({ kind }) => kind !== "call");
  }
  return null;
}

function raises(body: readonly Statement[]): boolean {
  const last = body.at(-1);
  return last?.kind === "jump" && last.to === "raise";
}

function headsIn(facts: ModuleFacts, test: ValueId): { readonly heads: readonly string[]; readonly isNegated: boolean } | null {
  const value = facts.values[test];
  const isNegated = value?.kind === "unary" && value.operator === "not";
  const asked = isNegated ? facts.values[value.value] : value;
  const call = asked?.kind === "call" ? facts.calls[asked.call] : undefined;
  const callee = call === undefined ? undefined : facts.values[call.callee];
  if (call === undefined || callee?.kind !== "member" || !STARTS.includes(callee.property ?? "") || !namesModel(lastName(facts, withoutTextMethods(facts, callee.object)))) return null;
  const given = facts.values[call.arguments[0]?.value ?? -1];
  const parts = given?.kind === "list" ? given.items : call.arguments.slice(0, 1).map((argument) => argument.value);
  const heads = parts.map((part) => constantsOf(facts, part)?.map(({ value: text }) => String(text)) ?? null);
  return heads.length === 0 || heads.some((each) => each === null) ? null : { heads: heads.flatMap((each) => each!), isNegated };
}

/** `model.lower()`: the name of the model, as far as how it begins is asked. */
function withoutTextMethods(facts: ModuleFacts, id: ValueId): ValueId {
  let current = id;
  for (let step = 0; step < 8; step++) {
    const value = facts.values[current];
    const callee = value?.kind === "call" ? facts.values[facts.calls[value.call]!.callee] : undefined;
    if (callee?.kind !== "member" || !isTextMethod(callee.property)) return current;
    current = callee.object;
  }
  return current;
}

/** Whether the function that has a literal, or one of the same class, raises for it before a model could run. */
export function isRefused(facts: ModuleFacts, literal: ValueId): boolean {
  const screens = screensOf(facts);
  if (screens.length === 0) return false;
  const text = textOf(facts, literal).toLowerCase();
  const { span } = facts.values[literal]!;
  return screens.some(({ subject, heads }) => {
    const owner = subject.class === -1 ? subject : facts.classes[subject.class]!;
    return owner.span[0] <= span[0] && span[1] <= owner.span[1] && !heads.some((head) => text.startsWith(head.toLowerCase()));
  });
}
