import type { ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { bare } from "./expressions.ts";

const BUDGET = 400;
const GETTERS = new Set(["get", "pop", "__getitem__", "at"]);
const PAIRS = new Set(["items", "entries"]);
const WRAPPERS = new Set(["frozenset", "set", "tuple", "list", "dict", "sorted", "values", "freeze", "from", "Set", "MappingProxyType", "OrderedDict"]);

/**
 * What an expression can be by structure alone: the written texts, lists and tables that it picks out of constant
 * containers, by the place it picks (`module, name = TABLE[key]` gives the first of each entry). Null where something
 * on the way is not written out.
 */
export function pickedValues(facts: ModuleFacts, id: ValueId): readonly ValueId[] | null {
  return new Picker(facts).pick(id);
}

class Picker {
  private readonly facts: ModuleFacts;
  private steps = 0;

  constructor(facts: ModuleFacts) {
    this.facts = facts;
  }

  pick(id: ValueId): readonly ValueId[] | null {
    if (this.steps++ > BUDGET) return null;
    const plain = bare(this.facts, id);
    const value = this.facts.values[plain];
    switch (value?.kind) {
      case "string":
      case "list":
      case "table":
      case "constant":
        return [plain];
      case "name":
        return this.all(this.facts.bindings[value.binding]?.values ?? []);
      case "conditional":
        return this.all([value.then, value.else]);
      case "logical":
        return this.all([value.left, value.right]);
      case "item":
        return this.item(value);
      case "member":
        return this.inEach(value.object, (inner) => this.member(inner, value.property));
      case "call":
        return this.call(value.call);
      default:
        return null;
    }
  }

  private all(ids: readonly ValueId[]): readonly ValueId[] | null {
    if (ids.length === 0) return null;
    const found: ValueId[] = [];
    for (const id of ids) {
      const picked = this.pick(id);
      if (picked === null) return null;
      found.push(...picked);
    }
    return found;
  }

  /** Picks inside everything that an expression can be; constants (`None`) have nothing inside. */
  private inEach(id: ValueId, inside: (value: Value) => readonly ValueId[] | null): readonly ValueId[] | null {
    const found: ValueId[] = [];
    for (const picked of this.pick(id) ?? [-1]) {
      const value = this.facts.values[picked];
      if (value?.kind === "constant") continue;
      const inner = value === undefined ? null : inside(value);
      if (inner === null) return null;
      found.push(...inner);
    }
    return found;
  }

  private member(value: Value, name: string | null): readonly ValueId[] | null {
    if (value.kind === "list") {
      const index = name === null ? NaN : Number(name);
      return Number.isInteger(index) ? this.all(value.items.slice(index, index === -1 ? undefined : index + 1)) : this.all(value.items);
    }
    if (value.kind !== "table") return null;
    const named = name === null ? [] : value.entries.filter((entry) => entry.key !== null && this.text(entry.key) === name);
    return this.all((named.length > 0 ? named : value.entries).map((entry) => entry.value));
  }

  private item({ of, index }: Extract<Value, { kind: "item" }>): readonly ValueId[] | null {
    const pair = this.facts.values[bare(this.facts, of)];
    const source = pair?.kind === "item" ? this.pairsOf(pair.of) : null;
    if (source !== null && index !== null) {
      return this.inEach(source, (value) => (value.kind === "table" ? this.all(value.entries.flatMap((entry) => (index === 0 ? entry.key ?? [] : entry.value))) : null));
    }
    return this.inEach(of, (value) => {
      if (value.kind === "list") return index === null ? this.all(value.items) : this.all(value.items.slice(index, index + 1));
      return value.kind === "table" && index === null ? this.all(value.entries.flatMap((entry) => entry.key ?? [])) : null;
    });
  }

  /** The table of `TABLE.items()` and `Object.entries(TABLE)`. */
  private pairsOf(id: ValueId): ValueId | null {
    const value = this.facts.values[bare(this.facts, id)];
    const call = value?.kind === "call" ? this.facts.calls[value.call] : undefined;
    const callee = call === undefined ? undefined : this.facts.values[call.callee];
    if (callee?.kind !== "member" || !PAIRS.has(callee.property ?? "")) return null;
    return call?.arguments[0]?.value ?? callee.object;
  }

  private call(id: number): readonly ValueId[] | null {
    const call = this.facts.calls[id]!;
    const callee = this.facts.values[call.callee];
    const [first, fallback] = call.arguments;
    const name = callee?.kind === "name" ? callee.name : callee?.kind === "member" ? callee.property ?? "" : "";
    if (callee?.kind === "member" && GETTERS.has(name)) {
      const picked = this.inEach(callee.object, (value) => this.member(value, first === undefined ? null : this.text(first.value)));
      const other = fallback === undefined ? [] : this.pick(fallback.value);
      return picked === null || other === null ? null : [...picked, ...other];
    }
    if (!WRAPPERS.has(name)) return null;
    if (first !== undefined) return this.pick(first.value);
    return callee?.kind === "member" ? this.inEach(callee.object, (value) => this.member(value, null)) : null;
  }

  private text(id: ValueId): string | null {
    const value = this.facts.values[id];
    return value?.kind === "string" ? value.value : null;
  }
}
