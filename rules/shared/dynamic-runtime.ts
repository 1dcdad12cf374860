import { constantsOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, Reference, ValueId } from "@agentgate/parsers";
import { classify } from "../catalogue/classify.ts";
import { runtimeMessage } from "./dynamic-messages.ts";
import { problem, siteOf } from "./dynamic-site.ts";
import type { DynamicInput, DynamicSite } from "./dynamic-site.ts";
import { bare, isApi, originsOf } from "./expressions.ts";
import { takesMember } from "./indexes.ts";

/** Members that are the names of other running code. */
const NAMES = new Set(["__globals__", "f_globals", "f_builtins"]);
/** Entries of such a table that only describe the module. */
const DESCRIBING = new Set(["__name__", "__file__", "__doc__", "__package__", "__path__", "__spec__", "__all__", "__version__"]);
/** Methods of a table that take an entry by its key. */
const TAKING = new Set(["get", "pop", "__getitem__", "setdefault"]);
/** Members that lead from any object to the class which all others derive from. */
const UPWARD = new Set(["__base__", "__bases__", "__mro__", "mro"]);
const DEEPEST = 32;

/** Ways from an ordinary object to everything that is loaded: `f.__globals__["x"]()`, `().__class__.__base__.__subclasses__()`. */
export function runtimeReaches({ facts }: DynamicInput): DynamicSite[] {
  if (facts.language !== "python" || !(takesMember(facts, NAMES) || takesMember(facts, ["__subclasses__"]))) return [];
  return facts.calls.flatMap((call) => {
    const member = takenFromNames(facts, call) ?? allSubclasses(facts, call);
    return member === null ? [] : [siteOf(call, member, problem("error", runtimeMessage(member), "opaque"))];
  });
}

/** The table of names from which the callee is taken, where nothing tells what it is. */
function takenFromNames(facts: ModuleFacts, call: Call): string | null {
  if (call.references.some((reference) => reference.computed !== true && !isUnknown(reference))) return null;
  let current = call.callee;
  for (let step = 0; step < DEEPEST; step++) {
    const id = originsOf(facts, current).values[0] ?? current;
    const entry = entryOf(facts, id);
    const table = entry === null ? null : namesTable(facts, entry.table);
    if (entry !== null && table !== null) return isDescribing(facts, entry.key) ? null : table;
    const value = facts.values[bare(facts, id)];
    if (value?.kind === "member") current = value.object;
    else if (value?.kind === "call") current = facts.calls[value.call]!.callee;
    else return null;
  }
  return null;
}

/** A name that neither the file nor the language has: an entry of another module's names. */
function isUnknown({ module, path, through }: Reference): boolean {
  const [name = ""] = path;
  return module === "builtins" && through === "literal-reach" && classify("python", { module, path: [name] }).kind !== "capability";
}

interface Entry {
  readonly table: ValueId;
  readonly key: ValueId | string;
}

/** `table[key]`, `table.get(key)`. */
function entryOf(facts: ModuleFacts, id: ValueId): Entry | null {
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "member" && value.subscript === true) {
    const key = value.property ?? value.key;
    return key === null ? null : { table: value.object, key };
  }
  const call = value?.kind === "call" ? facts.calls[value.call] : undefined;
  const callee = call === undefined ? undefined : facts.values[call.callee];
  const key = call?.arguments[0]?.value;
  if (callee?.kind !== "member" || key === undefined || !TAKING.has(callee.property ?? "")) return null;
  return { table: callee.object, key };
}

function namesTable(facts: ModuleFacts, id: ValueId): string | null {
  for (const origin of originsOf(facts, id).values) {
    const value = facts.values[origin];
    if (value?.kind === "member" && value.property !== null && value.subscript !== true && NAMES.has(value.property)) return value.property;
  }
  return null;
}

function isDescribing(facts: ModuleFacts, key: ValueId | string): boolean {
  if (typeof key === "string") return DESCRIBING.has(key);
  return constantsOf(facts, key)?.every((constant) => DESCRIBING.has(String(constant.value))) ?? false;
}

/** `object.__subclasses__()`, however `object` was reached: every class there is. A class of one's own lists its plugins. */
function allSubclasses(facts: ModuleFacts, call: Call): string | null {
  const callee = facts.values[call.callee];
  if (callee?.kind !== "member" || callee.property !== "__subclasses__") return null;
  let current = callee.object;
  for (let step = 0; step < DEEPEST; step++) {
    if (isApi(facts, current, ["builtins.object"])) return "__subclasses__";
    const value = facts.values[originsOf(facts, current).values[0] ?? current];
    if (value?.kind === "member" && value.property !== null && UPWARD.has(value.property)) return "__subclasses__";
    if (value?.kind === "member") current = value.object;
    else if (value?.kind === "call") current = facts.calls[value.call]!.callee;
    else return null;
  }
  return null;
}
