import type { ModuleFacts, Reference, Use, Value, ValueId } from "../facts.ts";
import { ROLES } from "./builder.ts";
import type { Draft } from "./builder.ts";
import type { Resolver } from "./resolver.ts";
import { eachStatement } from "./results.ts";
import type { Shape } from "./shapes.ts";
import { referencesAmong } from "./union.ts";

const NO_REFERENCES: readonly Reference[] = [];

/** Fills `Call.references` and `uses`: every outermost chain that is something from outside the file. */
export function fillUses(draft: Draft, resolver: Resolver): void {
  const told = new ReferenceLists(resolver);
  const callees = new Int32Array(draft.facts.values.length).fill(-1);
  for (let id = 0; id < draft.facts.calls.length; id++) {
    const call = draft.facts.calls[id]!;
    const shapes = resolver.settleShapes(call.callee);
    if (shapes.length > 0) call.references = told.of(shapes);
    callees[call.callee] = id;
  }
  const targets = targetsOf(draft.facts);
  const uses = draft.facts.uses as Use[];
  for (let index = 0; index < draft.chains.length; index++) {
    const id = draft.chains[index]!;
    if (draft.inner[id] === 1 || targets[id] === 1) continue;
    const shapes = resolver.settleShapes(id);
    if (shapes.length === 0) continue;
    const references = told.of(shapes);
    if (references.length === 0 || told.areHarmless(references)) continue;
    const call = callees[id]!;
    const role = ROLES[draft.roles[id]!]!;
    uses.push({
      references, role: role === "call" && call < 0 ? "value" : role, ...(call >= 0 && { call }), value: id,
      span: tellingSpan(draft.facts.values[id]!), function: draft.chainFunctions[index]!, statement: draft.chainStatements[index]!,
    });
  }
}

/** Lists of references, one for each list of shapes, so that facts stay small. */
class ReferenceLists {
  private readonly lists = new Map<readonly Shape[], readonly Reference[]>();
  private readonly single = new Map<Shape, readonly Reference[]>();
  private readonly harmless: ReadonlySet<string>;
  private readonly language: string;
  private readonly known = new Map<readonly Reference[], boolean>();

  constructor(resolver: Resolver) {
    this.harmless = new Set(resolver.vocabulary.harmless);
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

/** By value: 1 where it is a name that is given something there, which is no use of what it had before. */
function targetsOf(facts: ModuleFacts): Uint8Array {
  const targets = new Uint8Array(facts.values.length);
  const pending: ValueId[] = [];
  const mark = (ids: readonly ValueId[]): void => {
    pending.push(...ids);
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) markTarget(facts.values[id]!, id, targets, pending);
  };
  for (const { body } of facts.functions) {
    eachStatement(body, (statement) => {
      if (statement.kind === "assign" || statement.kind === "loop") mark(statement.targets);
    });
  }
  return targets;
}

function markTarget(value: Value, id: ValueId, targets: Uint8Array, pending: ValueId[]): void {
  // A global that is written stays a use.
  if (value.kind === "name" && value.binding >= 0) targets[id] = 1;
  else if (value.kind === "list") pending.push(...value.items);
  else if (value.kind === "spread") pending.push(value.value);
  else if (value.kind === "table") pending.push(...value.entries.map((entry) => entry.value));
}

/** The last name of a chain. */
function tellingSpan(value: Value): Use["span"] {
  return value.kind === "member" ? value.propertySpan : value.span;
}

