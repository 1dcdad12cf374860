import { functionsOf } from "@agentgate/parsers";
import type { BindingId, CallId, FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import { onceFor, resultOf } from "../indexes.ts";
import { carriedTo } from "./carriers.ts";
import { freshApi } from "./fresh.ts";
import { mintsIn } from "./mints.ts";
import type { Mint } from "./mints.ts";
import type { KeyName } from "./names.ts";
import { givenToParameters, keySites } from "./sites.ts";

/** A value made anew that is given under a key's name. */
export interface Candidate {
  readonly name: KeyName;
  readonly mint: Mint;
  readonly holder: ValueId;
  readonly call: CallId | null;
  readonly changes: boolean;
  readonly keeps: boolean;
}

/** Every fresh value of the file that is given as a key, also by functions of other modules. */
export function candidatesIn(facts: ModuleFacts, context: RuleContext): readonly Candidate[] {
  const sites = [...keySites(facts), ...givenElsewhere(facts, context)];
  const own = sites.flatMap(({ name, key, holder, call, changes, keeps }) => mintsIn(facts, context, key).map((mint): Candidate => (
    { name, mint, holder, call, changes: changes === true, keeps: keeps === true })));
  return [...own, ...givenByHelpers(facts, context)];
}

/** Arguments that a function of another module takes as keys. Only what a file makes itself can be fresh there. */
function givenElsewhere(facts: ModuleFacts, context: RuleContext): ReturnType<typeof givenToParameters> {
  if (!facts.calls.some((call) => freshApi(facts, call) !== null)) return [];
  return facts.calls.flatMap((call, id) => {
    if (call.arguments.length === 0 || functionsOf(facts, call.callee).length > 0) return [];
    if (!call.arguments.some((argument) => argument.name === undefined && isFresh(facts, argument.value))) return [];
    return effectsOf(facts, context).callees(id).flatMap((placed) => givenToParameters(facts, placed.facts, call, id, placed.function));
  });
}

const freshByBinding = onceFor(() => new Map<BindingId, boolean>());

/** Whether an expression is made anew each time; of a name it is asked once. */
function isFresh(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id];
  if (value?.kind === "string" || value?.kind === "number" || value?.kind === "constant") return false;
  if (value?.kind !== "name") return mintsIn(facts, null, id).length > 0;
  const known = freshByBinding(facts);
  let fresh = known.get(value.binding);
  if (fresh === undefined) known.set(value.binding, (fresh = mintsIn(facts, null, id).length > 0));
  return fresh;
}

/** Calls of functions of other modules that put a fresh key into what they give: each call makes another one. */
function givenByHelpers(facts: ModuleFacts, context: RuleContext): Candidate[] {
  if (!facts.imports.some((entry) => bringsGiver(context, entry.specifier))) return [];
  return facts.calls.flatMap((call, id): Candidate[] => {
    if (functionsOf(facts, call.callee).length > 0) return [];
    return effectsOf(facts, context).callees(id).flatMap((placed): Candidate[] => {
      const name = keyGivers(placed.facts).get(placed.function);
      if (name === undefined || placed.path === context.path) return [];
      const mint: Mint = { call: id, api: placed.facts.functions[placed.function]!.name, bindings: [], byDefault: false, kept: false, by: null, lazy: [], elsewhere: placed };
      return [{ name, mint, holder: resultOf(facts, id), call: null, changes: false, keeps: false }];
    });
  });
}

function bringsGiver({ tree, path }: RuleContext, specifier: string): boolean {
  const found = tree.resolve(path, specifier);
  if (found === null || found === "missing" || !("path" in found)) return false;
  const facts = tree.facts(found.path);
  return facts !== null && keyGivers(facts).size > 0;
}

/** The functions of a module that give back something with a key made anew in each call. */
export const keyGivers = onceFor((facts): ReadonlyMap<FunctionId, KeyName> => {
  const found = new Map<FunctionId, KeyName>();
  for (const { name, key, holder, changes, keeps } of keySites(facts)) {
    if (keeps === true || name.onlyFor !== undefined) continue;
    const fresh = mintsIn(facts, null, key).some((mint) => !mint.byDefault && !mint.kept && facts.calls[mint.call]!.function !== 0);
    if (fresh) for (const id of carriedTo(facts, holder, changes === true).returnedFrom) found.set(id, name);
  }
  return found;
});
