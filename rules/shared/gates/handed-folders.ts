import type { FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { argumentOf, parametersBefore } from "../arguments.ts";
import { isBelowTemporary, parametersBehind, pathOf } from "../effects/temporary.ts";
import { runFunction } from "../reach/places.ts";
import { isBelowCache } from "./caches.ts";
import type { Callers } from "./callers.ts";
import type { Module } from "./ends.ts";
import { isOffered } from "./modules.ts";
import { isConstructor } from "./uses.ts";
import type { Subject, UsePlace } from "./uses.ts";

/** A folder is handed on over a few functions. */
const DEEPEST = 3;

/**
 * Whether all that the tree hands to the functions around a write or a deletion is a temporary folder, and the path lies in
 * it. A public method may be handed others by who uses its class: then the tree's callers do not tell of the write.
 */
export type Handed = "temporary" | "public" | "other";

export function folderHanded(module: Module, call: number, callers: Callers): Handed {
  const path = pathOf(module.facts, module.facts.calls[call]!);
  return path === null ? "other" : handedFor(module, path, callers, DEEPEST);
}

function handedFor(module: Module, path: ValueId, callers: Callers, depth: number): Handed {
  const parameters = parametersBehind(module.facts, path);
  if (depth === 0 || parameters === null || parameters.length === 0) return "other";
  const subjects = parameters.map(({ function: id, index }) => ({ subject: { ...module, id }, index }));
  if (!subjects.every(({ subject, index }) => isHandedOnly(subject, index, callers, depth))) return "other";
  return subjects.some(({ subject }) => isPublicMethod(subject)) ? "public" : "temporary";
}

function isHandedOnly(subject: Subject, index: number, callers: Callers, depth: number): boolean {
  const places = callsOf(subject, callers);
  return places !== null && places.length > 0 && places.every((place) => {
    const given = givenAt(place, subject, index);
    return given !== null && (isPassing(place.facts, given) || handedFor(place, given, callers, depth - 1) === "temporary");
  });
}

/** The parameters of the function around a call that the path which it writes begins with. */
export function foldersNeeded(module: Module, call: number): readonly number[] {
  const { facts } = module;
  const path = pathOf(facts, facts.calls[call]!);
  const around = functionAt(facts, call);
  return path === null ? [] : (parametersBehind(facts, path) ?? []).flatMap(({ function: id, index }) => (id === around ? [index] : []));
}

/** Whether a call hands one of them a temporary folder. */
export function handsTemporary(parameters: readonly number[], subject: Subject, place: UsePlace): boolean {
  return parameters.some((index) => {
    const given = givenAt(place, subject, index);
    return given !== null && isPassing(place.facts, given);
  });
}

/** In a temporary folder, or in one for caches. */
function isPassing(facts: ModuleFacts, path: ValueId): boolean {
  return isBelowTemporary(facts, path) || isBelowCache(facts, path);
}

function isPublicMethod(subject: Subject): boolean {
  const { class: owner, name, kind } = subject.facts.functions[subject.id]!;
  return owner !== -1 && !isConstructor(name, kind) && !/^[#_]/.test(name) && isOffered(subject);
}

/** The calls of a function by others; null where it is handed on, or some were not looked for. */
function callsOf(subject: Subject, callers: Callers): readonly UsePlace[] | null {
  const places: UsePlace[] = [];
  const left = callers.ofSome(subject, (place) => {
    places.push(place);
    return false;
  });
  if (left.reason?.kind === "untold" || left.isPartial || left.callers.length > 0) return null;
  if (places.some(({ value }) => value !== null)) return null;
  return places.filter(({ path, facts, call }) => path !== subject.path || functionAt(facts, call) !== subject.id);
}

function functionAt(facts: ModuleFacts, call: number): FunctionId {
  return runFunction(facts, facts.calls[call]!.function);
}

function givenAt({ facts, call }: UsePlace, subject: Subject, index: number): ValueId | null {
  const owner = subject.facts.functions[subject.id]!;
  const parameter = owner.parameters[index];
  if (parameter === undefined || parameter.kind === "rest" || parameter.kind === "keyword-rest") return null;
  const position = parameter.kind === "keyword" ? null : index - parametersBefore(subject.facts, owner);
  const given = argumentOf(facts, facts.calls[call]!, position, facts.language === "python" ? parameter.name : null);
  return typeof given === "number" ? given : null;
}
