import type { ImportName } from "../facts.ts";
import { isTypeOnly } from "./blocks.ts";
import { list, specifierName, spanOf } from "./estree.ts";
import type { NodeOf } from "./estree.ts";
import type { Walk } from "./walk.ts";

type Specifier = NodeOf<"ImportDeclaration">["specifiers"][number];

export function readImport(walk: Walk, node: NodeOf<"ImportDeclaration">): void {
  const { builder } = walk;
  const span = spanOf(node);
  builder.openStatement(span);
  const specifiers = list(node.specifiers);
  const names = specifiers.map((specifier) => declareImported(walk, node, specifier));
  const isNamespace = specifiers.every((specifier) => specifier.type === "ImportNamespaceSpecifier");
  const index = builder.import({
    form: isNamespace ? "import" : "from", specifier: node.source.value, names, span, specifierSpan: spanOf(node.source),
    function: builder.function, ...((walk.isAmbient || node.importKind === "type") && { typeOnly: true }),
  });
  for (const name of names) {
    const path = name.imported === "*" ? [] : [name.imported];
    builder.give(name.binding, builder.value({ kind: "imported", import: index, path, span: name.span }));
  }
}

/** Declares what a specifier binds; a type among the types, so that it hides no value that is there at run time. */
function declareImported(walk: Walk, node: NodeOf<"ImportDeclaration">, specifier: Specifier): ImportName {
  const { local } = specifier;
  const span = spanOf(local);
  const isType = isTypeOnly(walk, node, specifier);
  const scope = isType ? walk.typeScopeOf(local.name) : walk.builder.scope;
  const binding = walk.builder.declare(local.name, "import", span, scope);
  return { imported: importedName(specifier), binding, span, ...(isType && { typeOnly: true }) };
}

function importedName(specifier: Specifier): string {
  if (specifier.type === "ImportSpecifier") return specifierName(specifier.imported);
  return specifier.type === "ImportDefaultSpecifier" ? "default" : "*";
}

