import { definitionsOf, functionsOf, referencesOf } from "@agentgate/parsers";
import type { FunctionId, ModuleFacts, Reference, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { keptWithFacts } from "../indexes.ts";
import { declaredDefinitionIn, definitionIn, isOwnFunction } from "./definitions.ts";
import type { Definition } from "./definitions.ts";
import { endsOfReference, endsOfValue } from "./ends.ts";
import type { End, Ends, Module } from "./ends.ts";
import { gateNames, isModuleOf } from "./gate.ts";
import type { GateName, Recognised } from "./gate.ts";

/** Recognises gates in the expressions of one module. All answers are kept. */
export class Recogniser {
  readonly module: Module;
  /** The gates that this module itself defines. */
  readonly own: readonly { readonly gate: GateName; readonly definition: Definition }[];
  /** The gates that may be in the tree. */
  readonly names: readonly GateName[];
  private readonly firstSegments: ReadonlySet<string>;
  private readonly anyIsDeclared: boolean;
  private imported: ReadonlyMap<GateName, Recognised> | undefined;
  private readonly context: RuleContext;
  private readonly byReference = new Map<string, Recognised | null>();
  private readonly byValue = new Map<ValueId, Recognised | null>();

  constructor(module: Module, context: RuleContext) {
    this.module = module;
    this.context = context;
    this.names = gateNames(context);
    this.firstSegments = new Set(this.names.map(({ segments }) => segments[0]!));
    this.anyIsDeclared = this.names.some((gate) => gate.declared !== null);
    this.own = this.names.flatMap((gate) => {
      const definition = this.ownDefinition(gate);
      return definition === null ? [] : [{ gate, definition }];
    });
  }

  /** The gate that an expression is, is a member of, or was made by: a callee, a decorator, what is entered. */
  gateOf(value: ValueId): Recognised | null {
    let found = this.byValue.get(value);
    if (found === undefined) {
      found = this.look(value);
      this.byValue.set(value, found);
    }
    return found;
  }

  /** Whether the module takes a gate of this name from somewhere. */
  imports(gate: GateName): Recognised | null {
    this.imported ??= this.lookForImported();
    return this.imported.get(gate) ?? null;
  }

  private lookForImported(): ReadonlyMap<GateName, Recognised> {
    const imported = new Map<GateName, Recognised>();
    const note = (found: Recognised | null): void => {
      if (found !== null && !imported.has(found.gate)) imported.set(found.gate, found);
    };
    for (const { specifier, typeOnly, names } of this.module.facts.imports) {
      if (typeOnly === true) continue;
      for (const name of names) if (name.typeOnly !== true && name.imported !== "*") note(this.ofReference({ module: specifier, path: [name.imported] }));
    }
    for (const { references } of this.module.facts.uses) for (const reference of references) note(this.ofReference(reference));
    return imported;
  }

  /** Whether a function belongs to the definition of a gate of this module. */
  isOwn(id: FunctionId): boolean {
    return this.own.some(({ definition }) => isOwnFunction(this.module.facts, definition, id));
  }

  private look(value: ValueId): Recognised | null {
    const { facts } = this.module;
    for (const reference of referencesOf(facts, value)) {
      const found = this.ofReference(reference);
      if (found !== null) return found;
    }
    return this.ofOwn(value) ?? this.byAlias(value) ?? this.byConvention(value);
  }

  /** A gate of the module itself, called where it is defined. */
  private ofOwn(value: ValueId): Recognised | null {
    if (this.own.length === 0) return null;
    const { facts, path } = this.module;
    const written = facts.values[value];
    const made = written?.kind === "call" ? facts.calls[written.call]!.callee : value;
    const functions = [...functionsOf(facts, value), ...functionsOf(facts, made)];
    const classes = definitionsOf(facts, value).flatMap(({ kind, id }) => (kind === "class" || kind === "instance" ? [id] : []));
    for (const { gate, definition } of this.own) {
      const isIt = functions.some((id) => isOwnFunction(facts, definition, id)) || classes.some((id) => definition.classes.includes(id));
      if (isIt) return { gate, path };
    }
    return null;
  }

  private ofReference(reference: Reference): Recognised | null {
    if (!this.mayBeGate(reference)) return null;
    const key = JSON.stringify([reference.module, reference.path, reference.instance === true]);
    let found = this.byReference.get(key);
    if (found === undefined) {
      found = this.lookUp(reference);
      this.byReference.set(key, found);
    }
    return found;
  }

  /** Whether a reference can lead to a gate at all, by what it names: a declared gate may be behind any. */
  private mayBeGate(reference: Reference): boolean {
    if (reference.module === "builtins" || reference.module === "globalThis") return false;
    return this.anyIsDeclared || mayRename(reference) || reference.path.some((name) => this.firstSegments.has(name));
  }

  private lookUp(reference: Reference): Recognised | null {
    if (reference.computed === true) return null;
    let ends: Ends | undefined;
    for (const gate of this.names) {
      const isNamed = startOf(reference.path, gate.segments) !== -1;
      if (!isNamed && gate.declared === null && !mayRename(reference)) continue;
      ends ??= this.endsOf(reference);
      const end = ends.ends.find((each) => isEndOf(gate, each));
      if (gate.declared === null) {
        if (end !== undefined) return recognised(gate, end, reference);
        continue;
      }
      if (end === undefined && !isNamed) continue;
      const { module } = gate.declared;
      const isThere = module === null || (end === undefined ? ends.through : [...ends.through, end.path]).some((where) => isModuleOf(where, module));
      if (isThere) return recognised(gate, end, reference);
    }
    return null;
  }

  /** Where a reference leads; of members of something that makes no difference, where the first of them leads. */
  private endsOf(reference: Reference): Ends {
    const { tree } = this.context;
    const whole = endsOfReference(tree, this.module, reference);
    if (whole.ends.length > 0 || reference.path.length < 2) return whole;
    const first = endsOfReference(tree, this.module, { module: reference.module, path: reference.path.slice(0, -1) });
    return { ends: first.ends, through: [...whole.through, ...first.through] };
  }

  /** `from locks import lock as store_lock`: what a package gives by the name of a declared gate that no module of the tree defines. */
  private byAlias(value: ValueId): Recognised | null {
    const { facts } = this.module;
    const written = facts.values[value];
    const callee = facts.values[written?.kind === "call" ? facts.calls[written.call]!.callee : value];
    if (callee?.kind !== "name" || facts.bindings[callee.binding]?.kind !== "import") return null;
    const gate = this.names.find(({ name, declared }) => declared?.module === null && name === callee.name);
    if (gate === undefined || this.context.tree.definersOf(gate.name)?.length !== 0) return null;
    return endsOfValue(this.context.tree, this.module, value).ends.length > 0 ? null : { gate, path: null };
  }

  /** A method of a declared class on a handle that nothing tells: `this.caller.call` is `AsyncCaller.call`. */
  private byConvention(value: ValueId): Recognised | null {
    const { facts } = this.module;
    const callee = facts.values[value];
    if (callee?.kind !== "member" || callee.property === null) return null;
    const handle = facts.values[callee.object];
    const name = handle?.kind === "member" ? handle.property : handle?.kind === "name" ? handle.name : null;
    if (name === null || !this.isUntold(callee.object, name)) return null;
    for (const gate of this.names) {
      const [owner, method] = gate.segments.slice(-2);
      if (gate.declared !== null && method === callee.property && isHandleName(name, owner!)) return { gate, path: null };
    }
    return null;
  }

  /** A parameter without a type, an attribute that the file gives nothing, one that a class from elsewhere has. */
  private isUntold(id: ValueId, name: string): boolean {
    const { facts } = this.module;
    if (definitionsOf(facts, id).length > 0 || endsOfValue(this.context.tree, this.module, id).ends.length > 0) return false;
    return referencesOf(facts, id).every((reference) => reference.path.at(-1) === name);
  }

  private ownDefinition(gate: GateName): Definition | null {
    const { path, facts } = this.module;
    const definition = definitionOf(facts, gate);
    if (definition === null) return null;
    if (gate.declared === null) return definition.runs ? definition : null;
    const { module } = gate.declared;
    if (module !== null) return isModuleOf(path, module) ? definition : null;
    // Of several modules that have one of the name, those are the gate's that others load.
    const definers = this.context.tree.definersOf(gate.segments.at(-1)!);
    const alone = definers?.every((each) => each === path) ?? false;
    return alone || this.context.tree.importersOf(path)?.length !== 0 ? definition : null;
  }
}

function definitionOf(facts: ModuleFacts, { name, declared }: GateName): Definition | null {
  return declared === null ? definitionIn(facts, name) : declaredDefinitionIn(facts, name);
}

function isEndOf(gate: GateName, { facts, kind, id }: End): boolean {
  const definition = definitionOf(facts, gate);
  if (definition === null || (gate.declared === null && !definition.runs)) return false;
  return kind === "function" ? isOwnFunction(facts, definition, id) : definition.classes.includes(id);
}

/** Of an object that is a gate the methods are, of a function that is one nothing else. */
function recognised(gate: GateName, end: End | undefined, { path }: Reference): Recognised {
  const isObject = end === undefined ? /^[A-Z]/.test(gate.segments.at(-1)!) : end.kind !== "function" || (gate.segments.length === 1 && end.facts.functions[end.id]!.class !== -1);
  const start = startOf(path, gate.segments);
  const further = start === -1 ? 0 : path.length - start - gate.segments.length;
  return { gate, path: end?.path ?? null, ...(further > (isObject ? 1 : 0) ? { beyond: true as const } : {}) };
}

/** Where the members of a path hold the name of a gate, as a whole: `client.AsyncCaller.call` holds `AsyncCaller.call`; -1 where they do not. */
function startOf(path: readonly string[], segments: readonly string[]): number {
  for (let start = 0; start + segments.length <= path.length; start++) {
    if (segments.every((segment, index) => path[start + index] === segment)) return start;
  }
  return -1;
}

/** Only a default export or a module that is a function hides the name of what it is. */
function mayRename({ path }: Reference): boolean {
  return path.length === 0 || path[0] === "default";
}

/** `caller` and `asyncCaller` of `AsyncCaller`, `_write_gate` of `WriteGate`. */
function isHandleName(name: string, owner: string): boolean {
  const plain = (text: string): string => text.replaceAll("_", "").toLowerCase();
  const last = /[A-Z][a-z0-9]*$/.exec(owner)?.[0] ?? owner;
  return plain(name) === plain(owner) || plain(name) === plain(last);
}

const recognisers = keptWithFacts<{ readonly context: RuleContext; readonly recogniser: Recogniser }>();

/** The recogniser of a module, shared as long as its tree and the declared gates are the same. */
export function recogniserFor({ path, facts }: Module, context: RuleContext): Recogniser {
  const known = recognisers.get(facts);
  if (known?.recogniser.module.path === path && known.context.tree === context.tree && known.context.gates === context.gates) return known.recogniser;
  const recogniser = new Recogniser({ path, facts }, context);
  recognisers.set(facts, { context, recogniser });
  return recogniser;
}
