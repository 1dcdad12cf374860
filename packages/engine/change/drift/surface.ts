import type { FunctionFacts, ModuleFacts, Span, ValueId } from "@agentgate/parsers";
import { returnTypeOf } from "./return-type.ts";
import { signatureOf } from "./signature.ts";
import type { Signature } from "./signature.ts";

/** Something that other modules can take from a module by its name. */
export interface Definition {
  readonly kind: "function" | "class" | "value";
  /** Of its name, where it is defined. */
  readonly span: Span;
  /** Null: how it is called cannot be told, as of what a decorator made. */
  readonly signature: Signature | null;
  /** The declared type of what it returns, as it is written; null: none is. */
  readonly returns: string | null;
}

/** What a module offers, by name. `isOpen`: there is more that its facts do not name. */
export interface Surface {
  readonly names: ReadonlyMap<string, Definition>;
  readonly isOpen: boolean;
}

/** Hooks by which a module gives names that it does not define (PEP 562). */
const HOOKS = new Set(["__getattr__"]);

/** The public names of a module with what they are: what it exports, in Python all names of it but those that the language has (`__x__`). */
export function surfaceOf(facts: ModuleFacts, text: string): Surface {
  const names = new Map<string, Definition>();
  const python = facts.language === "python";
  for (const { name, value, span, typeOnly } of facts.exports) {
    if (typeOnly === true || name === "*" || name === "=" || python && name.startsWith("__")) continue;
    names.set(name, { span, ...python && isOneOfSeveral(facts, name) ? UNTOLD : definitionOf(facts, text, value) });
  }
  return { names, isOpen: isOpen(facts) };
}

function isOpen(facts: ModuleFacts): boolean {
  if (facts.exports.some(({ name }) => name === "*" || name === "=" || HOOKS.has(name))) return true;
  return facts.language === "python" && facts.imports.some(({ names }) => names.some(({ imported, binding }) => imported === "*" && binding === -1));
}

type Told = Pick<Definition, "kind" | "signature" | "returns"> & Partial<Pick<Definition, "span">>;

const UNTOLD = { kind: "value", signature: null, returns: null } as const;

/** In Python a name is exported with the last value that it is given. */
function isOneOfSeveral(facts: ModuleFacts, name: string): boolean {
  const binding = facts.scopes[0]!.names[name];
  return binding !== undefined && facts.bindings[binding]!.values.length > 1;
}

function definitionOf(facts: ModuleFacts, text: string, id: ValueId | null): Told {
  const value = id === null ? undefined : facts.values[id];
  if (value?.kind === "name") {
    const values = facts.bindings[value.binding]?.values ?? [];
    // One of several is defined by a condition, or is an overload.
    return values.length === 1 && values[0] !== id ? definitionOf(facts, text, values[0]!) : UNTOLD;
  }
  if (value?.kind === "function") return functionTold(facts, text, facts.functions[value.function]!);
  if (value?.kind !== "class") return UNTOLD;
  const { nameSpan, decorators } = facts.classes[value.class]!;
  const constructors = facts.functions.filter((each) => each.class === value.class && (each.kind === "constructor" || each.name === "__init__"));
  const [only] = constructors;
  const signature = constructors.length === 1 && decorators.length === 0 ? signatureOf(facts, text, only!) : null;
  return { kind: "class", span: nameSpan, signature, returns: null };
}

function functionTold(facts: ModuleFacts, text: string, told: FunctionFacts): Told {
  const { nameSpan, decorators } = told;
  return { kind: "function", span: nameSpan, signature: decorators.length === 0 ? signatureOf(facts, text, told) : null, returns: returnTypeOf(facts, text, told) };
}
