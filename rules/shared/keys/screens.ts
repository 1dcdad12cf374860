import type { ModuleFacts } from "@agentgate/parsers";
import { onceFor } from "../indexes.ts";
import { isScreenToolkit } from "./names.ts";

const screens = onceFor((facts) => ({
  is: facts.dialect === "jsx" || facts.dialect === "tsx" || facts.imports.some((entry) => isScreenToolkit(facts.language, entry.specifier)),
}));

/** Whether a module draws a screen: what its handlers send is sent once for each press. */
export function isScreen(facts: ModuleFacts): boolean {
  return screens(facts).is;
}
