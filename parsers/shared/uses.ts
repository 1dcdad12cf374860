import type { ModuleFacts, Reference, Statement, Use, Value, ValueId } from "../facts.ts";
import { ROLES } from "./builder.ts";
import type { Draft } from "./builder.ts";
import type { Resolver } from "./resolver.ts";
import { eachStatement } from "./results.ts";
import type { Shape } from "./shapes.ts";
import { markTypeArguments } from "./type-arguments.ts";
import { referencesAmong } from "./union.ts";

const NO_REFERENCES: readonly Reference[] = [];
const GIVEN_NAME = 1;
const WRITTEN_MEMBER = 2;
const WRITE = ROLES.indexOf("write");

/** Fills `Call.references` and `uses`: every outermost chain that is something from outside the file. */
export function fillUses(draft: Draft, resolver: Resolver): void {
  const told = new ReferenceLists(resolver);
  const callees = calleesOf(draft.facts, resolver, told);
  const targets = targetsOf(draft.facts);
  markTypeArguments(draft, resolver);
  const uses = draft.facts.uses as Use[];
  for (let index = 0; index < draft.chains.length; index++) {
    const id = draft.chains.items[index]!;
    if (draft.inner.items[id] === 1 || targets[id] === GIVEN_NAME || isUnbound(draft, id)) continue;
    const references = targets[id] === WRITTEN_MEMBER ? membersWritten(draft.facts.values[id]!, resolver) : told.of(resolver.chainShapes(id));
    if (references.length === 0) continue;
    const call = callees[id]!;
    if (call >= 0) draft.facts.calls[call]!.references = references;
    if (told.areHarmless(references)) continue;
    const role = ROLES[draft.roles.items[id]!]!;
    const span = tellingSpan(draft.facts.values[id]!);
    const [inFunction, statement] = [draft.chainFunctions.items[index]!, draft.chainStatements.items[index]!];
    // Written out, since spreading costs as much as all the rest of a use.
    if (call >= 0) uses.push({ references, role, call, value: id, span, function: inFunction, statement });
    else uses.push({ references, role: role === "call" ? "value" : role, value: id, span, function: inFunction, statement });
  }
  addReached(draft, resolver, told, callees);
}

/** `del os` takes a name away, which is no use of what it named. */
function isUnbound(draft: Draft, id: ValueId): boolean {
  if (draft.roles.items[id] !== WRITE) return false;
  const value = draft.facts.values[id]!;
  return value.kind === "name" && value.binding >= 0;
}

/** What is reached by text and used where it stands: `getattr(os, "system")("ls")`. The text is the telling token. */
function addReached(draft: Draft, resolver: Resolver, told: ReferenceLists, callees: Int32Array): void {
  const { calls, values } = draft.facts;
  const uses = draft.facts.uses as Use[];
  let named: ReadonlySet<ValueId> | undefined;
  for (let id = 0; id < calls.length; id++) {
    const call = calls[id]!;
    const value = draft.results.items[id]!;
    if (draft.inner.items[value] === 1 || call.arguments.length === 0 || !isReaching(values[call.callee]!, resolver.settleShapes(call.callee), resolver)) continue;
    const references = told.of(resolver.settleShapes(value)).filter(({ through, instance, computed }) => through !== undefined && !instance && !computed);
    if (references.length === 0) continue;
    const by = callees[value]!;
    const { span } = values[call.arguments.at(-1)!.value]!;
    const place = { value, span, function: call.function, statement: call.statement };
    if (by >= 0) uses.push({ references, role: "call", call: by, ...place });
    else if (!(named ??= givenToNames(draft.facts)).has(value)) uses.push({ references, role: "value", ...place });
  }
}

/** Values that names are given: the uses of the names are followed. */
function givenToNames({ bindings }: ModuleFacts): ReadonlySet<ValueId> {
  return new Set(bindings.flatMap((binding) => binding.values));
}

function isReaching(callee: Value, shapes: readonly Shape[], { vocabulary }: Resolver): boolean {
  if (callee.kind === "member" && callee.property !== null && vocabulary.reachMethods.includes(callee.property)) return true;
  return shapes.some((shape) => shape.kind === "getter" || (shape.kind === "outside" && shape.behaviour?.kind === "reach"));
}

/** Lists of references, one for each list of shapes, so that facts stay small. */
class ReferenceLists {
  private readonly lists = new Map<readonly Shape[], readonly Reference[]>();
  private readonly single = new Map<Shape, readonly Reference[]>();
  private readonly harmless: ReadonlySet<string>;
  private readonly language: string;
  private readonly known = new Map<readonly Reference[], boolean>();

  constructor(resolver: Resolver) {
    this.harmless = resolver.vocabulary.harmlessSet;
    this.language = resolver.isPython ? "builtins" : "globalThis";
  }

  of(shapes: readonly Shape[]): readonly Reference[] {
    if (shapes.length === 0) return NO_REFERENCES;
    const store: Map<unknown, readonly Reference[]> = shapes.length === 1 ? this.single : this.lists;
    const key = shapes.length === 1 ? shapes[0] : shapes;
    let list = store.get(key);
    if (list === undefined) store.set(key, (list = referencesAmong(shapes)));
    return list;
  }

  areHarmless(references: readonly Reference[]): boolean {
    let known = this.known.get(references);
    if (known === undefined) this.known.set(references, (known = references.every((reference) => this.isHarmless(reference))));
    return known;
  }

  /** A global that does nothing, and nothing reflective reached from it: `Object.constructor` makes code of text. */
  private isHarmless({ module, path, computed }: Reference): boolean {
    const [name] = path;
    if (module !== this.language || name === undefined || computed || !this.harmless.has(name)) return false;
    return path.every((member, index) => index === 0 || (member !== "constructor" && member !== "__proto__" && !member.startsWith("__")));
  }
}

/** By value: the call of which it is the callee, else -1. Callees that are no chain are settled here. */
function calleesOf({ values, calls }: ModuleFacts, resolver: Resolver, told: ReferenceLists): Int32Array {
  const callees = new Int32Array(values.length).fill(-1);
  for (let id = 0; id < calls.length; id++) {
    const call = calls[id]!;
    callees[call.callee] = id;
    const { kind } = values[call.callee]!;
    if (kind !== "name" && kind !== "member") call.references = told.of(resolver.settleShapes(call.callee));
  }
  return callees;
}

/** A written member is one of its object: what the member held before, or is given elsewhere, says nothing of it. */
function membersWritten(value: Value, resolver: Resolver): readonly Reference[] {
  if (value.kind !== "member") return NO_REFERENCES;
  const { property } = value;
  return referencesAmong(resolver.settleShapes(value.object)).map((reference) =>
    property === null ? { ...reference, computed: true } : { ...reference, path: [...reference.path, property] },
  );
}

/** By value: where a name is given something, which is no use of what it had before, and where a member is. */
function targetsOf(facts: ModuleFacts): Uint8Array {
  const targets = new Uint8Array(facts.values.length);
  const pending: ValueId[] = [];
  const visit = (statement: Statement): void => {
    if (statement.kind !== "assign" && statement.kind !== "loop") return;
    for (const target of statement.targets) pending.push(target);
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) markTarget(facts.values[id]!, id, targets, pending);
  };
  for (const { body } of facts.functions) eachStatement(body, visit);
  return targets;
}

function markTarget(value: Value, id: ValueId, targets: Uint8Array, pending: ValueId[]): void {
  // A global that is written stays a use.
  if (value.kind === "name" && value.binding >= 0) targets[id] = GIVEN_NAME;
  else if (value.kind === "member") targets[id] = WRITTEN_MEMBER;
  else if (value.kind === "list") pending.push(...value.items);
  else if (value.kind === "spread") pending.push(value.value);
  else if (value.kind === "table") pending.push(...value.entries.map((entry) => entry.value));
}

/** The last name of a chain. */
function tellingSpan(value: Value): Use["span"] {
  return value.kind === "member" ? value.propertySpan : value.span;
}

