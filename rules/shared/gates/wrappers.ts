import { functionsOf, referencesOf } from "@agentgate/parsers";
import type { Call, ModuleFacts } from "@agentgate/parsers";
import type { Tree } from "../../rule.ts";
import { endsOfValue } from "./ends.ts";
import type { Module } from "./ends.ts";
import { isWithin } from "./definitions.ts";
import type { Subject, UsePlace } from "./uses.ts";
import wrappers from "./wrappers.json" with { type: "json" };

const WRAPPERS = { python: new Set(wrappers.python), ecmascript: new Set(wrappers.ecmascript) };

/**
 * Whether a decorator leaves it to callers of the function's name to run it: one that the tree defines, or one of a package
 * whose decorators do so. Others (`@app.post`, `@tool`) hand the function to something that runs it.
 */
export function onlyWraps(tree: Tree, module: Module, call: Call): boolean {
  if (call.decorator !== true) return false;
  const { facts } = module;
  const maker = facts.values[call.callee];
  const callee = maker?.kind === "call" ? facts.calls[maker.call]!.callee : call.callee;
  if (functionsOf(facts, callee).length > 0) return true;
  const references = referencesOf(facts, callee);
  if (references.length > 0 && references.every((reference) => WRAPPERS[facts.language].has(rootOf(facts, reference.module)))) return true;
  // A method of an instance (`registry.tool`) registers, be it the tree's own.
  return facts.values[callee]?.kind === "name" && endsOfValue(tree, module, callee).ends.length > 0;
}

/** Whether a call of a decorated function stands in its own decorator: who calls the name runs the decorator with it. */
export function isInOwnDecorator({ path, facts, id }: Subject, place: UsePlace): boolean {
  if (place.path !== path) return false;
  const decorators = facts.functions[id]!.decorators.flatMap((decorator) => {
    const maker = facts.values[decorator];
    return functionsOf(facts, maker?.kind === "call" ? facts.calls[maker.call]!.callee : decorator);
  });
  if (decorators.length === 0) return false;
  const { function: around } = facts.calls[place.call]!;
  return isWithin(facts, around, decorators);
}

function rootOf({ language }: ModuleFacts, module: string): string {
  return language === "python" ? module.split(".")[0]! : module;
}
