import type { ModuleFacts, PythonNode, PythonToken, PythonTree } from "@agentgate/parsers";
import { CallMethodStep, TextSourceCodeBase, VisitNodeStep } from "@eslint/plugin-kit";
import { directivesIn, piecesOf } from "./directives.ts";
import type { Directives } from "./directives.ts";

/** The root of a Python file, with what rules look for on a program; `body` is its children. */
export type PythonRoot = PythonNode & Pick<PythonTree, "tokens" | "comments"> & { readonly body: readonly PythonNode[] };

interface Types {
  LangOptions: Record<string, unknown>;
  RootNode: PythonRoot;
  SyntaxElementWithLoc: PythonNode | PythonToken;
  ConfigNode: PythonToken;
}

/** Lines as Python and the parser count them: a CR by itself ends one too. */
const LINE_ENDING = /\r\n?|\n/u;

const ENTER = 1;
const EXIT = 2;

/** A scope in which nothing is declared: Python's names are in the facts. */
const NO_SCOPE = { type: "module", isStrict: true, upper: null, block: null, variables: [], references: [], through: [], childScopes: [], set: new Map<string, never>() } as const;
const NO_SCOPES = { scopes: [NO_SCOPE], globalScope: NO_SCOPE, acquire: () => NO_SCOPE, getDeclaredVariables: (): readonly never[] => [] } as const;

/** A Python text as ESLint's rules see it. */
export class PythonSourceCode extends TextSourceCodeBase<Types> {
  /** What the rules of agentgate read instead of the tree. */
  readonly facts: () => ModuleFacts;
  readonly hasBOM: boolean;
  readonly visitorKeys: Readonly<Record<string, readonly string[]>>;
  /** Rules of other languages ask for what a scope analysis or a typed parser would give. */
  readonly parserServices: object = {};
  readonly scopeManager = NO_SCOPES;
  #steps: readonly (VisitNodeStep | CallMethodStep)[] | null = null;
  #directives: Directives | null = null;

  constructor({ text, ast, facts, hasBOM, visitorKeys }: { text: string; ast: PythonRoot; facts: () => ModuleFacts; hasBOM: boolean; visitorKeys: Readonly<Record<string, readonly string[]>> }) {
    super({ text, ast, lineEndingPattern: LINE_ENDING });
    this.facts = facts;
    this.hasBOM = hasBOM;
    this.visitorKeys = visitorKeys;
  }

  /** All comments, `#` left out of their values. */
  get comments(): readonly PythonToken[] {
    return this.ast.comments;
  }

  getAllComments(): readonly PythonToken[] {
    return this.ast.comments;
  }

  getLines(): string[] {
    return this.lines;
  }

  override getParent(node: PythonNode): PythonNode | undefined {
    return node.parent ?? undefined;
  }

  override getAncestors(node: PythonNode): PythonNode[] {
    const ancestors: PythonNode[] = [];
    for (let parent = node.parent; parent !== null; parent = parent.parent) ancestors.push(parent);
    return ancestors.reverse();
  }

  getDisableDirectives(): Directives {
    return this.#directives ??= directivesIn(this.ast.comments);
  }

  /** What would configure ESLint from inside the text. */
  getInlineConfigNodes(): PythonToken[] {
    return this.ast.comments.flatMap(piecesOf).filter(({ value }) => /^\s*eslint(?:-|\s)/.test(value));
  }

  /** Every node is entered and left, in the order of the text; comments and tokens are not visited. */
  override traverse(): readonly (VisitNodeStep | CallMethodStep)[] {
    return this.#steps ??= stepsThrough(this.ast);
  }

  /** Of the rules of JavaScript, some look up tokens and scopes in whatever file they are given. */
  getScope(): typeof NO_SCOPE {
    return NO_SCOPE;
  }

  getDeclaredVariables(): readonly never[] {
    return [];
  }

  /** The tokens of a node, or of the text; comments are none. */
  getTokens(node: PythonNode | PythonToken = this.ast): readonly PythonToken[] {
    return this.ast.tokens.slice(firstFrom(this.ast.tokens, node.range[0]), firstFrom(this.ast.tokens, node.range[1]));
  }

  getFirstToken(node: PythonNode | PythonToken): PythonToken | null {
    return this.getTokens(node)[0] ?? null;
  }

  getLastToken(node: PythonNode | PythonToken): PythonToken | null {
    return this.getTokens(node).at(-1) ?? null;
  }

  getTokenBefore({ range }: PythonNode | PythonToken): PythonToken | null {
    return this.ast.tokens[firstFrom(this.ast.tokens, range[0]) - 1] ?? null;
  }

  getTokenAfter({ range }: PythonNode | PythonToken): PythonToken | null {
    return this.ast.tokens[firstFrom(this.ast.tokens, range[1])] ?? null;
  }

  /** A rule about JavaScript's indentation goes through these, and would find all of Python's wrong. */
  get tokensAndComments(): readonly PythonToken[] {
    return [];
  }
}

/** The index of the first token that starts at an offset or after it. */
function firstFrom(tokens: readonly PythonToken[], offset: number): number {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tokens[middle]!.range[0] < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function stepsThrough(root: PythonNode): readonly (VisitNodeStep | CallMethodStep)[] {
  const steps: (VisitNodeStep | CallMethodStep)[] = [];
  const waiting: { readonly node: PythonNode; readonly phase: 1 | 2 }[] = [{ node: root, phase: ENTER }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, phase } = next;
    steps.push(new VisitNodeStep({ target: node, phase, args: [node] }));
    if (phase === EXIT) continue;
    waiting.push({ node, phase: EXIT });
    for (let index = node.children.length - 1; index >= 0; index--) waiting.push({ node: node.children[index]!, phase: ENTER });
  }
  return steps;
}
