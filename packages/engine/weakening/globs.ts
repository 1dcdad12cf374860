import { globMatcher } from "../discovery/exclude.ts";
import type { TreePath } from "../paths.ts";

const MOST_ALTERNATIVES = 256;
const MAGIC = /[*?[\](){}!+@|\\]/;

/** Compares globs by what they match, over the paths of both sides and by their text: a path may come tomorrow. */
export class GlobWidth {
  readonly #paths: readonly TreePath[];
  readonly #matched = new Map<string, ReadonlySet<TreePath>>();

  constructor(paths: Iterable<TreePath>) {
    this.#paths = [...paths];
  }

  /** Whether a glob matches, or may come to match, what none of the others does. */
  exceeds(glob: string, others: readonly string[]): boolean {
    if (others.includes(glob)) return false;
    const alternatives = withoutBraces(glob);
    const covering = others.filter((other) => withoutBraces(other).some((wide) => alternatives.some((one) => covers(wide, one))));
    const wide = covering.flatMap(withoutBraces);
    if (!alternatives.every((one) => wide.some((other) => covers(other, one)))) return true;
    const known = covering.map((other) => this.#matches(other));
    return [...this.#matches(glob)].some((path) => !known.some((set) => set.has(path)));
  }

  /** Whether two globs match a path in common. */
  meet(one: string, other: string): boolean {
    const known = this.#matches(other);
    return covers(one, other) || covers(other, one) || [...this.#matches(one)].some((path) => known.has(path));
  }

  #matches(glob: string): ReadonlySet<TreePath> {
    let matched = this.#matched.get(glob);
    if (matched === undefined) this.#matched.set(glob, (matched = new Set(this.#paths.filter(globMatcher(glob)))));
    return matched;
  }
}

/** `a/{b,c}/d` as `a/b/d` and `a/c/d`; a glob with ranges, nesting without end or escapes stays as it is. */
function withoutBraces(glob: string): readonly string[] {
  const done: string[] = [];
  const open = [glob];
  while (open.length > 0) {
    if (open.length + done.length > MOST_ALTERNATIVES) return [glob];
    const one = open.pop()!;
    const braces = /\{([^{}]*)\}/.exec(one);
    if (braces === null) done.push(one);
    else if (!braces[1]!.includes(",") || one.includes("\\")) return [glob];
    else open.push(...braces[1]!.split(",").map((part) => one.slice(0, braces.index) + part + one.slice(braces.index + braces[0].length)));
  }
  return done;
}

/** Whether, by their text, a glob matches all that another one can; false where that cannot be told. */
function covers(wide: string, narrow: string): boolean {
  if (wide === narrow) return true;
  const wider = wide.split("/");
  const narrower = narrow.split("/");
  // From the ends: reached[j] says whether the rest of `wider` covers the rest of `narrower` from j.
  let reached = narrower.map(() => false).concat(true);
  for (let i = wider.length - 1; i >= 0; i--) {
    const next = narrower.map(() => false).concat(wider[i] === "**" && reached[narrower.length]!);
    for (let j = narrower.length - 1; j >= 0; j--) {
      next[j] = wider[i] === "**" ? reached[j]! || next[j + 1]! : coversSegment(wider[i]!, narrower[j]!) && reached[j + 1]!;
    }
    reached = next;
  }
  return reached[0]!;
}

function coversSegment(wide: string, narrow: string): boolean {
  if (wide === narrow) return true;
  if (narrow === "**") return false;
  if (wide === "*") return !/[(){}[\]]/.test(narrow);
  return !MAGIC.test(narrow) && globMatcher(wide)(narrow);
}
