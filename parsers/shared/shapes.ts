import type { Reference } from "../facts.ts";
import type { Outside } from "./outside.ts";

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
