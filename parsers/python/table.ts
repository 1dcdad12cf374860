import { LanguageTables, PRODUCTION_WIDTH } from "./language.ts";
import { ATOMIC, Field, Kind, OPERATORS, TOKENS } from "./kinds.ts";

/**
 * A syntax tree as flat arrays in preorder. The children of row `i` start at `i + 1`; the next sibling of row `i` is
 * row `after[i]`, and `after` of the parent ends the children. Offsets are UTF-16 code units.
 */
export interface SyntaxTable {
  /** Values of `Kind`. */
  kinds: Uint8Array;
  /** Values of `Field`: what the row is to its parent. */
  fields: Uint8Array;
  starts: Uint32Array;
  ends: Uint32Array;
  after: Uint32Array;
  length: number;
  /** Start and end of each comment, in turn. */
  comments: number[];
  /** Offsets at which the grammar had to assume a token that is not there. */
  missing: number[];
  /** Whether there is an error node or a missing token. */
  hasErrors: boolean;
}

/** The memory of a WebAssembly module; its buffer is replaced when it grows. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

/** Where a tree of the C library lies: the memory it is in, and the addresses of its language and itself. */
export interface TreeMemory {
  readonly memory: WasmMemory;
  readonly language: number;
}

const ERROR_SYMBOL = 0xffff;

/**
 * Copies the visible nodes of a tree-sitter tree into flat arrays, straight from the memory of the WebAssembly module.
 *
 * The public cursor costs six calls into WebAssembly a node: a fifth of the time of the parse. Read here, the same rows
 * cost a twenty-fifth. The layout is that of `SubtreeHeapData`, `SubtreeInlineData` (lib/src/subtree.h of tree-sitter
 * 0.27.2, 32-bit pointers, little endian) and `TSLanguage` (parser.h, ABI 15); table.test.ts compares every row with
 * what the public cursor says, so that an update which moves a field is noticed.
 */
export class TableReader {
  readonly table: SyntaxTable;
  private readonly memory: WasmMemory;
  private bytes = new Uint8Array(0);
  private shorts = new Uint16Array(0);
  private words = new Uint32Array(0);
  /** By public and by internal symbol: its `Kind`; 255 for comments. */
  private readonly kindOf: Uint8Array;
  private readonly atomic: Uint8Array;
  /** `production * PRODUCTION_WIDTH + child`: the child's `Field`, and the symbol it is shown as. */
  private readonly fieldOf: Uint8Array;
  private readonly aliasOf: Uint16Array;
  private readonly stack = new AncestorStack();
  private position = 0;
  /** The subtree whose children are being read: its address, and where they are. */
  private parent = 0;
  private count = 0;
  private children = 0;
  private production = 0;
  private child = 0;
  /** As `child`, without comments and what was skipped as an error. */
  private structural = 0;
  /** The field of the hidden nodes between `parent` and the visible one above. */
  private inherited = 0;
  /** The row of `parent`, -1 where it is hidden. */
  private row = -1;

  constructor(at: TreeMemory, typeNames: readonly string[], fieldNames: readonly (string | null)[]) {
    this.memory = at.memory;
    this.table = emptyTable();
    this.refreshViews();
    const language = new LanguageTables(this.shorts, this.bytes, this.words, at.language);
    this.kindOf = kindsBySymbol(language.publicSymbols(), language.namedSymbols(), typeNames);
    this.fieldOf = language.fields(fieldsById(fieldNames));
    this.aliasOf = language.aliases();
    this.atomic = new Uint8Array(256);
    for (const name of ATOMIC) this.atomic[Kind[name]] = 1;
  }

  /** Fills `table` from the tree at the address. The arrays are reused by the next read. */
  read(tree: number): SyntaxTable {
    this.refreshViews();
    const { words } = this;
    const root = words[tree >> 2]!;
    const { table } = this;
    table.comments = [];
    table.missing = [];
    table.length = 0;
    table.hasErrors = false;
    // A file that is one leaf is stored inline and has nothing to read.
    if ((root & 1) === 1) return this.emptyModule();
    const isEmpty = words[(root >> 2) + 9] === 0;
    reserve(table, isEmpty ? 1 : words[(root >> 2) + 14]! + 2);
    this.walk(root);
    table.hasErrors = words[(root >> 2) + 8]! > 0;
    return table;
  }

  private emptyModule(): SyntaxTable {
    reserve(this.table, 1);
    this.table.kinds[0] = Kind.module;
    [this.table.starts[0], this.table.ends[0], this.table.fields[0]] = [0, 0, 0];
    this.table.after[0] = this.table.length = 1;
    return this.table;
  }

  /**
   * Walks the tree below `root` with an explicit stack. `position` is the byte offset at the start of the subtree being
   * looked at, its padding passed; a subtree's padding is also that of its first child.
   */
  private walk(root: number): void {
    const { words, stack } = this;
    stack.depth = 0;
    this.position = words[(root >> 2) + 1]!;
    const kind = this.kindOf[this.shorts[(root + 40) >> 1]!]!;
    this.enter(root, this.add(kind, 0, this.position, words[(root >> 2) + 4]!), 0);
    for (;;) {
      if (this.child === this.count) {
        if (this.row >= 0) this.table.after[this.row] = this.table.length;
        if (stack.depth === 0) return;
        this.leave();
        continue;
      }
      const at = this.children + this.child++ * 2;
      const word = words[at]!;
      if ((word & 1) === 1) this.inlineChild(word, words[at + 1]!);
      else this.heapChild(word);
    }
  }

  /** A leaf whose fields are packed into the two words of its parent's list. */
  private inlineChild(word: number, second: number): void {
    this.position += (second >>> 16) & 255;
    const size = second >>> 24;
    let symbol = (word & 2) === 0 ? 0 : (word >>> 8) & 255;
    let field = 0;
    if ((word & 8) === 0) {
      const slot = this.slot();
      field = this.fieldOf[slot]! || this.inherited;
      symbol = this.aliasOf[slot]! || symbol;
    }
    if ((word & 32) !== 0) this.table.missing.push(this.position >> 1);
    if (symbol !== 0) this.leaf(symbol, field, this.position, size);
    this.position += size;
  }

  /** A subtree that the word points to. */
  private heapChild(address: number): void {
    const { words } = this;
    const heap = address >> 2;
    const flags = words[heap + 11]!;
    const size = words[heap + 4]!;
    this.position += words[heap + 1]!;
    let symbol = (flags & 1) === 0 ? 0 : this.shorts[(address + 40) >> 1]!;
    let field = 0;
    if ((flags & 4) === 0) {
      const slot = this.slot();
      field = this.fieldOf[slot]! || this.inherited;
      symbol = this.aliasOf[slot]! || symbol;
    }
    if ((flags & 0x200) !== 0) this.table.missing.push(this.position >> 1);
    const row = symbol === 0 ? -1 : this.leaf(symbol, field, this.position, size);
    const isLeaf = words[heap + 9] === 0 || (row >= 0 && this.atomic[this.table.kinds[row]!] === 1 && words[heap + 8] === 0);
    if (isLeaf) this.position += size;
    else this.descend(address, row, symbol === 0 ? field : 0);
  }

  private descend(address: number, row: number, inherited: number): void {
    const { stack } = this;
    const top = stack.depth === stack.capacity ? stack.grow() : stack.depth;
    stack.parents[top] = this.parent;
    stack.children[top] = this.child;
    stack.structural[top] = this.structural;
    stack.fields[top] = this.inherited;
    stack.rows[top] = this.row;
    stack.depth = top + 1;
    this.enter(address, row, inherited);
  }

  private enter(address: number, row: number, inherited: number): void {
    this.show(address);
    this.row = row;
    this.inherited = inherited;
    this.child = 0;
    this.structural = 0;
    if (this.count > 0) this.position -= this.padding(this.children);
  }

  private leave(): void {
    const { stack } = this;
    const top = --stack.depth;
    this.show(stack.parents[top]!);
    this.child = stack.children[top]!;
    this.structural = stack.structural[top]!;
    this.inherited = stack.fields[top]!;
    this.row = stack.rows[top]!;
  }

  private show(address: number): void {
    const heap = address >> 2;
    this.parent = address;
    this.count = this.words[heap + 9]!;
    this.children = heap - this.count * 2;
    this.production = this.count === 0 ? 0 : this.shorts[(address + 66) >> 1]!;
  }

  /** Where the field and the alias of the next child stand. Production 0 has none, and may have any number of children. */
  private slot(): number {
    return this.production === 0 ? 0 : this.production * PRODUCTION_WIDTH + this.structural++;
  }

  /** Adds a row for a visible node, or notes a comment. Returns the row, -1 where it leaves none. */
  private leaf(symbol: number, field: number, position: number, size: number): number {
    const kind = this.kindOf[symbol]!;
    if (kind === Kind.skipped || (kind === Kind.operator && field === Field.none)) return -1;
    if (kind === COMMENT) {
      this.table.comments.push(position >> 1, (position + size) >> 1);
      return -1;
    }
    return this.add(kind, field, position, size);
  }

  private add(kind: number, field: number, position: number, size: number): number {
    const { table } = this;
    const row = table.length++;
    table.kinds[row] = kind;
    table.fields[row] = field;
    table.starts[row] = position >> 1;
    table.ends[row] = (position + size) >> 1;
    table.after[row] = row + 1;
    return row;
  }

  private padding(at: number): number {
    const word = this.words[at]!;
    return (word & 1) === 1 ? (this.words[at + 1]! >>> 16) & 255 : this.words[(word >> 2) + 1]!;
  }

  /** The memory's buffer is another one after it grew. */
  private refreshViews(): void {
    const { buffer } = this.memory;
    if (this.bytes.buffer === buffer) return;
    this.bytes = new Uint8Array(buffer);
    this.shorts = new Uint16Array(buffer);
    this.words = new Uint32Array(buffer);
  }
}

const COMMENT = 255;

/** The nodes that are open above the one being read. */
class AncestorStack {
  depth = 0;
  capacity = 0;
  parents = new Uint32Array(0);
  children = new Uint32Array(0);
  structural = new Uint32Array(0);
  fields = new Uint8Array(0);
  rows = new Int32Array(0);

  constructor() {
    this.grow();
  }

  /** Makes room for more and returns the depth. */
  grow(): number {
    const capacity = this.capacity * 2 || 1024;
    this.parents = grown(this.parents, new Uint32Array(capacity));
    this.children = grown(this.children, new Uint32Array(capacity));
    this.structural = grown(this.structural, new Uint32Array(capacity));
    this.fields = grown(this.fields, new Uint8Array(capacity));
    this.rows = grown(this.rows, new Int32Array(capacity));
    this.capacity = capacity;
    return this.depth;
  }
}

function grown<T extends Uint8Array | Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

function kindsBySymbol(publicSymbols: Uint16Array, named: Uint8Array, typeNames: readonly string[]): Uint8Array {
  const kinds = new Uint8Array(0x10000);
  const nodes = new Map<string, number>([...Object.entries(Kind), ["comment", COMMENT]]);
  const tokens = new Map<string, number>(OPERATORS.map((operator) => [operator, Kind.operator]));
  for (const token of TOKENS) {
    nodes.delete(token);
    tokens.set(token, Kind[token]);
  }
  for (let symbol = 0; symbol < publicSymbols.length; symbol++) {
    const shown = publicSymbols[symbol]!;
    kinds[symbol] = (named[shown] === 1 ? nodes : tokens).get(typeNames[shown] ?? "") ?? Kind.skipped;
  }
  kinds[ERROR_SYMBOL] = Kind.error;
  return kinds;
}

function fieldsById(fieldNames: readonly (string | null)[]): Uint8Array {
  const byName = new Map<string | null, number>(Object.entries(Field));
  return Uint8Array.from(fieldNames, (name) => byName.get(name) ?? Field.none);
}

function emptyTable(): SyntaxTable {
  const table = {
    kinds: new Uint8Array(0), fields: new Uint8Array(0), starts: new Uint32Array(0), ends: new Uint32Array(0),
    after: new Uint32Array(0), length: 0, comments: [], missing: [], hasErrors: false,
  };
  reserve(table, 1 << 12);
  return table;
}

function reserve(table: SyntaxTable, rows: number): void {
  if (table.kinds.length >= rows) return;
  const size = Math.max(rows, table.kinds.length * 2);
  table.kinds = new Uint8Array(size);
  table.fields = new Uint8Array(size);
  table.starts = new Uint32Array(size);
  table.ends = new Uint32Array(size);
  table.after = new Uint32Array(size);
}
