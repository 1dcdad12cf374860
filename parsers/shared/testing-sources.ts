import type { ModuleFacts, Reference, ValueId } from "../facts.ts";
import { parseEcmascript } from "../ecmascript/index.ts";
import { parsePython } from "../python/index.ts";
import { constantsOf, referencesOf } from "./resolve.ts";

/** One row of a table that shows what both languages give for the same technique. */
export interface Row {
  readonly technique: string;
  /** Source in which `probe(x)` asks about x; null: the language has no such thing. */
  readonly python: string | null;
  readonly typescript: string | null;
  /** What both give, or each. */
  readonly expected: string | readonly [python: string, typescript: string];
}

export type Language = "python" | "typescript";

export function factsOfSource(language: Language, source: string): ModuleFacts {
  return language === "python" ? parsePython(source) : parseEcmascript(source, { dialect: "typescript" });
}

/** The argument of the one call of `probe`. */
export function probed(facts: ModuleFacts): ValueId {
  const call = facts.calls.find(({ callee }) => {
    const value = facts.values[callee]!;
    return value.kind === "name" && value.name === "probe";
  });
  if (call?.arguments[0] === undefined) throw new Error("no call of probe");
  return call.arguments[0].value;
}

/** `module:a.b`, then `()` for an instance, `[?]` for a computed member, and how it was reached. */
export function spelled({ module, path, instance, computed, through }: Reference): string {
  const members = [module, path.join(".")].filter((part) => part !== "").join(":");
  return members + (instance ? "()" : "") + (computed ? "[?]" : "") + (through === undefined ? "" : ` by ${through}`);
}

export function spelledReferences(facts: ModuleFacts): string {
  return referencesOf(facts, probed(facts)).map(spelled).join(" | ") || "nothing";
}

/** Constants as JSON, `b` before bytes, `!` after what was decoded. */
export function spelledConstants(facts: ModuleFacts): string {
  const constants = constantsOf(facts, probed(facts));
  if (constants === null) return "unknown";
  return constants.map(({ value, bytes, decoded }) => (bytes ? "b" : "") + (JSON.stringify(value)) + (decoded ? "!" : "")).join(" | ");
}

/** The rows that a language has, each with what it expects. */
export function rowsOf(rows: readonly Row[], language: Language): { technique: string; source: string; expected: string }[] {
  const index = language === "python" ? 0 : 1;
  return rows.flatMap(({ technique, expected, ...sources }) => {
    const source = sources[language];
    return source === null ? [] : [{ technique, source, expected: typeof expected === "string" ? expected : expected[index] }];
  });
}
