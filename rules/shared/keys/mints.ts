import { functionsOf, valuesReturned } from "@agentgate/parsers";
import type { BindingId, Call, CallId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { effectsOf } from "../effects/index.ts";
import type { PlacedFunction } from "../effects/index.ts";
import { childrenOf } from "../expressions.ts";
import { ownAttribute } from "../selves.ts";
import { converts, freshApi, isCoarse } from "./fresh.ts";
import { lazyValues } from "./lazy.ts";
import { factoryCall, madeMembers } from "./objects.ts";

/** A call that makes a value anew, on the way to a key. */
export interface Mint {
  readonly call: CallId;
  /** `uuid.uuid4`; of a helper of another module its own name. */
  readonly api: string;
  /** The names that it goes through. */
  readonly bindings: readonly BindingId[];
  /** It is used only where nothing else is given. */
  readonly byDefault: boolean;
  /** It goes through an attribute of an object. */
  readonly kept: boolean;
  /** The reading of a getter, or the making of an object, that makes it anew; null where the call itself stands on the way. */
  readonly by: ValueId | null;
  /** Names that are only given it where they have nothing yet. */
  readonly lazy: readonly BindingId[];
  /** Where another module's function makes it. */
  readonly elsewhere: PlacedFunction | null;
}

interface Way {
  readonly id: ValueId;
  readonly bindings: readonly BindingId[];
  readonly byDefault: boolean;
  readonly kept: boolean;
  readonly by: ValueId | null;
  readonly lazy: readonly BindingId[];
}

const MOST_STEPS = 300;
const MOST_MINTS = 8;

/**
 * The calls that make the value of an expression anew each time they run, found through names, attributes, templates,
 * conversions and functions of the file or the tree. Empty where the value is derived from something else.
 */
export function mintsIn(facts: ModuleFacts, context: RuleContext | null, key: ValueId): readonly Mint[] {
  const mints: Mint[] = [];
  const seen = new Set<ValueId>();
  const pending: Way[] = [{ id: key, bindings: [], byDefault: false, kept: false, by: null, lazy: [] }];
  while (pending.length > 0 && seen.size < MOST_STEPS && mints.length < MOST_MINTS) {
    const way = pending.pop()!;
    const value = facts.values[way.id];
    if (value === undefined || seen.has(way.id)) continue;
    seen.add(way.id);
    if (value.kind === "call") {
      const found = mintAt(facts, context, value.call, way);
      if (found !== null) mints.push(found);
      else pending.push(...behindCall(facts, facts.calls[value.call]!, way));
    } else pending.push(...behind(facts, value, way));
  }
  return mints;
}

function mintAt(facts: ModuleFacts, context: RuleContext | null, call: CallId, { bindings, byDefault, kept, by, lazy }: Way): Mint | null {
  const entry = by === null ? facts.calls[call]! : factoryCall(facts, call);
  const api = freshApi(facts, entry, context);
  if (api !== null) return { call, api, bindings, byDefault, kept, by, lazy, elsewhere: null };
  if (context === null || functionsOf(facts, entry.callee).length > 0) return null;
  for (const placed of effectsOf(facts, context).callees(call)) {
    if (placed.path === context.path || !givesFresh(placed)) continue;
    return { call, api: placed.facts.functions[placed.function]!.name, bindings, byDefault, kept, by, lazy, elsewhere: placed };
  }
  return null;
}

/** Whether a function of another module gives a value that is new with each call. */
export function givesFresh({ facts, function: id }: Pick<PlacedFunction, "facts" | "function">): boolean {
  return valuesReturned(facts, id).some((value) => mintsIn(facts, null, value).some((mint) => !mint.kept && !mint.byDefault && mint.bindings.every((binding) => isLocal(facts, binding))));
}

/** Whether a name belongs to a function, so that each run gives it a value of its own. */
function isLocal(facts: ModuleFacts, binding: BindingId): boolean {
  return facts.scopes[facts.bindings[binding]!.scope]?.function !== 0;
}

function behind(facts: ModuleFacts, value: Value, way: Way): readonly Way[] {
  switch (value.kind) {
    case "name":
      return behindName(facts, value.binding, way);
    case "member":
      return behindMember(facts, value, way);
    case "logical":
      return [{ ...way, id: value.left }, { ...way, id: value.right, byDefault: way.byDefault || value.operator !== "and" }];
    case "conditional":
      return [value.then, value.else].map((id) => ({ ...way, id, byDefault: true }));
    // A quotient of a time is the same for a while.
    case "binary":
      return ["/", "//", "==", "!=", "<", ">", "in", "%"].includes(value.operator) && facts.values[value.left]?.kind !== "string" ? [] : [value.left, value.right].map((id) => ({ ...way, id }));
    case "table":
    case "function":
    case "class":
      return [];
    default:
      return childrenOf(facts, value).map((id) => ({ ...way, id }));
  }
}

function behindName(facts: ModuleFacts, binding: BindingId, way: Way): readonly Way[] {
  const given = facts.bindings[binding];
  if (given === undefined) return [];
  const bindings = [...way.bindings, binding];
  const parameter = facts.values[given.values[0] ?? -1];
  const { names } = lazyValues(facts);
  const ways = given.values.map((id) => ({ ...way, id, bindings, byDefault: way.byDefault || given.values.length > 1, lazy: names.get(id)?.includes(binding) === true ? [...way.lazy, binding] : way.lazy }));
  if (parameter?.kind !== "parameter" || facts.language === "python") return ways;
  // A parameter's default is evaluated in each call.
  const written = facts.functions[parameter.function]?.parameters[parameter.index]?.default ?? null;
  return written === null ? ways : [...ways, { ...way, id: written, bindings, byDefault: true }];
}

function behindMember(facts: ModuleFacts, value: Extract<Value, { kind: "member" }>, way: Way): readonly Way[] {
  const object = facts.values[value.object];
  if (value.property !== null && isCoarse(value.property)) return [];
  const { attributes } = lazyValues(facts);
  const given = ownAttribute(facts, way.id).filter((id) => !attributes.has(id));
  if (given.length > 0) return given.map((id) => ({ ...way, id, kept: true, byDefault: way.byDefault || given.length > 2 }));
  const made = madeMembers(facts, way.id, value);
  if (made.length > 0) return made.map(({ id, by }) => ({ ...way, id, kept: true, by: way.by ?? by }));
  if (object?.kind === "name" && value.property !== null) return entriesNamed(facts, object.binding, value.property).map((id) => ({ ...way, id, bindings: [...way.bindings, object.binding] }));
  // `uuid4().hex`, `parts.at(0)`: what is made from a fresh value is fresh.
  return object?.kind === "call" || object?.kind === "member" || object?.kind === "binary" || object?.kind === "template" || object?.kind === "await" ? [{ ...way, id: value.object }] : [];
}

/** What a table that a name holds has under a key; of another object the object itself: `id.hex`. */
function entriesNamed(facts: ModuleFacts, binding: BindingId, property: string): readonly ValueId[] {
  return (facts.bindings[binding]?.values ?? []).flatMap((id): readonly ValueId[] => {
    const value = facts.values[id];
    if (value?.kind !== "table") return value?.kind === "call" || value?.kind === "await" ? [id] : [];
    return value.entries.flatMap((entry) => {
      const key = entry.key === null ? undefined : facts.values[entry.key];
      return key?.kind === "string" && key.value === property ? [entry.value] : [];
    });
  });
}

function behindCall(facts: ModuleFacts, call: Call, way: Way): readonly Way[] {
  const own = functionsOf(facts, call.callee);
  if (own.length > 0) return own.flatMap((id) => valuesReturned(facts, id)).map((id) => ({ ...way, id }));
  const callee = facts.values[call.callee];
  const name = callee?.kind === "member" ? callee.property : callee?.kind === "name" ? callee.name : null;
  if (name === null || isCoarse(name) || isDay(facts, name, call)) return [];
  const object = callee?.kind === "member" ? [{ ...way, id: callee.object }] : [];
  return converts(name) ? [...object, ...call.arguments.map((argument) => ({ ...way, id: argument.value }))] : object;
}

/** `strftime("%Y-%m-%d")`, `toISOString().slice(0, 10)`: a day. */
function isDay(facts: ModuleFacts, name: string, call: Call): boolean {
  const [first, second] = call.arguments.map((argument) => facts.values[argument.value]);
  if (name === "strftime" || name === "format") return first?.kind === "string" && first.value.includes("%") && !/%[SfsXcTr]/.test(first.value);
  if (name === "split") return first?.kind === "string" && first.value === "T";
  const isBeginning = name === "slice" || name === "substring" || name === "substr";
  return isBeginning && isIsoText(facts, call) && first?.kind === "number" && first.value === 0 && second?.kind === "number" && second.value <= 13;
}

function isIsoText(facts: ModuleFacts, call: Call): boolean {
  const callee = facts.values[call.callee];
  const object = callee?.kind === "member" ? facts.values[callee.object] : undefined;
  const made = object?.kind === "call" ? facts.values[facts.calls[object.call]!.callee] : undefined;
  return made?.kind === "member" && (made.property === "toISOString" || made.property === "toJSON");
}
