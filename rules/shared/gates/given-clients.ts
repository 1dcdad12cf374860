import type { ClassId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { bare } from "../expressions.ts";
import { ownClass } from "../selves.ts";
import type { Callers } from "./callers.ts";
import { basesOfClass, callAbove, constructorOf, givenFor, madeFrom, parameterOfConstructor } from "./constructions.ts";
import type { Construction, ConstructorParameter, PlacedClass } from "./constructions.ts";
import { keyOf } from "./verdicts.ts";

/** Classes that hand a client on from one to the other. */
const MOST_CLASSES = 64;

/**
 * The classes of the tree whose own object an attribute is: its constructor is given it, and everything in the tree that
 * constructs the class gives `this`, or an attribute of its own that is such an object. Null where any gives something else.
 */
export class GivenClients {
  private readonly callers: Callers;
  private readonly found = new Map<string, PlacedClass>();
  private readonly seen = new Set<string>();

  constructor(callers: Callers) {
    this.callers = callers;
  }

  of(subject: PlacedClass, attribute: string): readonly PlacedClass[] | null {
    return this.attribute(subject, attribute) ? [...this.found.values()] : null;
  }

  /** Notes what an attribute can be; false where that is open. */
  private attribute(subject: PlacedClass, name: string): boolean {
    if (!this.isNew(`attribute ${name}`, subject)) return this.seen.size <= MOST_CLASSES;
    let current: PlacedClass | undefined = subject;
    for (let step = 0; current !== undefined && step < MOST_CLASSES; step++) {
      const { attributes } = current.facts.classes[current.id]!;
      if (Object.hasOwn(attributes, name)) {
        const holder: PlacedClass = current;
        const values = attributes[name]!;
        return values.length > 0 && values.every((value) => this.assigned(subject, holder, value));
      }
      current = basesOfClass(this.callers.context.tree, current)[0];
    }
    return false;
  }

  /** What the constructor of a class, or of one above it, gives an attribute. */
  private assigned(subject: PlacedClass, holder: PlacedClass, value: ValueId): boolean {
    const given = parameterOfConstructor(holder.facts, value);
    if (given?.owner !== holder.id) return false;
    const parameter = this.asBelow(subject, holder, given.parameter);
    return parameter !== null && this.constructed(subject, parameter);
  }

  /** The parameter of a class that reaches one of a constructor above. */
  private asBelow(subject: PlacedClass, holder: PlacedClass, parameter: ConstructorParameter): ConstructorParameter | null {
    const way: PlacedClass[] = [];
    let current: PlacedClass | undefined = subject;
    while (current !== undefined && keyOf(current) !== keyOf(holder) && way.length < MOST_CLASSES) {
      way.push(current);
      current = basesOfClass(this.callers.context.tree, current)[0];
    }
    let asked: ConstructorParameter | null = parameter;
    for (let each = way.pop(); each !== undefined && asked !== null; each = way.pop()) {
      if (constructorOf(each.facts, each.id) !== null) asked = handedUp(each, asked);
    }
    return asked;
  }

  /** Notes what those that construct a class give for a parameter. */
  private constructed(subject: PlacedClass, parameter: ConstructorParameter): boolean {
    if (!this.isNew(`parameter ${parameter.index} ${parameter.name}`, subject)) return this.seen.size <= MOST_CLASSES;
    const made = madeFrom(this.callers, subject);
    if (made === null || made.constructions.length + made.below.length === 0) return false;
    return made.constructions.every((construction) => this.given(construction, parameter)) && made.below.every((below) => {
      const handed = constructorOf(below.facts, below.id) === null ? parameter : handedUp(below, parameter);
      return handed !== null && this.constructed(below, handed);
    });
  }

  private given(construction: Construction, parameter: ConstructorParameter): boolean {
    const { path, facts } = construction;
    const value = givenFor(construction, parameter);
    if (typeof value !== "number") return false;
    const held = heldBy(facts, value);
    if (held !== null) return this.attribute({ path, facts, id: held.owner }, held.name);
    // `constructor(client) { this.lines = new Lines(client); }`
    const own = parameterOfConstructor(facts, value);
    if (own !== null) return this.constructed({ path, facts, id: own.owner }, own.parameter);
    const owner = ownClass(facts, bare(facts, value));
    return owner !== -1 && this.note({ path, facts, id: owner });
  }

  private note(subject: PlacedClass): true {
    this.found.set(keyOf(subject), subject);
    return true;
  }

  private isNew(what: string, subject: PlacedClass): boolean {
    const key = `${what} ${keyOf(subject)}`;
    if (this.seen.has(key) || this.seen.size > MOST_CLASSES) return false;
    this.seen.add(key);
    return true;
  }
}

/** The parameter of a class that its constructor hands to the one above for one of its. */
function handedUp(subject: PlacedClass, parameter: ConstructorParameter): ConstructorParameter | null {
  const above = callAbove(subject);
  const given = above === null ? null : givenFor(above, parameter);
  if (given === "all") return parameter;
  const own = given === null ? null : parameterOfConstructor(subject.facts, given);
  return own?.owner === subject.id ? own.parameter : null;
}

/** `this.client`, also by a name of it: the class and the attribute. */
export function heldBy(facts: ModuleFacts, id: ValueId): { readonly owner: ClassId; readonly name: string } | null {
  const written = facts.values[bare(facts, id)];
  const given = written?.kind === "name" ? facts.bindings[written.binding]?.values ?? [] : [];
  const member = given.length === 1 ? facts.values[bare(facts, given[0]!)] : written;
  if (member?.kind !== "member" || member.property === null) return null;
  const owner = ownClass(facts, member.object);
  return owner === -1 ? null : { owner, name: member.property };
}
