import { instancesOf } from "@agentgate/parsers";
import type { Call, FunctionId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { constantTexts, isConstantContainer } from "./containers.ts";
import { pickedValues } from "./entries.ts";
import { bare, isApi, originsOf } from "./expressions.ts";
import { takers } from "./indexes.ts";

/**
 * The texts of the constant table, list or set that an expression is an entry of (`TABLE[name]`, `TABLE.get(name)`,
 * the variable of a loop over it, a part unpacked from an entry), or null where on some way it is no such entry.
 */
export function listedTexts(facts: ModuleFacts, id: ValueId): readonly string[] | null {
  const all = new Listed(facts).any(id);
  if (all === null) return null;
  // Of all the texts in the table only those at the place that is picked can be the name.
  const picked = pickedValues(facts, id);
  const texts = picked?.flatMap((value) => constantTexts(facts, value) ?? []) ?? all;
  return texts.length > 0 ? texts : all;
}

/** Methods that take an entry, or cut text out of one. */
const TAKING = new Set(["get", "pop", "__getitem__", "at"]);
const CUTTING = new Set(["split", "rsplit", "partition", "rpartition", "strip", "lower", "replace", "trim", "toLowerCase", "items", "entries", "values", "keys"]);
/** Methods that run a function over the entries of a list. */
const OVER = new Set(["map", "forEach", "flatMap", "filter", "find", "some", "every", "reduce"]);
const BUDGET = 200;
const ENUMERATIONS = ["enum.Enum", "enum.StrEnum"];

class Listed {
  private readonly facts: ModuleFacts;
  private readonly seen = new Set<ValueId>();

  constructor(facts: ModuleFacts) {
    this.facts = facts;
  }

  /** Every way to the expression must lead to an entry. What was looked at already adds nothing. */
  any(id: ValueId): readonly string[] | null {
    const origins = originsOf(this.facts, id);
    if (!origins.complete || origins.values.length === 0 || this.seen.size > BUDGET) return null;
    const texts: string[] = [];
    for (const origin of origins.values) {
      if (this.seen.has(origin)) continue;
      this.seen.add(origin);
      const found = this.entry(origin);
      if (found === null) return null;
      texts.push(...found);
    }
    return texts;
  }

  private entry(id: ValueId): readonly string[] | null {
    const value = this.facts.values[bare(this.facts, id)];
    switch (value?.kind) {
      case "string":
        return [value.value];
      case "constant":
        return [];
      case "item":
        return this.whole(value.of);
      case "member":
        return this.ofEnumeration(value) ?? this.whole(value.object);
      case "parameter":
        return this.parameter(value.function, value.index);
      case "call":
        return this.taken(this.facts.calls[value.call]!);
      case "template":
        return this.pieces(value.parts);
      case "binary":
        return value.operator === "+" ? this.pieces([value.left, value.right]) : null;
      default:
        return null;
    }
  }

  /** Text round a piece out of a table: the table still bounds what it can be, but its texts are no whole names. */
  private pieces(parts: readonly ValueId[]): readonly string[] | null {
    return parts.every((part) => this.any(part) !== null) ? [] : null;
  }

  /** A container, or an entry that is itself taken apart (`module, name = TABLE[key]`). A written text is neither. */
  private whole(id: ValueId): readonly string[] | null {
    if (isConstantContainer(this.facts, id)) return constantTexts(this.facts, id);
    const isWritten = originsOf(this.facts, id).values.some((origin) => this.facts.values[origin]?.kind === "string");
    return isWritten ? null : this.any(id);
  }

  /** `kind.value` of `kind: Backend`: one of the texts that the members of the enumeration have. */
  private ofEnumeration({ object, property }: Extract<Value, { kind: "member" }>): readonly string[] | null {
    if (property !== "value") return null;
    const classes = instancesOf(this.facts, object).map((id) => this.facts.classes[id]!);
    if (classes.length === 0 || !classes.every(({ bases }) => bases.some((base) => isApi(this.facts, base, ENUMERATIONS)))) return null;
    const texts = classes.flatMap(({ fields }) => fields.map(({ value }) => (value === null ? null : this.facts.values[value]!)));
    return texts.every((text) => text?.kind === "string") ? texts.map((text) => (text as { value: string }).value) : null;
  }

  /** The parameter of a function that is run over a list: `NAMES.map((name) => …)`. */
  private parameter(id: FunctionId, index: number): readonly string[] | null {
    const call = index === 0 ? takers(this.facts).get(id) : undefined;
    const callee = call === undefined ? undefined : this.facts.values[call.callee];
    if (callee?.kind !== "member" || callee.property === null || !OVER.has(callee.property)) return null;
    return isConstantContainer(this.facts, callee.object) ? constantTexts(this.facts, callee.object) : null;
  }

  private taken(call: Call): readonly string[] | null {
    const callee = this.facts.values[call.callee];
    if (callee?.kind !== "member" || callee.property === null) return null;
    if (CUTTING.has(callee.property)) return this.whole(callee.object);
    if (!TAKING.has(callee.property)) return null;
    const whole = this.whole(callee.object);
    const fallback = call.arguments[1];
    if (whole === null || fallback === undefined) return whole;
    const other = this.any(fallback.value);
    return other === null ? null : [...whole, ...other];
  }
}
