import type { ScopeId, Span, ValueId } from "../facts.ts";
import type { FactsBuilder } from "../shared/builder.ts";
import { spanOf, unwrap } from "./estree.ts";
import type { Node, NodeOf } from "./estree.ts";
import type { Walk } from "./walk.ts";

/** `object.name`, `object.#name`, `object[key]`. */
export function foldMember(walk: Walk, node: NodeOf<"MemberExpression">, object: ValueId): ValueId {
  const { property } = node;
  const span = spanOf(node);
  const propertySpan = spanOf(property);
  const member: MemberInput = { object, property: null, key: null, propertySpan, span };
  if (node.optional) member.optional = true;
  if (node.computed) {
    member.subscript = true;
    member.property = literalKey(property);
    if (member.property === null) member.key = walk.expression(property);
  } else {
    member.property = nameOf(property);
  }
  return walk.builder.member(member);
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type MemberInput = Mutable<Parameters<FactsBuilder["member"]>[0]>;

function nameOf(property: Node): string {
  if (property.type === "PrivateIdentifier") return `#${property.name}`;
  return property.type === "Identifier" ? property.name : "";
}

/** The name that a literal in brackets, or before a colon, spells; null where it is computed. */
export function literalKey(node: Node): string | null {
  if (node.type === "Literal") return typeof node.value === "string" || typeof node.value === "number" ? String(node.value) : null;
  if (node.type !== "TemplateLiteral" || node.expressions.length > 0) return null;
  return node.quasis[0]?.value.cooked ?? null;
}

/** The name of a property, method or field; null where it is computed. */
export function keyName(key: Node, computed: boolean): string | null {
  return computed ? literalKey(key) : (nameOf(key) || literalKey(key));
}

/**
 * `super` is the class above, read again: `super(options)` constructs it and `super.post()` is a member of it. A
 * superclass that is no plain name, such as `mixin(Base)`, is not evaluated again.
 */
export function readSuper(walk: Walk, node: NodeOf<"Super">): ValueId {
  const span = spanOf(node);
  const { receiver } = walk;
  if (receiver?.superClass == null) return walk.opaque([], span);
  return readPath(walk, receiver.superClass, receiver.scope, span) ?? receiver.base;
}

/** Longer paths are not read anew for each `super`. */
const MAX_PATH = 20;

/** Reads `a.b.c` with all of it standing at `span`; null where it is anything else. */
function readPath(walk: Walk, node: Node, scope: ScopeId, span: Span): ValueId | null {
  const names: string[] = [];
  let inner = unwrap(node);
  while (names.length < MAX_PATH && inner.type === "MemberExpression" && !inner.computed && inner.property.type === "Identifier") {
    names.push(inner.property.name);
    inner = unwrap(inner.object);
  }
  if (inner.type !== "Identifier") return null;
  let value = walk.builder.name(inner.name, span, scope);
  for (const property of names.reverse()) value = walk.builder.member({ object: value, property, key: null, propertySpan: span, span });
  return value;
}
