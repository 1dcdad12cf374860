import type { Gate, RuleContext } from "../../rule.ts";
import names from "./names.json" with { type: "json" };

/** A gate that may be in the tree: declared, or one of the names that are recognised. */
export interface GateName {
  /** As written: `write_gate`, `AsyncCaller.call`. */
  readonly name: string;
  readonly segments: readonly string[];
  /** Absent: it must be found in the tree, with a body that calls what it is handed. */
  readonly declared: Gate | null;
}

/** A gate that something was recognised as. */
export interface Recognised {
  readonly gate: GateName;
  /** The module of the tree that defines it; null where that is not known. */
  readonly path: string | null;
  /** A member of what the gate gives: that of a client it handed out, or another step of the gate, which takes a callback. */
  readonly beyond?: true;
}

/**
 * The declared gates, then those that code may define. Where a gate is declared for the whole tree code cannot add
 * another one: a function that is merely called like a gate would let everything pass.
 */
export function gateNames({ gates }: Pick<RuleContext, "gates">): readonly GateName[] {
  const declared = gates.map((gate): GateName => ({ name: gate.name, segments: gate.name.split("."), declared: gate }));
  if (gates.some((gate) => gate.scope === "tree")) return declared;
  const found = names.found.filter((name) => !gates.some((gate) => gate.name === name));
  return [...declared, ...found.map((name): GateName => ({ name, segments: [name], declared: null }))];
}

/** Whether a path of the tree, or the name of a package, is the module that a declared gate names. */
export function isModuleOf(where: string, module: string): boolean {
  if (where === module || where.startsWith(`${module}/`)) return true;
  const bare = withoutEnding(where);
  const named = withoutEnding(module.replace(/^(?:\.\/)+/, ""));
  return [named, named.replaceAll(".", "/")].some((each) => bare === each || bare.endsWith(`/${each}`));
}

function withoutEnding(path: string): string {
  return path.replace(/\.(?:pyi?|[mc]?[jt]sx?)$/, "").replace(/\/(?:__init__|index)$/, "");
}
