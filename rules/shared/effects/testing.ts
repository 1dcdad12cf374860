import { dialectOf, parseEcmascript, parsePython } from "@agentgate/parsers";
import type { ModuleFacts } from "@agentgate/parsers";
import { contextOf } from "../testing.ts";
import type { TreeInput } from "../testing.ts";
import { effectsOf } from "./index.ts";
import type { Effect, Effects, ReachedEffect } from "./effect.ts";

export type Language = "python" | "typescript";

export function factsIn(language: Language, source: string): ModuleFacts {
  return language === "python" ? parsePython(source) : parseEcmascript(source, { dialect: dialectOf("a.ts") });
}

/** The effects of a source, with other modules of its tree by the specifier that names them. */
export function effectsIn(language: Language, source: string, modules: Readonly<Record<string, string>> = {}, input: TreeInput = {}): { readonly facts: ModuleFacts; readonly effects: Effects } {
  const facts = factsIn(language, source);
  const others = Object.fromEntries(Object.entries(modules).map(([path, text]) => [path, factsIn(language, text)]));
  return { facts, effects: effectsOf(facts, contextOf({ ...input, modules: others })) };
}

/** `net! httpx.post`: `!` writes, `~` in a temporary folder, `^` as a value, then how it is told unless resolved. */
export function spelled({ capability, writes, temporary, asValue, told, api }: Omit<Effect, "call" | "statement" | "function" | "receiver">): string {
  return `${capability}${writes ? "!" : ""}${temporary ? "~" : ""}${asValue ? "^" : ""} ${api}${told === "resolved" ? "" : ` by ${told}`}`;
}

export function spelledReached({ effect, steps, path }: ReachedEffect): string {
  const way = steps.map((step) => step.name).join(" > ");
  return `${spelled(effect)}${way === "" ? "" : ` through ${way}`}${path === undefined ? "" : ` in ${path}`}`;
}

/** The id of the first call whose callee ends in a name. */
export function callNamed(facts: ModuleFacts, name: string): number {
  return facts.calls.findIndex(({ callee }) => {
    const value = facts.values[callee]!;
    return (value.kind === "name" && value.name === name) || (value.kind === "member" && value.property === name);
  });
}
