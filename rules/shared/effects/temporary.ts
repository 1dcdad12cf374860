import { referencesOf } from "@agentgate/parsers";
import type { Call, FunctionId, ModuleFacts, ValueId } from "@agentgate/parsers";
import { argumentOf, parametersBefore } from "../arguments.ts";
import { callersOf, isPrivate } from "../callers.ts";
import { apiName, originsOf } from "../expressions.ts";
import { chainEnd, receiverOf } from "./chain.ts";
import { TEMPORARY_APIS, TEMPORARY_FOLDERS } from "./vocabulary.ts";

const EXACT = new Set(TEMPORARY_APIS.filter((api) => !api.endsWith(".*")));
const PREFIXES = TEMPORARY_APIS.filter((api) => api.endsWith(".*")).map((api) => api.slice(0, -1));
/** Calls whose second argument is what they write to. */
const INTO_SECOND = new Set(["copy", "copy2", "copyfile", "copytree", "move", "rename", "copyFile", "cp", "symlink", "link", "replace"]);
/** `with GitTemporaryDirectory() as folder`, `getTempDir()`: a helper of the tree that names what it gives. */
const MADE_TEMPORARY = /(?:temp|tmp|temporary)_?(?:dir|directory|folder)$/i;
/** Paths are put together in a few steps. */
const DEEPEST = 10;

/** Whether a call writes or deletes in a temporary folder: its own (`tempfile.mkdtemp`), or at a path built from one. */
export function isTemporary(facts: ModuleFacts, call: Call, name: string): boolean {
  if (isApiOfTemporary(facts, call.callee)) return true;
  const second = INTO_SECOND.has(name.replace(/Sync$/, "")) ? argumentOf(facts, call, 1, "dst") : "absent";
  if (typeof second === "number") return isBelowTemporary(facts, second, 0);
  const first = argumentOf(facts, call, 0, "path");
  if (typeof first === "number" && isBelowTemporary(facts, first, 0)) return true;
  const receiver = receiverOf(facts, call);
  return receiver !== null && isBelowTemporary(facts, receiver, 0);
}

function isApiOfTemporary(facts: ModuleFacts, id: ValueId): boolean {
  return referencesOf(facts, id).some((reference) => {
    const api = apiName(reference);
    return EXACT.has(api) || PREFIXES.some((prefix) => api.startsWith(prefix));
  });
}

/** Whether everything that an expression can be lies below a temporary folder; one of several (`given or "/tmp"`) is not enough. */
function isBelowTemporary(facts: ModuleFacts, id: ValueId, depth: number): boolean {
  if (depth > DEEPEST) return false;
  const { values, complete } = originsOf(facts, id);
  // `let folder = ""` is no folder yet.
  const given = values.filter((origin) => !isEmpty(facts, origin));
  return complete && given.length > 0 && given.length <= 8 && given.every((origin) => isOneBelow(facts, origin, depth));
}

function isEmpty(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id]!;
  return value.kind === "constant" || (value.kind === "string" && value.value === "");
}

function isOneBelow(facts: ModuleFacts, id: ValueId, depth: number): boolean {
  const value = facts.values[id]!;
  const inside = (each: ValueId): boolean => isBelowTemporary(facts, each, depth + 1);
  switch (value.kind) {
    case "string":
      return TEMPORARY_FOLDERS.some((folder) => value.value === folder || value.value.startsWith(`${folder}/`));
    case "call": {
      const call = facts.calls[value.call]!;
      // `join(folder, name)`, `Path(folder)`, `folder.joinpath(name)`, `open(path)`: what it begins with decides.
      const [first] = call.arguments;
      const receiver = receiverOf(facts, call);
      return isApiOfTemporary(facts, call.callee) || MADE_TEMPORARY.test(chainEnd(facts, call.callee)) || (first !== undefined && inside(first.value)) || (receiver !== null && inside(receiver));
    }
    case "template":
      return value.parts[0] !== undefined && inside(value.parts[0]);
    case "binary":
      return (value.operator === "+" || value.operator === "/") && inside(value.left);
    case "name":
      return isApiOfTemporary(facts, id);
    case "parameter":
      return isHandedTemporary(facts, value.function, value.index, depth);
    case "member":
      return isApiOfTemporary(facts, id) || isNamedTemporary(value.property) || inside(value.object);
    case "item":
      return inside(value.of);
    default:
      return false;
  }
}

/** A parameter that is named as a temporary folder, or of a function of the file's own that is handed nothing else. */
function isHandedTemporary(facts: ModuleFacts, id: FunctionId, index: number, depth: number): boolean {
  const subject = facts.functions[id]!;
  const parameter = subject.parameters[index];
  if (parameter === undefined || isNamedTemporary(parameter.name)) return parameter !== undefined;
  const callers = callersOf(facts, id);
  return callers.length > 0 && isPrivate(facts, id, callers) && callers.every((call) => {
    const given = argumentOf(facts, call, index - parametersBefore(facts, subject), parameter.name);
    return typeof given === "number" && isBelowTemporary(facts, given, depth + 1);
  });
}

/** `options.tempFileDir`, `tmp_dir`. */
function isNamedTemporary(name: string | null): boolean {
  return name !== null && /^_?(?:temp|tmp|temporary)_?(?:files?)?_?(?:dir|directory|folder)$/i.test(name);
}
