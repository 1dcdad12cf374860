import path from "node:path";
import type { Reference, Span } from "@agentgate/parsers";
import type ts from "typescript";

/** As much of a program as is asked: the compiler's own and the one that a linter's parser made both have it. */
export type Program = Pick<ts.Program, "getSourceFile" | "getTypeChecker" | "isSourceFileDefaultLibrary">;

type Known = Reference | null | undefined;

/** Members of a union, and classes above one, that are looked at. */
const MOST_PARTS = 12;
const DEEPEST = 6;
/** Aliases of the language whose first argument is what the type is about. */
const TRANSPARENT: ReadonlySet<string> = new Set(["Omit", "Pick", "Partial", "Required", "Readonly", "NonNullable", "Awaited"]);
/** Packages that declare for another one; source: their own manifests. */
const DECLARED_FOR: ReadonlyMap<string, string> = new Map([[".prisma/client", "@prisma/client"]]);

/**
 * What a type checker knows of an expression of a file, by its span: an instance of what a package exports, null for what
 * is declared in the tree or belongs to the language, undefined where nothing is known (`any`, no such expression).
 * `file` is its name in the program.
 */
export function receiverTypes(program: Program, file: string): (span: Span) => Known {
  const source = program.getSourceFile(file);
  if (source === undefined) return () => undefined;
  const checker = program.getTypeChecker();
  return (span) => {
    const node = nodeAt(source, span);
    return node === null ? undefined : knownOf(checker.getTypeAtLocation(node), { program, checker }, DEEPEST);
  };
}

interface Asked {
  readonly program: Program;
  readonly checker: ts.TypeChecker;
}

/** The innermost node that begins and ends where the span does. */
function nodeAt(source: ts.SourceFile, [start, end]: Span): ts.Node | null {
  let found: ts.Node | null = null;
  let node: ts.Node | undefined = source;
  while (node !== undefined) {
    if (node !== source && node.getStart(source) === start && node.getEnd() === end) found = node;
    node = node.forEachChild((child) => (child.getFullStart() <= start && child.getEnd() >= end && child.getStart(source) <= start ? child : undefined));
  }
  return found;
}

function knownOf(given: ts.Type, asked: Asked, depth: number): Known {
  const { checker } = asked;
  if (depth === 0) return undefined;
  const type = checker.getNonNullableType(checker.getBaseConstraintOfType(given) ?? given);
  const alias = type.aliasSymbol;
  if (alias !== undefined && TRANSPARENT.has(alias.name) && type.aliasTypeArguments?.[0] !== undefined) return knownOf(type.aliasTypeArguments[0], asked, depth - 1);
  if (alias !== undefined && moduleOf(alias, asked.program)?.kind === "package") return declared(alias, asked);
  if (type.isUnionOrIntersection()) return likeliest(type.types.slice(0, MOST_PARTS).map((each) => knownOf(each, asked, depth - 1)), type.isUnion());
  const symbol = type.getSymbol();
  if (symbol === undefined) return isNothing(type, checker) ? undefined : null;
  const known = declared(symbol, asked);
  if (known !== null || !type.isClassOrInterface()) return known;
  const above = checker.getBaseTypes(type).slice(0, MOST_PARTS).map((base) => knownOf(base, asked, depth - 1));
  return above.find((each) => each != null) ?? null;
}

/** Of a union all must be known; of an intersection one part tells. */
function likeliest(parts: readonly Known[], isUnion: boolean): Known {
  const reference = parts.find((part) => part != null);
  if (reference !== undefined) return reference;
  return isUnion && parts.includes(undefined) ? undefined : null;
}

/** `any`, `unknown`, `never`, and what could not be worked out. */
function isNothing(type: ts.Type, checker: ts.TypeChecker): boolean {
  return /^(?:any|unknown|never|error)$/.test(checker.typeToString(type));
}

function declared(symbol: ts.Symbol, asked: Asked): Known {
  const from = moduleOf(symbol, asked.program);
  if (from === null) return undefined;
  if (from.kind === "tree") return null;
  return { module: from.module, path: pathOf(symbol), instance: true, through: "annotation" };
}

type From = { readonly kind: "tree" } | { readonly kind: "package"; readonly module: string };
const TREE: From = { kind: "tree" };

/** Which package declares something; null where nobody does. */
function moduleOf(symbol: ts.Symbol, program: Program): From | null {
  const [declaration] = symbol.declarations ?? [];
  if (declaration === undefined) return null;
  const source = declaration.getSourceFile();
  if (program.isSourceFileDefaultLibrary(source)) return /[\\/]lib\.(?:dom|webworker)/.test(source.fileName) ? { kind: "package", module: "globalThis" } : TREE;
  const ambient = ambientModule(declaration);
  if (ambient !== null) return { kind: "package", module: ambient };
  const name = packageOf(source.fileName);
  if (name === null) return TREE;
  if (name === "node" || name === "bun") return { kind: "package", module: "globalThis" };
  return { kind: "package", module: DECLARED_FOR.get(name) ?? name };
}

/** The name in `declare module "fs" { … }` around a declaration. */
function ambientModule(declaration: ts.Node): string | null {
  for (let node = above(declaration); node !== undefined; node = above(node)) {
    if (!("name" in node) || !("body" in node)) continue;
    const text = (node.name as ts.Node | undefined)?.getText(node.getSourceFile()) ?? "";
    if (/^["']/.test(text)) return text.slice(1, -1);
  }
  return null;
}

/** Nothing is above a source file, whatever is declared. */
function above({ parent }: { readonly parent?: ts.Node }): ts.Node | undefined {
  return parent;
}

/** The package whose folder a file lies in, the one it is about for a package that only declares. */
function packageOf(file: string): string | null {
  const at = file.lastIndexOf("/node_modules/");
  if (at < 0) return null;
  const [first = "", second = ""] = file.slice(at + "/node_modules/".length).split("/");
  if (first === ".prisma") return `${first}/${second}`;
  if (first !== "@types") return first.startsWith("@") ? `${first}/${second}` : first;
  return second.includes("__") ? `@${second.replace("__", "/")}` : second;
}

/** The names that lead to a symbol inside of its module: `["Prisma", "UserDelegate"]`. */
function pathOf(symbol: ts.Symbol): string[] {
  const names: string[] = [nameOf(symbol)];
  for (let parent = parentOf(symbol); parent !== undefined && names.length < DEEPEST; parent = parentOf(parent)) {
    if (parent.name.startsWith('"') || parent.name.startsWith("__")) break;
    names.unshift(nameOf(parent));
  }
  return names;
}

/** The compiler keeps the parent without declaring that it does. */
function parentOf(symbol: ts.Symbol): ts.Symbol | undefined {
  return (symbol as ts.Symbol & { readonly parent?: ts.Symbol }).parent;
}

/** `export default class Redis` is called `default`, and `Redis` by whoever speaks of it. */
function nameOf(symbol: ts.Symbol): string {
  const [declaration] = symbol.declarations ?? [];
  const named = declaration !== undefined && "name" in declaration ? (declaration.name as ts.Node | undefined) : undefined;
  return symbol.name === "default" && named !== undefined ? named.getText(named.getSourceFile()) : symbol.name;
}

/** A path as the compiler writes it. */
export function compilerPath(file: string): string {
  return file.split(path.sep).join("/");
}
