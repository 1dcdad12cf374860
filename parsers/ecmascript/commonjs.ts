import type { Span, ValueId } from "../facts.ts";
import { spanOf, unwrap } from "./estree.ts";
import type { Node } from "./estree.ts";
import { keyName } from "./members.ts";
import type { Walk } from "./walk.ts";

/** Records what `module.exports = …`, `module.exports.x = …` and `exports.x = …` export. `value` is what `right` gave. */
export function exportAssigned(walk: Walk, left: Node, value: ValueId, right: Node): void {
  if (left.type !== "MemberExpression") return;
  const name = keyName(left.property, left.computed);
  if (name === null) return;
  const span = spanOf(left.property);
  if (isGlobal(walk, left.object, "module") && name === "exports") exportWhole(walk, value, span);
  else if (isExports(walk, left.object) && !isVoid(right)) walk.builder.export({ name, value, span });
}

/** Records what `Object.defineProperty(exports, "x", { get: function () { return m.x; } })` exports: so TypeScript passes on what it imports. */
export function exportDefined(walk: Walk, callee: Node, given: readonly Node[], values: readonly ValueId[]): void {
  if (given.length !== 3 || callee.type !== "MemberExpression" || keyName(callee.property, callee.computed) !== "defineProperty") return;
  if (!isGlobal(walk, callee.object, "Object") || !isExports(walk, given[0]!)) return;
  const { builder } = walk;
  const name = builder.valueAt(values[1]!);
  const descriptor = builder.valueAt(values[2]!);
  if (name.kind !== "string" || descriptor.kind !== "table") return;
  for (const { key, value } of descriptor.entries) {
    const option = key === null ? null : builder.valueAt(key);
    if (option?.kind !== "string") continue;
    const exported = option.value === "get" ? returnedBy(walk, value) : option.value === "value" ? value : null;
    if (exported !== null && builder.valueAt(exported).kind !== "constant") builder.export({ name: name.value, value: exported, span: name.span });
  }
}

/** What a function of one statement gives back. */
function returnedBy(walk: Walk, id: ValueId): ValueId | null {
  const value = walk.builder.valueAt(id);
  const [only, ...others] = value.kind === "function" ? walk.builder.draft.facts.functions[value.function]!.body : [];
  return only?.kind === "return" && others.length === 0 ? only.value : null;
}

function exportWhole(walk: Walk, value: ValueId, span: Span): void {
  const { builder } = walk;
  builder.export({ name: "=", value, span });
  const whole = builder.valueAt(value);
  if (whole.kind !== "table") return;
  for (const entry of whole.entries) {
    const key = entry.key === null ? null : builder.valueAt(entry.key);
    if (key?.kind === "string") builder.export({ name: key.value, value: entry.value, span: key.span });
  }
}

/** What compilers wrap around a `require` so that it can be used like an import. Sources: TypeScript, Babel, esbuild, Rollup. */
const INTEROP: ReadonlySet<string> = new Set([
  "__importStar", "__importDefault", "__toESM", "_interopRequireWildcard", "_interopRequireDefault", "_interopNamespace",
  "_interopNamespaceDefault", "_interopDefault", "_interopDefaultLegacy",
]);

/**
 * The module inside `__importStar(require("m"))`, where `value` is the value of `node`; null for anything else. It is
 * known beside the call, not instead of it: a helper may bear the name and do something else.
 */
export function interopModule(walk: Walk, node: Node, value: ValueId): ValueId | null {
  if (node.type !== "CallExpression") return null;
  const { callee } = node;
  const name = callee.type === "MemberExpression" ? keyName(callee.property, callee.computed) : callee.type === "Identifier" ? callee.name : null;
  const called = walk.builder.valueAt(value);
  if (name === null || !INTEROP.has(name) || called.kind !== "call") return null;
  const first = walk.builder.draft.facts.calls[called.call]!.arguments[0]?.value;
  return first !== undefined && walk.builder.valueAt(first).kind === "imported" ? first : null;
}

function isExports(walk: Walk, node: Node): boolean {
  if (isGlobal(walk, node, "exports")) return true;
  return node.type === "MemberExpression" && isGlobal(walk, node.object, "module") && keyName(node.property, node.computed) === "exports";
}

function isGlobal(walk: Walk, node: Node, name: string): boolean {
  return node.type === "Identifier" && node.name === name && walk.lookUp(name) < 0;
}

/** Compilers write `exports.a = exports.b = void 0` before the exports proper. */
function isVoid(node: Node): boolean {
  let value = unwrap(node);
  while (value.type === "AssignmentExpression") value = unwrap(value.right);
  return value.type === "UnaryExpression" && value.operator === "void";
}
