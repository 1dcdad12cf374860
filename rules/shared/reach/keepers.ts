import type { Call, ModuleFacts } from "@agentgate/parsers";
import { apiName } from "../expressions.ts";
import keepers from "./keepers.json" with { type: "json" };

const KEEPERS = { python: new Set(keepers.python), ecmascript: new Set(keepers.ecmascript) };
const CALLING = new Set(keepers.pythonCalling);

/** Whether a call only keeps, looks at or hands back the functions that it is given: `cast(F, wrapped)`, `Object.defineProperty`. */
export function keepsFunctions({ language }: ModuleFacts, { references }: Call): boolean {
  return references.some((reference) => {
    const name = apiName(reference);
    if (CALLING.has(name)) return false;
    for (let end = name.length; end > 0; end = name.lastIndexOf(".", end - 1)) if (KEEPERS[language].has(name.slice(0, end))) return true;
    return false;
  });
}
