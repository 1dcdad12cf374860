import { referencesOf } from "@agentgate/parsers";
import type { BindingId, Call, FunctionId, ModuleFacts, Value, ValueId } from "@agentgate/parsers";
import { argumentOf, parametersBefore } from "../arguments.ts";
import { callersOf, isPrivate } from "../callers.ts";
import { apiName, bare, originsOf } from "../expressions.ts";
import { idOfCall } from "../indexes.ts";
import { testsAround } from "../statements.ts";
import { chainEnd, receiverOf } from "./chain.ts";
import { assignedBefore, givenBack, itemsHeld, partsAt } from "./temporary-parts.ts";
import { optionOf } from "./verbs.ts";
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
  const known = knownAt(facts, call);
  return known.temporary || placesOf(facts, call, name).some((place) => isBelowTemporary(facts, givenBefore(facts, call, place), 0, known.nothing));
}

/** What an attribute was given just before a call, rather than anything that its class gives it. */
function givenBefore(facts: ModuleFacts, call: Call, place: ValueId): ValueId {
  const value = facts.values[place];
  return value?.kind === "member" ? assignedBefore(facts, call, value) ?? place : place;
}

/** The expressions that can be the path of what a call writes or deletes. */
function placesOf(facts: ModuleFacts, call: Call, name: string): readonly ValueId[] {
  const folder = name === "extractzip" ? optionOf(facts, call, "dir") : null;
  if (folder !== null) return [folder];
  const second = INTO_SECOND.has(name.replace(/Sync$/, "")) ? argumentOf(facts, call, 1, "dst") : "absent";
  if (typeof second === "number") return [second];
  const first = argumentOf(facts, call, 0, "path");
  const receiver = receiverOf(facts, call);
  return [...(typeof first === "number" ? [first] : []), ...(receiver === null ? [] : [receiver])];
}

/** What the tests around a call tell: names that hold nothing there, and that it is about something temporary (`if (isTempDir)`). */
function knownAt(facts: ModuleFacts, call: Call): { readonly nothing: ReadonlySet<BindingId>; readonly temporary: boolean } {
  const nothing = new Set<BindingId>();
  let temporary = false;
  // What is only handed on is no call yet.
  const id = idOfCall(facts, call);
  for (const { statement, outcome } of id === -1 ? [] : testsAround(facts, id)) {
    for (const { id, holds } of atomsOf(facts, statement.test, outcome)) {
      const value = facts.values[id];
      if (value?.kind === "name" && !holds) nothing.add(value.binding);
      for (const each of holds ? saidBy(facts, id) : []) nothing.add(each);
      const name = value?.kind === "name" ? value.name : value?.kind === "member" ? value.property ?? "" : "";
      temporary ||= holds && /^_?(?:is|was|uses?|has|created|made|owns)_?(?:temp|tmp|temporary)(?:_|[A-Z]|$)/i.test(name);
    }
  }
  return { nothing, temporary };
}

/** What a flag that an attribute keeps says to hold nothing, where it holds: `self._cleanup = folder is None`. */
function saidBy(facts: ModuleFacts, flag: ValueId): readonly BindingId[] {
  const [origin, ...others] = facts.values[flag]?.kind === "member" ? originsOf(facts, flag).values : [];
  if (origin === undefined || origin === flag || others.length > 0) return [];
  return atomsOf(facts, origin, true).flatMap(({ id, holds }) => (holds ? [] : [bindingOf(facts, id)])).filter((binding) => binding !== -1);
}

/** The single expressions that hold, or do not, where a test comes out so; of `x is None` the `x` that does not. */
function atomsOf(facts: ModuleFacts, test: ValueId, outcome: boolean): readonly { readonly id: ValueId; readonly holds: boolean }[] {
  const atoms: { readonly id: ValueId; readonly holds: boolean }[] = [];
  const pending = [{ id: test, holds: outcome }];
  for (let next = pending.pop(); next !== undefined && atoms.length < 16; next = pending.pop()) {
    const value = facts.values[next.id];
    if (value?.kind === "unary" && value.operator === "not") pending.push({ id: value.value, holds: !next.holds });
    else if (value?.kind === "logical" && value.operator === (next.holds ? "and" : "or")) pending.push({ id: value.left, holds: next.holds }, { id: value.right, holds: next.holds });
    else if (value?.kind === "binary" && isEmpty(facts, value.right)) {
      if (/^(?:is|===?)$/.test(value.operator) === next.holds) atoms.push({ id: value.left, holds: false });
    } else atoms.push(next);
  }
  return atoms;
}

function isApiOfTemporary(facts: ModuleFacts, id: ValueId): boolean {
  return referencesOf(facts, id).some((reference) => {
    const api = apiName(reference);
    return EXACT.has(api) || PREFIXES.some((prefix) => api.startsWith(prefix));
  });
}

/** Whether everything that an expression can be lies below a temporary folder; one of several (`given or "/tmp"`) is not enough. */
export function isBelowTemporary(facts: ModuleFacts, id: ValueId, depth = 0, nothing: ReadonlySet<BindingId> = NONE): boolean {
  if (depth > DEEPEST) return false;
  const { values, complete } = originsOf(facts, id);
  // `let folder = ""` is no folder yet.
  const given = values.filter((origin) => !isEmpty(facts, origin) && !nothing.has(bindingOf(facts, origin)));
  return complete && given.length > 0 && given.length <= 8 && given.every((origin) => isOneBelow(facts, origin, depth, nothing));
}

const NONE: ReadonlySet<BindingId> = new Set();

/** The binding of a name or a parameter; -1 of anything else. */
function bindingOf(facts: ModuleFacts, id: ValueId): BindingId {
  const value = facts.values[id];
  if (value?.kind === "name") return value.binding;
  return value?.kind === "parameter" ? facts.functions[value.function]?.parameters[value.index]?.binding ?? -1 : -1;
}

/** What is done to a path by a method of it. */
const OF_PATH = new Set(["write_text", "write_bytes", "unlink", "mkdir", "rmdir", "touch", "open", "rename", "replace", "chmod", "symlink_to", "hardlink_to"]);

/** The path that a call of a file API writes or deletes; null where it has none. */
export function pathOf(facts: ModuleFacts, call: Call): ValueId | null {
  const name = chainEnd(facts, call.callee);
  const receiver = receiverOf(facts, call);
  if (receiver !== null && OF_PATH.has(name) && facts.language === "python" && !isModule(facts, receiver)) return receiver;
  return placesOf(facts, call, name)[0] ?? null;
}

function isModule(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id];
  return value?.kind === "name" && facts.bindings[value.binding]?.kind === "import";
}

/** The parameters that a path begins with; null where it may begin with anything else. */
export function parametersBehind(facts: ModuleFacts, path: ValueId): readonly Extract<Value, { kind: "parameter" }>[] | null {
  const found: Extract<Value, { kind: "parameter" }>[] = [];
  const pending = [path];
  for (let step = 0; pending.length > 0; step++) {
    const { values, complete } = originsOf(facts, pending.pop()!);
    if (!complete || step > 32) return null;
    for (const origin of values) {
      const value = facts.values[origin]!;
      const head = headOf(facts, value);
      if (value.kind === "parameter") found.push(value);
      else if (head !== null) pending.push(head);
      else if (!isEmpty(facts, origin)) return null;
    }
  }
  return found;
}

/** What a path that is put together begins with. */
export function headOf(facts: ModuleFacts, value: Value): ValueId | null {
  if (value.kind === "template") return value.parts[0] ?? null;
  if (value.kind === "binary") return value.left;
  if (value.kind !== "call") return null;
  const call = facts.calls[value.call]!;
  return call.arguments[0]?.value ?? receiverOf(facts, call);
}

function isEmpty(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[id]!;
  return value.kind === "constant" || (value.kind === "string" && value.value === "");
}

function isOneBelow(facts: ModuleFacts, id: ValueId, depth: number, nothing: ReadonlySet<BindingId>): boolean {
  const value = facts.values[id]!;
  const inside = (each: ValueId): boolean => isBelowTemporary(facts, each, depth + 1, nothing);
  switch (value.kind) {
    case "string":
      return TEMPORARY_FOLDERS.some((folder) => value.value === folder || value.value.startsWith(`${folder}/`));
    case "call": {
      const call = facts.calls[value.call]!;
      // `join(folder, name)`, `Path(folder)`, `folder.joinpath(name)`, `open(path)`: what it begins with decides.
      const [first] = call.arguments;
      const receiver = receiverOf(facts, call);
      if (isApiOfTemporary(facts, call.callee) || MADE_TEMPORARY.test(chainEnd(facts, call.callee))) return true;
      const given = givenBack(facts, call);
      if (given.length > 0 && given.every(inside)) return true;
      return (first !== undefined && inside(givenBefore(facts, call, first.value))) || (receiver !== null && inside(receiver));
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
      return isApiOfTemporary(facts, id) || isNamedTemporary(value.property) || inside(value.object) || (value.property !== null && isPartBelow(facts, value.object, value.property, depth));
    case "item":
      return isNamedTemporaries(facts, value.of) || inside(value.of) || (value.index === null ? holdsOnlyBelow(facts, value.of, depth) : isPartBelow(facts, value.of, value.index, depth));
    default:
      return false;
  }
}

/** `for (const file of temporaryFiles)` of a list to which nothing else was added. */
function holdsOnlyBelow(facts: ModuleFacts, list: ValueId, depth: number): boolean {
  const items = itemsHeld(facts, list) ?? [];
  return items.length > 0 && items.length <= 8 && items.every((item) => isBelowTemporary(facts, item, depth + 1));
}

function isPartBelow(facts: ModuleFacts, whole: ValueId, at: number | string, depth: number): boolean {
  return partsAt(facts, whole, at)?.every((part) => isBelowTemporary(facts, part, depth + 1)) === true;
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

/** `self._temp_dirs_to_cleanup`, `unusedTempDirs`: a list that is named after temporary folders or files. */
function isNamedTemporaries(facts: ModuleFacts, id: ValueId): boolean {
  const value = facts.values[bare(facts, id)]!;
  const name = value.kind === "name" ? value.name : value.kind === "member" ? value.property ?? "" : "";
  return /(?:^|_|[a-z](?=T))(?:temp|tmp|temporary)_?(?:dirs|directories|folders|files|paths)(?:_|[A-Z]|$)/i.test(name);
}

/** `options.tempFileDir`, `tmp_dir`, `file.tempFilePath`. */
function isNamedTemporary(name: string | null): boolean {
  return name !== null && /^_?(?:temp|tmp|temporary)_?(?:files?)?_?(?:dir|directory|folder|path|file_?name)$/i.test(name);
}
