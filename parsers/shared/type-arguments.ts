import type { Call, Value, ValueId } from "../facts.ts";
import { ROLES } from "./builder.ts";
import type { Draft } from "./builder.ts";
import type { Resolver } from "./resolver.ts";

const VALUE = ROLES.indexOf("value");
const TYPE = ROLES.indexOf("type");

/**
 * Gives the role `type` to what is handed to functions that take types (`isinstance(x, httpx.Client)`): by what the
 * callee is, so that a function of the file with that name gets a value.
 */
export function markTypeArguments(draft: Draft, resolver: Resolver): void {
  const { calls, values } = draft.facts;
  const takers = resolver.vocabulary.typeTakers;
  const names = new Set(Object.keys(takers).map((api) => api.slice(api.lastIndexOf(".") + 1)));
  if (names.size === 0) return;
  for (const call of calls) {
    if (!names.has(lastName(values[call.callee]!))) continue;
    const shapes = resolver.settleShapes(call.callee);
    const taken = shapes.map((shape) => (shape.kind === "outside" ? takers[shape.api] : undefined));
    if (taken.length === 0) continue;
    const [first] = taken;
    if (first !== undefined && taken.every((each) => each === first)) for (const id of typesIn(call, first)) markChains(draft, id);
  }
}

function lastName(value: Value): string {
  if (value.kind === "name") return value.name;
  return value.kind === "member" ? value.property ?? "" : "";
}

/** `first` takes one type there; `onward` takes types from there on, keywords too. */
function typesIn(call: Call, taken: { readonly first: number } | { readonly onward: number }): readonly ValueId[] {
  const positional = call.arguments.filter((argument) => argument.name === undefined);
  if ("first" in taken) return positional.slice(taken.first, taken.first + 1).map((argument) => argument.value);
  const named = call.arguments.filter((argument) => argument.name !== undefined);
  return [...positional.slice(taken.onward), ...named].map((argument) => argument.value);
}

/** Marks a chain, each chain of a tuple or union, and those between brackets. */
function markChains(draft: Draft, root: ValueId): void {
  const pending = [root];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const value = draft.facts.values[id]!;
    if ((value.kind === "name" || value.kind === "member") && draft.roles.items[id] === VALUE) draft.roles.items[id] = TYPE;
    if (value.kind === "member" && value.subscript === true && value.key !== null) pending.push(value.key);
    else if (value.kind === "list") pending.push(...value.items);
    else if (value.kind === "binary" && value.operator === "|") pending.push(value.left, value.right);
  }
}
