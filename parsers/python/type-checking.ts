import type { Import, ScopeId, Value } from "../facts.ts";
import { ROLES } from "../shared/builder.ts";
import { Field, Kind } from "./reader.ts";
import type { Reader } from "./reader.ts";

/** An import under a test of `TYPE_CHECKING`, which counts only if that name is what it seems to be. */
export interface TypeCheckingImport {
  readonly import: number;
  /** The row of the test. */
  readonly test: number;
  readonly scope: ScopeId;
}

const NAME = "TYPE_CHECKING";

/**
 * Which branch of an `if` only type checkers read: `then` under `TYPE_CHECKING` or `typing.TYPE_CHECKING`, `else`
 * under its `not`. The row is that of the name or member.
 */
export function typeCheckingTest(reader: Reader, row: number): { row: number; branch: "then" | "else" } | null {
  let at = row;
  let branch: "then" | "else" = "then";
  for (;;) {
    const kind = reader.kinds[at];
    if (kind === Kind.parenthesized_expression && reader.operand(at) >= 0) at = reader.operand(at);
    else if (kind === Kind.not_operator && reader.child(at, Field.argument) >= 0) {
      at = reader.child(at, Field.argument);
      branch = branch === "then" ? "else" : "then";
    } else break;
  }
  if (reader.kinds[at] === Kind.identifier) return reader.textOf(at) === NAME ? { row: at, branch } : null;
  if (reader.kinds[at] !== Kind.attribute) return null;
  const name = reader.child(at, Field.attribute);
  const object = reader.child(at, Field.object);
  return name >= 0 && reader.textOf(name) === NAME && reader.kinds[object] === Kind.identifier ? { row: at, branch } : null;
}

/**
 * Marks the imports under `if TYPE_CHECKING:`, once the whole file is known: the name must come from `typing`, or be
 * False, and nothing may write it. Otherwise the branch may well run.
 */
export function markTypeChecking(reader: Reader): void {
  if (reader.typeCheckingImports.length === 0 || isWritten(reader)) return;
  const imports = reader.builder.draft.facts.imports as (Import & { typeChecking?: true })[];
  for (const { import: id, test, scope } of reader.typeCheckingImports) {
    if (isGenuine(reader, test, scope)) imports[id]!.typeChecking = true;
  }
}

function isGenuine(reader: Reader, test: number, scope: ScopeId): boolean {
  const isMember = reader.kinds[test] === Kind.attribute;
  const name = reader.nameOf(isMember ? reader.child(test, Field.object) : test);
  const { scopes, values, imports } = reader.builder.draft.facts;
  for (let id = scope; id >= 0; id = scopes[id]!.parent) {
    const found = scopes[id]!.names[name];
    if (found === undefined) continue;
    const binding = reader.builder.binding(found);
    const isTyping = (value: Value): boolean => {
      if (value.kind === "constant") return !isMember && value.value === false;
      if (value.kind !== "imported" || value.path.join(".") !== (isMember ? "" : NAME)) return false;
      return ["typing", "typing_extensions"].includes(imports[value.import]!.specifier);
    };
    return binding.rebound !== true && binding.values.length > 0 && binding.values.every((value) => isTyping(values[value]!));
  }
  return false;
}

/** Whether anything in the file assigns to a member of that name, or spells the name as text to do so. */
function isWritten(reader: Reader): boolean {
  const { facts, roles } = reader.builder.draft;
  const write = ROLES.indexOf("write");
  return facts.values.some((value, id) => {
    if (value.kind === "string") return value.value === NAME;
    return value.kind === "member" && value.property === NAME && roles.items[id] === write;
  });
}
