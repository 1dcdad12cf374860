import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import type { Edit, Language, Parser, Tree } from "web-tree-sitter";
import assets from "./assets.json" with { type: "json" };
import { editBetween } from "./edit.ts";
import { TableReader } from "./table.ts";
import type { SyntaxTable, WasmMemory } from "./table.ts";

/**
 * The files that must lie in a directory `assets` beside a bundle of this module, or beside its folder of chunks: each
 * with the package it is copied from and its path there. This list is the only place that names them.
 */
export const PYTHON_ASSETS: readonly { readonly file: string; readonly package: string; readonly path: string }[] = assets;

/** A parse may take no longer, in time of the processor, so that a busy machine gives the same facts. Measured: 0.2 s a megabyte. */
const PARSE_LIMIT_MS = 5000;

interface Runtime {
  readonly parser: Parser;
  readonly reader: TableReader;
  readonly input: SourceInput;
}

let running: Runtime | null = null;

/**
 * Parses Python into a syntax table, which is valid until the next call. The WebAssembly starts inside the first call
 * and nothing is awaited. Null: the limit of five seconds was passed, or the parser gave up; the next call then works
 * in a fresh one. `visit` sees the tree itself before it is freed.
 */
export function parseTable(text: string, visit?: (tree: Tree) => void): SyntaxTable | null {
  return parseAfter(text, null, visit).table;
}

/** A tree that is kept to parse the next text of the same file from. */
export interface KeptTree {
  readonly text: string;
  readonly tree: Tree;
  readonly runtime: object;
}

/** As `parseTable`, from the tree of a text that differs a little; it is freed. The caller hands back the one that is kept, or frees it. */
export function parseEdited(text: string, previous: KeptTree | null): { readonly table: SyntaxTable | null; readonly kept: KeptTree | null } {
  // Where there are errors, what the parser makes of them depends on what it starts from.
  const from = previous?.runtime === running ? previous : null;
  const first = parseAfter(text, from, undefined, true);
  if (from === null || first.table?.hasErrors === false) return first;
  freeTree(first.kept);
  return parseAfter(text, null, undefined, true);
}

export function freeTree(kept: KeptTree | null): void {
  if (kept !== null && kept.runtime === running) kept.tree.delete();
}

function parseAfter(text: string, from: KeptTree | null, visit?: (tree: Tree) => void, isKept = false): { readonly table: SyntaxTable | null; readonly kept: KeptTree | null } {
  const runtime = (running ??= start());
  const { parser, reader, input } = runtime;
  const isOver = parseLimit();
  let tree: Tree | null = null;
  let kept: KeptTree | null = null;
  try {
    input.open(text);
    if (from !== null) from.tree.edit(editBetween(from.text, text) as Edit);
    tree = parser.parse(NO_TEXT, from?.tree ?? null, { progressCallback: isOver });
    if (tree === null) {
      parser.reset();
      return { table: null, kept };
    }
    visit?.(tree);
    const table = reader.read(addressOf(tree));
    if (isKept && !table.hasErrors) kept = { text, tree, runtime };
    return { table, kept };
  } catch {
    // An abort of the WebAssembly leaves its memory in no known state.
    running = null;
    return { table: null, kept: null };
  } finally {
    input.close();
    if (running !== null) {
      from?.tree.delete();
      if (kept === null) tree?.delete();
    }
  }
}

/**
 * Asked some 40,000 times a megabyte, and after steps of any length. The time of the processor is costly to read, so
 * it is not looked at in the first second, which nearly every file ends in.
 */
function parseLimit(): () => boolean {
  let next = performance.now() + FREE_MS;
  let started = -1;
  return () => {
    const now = performance.now();
    if (now < next) return false;
    next = now + 50;
    if (started < 0) started = processorTime();
    return processorTime() - started > PARSE_LIMIT_MS - FREE_MS;
  };
}

const FREE_MS = 1000;

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The parser by itself, for tests and measurements. The caller deletes its trees. */
export function pythonParser(): Parser {
  return (running ??= start()).parser;
}

/** As much of WebAssembly as is used: the types of Node 20 do not hold it. */
interface WasmLibrary {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule, imports: object) => WasmInstance;
}
type WasmModule = object;
interface WasmInstance {
  readonly exports: object;
}
const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WasmLibrary };

type TreeSitter = typeof import("web-tree-sitter");

/**
 * Evaluates the runtime in a context whose promises are settled before control returns, so that its asynchronous
 * start-up is over when the call is.
 */
function start(): Runtime {
  const core = new WebAssembly.Module(readFileSync(assetPath("web-tree-sitter.wasm")));
  const grammar = new WebAssembly.Module(readFileSync(assetPath("tree-sitter-python.wasm")));
  const context = createContext({ WebAssembly, TextDecoder, TextEncoder, console }, { microtaskMode: "afterEvaluate" });
  const exported: { exports: unknown } = { exports: {} };
  const file = assetPath("web-tree-sitter.cjs");
  const evaluate = runInContext(`(function (module, exports) {${readFileSync(file, "utf8")}\n})`, context, { filename: file }) as (
    module: unknown,
    exports: unknown,
  ) => void;
  evaluate(exported, exported.exports);
  const library = exported.exports as TreeSitter;
  const { memory, input } = initialise(context, library, core);
  const language = library.Language.loadSync(grammar);
  const parser = new library.Parser();
  parser.setLanguage(language);
  return { parser, input, reader: new TableReader({ memory, language: addressOf(language) }, language.types, language.fields) };
}

/** Hands the source to the WebAssembly in pieces. The library's own way writes each character by itself. */
class SourceInput {
  private readonly memory: WasmMemory;
  private readonly fallback: ParseCallback;
  private units: Uint16Array | null = null;

  constructor(memory: WasmMemory, fallback: ParseCallback) {
    this.memory = memory;
    this.fallback = fallback;
  }

  open(text: string): void {
    const bytes = Buffer.from(text, "utf16le");
    this.units = new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
  }

  close(): void {
    this.units = null;
  }

  /** Copies what follows `index` to `address` and its length to `lengthAddress`; the end has the length 0. */
  readonly read: ParseCallback = (address, index, row, column, lengthAddress) => {
    if (this.units === null) {
      this.fallback(address, index, row, column, lengthAddress);
      return;
    }
    const piece = this.units.subarray(index, index + PIECE);
    new Uint16Array(this.memory.buffer, address, PIECE).set(piece);
    new Uint32Array(this.memory.buffer, lengthAddress, 1)[0] = piece.length;
  };
}

type ParseCallback = (address: number, index: number, row: number, column: number, lengthAddress: number) => void;

/** Units that the buffer of the WebAssembly takes at a time: 10 kB, less room for the end. */
const PIECE = 5 * 1024 - 2;
/** The library wants something to ask for text, though it does not get to. */
const NO_TEXT = (): string => "";

interface WasmImports {
  readonly env: { readonly memory: WasmMemory; tree_sitter_parse_callback: ParseCallback };
}

function initialise(context: object, library: TreeSitter, core: WasmModule): { memory: WasmMemory; input: SourceInput } {
  const shared = context as { start?: () => Promise<void>; outcome?: unknown };
  const started: { memory: WasmMemory; input: SourceInput }[] = [];
  const instantiateWasm = (imports: WasmImports, receive: (instance: WasmInstance, module: WasmModule) => void): object => {
    const { env } = imports;
    const input = new SourceInput(env.memory, env.tree_sitter_parse_callback);
    env.tree_sitter_parse_callback = input.read;
    const instance = new WebAssembly.Instance(core, imports);
    receive(instance, core);
    started.push({ memory: env.memory, input });
    return instance.exports;
  };
  shared.start = () => library.Parser.init({ instantiateWasm });
  runInContext("start().then(() => { outcome = true; }, (error) => { outcome = error; })", context);
  const [parts] = started;
  if (parts === undefined || shared.outcome !== true) throw new Error("the Python parser did not start", { cause: shared.outcome });
  return parts;
}

/** Objects of the library keep the address of what they stand for under the key 0. */
function addressOf(object: Tree | Language): number {
  return (object as unknown as Record<0, number>)[0];
}

function assetPath(file: string): string {
  // Bundled, this module lies beside the assets or in a folder of chunks next to them.
  for (const folder of ["./assets", "../assets"]) {
    const beside = new URL(`${folder}/${file}`, import.meta.url);
    if (existsSync(beside)) return fileURLToPath(beside);
  }
  const asset = PYTHON_ASSETS.find((candidate) => candidate.file === file);
  if (asset === undefined) throw new Error(`no asset ${file}`);
  // Its export map gives the CommonJS build as the package itself.
  const request = file.endsWith(".cjs") ? asset.package : `${asset.package}/${asset.path}`;
  return createRequire(import.meta.url).resolve(request);
}
