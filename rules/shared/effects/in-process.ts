import type { Call, ClassId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { bare, originsOf } from "../expressions.ts";
import { ownClass } from "../selves.ts";
import { chainOf, receiverOf } from "./chain.ts";
import { IN_PROCESS, OF_ITEMS, TABLE_TYPES } from "./vocabulary.ts";

const LITERALS = new Set(["string", "number", "constant", "list", "table", "template", "comprehension", "regex", "function", "class", "binary"]);

/** Whether a call is made on something of the process itself, whatever its name: a literal, a Map, a queue in memory. */
export function isOnInProcess(facts: ModuleFacts, call: Call): boolean {
  const receiver = receiverOf(facts, call);
  if (receiver === null) return false;
  const annotation = annotationOf(facts, receiver);
  if (annotation !== null && namesInProcess(facts, annotation)) return true;
  const { values, complete } = originsOf(facts, receiver);
  return complete && values.length > 0 && values.every((origin) => {
    const value = facts.values[origin]!;
    if (value.kind !== "call") return LITERALS.has(value.kind) && value.kind !== "constant";
    return namesInProcess(facts, facts.calls[value.call]!.callee);
  });
}

/** Whether a call is made on what its annotation says to be a table or list of the language: `schema: dict[str, Any]`. */
export function isOnPlainTable(facts: ModuleFacts, call: Call): boolean {
  const receiver = receiverOf(facts, call);
  const annotation = receiver === null ? null : annotationOf(facts, receiver);
  const name = annotation === null ? undefined : typeName(facts, annotation);
  if (name === undefined || !TABLE_TYPES.has(name)) return false;
  // `path: str | Path` may be either: of a text only what texts have.
  return !TEXT_TYPES.test(name) || OF_ITEMS.has(chainOf(facts, call.callee)?.names.at(-1) ?? "");
}

const TEXT_TYPES = /^(?:str|bytes|string|String)$/;

/** The annotation of a plain name, or of an attribute of an own object. */
function annotationOf(facts: ModuleFacts, id: ValueId): ValueId | null {
  const value = facts.values[bare(facts, id)];
  if (value?.kind === "member" && value.property !== null && value.subscript !== true) return fieldAnnotation(facts, ownClass(facts, value.object), value.property);
  const binding = value?.kind === "name" ? facts.bindings[value.binding] : undefined;
  if (binding?.annotation !== undefined) return binding.annotation;
  const given = binding?.values.length === 1 ? facts.values[binding.values[0]!] : undefined;
  return given?.kind === "parameter" ? facts.functions[given.function]?.parameters[given.index]?.annotation ?? null : null;
}

/** `settings: dict[str, Any]` of a class, or what its constructor says of the parameter that the attribute is given. */
function fieldAnnotation(facts: ModuleFacts, owner: ClassId, name: string): ValueId | null {
  const subject = facts.classes[owner];
  if (subject === undefined) return null;
  const field = subject.fields.find((each) => each.name === name && each.annotation !== null);
  if (field !== undefined) return field.annotation;
  const given = Object.hasOwn(subject.attributes, name) ? subject.attributes[name]! : [];
  const [only, ...others] = given;
  return only === undefined || others.length > 0 || facts.values[bare(facts, only)]?.kind !== "name" ? null : annotationOf(facts, only);
}

/** `Map<string, X>`, `dict[str, X]`, `queue.Queue`. */
function namesInProcess(facts: ModuleFacts, id: ValueId): boolean {
  const name = typeName(facts, id);
  return name !== undefined && (IN_PROCESS.has(name) || IN_MEMORY.test(name));
}

/** The last name of a type or constructor, without what it is a type of. */
function typeName(facts: ModuleFacts, id: ValueId): string | undefined {
  let current = bare(facts, id);
  for (let step = 0; step < 4; step++) {
    const value = facts.values[current];
    if (value?.kind === "opaque" && value.of.length > 0) current = value.of[0]!;
    else if (value?.kind === "binary" && value.operator === "|") current = facts.values[value.left]?.kind === "constant" ? value.right : value.left;
    else if (value?.kind === "member" && value.subscript === true) current = isOptional(facts, value.object) && value.key !== null ? value.key : value.object;
    else break;
  }
  return chainOf(facts, current)?.names.at(-1);
}

/** `Optional[dict]`, `Final[list[str]]`. */
function isOptional(facts: ModuleFacts, id: ValueId): boolean {
  return /^(?:Optional|Final|ClassVar|Annotated)$/.test(chainOf(facts, id)?.names.at(-1) ?? "");
}

/** Whether an API is of a class that keeps its rows in memory. */
export function isOfMemory(path: readonly string[]): boolean {
  return path.slice(0, -1).some((name) => IN_MEMORY.test(name));
}

/** What says that it keeps its rows in memory: `InMemoryVectorStore`, `MemoryVectorStore`, `EphemeralClient`. */
const IN_MEMORY = /^InMemory[A-Z]|^MemoryVectorStore$|^Ephemeral(?:Client|Store|Database)$/;
