import { constantHead, constantsOf, referencesOf } from "@agentgate/parsers";
import type { Call, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { apiName, originsOf } from "./expressions.ts";
import { listedTexts } from "./listed.ts";
import { isFromOwnPlace, isOwnPackage } from "./own-paths.ts";

/** A part of a name or path: written text, the file's own package, its own path less some steps, or unknown. */
type Piece = string | Place | Unknown | typeof PACKAGE;

interface Place {
  readonly kind: "place";
  /** 0 is the file itself, 1 its folder. */
  readonly up: number;
}

interface Unknown {
  readonly kind: "unknown";
  /** Null where it is no expression of the file. */
  readonly value: ValueId | null;
}

const UNKNOWN: Unknown = { kind: "unknown", value: null };
const PACKAGE = { kind: "package" } as const;
const DEEPEST = 24;
/** Names that stand for each other's sums double the parts with each step. */
const MOST_STEPS = 500;
/** Any text, with its separators. One `*` stands for text without them. */
const ANYTHING = "**";

/**
 * What a name or path that does not fold can be, as specifiers with `**` for the part that is not known:
 * `./pages/${name}.js` gives `./pages/**.js`, `f"app.pages.{name}"` gives `app.pages.**`. Empty where its beginning is
 * not known either.
 */
export function patternsOf(facts: ModuleFacts, argument: ValueId): readonly string[] {
  return originsOf(facts, argument).values.flatMap((origin) => patternsFor(facts, origin));
}

/** What globs of a bundler take: `./pages/*.ts` stays as it is, what has further signs in it ends at the first. */
export function globPattern(glob: string): string | null {
  if (!glob.startsWith("./") && !glob.startsWith("../")) return null;
  const [head, ...others] = glob.split(/[*?[\](){}!|+@]+/);
  const tail = others.at(-1) ?? "";
  if (others.length === 0) return null;
  return `${head!}${glob.includes("**") || others.length > 1 || tail.includes("/") ? ANYTHING : "*"}${tail.startsWith("/") ? "" : tail}`;
}

/** How a path ends, on every way to it; empty where that is not known. */
export function endsOf(facts: ModuleFacts, path: ValueId): readonly string[] {
  return originsOf(facts, path).values.map((origin) => tailText(new Pieces(facts).of(origin, 0)));
}

/** The folders beside the file, or above it, that an expression is the path of: `./lib/`, `../`. */
export function ownFoldersOf(facts: ModuleFacts, path: ValueId): readonly string[] {
  return originsOf(facts, path).values.flatMap((origin) => {
    const pieces = new Pieces(facts).of(origin, 0);
    return isPlace(pieces[0]) && !pieces.some(isUnknown) ? [headText(pieces).replace(/\/*$/, "/")] : [];
  });
}

function patternsFor(facts: ModuleFacts, id: ValueId): readonly string[] {
  const pieces = new Pieces(facts).of(id, 0);
  const own = pieces.findIndex(isPlace);
  // `new URL("x", place)` has the place behind.
  const ordered = own > 0 ? [pieces[own]!, ...pieces.slice(0, pieces[own - 1] === "/" ? own - 1 : own), ...pieces.slice(own + 1)] : pieces;
  const holes = ordered.flatMap((piece, index) => (isUnknown(piece) ? [index] : []));
  if (holes.length === 0) return [];
  const head = headText(ordered.slice(0, holes[0])) || constantHead(facts, id);
  const isFound = facts.language === "python" ? head !== "" : /^\.\.?\//.test(head);
  if (!isFound) return [];
  return textsFor(facts, ordered, holes).map((text) => head + text + tailText(ordered));
}

/** What can stand in the place of the unknown parts: the entries of a table where one is taken from it. */
function textsFor(facts: ModuleFacts, pieces: readonly Piece[], holes: readonly number[]): readonly string[] {
  const piece = holes.length === 1 ? pieces[holes[0]!] : undefined;
  const listed = isUnknown(piece) && piece.value !== null ? listedTexts(facts, piece.value) : null;
  return listed === null || listed.length === 0 ? [ANYTHING] : listed;
}

function headText([first, ...others]: readonly Piece[]): string {
  const rest = others.filter((piece) => typeof piece === "string").join("");
  if (first === undefined) return "";
  if (isPlace(first)) return joined(first.up <= 1 ? "./" : "../".repeat(first.up - 1), rest);
  if (first === PACKAGE) return rest.startsWith(".") ? rest : `.${rest}`;
  if (typeof first === "object") return "";
  return first + rest;
}

function joined(place: string, rest: string): string {
  return place + rest.replace(/^(?:\.?\/)+/, "").replaceAll(/\/(?:\.?\/)+/g, "/");
}

function tailText(pieces: readonly Piece[]): string {
  const last = pieces.at(-1);
  return typeof last === "string" ? last.replace(/^\/+/, "") : "";
}

function isUnknown(piece: Piece | undefined): piece is Unknown {
  return typeof piece === "object" && piece.kind === "unknown";
}

function isPlace(piece: Piece | undefined): piece is Place {
  return typeof piece === "object" && piece.kind === "place";
}

const OWN_FILES = new Set(["__file__", "__filename"]);
const IMPORT_META = /^globalThis\.import\.meta\.(url|dirname|filename)$/;

class Pieces {
  readonly #facts: ModuleFacts;
  #steps = 0;

  constructor(facts: ModuleFacts) {
    this.#facts = facts;
  }

  /** The parts of an expression in the order in which they come to stand. */
  of(id: ValueId, depth: number): Piece[] {
    const facts = this.#facts;
    const constants = constantsOf(facts, id);
    if (constants?.length === 1) return [String(constants[0]!.value)];
    const origins = originsOf(facts, id).values;
    const value = facts.values[origins.length === 1 ? origins[0]! : -1];
    if (value === undefined || depth > DEEPEST || this.#steps++ > MOST_STEPS) return [UNKNOWN];
    const pieces = this.#ofValue(value, origins[0]!, depth + 1);
    return pieces.length === 1 && pieces[0] === UNKNOWN ? [{ kind: "unknown", value: id }] : pieces;
  }

  #ofValue(value: Value, id: ValueId, depth: number): Piece[] {
    switch (value.kind) {
      case "string":
        return [value.value];
      case "template":
        return value.parts.flatMap((part) => this.of(part, depth));
      case "binary":
        if (value.operator === "+") return [...this.of(value.left, depth), ...this.of(value.right, depth)];
        if (value.operator === "/") return [...this.of(value.left, depth), "/", ...this.of(value.right, depth)];
        return value.operator === "%" ? this.#filled(value.left, /%(?:\(\w*\))?[a-z]/) : [UNKNOWN];
      case "name":
        return this.#ownName(value.name, value.binding);
      case "member":
        return this.#member(value, id, depth);
      case "call":
        return this.#call(this.#facts.calls[value.call]!, depth);
      default:
        return [UNKNOWN];
    }
  }

  #ownName(name: string, binding: number): Piece[] {
    if (binding !== -1) return [UNKNOWN];
    if (OWN_FILES.has(name)) return [{ kind: "place", up: 0 }];
    if (name === "__dirname") return [{ kind: "place", up: 1 }];
    return name === "__name__" || name === "__package__" ? [PACKAGE] : [UNKNOWN];
  }

  #member(value: Extract<Value, { kind: "member" }>, id: ValueId, depth: number): Piece[] {
    const facts = this.#facts;
    const place = referencesOf(facts, id).map((reference) => IMPORT_META.exec(apiName(reference))?.[1]).find((found) => found !== undefined);
    if (place !== undefined) return [{ kind: "place", up: place === "dirname" ? 1 : 0 }];
    if (isOwnPackage(facts, id)) return [PACKAGE];
    const object = this.of(value.object, depth);
    if (value.property === "parent") return parentOf(object);
    return isFromOwnPlace(facts, id) ? object : [UNKNOWN];
  }

  /** Whatever makes a path of parts, in the order of its arguments; of others what they are given. */
  #call({ callee, arguments: given }: Call, depth: number): Piece[] {
    const facts = this.#facts;
    const made = facts.values[callee];
    const name = made?.kind === "member" ? made.property : made?.kind === "name" ? made.name : null;
    const parts = given.map((argument) => this.of(argument.value, depth));
    if (name === "format" && made?.kind === "member") return this.#filled(made.object, /\{[^{}]*\}/);
    if (name === "dirname") return parentOf(parts[0] ?? [UNKNOWN]);
    const before = made?.kind === "member" && isFromOwnPlace(facts, made.object) ? [this.of(made.object, depth)] : [];
    const all = [...before, ...parts];
    const isPath = all.some((pieces) => pieces.some(isPlace));
    if (name === "join" && made?.kind === "member" && !isPath) return this.#joined(made.object, given[0]?.value, parts, depth);
    if (name === "with_name") return [...parentOf(all[0]!), "/", ...all.slice(1).flat()];
    if (isPath) return all.flatMap((pieces, index) => (index === 0 ? pieces : ["/", ...pieces]));
    return parts.length === 1 && parts[0]![0] === PACKAGE ? [PACKAGE] : [UNKNOWN];
  }

  /** `".".join([…])`, `[…].join("/")`, `path.join("./pages", name)`. */
  #joined(object: ValueId, argument: ValueId | undefined, parts: readonly Piece[][], depth: number): Piece[] {
    const facts = this.#facts;
    const list = (id: ValueId | undefined): readonly ValueId[] | null => {
      const value = id === undefined ? undefined : facts.values[originsOf(facts, id).values[0] ?? -1];
      return value?.kind === "list" ? value.items : null;
    };
    const python = list(argument);
    const items = python ?? list(object);
    if (items === null) return parts.flatMap((pieces, index) => (index === 0 ? pieces : ["/", ...pieces]));
    const separator = python === null ? parts[0] ?? [","] : this.of(object, depth);
    return items.flatMap((item, index) => [...(index === 0 ? [] : separator), ...this.of(item, depth)]);
  }

  /** A text with marks for what is filled in. */
  #filled(text: ValueId, mark: RegExp): Piece[] {
    const constants = constantsOf(this.#facts, text);
    if (constants?.length !== 1) return [UNKNOWN];
    return String(constants[0]!.value).split(mark).flatMap((part, index): Piece[] => [...(index === 0 ? [] : [UNKNOWN]), ...(part === "" ? [] : [part])]);
  }
}

/** The folder of a path: one step above where the file itself lies, or without the last name. */
function parentOf(pieces: readonly Piece[]): Piece[] {
  const last = pieces.at(-1);
  if (isPlace(last)) return [...pieces.slice(0, -1), { kind: "place", up: last.up + 1 }];
  const slash = pieces.lastIndexOf("/");
  return slash === -1 ? [UNKNOWN] : pieces.slice(0, slash);
}
