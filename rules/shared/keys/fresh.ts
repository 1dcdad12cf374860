import type { Call, ModuleFacts, Reference } from "@agentgate/parsers";
import listed from "../../data/fresh-values.json" with { type: "json" };
import type { RuleContext } from "../../rule.ts";
import { apiName } from "../expressions.ts";
import { isModuleOf, modulesOfApis } from "../names.ts";
import { outsideReferences, Resolver } from "../tree.ts";

const PATHS = {
  python: new Set(listed.python.flatMap(({ paths }) => paths)),
  ecmascript: new Set(listed.ecmascript.flatMap(({ paths }) => paths)),
};
const CONVERSIONS = new Set(listed.conversions.names);
const COARSE = new Set(listed.coarse.methods);

const MODULES = { python: modulesOfApis(PATHS.python), ecmascript: modulesOfApis(PATHS.ecmascript) };

const LAST_NAMES = {
  python: new Set([...PATHS.python].map((path) => path.slice(path.lastIndexOf(".") + 1))),
  ecmascript: new Set([...PATHS.ecmascript].map((path) => path.slice(path.lastIndexOf(".") + 1))),
};

/**
 * The name of a call that gives another value each time (`uuid.uuid4`, `Date.now`); null of any other. With a context, also
 * of what another module of the tree only passes on.
 */
export function freshApi(facts: ModuleFacts, call: Call, context: Pick<RuleContext, "tree" | "path"> | null = null): string | null {
  for (const reference of call.references) {
    if (reference.computed === true || reference.through === "annotation") continue;
    if (context === null && !isModuleOf(MODULES[facts.language], reference.module)) continue;
    const name = freshName(facts, call, reference) ?? (context === null ? null : passedOn(facts, call, reference, context));
    if (name !== null) return name;
  }
  return null;
}

function freshName({ language }: ModuleFacts, call: Call, reference: Reference): string | null {
  const last = reference.path.at(-1);
  if (last !== undefined && last !== "default" && !LAST_NAMES[language].has(last)) return null;
  const name = apiName(reference);
  // `new Date()` is now, `new Date(x)` is not.
  if (name === "globalThis.Date" && (call.construct !== true || call.arguments.length > 0)) return null;
  return PATHS[language].has(name) ? name.replace(/^globalThis\./, "") : null;
}

function passedOn(facts: ModuleFacts, call: Call, reference: Reference, context: Pick<RuleContext, "tree" | "path">): string | null {
  if (!LAST_NAMES[facts.language].has(reference.path.at(-1) ?? "")) return null;
  for (const outside of outsideReferences(new Resolver(context), context.path, reference)) {
    const name = outside.through.length === 0 ? null : freshName(facts, call, outside.reference);
    if (name !== null) return name;
  }
  return null;
}

/** Whether a function or method of this name only spells its value differently, or digests it. */
export function converts(name: string): boolean {
  return CONVERSIONS.has(name);
}

/** Whether a method takes the day, the month or the year of a time: equal for all attempts of a write. */
export function isCoarse(name: string): boolean {
  return COARSE.has(name);
}
