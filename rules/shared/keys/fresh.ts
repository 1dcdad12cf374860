import type { Call, ModuleFacts } from "@agentgate/parsers";
import listed from "../../data/fresh-values.json" with { type: "json" };
import { apiName } from "../expressions.ts";

const PATHS = {
  python: new Set(listed.python.flatMap(({ paths }) => paths)),
  ecmascript: new Set(listed.ecmascript.flatMap(({ paths }) => paths)),
};
const CONVERSIONS = new Set(listed.conversions.names);
const COARSE = new Set(listed.coarse.methods);

/** The name of a call that gives another value each time (`uuid.uuid4`, `Date.now`); null of any other. */
export function freshApi(facts: ModuleFacts, call: Call): string | null {
  for (const reference of call.references) {
    if (reference.computed === true || reference.through === "annotation") continue;
    const name = apiName(reference);
    // `new Date()` is now, `new Date(x)` is not.
    if (name === "globalThis.Date" && (call.construct !== true || call.arguments.length > 0)) continue;
    if (PATHS[facts.language].has(name)) return name.replace(/^globalThis\./, "");
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
