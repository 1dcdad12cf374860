import { referencesOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import type { RuleContext } from "../../rule.ts";
import { callsApi } from "../expressions.ts";
import { Resolver } from "../tree.ts";

/** An expression of some module of the tree. */
export interface Placed {
  readonly path: string;
  readonly facts: ModuleFacts;
  readonly value: ValueId;
}

const MAX_HOPS = 20;

/** What a name that another module of the tree exports was given there; null where it leads out of the tree or nowhere. */
export function exportedValue(facts: ModuleFacts, context: RuleContext, from: string, id: ValueId): Placed | null {
  const [reference] = referencesOf(facts, id).filter((each) => each.computed !== true && each.instance !== true);
  if (reference === undefined || reference.module === "builtins" || reference.module === "globalThis") return null;
  const resolver = new Resolver(context);
  let { module, path } = reference as { module: string; path: readonly string[] };
  let place = from;
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const destination = resolver.destination(place, module);
    if (destination.kind !== "inside") return null;
    const home = resolver.tree.facts(destination.path);
    const [name, ...rest] = path;
    if (home === null || name === undefined) return null;
    const entry = home.exports.find((each) => each.name === name && each.typeOnly !== true);
    const source = entry?.import === undefined ? undefined : home.imports[entry.import];
    if (source !== undefined) {
      [module, path, place] = [source.specifier, [entry!.imported ?? name, ...rest], destination.path];
      continue;
    }
    if (entry === undefined) {
      const star = home.exports.find((each) => each.name === "*" && each.import !== undefined);
      const deeper = home.language === "python" ? submodule(module, name) : undefined;
      if (star !== undefined) [module, place] = [home.imports[star.import!]!.specifier, destination.path];
      else if (deeper !== undefined && rest.length > 0) [module, path] = [deeper, rest];
      else return null;
      continue;
    }
    if (entry.value === null) return null;
    const value = memberOf(home, entry.value, rest);
    return value === null ? null : { path: destination.path, facts: home, value };
  }
  return null;
}

/** `pkg` and `config`: `pkg.config`, which may be a module of its own. */
function submodule(module: string, name: string): string {
  return module.endsWith(".") ? `${module}${name}` : `${module}.${name}`;
}

/** Entries of tables and attributes of classes, by name: `Models.DEFAULT`, `settings.model`. */
export function memberOf(facts: ModuleFacts, id: ValueId, path: readonly string[]): ValueId | null {
  let current: ValueId | undefined = id;
  for (const name of path) {
    if (name === "value") continue;
    current = memberNamed(facts, current, name);
    if (current === undefined) return null;
  }
  return current;
}

function memberNamed(facts: ModuleFacts, id: ValueId, name: string): ValueId | undefined {
  let value = facts.values[id];
  for (let step = 0; step < 8 && value?.kind === "name"; step++) {
    const given: readonly ValueId[] = facts.bindings[value.binding]?.values ?? [];
    value = given.length === 1 ? facts.values[given[0]!] : undefined;
  }
  for (let step = 0; step < 4 && value?.kind === "call"; step++) value = heldBy(facts, facts.calls[value.call]!);
  if (value?.kind === "class") {
    const { attributes } = facts.classes[value.class]!;
    return Object.hasOwn(attributes, name) ? attributes[name]?.[0] : undefined;
  }
  if (value?.kind === "list") return /^\d+$/.test(name) && !value.items.some((item) => facts.values[item]?.kind === "spread") ? value.items[Number(name)] : undefined;
  if (value?.kind !== "table") return undefined;
  return value.entries.find((entry) => entry.key !== null && isText(facts, entry.key, name))?.value;
}

const HOLDERS = ["globalThis.Object.freeze", "globalThis.Object.seal", "globalThis.Object.preventExtensions", "types.MappingProxyType", "builtins.dict"];

/** What is only wrapped to be read: `Object.freeze({ … })`, `MappingProxyType({ … })`. */
function heldBy(facts: ModuleFacts, call: Call): Value | undefined {
  const [first, ...others] = call.arguments;
  return first?.name === undefined && first !== undefined && others.length === 0 && callsApi(call, HOLDERS) ? facts.values[first.value] : undefined;
}

function isText(facts: ModuleFacts, id: ValueId, text: string): boolean {
  const value = facts.values[id];
  return value?.kind === "string" && value.value === text;
}
