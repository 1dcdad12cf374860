import type { Reference } from "../facts.ts";
import { NO_SHAPES } from "./shapes.ts";
import type { Outside, World } from "./outside.ts";
import type { Shape } from "./shapes.ts";

/** Shapes that a value keeps; past it, what comes from one module is told by what its members have in common. */
const MAX_SHAPES = 32;
/** Functions and classes of the file that a value keeps: a table of handlers may have many. */
const MAX_LOCAL = 256;
/** References that a value is told with. */
const MAX_REFERENCES = 16;
/** Below this, looking through the list is quicker than a set. */
const FEW = 8;

/** Collects alternatives without repeating one. */
export class Union {
  private shapes: Shape[] | undefined;
  private only: readonly Shape[] = NO_SHAPES;
  private seen: Set<Shape> | undefined;

  add(more: readonly Shape[]): void {
    if (more.length === 0 || more === this.only) return;
    if (this.shapes === undefined && this.only.length === 0) {
      this.only = more;
      return;
    }
    this.shapes ??= [...this.only];
    for (const shape of more) this.addOne(this.shapes, shape);
  }

  result(world: World): readonly Shape[] {
    const shapes = this.shapes ?? this.only;
    return shapes.length > MAX_SHAPES ? cut(world, shapes) : shapes;
  }

  private addOne(shapes: Shape[], shape: Shape): void {
    if (shapes.length < FEW) {
      if (!shapes.includes(shape)) shapes.push(shape);
      return;
    }
    this.seen ??= new Set(shapes);
    if (this.seen.has(shape)) return;
    this.seen.add(shape);
    shapes.push(shape);
  }
}

export function unionOf(world: World, lists: readonly (readonly Shape[])[]): readonly Shape[] {
  const union = new Union();
  for (const list of lists) union.add(list);
  return union.result(world);
}

function cut(world: World, shapes: readonly Shape[]): readonly Shape[] {
  const outside = shapes.filter((shape): shape is Outside => shape.kind === "outside");
  const local = shapes.filter((shape) => shape.kind !== "outside").slice(0, MAX_LOCAL);
  if (outside.length <= MAX_SHAPES && local.length < MAX_LOCAL) return shapes;
  const references = outside.length > MAX_SHAPES ? summarise(outside.map((shape) => shape.reference)) : outside.map((shape) => shape.reference);
  return [...references.slice(0, MAX_SHAPES).map((reference) => world.at(reference)), ...local];
}

/** The references among shapes, at most 16. */
export function referencesAmong(shapes: readonly Shape[]): readonly Reference[] {
  const outside: Outside[] = [];
  // The same member can be reached as one of an instance and as an instance of a member.
  for (const shape of shapes) if (shape.kind === "outside" && !outside.some((known) => known.isSame(shape))) outside.push(shape);
  const references = outside.map((shape) => shape.reference);
  return references.length > MAX_REFERENCES ? summarise(references).slice(0, MAX_REFERENCES) : references;
}

/** One computed reference for each module, with the members that all of its references begin with. */
function summarise(references: readonly Reference[]): Reference[] {
  const byModule = new Map<string, Reference>();
  for (const reference of references) {
    const known = byModule.get(reference.module);
    if (known === undefined) byModule.set(reference.module, reference);
    else byModule.set(reference.module, { module: reference.module, path: common(known.path, reference.path), computed: true });
  }
  return [...byModule.values()];
}

function common(a: readonly string[], b: readonly string[]): readonly string[] {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}
