import { functionsOf, instancesOf, referencesOf, valuesReturned } from "@agentgate/parsers";
import type { Call, CallId, ClassId, FunctionId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { originsOf } from "../expressions.ts";
import { onceFor } from "../indexes.ts";

/** What a member of an object of the file is made from, and what makes it anew each time. */
export interface MadeMember {
  readonly id: ValueId;
  /** The reading of a getter, or the making of an object whose field it is. */
  readonly by: ValueId;
}

type Member = Extract<Value, { kind: "member" }>;

const MOST_CLASSES = 4;

/** What a getter gives each time that it is read, or a field of an object is made from each time that one is made. */
export function madeMembers(facts: ModuleFacts, id: ValueId, member: Member): readonly MadeMember[] {
  const name = member.property;
  if (name === null || facts.classes.length === 0) return [];
  return instancesOf(facts, member.object).slice(0, MOST_CLASSES).flatMap((owner): readonly MadeMember[] => {
    const getters = (gettersOf(facts).get(name) ?? []).filter((each) => facts.functions[each]!.class === owner);
    if (getters.length > 0) return getters.flatMap((each) => valuesReturned(facts, each)).map((value) => ({ id: value, by: id }));
    return makingsOf(facts, member.object, owner).flatMap(({ call, value: by }) => fieldsMade(facts, owner, name, call).map((value) => ({ id: value, by })));
  });
}

/** Getters by name, without those that keep what they gave. */
const gettersOf = onceFor((facts): ReadonlyMap<string, readonly FunctionId[]> => {
  const getters = new Map<string, FunctionId[]>();
  facts.functions.forEach(({ kind, name, decorators }, id) => {
    if (kind !== "getter" || decorators.some((decorator) => isKeeping(facts, decorator))) return;
    const named = getters.get(name);
    if (named === undefined) getters.set(name, [id]);
    else named.push(id);
  });
  return getters;
});

/** `cached_property`, `memoize`. */
function isKeeping(facts: ModuleFacts, decorator: ValueId): boolean {
  const value = facts.values[decorator];
  const name = value?.kind === "name" ? value.name : value?.kind === "member" ? value.property ?? "" : "";
  return /cache|memo|lazy/i.test(name);
}

interface Making {
  readonly call: Call;
  readonly value: ValueId;
}

/** The calls that make an object of a class, among what an expression can be. */
function makingsOf(facts: ModuleFacts, object: ValueId, owner: ClassId): readonly Making[] {
  return originsOf(facts, object).values.flatMap((origin): readonly Making[] => {
    const value = facts.values[origin];
    return value?.kind === "call" && instancesOf(facts, origin).includes(owner) ? [{ call: facts.calls[value.call]!, value: origin }] : [];
  });
}

/** What a field is made from in the class itself, where the making of the object gives it nothing else. */
function fieldsMade(facts: ModuleFacts, owner: ClassId, name: string, { arguments: given }: Call): readonly ValueId[] {
  const { attributes, fields } = facts.classes[owner]!;
  const values = Object.hasOwn(attributes, name) ? attributes[name]! : [];
  const place = fields.findIndex((field) => field.name === name);
  const isGiven = given.some((argument) => argument.name === name || facts.values[argument.value]?.kind === "spread") || (facts.language === "python" && place >= 0 && given.filter((argument) => argument.name === undefined).length > place);
  const [only, ...others] = values;
  return only === undefined || others.length > 0 || isGiven || !isOfEach(facts, owner, name, only) ? [] : factoriesOf(facts, only);
}

/** A field of a Python class body is made once, but for what a factory makes; one that the constructor gives, for each object. */
function isOfEach(facts: ModuleFacts, owner: ClassId, name: string, id: ValueId): boolean {
  if (facts.language === "ecmascript") return facts.classes[owner]!.fields.every((field) => field.name !== name || field.static !== true);
  if (facts.classes[owner]!.fields.every((field) => field.value !== id)) return true;
  return factoriesOf(facts, id)[0] !== id;
}

const FACTORIES: ReadonlySet<string> = new Set(["default_factory", "factory"]);

/** `field(default_factory=lambda: uuid4().hex)`: what the function gives; else the expression itself. */
function factoriesOf(facts: ModuleFacts, id: ValueId): readonly ValueId[] {
  const value = facts.values[id];
  const call = value?.kind === "call" ? facts.calls[value.call]! : undefined;
  const factory = call?.arguments.find(({ name }) => name !== undefined && FACTORIES.has(name));
  if (factory === undefined) return [id];
  const made = functionsOf(facts, factory.value).flatMap((each) => valuesReturned(facts, each));
  return made.length > 0 || referencesOf(facts, factory.value).length === 0 ? made : [id];
}

/** The API that a field's call names as its factory: `field(default_factory=uuid4)`. */
export function factoryCall(facts: ModuleFacts, id: CallId): Call {
  const call = facts.calls[id]!;
  const factory = call.arguments.find(({ name }) => name !== undefined && FACTORIES.has(name));
  return factory === undefined ? call : { ...call, references: referencesOf(facts, factory.value) };
}
