import type { ImportName, ScopeId, Span, ValueId } from "../facts.ts";
import { addAssign, markFollowed } from "./assignments.ts";
import { addRequire, isLiteralRequire } from "./calls.ts";
import { interopModule } from "./commonjs.ts";
import { spanOf, unwrap } from "./estree.ts";
import type { Node, NodeOf } from "./estree.ts";
import { readNamed } from "./functions.ts";
import { keyName } from "./members.ts";
import { bind, declareName, patternAnnotation } from "./patterns.ts";
import type { Declaration } from "./patterns.ts";
import { readType, typeUses, unwrapTyped } from "./types.ts";
import type { Walk } from "./walk.ts";

type VariablesNode = NodeOf<"VariableDeclaration">;

/** Reads `var`, `let`, `const` or `using`; returns the values that the names were given. */
export function readVariables(walk: Walk, node: VariablesNode): ValueId[] {
  walk.builder.openStatement(spanOf(node));
  return declareVariables(walk, node, undefined);
}

/** As `readVariables`, in the statement of the moment; `onName` is called for each name that is exported. */
export function declareVariables(walk: Walk, node: VariablesNode, onName: Declaration["onName"]): ValueId[] {
  if (walk.isAmbient || node.declare === true) {
    for (const declarator of node.declarations) typeUses(walk, declarator.id);
    return [];
  }
  const declaration = declarationOf(walk, node, onName);
  const given: ValueId[] = [];
  for (const declarator of node.declarations) {
    const value = declareOne(walk, declarator, declaration);
    if (value !== null) given.push(value);
  }
  return given;
}

/** How the names of a declaration are declared. */
export function declarationOf(walk: Walk, node: VariablesNode, onName?: Declaration["onName"]): Declaration {
  const scope = node.kind === "var" ? walk.variableScope : walk.builder.scope;
  const kind = node.kind === "var" || node.kind === "let" ? "variable" : "constant";
  return { kind, scope, isFollowed: onName === undefined, ...(onName && { onName }) };
}

function declareOne(walk: Walk, node: NodeOf<"VariableDeclarator">, declaration: Declaration): ValueId | null {
  patternAnnotation(walk, node.id);
  if (node.init == null) {
    if (node.id.type === "Identifier") {
      declareName(walk, node.id, declaration);
      declaration.onName?.(node.id.name, null, spanOf(node.id));
    }
    return null;
  }
  const init = unwrap(node.init);
  const names = isLiteralRequire(walk, init) ? requiredNames(walk, node.id, declaration.scope) : null;
  if (names !== null) return declareRequired(walk, node, init as NodeOf<"CallExpression">, names, declaration);
  const value = node.id.type === "Identifier" ? readNamed(walk, node.init, node.id.name, spanOf(node.id)) : walk.expression(node.init);
  // A pattern of nothing, or of items, has no member of the whole that would be followed instead.
  if (node.id.type === "ArrayPattern" && declaration.isFollowed) markFollowed(walk, value);
  addAssign(walk, bind(walk, node.id, value, declaration), value, "=");
  giveInterop(walk, node.id, init, value);
  return value;
}

/** `x = __importStar(require("m"))`: what the helper gives is as good as the module. */
function giveInterop(walk: Walk, id: Node, init: Node, value: ValueId): void {
  const module = interopModule(walk, init, value);
  if (module !== null && id.type === "Identifier") walk.builder.give(walk.lookUp(id.name), module);
}

/** `x = require("m")` and `{ a, b: c } = require("m")`: the names are imported. Null for any other pattern. */
function requiredNames(walk: Walk, id: Node, scope: ScopeId): ImportName[] | null {
  if (id.type === "Identifier") return [importName(walk, "*", id, scope)];
  if (id.type !== "ObjectPattern") return null;
  const written: { imported: string; local: NodeOf<"Identifier"> }[] = [];
  for (const property of id.properties) {
    if (property.type !== "Property" || property.value.type !== "Identifier") return null;
    const imported = keyName(property.key, property.computed);
    if (imported === null) return null;
    written.push({ imported, local: property.value });
  }
  return written.map(({ imported, local }) => importName(walk, imported, local, scope));
}

function importName(walk: Walk, imported: string, local: NodeOf<"Identifier">, scope: ScopeId): ImportName {
  const span: Span = spanOf(local);
  return { imported, binding: walk.builder.declare(local.name, "import", span, scope), span };
}

function declareRequired(
  walk: Walk, node: NodeOf<"VariableDeclarator">, call: NodeOf<"CallExpression">, names: readonly ImportName[], declaration: Declaration,
): ValueId {
  const { builder } = walk;
  if (node.id.type === "Identifier" && node.id.typeAnnotation != null) readType(walk, node.id.typeAnnotation);
  if (node.init != null) unwrapTyped(walk, node.init);
  const index = addRequire(walk, call, names, builder.draft.facts.statements[builder.statement]!);
  const targets = names.map(({ imported, binding, span }) => {
    const path = imported === "*" ? [] : [imported];
    const value = builder.value({ kind: "imported", import: index, path, span: path.length === 0 ? spanOf(call) : span });
    builder.give(binding, value);
    declaration.onName?.(builder.binding(binding).name, value, span);
    return builder.name(builder.binding(binding).name, span, declaration.scope);
  });
  const whole = builder.value({ kind: "imported", import: index, path: [], span: spanOf(call) });
  for (const target of targets) addAssign(walk, target, whole, "=");
  return whole;
}
