import type { Reference } from "../facts.ts";
import type { Reach } from "./shapes.ts";
import type { Behaviour, IndexedVocabulary } from "./vocabulary.ts";

type Through = NonNullable<Reference["through"]>;
type Marks = Pick<Reference, "through" | "instance" | "computed">;

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

/** Everything from outside that a file can name: one object for each reference, so that most compare by identity. */
export class World {
  readonly vocabulary: IndexedVocabulary;
  private readonly modules = new Map<string, Outside>();

  constructor(vocabulary: IndexedVocabulary) {
    this.vocabulary = vocabulary;
  }

  module(module: string, through?: Through): Outside {
    let root = this.modules.get(module);
    if (root === undefined) this.modules.set(module, (root = new Outside(this, module, null, null, NO_MARKS)));
    return through === undefined ? root : root.through(through);
  }

  at({ module, path, through, instance, computed }: Reference): Outside {
    let node = this.module(module, through);
    if (instance) node = node.instance();
    for (const name of path) node = node.child(name);
    return computed ? node.computed() : node;
  }
}

const NO_MARKS: Marks = {};

/** A module or a member reached from it. */
export class Outside {
  readonly kind = "outside";
  readonly module: string;
  /** The last name; null where there is none. */
  readonly name: string | null;
  /** Names in its path. */
  readonly length: number;
  readonly marks: Marks;
  private readonly world: World;
  private readonly parent: Outside | null;
  /** Most have one member that is asked for. */
  private firstChild: Outside | undefined = undefined;
  private children: Map<string, Outside> | undefined = undefined;
  private variants: Map<string, Outside> | undefined = undefined;
  private instantiated: Outside | undefined = undefined;
  private told: Reference | undefined = undefined;
  private known: Behaviour | null | undefined = undefined;
  private dotted: string | undefined = undefined;

  constructor(world: World, module: string, parent: Outside | null, name: string | null, marks: Marks) {
    this.world = world;
    this.module = module;
    this.parent = parent;
    this.name = name;
    this.length = parent === null ? 0 : parent.length + 1;
    this.marks = marks;
  }

  /** As it is told in the facts. */
  get reference(): Reference {
    return (this.told ??= { module: this.module, path: this.path(), ...this.marks });
  }

  get isInstance(): boolean {
    return this.marks.instance === true;
  }

  /** Whether both are told alike. */
  isSame(other: Outside): boolean {
    if (this === other) return true;
    const [a, b] = [this.marks, other.marks];
    if (this.length !== other.length || a.instance !== b.instance || a.through !== b.through || a.computed !== b.computed) return false;
    let [left, right]: [Outside, Outside] = [this, other];
    while (left.parent !== null && right.parent !== null && left.parent !== right.parent) {
      if (left.name !== right.name) return false;
      [left, right] = [left.parent, right.parent];
    }
    return left.name === right.name && left.module === right.module;
  }

  /** Its dotted name as the vocabulary has it. */
  get api(): string {
    return (this.dotted ??= this.spelled());
  }

  get behaviour(): Behaviour | undefined {
    if (this.known === undefined) {
      const { behaviours, behaving } = this.world.vocabulary;
      const bare = withoutScheme(this.module);
      const isKnown = behaving.has(bare.slice(0, (bare + ".").indexOf("."))) && Object.hasOwn(behaviours, this.api);
      this.known = isKnown ? behaviours[this.api]! : null;
    }
    return this.known ?? undefined;
  }

  member(name: string): Outside {
    const held = this.heldModule(name);
    if (held !== null) return held;
    if (this.length < MAX_PATH) return this.child(name);
    const path = this.path();
    return this.world.at({ ...this.reference, path: [...path.slice(0, KEPT_HEAD), ...path.slice(KEPT_HEAD + 1), name] });
  }

  /** The member of exactly this name; nothing follows a computed one. */
  child(name: string): Outside {
    if (this.marks.computed) return this;
    const { firstChild } = this;
    if (firstChild?.name === name) return firstChild;
    let child = this.children?.get(name);
    if (child !== undefined) return child;
    child = new Outside(this.world, this.module, this, name, this.marks);
    if (firstChild === undefined) this.firstChild = child;
    else (this.children ??= new Map<string, Outside>()).set(name, child);
    return child;
  }

  /** What a call of it gives. */
  instance(): Outside {
    if (this.marks.instance) return this;
    return (this.instantiated ??= this.marked({ ...this.marks, instance: true }));
  }

  computed(): Outside {
    return this.marks.computed ? this : this.variant("computed", { ...this.marks, computed: true });
  }

  through(way: Through | undefined): Outside {
    const strongest = stronger(this.marks.through, way);
    if (strongest === undefined || strongest === this.marks.through) return this;
    return this.variant(strongest, { ...this.marks, through: strongest });
  }

  reach({ name, through }: Reach): Outside {
    return name === null ? this.computed() : this.member(name).through(through);
  }

  path(): readonly string[] {
    if (this.name === null || this.parent === null) return [];
    const path = [this.name];
    for (let node = this.parent; node.name !== null && node.parent !== null; node = node.parent) path.push(node.name);
    return path.reverse();
  }

  /** `shutil.os` is `os`, `random._os` too; what a call gave has members of its own. */
  private heldModule(name: string): Outside | null {
    const { heldSet, holderSet, notHeld } = this.world.vocabulary;
    const module = name.startsWith("_") ? name.slice(1) : name;
    if (!heldSet.has(module) || this.isInstance || this.marks.computed) return null;
    if (!holderSet.has(this.module.slice(0, (this.module + ".").indexOf("."))) || notHeld.includes(`${this.api}.${name}`)) return null;
    return this.world.module(module, this.marks.through);
  }

  private variant(key: string, marks: Marks): Outside {
    const variants = (this.variants ??= new Map<string, Outside>());
    let variant = variants.get(key);
    if (variant === undefined) variants.set(key, (variant = this.marked(marks)));
    return variant;
  }

  private marked(marks: Marks): Outside {
    return new Outside(this.world, this.module, this.parent, this.name, marks);
  }

  private spelled(): string {
    const path = this.path();
    const members = path[0] === "default" ? path.slice(1) : path;
    return [withoutScheme(this.module), ...members].join(".") + (this.isInstance ? "()" : "");
  }
}

/** `node:fs` is `fs`. */
export function withoutScheme(module: string): string {
  return module.startsWith("node:") ? module.slice(5) : module;
}
