import type { ValueId } from "../facts.ts";
import { argumentAt } from "./arguments.ts";
import type { Given } from "./arguments.ts";
import type { Resolver } from "./resolver.ts";
import type { Outside } from "./outside.ts";
import type { Reach, Shape } from "./shapes.ts";
import { readText } from "./text.ts";
import type { Behaviour } from "./vocabulary.ts";

type Load = Extract<Behaviour, { kind: "load" }>;

/**
 * What a loader that takes text gives: the modules that the text can name; an instance of the loader itself where it
 * does not fold, so that it is known where what follows came from.
 */
export function loaded(resolver: Resolver, loader: Outside, load: Load, given: Given, isPlain: boolean): readonly Shape[] {
  const text = argumentAt(given, load.text, load.keyword);
  const names = text === undefined ? null : readText(resolver, text);
  if (text === undefined || names === null) return [loader.instance()];
  const isWritten = resolver.value(text).kind === "string";
  return names.map((reach) => named(resolver, load, given, reach, through(load, reach, isWritten, isPlain)));
}

type Through = Reach["through"];

function through(load: Load, reach: Reach, isWritten: boolean, isPlain: boolean): Through {
  if (reach.through !== undefined) return reach.through;
  if (!isWritten || load.written === "dynamic") return "dynamic";
  return load.written === "plain" && isPlain ? undefined : "literal-reach";
}

function named(resolver: Resolver, load: Load, given: Given, reach: Reach, way: Through): Outside {
  const name = reach.name ?? "";
  switch (load.gives) {
    case "module": return resolver.world.module(absolute(resolver, name, given), way);
    case "package": return resolver.world.module(isWhole(resolver, given) ? name : firstPart(name), way);
    case "dotted": return dotted(resolver, name, way);
  }
}

function firstPart(name: string): string {
  return name.slice(0, (name + ".").indexOf("."));
}

/** `__import__(name, globals, locals, fromlist)` gives the named module only where `fromlist` is not empty. */
function isWhole(resolver: Resolver, given: Given): boolean {
  const list = argumentAt(given, 3, "fromlist");
  if (list === undefined) return false;
  const value = resolver.value(list);
  return !(value.kind === "list" && value.items.length === 0) && value.kind !== "constant";
}

/** `import_module(".client", "httpx")`. */
function absolute(resolver: Resolver, name: string, given: Given): string {
  if (!resolver.isPython || !name.startsWith(".") || name.startsWith("..")) return name;
  const anchor: ValueId | undefined = argumentAt(given, 1, "package");
  const names = anchor === undefined ? null : readText(resolver, anchor);
  const [only] = names ?? [];
  return names?.length === 1 && only?.name != null ? only.name + name : name;
}

/** `resolve_name("os:system")`, `locate("os.system")`: what is module and what is member cannot be told from the text. */
function dotted(resolver: Resolver, name: string, way: Through): Outside {
  const [module = "", members = ""] = name.includes(":") ? name.split(":", 2) : [firstPart(name), name.slice(firstPart(name).length + 1)];
  let shape = resolver.world.module(module, way);
  for (const member of members.split(".").slice(0, 8)) if (member !== "") shape = shape.member(member);
  return shape;
}
