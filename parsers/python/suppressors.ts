import type { Handler, Value, ValueId } from "../facts.ts";
import { markChains } from "./calls.ts";
import type { Reader } from "./reader.ts";

/** `with contextlib.suppress(A, B):` goes on behind the block when it fails: a handler that does nothing. Null for what else is entered. */
export function suppressorOf(reader: Reader, items: readonly ValueId[]): Handler | null {
  for (const item of items) {
    const value = reader.builder.valueAt(item);
    const call = value.kind === "call" ? reader.builder.draft.facts.calls[value.call] : undefined;
    if (call === undefined || call.arguments.length === 0 || !isSuppress(reader, call.callee)) continue;
    const types = call.arguments.map((argument) => argument.value);
    for (const type of types) markChains(reader, type, "exception");
    return { types, binding: -1, body: [], span: value.span };
  }
  return null;
}

const NAME = "suppress";
const MODULE = "contextlib";

function isSuppress(reader: Reader, callee: ValueId): boolean {
  const value = reader.builder.valueAt(callee);
  if (value.kind === "name") return isImported(reader, value, NAME);
  if (value.kind !== "member" || value.property !== NAME) return false;
  const object = reader.builder.valueAt(value.object);
  return object.kind === "name" && isImported(reader, object, "");
}

/** Whether a name is the module or its function, by an import that was read before, and nothing else. */
function isImported(reader: Reader, { name }: Extract<Value, { kind: "name" }>, path: string): boolean {
  const { scopes, values, imports } = reader.builder.draft.facts;
  for (let id = reader.builder.scope; id >= 0; id = scopes[id]!.parent) {
    if (!Object.hasOwn(scopes[id]!.names, name)) continue;
    const given = reader.builder.binding(scopes[id]!.names[name]!).values.map((each) => values[each]!);
    return given.length > 0 && given.every((value) => value.kind === "imported" && value.path.join(".") === path && imports[value.import]!.specifier === MODULE);
  }
  return false;
}
