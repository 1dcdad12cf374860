import type { CallId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import { bare, parentsOf } from "../expressions.ts";
import { callsModel } from "./calls.ts";
import { defaultRead } from "./readers.ts";

/**
 * Whether a literal is what options are said to hold after they went to a model's call as a whole, and no other call of
 * a model follows: `create(**options)`, then `options.get("model", "…")`. The call has run with what it was given.
 */
export function isAskedAfterCall(facts: ModuleFacts, context: RuleContext, literal: ValueId): boolean {
  const options = optionsAsked(facts, literal);
  if (options === -1) return false;
  const { span: [at] } = facts.values[literal]!;
  const around = facts.functions.findLast(({ span }) => span[0] <= at && at < span[1]);
  // What a constructor hands on is kept, and nothing has run yet.
  if (around === undefined || around.kind === "constructor") return false;
  const [start, end] = around.span;
  const calls = [...facts.calls.keys()].filter((id) => isWithin(facts, id, start, end));
  const before = calls.some((id) => endOf(facts, id) <= at && isRequest(facts, id) && takesWhole(facts, id, options) && callsModel(facts, context, id, literal));
  return before && !calls.some((id) => endOf(facts, id) > at && runsModel(facts, context, id));
}

/** The name of the options that are asked for their model, with the literal as the answer where they have none; -1 elsewhere. */
function optionsAsked(facts: ModuleFacts, literal: ValueId): number {
  const parent = parentsOf(facts)[literal] ?? -1;
  const value = facts.values[parent];
  if (value?.kind === "logical" && value.operator !== "and" && value.right === literal) return ownerOf(facts, value.left);
  if (value?.kind !== "call") return -1;
  const read = defaultRead(facts, value.call);
  return read?.kind === "lookup" && read.value === literal ? ownerOf(facts, facts.calls[value.call]!.callee) : -1;
}

/** The name before a member: `options` of `options.model`. */
function ownerOf(facts: ModuleFacts, id: ValueId): number {
  const value = facts.values[bare(facts, id)];
  return value?.kind === "member" ? bindingOf(facts, value.object) : -1;
}

function bindingOf(facts: ModuleFacts, id: ValueId): number {
  const value = facts.values[bare(facts, id)];
  return value?.kind === "name" ? value.binding : -1;
}

/** `create(options)`, `create(**options)`. */
function takesWhole(facts: ModuleFacts, id: CallId, options: number): boolean {
  return facts.calls[id]!.arguments.some(({ name, value }) => (name === undefined || name === "**") && bindingOf(facts, value) === options);
}

function runsModel(facts: ModuleFacts, context: RuleContext, id: CallId): boolean {
  const effects = effectsOf(facts, context);
  return callsModel(facts, context, id, facts.calls[id]!.callee) || effects.reachedBy(id).some(({ effect }) => effect.capability === "model");
}

/** A method that is called on a client; a client that is made has run nothing. */
function isRequest(facts: ModuleFacts, id: CallId): boolean {
  const { callee, construct } = facts.calls[id]!;
  const method = facts.values[callee];
  return construct !== true && method?.kind === "member" && /^[a-z]/.test(method.property ?? "");
}

function isWithin(facts: ModuleFacts, id: CallId, start: number, end: number): boolean {
  const [from, to] = facts.calls[id]!.span;
  return start <= from && to <= end;
}

function endOf(facts: ModuleFacts, id: CallId): number {
  return facts.calls[id]!.span[1];
}
