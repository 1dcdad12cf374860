import type { Call, FunctionId, ModuleFacts, Span, ValueId } from "@agentgate/parsers";
import { aloneContext } from "@agentgate/rules";
import type { RuleContext } from "@agentgate/rules";
import { effectsOf } from "@agentgate/rules/effects";
import { definitionIn, gateNames, receivedFor } from "@agentgate/rules/gates";
import type { GateName } from "@agentgate/rules/gates";
import type { TreePath } from "../paths.ts";
import type { DeclaredGate } from "./policy-gates.ts";

const FARTHEST = 12;

/** The gates that code may define, by the policy or by one of the names that are recognised. */
export function gatesOf(declared: readonly DeclaredGate[]): readonly GateName[] {
  return gateNames({ gates: declared.map(({ name, module, scope, at }) => ({ name, module, scope, line: at.line })) });
}

/** How a module defines a gate. */
export interface GateDefinition {
  /** Of its name. */
  readonly span: Span;
  /** `calls`: its body runs what it is given. `hands-on`: it passes a parameter to another call. `neither`: the callback is lost. */
  readonly callback: "calls" | "hands-on" | "neither";
}

/** The definition of a gate in a module; null where the module has none. */
export function definitionOf(facts: ModuleFacts, path: TreePath, { name, declared }: GateName): GateDefinition | null {
  const module = declared?.module ?? null;
  if (module !== null && !isModule(path, module)) return null;
  const found = definitionIn(facts, name);
  if (found === null) return null;
  const { functions, classes, span } = found;
  const isOwn = (id: FunctionId): boolean => functions.includes(id) || classes.includes(facts.functions[id]?.class ?? -1);
  return { span, callback: found.runs ? "calls" : handsOn(facts, (id) => isWithin(facts, id, isOwn)) ? "hands-on" : "neither" };
}

/** `app.gate`, `src/gate`, `./gate` as the path of a module, wherever its source root lies. */
function isModule(path: TreePath, module: string): boolean {
  const bare = path.replace(/\.[^./]+$/, "").replace(/\/(?:__init__|index)$/, "");
  const named = module.replace(/^(?:\.\/)+/, "").replace(/\.[mc]?[jt]sx?$/, "").replace(/\/(?:__init__|index)$/, "");
  return [named, named.replaceAll(".", "/")].some((one) => bare === one || bare.endsWith(`/${one}`));
}

/** Whether a function is one of a gate's own, or lies inside one. */
function isWithin(facts: ModuleFacts, inner: FunctionId, isOwn: (id: FunctionId) => boolean): boolean {
  for (let id = inner, steps = 0; id > 0 && steps < 200; id = facts.functions[id]?.parent ?? -1, steps++) if (isOwn(id)) return true;
  return false;
}

/** Whether the functions of a gate pass a parameter of theirs on, also by another name. */
function handsOn(facts: ModuleFacts, isOwn: (id: FunctionId) => boolean): boolean {
  const isParameter = (given: ValueId): boolean => {
    let ids = [given];
    for (let steps = 0; steps < FARTHEST && ids.length > 0; steps++) {
      const values = ids.flatMap((id) => facts.values[id] ?? []);
      if (values.some((value) => value.kind === "parameter" && isOwn(value.function) && facts.functions[value.function]?.parameters[value.index]?.name !== "self")) return true;
      ids = values.flatMap((value) => (value.kind === "name" ? facts.bindings[value.binding]?.values ?? [] : [])).slice(0, 100);
    }
    return false;
  };
  return facts.calls.some((call) => isOwn(call.function) && call.arguments.some((argument) => isParameter(argument.value)));
}

/** The calls of gates in a module as its tree tells them, decorators included; the definitions' own calls do not count. */
export function gateCallsIn(facts: ModuleFacts, context: RuleContext): readonly { readonly call: Call; readonly gate: string }[] {
  const calls = receivedFor({ path: context.path, facts }, context).gateCalls();
  return [...calls].map(([id, gate]) => ({ call: facts.calls[id]!, gate }));
}

/** The same by names alone, where nothing is known of the tree. */
export function gateCallsByName(facts: ModuleFacts, gates: readonly GateName[]): readonly { readonly call: Call; readonly gate: string }[] {
  return facts.calls.flatMap((call) => {
    const names = new Set(namesOf(facts, call.callee));
    const gate = gates.find(({ segments }) => names.has(segments.at(-1)!) || (segments.length > 1 && names.has(segments.at(-2)!)));
    return gate === undefined ? [] : [{ call, gate: gate.name }];
  });
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

/** Whether a module itself writes, as `no-ungated-write` counts it. */
export function writes(facts: ModuleFacts, context: RuleContext): boolean {
  return effectsOf(facts, context).own.some((effect) => effect.writes && effect.temporary !== true);
}

/** The context of a module of which nothing else is known. */
export function contextAlone(path: TreePath, capabilities: RuleContext["capabilities"]): RuleContext {
  return aloneContext(path, { strict: true, capabilities });
}
