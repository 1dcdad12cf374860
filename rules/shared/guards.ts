import { constantHead, constantsOf, functionsOf, referencesOf } from "@agentgate/parsers";
import type { BindingId, Call, CallId, FunctionId, ModuleFacts, Statement, Value, ValueId } from "@agentgate/parsers";
import { isException } from "../catalogue/classify.ts";
import { constantTexts, isConstantContainer } from "./containers.ts";
import { apiName, sourceBindings } from "./expressions.ts";
import { placeOf } from "./loops/places.ts";
import { alwaysLeaves, callPlaces, statementsIn } from "./statements.ts";
import type { Place } from "./statements.ts";

/** An allow check that stands before a call on every way to it. */
export interface Guard {
  /** The texts that it lets pass, where they are constants of this file. */
  readonly texts: readonly string[];
}

/**
 * The allow check on `argument` that every way to `call` inside its function has passed, or null: the call stands
 * in the branch of a membership or prefix test, or after one whose other branch leaves, or after a call of a
 * function of this file that raises unless its parameter passes such a test.
 */
export function guardBefore(facts: ModuleFacts, call: CallId, argument: ValueId): Guard | null {
  const entry = facts.calls[call];
  if (entry === undefined) return null;
  const sources = sourceBindings(facts, argument);
  if (sources.size === 0) return null;
  const checks = new Checks(facts, sources);
  for (let place = callPlaces(facts, entry.function).get(call) ?? null; place !== null; place = place.above) {
    const found = checks.around(place) ?? checks.earlier(place);
    if (found !== null) return found;
  }
  return null;
}

/** Finds tests of one set of variables. */
class Checks {
  private readonly facts: ModuleFacts;
  private readonly sources: ReadonlySet<BindingId>;
  private readonly depth: number;

  constructor(facts: ModuleFacts, sources: ReadonlySet<BindingId>, depth = 0) {
    this.facts = facts;
    this.sources = sources;
    this.depth = depth;
  }

  /** The test in whose branch the place stands. */
  around(place: Place): Guard | null {
    const above = place.above?.body[place.above.index];
    if (above?.kind !== "test") return null;
    if (above.then === place.body) return this.passes(above.test, true);
    return above.else === place.body ? this.passes(above.test, false) : null;
  }

  /** A test before the place, in its own list, whose other branch leaves; or a function that raises. */
  earlier(place: Place): Guard | null {
    for (let index = place.index - 1; index >= 0; index--) {
      const statement = place.body[index]!;
      if (statement.kind === "test") {
        const found = (alwaysLeaves(statement.then) ? this.passes(statement.test, false) : null)
          ?? (alwaysLeaves(statement.else) ? this.passes(statement.test, true) : null)
          ?? this.replaced(statement.then, statement.test);
        if (found !== null) return found;
      } else if (statement.kind === "call") {
        const found = this.checkedBy(this.facts.calls[statement.call]);
        if (found !== null) return found;
      }
    }
    return null;
  }

  /** `if method not in METHODS: method = "post"`: what does not pass is given a written text. */
  private replaced(body: readonly Statement[], test: ValueId): Guard | null {
    const passed = body.length > 0 ? this.passes(test, false) : null;
    const written = this.facts.values[test];
    const tested = written?.kind === "unary" ? this.facts.values[written.value] : written;
    const item = tested?.kind === "binary" ? tested.left : tested?.kind === "call" ? this.facts.calls[tested.call]!.arguments[0]?.value : undefined;
    const place = item === undefined ? null : placeOf(this.facts, item);
    if (passed === null || place === null) return null;
    const given = body.filter((statement) => statement.kind === "assign" && statement.operator === "=" && statement.targets.some((target) => placeOf(this.facts, target) === place));
    const texts = given.flatMap((statement) => (statement.kind === "assign" ? constantsOf(this.facts, statement.value) ?? [] : [])).map(({ value }) => value);
    return texts.length > 0 && texts.every((text) => typeof text === "string") ? { texts: [...passed.texts, ...texts] } : null;
  }

  /** What is known of the variables where the test came out as `outcome`. */
  passes(test: ValueId, outcome: boolean): Guard | null {
    const pending: { readonly id: ValueId; readonly outcome: boolean }[] = [{ id: test, outcome }];
    for (let steps = 0; pending.length > 0 && steps < 64; steps++) {
      const next = pending.pop()!;
      const value = this.facts.values[next.id];
      if (value === undefined) continue;
      if (value.kind === "unary" && value.operator === "not") pending.push({ id: value.value, outcome: !next.outcome });
      // All parts of a conjunction that held, held; all parts of a disjunction that failed, failed.
      else if (value.kind === "logical" && value.operator === (next.outcome ? "and" : "or")) {
        pending.push({ id: value.left, outcome: next.outcome }, { id: value.right, outcome: next.outcome });
      } else {
        const found = this.test(value, next.outcome);
        if (found !== null) return found;
      }
    }
    return null;
  }

  private test(value: Value, outcome: boolean): Guard | null {
    if (value.kind === "binary") return this.comparison(value, outcome);
    if (value.kind === "name") {
      const given = this.facts.bindings[value.binding]?.values;
      return given?.length === 1 && this.depth === 0 ? new Checks(this.facts, this.sources, 1).passes(given[0]!, outcome) : null;
    }
    const call = value.kind === "call" ? this.facts.calls[value.call] : undefined;
    return call === undefined || !outcome ? null : this.predicate(call);
  }

  private comparison(value: Extract<Value, { kind: "binary" }>, outcome: boolean): Guard | null {
    const { operator, left, right } = value;
    if (operator === (outcome ? "in" : "not in")) return this.concerns(left) ? this.membership(right) : null;
    if (operator === (outcome ? "==" : "!=") || operator === (outcome ? "is" : "is not")) {
      const texts = this.concerns(left) ? constantsOf(this.facts, right) : this.concerns(right) ? constantsOf(this.facts, left) : null;
      const names = texts?.map((text) => text.value).filter((text) => typeof text === "string") ?? [];
      return names.length > 0 && names.length === texts?.length ? { texts: names } : null;
    }
    return this.indexTest(value, outcome);
  }

  /** `ALLOWED.indexOf(x) !== -1`, `>= 0`, `=== -1`. */
  private indexTest(value: Extract<Value, { kind: "binary" }>, outcome: boolean): Guard | null {
    const left = this.facts.values[value.left];
    const call = left?.kind === "call" ? this.facts.calls[left.call] : undefined;
    const callee = call === undefined ? undefined : this.facts.values[call.callee];
    if (call === undefined || callee?.kind !== "member" || callee.property !== "indexOf") return null;
    const positive = ["!=", "!==", ">=", ">"].includes(value.operator);
    if (positive !== outcome) return null;
    const item = call.arguments[0];
    return item !== undefined && this.concerns(item.value) ? this.membership(callee.object) : null;
  }

  /** `ALLOWED.has(x)`, `x.startsWith("own.")`, `Object.hasOwn(TABLE, x)`, or a function of this file that returns such a test. */
  private predicate(call: Call): Guard | null {
    const callee = this.facts.values[call.callee];
    const first = call.arguments[0];
    if (callee?.kind === "member" && callee.property !== null && first !== undefined) {
      if (MEMBERSHIP.has(callee.property) && this.concerns(first.value)) return this.membership(callee.object);
      if (PREFIX.has(callee.property) && this.concerns(callee.object)) return this.prefix(first.value);
      const second = call.arguments[1];
      if (second !== undefined && this.ownKey(callee) && this.concerns(second.value)) return this.membership(first.value);
    }
    const second = call.arguments[1];
    if (callee?.kind === "name" && callee.name === "issubclass" && first !== undefined && second !== undefined) {
      return this.concerns(first.value) && isExceptionClass(this.facts, second.value) ? { texts: [] } : null;
    }
    return this.local(call, (checks, body) => checks.returned(body));
  }

  /** A statement that calls a function of this file which leaves by an exception unless the variables pass. */
  private checkedBy(call: Call | undefined): Guard | null {
    return call === undefined ? null : this.local(call, (checks, body) => checks.raised(body));
  }

  private local(call: Call, look: (checks: Checks, id: FunctionId) => Guard | null): Guard | null {
    if (this.depth >= 2) return null;
    for (const id of functionsOf(this.facts, call.callee)) {
      const inside = new Set<BindingId>();
      const { parameters } = this.facts.functions[id]!;
      const own = parameters[0]?.name === "self" || parameters[0]?.name === "cls" ? 1 : 0;
      call.arguments.forEach((argument, index) => {
        const parameter = argument.name === undefined ? parameters[index + own] : parameters.find((each) => each.name === argument.name);
        if (parameter !== undefined && this.concerns(argument.value)) inside.add(parameter.binding);
      });
      const found = inside.size === 0 ? null : look(new Checks(this.facts, inside, this.depth + 1), id);
      if (found !== null) return found;
    }
    return null;
  }

  /** A function that answers by such a test: `return name in ALLOWED`, `if name not in ALLOWED: return False`. */
  private returned(id: FunctionId): Guard | null {
    for (const statement of statementsIn(this.facts.functions[id]?.body ?? [])) {
      let found: Guard | null = null;
      if (statement.kind === "return" && statement.value !== null) found = this.passes(statement.value, true);
      else if (statement.kind === "test") {
        const last = statement.then.at(-1);
        const answer = last?.kind === "return" && last.value !== null ? this.facts.values[last.value] : undefined;
        if (answer?.kind === "constant") found = this.passes(statement.test, answer.value === true);
      }
      if (found !== null) return found;
    }
    return null;
  }

  private raised(id: FunctionId): Guard | null {
    for (const statement of this.facts.functions[id]?.body ?? []) {
      if (statement.kind !== "test" || statement.then.at(-1)?.kind !== "jump") continue;
      const found = this.passes(statement.test, false);
      if (found !== null) return found;
    }
    return null;
  }

  /** What a container lets pass. One that the program fills from outside (loaded modules, the environment) is no check. */
  private membership(container: ValueId): Guard | null {
    const texts = isConstantContainer(this.facts, container) ? constantTexts(this.facts, container) : null;
    if (texts !== null) return { texts };
    if (referencesOf(this.facts, container).some((reference) => OUTSIDE.has(apiName(reference)))) return null;
    const written = this.facts.values[container]?.kind;
    return written === "name" || written === "member" || written === "list" ? { texts: [] } : null;
  }

  /** `Object.hasOwn(TABLE, x)`, `Object.prototype.hasOwnProperty.call(TABLE, x)`. */
  private ownKey(callee: Extract<Value, { kind: "member" }>): boolean {
    if (callee.property === "hasOwn") return true;
    const object = this.facts.values[callee.object];
    return callee.property === "call" && object?.kind === "member" && object.property === "hasOwnProperty";
  }

  /** Only a prefix that ends where a name ends: `requests` would let `requests_evil` pass. */
  private prefix(text: ValueId): Guard | null {
    const texts = constantTexts(this.facts, text) ?? [constantHead(this.facts, text)];
    return texts.length > 0 && texts.every((each) => /[./_:-]$/.test(each)) ? { texts: [] } : null;
  }

  private concerns(id: ValueId): boolean {
    for (const binding of sourceBindings(this.facts, id)) if (this.sources.has(binding)) return true;
    return false;
  }
}

function isExceptionClass(facts: ModuleFacts, id: ValueId): boolean {
  return referencesOf(facts, id).some((reference) => isException(facts.language, reference));
}

const MEMBERSHIP = new Set(["has", "includes", "contains", "__contains__", "hasOwnProperty"]);
const PREFIX = new Set(["startswith", "startsWith"]);
const OUTSIDE = new Set(["sys.modules", "os.environ", "builtins.globals", "builtins.dir", "globalThis.process.env", "sys.path", "sys.argv"]);
