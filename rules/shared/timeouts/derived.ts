import { definitionsOf, instancesOf } from "@agentgate/parsers";
import type { Call, ClassId, FunctionId, ModuleFacts, Value } from "@agentgate/parsers";
import { callsWrittenIn, onceFor } from "../indexes.ts";
import type { TimeoutDefault } from "./defaults.ts";

/** Of more classes above one than this, those that are nearest are asked. */
const MOST_BASES = 64;

/** A class of the file, or one that it derives from, that derives from the library's and sends in its own way. */
export function isOverridden(facts: ModuleFacts, call: Call, { settings }: TimeoutDefault): boolean {
  const callee = facts.values[call.callee];
  if (callee?.kind !== "member") return false;
  const names = [callee.property ?? "", ...(settings?.attributes ?? [])];
  return [...withBases(facts, instancesOf(facts, callee.object))].some((id) => names.some((name) => (methodsOf(facts).get(id)?.get(name) ?? []).some((method) => !onlyHandsOn(facts, method))));
}

/** Whether a method does no more than to send as the library's class does, and says nothing of a limit: `return super().request(method, base + path, **options)`. */
function onlyHandsOn(facts: ModuleFacts, id: FunctionId): boolean {
  const { name, span: [start, end] } = facts.functions[id]!;
  const isInside = ({ span }: Value): boolean => span[0] >= start && span[1] <= end;
  const calls = callsWrittenIn(facts, id).map((call) => facts.calls[call]!);
  const sends = calls.filter((call) => isSuper(facts, call, name));
  return sends.length > 0 && calls.every((call) => sends.includes(call) || call.references.some(({ module }) => module === "builtins"))
    && !facts.values.some((value) => isInside(value) && saysTimeout(value)) && !calls.some((call) => call.arguments.some((argument) => /timeout/i.test(argument.name ?? "")));
}

/** `super().request(…)`. */
function isSuper(facts: ModuleFacts, call: Call, name: string): boolean {
  const callee = facts.values[call.callee];
  const object = callee?.kind === "member" && callee.property === name ? facts.values[callee.object] : undefined;
  const made = object?.kind === "call" ? facts.values[facts.calls[object.call]!.callee] : undefined;
  return made?.kind === "name" && made.name === "super";
}

function saysTimeout(value: Value): boolean {
  const text = value.kind === "string" ? value.value : value.kind === "name" ? value.name : value.kind === "member" ? value.property ?? "" : "";
  return /timeout/i.test(text);
}

/** Classes and those of the file that they derive from, as far up as anybody derives. */
function withBases(facts: ModuleFacts, classes: readonly ClassId[]): ReadonlySet<ClassId> {
  const found = new Set(classes);
  for (const id of found) {
    if (found.size >= MOST_BASES) break;
    for (const base of facts.classes[id]?.bases ?? []) {
      for (const definition of definitionsOf(facts, base)) if (definition.kind === "class") found.add(definition.id);
    }
  }
  return found;
}

const methodsOf = onceFor((facts) => {
  const methods = new Map<ClassId, Map<string, FunctionId[]>>();
  facts.functions.forEach(({ class: id, name }, index) => {
    if (id < 0) return;
    const own = methods.get(id) ?? new Map<string, FunctionId[]>();
    const named = own.get(name);
    if (named === undefined) own.set(name, [index]);
    else named.push(index);
    methods.set(id, own);
  });
  return methods;
});
