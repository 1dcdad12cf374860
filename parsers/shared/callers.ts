import type { Call, ClassId, FunctionId, Value, ValueId } from "../facts.ts";
import type { Given } from "./arguments.ts";
import { methodsOf } from "./attributes.ts";
import type { Resolver } from "./resolver.ts";

/** Calls of one function that are looked at. */
const MAX_CALLERS = 8;

type Form = "plain" | "call" | "apply" | "callback";
const FORMS: readonly Form[] = ["plain", "call", "apply", "callback"];

/** One place that calls a function, or hands it to a method that will. */
export interface Caller {
  readonly call: Call;
  /** Parameters before the first argument: `self`. */
  readonly skip: number;
  readonly form: Form;
  /** The arguments, once they were asked for. */
  given?: Given;
}

const NO_CALLERS: readonly Caller[] = [];

/** The first places of the file that call a function of it. */
export function callersOf(resolver: Resolver, id: FunctionId): readonly Caller[] {
  return resolver.once("callers", () => new Callers(resolver)).of(id);
}

/**
 * Who calls whom, read off by looks alone: aliases are not followed, or this would depend on itself. Kept as linked
 * lists of numbers, since few of them are ever asked for.
 */
class Callers {
  private readonly resolver: Resolver;
  /** By function: its last entry; -1: none. */
  private readonly last: Int32Array;
  /** By entry: the one before it of the same function, and `call * 8 + form * 2 + skip`. */
  private readonly before: number[] = [];
  private readonly codes: number[] = [];
  private readonly known: (readonly Caller[] | undefined)[] = [];

  constructor(resolver: Resolver) {
    this.resolver = resolver;
    this.last = new Int32Array(resolver.facts.functions.length).fill(-1);
    const { calls } = resolver.facts;
    for (let id = calls.length - 1; id >= 0; id--) {
      const call = calls[id]!;
      this.addCallee(id, call.callee, 0);
      this.addCallback(id, call);
    }
  }

  of(id: FunctionId): readonly Caller[] {
    if (this.last[id] === -1) return NO_CALLERS;
    return (this.known[id] ??= this.read(id));
  }

  private read(id: FunctionId): readonly Caller[] {
    const callers: Caller[] = [];
    for (let entry = this.last[id]!; entry >= 0 && callers.length < MAX_CALLERS; entry = this.before[entry]!) {
      const code = this.codes[entry]!;
      callers.push({ call: this.resolver.facts.calls[code >> 3]!, form: FORMS[(code >> 1) & 3]!, skip: code & 1 });
    }
    return callers;
  }

  private add(id: FunctionId, call: number, form: number, skip: number): void {
    this.codes.push(call * 8 + form * 2 + skip);
    this.last[id] = this.before.push(this.last[id]!) - 1;
  }

  private addCallee(call: number, id: ValueId, form: number): void {
    const { facts } = this.resolver;
    const callee = facts.values[id]!;
    if (callee.kind === "function") this.add(callee.function, call, form, 0);
    else if (callee.kind === "name") {
      if (callee.binding < 0) return;
      for (const value of facts.bindings[callee.binding]!.values) this.addNamed(call, facts.values[value]!, form);
    } else if (callee.kind === "member" && callee.property !== null) {
      const borrowed = form === 0 ? FORMS.indexOf(callee.property as Form) : -1;
      if (borrowed === 1 || borrowed === 2) this.addCallee(call, callee.object, borrowed);
      else this.addMethod(call, callee.object, callee.property, form);
    }
  }

  private addNamed(call: number, value: Value, form: number): void {
    if (value.kind === "function") this.add(value.function, call, form, 0);
    if (value.kind !== "class") return;
    for (const name of this.resolver.vocabulary.constructors) {
      for (const method of methodsOf(this.resolver, value.class, name)) this.add(method, call, form, this.skipped(method));
    }
  }

  private addMethod(call: number, object: ValueId, name: string, form: number): void {
    const classId = selfClass(this.resolver, object);
    if (classId < 0) return;
    for (const method of methodsOf(this.resolver, classId, name)) this.add(method, call, form, this.skipped(method));
  }

  /** A function written as the first argument of a method that calls it. */
  private addCallback(id: number, call: Call): void {
    const [first] = call.arguments;
    if (first === undefined) return;
    const { values } = this.resolver.facts;
    const given = values[first.value]!;
    if (given.kind !== "function") return;
    const callee = values[call.callee]!;
    if (callee.kind !== "member" || callee.property === null) return;
    if (Object.hasOwn(this.resolver.vocabulary.callbacks, callee.property)) this.add(given.function, id, 3, 0);
  }

  /** Python's methods have the instance among their parameters. */
  private skipped(method: FunctionId): number {
    return this.resolver.isPython && this.resolver.facts.functions[method]!.static !== true ? 1 : 0;
  }
}

/** The class whose `self` or `this` a value is, -1 where it is none. */
function selfClass(resolver: Resolver, id: ValueId): ClassId {
  const value = resolver.value(id);
  if (value.kind === "self") return value.class;
  if (value.kind !== "name" || value.binding < 0) return -1;
  const [first] = resolver.facts.bindings[value.binding]!.values;
  const given = first === undefined ? null : resolver.value(first);
  return given?.kind === "self" ? given.class : -1;
}
