import type { Argument, Call, ValueId } from "../facts.ts";
import type { Resolver } from "./resolver.ts";

/** The arguments of a call by position and name, however they are handed over. */
export interface Given {
  readonly positional: readonly ValueId[];
  readonly named: readonly Argument[];
}

/** The arguments of a call, from `shift` on. A literal list that is spread is written out; any other ends them. */
export function givenTo(resolver: Resolver, call: Call, shift = 0): Given {
  const positional: ValueId[] = [];
  const named: Argument[] = [];
  let isOpen = true;
  for (const argument of call.arguments) {
    if (argument.name !== undefined) named.push(argument);
    else if (isOpen) isOpen = addPositional(resolver, positional, argument.value);
  }
  return { positional: shift === 0 ? positional : positional.slice(shift), named };
}

function addPositional(resolver: Resolver, positional: ValueId[], id: ValueId): boolean {
  const value = resolver.value(id);
  if (value.kind !== "spread") {
    positional.push(id);
    return true;
  }
  const items = listItems(resolver, value.value);
  if (items !== null) positional.push(...items);
  return items !== null;
}

/** The arguments that a literal list holds: `f.apply(null, [a, b])`. */
export function givenInList(resolver: Resolver, id: ValueId | undefined): Given {
  return { positional: (id === undefined ? null : listItems(resolver, id)) ?? [], named: [] };
}

function listItems(resolver: Resolver, id: ValueId): readonly ValueId[] | null {
  const value = resolver.value(id);
  if (value.kind !== "list") return null;
  return value.items.every((item) => resolver.value(item).kind !== "spread") ? value.items : null;
}

export function argumentAt({ positional, named }: Given, index: number, keyword?: string): ValueId | undefined {
  return positional[index] ?? (keyword === undefined ? undefined : named.find((argument) => argument.name === keyword)?.value);
}
