import type { Tree } from "web-tree-sitter";
import syntax from "./syntax.json" with { type: "json" };

export interface TreePosition {
  /** From 1. */
  readonly line: number;
  /** In UTF-16 code units, from 0. */
  readonly column: number;
}

export interface TreeLocation {
  readonly start: TreePosition;
  readonly end: TreePosition;
}

/** A piece of the text: a token, or a comment, whose `value` lacks the `#`. */
export interface PythonToken {
  readonly type: string;
  readonly value: string;
  readonly range: [number, number];
  readonly loc: TreeLocation;
}

/**
 * A node of Python's grammar (tree-sitter-python) as ESLint takes them. Its fields are properties of the same name: a
 * node, a list where the grammar lets the field come more than once, or the token where it is one (`operator`). A leaf
 * has its `text`. The field `type`, an annotation, is called `annotation`: a node's `type` is its own.
 */
export interface PythonNode {
  readonly type: string;
  readonly range: [number, number];
  readonly loc: TreeLocation;
  parent: PythonNode | null;
  /** The named nodes directly below, in order, those in fields among them. */
  readonly children: readonly PythonNode[];
  readonly text?: string;
  readonly [field: string]: unknown;
}

/** The root spans the whole text. Comments and tokens are in order of the text. */
export interface PythonTree {
  readonly root: PythonNode;
  readonly tokens: readonly PythonToken[];
  readonly comments: readonly PythonToken[];
}

/** By type: the fields that can come more than once. */
const MULTIPLE: Readonly<Record<string, readonly string[]>> = syntax.multiple;

/** Every type that a node can have. */
export const PYTHON_TYPES: readonly string[] = syntax.types;

/** Turns offsets into places; offsets are asked in any order. */
class Places {
  readonly #starts: readonly number[];

  constructor(starts: readonly number[]) {
    this.#starts = starts;
  }

  at(offset: number): TreePosition {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - this.#starts[low]! };
  }
}

/** Places are worked out when somebody asks: of most nodes nobody does. */
class Located {
  readonly type: string;
  readonly range: [number, number];
  readonly #places: Places;
  #loc: TreeLocation | null = null;

  constructor(type: string, range: [number, number], places: Places) {
    this.type = type;
    this.range = range;
    this.#places = places;
  }

  get loc(): TreeLocation {
    return this.#loc ??= { start: this.#places.at(this.range[0]), end: this.#places.at(this.range[1]) };
  }
}

class TreeToken extends Located implements PythonToken {
  readonly value: string;

  constructor(type: string, range: [number, number], places: Places, value: string) {
    super(type, range, places);
    this.value = value;
  }
}

class TreeNode extends Located implements PythonNode {
  parent: PythonNode | null;
  readonly children: PythonNode[] = [];
  readonly [field: string]: unknown;

  constructor(type: string, range: [number, number], places: Places, parent: PythonNode | null) {
    super(type, range, places);
    this.parent = parent;
  }
}

/**
 * Copies a tree into plain objects, with a loop: code nests as deeply as it likes. `text` is what was parsed, `source`
 * what it was made of, of the same length; `lines` are the offsets at which lines start.
 */
export function copyTree(tree: Tree, source: string, lines: readonly number[]): PythonTree {
  return new Copier(source, lines).copy(tree);
}

class Copier {
  readonly #source: string;
  readonly #places: Places;
  readonly #tokens: PythonToken[] = [];
  readonly #comments: PythonToken[] = [];

  constructor(source: string, lines: readonly number[]) {
    this.#source = source;
    this.#places = new Places(lines);
  }

  copy(tree: Tree): PythonTree {
    const root = new TreeNode("module", [0, this.#source.length], this.#places, null);
    const cursor = tree.walk();
    try {
      this.#walk(cursor, root);
    } finally {
      cursor.delete();
    }
    return { root, tokens: this.#tokens, comments: this.#comments };
  }

  /** The cursor stands at the root, and goes through all that is below it. */
  #walk(cursor: ReturnType<Tree["walk"]>, root: TreeNode): void {
    const parents: TreeNode[] = [root];
    if (!cursor.gotoFirstChild()) return;
    for (;;) {
      const node = this.#read(cursor, parents.at(-1)!);
      if (node !== null && cursor.gotoFirstChild()) {
        parents.push(node);
        continue;
      }
      if (node !== null) this.#leaf(node);
      while (!cursor.gotoNextSibling()) {
        parents.pop();
        if (parents.length === 0 || !cursor.gotoParent()) return;
        if (parents.length === 0) return;
      }
    }
  }

  /** Adds what the cursor stands at to its parent; null for what has nothing below it that is wanted. */
  #read(cursor: ReturnType<Tree["walk"]>, parent: TreeNode): TreeNode | null {
    const type = cursor.nodeType;
    const range: [number, number] = [cursor.startIndex, cursor.endIndex];
    if (type === "comment") {
      this.#comment(range);
      return null;
    }
    const field = cursor.currentFieldName;
    if (!cursor.nodeIsNamed) {
      const token = this.#token(type, range);
      if (field !== null) setField(parent, field, token);
      return null;
    }
    const node = new TreeNode(type, range, this.#places, parent);
    parent.children.push(node);
    if (field !== null) setField(parent, field, node);
    return node;
  }

  #leaf(node: TreeNode): void {
    const [start, end] = node.range;
    const text = this.#source.slice(start, end);
    Object.assign(node, { text });
    if (end > start) this.#tokens.push(new TreeToken(node.type, node.range, this.#places, text));
  }

  #token(type: string, range: [number, number]): PythonToken {
    const token = new TreeToken(type, range, this.#places, this.#source.slice(range[0], range[1]));
    if (range[1] > range[0]) this.#tokens.push(token);
    return token;
  }

  /** The grammar takes a CR before the line's end for a part of the comment. */
  #comment([start, end]: [number, number]): void {
    let last = end;
    while (last > start + 1 && this.#source[last - 1] === "\r") last--;
    this.#comments.push(new TreeToken("Line", [start, last], this.#places, this.#source.slice(start + 1, last)));
  }
}

/** The grammar's field of this name would hide the node's own type. */
const RENAMED = new Map([["type", "annotation"]]);

function setField(parent: TreeNode, field: string, value: PythonNode | PythonToken): void {
  const name = RENAMED.get(field) ?? field;
  const fields = parent as unknown as Record<string, unknown>;
  if (MULTIPLE[parent.type]?.includes(field) !== true) fields[name] ??= value;
  else if (Array.isArray(fields[name])) fields[name].push(value);
  else fields[name] = [value];
}
