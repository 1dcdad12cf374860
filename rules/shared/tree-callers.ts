import { functionsOf } from "@agentgate/parsers";
import type { BindingId, Call, CallId, FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../rule.ts";
import { callersOf } from "./callers.ts";
import { usesOf } from "./consumers.ts";
import { parentsOf } from "./expressions.ts";
import { idOfCall, onceFor, takesMember } from "./indexes.ts";
import { exportedValue } from "./models/exported.ts";
import { isExport } from "./models/unread.ts";

/** A call of some module of the tree. */
export interface PlacedCall {
  readonly path: string;
  readonly facts: ModuleFacts;
  readonly call: Call;
  readonly id: CallId;
}

/** Modules that are asked how they call one function. */
const MOST_IMPORTERS = 40;

/**
 * Every call of a function of the module's own level, here and in the modules that load this one by its name; null where
 * something else is done with it, or nobody can tell: a method, a module that passes it on, too many modules.
 */
export function callersInTree(facts: ModuleFacts, context: RuleContext, id: FunctionId): readonly PlacedCall[] | null {
  const elsewhere = callersInImporters(facts, context, id, callsFrom);
  const own = callersOf(facts, id).map((call): PlacedCall => ({ path: context.path, facts, call, id: idOfCall(facts, call) }));
  return elsewhere === null ? null : [...own, ...elsewhere];
}

/** A function with the facts of its module. */
export interface Asked {
  readonly facts: ModuleFacts;
  readonly id: FunctionId;
  readonly name: string;
}

/**
 * The calls of a function of the module's own level in the modules that load this one, as `callsIn` finds them in each; null
 * where it says so of one, and where nobody can tell: a method, something else done with it here, too many modules.
 */
export function callersInImporters(
  facts: ModuleFacts, context: RuleContext, id: FunctionId, callsIn: (asked: Asked, context: RuleContext, path: string) => readonly PlacedCall[] | null,
): readonly PlacedCall[] | null {
  const subject = facts.functions[id];
  if (subject?.class !== -1 || subject.parent !== 0) return null;
  const binding = facts.scopes[facts.functions[0]!.scope]?.names[subject.name];
  if (binding === undefined) return null;
  const callees = new Set(callersOf(facts, id).map(({ callee }) => callee));
  if (!usesOf(facts, binding).every((use) => callees.has(use) || isExport(facts, use, subject.name))) return null;
  const importers = context.tree.importersOf(context.path);
  if (importers === null || importers.length > MOST_IMPORTERS) return null;
  const found: PlacedCall[] = [];
  for (const path of importers) {
    const calls = callsIn({ facts, id, name: subject.name }, context, path);
    if (calls === null) return null;
    found.push(...calls);
  }
  return found;
}

function callsFrom(asked: Asked, context: RuleContext, path: string): readonly PlacedCall[] | null {
  const facts = context.tree.facts(path);
  if (facts?.exports.some((entry) => entry.import !== undefined && [asked.name, "*"].includes(entry.imported ?? entry.name)) === true) return null;
  // `import *`, and members of a module that was imported whole, are not followed.
  if (facts === null || takesMember(facts, [asked.name]) || facts.values.some((value) => value.kind === "name" && value.binding < 0 && value.name === asked.name)) return null;
  const calls: PlacedCall[] = [];
  for (const binding of importsOf(facts)) {
    const uses = usesOf(facts, binding);
    if (!leadsTo(asked, facts, context, path, binding, uses)) continue;
    for (const use of uses) {
      const around = facts.values[parentsOf(facts)[use] ?? -1];
      const call = around?.kind === "call" ? facts.calls[around.call] : undefined;
      if (around?.kind !== "call" || call?.callee !== use) return null;
      calls.push({ path, facts, call, id: around.call });
    }
    if (uses.length === 0) return null;
  }
  return calls;
}

function leadsTo({ facts: home, id, name }: Asked, facts: ModuleFacts, context: RuleContext, path: string, binding: BindingId, uses: readonly ValueId[]): boolean {
  const [first] = uses;
  if (first === undefined) return facts.bindings[binding]!.name === name;
  const placed = exportedValue(facts, context, path, first);
  return placed?.facts === home && functionsOf(home, placed.value).includes(id);
}

const importsOf = onceFor((facts): readonly BindingId[] => facts.bindings.flatMap(({ kind }, id) => (kind === "import" ? [id] : [])));
