import type { Call, ModuleFacts, ValueId } from "@agentgate/parsers";
import { acquiredCapabilities, aloneContext, sendsMutatingVerb } from "@agentgate/rules";
import type { Capability, RuleContext } from "@agentgate/rules";
import type { TreePath } from "../paths.ts";
import names from "./gate-names.json" with { type: "json" };
import type { DeclaredGate } from "./policy-gates.ts";

/** Capabilities that change something outside of the process. */
export const WRITES: ReadonlySet<Capability> = new Set<Capability>(["db.write", "cloud.write", "fs.write", "fs.delete", "queue", "mail", "notify", "pay", "env.write"]);

const FARTHEST = 12;

/** A gate that code may define: by the policy, or by one of the names that are recognised. */
export interface GateName {
  readonly name: string;
  readonly module: string | null;
  readonly declared: boolean;
}

export function gateNames(declared: readonly DeclaredGate[]): GateName[] {
  const found = names.found.filter((name) => !declared.some((gate) => gate.name === name));
  return [...declared.map(({ name, module }) => ({ name, module, declared: true })), ...found.map((name) => ({ name, module: null, declared: false }))];
}

/** How a module defines a gate. */
export interface GateDefinition {
  /** 1-based line of its name, with its column. */
  readonly offset: number;
  readonly length: number;
  /** `calls`: its body calls a parameter. `hands-on`: it passes one to another call. `neither`: the callback is lost. */
  readonly callback: "calls" | "hands-on" | "neither";
}

/** The definition of a gate in a module; null where the module has none. Of several the one that calls most counts. */
export function definitionOf(facts: ModuleFacts, path: TreePath, gate: GateName): GateDefinition | null {
  if (gate.module !== null && !isModule(path, gate.module)) return null;
  const [last, owner] = gate.name.split(".").reverse();
  const functions = facts.functions.flatMap((one, id) => {
    const className = one.class === -1 ? null : facts.classes[one.class]?.name ?? null;
    return one.name === last && (owner === undefined ? className === null : className === owner) ? [{ id, span: one.nameSpan }] : [];
  });
  const classes = owner === undefined ? facts.classes.flatMap((one, id) => (one.name === last ? [{ id, span: one.nameSpan }] : [])) : [];
  const found = [
    ...functions.map(({ id, span }) => ({ span, callback: callbackUse(facts, (one) => isWithin(facts, one, id)) })),
    ...classes.map(({ id, span }) => ({ span, callback: callbackUse(facts, (one) => isMember(facts, one, id)) })),
  ];
  const best = found.find((one) => one.callback === "calls") ?? found.find((one) => one.callback === "hands-on") ?? found[0];
  return best === undefined ? null : { offset: best.span[0], length: best.span[1] - best.span[0], callback: best.callback };
}

/** `app.gate`, `src/gate`, `./gate` as the path of a module, wherever its source root lies. */
function isModule(path: TreePath, module: string): boolean {
  const bare = path.replace(/\.[^./]+$/, "").replace(/\/(?:__init__|index)$/, "");
  const named = module.replace(/^(?:\.\/)+/, "").replace(/\.[mc]?[jt]sx?$/, "").replace(/\/(?:__init__|index)$/, "");
  return [named, named.replaceAll(".", "/")].some((one) => bare === one || bare.endsWith(`/${one}`));
}

/** Whether a function is another one or lies inside it. */
function isWithin(facts: ModuleFacts, inner: number, outer: number): boolean {
  for (let id = inner, steps = 0; id !== -1 && steps < 200; id = facts.functions[id]?.parent ?? -1, steps++) if (id === outer) return true;
  return false;
}

function isMember(facts: ModuleFacts, inner: number, owner: number): boolean {
  for (let id = inner, steps = 0; id !== -1 && steps < 200; id = facts.functions[id]?.parent ?? -1, steps++) if (facts.functions[id]?.class === owner) return true;
  return false;
}

/** What the functions of a gate do with a parameter of theirs. */
function callbackUse(facts: ModuleFacts, isOwn: (id: number) => boolean): GateDefinition["callback"] {
  const calls = facts.calls.filter((call) => isOwn(call.function));
  if (calls.some((call) => isParameter(facts, call.callee, isOwn, 0))) return "calls";
  return calls.some((call) => call.arguments.some((argument) => isParameter(facts, argument.value, isOwn, 0))) ? "hands-on" : "neither";
}

/** Whether a value is a parameter of one of these functions, also by another name, as an attribute or as `callback.call`. */
function isParameter(facts: ModuleFacts, id: ValueId, isOwn: (id: number) => boolean, steps: number): boolean {
  const value = facts.values[id];
  if (value === undefined || steps > FARTHEST) return false;
  switch (value.kind) {
    case "parameter":
      return isOwn(value.function) && facts.functions[value.function]?.parameters[value.index]?.name !== "self";
    case "name":
      return value.binding >= 0 && (facts.bindings[value.binding]?.values ?? []).some((one) => isParameter(facts, one, isOwn, steps + 1));
    case "await":
    case "spread":
    case "assigned":
      return isParameter(facts, value.value, isOwn, steps + 1);
    case "member":
      return isAttributeParameter(facts, value.object, value.property, isOwn, steps) || (["call", "apply", "bind"].includes(value.property ?? "") && isParameter(facts, value.object, isOwn, steps + 1));
    default:
      return false;
  }
}

/** `self.callback`, where the class was given the callback. */
function isAttributeParameter(facts: ModuleFacts, object: ValueId, property: string | null, isOwn: (id: number) => boolean, steps: number): boolean {
  const holder = facts.values[object];
  const owner = holder?.kind === "self" ? holder.class : holder?.kind === "name" && holder.binding >= 0 ? selfClass(facts, holder.binding) : -1;
  if (owner === -1 || property === null) return false;
  const attributes = facts.classes[owner]?.attributes ?? {};
  return Object.hasOwn(attributes, property) && attributes[property]!.some((one) => isParameter(facts, one, isOwn, steps + 1));
}

function selfClass(facts: ModuleFacts, binding: number): number {
  for (const id of facts.bindings[binding]?.values ?? []) {
    const value = facts.values[id];
    if (value?.kind === "self") return value.class;
  }
  return -1;
}

/** The calls of gates in a module, decorators included; the definitions' own calls do not count. */
export function gateCalls(facts: ModuleFacts, gates: readonly GateName[]): readonly Call[] {
  const known = new Set(gates.map((gate) => gate.name.slice(gate.name.lastIndexOf(".") + 1)));
  const owners = new Set(gates.flatMap((gate) => (gate.name.includes(".") ? [gate.name.slice(0, gate.name.lastIndexOf("."))] : [])));
  return facts.calls.filter((call) => namesOf(facts, call.callee).some((name) => known.has(name) || owners.has(name)));
}

/** The names along a callee, followed through local names: `gate.run` of `gate = WriteGate()` is `WriteGate`, `run`. */
function namesOf(facts: ModuleFacts, callee: ValueId): string[] {
  const found: string[] = [];
  const open: { readonly id: ValueId; readonly steps: number }[] = [{ id: callee, steps: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const value = facts.values[next.id];
    if (value === undefined || next.steps > FARTHEST || found.length > 100) continue;
    const steps = next.steps + 1;
    if (value.kind === "name") {
      found.push(value.name);
      if (value.binding >= 0) open.push(...(facts.bindings[value.binding]?.values ?? []).map((id) => ({ id, steps })));
    } else if (value.kind === "imported") found.push(...value.path.slice(-1));
    else if (value.kind === "member") {
      if (value.property !== null) found.push(value.property);
      open.push({ id: value.object, steps });
    } else if (value.kind === "call") open.push({ id: facts.calls[value.call]!.callee, steps });
  }
  return found;
}

/** Whether a module writes, by what its own facts tell: the catalogue's writes, and `net` with a verb that changes something. */
export function writes(facts: ModuleFacts, path: TreePath, capabilities: RuleContext["capabilities"]): boolean {
  const acquired = acquiredCapabilities(facts, aloneContext(path, { strict: true, capabilities }));
  if (acquired.some((one) => WRITES.has(one.capability))) return true;
  return acquired.some((one) => one.capability === "net") && facts.uses.some((use) => use.role === "call" && use.references.some((reference) => sendsMutatingVerb(reference) === true));
}
