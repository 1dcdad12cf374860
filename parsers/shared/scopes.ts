import type { Binding, BindingId, Scope, ScopeId, Value } from "../facts.ts";
import type { Draft } from "./builder.ts";
import { ECMASCRIPT } from "./vocabulary-ecmascript.ts";
import { PYTHON } from "./vocabulary-python.ts";

const PYTHON_BUILTINS: ReadonlySet<string> = new Set(PYTHON.builtins);
const GLOBALS: ReadonlySet<string> = new Set(ECMASCRIPT.builtins);

/** Above this many declarations of one name, the scope's own table is the quicker way. */
const FEW = 4;

/**
 * Sets `binding` of every value of kind `name`. Linear in names times the depth of scopes, where a name that nothing
 * in the file declares costs one look.
 */
export function lookUpNames(draft: Draft): void {
  const values = draft.facts.values;
  for (let index = 0; index < draft.names.length; index++) {
    const declared = draft.declared[draft.nameSymbols.items[index]!];
    if (declared === undefined) continue;
    const value = values[draft.names.items[index]!]! as Extract<Value, { kind: "name" }>;
    value.binding = lookUp(draft, declared, value, index);
  }
}

function lookUp(draft: Draft, declared: readonly BindingId[], value: Extract<Value, { kind: "name" }>, index: number): BindingId {
  const { scopes, bindings, language } = draft.facts;
  let classesVisible = true;
  for (let id: ScopeId = draft.nameScopes.items[index]!; id >= 0; ) {
    const scope = scopes[id]!;
    if (scope.kind !== "class" || classesVisible || language === "ecmascript") {
      const found = declared.length > FEW ? (scope.names[value.name] ?? -1) : declaredIn(bindings, declared, id);
      if (found >= 0 && !isBeforeIt(draft, bindings[found]!, value, index, scope)) return found;
    }
    // A class body's names are seen by its statements, not by the functions in it.
    if (scope.kind === "function" || scope.kind === "comprehension") classesVisible = false;
    id = scope.parent;
  }
  return -1;
}

/**
 * Whether a name of a Python module or class body means what is around it, since the statement that declares it is
 * not done: `exec = exec`, or `exec(x)` above `exec = None`. Only builtins are told apart: of anything else, a name
 * met before its first value is more likely one in a loop. In a script, `var fetch = fetch || x` keeps the global too.
 */
function isBeforeIt(draft: Draft, binding: Binding, value: Extract<Value, { kind: "name" }>, index: number, scope: Scope): boolean {
  const { facts } = draft;
  if (draft.nameScopes.items[index] !== binding.scope || (scope.kind !== "module" && scope.kind !== "class")) return false;
  const isPython = facts.language === "python";
  if (!(isPython ? PYTHON_BUILTINS : GLOBALS).has(value.name) || (!isPython && binding.kind !== "variable")) return false;
  const [start] = value.span;
  const [declared] = binding.span;
  if (start <= declared) return isPython && start < declared;
  const statement = facts.statements[draft.nameStatements.items[index]!]!;
  return statement[0] <= declared && declared < statement[1];
}

function declaredIn(bindings: readonly Binding[], declared: readonly BindingId[], scope: ScopeId): BindingId {
  for (const id of declared) if (bindings[id]!.scope === scope) return id;
  return -1;
}
