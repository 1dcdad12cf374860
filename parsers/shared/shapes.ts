import type { Reference } from "../facts.ts";
import type { Behaviour, Vocabulary } from "./vocabulary.ts";

type Through = NonNullable<Reference["through"]>;

/**
 * What an expression can be, as far as names inside one file tell. A list of shapes are alternatives; an empty one
 * is "nothing that matters".
 */
export type Shape = Outside | Local | Members | Getter;

/** Something of the file itself. `data` is a list or table literal, `values` its values as a list, `pairs` its keys and
 * values, `pair` one of them. */
export interface Local {
  readonly kind: "function" | "class" | "instance" | "data" | "values" | "pairs" | "pair" | "names";
  /** A FunctionId, ClassId or ValueId, by kind. */
  readonly id: number;
}

/** The table of something's members: `vars(x)`. */
export interface Members {
  readonly kind: "members";
  readonly of: readonly Shape[];
}

/** A function that reaches members: `attrgetter("a.b")`. */
export interface Getter {
  readonly kind: "getter";
  readonly paths: readonly Reach[];
}

/** A member named by text. `name` null: the text does not fold. */
export interface Reach {
  readonly name: string | null;
  readonly through: Through | undefined;
}

export const NO_SHAPES: readonly Shape[] = [];

const MAX_PATH = 16;
/** The head says what the API is and the last name what is done with it; what lies between may go. */
const KEPT_HEAD = 12;

/** What is told of two ways of reaching, the first in this list. */
const STRENGTH: readonly Through[] = ["decoded", "dynamic", "star", "annotation", "parameter-default", "literal-reach"];

function stronger(a: Through | undefined, b: Through | undefined): Through | undefined {
  if (a === undefined) return b;
  if (b === undefined) return a;
  return STRENGTH.indexOf(a) <= STRENGTH.indexOf(b) ? a : b;
}

/** Everything from outside that a file can name: one object for each distinct reference, so that they compare by identity. */
export class World {
  readonly vocabulary: Vocabulary;
  private readonly roots = new Map<string, Outside>();

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
  }

  module(module: string, marks: Pick<Reference, "through" | "instance" | "computed"> = {}): Outside {
    const key = `${marks.through ?? ""} ${marks.instance ? "i" : ""}${marks.computed ? "c" : ""} ${module}`;
    let root = this.roots.get(key);
    if (root === undefined) {
      root = new Outside(this, { module, path: [], ...marks });
      this.roots.set(key, root);
    }
    return root;
  }

  at(reference: Reference): Outside {
    const { computed, ...plain } = reference;
    if (computed) return this.at(plain).computed();
    const { module, path, ...marks } = plain;
    let node = this.module(module, marks);
    for (const name of path) node = node.child(name);
    return node;
  }
}

export class Outside {
  readonly kind = "outside";
  readonly reference: Reference;
  private readonly world: World;
  private children: Map<string, Outside> | undefined;
  private instantiated: Outside | undefined;
  private chosen: Outside | undefined;
  private known: Behaviour | null | undefined;
  private dotted: string | undefined;

  constructor(world: World, reference: Reference) {
    this.world = world;
    this.reference = reference;
  }

  /** Its dotted name as the vocabulary has it. */
  get api(): string {
    return (this.dotted ??= this.name());
  }

  get behaviour(): Behaviour | undefined {
    if (this.known === undefined) {
      const { behaviours } = this.world.vocabulary;
      this.known = Object.hasOwn(behaviours, this.api) ? behaviours[this.api]! : null;
    }
    return this.known ?? undefined;
  }

  member(name: string): Outside {
    const { path } = this.reference;
    if (this.reference.computed || path.length < MAX_PATH) return this.child(name);
    return this.world.at({ ...this.reference, path: [...path.slice(0, KEPT_HEAD), ...path.slice(KEPT_HEAD + 1), name] });
  }

  /** The member of exactly this name; nothing follows a computed one. */
  child(name: string): Outside {
    if (this.reference.computed) return this;
    this.children ??= new Map();
    let child = this.children.get(name);
    if (child === undefined) {
      child = new Outside(this.world, { ...this.reference, path: [...this.reference.path, name] });
      this.children.set(name, child);
    }
    return child;
  }

  /** What a call of it gives. */
  instance(): Outside {
    if (this.reference.instance) return this;
    return (this.instantiated ??= this.world.at({ ...this.reference, instance: true }));
  }

  computed(): Outside {
    if (this.reference.computed) return this;
    return (this.chosen ??= new Outside(this.world, { ...this.reference, computed: true }));
  }

  through(way: Through | undefined): Outside {
    const strongest = stronger(this.reference.through, way);
    if (strongest === undefined || strongest === this.reference.through) return this;
    return this.world.at({ ...this.reference, through: strongest });
  }

  reach({ name, through }: Reach): Outside {
    return name === null ? this.computed() : this.member(name).through(through);
  }

  private name(): string {
    const { module, path, instance } = this.reference;
    const start = path[0] === "default" ? 1 : 0;
    const members = path.slice(start);
    const bare = module.startsWith("node:") ? module.slice(5) : module;
    return [bare, ...members].join(".") + (instance ? "()" : "");
  }
}
